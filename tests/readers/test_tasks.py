"""Runs brought together by task, by the name of a task, of a group, or by a pattern."""

import json

import pytest

from corpora.logs import LOGS, SYSTEMS, changed, lm_eval, lm_eval_groups, save
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.files import ReadOptions
from pairedperm.readers.log import Run, system_names
from pairedperm.readers.read import read_systems, read_tasks

ROWS = [{"id": 1, "score": 1}]


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (("a/x.csv", "b/x.csv"), ("a", "b")),
        (("a/x.csv", "b/y.csv"), ("x", "y")),
        (("candidate/out/1/x.eval", "baseline/out/1/x.eval"), ("candidate", "baseline")),
        (("new/run/x.csv", "old/run/x.csv", "worse/run/x.csv"), ("new", "old", "worse")),
        (("new/2026-11-24T15-05/x.eval", "old/2026-11-25/y.eval"), ("new", "old")),
        (("a/new/x.csv", "b/new/x.csv", "b/old/x.csv"), ("a/new/x", "b/new/x", "b/old/x")),
        (("x.csv", "old/x.csv"), ("x", "old")),
        (("a/2026.eval", "b/2026.eval"), ("a", "b")),
    ],
)
def test_systems_are_named_by_the_nearest_folder(paths, names):
    """One that all systems have another of; of dates and numbers only if there is no other."""
    for order in (slice(None), slice(None, None, -1)):
        kind = "inspect" if paths[0].endswith("eval") else "csv"
        runs = [Run(path=x, format=kind, ids=[]) for x in paths[order]]
        assert system_names(runs) == [*names[order]]


@pytest.mark.parametrize(
    ("models", "names"),
    [(("m1", "m2"), ["m1", "m2"]), (("m", "m"), ["a", "b"]), (("m", ""), ["a", "b"])],
)
def test_systems_are_named_by_models_that_differ(models, names):
    runs = [
        Run(path=f"{x}/x.csv", format="csv", ids=[], model=y)
        for x, y in zip("ab", models, strict=True)
    ]
    assert system_names(runs) == names


def test_only_the_logs_of_a_task_are_read(tmp_path):
    """Others tell their task by their names: they may be broken."""
    folders = [LOGS / f"lm_eval/scikit-learn__{x}" for x in SYSTEMS[:2]]
    wanted = read_runs(*folders, task="findings")
    copies = [tmp_path / x.name for x in folders]
    for folder, copy, run in zip(folders, copies, wanted.systems.values(), strict=True):
        copy.mkdir()
        for path in folder.iterdir():
            is_other = path.suffix == ".jsonl" and str(path) != run.path
            save(copy / path.name, path.read_bytes()[: -9 if is_other else None])
    for read in (read_runs(*copies, task=wanted.task), read_folder(tmp_path, task=wanted.task)):
        assert read.compare(wanted.metrics[0]) == wanted.compare(wanted.metrics[0])
    with pytest.raises(InputError, match="is no JSON"):
        read_runs(*copies)


@pytest.mark.parametrize("results", ["", '{"evaluation_results": [{"evaluation_name": "x"}, 3]}'])
def test_logs_that_do_not_tell_their_task_are_read(results, tmp_path):
    """Those of Every Eval Ever without results beside them, or with those of another task."""
    folder = LOGS / "every_eval_ever/inspect/tumors/scikit-learn"
    for path in folder.glob("[ln]*/*_samples.jsonl"):
        (tmp_path / path.parent.name).mkdir(exist_ok=True)
        copy = save(tmp_path / path.parent.name / path.name, path.read_bytes())
        if results:
            save(copy.with_name(copy.name.replace("_samples.jsonl", ".json")), results)
    wanted = read_folder(*folder.glob("[ln]*"), task="tumors").compare()
    assert read_folder(tmp_path, task="tumors").compare() == wanted


def test_tables_have_no_task(two):
    """A table is of whichever task is asked for; a pattern may ask for it."""
    for asked, task in ((None, ""), ("mine", "mine"), ("*", "")):
        assert read_runs(*two(ROWS, ROWS), task=asked).task == task
    with pytest.raises(InputError, match=r"`task` must be one of those in `path1`, '', got 'mmlu'"):
        read_runs(*two(ROWS, ROWS), task=["mmlu", "arc"])


def test_a_log_without_a_task_takes_the_other_s(tmp_path):
    """A file that was renamed says none."""
    log = lm_eval("logistic_regression")
    renamed = save(tmp_path / "mine.jsonl", log.read_bytes())
    for paths in ((log, renamed), (renamed, log)):
        assert read_runs(*paths).task == "tumors"


def test_tasks_that_one_system_lacks():
    """Of folders with several one is named; or they are left out."""
    one, _, three = (next(LOGS.glob(f"lm_eval/*{x}")) for x in SYSTEMS)
    with pytest.warns(UserWarning, match="left out, because one system has no run: task 'fin"):
        assert read_runs(one, three, on_missing="drop").task == "tumors"
    with pytest.warns(UserWarning, match="not all tasks have all systems: 1 of task 'findings', 2"):
        assert read_folder(one, three, on_missing="drop").task == "tumors"


