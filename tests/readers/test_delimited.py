"""Tables whose cells are all texts: rows in batches, and what cells spell."""

import csv
import io
from unittest.mock import patch

import datasets
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import save
from pairedperm import InputError
from pairedperm.readers import delimited, read_folder, read_runs, text_file
from pairedperm.readers.formats import read_logs
from pairedperm.readers.read_options import ReadOptions
from pairedperm.readers.text_file import TextFile

NAMES = ("id", "prediction", "score")
parts = st.sampled_from(
    ["a", "b", ",", ",", "\t", '"', '""', "\n", "\n", "\r\n", "\r", " ", "é", "1", "1,1,0\n", "\0"]
)
bodies = st.lists(parts, max_size=30).map("".join)
plain = st.lists(st.sampled_from(["1,a,0", '"x,\n",b,1', "", "é,a,"]), max_size=9).map("\n".join)


def plainly(text, kind):
    """The columns, row by row; or the line of the first wrong row."""
    dialect = {"delimiter": ","}
    if kind == "tsv":
        dialect = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
    rows, found, line = csv.reader(io.StringIO(text, newline=""), strict=True, **dialect), [], 1
    try:
        for row in rows:
            if row and len(row) != len(NAMES):
                return line
            found += [row] if row else []
            line = rows.line_num + 1
    except csv.Error:
        return line
    return {name: list(x) for name, x in zip(NAMES, zip(*found, strict=True), strict=True)}


def read(file, kind):
    """The columns, or the message."""
    try:
        columns, header = delimited.read_delimited(file, kind, NAMES)
    except InputError as error:
        return str(error)
    assert header == [*NAMES]
    return columns


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("delimited")


@pytest.mark.parametrize("kind", ["csv", "tsv"])
@given(body=bodies | plain)
def test_rows_together_as_one_by_one(kind, body, folder):
    head, delimiter = ",".join(NAMES) + "\n", "," if kind == "csv" else "\t"
    text = (head + body).replace(",", delimiter)
    file = TextFile("path1", save(folder / f"a.{kind}", text))
    found = []
    for many, page in ((1, 1), (2, 30), (512, 2**18)):
        with (
            patch.object(delimited, "MANY_ROWS", many),
            patch.object(text_file, "_PAGE", page),
        ):
            found.append(read(file, kind))
    assert found == [found[0]] * 3
    wanted = plainly(text, kind)
    if isinstance(wanted, int):
        assert f", line {wanted}: " in found[0]
    else:
        assert found[0] == {name: x[1:] for name, x in wanted.items()}


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (
            b"1,a\n" + b"2,a,0\n" * 2000 + b"\xff,a,0\n",
            "line 2: has 2 cells, and the header 3",
        ),
        (b'1,a,0\n2,"a,0\n3,a,0', "line 3: is no line of a table"),
        (b"1,a,0\n" * 2000 + b"1,a\n", "line 2002: has 2 cells, and the header 3"),
    ],
)
def test_the_first_wrong_row_is_named(body, line, put):
    file = TextFile("path1", put("a.csv", b"id,prediction,score\n" + body))
    with patch.object(text_file, "_PAGE", 1), pytest.raises(InputError, match=line):
        delimited.read_delimited(file, "csv", NAMES)


def test_equal_texts_are_one_object(put):
    file = TextFile("path1", put("a.csv", "id,prediction,score\n" + "1,yes,0\n2,no,1\n" * 2000))
    columns, _ = delimited.read_delimited(file, "csv", NAMES)
    assert len({*map(id, columns["prediction"])}) == 2


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "dataset"])
def test_the_index_of_pandas_is_no_id(kind, tmp_path, put):
    """It is asked for a column of ids, or for the name of the index."""
    table = pd.DataFrame({"score": [1, 0]}, index=pd.Index(["b", "a"]))
    path = tmp_path / f"x.{kind}"
    if kind == "dataset":
        path = datasets.Dataset.from_pandas(table)
    elif kind == "parquet":
        table.to_parquet(path)
    else:
        table.to_csv(path, sep="," if kind == "csv" else "\t")
    other = put("b.csv", "id,score\na,1\nb,1\n")
    with pytest.raises(InputError, match="has no column 'id', by which examples are matched"):
        read_runs(path, other)
    if kind in ("parquet", "dataset"):
        other = put("c.csv", "__index_level_0__,score\na,1\nb,1\n")
        assert read_runs(path, other, id="__index_level_0__").ids == ["a", "b"]


@pytest.mark.parametrize("column", ["id", "doc"])
def test_a_column_beside_the_index(column, put):
    path = put("a.csv", f",{column},score\n7,b,1\n8,a,0\n")
    runs = read_runs(path, put("b.csv", path.read_bytes()), id=column)
    assert (runs.ids, runs.notes) == (["a", "b"], ())


def first_of_two(path, other):
    """The first run of two."""
    return next(iter(read_runs(path, other).systems.values()))


