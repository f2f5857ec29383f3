"""Suites of logs: their averages, beside those of a group that lm-evaluation-harness reports."""

import random
import warnings

import pytest

from corpora.logs import lm_eval_groups
from pairedperm import compare_suite
from pairedperm.readers import read_runs
from pairedperm.readers.read import read_tasks
from pairedperm.readers.read_options import ReadOptions
from pairedperm.readers.several_tasks import of_tasks
from pairedperm.readers.suites import group_averages

GROUPS = {"g": ["inner", "g_c"], "inner": ["g_a", "g_b"], "other": ["x"]}
TASKS = ["g_a", "g_b", "g_c"]
SIZES = {"g_a": 4, "g_b": 9, "g_c": 5, "x": 3}


def systems_of(tasks):
    return {task: runs.systems for task, runs in tasks.items()}


def scores_of(seed, sizes=SIZES):
    rng = random.Random(seed)
    return {task: [rng.randint(0, 1) for _ in range(n)] for task, n in sizes.items()}


@pytest.fixture
def reported(tmp_path):
    """Return what the results of logs report, which functions change, and the runs."""

    def found(asked="g", by_size=(True, True), changes=(None, None), task=None, sizes=SIZES):
        folders = [
            lm_eval_groups(tmp_path / x, scores_of(seed, sizes), GROUPS, is_by_size, change)
            for seed, (x, is_by_size, change) in enumerate(zip("ab", by_size, changes, strict=True))
        ]
        runs = read_tasks(*folders, ReadOptions(task=task or asked))
        return group_averages(systems_of(runs), "acc", asked), runs

    return found


@pytest.mark.parametrize("asked", ["g", "inner", "g_*", None])
@pytest.mark.parametrize(("by_size", "weights"), [(True, "size"), (False, "equal")])
def test_the_weights_make_the_reported_average(asked, by_size, weights, reported):
    """With groups in groups: all tasks of a group have a weight of their own."""
    found, runs = reported(asked, (by_size, by_size), task=asked or "g")
    assert found.group == ("g" if asked in ("g_*", None) else asked)
    assert (found.lost, [*found.averages]) == ([], ["a", "b"])
    suite = of_tasks(runs, None).suite("acc", weights=weights)
    assert [suite.score1, suite.score2] == pytest.approx([*found.averages.values()], rel=1e-14)
    scores = {"a": suite.score1, "b": suite.score2}
    assert found.doubts_of(scores, weights) == []
    (doubt,) = found.doubts_of(scores | {"b": 0.125}, weights)
    said = f"group {found.group!r}: {suite.score2:.6g} is reported of b, but the average of the "
    how, other = ("weighted by size", "equal") if by_size else ("with equal weights", "size")
    remedy = f"weigh them otherwise, weights={other!r}"
    assert str(doubt) == f"{said}compared tasks is 0.125 {how}; {remedy}"


def of_group(value):
    """Report another average of the group."""

    def change(results):
        results["results"]["g"]["acc,none"] = value

    return change


def test_an_average_that_is_rounded(reported):
    whole, _ = reported("g", (False, False))
    rounded = [of_group(round(x, 3)) for x in whole.averages.values()]
    found, _ = reported("g", (False, False), rounded)
    assert found.averages != whole.averages
    assert found.doubts_of(whole.averages, "equal") == []


def test_only_one_system_is_reported(reported):
    found, _ = reported("g", changes=(lambda x: x["results"].pop("g"), None))
    assert [*found.averages] == ["b"]
    assert len(found.doubts_of({"a": 2.0, "b": 2.0}, "equal")) == 1


def test_tasks_without_logs(tmp_path, reported):
    """They are named, and what is reported is of them, too."""
    reported("g")
    for folder in ("a", "b"):
        next((tmp_path / folder).glob("samples_g_b*")).unlink()
    runs = read_tasks(tmp_path / "a", tmp_path / "b", ReadOptions(task="g"))
    found = group_averages(systems_of(runs), "acc", "g")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        suite = of_tasks(runs, None).suite("acc", weights="size")
    doubts = found.doubts_of({"a": suite.score1, "b": suite.score2}, "size")
    assert str(doubts[0]) == "group 'g': not compared: 'g_b'"
    assert [str(x.message) for x in told] == [f"{x}." for x in doubts]
    assert len(doubts) == 1 + 2


