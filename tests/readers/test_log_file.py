"""Logs line by line: many lines are parsed at once, and the answer is that of each alone."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extras import on_posix
from pairedperm import InputError
from pairedperm.readers import log_file
from pairedperm.readers.log_file import LogFile, nested

MARK = str(log_file._MARK)
PARTS = [
    *('{"id": 1}', '{"id": [1, {"x": 2}]}', "[1]", "7", "null", "NaN", '"x"', "", " "),
    *('{"a": 1}, {"b": 2}', '{"a": [1', "2]}", "{", "}", "[", "]", ",", '"', "\\", '{"id": "'),
    *('{"a": 1}, {"b": 2}, {"c": 3}', MARK, f"{MARK}.0", f'{{"id": {MARK}}}', '{"x": "\u2028"}'),
]
hostile = st.lists(st.sampled_from(PARTS), min_size=1, max_size=6)


def one_by_one(lines):
    """Each line's object; None if one is no object."""
    try:
        found = [json.loads(line) for line in lines]
    except ValueError:
        return None
    return found if all(isinstance(x, dict) for x in found) else None


@given(hostile | st.lists(st.sampled_from(PARTS[:2]), min_size=1))
def test_lines_together_as_one_by_one(lines):
    """Where a line holds the number that stands between two, all are read one by one."""
    lines = [f"{line}\n" for line in lines]
    holds_mark = any(str(MARK) in line for line in lines)
    assert log_file._parsed(lines) == (None if holds_mark else one_by_one(lines))


@pytest.mark.parametrize(
    "lines",
    [
        ['{"a": 1}, {"b": 2}', '{"a": [1', "2]}"],
        ['{"a": 1}, {"b": 2}, {"c": 3}', '{"a": [1', "2]}"],  # as many, and no numbers between
        [f'{{"a": 1}}, {MARK}', '{"b": 2}'],
        [f'{{"a": 1}}, {MARK}, {{"b": 2}}'],
        ['{"a": 1}', "[1]"],
        ["{" * 2000, "}" * 2000],
        ['{"a": ' + "[" * 99_999 + "]" * 99_999 + "}"],
        ['{"a": ' + "1" * 5000 + "}"],
    ],
)
def test_no_line_is_taken_for_another(lines, put):
    assert log_file._parsed(lines) is None
    with pytest.raises(InputError, match=r"`path1`: .*line [1-3]: is no JSON"):
        [*LogFile("path1", put("x.jsonl", "\n".join(lines))).objects()]


@pytest.fixture(params=[1, 30, 2**18])
def pages(request, monkeypatch):
    """Files are read in pages of so many characters."""
    monkeypatch.setattr(log_file, "_PAGE", request.param)


GOOD = [f'{{"id": {k}}}' for k in range(8)]


@pytest.mark.parametrize(
    ("lines", "number", "what"),
    [
        (
            [*GOOD, '{"id": 8'],
            9,
            r"is no JSON, Expecting .*\. Is the file cut off\? Give one JSON ob",
        ),
        (
            [*GOOD, '{"id": 8', *GOOD],
            9,
            r"is no JSON, Expecting [^?]*\. Give one JSON object per line",
        ),
        (["", *GOOD[:3], " ", "\t", "{}, {}", *GOOD], 7, "is no JSON, Extra data"),
        ([*GOOD, "[1, 2]", "null"], 9, r"is no JSON object, but \[1, 2\] \(list\)\. Give one obj"),
        (["", "", "3"], 3, r"is no JSON object, but 3 \(int\)"),
    ],
)
def test_the_line_is_named(lines, number, what, put, pages):
    for ending in ("\n", "\r\n"):
        file = LogFile("path2", put("x.jsonl", ending.join(lines)))
        with pytest.raises(InputError, match=rf"^`path2`: .*x\.jsonl, line {number}: {what}"):
            [*file.objects()]


def test_blank_lines_are_none(put, pages):
    text = "\n".join(["", *GOOD[:3], " \t", "", *GOOD[3:], "", ""])
    for content in (text, text.replace("\n", "\r\n"), text.encode("utf-8-sig")):
        file = LogFile("path1", put("x.jsonl", content))
        found = [*file.objects()]
        assert found == [(k + (2 if k < 3 else 4), {"id": k}) for k in range(8)]
        assert file.first_object() == {"id": 0}
        assert "".join(file.lines()) == text


def test_first_object(put):
    for content, message in (
        ("\n{", "line 2: is no JSON"),
        ("\n \n", r"x\.jsonl is empty: at least one example is needed"),
        ("", "is empty"),
        (b"\xff\xfe{", r"is no UTF-8 text, .*\. Save it as UTF-8"),
    ):
        with pytest.raises(InputError, match=message):
            LogFile("path1", put("x.jsonl", content)).first_object()


@pytest.mark.parametrize("content", ["", "\n \n\t\n", "\ufeff", "\ufeff\n"])
def test_empty(content, put):
    file = LogFile("path1", put("x.jsonl", content))
    for read in (file.lines, file.objects):
        with pytest.raises(InputError, match=r"^`path1`: .*x\.jsonl is empty: at least one exam"):
            [*read()]


@pytest.mark.parametrize("start", [b"", b'{"id": 1}\n' * 9])
def test_no_text(start, put, pages):
    file = LogFile("path1", put("x.jsonl", start + b'{"id": "\xff"}\n'))
    with pytest.raises(InputError, match=r"x\.jsonl is no UTF-8 text, 'utf-8' codec can't decode"):
        [*file.objects()]


@on_posix
def test_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, why in (
        (tmp_path / "pipe", "it is a pipe, no regular file"),
        (os.devnull, "it is a device, no regular file"),
        (tmp_path / "none", "No such file or directory"),
        ("a\0b", ".*embedded null"),
        (tmp_path, "Is a directory"),
    ):
        file = LogFile("path1", type(tmp_path)(path))
        for read in (file.first_object, lambda: [*file.objects()]):  # noqa: B023
            with pytest.raises(InputError, match=f"cannot be read: {why}.*Give the path of a log"):
                read()


@pytest.mark.parametrize("value", [None, 1.0, True, [1], {}, 10**30 + 0.5])
def test_id(value):
    file = LogFile("path1", log_file.Path("x.jsonl"))
    assert (file.id(3, "doc_id", 2), file.id("3", "doc_id", 2)) == (3, "3")
    with pytest.raises(InputError, match=r"x\.jsonl, line 2: has the doc_id .*: give an integer o"):
        file.id(value, "doc_id", 2)


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [(("a", "b"), 1), (("a",), {"b": 1}), (("a", "c"), None), (("x", "y"), None), ((), ...)],
)
def test_nested(keys, wanted):
    found = {"a": {"b": 1}, "x": 3}
    assert nested(found, *keys) == (found if wanted is ... else wanted)