def test_numbers_in_cells(put):
    cells = [
        "1",
        " -2 ",
        "+3",
        "0.10",
        ".5",
        "1.",
        "1e2",
        "-1E-2",
        "123456789012345678901",
        "",
        "NaN",
    ]
    text = "\n".join(["id,score", *(f'{k},"{x}"' for k, x in enumerate(cells))])
    other = [{"id": str(k), "score": 0} for k in range(len(cells))]
    run = first_of_two(put("a.csv", text), put("b.jsonl", other))
    assert run.scores["score"][:9] == [
        1,
        -2,
        3,
        0.1,
        0.5,
        1.0,
        100.0,
        -0.01,
        123456789012345678901.0,
    ]
    assert [type(x) for x in run.scores["score"][:4]] == [int, int, int, float]
    assert run.scores["score"][9:] == [None, None]


def test_cells_that_are_no_integers_stay_texts(two, put):
    """One of them is enough, and so is a zero in front."""
    for cells in (["1", "x"], ["1", "02"], ["1", "-0x1"]):
        text = "\n".join(["id,prediction,reference", *(f"{k},{x},1" for k, x in enumerate(cells))])
        rows = [{"id": k, "prediction": 1, "reference": 1} for k in range(2)]
        runs = read_runs(put("a.csv", text), put("b.jsonl", rows), on_missing="drop")
        assert next(iter(runs.systems.values())).predictions == cells


def test_cells_beside_texts_and_integers(put):
    """They stay texts: there is no saying which of the two they are."""
    rows = [[{"id": k, "prediction": x} for k in range(2)] for x in (1, "1")]
    paths = [put(name, x) for name, x in zip(("a.jsonl", "b.jsonl"), rows, strict=True)]
    runs = read_folder(*paths, put("c.csv", "id,prediction\n0,1\n1,1\n"))
    assert [x.predictions for x in runs.systems.values()] == [[1, 1], ["1", "1"], ["1", "1"]]


@pytest.mark.parametrize("cells", ["True False", "TRUE FALSE", "true false"])
def test_truth_values_are_texts(put, cells):
    """As labels they are compared as written, and they are no scores."""
    rows = "\n".join(f"{k},{x},True" for k, x in enumerate(cells.split()))
    text = f"id,prediction,reference\n{rows}\n"
    run = first_of_two(put("a.csv", text), put("b.csv", text))
    assert (run.predictions, run.references) == (cells.split(), ["True", "True"])
    text = text.replace("prediction", "score")
    with pytest.raises(
        InputError, match=r"'(?i:true)' .*, but a score is a number. Write 1 for true"
    ):
        first_of_two(put("a.csv", text), put("b.csv", text))


def test_integers_beside_truth_values(put):
    rows = [{"id": str(k), "prediction": x, "reference": True} for k, x in enumerate([True, False])]
    text = "id,prediction,reference\n0,1,1\n1,1,1\n"
    runs = read_runs(put("a.csv", text), put("b.jsonl", rows))
    assert runs.compare("accuracy").score1 == 1.0


def test_missing_cells_beside_integers(put):
    rows = [{"id": k, "prediction": 1, "reference": 1} for k in range(3)]
    text = "id,prediction,reference\n0,1,1\n1,,1\n2,0,1\n"
    runs = read_runs(put("a.csv", text), put("b.jsonl", rows), on_missing="drop")
    assert runs.systems["a"].predictions == [1, None, 0]
    assert runs.compare().score1 == 0.5


QUOTATIONS = ['"He said', "nothing", 'more."', *"abcd", '"Then', 'he left."', '"He came."']


def tsv(put, name, texts, scores):
    """A table of one text and one score a line; its ids count from 0."""
    rows = zip(range(len(texts)), texts, scores, strict=True)
    lines = ["id\tprediction\tscore", *("\t".join(map(str, row)) for row in rows)]
    return put(name, "\n".join(lines))


def test_each_line_of_tsv_is_a_row(put):
    """Quotes are characters, also those that open in one line and close in another."""
    paths = [tsv(put, f"{x}.tsv", QUOTATIONS, y) for x, y in (("a", [1] * 10), ("b", 10 * [0]))]
    runs = read_runs(*paths)
    assert runs.systems["a"].predictions == QUOTATIONS
    assert runs.compare("score").pvalue == 2 / 2**10
    quoted = ['"yes, I do"', '"a ""b"""', '"1"', "1"]
    runs = read_runs(*(tsv(put, f"{x}.tsv", quoted, [0] * 4) for x in "cd"))
    assert runs.systems["c"].predictions == quoted
    right = put("right.jsonl", [{"id": k, "reference": x} for k, x in enumerate(QUOTATIONS)])
    assert read_runs(*paths, references=right).compare("accuracy").score1 == 1.0


@pytest.mark.parametrize("last", ["c0", "d"])
def test_many_columns(tmp_path, last):
    """Their names are compared in linear time: 40,000 took two minutes."""
    names = ["id", "score", *(f"c{k}" for k in range(40_000)), last]
    rows = [names] if last == "c0" else [names, *([k, 1, *names[2:]] for k in "12")]
    path = save(tmp_path / "a.csv", "\n".join(",".join(map(str, row)) for row in rows))
    if last == "d":
        assert read_logs("paths", path, ReadOptions())[0].ids == ["1", "2"]
    else:
        with pytest.raises(InputError, match="line 1: has two columns 'c0'"):
            read_logs("paths", path, ReadOptions())
