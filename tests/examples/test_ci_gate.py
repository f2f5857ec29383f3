"""The workflow that a team copies: its gate passes on the logs beside it, and can fail."""

import shlex

import pytest
import yaml

from pairedperm.__main__ import main
from scripts import EXAMPLES

FOLDER = EXAMPLES / "ci_gate"


@pytest.fixture
def step():
    """The step of the workflow that decides."""
    workflow = yaml.safe_load((FOLDER / "gate.yml").read_text("utf-8"))
    (job,) = workflow["jobs"].values()
    (found,) = (x for x in job["steps"] if x.get("run", "").startswith("pairedperm "))
    return found


def test_the_gate_of_the_workflow(step, monkeypatch, capsys, tmp_path):
    """GitHub shows what it appends to the summary of the step."""
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.chdir(EXAMPLES.parent / step["working-directory"])
    words = shlex.split(step["run"])[1:]
    assert main(words) == 0
    assert main([x if x != "candidate" else "worse" for x in words]) == 1
    assert capsys.readouterr().out.startswith("PASS: no significant loss of scikit-learn/naive_bay")
    text = summary.read_text("utf-8")
    assert text.index("**PASS**") < text.index("**FAIL**")
