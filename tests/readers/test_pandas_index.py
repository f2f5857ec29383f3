"""The index of a table of pandas as ids: where pandas writes it, and what is said of it."""

import datasets
import pandas as pd
import pytest

from pairedperm.readers import read_runs

IDS = ["b", "a"]
UNNAMED, NAMED = pd.Index(IDS), pd.Index(IDS, name="doc")
SAID = "the ids of {} are {}, the index of pandas"
FIRST = "the first column, which has no name"


def written(folder, kind, index):
    """A table of two scores with an index, as pandas writes it."""
    table, path = pd.DataFrame({"score": [1, 0]}, index=index), folder / f"x.{kind}"
    if kind == "dataset":
        return datasets.Dataset.from_pandas(table)
    if kind == "parquet":
        table.to_parquet(path)
    elif kind == "twice.csv":  # written, read and written
        table.to_csv(path)
        pd.read_csv(path).to_csv(path, index=False)
    else:
        table.to_csv(path, sep="," if kind == "csv" else "\t")
    return path


@pytest.mark.parametrize(
    ("kind", "index", "which"),
    [
        *((kind, UNNAMED, FIRST) for kind in ("csv", "tsv")),
        ("twice.csv", UNNAMED, "column 'Unnamed: 0'"),
        *((kind, UNNAMED, "column '__index_level_0__'") for kind in ("parquet", "dataset")),
        ("parquet", NAMED, "column 'doc'"),
    ],
)
def test_the_index_is_the_id(kind, index, which, tmp_path, put):
    path = written(tmp_path, kind, index)
    runs = read_runs(path, put("b.csv", "id,score\na,1\nb,1\n"))
    one, _ = runs.systems.values()
    assert (runs.ids, one.ids, one.scores["score"]) == (["a", "b"], IDS, [1, 0])
    assert [*map(str, runs.notes)] == [SAID.format(one.path, which)]


def test_an_index_that_counts_rows(tmp_path, put):
    path = written(tmp_path, "csv", None)
    runs = read_runs(path, put("b.csv", "id,score\n0,1\n1,1\n"))
    (note,) = map(str, runs.notes)
    assert note.endswith("; they count its rows, so check that all files have the same order")


def test_the_index_of_references(tmp_path, two, put):
    rows = [{"id": x, "prediction": 1} for x in IDS]
    references = put("right.csv", ",reference\na,1\nb,0\n")
    runs = read_runs(*two(rows, rows), references=references)
    assert [*map(str, runs.notes)] == [SAID.format(references, FIRST)]


@pytest.mark.parametrize("column", ["id", "doc"])
def test_a_column_of_ids_is_there(column, put):
    """It is taken, and nothing is said of an index."""
    path = put("a.csv", f",{column},score\n7,b,1\n8,a,0\n")
    runs = read_runs(path, put("b.csv", path.read_bytes()), id=column)
    assert (runs.ids, runs.notes) == (["a", "b"], ())
