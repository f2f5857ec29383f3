"""Suites of logs: the weights of a group, as averages of lm-evaluation-harness tell them."""

import random
import re
import warnings

import pytest

from corpora.logs import lm_eval_groups
from pairedperm import compare_suite
from pairedperm.readers import read_runs
from pairedperm.readers.read import read_tasks
from pairedperm.readers.read_options import ReadOptions
from pairedperm.readers.several_tasks import of_tasks
from pairedperm.readers.suites import group_weights

GROUPS = {"g": ["inner", "g_c"], "inner": ["g_a", "g_b"], "other": ["x"]}
TASKS = ["g_a", "g_b", "g_c"]
SIZES = {"g_a": 4, "g_b": 9, "g_c": 5, "x": 3}


def systems_of(tasks):
    return {task: runs.systems for task, runs in tasks.items()}


def scores_of(seed, sizes=SIZES):
    rng = random.Random(seed)
    return {task: [rng.randint(0, 1) for _ in range(n)] for task, n in sizes.items()}


@pytest.fixture
def weights(tmp_path):
    """Return the weights of logs whose results are changed by functions, and the runs."""

    def found(asked="g", by_size=(True, True), changes=(None, None), task=None, sizes=SIZES):
        folders = [
            lm_eval_groups(tmp_path / x, scores_of(seed, sizes), GROUPS, is_by_size, change)
            for seed, (x, is_by_size, change) in enumerate(zip("ab", by_size, changes, strict=True))
        ]
        runs = read_tasks(*folders, ReadOptions(task=task or asked))
        return group_weights(systems_of(runs), "acc", asked), runs

    return found


@pytest.mark.parametrize("asked", ["g", "inner", "g_*", None])
@pytest.mark.parametrize(("by_size", "wanted"), [(True, "size"), (False, "equal")])
def test_the_reported_average_is_reproduced(asked, by_size, wanted, weights):
    """With groups in groups: all tasks of a group have a weight of their own."""
    found, runs = weights(asked, (by_size, by_size), task=asked or "g")
    assert (found.group, found.weights) == ("g" if asked in ("g_*", None) else asked, wanted)
    assert (found.doubts, [*found.averages]) == ((), ["a", "b"])
    suite = of_tasks(runs, None).suite("acc", weights=wanted)
    assert [suite.score1, suite.score2] == pytest.approx([*found.averages.values()], rel=1e-14)
    assert found.doubts_of(dict(zip("ab", (suite.score1, suite.score2), strict=True))) == []
    (doubt,) = found.doubts_of({"a": suite.score1, "b": 0.125})
    said = f"group {found.group!r}: {suite.score2:.6g} is reported of b, but the average of the "
    assert str(doubt) == f"{said}compared tasks is 0.125"


def test_tasks_of_one_size(weights):
    """Both weights make the average; it is called by size, as the harness does by default."""
    found, _ = weights("g", (False, True), sizes=dict.fromkeys(SIZES, 6))
    assert (found.weights, found.doubts) == ("size", ())


def of_group(value):
    """Report another average of the group."""

    def change(results):
        results["results"]["g"]["acc,none"] = value

    return change


def test_an_average_that_is_rounded(weights):
    whole, _ = weights("g", (False, False))
    rounded = [of_group(round(x, 3)) for x in whole.averages.values()]
    found, _ = weights("g", (False, False), rounded)
    assert (found.weights, found.doubts) == ("equal", ())


def without(*keys):
    """Report less: the value that these keys lead to is left out."""

    def change(results):
        *outer, last = keys
        for key in outer:
            results = results[key]
        del results[last]

    return change


PLACE = r".*results_[^/]*\.json"


@pytest.mark.parametrize(
    ("options", "wanted", "doubt"),
    [
        (
            {"changes": (None, of_group(0.123))},
            None,
            f"acc of 0.123 is reported in {PLACE}, but the average of its tasks is "
            r"0\.\d+ weighted by size, 0\.\d+ with equal weights",
        ),
        (
            {"by_size": (True, False)},
            None,
            f"acc is averaged differently: weighted by size in {PLACE}; with equal weights in "
            f"{PLACE}",
        ),
        ({"changes": (without("results", "g"), None)}, "size", "no acc is reported of a"),
        (
            {"changes": (None, without("n-samples"))},
            None,
            rf"acc of 0\.\d+ is reported in {PLACE}, but the average of its tasks is 0\.\d+ with "
            "equal weights",
        ),
        (
            {"changes": (lambda x: x.update(results={"g": {"acc,none": 0.5}}), None)},
            None,
            f"acc of 0.5 is reported in {PLACE}, but the average of its tasks is unknown",
        ),
    ],
)
def test_averages_that_are_not_reproduced(options, wanted, doubt, weights):
    found, _ = weights("g", **options)
    assert found.weights == wanted
    (said,) = map(str, found.doubts)
    assert re.fullmatch(f"group 'g': {doubt}", said)


