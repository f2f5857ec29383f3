"""How much of an upload the page reads."""

from pathlib import Path

import limits
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from answer import Asked, of_files
from limits import Upload

from pairedperm import InputError
from properties import one_in

ROWS = {
    "a.csv": "id,score\n1,0\n2,1\n3,1\n",
    "b.csv": 'id,score,prediction\r\n1,0,"x\r\ny\r\n"\r\n2,1,y\r\n\r\n3,1,z',
    "c.tsv": "id\tscore\n1\t0\n2\t1\n3\t1\n\n\n",
    "d.jsonl": '{"id": 1, "score": 0}\n{"id": 2, "score": 1}\n{"id": 3, "score": 1}',
}


@pytest.mark.parametrize("name", ROWS)
def test_as_many_rows_as_are_read(name, folder, monkeypatch):
    """No header, blank line or line's end in a cell is one of them."""
    Path(name).write_bytes(ROWS[name].encode())
    upload = Upload(name, name)
    monkeypatch.setattr(limits, "MAX_ROWS", 3)
    assert of_files(upload, upload, None, Asked(metric="score")).result.n == 3
    monkeypatch.setattr(limits, "MAX_ROWS", 2)
    with pytest.raises(InputError, match=f"File A: {name} has 3 rows; at most 2 are read here"):
        of_files(upload, upload, None, Asked())


def test_lines_of_json_are_no_rows(folder, monkeypatch):
    """One log of inspect_ai is written over many lines."""
    Path("a.json").write_text('{\n"version": 2,\n"status":\n"success"\n}', "utf-8")
    monkeypatch.setattr(limits, "MAX_ROWS", 2)
    limits.check_upload(Upload("a.json", "a.json"), "File A")


GROWING = {
    "string": lambda x: x,
    "large_string": lambda x: x.cast(pa.large_string()),
    "dictionary": lambda x: x.dictionary_encode(),
    "dictionary of large_string": lambda x: x.cast(pa.large_string()).dictionary_encode(),
    "list": lambda x: pa.array([[text] for text in x.to_pylist()]),
    "struct": lambda x: pa.StructArray.from_arrays([x], ["text"]),
}


@one_in(5)
@pytest.mark.parametrize("kind", GROWING)
def test_parquet_that_would_grow(folder, monkeypatch, kind):
    """A text that a dictionary holds once is written out for each row."""
    column = GROWING[kind](pa.array(["x" * 10**4] * 2000))
    pq.write_table(pa.table({"id": range(2000), "prediction": column}), "a.parquet")
    monkeypatch.setattr(limits, "MAX_EXPANDED", 10**7)
    assert Path("a.parquet").stat().st_size < 10**5
    bomb = Upload("a.parquet", "a.parquet")
    with pytest.raises(InputError, match=r"would grow to [\d,]+ bytes; at most 10,000,000"):
        of_files(bomb, bomb, None, Asked())
