"""Tables whose cells are all texts: their rows, and what cells spell."""

import csv
import io

import datasets
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import save
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs
from readers.held import first_run

parts = st.sampled_from(["a", ",", "\t", '"', '""', "\n", "\r\n", "\r", " ", "é", "1,1\n", "\0"])
cells = st.lists(parts, max_size=5).map("".join) | st.sampled_from(['"x,\n"', "é", ""])


def plainly(text, kind):
    """The rows, one by one; or the line of the first wrong one."""
    dialect = {"delimiter": ","}
    if kind == "tsv":
        dialect = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
    rows, found, line = csv.reader(io.StringIO(text, newline=""), strict=True, **dialect), [], 1
    try:
        for row in rows:
            if len(row) not in (0, 2):
                return line
            found += [row] if row else []
            line = rows.line_num + 1
    except csv.Error:
        return line
    return found[1:]


@pytest.mark.parametrize("kind", ["csv", "tsv"])
@given(n_before=st.sampled_from([0, 1200]), listed=st.lists(cells, min_size=1, max_size=8))
def test_rows_as_the_csv_module_reads_them(kind, n_before, listed, tmp_path_factory):
    """Whatever stands in cells, and however many rows are before; or the wrong line is named."""
    rows = "".join(f"{k},{x}\n" for k, x in enumerate([*map(str, range(n_before)), *listed]))
    text = f"id,prediction\n{rows}end,z\n"
    if kind == "tsv":
        text = text.replace(",", "\t")
    folder, wanted = tmp_path_factory.mktemp("cells"), plainly(text, kind)
    paths = [save(folder / f"{x}.{kind}", text) for x in "ab"]
    if isinstance(wanted, int):
        with pytest.raises(InputError, match=rf"a\.{kind}, line {wanted}: "):
            read_runs(*paths)
    elif all(x for x, _ in wanted) and len({x for x, _ in wanted}) == len(wanted):
        run = first_run(*paths)
        found = zip(run.ids, run.predictions, strict=True)
        assert [*map(list, found)] == [[x, y or None] for x, y in wanted]


def test_long_cells(put):
    """The limit of the csv module is of all threads: it is not set back under another reader."""
    csv.field_size_limit(2**17)
    text = f"id,prediction\na,{'é' * 200_000}\n"
    assert len(first_run(put("a.csv", text), put("b.csv", text)).predictions[0]) == 200_000
    assert csv.field_size_limit() == 2**31 - 1


@pytest.mark.parametrize("kind", ["csv", "parquet", "dataset"])
def test_the_index_of_pandas_is_no_id(kind, tmp_path, put):
    """It is asked for a column of ids, or for the name of the index."""
    table = pd.DataFrame({"score": [1, 0]}, index=pd.Index(["b", "a"]))
    path = datasets.Dataset.from_pandas(table) if kind == "dataset" else tmp_path / f"x.{kind}"
    if kind != "dataset":
        getattr(table, f"to_{kind}")(path)
    with pytest.raises(
        InputError, match="has no ids in column 'id', by which examples are matched"
    ):
        read_runs(path, put("b.csv", "id,score\na,1\nb,1\n"))
    if kind != "csv":
        other = put("c.csv", "__index_level_0__,score\na,1\nb,1\n")
        assert read_runs(path, other, id="__index_level_0__").ids == ["a", "b"]


def test_a_column_beside_the_index(put):
    path = put("a.csv", ",doc,score\n7,b,1\n8,a,0\n")
    runs = read_runs(path, put("b.csv", path.read_bytes()), id="doc")
    assert (runs.ids, runs.notes) == (["a", "b"], ())


NUMBERS = {
    "1": 1,
    " -2 ": -2,
    "+3": 3,
    "0.10": 0.1,
    ".5": 0.5,
    "1.": 1.0,
    "1e2": 100.0,
    "-1E-2": -0.01,
    "123456789012345678901": 123456789012345678901.0,
    "": None,
    "NaN": None,
}


def test_numbers_in_cells(put):
    text = "\n".join(["id,score", *(f'{k},"{x}"' for k, x in enumerate(NUMBERS))])
    scores = first_run(put("a.csv", text), put("b.csv", text)).scores["score"]
    assert [(type(x), x) for x in scores] == [(type(x), x) for x in NUMBERS.values()]


CELLS = [  # predictions in CSV, those of the other file, and what those of CSV are read as
    (["1", "x"], [1, 1], ["1", "x"]),  # one that is no integer is enough, and so is a zero in front
    (["1", "02"], [1, 1], ["1", "02"]),
    (["1", "1"], [1, 1], [1, 1]),
    (["1", ""], [1, 1], [1, None]),
    (["1", "0"], [True, False], [1, 0]),
    (["1", "1"], ["1", "1"], ["1", "1"]),
    (["1", "1"], [1, "1"], ["1", "1"]),  # there is no saying which of the two they are
]


@pytest.mark.parametrize(("written", "others", "read"), CELLS)
def test_cells_are_of_the_types_of_the_other_file(written, others, read, put):
    text = "\n".join(["id,prediction", *(f"{k},{x}" for k, x in enumerate(written))])
    paths = [
        put(f"{k}.jsonl", [{"id": 0, "prediction": x}, {"id": 1, "prediction": x}])
        for k, x in enumerate(others)
    ]
    runs = read_folder(put("a.csv", text), *paths)
    assert runs.systems["a"].predictions == read
    assert [*map(type, runs.systems["a"].predictions)] == [*map(type, read)]


@pytest.mark.parametrize("cells", ["True False", "TRUE FALSE", "true false"])
def test_truth_values_are_texts(put, cells):
    """As labels they are compared as written, and they are no scores."""
    rows = "\n".join(f"{k},{x},True" for k, x in enumerate(cells.split()))
    text = f"id,prediction,reference\n{rows}\n"
    paths = put("a.csv", text), put("b.csv", text)
    run = first_run(*paths)
    assert (run.predictions, run.references) == (cells.split(), ["True", "True"])
    said = r"'(?i:true)' .*, but a score is a number"
    with pytest.raises(InputError, match=said):
        first_run(*paths, score="prediction")


def test_many_columns(put):
    """Their names are compared in linear time."""
    names = ["id", "score", *(f"c{k}" for k in range(10_000))]
    text = "\n".join(",".join(x) for x in (names, ["1", "1", *names[2:]]))
    assert read_runs(put("a.csv", text), put("b.csv", text)).ids == ["1"]
