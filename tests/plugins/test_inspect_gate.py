"""The hook of inspect_ai: a run prints the comparison with the log that its metadata name."""

import shutil

import pytest

import pairedperm.plugins as plugin
from corpora.logs import lm_eval
from extras import needs
from interpreter import python

RUNS = """
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match

def answer(text):
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage()  # which hooks are told
    return output

def run(folder, n_right, **metadata):
    answers = [answer("yes" if k < n_right else "no") for k in range(20)]
    (log,) = eval(
        Task([Sample(str(k), id=k, target="yes") for k in range(20)], scorer=match(), name="q"),
        model=get_model("mockllm/model", custom_outputs=answers),
        log_dir=folder,
        display="none",
        metadata=metadata,
    )
    print(f"({folder}: {log.status})")
    return log.location

run("new", 2, paired_baseline=run("old", 18))
run("other", 2, paired_baseline="no.eval")
"""


@pytest.mark.thorough
def test_runs_are_compared_with_their_baselines(installed):
    """A comparison that fails fails no run."""
    needs("inspect_ai", "inspect")
    script = installed / "runs.py"
    script.write_text(RUNS, "utf-8")
    said, errors = python(str(script), cwd=installed, with_stderr=True)
    hooks, _, said = said.partition("(old: success)\n\nq against ")
    assert "paired_baseline: --metadata paired_baseline=LOG" in hooks
    assert "\nq: 20 examples matched by id\n" in said
    assert "gives p = 3.05e-5 (" in " ".join(said.split())
    assert said.endswith("(new: success)\n\nq against no.eval\n(other: success)\n")
    assert "error: B: no.eval cannot be read" in errors


def test_a_baseline_of_several_tasks(tmp_path, capsys):
    """A log is compared with the baseline's log of its task; by a tool that starts quickly."""
    for task in ("tumors", "findings"):
        shutil.copy(lm_eval("naive_bayes", task), tmp_path)
    plugin._print_comparison("tumors", str(lm_eval("logistic_regression")), str(tmp_path))
    said = capsys.readouterr()
    assert said.err == ""
    assert "\ntumors: 16 examples matched by id\n" in said.out


def test_what_is_printed_commands_no_terminal_and_has_no_keys(capsys):
    url = "zip://x.eval::http://me:secret@127.0.0.1:9/x.zip?key=secret\x1b]0;"
    plugin._print_comparison("q\x1b[31m", "no.eval", url)
    out, err = capsys.readouterr()
    assert out == "\nq\\x1b[31m against zip://x.eval::http://127.0.0.1:9/x.zip\n"
    assert err.startswith("error: ")
    assert "secret" not in err


def test_inspect_ai_alone_loads_it(tmp_path):
    code = "import sys, pairedperm.plugins; print(*sys.modules)"
    assert not {"inspect_ai", "numpy", "click"} & {*python("-c", code, cwd=tmp_path).split()}
    with pytest.raises(AttributeError, match="plugins' has no attribute 'Other'"):
        plugin.Other  # noqa: B018
