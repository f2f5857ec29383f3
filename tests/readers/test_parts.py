"""Folders of part files, as Spark, Hadoop and Dask write one table: each folder is one run."""

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora.logs import as_lines, save
from pairedperm.readers import read_folder, read_runs

NAMES = {
    "csv": "part-{:05}-3f2a-c000.csv",
    "json": "part-{:05}-3f2a-c000.json",
    "parquet": "part-{:05}-3f2a-c000.snappy.parquet",
    "jsonl": "part-r-{:05}.jsonl",
    "tsv": "part-{:05}.tsv",
    "gz": "part-{:05}-3f2a-c000.json.gz",
    "dask": "part.{}.parquet",
}


def written(folder, kind, rows):
    """Three parts, of which one holds no rows, and what Spark writes beside them."""
    folder.mkdir(parents=True)
    for k, some in enumerate((rows[:2], [], rows[2:])):
        path = folder / NAMES[kind].format(k)
        if path.suffix == ".parquet":
            schema = pa.schema({"id": pa.string(), "score": pa.float32()})
            pq.write_table(pa.Table.from_pylist(some, schema), path)
        elif kind in ("csv", "tsv"):
            lines = ["id,score", *(",".join(map(str, row.values())) for row in some)]
            save(path, "\n".join(lines).replace(",", "," if kind == "csv" else "\t"))
        else:
            text = as_lines(some).encode()
            save(path, gzip.compress(text) if kind == "gz" else text)
        save(folder / f".{path.name}.crc", b"crc\0")
    save(folder / "_SUCCESS", "")
    return folder


ROWS = [
    [{"id": f"x{k}", "score": x} for k, x in enumerate(column)]
    for column in ([1, 0.25, 1, 0.5, 1], [0, 0.5, 0.5, 1, 0])
]


@pytest.mark.parametrize("kind", NAMES)
def test_a_folder_of_parts_is_one_table(kind, tmp_path, two):
    """Named by its folder; the same answer as that of whole files."""
    folders = [written(tmp_path / f"gpt-4.{k}", kind, x) for k, x in enumerate(ROWS)]
    runs = read_runs(*folders)
    assert [*runs.systems] == ["gpt-4.0", "gpt-4.1"]
    assert runs.notes == ()
    assert runs.compare().to_dict() == read_runs(*two(*ROWS)).compare().to_dict()


def test_many_folders_and_a_file(tmp_path, monkeypatch):
    for k, rows in enumerate((*ROWS, ROWS[0])):
        written(tmp_path / "all" / "abc"[k], "json", rows)
    save(tmp_path / "all" / "d.csv", "id,score\n" + "".join(f"x{k},1\n" for k in range(5)))
    assert [*read_folder(tmp_path / "all").systems] == [*"abcd"]
    monkeypatch.chdir(tmp_path / "all" / "a")
    assert [*read_runs(".", "../d.csv").systems] == ["a", "d"]


def test_values_that_some_parts_lack(tmp_path):
    """Spark's JSON has no nulls; the type of narrow floats is that of the whole column."""
    rows = [{"id": "a", "score": 1}, {"id": "b"}, {"id": "c", "score": 0}]
    folders = [written(tmp_path / x, "json", rows) for x in ("a", "b")]
    runs = read_runs(*folders, on_missing="drop")
    assert runs.compare().n == 2
    thirds = [{"id": f"x{k}", "score": x} for k, x in enumerate([1.0, 0.0, 1 / 3])]
    folders = [written(tmp_path / x, "parquet", thirds) for x in ("c", "d")]
    run, _ = read_runs(*folders).systems.values()
    assert {*map(type, run.scores["score"])} == {np.float32}


def test_columns_in_another_order(tmp_path):
    """Columns go by their names; examples are paired by their ids, and the report says so."""
    for name in "ab":
        (tmp_path / name).mkdir()
        save(tmp_path / name / "part-00000.csv", "id,score\n1,1\n")
        save(tmp_path / name / "part-00001.csv", f"score,id\n{'ab'.index(name)},7\n")
    result = read_runs(tmp_path / "a", tmp_path / "b").compare()
    assert (result.n, result.n_wins, result.n_losses) == (2, 0, 1)
    assert result.report().paired_by == "id"


def test_a_format_of_logs_that_is_named(tmp_path):
    """Then each file is a log of its own."""
    line = {"doc_id": 1, "resps": [], "metrics": ["acc"], "acc": 1}
    paths = []
    for name in "ab":
        (tmp_path / name).mkdir()
        paths.append(tmp_path / name)
        save(paths[-1] / "part-00000.jsonl", json.dumps(line))
    assert read_runs(*paths, format="lm_eval").metrics == ("acc",)
