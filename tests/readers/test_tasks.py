"""Runs brought together by task: of two systems, or of many."""

import datasets
import pytest

from corpora.logs import GATE, LOGS, SYSTEMS, changed, lm_eval, save
from extras import needs
from pairedperm import compare_many
from pairedperm.readers import formats, read_folder, read_runs
from pairedperm.readers.formats import logs_in
from pairedperm.readers.run import Run, system_names


def test_names_of_systems():
    def called(*given, format="csv"):
        return system_names([Run(path=path, format=format, ids=[], model=x) for path, x in given])

    assert called(("a/x.csv", "m1"), ("b/x.csv", "m2")) == ["m1", "m2"]
    assert called(("a/x.csv", "m"), ("b/x.csv", "m")) == ["a", "b"]
    assert called(("a/x.csv", "m"), ("b/y.csv", "")) == ["x", "y"]
    assert called(("1/a/x.csv", ""), ("2/a/x.csv", ""), ("3/y.csv", "")) == ["1", "2", "3"]
    assert called(("a/x.csv", ""), ("a/x.jsonl", "")) == ["a/x.csv (1)", "a/x.jsonl (2)"]
    assert called(("the dataset", ""), ("the dataset", "")) == [
        "the dataset (1)",
        "the dataset (2)",
    ]
    assert called(("a/2026.eval", ""), ("b/2026.eval", ""), format="inspect") == ["a", "b"]
    assert called(("a/1.eval", ""), ("b/2.eval", ""), format="inspect") == ["a", "b"]


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (
            ("/home/runner/candidate/results.jsonl", "/artifacts/baseline/results.jsonl"),
            ("candidate", "baseline"),
        ),
        (("candidate/out/1/x.eval", "baseline/out/1/x.eval"), ("candidate", "baseline")),
        (("new/run/x.csv", "old/run/x.csv", "worse/run/x.csv"), ("new", "old", "worse")),
        (("new/2026-11-24T15-05/x.eval", "old/2026-11-25/y.eval"), ("new", "old")),
        (("seeds/1/x.csv", "seeds/2/x.csv"), ("1", "2")),
        (("a/new/x.csv", "b/new/x.csv", "b/old/x.csv"), ("a/new/x", "b/new/x", "b/old/x")),
        (("x.csv", "old/x.csv"), ("x", "old")),
        (("1.eval", "2.eval"), ("1", "2")),
    ],
)
def test_systems_are_named_by_the_nearest_folder(paths, names):
    """One that all systems have another of; of dates and numbers only if there is no other."""
    for order in (slice(None), slice(None, None, -1)):
        kind = "inspect" if paths[0].endswith("eval") else "csv"
        runs = [Run(path=x, format=kind, ids=[]) for x in paths[order]]
        assert system_names(runs) == [*names[order]]


def test_a_folder_of_two_systems(put, tmp_path):
    rows = [{"id": k, "score": k % 2} for k in range(5)]
    put("a.jsonl", rows)
    (tmp_path / "deeper").mkdir()
    save(tmp_path / "deeper" / "b.jsonl", rows[::-1])
    put("notes.txt", "no log")
    runs = read_folder(tmp_path)
    assert [*runs.systems] == ["a", "b"]
    assert (
        runs.leaderboard() == read_folder(tmp_path / "a.jsonl", tmp_path / "deeper").leaderboard()
    )


def test_a_leaderboard_of_datasets():
    """A log of one system and a dataset of another, or several datasets."""
    scores = [[1, 0, 1, 1, 0], [1, 1, 1, 1, 1], [0, 0, 1, 0, 0]]
    sets = [datasets.Dataset.from_dict({"id": [*"abcde"], "score": x}) for x in scores]
    found = read_folder(*sets).leaderboard(correction="bh")
    systems = {f"the dataset paths[{k}]": x for k, x in enumerate(scores)}
    assert found == compare_many(systems, None, "mean_score", of="score", correction="bh")


def test_tasks():
    """Of folders with several one is named; those that one system lacks are left out."""
    one, two, three = (next(LOGS.glob(f"lm_eval/*{x}")) for x in SYSTEMS)
    runs = read_runs(one, two, task="findings")
    assert (runs.task, len(runs.ids)) == ("findings", 8)
    with pytest.warns(UserWarning, match="left out, because one system has no run: task 'fin"):
        assert read_runs(one, three, on_missing="drop").task == "tumors"
    assert read_runs(one, three, task="tumors").task == "tumors"


OF_TASKS = {
    "lm_eval": ("lm_eval/scikit-learn__{}", "findings"),
    "every_eval_ever": ("every_eval_ever/inspect/tumors/scikit-learn/{}", "tumors"),
    "inspect": ("inspect/{}", "tumors_sampled"),
}


@pytest.mark.parametrize("kind", OF_TASKS)
def test_only_the_logs_of_a_task_are_read(kind, monkeypatch):
    """Others tell their task by their names, by the results beside them, or by their headers."""
    if kind == "inspect":
        needs("inspect_ai", "inspect")
    pattern, task = OF_TASKS[kind]
    folders = [LOGS / pattern.format(x) for x in SYSTEMS[:2]]
    (module,) = [x for x in formats._LOG_FORMATS if x.name == kind]
    opened, read = [], module.read
    monkeypatch.setattr(module, "read", lambda file: opened.append(file.path) or read(file))
    for read_some in (read_runs, read_folder):
        opened.clear()
        runs = read_some(*folders, task=task)
        assert runs.task == task
        assert opened == [run.path for run in runs.systems.values()]
    assert len(logs_in("paths", folders[0])) > 1


