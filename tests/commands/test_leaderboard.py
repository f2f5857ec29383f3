"""`pairedperm leaderboard`: folders and files, a baseline, tasks, Markdown and JSON."""

import json
from pathlib import Path

import pytest

from interpreter import CHECKOUT
from pairedperm import compare_many

RUNS = CHECKOUT / "examples" / "ci_gate"
COLUMNS = {"a": [1] * 30 + [0] * 10, "b": [1] * 20 + [0] * 20, "c": [0] * 10 + [1] * 30}


@pytest.fixture
def boards(write):
    for name, scores in COLUMNS.items():
        write(f"out/{name}.jsonl", score=scores)


def test_a_folder(said):
    assert said("leaderboard", RUNS, "--metric", "acc") == (
        "tumors: 240 examples matched by id\n"
        "\n"
        "system                            score  tier  letters\n"
        "scikit-learn/logistic_regression   0.91     1        a\n"
        "scikit-learn/naive_bayes           0.90     1        a\n"
        "scikit-learn/decision_tree         0.85     3        b\n"
        "\n"
        "Mean acc of 3 systems, 240 examples.\n"
        "Told apart: 2 of 3 pairs (Holm, α = 0.05).\n"
    )


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ((), {}),
        (("--baseline", "b"), {"baseline": "b"}),
        (("--correction", "none"), {"correction": None}),
        (("--correction", "bh", "--alpha", "0.2"), {"correction": "bh", "alpha": 0.2}),
        (("--lower-is-better",), {"lower_is_better": True}),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, tuple) else "",
)
def test_it_is_that_of_python(boards, found, flags, options):
    expected = compare_many(COLUMNS, None, "mean_score", of="score", rng=0, **options).to_dict()
    (board,) = found("leaderboard", "out", *flags)
    assert {key: board[key] for key in expected} == json.loads(json.dumps(expected))
    assert (board["task"], board["logged"]) == ("", "score")
    assert board["matching"][0] == "40 examples matched by id"


def test_files_are_as_their_folder(boards, said):
    whole = said("leaderboard", "out")
    assert said("leaderboard", *sorted(Path("out").iterdir())) == whole
    assert "Told apart: 1 of 3 pairs (Holm, α = 0.05).\n" in whole
    out = said("leaderboard", "out", "--baseline", "a")
    assert "Told apart from a: 1 of 2 (Holm, α = 0.05).\n" in out


def test_hidden_files_are_said(boards, said, found, write):
    """They are no systems, whatever they hold."""
    (plain,) = found("leaderboard", "out")
    write("out/.ipynb_checkpoints/a-checkpoint.jsonl", score=[1] * 40)
    note = "left out: 1 hidden file: out/.ipynb_checkpoints/a-checkpoint.jsonl"
    out = said("leaderboard", "out").replace("\\", "/")
    assert out.startswith(f"{note}\n40 examples matched by id\n")
    (board,) = found("leaderboard", "out")
    assert board["matching"][0].replace("\\", "/") == note
    assert board | {"matching": plain["matching"]} == plain


def test_markdown(boards, said):
    out = said("leaderboard", "out", "--markdown")
    assert out.startswith("| system | score | tier | letters |\n| :-- | --: | --: | --: |\n| a |")
    assert out.endswith("\n- 40 examples matched by id\n")


def tasks(here, names):
    """Logs of lm-evaluation-harness of several tasks."""
    for run in ("baseline", "worse"):
        (path,) = (RUNS / run).glob("samples_*")
        for name in names:
            (here / "runs" / run).mkdir(parents=True, exist_ok=True)
            other = here / "runs" / run / path.name.replace("tumors", name)
            other.write_text(path.read_text("utf-8"), "utf-8")