def test_versions_that_differ(tmp_path):
    """Of two that are known; here nothing is known of the second."""
    paths = [changed(lm_eval("naive_bayes"), tmp_path / x, dict) for x in "ab"]
    name = paths[0].name.replace("samples_tumors", "results").removesuffix("l")
    save(paths[0].with_name(name), '{"model_name": "a", "versions": {"tumors": 1}}')
    assert read_runs(*paths).task == "tumors"


def test_one_file_twice(two):
    path, _ = two(ROWS, [])
    said = r"two paths are one file, \S+a\.jsonl: a system is compared with itself"
    with pytest.warns(UserWarning, match=said):
        runs = read_runs(path, str(path))
    assert (runs.compare().pvalue, len(runs.systems)) == (1.0, 2)
    with pytest.warns(UserWarning, match=said):
        read_folder(path, str(path))


# groups of tasks

SCORES = {
    "mmlu_algebra": [1, 0, 1, 1],
    "mmlu_anatomy": [0, 1],
    "mmlu_law": [1, 1, 0],
    "arc": [0, 1, 1],
}
GROUPS = {"mmlu": ["mmlu_stem", "mmlu_law"], "mmlu_stem": ["mmlu_algebra", "mmlu_anatomy"]}
STEM = GROUPS["mmlu_stem"]
OF_MMLU = [*STEM, "mmlu_law"]


@pytest.fixture
def systems(tmp_path):
    """The folders of two systems."""
    return [lm_eval_groups(tmp_path / x, SCORES, GROUPS) for x in "ab"]


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        (None, sorted(SCORES)),
        ("mmlu", OF_MMLU),
        ("mmlu_stem", STEM),
        ("mmlu_*", OF_MMLU),
        ("mmlu_a[ln]*", STEM),
        (("mmlu_stem", "?rc"), ["arc", *STEM]),
        (["mmlu_law", "mmlu_law"], ["mmlu_law"]),
    ],
)
def test_tasks_that_are_asked_for(asked, wanted, systems):
    for folder in systems:
        for path in folder.glob("samples*"):  # others are not read
            if not any(x in path.name for x in wanted):
                save(path, path.read_bytes()[:-9])
    options = ReadOptions(task=asked)
    assert [*read_tasks(*systems, options)] == wanted
    assert [*read_systems([systems[0].parent], options)] == wanted


def test_the_name_of_a_task_is_that_task(tmp_path):
    """Also if a pattern has the same name."""
    scores = {"x": [1, 0], "x*": [1, 1], "xy": [0, 0]}
    folders = [lm_eval_groups(tmp_path / x, scores, {}) for x in "ab"]
    assert [*read_runs(*folders, task="x*").tasks] == ["x*"]


def test_a_group_that_a_system_has_in_part(systems):
    next(systems[1].glob("samples_mmlu_law*")).unlink()
    with pytest.raises(InputError, match="`path2` has no run of task 'mmlu_law', only of task 'm"):
        read_runs(*systems, task="mmlu")
    with pytest.warns(UserWarning, match="left out, because one system has no run: task 'mmlu_l"):
        assert [*read_runs(*systems, task="mmlu", on_missing="drop").tasks] == STEM


@pytest.mark.parametrize(
    ("asked", "hint"),
    [("mmul", "Did you mean 'mmlu'?"), (["arc", "arcs"], "Did you mean 'arc'?"), ("z*", "")],
)
def test_unknown_names(asked, hint, systems):
    listed = "`task` must be one of those in `path1`, 'arc', 'mmlu_algebra', 'mmlu_anatomy', "
    with pytest.raises(InputError) as error:
        read_runs(*systems, task=asked)
    assert str(error.value).startswith(f"{listed}'mmlu_law', or a group, 'mmlu', 'mmlu_stem', got ")
    assert hint in str(error.value)


@pytest.mark.parametrize(
    ("told", "asked", "wanted"),
    [
        ({"g": ["t"], "h": ["g", "u"], "k": ["u"]}, "h", ["t", "u"]),
        ({"g": ["h", "t"], "h": ["g", "t"]}, "h", ["t"]),  # in each other
        ({"g": ["t", 3, None], "h": "t", "k": None}, "g", ["t"]),
        (["t"], "g", []),
    ],
)
def test_groups_of_a_results_file(told, asked, wanted, tmp_path):
    """What it says may change between two calls."""
    systems = [lm_eval_groups(tmp_path / x, {"t": [1, 0], "u": [0, 1]}, {}) for x in "ab"]
    for folder in systems:
        save(next(folder.glob("results*")), json.dumps({"group_subtasks": told}))
    if wanted:
        assert [*read_runs(*systems, task=asked).tasks] == wanted
    else:
        with pytest.raises(InputError, match=r"those in `path1`, 't', 'u', got 'g'"):
            read_runs(*systems, task=asked)
    for folder in systems:
        save(next(folder.glob("results*")), '{"group_subtasks": {"x": ["u"]}}')
    assert [*read_runs(*systems, task="x").tasks] == ["u"]
