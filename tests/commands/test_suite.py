"""`pairedperm suite`, and `pairedperm gate` over several tasks: what they print and refuse."""

import json

import pytest

from corpora.logs import LOGS, lm_eval, save
from pairedperm import compare_suite, gate_suite
from pairedperm.readers import read_runs

OF = {x: LOGS / "lm_eval" / f"scikit-learn__{x}" for x in ("logistic_regression", "naive_bayes")}
ONE, TWO = OF.values()
METRICS = ("--metric", "acc", "--metric", "exact_match,strict-match")
NAMES = tuple(f"scikit-learn/{x}" for x in OF)


@pytest.fixture
def tasks(here):
    """Two folders of three small tasks, and what each system is right on."""
    scores = {
        "a": ([1, 1, 1, 0, 0, 1], [0, 0, 1, 0, 0, 1]),
        "b": ([1] * 8, [0] * 7 + [1]),
        "c": ([1, 0, 1], [1, 1, 1]),
    }
    for task, columns in scores.items():
        for system, column in zip(("new", "old"), columns, strict=True):
            lines = [
                {"doc_id": k, "doc": k, "target": "x", "resps": [], "filter": "none", "acc": x}
                for k, x in enumerate(column)
            ]
            (here / system).mkdir(exist_ok=True)
            save(here / system / f"samples_{task}_2026-11-01T00-00-00.1.jsonl", lines)

    return {task: (*columns, None) for task, columns in scores.items()}


@pytest.mark.parametrize("weights", ["equal", "size", {"a": 2.0, "b": 0.5, "c": 1.0}])
def test_it_is_the_suite_of_python(tasks, found, weights):
    words = [weights] if isinstance(weights, str) else [f"{x}={y}" for x, y in weights.items()]
    flags = [x for word in words for x in ("--weights", word)]
    out = found("suite", "new", "old", *flags)
    expected = compare_suite(tasks, "mean_score", of="acc", score_range=(0, 1), weights=weights)
    own = {"system1", "system2", "matching", "tasks"}
    assert {x: out[x] for x in out if x not in own} == {
        x: y for x, y in expected.to_dict().items() if x not in own
    }
    assert (out["system1"], out["system2"]) == ("new", "old")
    how = {"equal": "with equal weights", "size": "weighted by size"}
    told = how[weights] if isinstance(weights, str) else "with the given weights"
    assert out["matching"] == ["3 tasks: 17 examples matched by id", f"average {told}"]
    assert read_runs("new", "old").suite(weights=weights).to_dict() == expected.to_dict()


def test_several_tasks_and_names(tasks, found, said):
    """Those that are named, in a suite or in one table; both under the names that were given."""
    asked = ("--task", "b", "--task", "[a]", "--name", "left", "--name", "right")
    del tasks["c"]
    expected = compare_suite(tasks, "mean_score", of="acc", score_range=(0, 1))
    out = found("suite", "new", "old", *asked)
    assert (out["p"], out["system1"], out["system2"]) == (expected.pvalue, "left", "right")
    out = found("compare", "new", "old", *asked)
    assert [x["task"] for x in out["tests"]] == ["a", "b"]
    assert "left against right" in said("compare", "new", "old", *asked)
    out = found("gate", "new", "--baseline", "old", *asked)
    assert (out["candidate"], out["baseline"], len(out["tasks"])) == ("left", "right", 2)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({}, 0),
        ({"margin": 0.1}, 3),
        ({"task_margin": 0.5}, 3),
        ({"require": "better"}, 1),
    ],
)
def test_it_is_the_gate_of_python(tasks, found, options, code):
    flags = [x for name, y in options.items() for x in (f"--{name.replace('_', '-')}", y)]
    out = found("gate", "new", "--baseline", "old", *flags, code=code)
    suite = compare_suite(tasks, "mean_score", of="acc", score_range=(0, 1))
    expected = gate_suite(suite, **options).to_dict()
    own = {"candidate": "new", "baseline": "old"}
    assert {x: y for x, y in out.items() if x != "matching"} == own | expected


def test_real_logs(said):
    """Two tasks with other metrics; the first of them that a task has is taken."""
    out = said("suite", ONE, TWO, *METRICS)
    assert out.startswith(f"{NAMES[0]} against {NAMES[1]}\n2 tasks: 24 examples matched by id\n")
    metrics = "Mean exact_match,strict-match of 1 task ('findings'); mean acc of 1 task"
    assert f" {metrics} ('tumors'); 24 examples. " in " ".join(out.split())
    assert f"system 1: {NAMES[0]}\nsystem 2: {NAMES[1]}\n" in out
    rows = {x.split()[0]: x.split() for x in out.splitlines() if x}
    assert rows["findings"] == ["findings", "8", "0.375", "0.250", "0.125", "1", "1"]
    assert said("suite", ONE, TWO, *METRICS, "--markdown").startswith("| task | n |")


def test_the_verdict_stands_first(tasks, said, monkeypatch, here):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    out = said("gate", "old", "--baseline", "new", code=1)
    assert out.startswith(
        "FAIL: old is significantly worse than new on 1 task ('b': 7 lost, 0 gained).\n"
    )
    assert out.endswith("\n\n3 tasks: 17 examples matched by id\naverage with equal weights\n")
    summary = (here / "summary.md").read_text("utf-8")
    assert summary.startswith(
        "## Gate: 3 tasks\n\n**FAIL**: old is significantly worse than new on"
    )
    assert "| b | 8 |" in summary
    assert max(map(len, out.splitlines())) <= 80


