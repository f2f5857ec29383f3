"""`pairedperm leaderboard`: folders and files, a baseline, tasks, Markdown and JSON."""

import json
from pathlib import Path

import pytest

from corpora.logs import lm_eval_groups, save
from interpreter import CHECKOUT
from pairedperm import compare_many, compare_suites

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


RIGHT = {  # what three systems are right on, and a fourth that lacks a task
    "a": {"new": [1, 1, 1, 0, 0, 1], "old": [0, 0, 1, 0, 0, 1], "bad": [0] * 6, "few": [1] * 6},
    "b": {"new": [1] * 8, "old": [0] * 7 + [1], "bad": [0] * 8},
    "c": {"new": [1, 0, 1], "old": [1, 1, 1], "bad": [0, 0, 1], "few": [1, 1, 1]},
}
ALL = {task: {x: y for x, y in systems.items() if x != "few"} for task, systems in RIGHT.items()}


def write_tasks(here, tasks, n_lost=0):
    """Logs of lm-evaluation-harness, one folder a system; "few" lacks its last examples."""
    for task, systems in tasks.items():
        for system, column in systems.items():
            n = len(column) - n_lost * (system == "few")
            lines = [
                {"doc_id": k, "doc": k, "target": "x", "resps": [], "filter": "none", "acc": x}
                for k, x in enumerate(column[:n])
            ]
            (here / "out" / system).mkdir(parents=True, exist_ok=True)
            save(here / "out" / system / f"samples_{task}_2026-11-01T00-00-00.1.jsonl", lines)


def python_board(**options):
    tasks = {task: (systems,) for task, systems in ALL.items()}
    board = compare_suites(tasks, "mean_score", of="acc", score_range=(0, 1), rng=0, **options)
    return json.loads(json.dumps(board.to_dict()))


@pytest.mark.parametrize(
    ("flags", "how", "options"),
    [
        (("--weights", "equal"), "with equal weights", {}),
        (
            ("--weights", "size", "--baseline", "old"),
            "weighted by size",
            {"weights": "size", "baseline": "old"},
        ),
        (
            ("--weights", "a=1", "--weights", "b=0.5", "--weights", "c=0", "--correction", "none"),
            "with the given weights",
            {"weights": {"a": 1, "b": 0.5, "c": 0}, "correction": None},
        ),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, tuple) else "",
)
def test_averages_are_those_of_python(here, found, flags, how, options):
    write_tasks(here, ALL)
    board, expected = found("leaderboard", "out", *flags), python_board(**options)
    assert board.pop("matching") == ["3 tasks: 17 examples matched by id", f"average {how}"]
    assert board == expected


@pytest.mark.parametrize(("is_by_size", "weights"), [(True, "size"), (False, "equal")])
def test_a_reported_average(here, found, is_by_size, weights):
    """One that other weights make is told, with those that the harness may have meant."""
    scores = {"g_a": [1, 0, 1, 1], "g_b": [0, 1]}
    of_systems = {"x": scores, "y": {task: [1 - x for x in y] for task, y in scores.items()}}
    logs = [
        lm_eval_groups(here / name, own, {"g": [*scores]}, is_by_size)
        for name, own in of_systems.items()
    ]
    flags = (*logs, "--metric", "acc", "--weights")
    assert found("leaderboard", *flags, weights)["matching"][-1].startswith("average w")
    (other,) = {"size", "equal"} - {weights}
    told = found("leaderboard", *flags, other)["matching"][-2:]
    assert [x.partition(" of ")[0] for x in told] == [
        "group 'g': 0.%s is reported" % ("666667" if is_by_size else "625"),
        "group 'g': 0.%s is reported" % ("333333" if is_by_size else "375"),
    ]
    assert all(x.endswith(f"; weigh them otherwise, --weights {weights}") for x in told)