def test_logs_that_do_not_tell_their_task_are_read(tmp_path):
    """Those of Every Eval Ever without results beside them, or with those of another task."""
    folder = LOGS / "every_eval_ever/inspect/tumors/scikit-learn"
    for system in SYSTEMS[:2]:
        (tmp_path / system).mkdir()
        for path in (folder / system).glob("*_samples.jsonl"):
            save(tmp_path / system / path.name, path.read_bytes())
    wanted = read_folder(*(folder / x for x in SYSTEMS[:2]), task="tumors").compare()
    assert read_folder(tmp_path, task="tumors").compare() == wanted
    for path in tmp_path.rglob("*_samples.jsonl"):
        results = path.with_name(path.name.replace("_samples.jsonl", ".json"))
        save(results, '{"evaluation_results": [{"evaluation_name": "x"}, 3]}')
    assert read_folder(tmp_path, task="tumors").compare() == wanted


def test_tables_have_no_task(two):
    rows = [{"id": 1, "score": 1}]
    assert read_runs(*two(rows, rows)).task == ""
    assert read_runs(*two(rows, rows), task="mine").task == "mine"
    assert str(read_runs(*two(rows, rows), task="mine")).startswith("a, b on mine\n1 example ")


def test_a_log_without_a_task_takes_the_other_s(tmp_path):
    """A file that was renamed says none."""
    log = lm_eval("logistic_regression")
    renamed = save(tmp_path / "mine.jsonl", log.read_bytes())
    for paths in ((log, renamed), (renamed, log)):
        assert read_runs(*paths).task == "tumors"


def test_many_systems():
    runs = read_folder(LOGS / "lm_eval", task="tumors", on_missing="drop")
    assert len(runs.ids) == 8  # of the dummy
    assert [*runs.systems] == ["qdpv68r5", *(f"scikit-learn/{x}" for x in sorted(SYSTEMS))]
    paths = [LOGS / "lm_eval" / f"scikit-learn__{x}" for x in SYSTEMS]
    found = read_folder(*paths, task="tumors").leaderboard("acc", correction="holm")
    assert len(found.to_dict()["pairs"]) == 3


def test_systems_that_are_alone():
    one, three = (next(LOGS.glob(f"lm_eval/*{x}")) for x in (SYSTEMS[0], SYSTEMS[2]))
    with pytest.warns(UserWarning, match="not all tasks have all systems: 1 of task 'findings', 2"):
        assert read_folder(one, three, on_missing="drop").task == "tumors"


def test_versions_that_differ(tmp_path):
    paths = []
    for name, version in (("a", 1), ("b", 2.5)):
        log = changed(lm_eval("naive_bayes"), tmp_path / name, dict)
        results = log.with_name(log.name.replace("samples_tumors", "results")).with_suffix(".json")
        save(results, f'{{"model_name": "{name}", "versions": {{"tumors": {version}}}}}')
        paths.append(log)
    results.unlink()  # nothing is known of the second
    assert read_runs(*paths).task == "tumors"


def test_one_file_twice(two):
    path, _ = two([{"id": 1, "score": 1}, {"id": 2, "score": 0}], [])
    with pytest.warns(
        UserWarning, match="`path1` and `path2` are one file: a system is compared w"
    ):
        runs = read_runs(path, str(path))
    assert runs.compare().pvalue == 1.0
    assert len(runs.systems) == 2
    with pytest.warns(UserWarning, match=r"a\.jsonl and \S+a\.jsonl are one file"):
        read_folder(path, str(path))


def test_gate_leaderboard():
    board = read_folder(GATE).leaderboard("acc").to_dict()
    assert [round(x["score"], 4) for x in board["systems"]] == [0.9125, 0.9, 0.8542]


def test_two_runs_of_a_model(tmp_path):
    """In folders of their own they are two systems, as of two prompts."""
    for name in ("a", "b"):
        changed(lm_eval("naive_bayes"), tmp_path / name, lambda x: x)
    again = lm_eval("naive_bayes")
    results = next(again.parent.glob("results_*.json"))
    for name in ("a", "b"):
        save(tmp_path / name / results.name, results.read_bytes())
    assert [*read_folder(tmp_path).systems] == ["a", "b"]


def test_references_of_more_examples_than_were_run(two, put):
    """Those that are not used are counted; those that are missing are an error."""
    rows = [{"id": k, "prediction": 1} for k in range(3)]
    right = put("right.jsonl", [{"id": k, "reference": 1} for k in range(5)])
    runs = read_runs(*two(rows, rows), references=right)
    assert (
        str(runs.matching) == "3 examples matched by id\n2 references of examples that no log has"
    )
    right = put("right.jsonl", [{"id": k, "reference": 1} for k in range(2)])


def test_repeats_in_texts_and_integers(put):
    """Cells of CSV are read as the integers of the other log before they are brought together."""
    one = put("a.csv", "id,prediction,reference\n1,0,1\n1,1,1\n2,0,0\n2,0,0\n")
    lines = [{"id": k, "prediction": 1, "reference": 2 - k} for k in (1, 1, 2, 2)]
    runs = read_runs(one, put("b.jsonl", lines), repeats=True)
    assert runs.compare("accuracy").score1 == 0.75