def test_systems_that_logs_call_oddly_are_one_line(here, said):
    for run, model in (("baseline", "two\n# lines\tone"), ("worse", "\x1b[31mred")):
        for path in (RUNS / run).iterdir():
            text = path.read_text("utf-8")
            if path.suffix == ".json":
                text = json.dumps(json.loads(text) | {"model_name": model})
            (here / "runs" / run).mkdir(parents=True, exist_ok=True)
            (here / "runs" / run / path.name).write_text(text, "utf-8")
    out = said("leaderboard", "runs", "--metric", "acc")
    assert "\ntwo # lines one" in out
    assert "\n\\x1b[31mred" in out
    assert all(x.isprintable() for x in out.splitlines())


def test_each_task_has_a_table(here, said, found):
    tasks(here, ["one", "two"])
    arguments = ("leaderboard", "runs", "--metric", "acc")
    out = said(*arguments)
    assert out.startswith("one\none: 240 examples matched by id\n\nsystem ")
    assert "\n\ntwo\ntwo: 240 examples matched by id\n\nsystem " in out
    assert [x["task"] for x in found(*arguments)] == ["one", "two"]
    out = said(*arguments, "--markdown")
    assert out.startswith("## one\n\n| system |")
    assert "\n\n## two\n\n| system |" in out
    assert "\ntwo\n" not in said(*arguments, "--task", "one")


@pytest.mark.parametrize("metrics", [["acc_norm"], []], ids=["another metric", "no scores"])
def test_a_task_without_the_metric_is_left_out(here, said, found, metrics):
    """The others are ranked and compared, and it is listed, wherever it stands among them."""
    tasks(here, ["one", "two"])
    whole = found("compare", "runs/worse", "runs/baseline", "--task", "two", "--metric", "acc")
    for run in ("baseline", "worse"):
        (path,) = (here / "runs" / run).glob("samples_one_*")
        lines = [json.loads(x) | {"metrics": metrics} for x in path.read_text("utf-8").splitlines()]
        path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    flags = ("--metric", "acc") if metrics else ()
    board = ("leaderboard", "runs", "--metric", "acc")
    out = said(*board)
    assert out.startswith("left out: task 'one': runs")
    assert "'acc'\n\ntwo\ntwo: 240 examples matched by id\n\nsystem " in out
    assert "Told apart: 1 of 1 pairs" in out
    (one,) = found(*board)
    assert one["matching"][0].endswith(".jsonl lacks 'acc'")
    assert said(*board, "--markdown").startswith("- left out: task 'one': runs")
    out = said("compare", "runs/worse", "runs/baseline", *flags)
    assert "\nleft out: task 'one': " in out
    assert "one: 240 examples" not in out
    result = found("compare", "runs/worse", "runs/baseline", "--metric", "acc")
    assert result | {"matching": whole["matching"]} == whole
    if not metrics:
        assert said("compare", "runs/worse", "runs/baseline").count("\ntwo   ") == 2


def test_what_is_left_out_is_listed_once(here, said, found, write):
    """However many tasks have the metric, it stands before them, and in JSON in the first."""
    names = ["one", "two", "three", "four"]
    tasks(here, names)
    write("runs/.x.jsonl", score=[1])
    for path in here.glob("runs/*/samples_t*"):
        path.write_text(path.read_text("utf-8").replace('"acc"', '"acc7"'), "utf-8")
    board = ("leaderboard", "runs", "--metric", "acc")
    tasks(here, ["five"])
    for flags, start in (((), ""), (("--markdown",), "- ")):
        block, *rest = said(*board, *flags).split("\n\n")
        listed = [line.split(":")[:2] for line in block.split("\n")]
        lacking = [" task 'three'", " task 'two'"]
        assert listed == [[f"{start}left out", x] for x in [" 1 hidden file", *lacking]]
        assert "left out" not in "".join(rest)
    first, *others = [sum("left out" in x for x in y["matching"]) for y in found(*board)]
    assert (first, others) == (3, [0, 0])


def test_tasks_are_text_in_markdown(here, said):
    tasks(here, ["`a`", "two"])
    assert "## \\`a\\`\n" in said("leaderboard", "runs", "--metric", "acc", "--markdown")
