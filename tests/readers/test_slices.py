"""Slices of logs by a column, wide tables, and frames: the same as tables written by hand."""

import json
from pathlib import Path

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from corpora.logs import changed, lm_eval, save
from pairedperm import compare_many, compare_suite
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.read import compare_all
from refusals import refuses

N = 24
DOMAINS = [["law", "maths", "code"][(k * k + k // 5) % 3] for k in range(N)]
SCORES = {
    "new": [k % 3 != 0 for k in range(N)],
    "old": [k % 4 > 1 for k in range(N)],
    "third": [k % 5 / 4 for k in range(N)],
}
FRAME = pd.DataFrame({"id": [*range(N)], "domain": DOMAINS, **SCORES}).astype(
    dict.fromkeys(SCORES, float)
)
MEAN = {"metric": "mean_score", "of": "score"}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def tables(ending="jsonl", shift=0, **columns):
    """Tables of the two systems; the ids of the second are in another order."""
    paths = []
    for name in ("new", "old"):
        frame = pd.DataFrame({"id": range(N), "score": SCORES[name], "domain": DOMAINS, **columns})
        frame["score"] = frame["score"].astype(int)
        frame = frame if name == "new" else frame[::-1]
        if ending == "csv":
            frame.to_csv(f"{name}.csv", index=False)
        elif ending == "parquet":
            frame.to_parquet(f"{name}.parquet", index=False)
        else:
            frame.to_json(f"{name}.jsonl", orient="records", lines=True)
        paths.append(f"{name}.{ending}")
    return paths


def by_hand(by=DOMAINS, *, ids=None):
    """The suite of the slices."""
    places = {str(x): [k for k in range(N) if by[k] == x] for x in sorted({*by})}
    tasks = {
        x: tuple([int(SCORES[y][k]) for k in at] for y in ("new", "old"))
        for x, at in places.items()
    }
    groups = ids and {x: [ids[k] for k in at] for x, at in places.items()}
    return compare_suite(tasks, groups=groups, **MEAN).to_dict()


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_slices_of_tables(ending):
    found = read_runs(*tables(ending), by="domain")
    assert found.suite().to_dict() == by_hand()
    assert [*found.tasks] == ["code", "law", "maths"]
    assert found.tasks["law"].ids == [
        str(k) if ending == "csv" else k for k in found_ids("law", ending)
    ]
    results, _ = compare_all([*found.tasks.values()])
    assert [x["p"] for x in results.tests] == [x["p"] for x in by_hand()["tasks"]]


def found_ids(domain, ending):
    ids = [k for k in range(N) if DOMAINS[k] == domain]
    return sorted(ids, key=str) if ending == "csv" else ids


def test_groups_that_stand_in_several_slices():
    groups = [k // 4 for k in range(N)]
    found = read_runs(*tables(group=groups), by="domain").suite().to_dict()
    assert found == by_hand(ids=groups)
    assert found["n_groups"] == N // 4


def test_slices_by_other_columns():
    """By integers, by a field of an object, by the group or the id, and by one that is apart."""
    numbers = [k % 3 * 5 for k in range(N)]
    paths = tables(level=numbers, meta=[{"kind": x} for x in DOMAINS], group=numbers)
    assert [*read_runs(*paths, by="level").tasks] == ["0", "5", "10"]
    assert read_runs(*paths, by="meta.kind", group="level").suite().to_dict()["tasks"]
    assert [*read_runs(*paths, by="group").tasks] == ["0", "5", "10"]
    assert len(read_runs(*paths, by="id").tasks) == N
    gold = save(
        Path("gold.jsonl"), [{"id": k, "reference": 1, "kind": x} for k, x in enumerate(DOMAINS)]
    )
    found = read_runs(*paths, references=gold, by="kind")
    assert [*found.tasks] == ["code", "law", "maths"]


def test_slices_of_logs_of_lm_evaluation_harness():
    """By a key of the documents."""
    logs = [
        changed(lm_eval(x), Path(x), lambda row: row | {"doc": {"area": {"of": row["doc_id"] % 2}}})
        for x in ("naive_bayes", "decision_tree")
    ]
    whole, found = read_runs(*logs), read_runs(*logs, by="area.of")
    assert [*found.tasks] == ["0", "1"]
    for name, runs in found.tasks.items():
        assert runs.ids == [x for x in whole.ids if x % 2 == int(name)]


def test_what_is_left_out_is_told_once():
    paths = tables()
    save(Path(paths[0]), "".join(Path(paths[0]).read_text("utf-8").splitlines(keepends=True)[1:]))
    found = read_runs(*paths, by="domain", on_missing="drop")
    for runs in found.tasks.values():
        assert runs.notes[-2:] == (
            "tasks are the slices by 'domain'",
            "left out: 1 not in new.jsonl: 0",
        )
        assert runs.matching.unmatched == []


# Wide tables, and frames


def held():
    """The same wide table in files and in memory."""
    FRAME.to_csv("x.csv", index=False)
    FRAME.to_csv("y.csv")  # with the index, which has no name
    FRAME.to_parquet("x.parquet")
    FRAME.set_axis([*range(5, N + 5)]).to_parquet("y.parquet")
    FRAME.to_json("x.jsonl", orient="records", lines=True)
    nested = [
        {"id": k, "domain": x, "by": {y: z[k] for y, z in SCORES.items()}}
        for k, x in enumerate(DOMAINS)
    ]
    yield from ("x.csv", "y.csv", "x.parquet", "y.parquet", "x.jsonl")
    yield save(Path("y.json"), json.dumps(nested))
    yield from (FRAME, FRAME.set_index("id"), FRAME.convert_dtypes())
    yield FRAME.astype({"domain": "category"})
    yield from (
        pa.table(FRAME),
        pa.table(FRAME).to_batches()[0],
        datasets.Dataset.from_pandas(FRAME),
        FRAME[::-1],
    )


def test_wide_tables():
    """A board of the columns, whatever holds them; the columns of scores may be named."""
    systems = {x: FRAME[x].tolist() for x in SCORES}
    expected = compare_many(systems, None, "mean_score", of="value").to_dict()["pairs"]
    for given in held():
        named = [f"by.{x}" for x in SCORES] if isinstance(given, Path) else [*SCORES]
        slices = read_runs(given, wide=True, by="domain").tasks
        assert [*slices] == ["code", "law", "maths"]
        assert [*slices["law"].systems] == named
        board = read_folder(given, wide=True, score=named).leaderboard()
        assert [x["p"] for x in board.to_dict()["pairs"]] == [x["p"] for x in expected]
        two = {"wide": True, "score": named, "system": named[1::-1]}
        pair = read_runs(given, **two)
        assert [*pair.systems] == named[1::-1]
        assert pair.compare().to_dict() == read_runs(given, given, **two).compare().to_dict()


def test_frames_in_place_of_tables():
    paths = tables()
    frames = [pd.read_json(x, lines=True) for x in paths]
    gold = pd.DataFrame({"id": range(N), "reference": 1})
    for kind in (lambda x: x, lambda x: x.set_index("id"), pa.table):
        found = read_runs(*map(kind, frames), references=kind(gold), by="domain")
        assert found.suite().to_dict() == read_runs(*paths, by="domain").suite().to_dict()
    numbered = FRAME.rename(columns=dict(zip(SCORES, range(3), strict=True)))
    assert [*read_runs(numbered, wide=True, by="domain").tasks["law"].systems] == [*"012"]
    narrow = FRAME.astype({"third": np.float32})
    assert read_runs(narrow, wide=True, score=["new", "third"]).compare().score2 == pytest.approx(
        np.mean(SCORES["third"])
    )


def of(*rows, **options):
    """Read tables of these rows, a and b or one for both."""
    paths = [save(Path(f"{x}.jsonl"), y) for x, y in zip("ab", rows, strict=False)]
    return read_runs(*paths, **{"by": "domain", **options})


def rows_of(*domains):
    return [{"id": k, "score": k % 2, "domain": x} for k, x in enumerate(domains)]


def wide(options=None, **columns):
    """Read a wide frame of these columns."""
    frame = pd.DataFrame({"id": [1, 2], **columns})
    return read_runs(frame, **{"wide": True, **(options or {})})


ONES = [1.0, 0.0]


@refuses
def test_refusals_of_slices():
    of(rows_of("x", "y"), rows_of("x", "x"))
    # -> the runs do not hold the same examples. Affected ids: 1 are in different slices: 1. Run
    of(rows_of("x", None), rows_of("x", None))
    # -> ids 1 have no 'domain': 1. Write a name for these too, such as 'other'.
    of(rows_of("x", 1.5), rows_of("x", 1.5))
    # -> `by` must hold an id for each example, an integer or string: `by`[1] is 1.5 (float). Name
    of(rows_of("x", 1), rows_of("x", 1))
    # -> `by` has the id 1 (int) and `by` has the id 'x' (str): a text never equals an integer.
    of(rows_of("x", " x "), rows_of("x", " x "))
    # -> `by` must name slices so that they print apart, and none blank, got 'x' (str). Name the
    of(rows_of("x", " "), rows_of("x", " "))
    # -> `by` must name slices so that they print apart, and none blank, got ' ' (str). Name the
    of(rows_of("x", "y"), rows_of("x", "y"), by="domian")
    # -> `path1`: a.jsonl has no column 'domian', by=…. It has 'id', 'score', 'domain'.
    of(rows_of("x"), rows_of("x"), by="no", references=save(Path("g.csv"), "id,reference\n0,1\n"))
    # -> `by` must name a column of tables, or a key of the documents of lm-evaluation-harness, got
    read_runs(lm_eval("naive_bayes"), lm_eval("decision_tree"), by="area")
    # -> `by` must name a column of tables, or a key of the documents
    read_runs(*(lm_eval(x).parent for x in ("naive_bayes", "logistic_regression")), by="area")
    # -> `by` splits one task, and the logs have several: 'findings', 'tumors'. Name one, task=….
    of(rows_of("x", "y"), rows_of("x", "y")).compare()
    # -> `by` makes several tasks: 'x', 'y'. Leave it out, or compare the slices by suite.
    of(rows_of("x"), rows_of("x"), by=3)
    # -> `by` must be a column's name, or None, got 3 (int)


@refuses
def test_refusals_of_wide_tables():
    wide(a=ONES, b=ONES, question=["x", "y"])
    # -> `path1`: the table paths has the question 'x' (str) for id 1, but a score is a number. If
    #    the column is no system, name those that are, score=….
    wide(a=ONES, b=ONES, reference=["x", "y"])
    # -> `path1` … has references in column 'reference': are the others scores? Name the columns of
    #    scores, score=…. Of predictions write a table a system.
    wide()
    # -> `path1` … has no columns of systems. Each has a column of scores.
    wide(a=ONES)
    # -> `path1` must hold two or more systems for each task, but holds only one for a task
    wide(a=ONES, b=[None, None]).compare()
    # -> NoMetricError: the runs have no metric in common: the table paths has 'value'; the tabl
    wide(a=ONES, b=ONES, c=ONES).compare()
    # -> a comparison takes two runs, but there are 3: use `leaderboard`.
    of([{"id": 1, "a": 1}, {"id": 2, "a": 0, "b": 1}], by=None, wide=True).compare()
    # -> not all examples are scored. Affected ids: 1 without value in a.jsonl of b: 1. If the
    wide({"score": ["a", "x"]}, a=ONES, b=ONES)
    # -> `path1` … has no column 'x', score=…. It has
    wide({"prediction": "a"}, a=ONES, b=ONES)
    # -> `prediction` must be left out of a wide table, whose columns are scores, got 'a' (str).
    wide({"wide": 1}, a=ONES, b=ONES)
    # -> `wide` must be True or False, got 1
    read_runs(lm_eval("naive_bayes"), wide=True)
    # -> `path1` … is of format 'lm_eval', and only tables are wide: leave out wide=True.


@refuses
def test_refusals_of_frames():
    read_runs(pd.DataFrame([[1, 2, 3]], columns=["id", "a", "a"]), wide=True)
    # -> `path1`: the table paths is no table of Arrow: Duplicate column names found: … Give each
    #    column one type, and a name of its own.
    read_runs(pa.table([[1], [2], [3]], ["id", "a", "a"]), wide=True)
    # -> `path1`: the table paths has two columns 'a'. Name each column once.
    read_runs(pd.DataFrame({"id": [1, "x"], "score": ONES}), "x.csv")
    # -> `path1`: the table path1 is no table of Arrow: … Give each column one type
    read_runs(pd.DataFrame({"score": ONES}), "x.csv")
    # -> `path1`: the table path1 has no ids in column 'id', by which examples are matched. It has
    read_runs(pd.DataFrame({"id": [], "score": []}), "x.csv")
    # -> `path1`: the table path1 has no rows: at least one example is needed.
    read_runs(FRAME["id"], "x.csv")
    # -> `path1` must be the path of a log, str or os.PathLike, a datasets.Dataset or a frame, got