def test_tasks_without_logs(tmp_path, weights):
    """The weights are told by what is reported of all tasks."""
    weights("g")
    for folder in ("a", "b"):
        next((tmp_path / folder).glob("samples_g_b*")).unlink()
    runs = read_tasks(tmp_path / "a", tmp_path / "b", ReadOptions(task="g"))
    found = group_weights(systems_of(runs), "acc", "g")
    assert found.weights == "size"
    assert [*map(str, found.doubts)] == ["group 'g': not compared: 'g_b'"]
    suite = of_tasks(runs, None).suite("acc", weights="size")
    assert len(found.doubts_of({"a": suite.score1, "b": suite.score2})) == 1 + 2


@pytest.mark.parametrize("asked", ["g_a", "x*", "*", "g_[ab]*"])
def test_the_group_of_a_pattern(asked, weights):
    found, _ = weights(asked)
    assert (found.group or None) == {"x*": "other", "g_[ab]*": "inner"}.get(asked)


def test_no_group(weights):
    assert weights("*", changes=[lambda x: x.update(group_subtasks={})] * 2)[0] == (
        None,
        "",
        {},
        (),
    )
    found, _ = weights("g", changes=[lambda x: x["results"].pop("g")] * 2)
    assert found == (None, "g", {}, ())


def test_systems_with_other_names_on_other_tasks(weights):
    """Folders may name them: each is told by what is reported of it."""
    _, runs = weights("g")
    named = {
        task: {f"{task}/{name}": run for name, run in systems.items()}
        for task, systems in systems_of(runs).items()
    }
    found = group_weights(named, "acc", "g")
    assert (found.weights, found.doubts, len(found.averages)) == ("size", (), 6)
    scores = {name: found.averages[name] for name in named["g_a"]}
    assert found.doubts_of(scores) == []
    assert len(found.doubts_of(dict.fromkeys(scores, 2.0))) == 2


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
    found = group_weights(systems_of(runs), "acc", "mmlu")
    assert (len(runs), found.weights, found.doubts) == (57, "size", ())
    columns = {task: [*x.examples().systems.values()] for task, x in runs.items()}
    suite = compare_suite(columns, "mean_score", weights=found.weights)
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


@pytest.mark.parametrize(("is_by_size", "weights"), [(True, "size"), (False, "equal")])
@pytest.mark.parametrize("task", ["g", None, "g_*"])
def test_the_weights_of_a_group(folders, is_by_size, weights, task):
    runs = read_runs(*folders(is_by_size), task=task)
    suite = runs.suite("acc")
    assert suite.to_dict() == runs.suite("acc", weights=weights).to_dict()
    other = {"size": "equal", "equal": "size"}[weights]
    assert suite.to_dict() != runs.suite("acc", weights=other).to_dict()


def test_another_average_is_a_doubt(folders):
    """It is told, and the tasks count equally."""
    runs = read_runs(*folders(change=of_group(0.123)), task="g")
    with pytest.warns(UserWarning, match="group 'g': acc of 0.123 is reported in ") as told:
        suite = runs.suite("acc")
    assert len(told) == 2  # of each system
    assert suite.to_dict() == runs.suite("acc", weights="equal").to_dict()


def test_examples_that_are_left_out_are_a_doubt(folders):
    """The results files count them."""
    one, two = folders()
    (log,) = one.glob("samples_g_b*")
    log.write_text(log.read_text("utf-8").partition("\n")[2], "utf-8")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        read_runs(one, two, task="g", on_missing="drop").suite("acc")
    said = "is reported of b, but the average of the compared tasks"
    assert any(said in str(x.message) for x in told)


def test_part_of_a_group_has_equal_weights(folders):
    runs = read_runs(*folders(), task="g_[ac]")
    assert runs.suite("acc").to_dict() == runs.suite("acc", weights="equal").to_dict()