@pytest.fixture
def seconds(tasks, here):
    """A fourth task, whose scores are seconds."""
    for system, shift in (("new", 0.0), ("old", 0.5)):
        lines = [
            {"doc_id": k, "doc": k, "target": "x", "resps": [], "filter": "none"}
            | {"mean_latency_of_all_requests_to_the_server/latency": k / 10 + shift * (1 + k % 2)}
            for k in range(40)
        ]
        save(here / system / "samples_d_2026-11-01T00-00-00.1.jsonl", lines)


def test_tasks_of_different_units(seconds, said, found, refused):
    """They have no average, and pass by a margin for each task."""
    out = said("suite", "new", "old")
    assert "Lower is better on 1 task ('d'). No average: 'acc' of task 'a' and" in " ".join(
        out.split()
    )
    assert "average with" not in out
    assert "lower is better, by its name\n  (or give --higher-is-better)\n\ntask " in out
    assert max(map(len, out.splitlines())) <= 80
    gate = ("gate", "new", "--baseline", "old")
    assert found(*gate, code=3)["reasons"] == ["no average"]
    each = [x for y in ("a=0.9", "b=0.9", "c=0.99", "d=1") for x in ("--task-margin", y)]
    passed = found(*gate, *each)
    assert [x["task_margin"] for x in passed["tasks"]] == [0.9, 0.9, 0.99, 1.0]
    assert (passed["reasons"], passed["p"]) == (["within the margin of tasks"], None)
    for flags, message in (
        (("--margin", "0.1"), "`--margin` is of the average, and there is none: 'acc' of task 'a'"),
        (("--task-margin", "1"), "`--task-margin` must be one for each task, TASK=NUMBER, got 1"),
        (("--task-margin", "a=1"), "`--task-margin` lacks task 'b'"),
        (("--task-margin", "x"), "--task-margin x: write a number, or TASK=NUMBER once for each"),
        (("--weights", "equal"), "their average means nothing. Leave out `--weights`."),
    ):
        assert message in refused(*gate, *flags)
    assert "Compare these tasks apart." in refused("leaderboard", "new", "old", "--weights", "size")


def test_one_task(tasks, said, refused):
    """A named task is decided alone, and has no margin of its own."""
    arguments = ("gate", "new", "--baseline", "old", "--task", "a")
    assert said(*arguments).startswith("PASS: ")
    for flags in (("--task-margin", "0.1"), ("--weights", "size")):
        assert f"{flags[0]} is for several tasks, and the logs have one: " in refused(
            *arguments, *flags
        )


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (
            ("--weights", "tumours"),
            "--weights tumours: write equal, size, or TASK=NUMBER once",
        ),
        (("--weights", "a=x"), "--weights a=x: 'x' is no number."),
        (("--weights", "a=1", "--weights", "a=2"), "--weights a=2: write equal, size, "),
        (("--weights", "a=1"), "`--weights` lacks task 'b': it must have all tasks."),
        (("--weights", "a=-1", "--weights", "b=1", "--weights", "c=1"), "must be a number from 0"),
        (("--metric", "f1x"), "task 'a': `--metric`: "),
    ],
)
def test_refusals(tasks, refused, flags, message):
    assert message in refused("suite", "new", "old", *flags)


def test_refusals_of_the_gate(tasks, refused):
    for flags, message in (
        (("--task-margin", "2"), "`--task-margin` of task 'a' must be below 1"),
        (("--margin", "2"), "`--margin` must be below 1"),
        (("--margin", "0.1", "--require", "better"), "`--margin` is for a candidate that may"),
    ):
        assert message in refused("gate", "new", "--baseline", "old", *flags)


def test_a_task_that_one_system_lacks(said, refused):
    tree = LOGS / "lm_eval" / "scikit-learn__decision_tree"
    assert "B has no run of task 'findings', only of task 'tumors'." in refused(
        "suite", ONE, tree, "--metric", "acc"
    )
    left_out = "warning: left out, because one system has no run: task 'findings'.\n"
    drop = ("--metric", "acc", "--on-missing", "drop")
    out = said("suite", ONE, tree, *drop, err=left_out)
    assert "\nMean acc of 1 task, 16 examples.\n" in out


def test_directions_must_be_known_for_a_gate(tasks, here, refused):
    for path in here.glob("*/*.jsonl"):
        path.write_text(path.read_text("utf-8").replace('"acc"', '"zeal"'), "utf-8")
    assert "task 'a': it is not known whether a higher 'zeal' is better" in refused(
        "gate", "new", "--baseline", "old"
    )


def test_a_log_without_a_task(found, here):
    """One task without a name is a suite, too."""
    lines = lm_eval("naive_bayes").read_text("utf-8")
    for name in ("x", "y"):
        (here / f"{name}.jsonl").write_text(lines, "utf-8")
    out = found("suite", "x.jsonl", "y.jsonl", "--metric", "acc")
    assert json.dumps(out)
    assert out["p"] == 1.0
    assert [x for x in out["matching"] if "matched" in x] == ["1 task: 16 examples matched by id"]
