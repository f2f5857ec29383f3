"""What the page refuses, in its own words."""

import re
from pathlib import Path

import limits
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from answer import Asked, of_files
from limits import Upload
from pasted import of_columns

from extras import on_posix
from pairedperm import InputError
from properties import one_in
from space.uploads import HOSTILE, table


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (("", "", ""), "“Box A” is empty. Paste a line"),
        (("a\nb", "", ""), "Box B is empty. Paste the answers of system B"),
        (("a\tb\tc\td", "", ""), "Box B is empty. Paste the answers of system B"),
        (('1\t"2\n3"\t4\t5', "", ""), "“Box A”: line 2 has 3 columns, and line 1 has 2. Each line"),
        (("1\t2\n3", "", ""), "“Box A”: line 2 has 1 column, and line 1 has 2. Each line is an"),
        (("1\n2", "1\n2\n3", ""), "Box A has 2 lines, and “Box B” has 3. Give one line"),
        (("1\n\n2", "1\n2\n3", ""), "“Box A”: line 2 is empty. Each line is an example"),
        (("1\n2", "1\nx", ""), "“Box B”: line 2 is 'x', but without right answers a line must be"),
        (("a\nb", "a\nb", "a"), "Box A has 2 lines, and “Right answers” has 1"),
        (("1\n2", "1\n1e999", ""), "“Box B”: line 2 is '1e999'"),
    ],
)
def test_refused_columns(columns, message):
    with pytest.raises(InputError) as refused:
        of_columns(*columns, Asked())
    assert message in str(refused.value)


@on_posix
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b"", "File A: a.jsonl is empty"),
        ("a.csv", b"", "File A: a.csv"),
        ("a.parquet", b"PAR1", "File A: a.parquet cannot be read"),
        ("a.docx", b"PK", "File A: a.docx is of no known format. Known formats"),
        ("a.jsonl", b'{"id": 0, "score": 1', "File A: a.jsonl, line 1: is no JSON"),
        ("a.jsonl", b"\xff\xfe{", "File A: a.jsonl is no UTF-8 text"),
        ("a.jsonl", b'{"id": 7, "score": 1}', "tick “Leave out what does not match”"),
        ("a.jsonl", b'{"id": 0, "bleu": 1}', "under “More options”"),
        ("a.jsonl", b'{"id": 0, "prediction": "x"}', "the runs have no metric in common"),
        (f"{HOSTILE}.jsonl", b"x", f"File A: {HOSTILE}.jsonl, line 1: is no JSON"),
        ("a" * 300 + ".jsonl", b"x", "is no JSON"),
        ("../../etc/passwd.jsonl", b"x", "File A: passwd.jsonl, line 1: is no JSON"),
    ],
)
def test_refused_files(folder, name, content, message):
    Path("upload").write_bytes(content)
    with pytest.raises(InputError) as refused:
        of_files(Upload("upload", name), table("b.jsonl", "score", [1]), None, Asked())
    assert message.lower() in str(refused.value).lower()
    assert str(folder) not in str(refused.value)
    assert "=…" not in str(refused.value)


def test_too_large(folder, monkeypatch):
    good = table("b.jsonl", "score", [1, 2, 3])
    monkeypatch.setattr(limits, "MAX_ROWS", 2)
    with pytest.raises(InputError, match=r"File A: b.jsonl has 3 rows; at most 2 are read here"):
        of_files(good, good, None, Asked())
    monkeypatch.setattr(limits, "MAX_BYTES", 10)
    with pytest.raises(InputError, match=r"File A: b.jsonl has \d+ bytes; at most 10 are read"):
        of_files(good, good, None, Asked())
    with pytest.raises(InputError, match=r"gone.csv is no longer here: .* Upload it again"):
        of_files(Upload("gone.csv", "gone.csv"), good, None, Asked())
    monkeypatch.setattr("pasted.MAX_PASTED", 3)
    with pytest.raises(InputError, match="at most 3 are read"):
        of_columns("1234", "1", "", Asked())


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


def test_refused_options_are_called_as_on_the_page():
    columns = "a\nb\na", "b\nb\na", "a\nb\nb"
    with pytest.raises(InputError, match="“Label that counts” is missing: with “Average” 'binary'"):
        of_columns(*columns, Asked(metric="f1"))
    with pytest.raises(InputError, match="“metric” must be one of 'accuracy'"):
        of_columns(*columns, Asked(metric="acuracy"))


@pytest.mark.parametrize(
    ("right", "asked", "message"),
    [
        ("1\n0", Asked(name1="x", name2="x"), "Both systems are called 'x'. Give each a name"),
        ("1\n0", Asked(better="lower"), "“Better scores are” is only for scores"),
        ("", Asked(metric="bleu"), "Metric 'bleu' needs right answers. Paste them too"),
        ("", Asked(metric="pass_at_k"), "Metric 'pass_at_k' needs a list for each example: upload"),
        ("1\n0", Asked(metric="mean_score"), "Metric 'mean_score' takes no right answers. Empty"),
        ("1\n0", Asked(metric="fbeta"), "Metric 'fbeta' needs beta, which has no box here. Choose"),
        (
            "1\n0",
            Asked(metric="f1", average="macro", pos_label="1"),
            "for “Average” 'binary', got '1' with “Average” 'macro'. Empty one of the two.$",
        ),
        (
            "1\n0",
            Asked(metric="span_f1", pos_label="1"),
            "no option of metric 'span_f1': leave it out, or choose",
        ),
        (
            "1\n0",
            Asked(metric="log_likelihood"),
            "^The column of system A must hold one number per example: example 1 of the column of",
        ),
        (
            "1\n0",
            Asked(metric="top_k_accuracy"),
            "a list of labels per example, the best first, got single labels .'1'.\\.$",
        ),
    ],
)
def test_choices_that_do_not_fit(right, asked, message):
    with pytest.raises(InputError, match=message):
        of_columns("1\n0", "0\n0", right, asked)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (Asked(name1="x", name2="x"), "The names of systems A and B are both 'x': name the two"),
        (Asked(better="lower"), "^“Better scores are” is only for scores that were logged. Choose"),
        (Asked(metric="zero_one"), "^The right answers must hold a set of labels per example, got"),
        (
            Asked(columns=("id", "answer", "reference", "score", "group")),
            "a.jsonl has no column 'answer', which “More options” names. It has 'id'",
        ),
    ],
)
def test_choices_that_do_not_fit_files(folder, asked, message):
    """A name with “=” is no option."""
    one, two = (
        table(name, "prediction", ["x", "y"], reference=["x", "x"])
        for name in ("a.jsonl", "rng=0.jsonl")
    )
    with pytest.raises(InputError, match=message) as refused:
        of_files(one, two, None, asked)
    assert not re.search(r"`|\w=|None|True|False|\((str|list)\)", str(refused.value))
