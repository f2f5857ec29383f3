"""How much of an upload the page reads."""

import importlib
import re
import shlex
from dataclasses import fields
from operator import attrgetter
from pathlib import Path

import answer
import limits
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from answer import Asked, of_files
from limits import Upload

from pairedperm import Budget, InputError

GUIDE = Path(__file__).parents[2] / "examples" / "guide" / "space.md"
TABLE = [
    line.strip("|").split("|")
    for line in GUIDE.read_text("utf-8").splitlines()
    if re.match(r"\|.*\| `[\w.]+` \|$", line)
]
UNITS = {"": 1, "MB": 2**20, "GB": 2**30, "minute": 60, "minutes": 60}
ROWS = {
    "a.csv": "id,score\n1,0\n2,1\n3,1\n",
    "b.csv": 'id,score,prediction\r\n1,0,"x\r\ny\r\n"\r\n2,1,y\r\n\r\n3,1,z',
    "d.jsonl": '{"id": 1, "score": 0}\n{"id": 2, "score": 1}\n{"id": 3, "score": 1}',
    "e.parquet": "",
}


@pytest.mark.parametrize("name", ROWS)
def test_as_many_rows_as_are_read(name, folder, monkeypatch):
    """No header, blank line or line's end in a cell is one of them."""
    Path(name).write_bytes(ROWS[name].encode())
    if name.endswith("parquet"):
        pq.write_table(pa.table({"id": range(3), "score": [0, 1, 1]}), name)
    upload = Upload(name, name)
    monkeypatch.setattr(limits, "MAX_ROWS", 3)
    assert of_files(upload, upload, None, Asked(metric="score")).result.n == 3
    monkeypatch.setattr(limits, "MAX_ROWS", 2)
    with pytest.raises(InputError, match=f"File A: A/{name} has 3 rows; at most 2 are read here"):
        of_files(upload, upload, None, Asked())


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[2].strip(" `"))
def test_the_guide_says_what_the_code_holds(row):
    """1 GB is 2^30 bytes, also where Python counts characters."""
    number, _, unit = row[1].strip().partition(" ")
    module, name = re.fullmatch(r" `([a-z_.]+)\.([A-Z].+)` ", row[2]).groups()
    place = module if module == "limits" else f"pairedperm.{module}"
    held = attrgetter(name)(importlib.import_module(place))
    assert int(number.replace(",", "")) * UNITS[unit] == held


def test_the_guide_has_every_limit():
    listed = {row[2].strip(" `").removeprefix("limits.") for row in TABLE}
    numbers = {x for x, value in vars(limits).items() if x.isupper() and type(value) is int}
    budgets = {x for x, value in vars(limits).items() if x.isupper() and type(value) is Budget}
    assert numbers | {f"{x}.{y.name}" for x in budgets for y in fields(Budget)} <= listed


@pytest.mark.parametrize("name", ["a.jsonl", "a.eval", "a.parquet", "a.csv.gz"])
def test_what_is_compressed_under_another_name(folder, monkeypatch, name):
    """The first bytes decide, as they do when it is read: here 1 KB of 1 MB."""
    for codec in ("gzip", "bz2", "zstd"):
        with pa.output_stream(name, compression=codec) as stream:
            stream.write(bytes(2**20))
        monkeypatch.setattr(limits, "MAX_BYTES", 2**19)
        assert Path(name).stat().st_size < 2**11
        with pytest.raises(InputError, match=r"would take more than 524,288 bytes"):
            of_files(Upload(name, name), Upload(name, name), None, Asked())
        assert {*folder.iterdir()} == {folder / name}


def test_parquet_that_would_grow(folder, monkeypatch):
    """A text that a dictionary holds once is written out for each row."""
    column = ["x" * 10**4] * 2000
    pq.write_table(pa.table({"id": range(2000), "prediction": column}), "a.parquet")
    monkeypatch.setattr(answer, "MAX_EXPANDED", 10**7)
    assert Path("a.parquet").stat().st_size < 10**5
    bomb = Upload("a.parquet", "a.parquet")
    with pytest.raises(InputError, match=r"would take more than 10,000,000 bytes"):
        of_files(bomb, bomb, None, Asked())


@pytest.mark.parametrize("name", ["é" * 10**6 + ".csv", "n." * 10**6 + "csv"])
def test_long_names(folder, name):
    """They are cut at once, to what file systems take."""
    Path("a.csv").write_text(ROWS["a.csv"], "utf-8")
    found = of_files(Upload("a.csv", name), Upload("a.csv", "b.csv"), None, Asked())
    assert found.result.n == 3
    name = shlex.split(found.command)[2]
    assert 190 < len(name.encode()) <= 200
    assert name.endswith(".csv")
