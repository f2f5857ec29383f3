"""What the smaller formats refuse, beside what `test_formats` asks; `odd_logs` has the rest."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from corpora.logs import edited, log, save
from pairedperm.readers import read_folder, read_runs
from readers.held import first_run, harbor, rows
from readers.odd_logs import (
    DEEPEVAL,
    DENSE,
    PROMPTFOO,
    REPORT,
    TRIAL,
    cases_of,
    of_provider,
    of_rows,
    written,
)
from refusals import refuses

OTHER_REPORT = log("swe_bench/demo__model-b.first.json")


def test_many_documents_of_one_id(tmp_path, monkeypatch):
    """Each is an example, also beside an id that is written so; in linear time."""
    monkeypatch.chdir(tmp_path)
    (row,) = pq.read_table(written("lighteval", "a", 1)).to_pylist()
    asked = ("7 (3)", "other"), *(("7", k) for k in range(3_000)), ("7", 1)
    listed = [row | {"doc": row["doc"] | {"id": x, "query": f"{y}"}} for x, y in asked]
    pq.write_table(pa.Table.from_pylist(listed), "x.parquet")
    run = first_run("x.parquet", save(Path("y.parquet"), Path("x.parquet").read_bytes()))
    assert run.ids[:5] == ["7 (3)", "7", "7 (2)", "7 (4)", "7 (5)"]
    assert (len(run.ids), run.ids[-2:]) == (3_002, ["7 (3001)", "7 (2)"])


def report(**entries):
    return read_runs(edited(REPORT, Path("x.json"), lambda x: x.update(entries)), OTHER_REPORT)


def changed_row(**entries):
    return read_runs(of_rows("x.json", lambda x: x.update(entries)), PROMPTFOO)


def of_two_tasks():
    """The attempts at a task that was changed in between."""
    harbor(Path("x"), rows(1, q0="one"), "a")
    harbor(Path("x"), rows(0, q0="another"), "b")
    for path in Path("x").glob("*/result.json"):
        edited(path, path, lambda x: x["agent_info"]["model_info"].update(name="m"))
    return "x"


def of_lighteval(**doc):
    """Two logs, of which a document is changed."""
    path = written("lighteval", "b", 1)
    (row,) = pq.read_table(path).to_pylist()
    pq.write_table(pa.Table.from_pylist([row | {"doc": row["doc"] | doc}]), path)
    return read_runs(written("lighteval", "a", 1), path)


def lerobot(content):
    return read_runs(*(save(Path(f"{x}.json"), json.dumps(content)) for x in "ab"))


def trec(text):
    return read_runs(save(Path("x.txt"), text), DENSE)


ROW = "map                   \tq1\t0.5\n"


@refuses
def test_refusals():
    read_runs(
        cases_of("x.json", lambda x: x.pop("name" if x["order"] == 1 else "", None)), DEEPEVAL
    )
    # -> `path1` … x.json row 2 has no 'name', and is not as DeepEval writes it. Give the file
    read_runs(of_two_tasks(), TRIAL)
    # -> x has repeats of id 'q0' with different documents: … Give them the same.
    changed_row(testIdx=None)
    # -> `path1` … x.json has another form, and is not as promptfoo writes it. Give
    read_folder(PROMPTFOO).leaderboard("success")
    # -> not all examples are scored … 1 without success in … results.json of one: 4
    read_runs(PROMPTFOO, of_provider("two"))
    # -> `path1` holds 2 runs: … results.json of one, … results.json of two. Name the file of one …
    #    Or name the system, system='one'.
    read_runs(PROMPTFOO, PROMPTFOO, system=["one", "twp"])
    # -> `system` must be one of those in `path2`, 'one', 'two', got 'twp' … Did you mean 'two'?
    read_runs(PROMPTFOO, PROMPTFOO, system=["one", "two", "two"])
    # -> `system` must be one name, or two, got ['one', 'two', 'two']
    report(error_ids=None)
    # -> `path1` … x.json has no list of error_ids. Give the file as the tool wrote it.
    report(resolved_ids="q1")
    # -> `path1` … x.json has no list of resolved_ids. Give the file as the tool wrote it.
    read_runs(of_rows("x.json", lambda x: x.pop("provider")), PROMPTFOO)
    # -> `path1` … x.json has no 'provider', and is not as promptfoo writes it. Give the file
    read_runs(*(written("swe_bench, instances", x, 1, *y) for x, y in (("a", []), ("b", [0]))))
    # -> … 1 not in a: 'q1'. SWE-bench writes no report of an instance that broke, which counts as
    #    unresolved: give the report of the run, <model>.<run>.json, … or leave these ids out
    of_lighteval(id="")
    # -> `path2` … row 1 has no id, and is not as lighteval writes it. Give the file
    of_lighteval(task_name="arc|0")
    # -> `path1` has no run of task 'arc|0', only of task 't|0'
    lerobot({"one": {"per_task": []}, "two": {"per_task": []}})
    # -> `path1` … holds several results, 'one', 'two'. Give a file of each.
    lerobot({"per_episode": []})
    # -> `path1` … a.json has no examples: at least one is needed.
    lerobot({"per_episode": [{"success": True, "seed": None}]})
    # -> `path1` … has episodes without a seed … Evaluate both policies with the same --seed.
    trec(ROW.replace("q1", "all") + "\n")
    # -> `path1` … x.txt has only averages of all queries. Run trec_eval with -q.
    trec(f"{ROW}map 2\n")
    # -> `path1` … x.txt, line 2: has no measure, query and value. Give what trec_eval pr
