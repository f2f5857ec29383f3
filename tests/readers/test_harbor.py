"""A trial of Harbor 0.25, its copies in a run, and results by Terminal-Bench's layout."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from corpora.logs import edited, log, save
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.formats import logs_in
from refusals import refuses

TRIAL = log("harbor/result.json")


def job(folder, model, **rewards):
    """A run of Harbor: the rewards of the attempts at each task; None is an error."""
    for task, attempts in rewards.items():
        for k, reward in enumerate(attempts):

            def change(trial, task=task, reward=reward):
                trial |= {"task_name": task, "task_checksum": f"checksum of {task}"}
                trial["agent_info"]["model_info"] = {"name": model}
                trial["verifier_result"] = reward and {"rewards": reward}

            edited(TRIAL, folder / f"{task}__{model}{k}" / "result.json", change)
    save(folder / "result.json", '{"id": "1", "started_at": "2026", "stats": {}}')
    return folder


YES, NO = {"reward": 1.0}, {"reward": 0.0}


def test_the_trials_of_a_run(tmp_path):
    """Attempts at a task are repeats; without a reward there is no score."""
    one = job(tmp_path / "a", "gpt", build=[YES, NO], fix=[YES, YES], test=[NO, NO])
    two = job(tmp_path / "b", "claude", build=[NO, NO], fix=[NO, YES], test=[NO, None])
    assert len(logs_in("path1", one)) == 6  # that of the whole run is no trial
    runs = read_runs(one, two, on_missing="drop")
    assert (runs.task, [*runs.systems]) == ("demo-bench", ["terminus-2, gpt", "terminus-2, claude"])
    scores = [dict(zip(x.ids, x.scores["reward"], strict=True)) for x in runs.systems.values()]
    half = Fraction(1, 2)
    assert scores == [{"build": half, "fix": 1, "test": 0}, {"build": 0, "fix": half, "test": None}]
    assert runs.compare().n == 2
    assert read_folder(tmp_path, on_missing="drop").ids == runs.ids


def test_a_job_that_was_resumed(tmp_path):
    """In a second folder: what broke in the first was tried again there."""
    job(tmp_path / "a" / "2026-11-27__1", "gpt", build=[YES], fix=[None], test=[None, None])
    job(tmp_path / "a" / "2026-11-27__2", "gpt", fix=[YES], run=[NO])
    two = job(tmp_path / "b", "claude", build=[NO], fix=[NO], run=[NO], test=[YES])
    runs = read_runs(tmp_path / "a", two, on_missing="drop")
    (one, _) = runs.systems.values()
    scores = dict(zip(one.ids, one.scores["reward"], strict=True))
    assert scores == {"build": 1, "fix": 1, "test": None, "run": 0}
    assert (runs.compare().n, runs.compare().n_wins) == (3, 2)
    (note,) = map(str, runs.notes)
    assert note.startswith("read as one, as none scored an example of another: ")
    assert read_folder(tmp_path, on_missing="drop").compare() == runs.compare()


def test_a_job_that_was_run_again(tmp_path):
    """It scored an example that the first scored too, and the two are not one run."""
    for k in "12":
        job(tmp_path / "a" / k, "gpt", build=[YES], fix=[NO])
    with pytest.raises(InputError, match="`path1` holds 2 runs of task 'demo-bench'"):
        read_runs(tmp_path / "a", TRIAL)


def test_agents_of_one_run(tmp_path):
    """They are systems; each kind of reward is a metric."""
    job(tmp_path / "job", "gpt", build=[YES], fix=[YES | {"tests": 0.5}])
    job(tmp_path / "job", "claude", build=[NO], fix=[NO | {"tests": 0.25}])
    runs = read_folder(tmp_path / "job")
    assert runs.metrics == ("reward", "tests")
    assert {x: y.scores["tests"] for x, y in runs.systems.items()} == {
        "terminus-2, gpt": [None, 0.5],
        "terminus-2, claude": [None, 0.25],
    }


def terminal_bench(folder, model, *resolved, **more):
    trials = [{"trial_name": f"{k}", "task_id": f"task-{k}", "is_resolved": x} for k, x in resolved]
    folder.mkdir()
    save(folder / "results.json", json.dumps(more | {"results": trials}, indent=4))
    of_run = {"agent_name": "terminus", "model_name": model, "dataset_name": "terminal-bench-core"}
    save(folder / "run_metadata.json", json.dumps(of_run))
    return folder


@pytest.mark.parametrize("more", [{"id": "0-1"}, {}])
def test_terminal_bench(more, tmp_path):
    """What could not be judged is not resolved, as in its accuracy; some versions wrote no id."""
    one = terminal_bench(tmp_path / "a", "gpt", (1, True), (2, None), (2, False), (3, None), **more)
    two = terminal_bench(tmp_path / "b", "claude", (1, True), (2, True), (2, True), (3, True))
    runs = read_runs(one, two)
    (note,) = map(str, runs.notes)
    assert note.startswith("2 trials of ")
    assert "results.json could not be judged: counted as not resolved, as Ter" in note
    assert (runs.task, [*runs.systems]) == (
        "terminal-bench-core",
        ["terminus, gpt", "terminus, claude"],
    )
    result = runs.compare()
    assert (result.n, result.n_losses) == (3, 2)


def of_two_tasks(folder):
    """The attempts at a task that was changed in between."""
    job(folder, "gpt", build=[YES, NO])
    path = folder / "build__gpt1" / "result.json"
    edited(path, path, lambda x: x.update(task_checksum="another"))
    return folder


@refuses
def test_refusals():
    read_runs(edited(TRIAL, Path("x/result.json"), lambda x: x.update(task_name="")), TRIAL)
    # -> `path1` … result.json has a trial without a task. Give the file as the tool wrote it.
    read_runs(of_two_tasks(Path("x")), TRIAL)
    # -> x has repeats of id 'build' with different documents: … Give them the same.


@pytest.mark.parametrize(
    ("where", "paths"),
    [
        ("a", (".", "../b")),
        ("a/build__gpt0", ("..", "../../b")),
        ("a/build__gpt0", ("../.", "../../b/.")),
        (".", ("a", "./b")),
    ],
)
def test_a_run_from_within(tmp_path, monkeypatch, where, paths):
    """Its folder may have no name in the path."""
    job(tmp_path / "a", "gpt", build=[YES], fix=[YES])
    job(tmp_path / "b", "gpt", build=[NO], fix=[NO])
    monkeypatch.chdir(tmp_path / where)
    assert [*read_runs(*paths).systems] == ["a", "b"]


def test_one_trial_from_within(tmp_path, monkeypatch):
    """The folder of its run is above the one that is here."""
    for name, reward in (("a", YES), ("b", NO)):
        job(tmp_path / name, "gpt", build=[reward])
    monkeypatch.chdir(tmp_path / "a" / "build__gpt0")
    runs = read_runs("result.json", "../../b/build__gpt0/result.json")
    assert [*runs.systems] == ["a", "b"]
    assert runs.systems["a"].path == ".."
