"""Details of lighteval, written with `datasets` as its tracker of version 0.13 does."""

from pathlib import Path

import pytest

from corpora.logs import save
from pairedperm.readers import read_runs
from pairedperm.readers.lighteval import read, signs
from pairedperm.readers.text_file import TextFile
from refusals import refuses

DATE = "2026-11-27T10-00-00.000000"


def details(folder, model, *scores, task="gsm8k|0", **changed):
    """One document a score; what the model answered is not read."""
    from datasets import Dataset

    rows = [
        {
            "doc": {"query": f"{k}+1", "choices": [f"{k + 1}"], "gold_index": [0], "id": f"{k}"}
            | {"task_name": task, "num_samples": 1, "specific": None}
            | changed,
            "metric": {"extractive_match": x, "acc": 1.0 - x},
            "model_response": {"text": ["2"], "input": "…"},
        }
        for k, x in enumerate(scores)
    ]
    name = f"details_{task.partition('|')[0]}_{DATE}.parquet"
    path = folder / "details" / model / DATE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    Dataset.from_list(rows).to_parquet(path)
    return path


def test_documents(tmp_path):
    path = details(tmp_path, "org/small", 1.0, 0.0)
    (run,) = read(TextFile("path1", path))
    assert (run.task, run.model, run.ids) == ("gsm8k|0", "org/small", ["0", "1"])
    assert run.scores == {"extractive_match": [1, 0], "acc": [0, 1]}


def test_two_models(tmp_path):
    one, two = (details(tmp_path, x, 1.0, y) for x, y in (("org/a", 1.0), ("b", 0.0)))
    runs = read_runs(one, two)
    assert [*runs.systems] == ["org/a", "b"]
    assert runs.compare("extractive_match").n_wins == 1
    folders = [tmp_path / "details" / x for x in ("org", "b")]
    assert read_runs(*folders).ids == ["0", "1"]


def splits(folder, model, *parts):
    """The documents of several splits, in each of which ids begin at 0 again, as of piqa."""
    from datasets import concatenate_datasets, load_dataset

    paths = [details(folder / f"{k}", model, *x, query=f"split {k}") for k, x in parts]
    read = [load_dataset("parquet", data_files=str(x), split="train") for x in paths]
    path = folder / paths[0].relative_to(folder / f"{parts[0][0]}")
    path.parent.mkdir(parents=True)
    concatenate_datasets(read).to_parquet(path)
    return path


def test_ids_that_repeat_across_splits(tmp_path):
    """The second system is better on the first split; the order of the splits may be another."""
    one = splits(tmp_path / "x", "a", (1, [1.0]), (2, [0.0]))
    two = splits(tmp_path / "y", "b", (1, [0.0]), (2, [0.0]))
    turned = splits(tmp_path / "z", "b", (2, [0.0]), (1, [0.0]))
    only = splits(tmp_path / "w", "b", (2, [0.0]))
    runs = read_runs(one, two)
    assert (runs.ids, runs.matching.by) == (["0", "0 (2)"], "id")
    assert str(read_runs(one, turned).matching) == "2 examples matched by document"
    for other in (two, turned):
        found = read_runs(one, other).compare("acc")
        assert (found.n_wins, found.n_losses, found.n_ties) == (0, 1, 1)
    lacking = read_runs(one, only, on_missing="drop")
    assert (lacking.ids, lacking.matching.unmatched[0].ids) == (["0 (2)"], ["0"])


@pytest.mark.parametrize("content", [b"PAR1", b""])
def test_tables_are_no_logs(content, put):
    assert not signs.fit(TextFile("path1", put("details_x.parquet", content)))


def beside(**changed):
    return read_runs(details(Path(), "a", 1.0), details(Path(), "b", 1.0, **changed))


def beside_good(path):
    return read_runs(path, details(Path(), "b", 1.0))


def no_rows():
    import pyarrow as pa
    from pyarrow import parquet

    names = ["doc", "metric", "model_response"]
    parquet.write_table(pa.table({x: pa.array([], pa.int8()) for x in names}), "x.parquet")
    return Path("x.parquet")


def cut():
    content = details(Path(), "a", 1.0).read_bytes()
    at = content.index(b"PAR1") + 4
    return save(Path("x.parquet"), content[:at] + b"\0" * 40 + content[at + 40 :])


@refuses
def test_refusals():
    beside(id="")
    # -> `path2` … has no id of document 1. Evaluate the task again.
    beside(query="another")
    # -> … 1 stand for different documents: '0'
    beside(task="arc|0")
    # -> `path1` has no run of task 'arc|0', only of task 'gsm8k|0'
    beside_good(no_rows())
    # -> `path1` … x.parquet has no examples: at least one is needed.
    beside_good(cut())
    # -> `path1` … x.parquet cannot be read: … Give a whole Parquet file.