@pytest.mark.parametrize("asked", ["g_a", "x*", "*", "g_[ab]*"])
def test_the_group_of_a_pattern(asked, reported):
    found, _ = reported(asked)
    assert (found and found.group) == {"x*": "other", "g_[ab]*": "inner"}.get(asked)


def test_no_group(reported):
    assert reported("*", changes=[lambda x: x.update(group_subtasks={})] * 2)[0] is None
    found, _ = reported("g", changes=[lambda x: x["results"].pop("g")] * 2)
    assert found == ("g", {}, [])


def test_systems_with_other_names_on_other_tasks(reported):
    """Folders may name them: each is told by what is reported of it."""
    _, runs = reported("g")
    named = {
        task: {f"{task}/{name}": run for name, run in systems.items()}
        for task, systems in systems_of(runs).items()
    }
    found = group_averages(named, "acc", "g")
    assert len(found.averages) == 6
    scores = {name: found.averages[name] for name in named["g_a"]}
    assert found.doubts_of(scores, "size") == []
    assert len(found.doubts_of(dict.fromkeys(scores, 2.0), "size")) == 2


def test_57_small_tasks(tmp_path):
    """As mmlu has: the average of the suite is the reported one."""
    parts = [f"mmlu_{k}" for k in range(4)]
    tasks = {part: [f"{part}_{k}" for k in range(14 + (part == "mmlu_0"))] for part in parts}
    groups = {"mmlu": parts, **tasks}
    rng = random.Random(1)
    sizes = {task: rng.randint(2, 6) for part in tasks.values() for task in part}
    folders = [
        lm_eval_groups(tmp_path / x, scores_of(seed, sizes), groups) for seed, x in enumerate("ab")
    ]
    runs = read_tasks(*folders, ReadOptions(task="mmlu"))
    found = group_averages(systems_of(runs), "acc", "mmlu")
    assert len(runs) == 57
    columns = {task: [*x.examples().systems.values()] for task, x in runs.items()}
    suite = compare_suite(columns, "mean_score", weights="size")
    wanted = [*found.averages.values()]
    assert [suite.score1, suite.score2] == pytest.approx(wanted, rel=1e-14)


@pytest.fixture
def folders(tmp_path):
    """Return logs of the tasks of one group."""

    def made(is_by_size=True, change=None):
        sizes, groups = (
            {x: y for x, y in every.items() if x not in ("x", "other")} for every in (SIZES, GROUPS)
        )
        return [
            lm_eval_groups(tmp_path / x, scores_of(seed, sizes), groups, is_by_size, change)
            for seed, x in enumerate("ab")
        ]

    return made


@pytest.mark.parametrize("task", ["g", None, "g_*"])
def test_another_average_is_a_doubt(folders, task):
    """It is told with what may be meant; nothing is tried, and the tasks count equally."""
    runs = read_runs(*folders(), task=task)
    with pytest.warns(UserWarning, match="is reported of .* otherwise, weights='size'") as told:
        suite = runs.suite("acc")
    assert len(told) == 2  # of each system
    with pytest.warns(UserWarning, match="with equal weights; weigh them otherwise"):
        assert suite.to_dict() == runs.suite("acc", weights="equal").to_dict()
    assert runs.suite("acc", weights="size").to_dict() != suite.to_dict()
    runs.suite("acc", weights={"g_a": 1, "g_b": 1, "g_c": 2})  # of numbers nothing is said


def test_the_average_of_the_group(folders):
    read_runs(*folders(is_by_size=False), task="g").suite("acc")


def test_examples_that_are_left_out_are_a_doubt(folders):
    """The results files count them."""
    one, two = folders()
    (log,) = one.glob("samples_g_b*")
    log.write_text(log.read_text("utf-8").partition("\n")[2], "utf-8")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        read_runs(one, two, task="g", on_missing="drop").suite("acc", weights="size")
    said = "is reported of b, but the average of the compared tasks"
    assert any(said in str(x.message) for x in told)


def test_part_of_a_group(folders):
    """Its tasks that are not compared are no group of their own."""
    runs = read_runs(*folders(), task="g_[ac]")
    assert runs.suite("acc").to_dict() == runs.suite("acc", weights="equal").to_dict()