def test_averages_in_words(here, said):
    write_tasks(here, ALL)
    out = said("leaderboard", "out", "--weights", "equal")
    assert out == (
        "3 tasks: 17 examples matched by id\n"
        "average with equal weights\n"
        "\n"
        "system  score  tier  letters\n"
        "new      0.78     1        a\n"
        "old      0.49     1       ab\n"
        "bad      0.11     2        b\n"
        "\n"
        "Average mean acc of 3 systems on 3 tasks, 17 examples.\n"
        "Told apart: 1 of 3 pairs (Holm, α = 0.05).\n"
    )
    out = said("leaderboard", "out", "--weights", "equal", "--markdown")
    assert out.startswith("| system | score | tier | letters |")
    assert out.endswith("\n- 3 tasks: 17 examples matched by id\n- average with equal weights\n")


def test_a_system_that_lacks_a_task(here, said, found, refused):
    """It is refused, or left out and named; its missing examples cost the others none."""
    write_tasks(here, RIGHT, n_lost=1)
    flags = ("leaderboard", "out", "--weights", "equal")
    assert refused(*flags).startswith("LOGS does not hold all systems for all tasks: ")
    err = "warning: not all tasks have all systems: 4 of task 'a', 3 of task 'b', 4 of task 'c'.\n"
    out = said(*flags, "--on-missing", "drop", err=err)
    note = "left out: 'few' has no run of task 'b'"
    assert out.startswith(f"{note}\n3 tasks: 17 examples matched by id\naverage ")
    board = found(*flags, "--on-missing", "drop", err=err)
    assert board["matching"][0] == note
    assert board["pairs"] == python_board()["pairs"]


def test_documents_that_differ_where_a_system_lacks_a_task(here, said):
    """The others are matched anew, also by id alone."""
    write_tasks(here, RIGHT)
    for k, path in enumerate(sorted((here / "out").rglob("samples_a_*"))):
        path.write_text(path.read_text("utf-8").replace('"doc": ', f'"doc": {k}.'), "utf-8")
    flags = ("--weights", "equal", "--on-missing", "drop", "--same-documents", "id")
    err = "warning: not all tasks have all systems: 4 of task 'a', 3 of task 'b', 4 of task 'c'.\n"
    out = said("leaderboard", "out", *flags, err=err)
    assert "a: by id alone: documents differ on 6 of them" in out


def test_as_many_systems_on_each_task(here, refused, said):
    """But not the same ones."""
    write_tasks(here, {"a": {"x": [1, 0], "y": [0, 1]}, "b": {"x": [1, 1], "z": [0, 1]}})
    flags = ("leaderboard", "out", "--weights", "equal")
    said("leaderboard", "out")
    what = "'y' has no run of task 'b'; 'z' has no run of task 'a'"
    assert refused(*flags) == (
        f"LOGS does not hold all systems for all tasks: {what}. Name a task, --task …, or leave "
        "these systems out, --on-missing drop."
    )
    assert refused(*flags, "--on-missing", "drop") == (
        f"LOGS must hold two or more systems with all tasks: {what}. Add logs, or name a task, "
        "--task …."
    )


def test_averages_of_the_tasks_with_the_metric(here, said):
    write_tasks(here, ALL)
    for path in here.glob("out/*/samples_c_*"):
        path.write_text(path.read_text("utf-8").replace('"acc"', '"f1"'), "utf-8")
    out = said("leaderboard", "out", "--metric", "acc", "--weights", "size")
    assert out.startswith("left out: task 'c': out")
    assert "\n2 tasks: 14 examples matched by id\n" in out
    assert "Average mean acc of 3 systems on 2 tasks, 14 examples." in out


def test_weights_are_of_several_tasks(here, refused):
    write_tasks(here, ALL)
    flags = ("leaderboard", "out", "--task", "a", "--weights")
    assert "--weights is for several tasks, and the logs have one: " in refused(*flags, "equal")
    assert "--weights x: write equal, size, " in refused("leaderboard", "out", "--weights", "x")
    assert "`--weights` lacks task 'b'" in refused("leaderboard", "out", "--weights", "a=1")
