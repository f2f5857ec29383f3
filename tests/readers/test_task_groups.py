"""Tasks that are asked for by the name of their group, or by a pattern."""

import pytest

from corpora.logs import lm_eval_groups, save
from pairedperm import InputError
from pairedperm.readers import lm_eval, read_runs
from pairedperm.readers.named_file import NamedFile
from pairedperm.readers.read import read_systems, read_tasks
from pairedperm.readers.read_options import ReadOptions
from pairedperm.readers.run import asked_tasks, groups_with

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
        ("?rc", ["arc"]),
        ("mmlu_law", ["mmlu_law"]),
        ("*", sorted(SCORES)),
        (("mmlu_stem", "?rc"), ["arc", *STEM]),
        (["mmlu_law", "mmlu_law"], ["mmlu_law"]),
    ],
)
def test_only_the_tasks_that_are_asked_for_are_read(asked, wanted, systems, monkeypatch):
    opened, read = [], lm_eval.read
    monkeypatch.setattr(lm_eval, "read", lambda file: opened.append(file) or read(file))
    options = ReadOptions(task=asked)
    assert [*read_tasks(*systems, options)] == wanted
    assert [*read_systems([systems[0].parent], options)] == wanted
    assert len(opened) == 4 * len(wanted)


def test_the_name_of_a_task_is_that_task(tmp_path):
    """Also if a group or a pattern has the same name."""
    scores = {"x": [1, 0], "x*": [1, 1], "xy": [0, 0]}
    folders = [lm_eval_groups(tmp_path / x, scores, {"g": ["x*", "xy"]}) for x in "ab"]
    assert read_runs(*folders, task="x*").task == "x*"
    assert asked_tasks("g", {"g": (), "y": ("g",)}) == ["g"]
    assert asked_tasks("X*", {"x": ()}) == []


def test_a_group_that_a_system_has_in_part(tmp_path, systems):
    next(systems[1].glob("samples_mmlu_law*")).unlink()
    with pytest.raises(InputError, match="`path2` has no run of task 'mmlu_law', only of task 'm"):
        read_tasks(*systems, ReadOptions(task="mmlu"))
    with pytest.warns(UserWarning, match="left out, because one system has no run: task 'mmlu_l"):
        found = read_tasks(*systems, ReadOptions(task="mmlu", on_missing="drop"))
    assert [*found] == STEM


@pytest.mark.parametrize(
    ("asked", "hint"),
    [("mmul", "Did you mean 'mmlu'?"), ("arcs", "Did you mean 'arc'?"), ("z*", "")],
)
def test_unknown_names(asked, hint, systems):
    listed = "`task` must be one of those in `path1`, 'arc', 'mmlu_algebra', 'mmlu_anatomy', "
    groups = "'mmlu_law', or a group, 'mmlu', 'mmlu_stem', got "
    with pytest.raises(InputError) as error:
        read_runs(*systems, task=asked)
    assert str(error.value).startswith(f"{listed}{groups}{asked!r}")
    assert hint in str(error.value)
    with pytest.raises(InputError) as of_several:
        read_runs(*systems, task=["arc", asked])
    assert str(of_several.value) == str(error.value)


def test_tables_have_no_groups(two):
    """A table is of whichever task is asked for; a pattern may ask for it."""
    rows = [{"id": 1, "score": 1}]
    assert read_runs(*two(rows, rows), task="mmlu").task == "mmlu"
    assert read_runs(*two(rows, rows), task="*").task == ""
    with pytest.raises(InputError, match=r"`task` must be one of those in `path1`, '', got 'mmlu'"):
        read_runs(*two(rows, rows), task=["mmlu", "arc"])


@pytest.mark.parametrize(
    ("told", "groups"),
    [
        ({"g": ["t"], "h": ["g", "u"], "k": ["u"]}, {"g": ["t"], "h": ["u", "t"]}),
        ({"t": [], "g": ["t", "t"]}, {"g": ["t"]}),  # older versions list tasks, too
        ({"g": ["h", "t"], "h": ["g", "t"]}, {"g": ["t"], "h": ["t"]}),  # in each other
        ({"g": ["t", 3, None], "h": "t", "k": None}, {"g": ["t"]}),
        (["t"], {}),
        (None, {}),
    ],
)
def test_groups_of_a_results_file(told, groups):
    found = groups_with("t", {"group_subtasks": told})
    assert {name: x.tasks for name, x in found.items()} == groups


def test_a_results_file_is_read_once(systems, monkeypatch):
    """By all logs beside it."""
    parsed = []
    whole = NamedFile.whole_object
    monkeypatch.setattr(
        NamedFile, "whole_object", lambda file, *x: parsed.append(file.source) or whole(file, *x)
    )
    read_tasks(*systems, ReadOptions(task="mmlu"))
    assert sorted(parsed) == sorted(next(x.glob("results*")) for x in systems)


def test_results_that_change_are_read_again(systems):
    assert [*read_tasks(*systems, ReadOptions(task="mmlu"))] == OF_MMLU
    for folder in systems:
        save(next(folder.glob("results*")), '{"group_subtasks": {"mmlu": ["mmlu_law"]}}')
    assert [*read_tasks(*systems, ReadOptions(task="mmlu"))] == ["mmlu_law"]
