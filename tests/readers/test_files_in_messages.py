"""Files in messages: each reader of a message may have another way to name them."""

import os

import pytest

from corpora.logs import save
from pairedperm import InputError
from pairedperm.errors.wording import File, Reader, joined, worded
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.text_file import TextFile


class LastPart(Reader):
    """A reader who knows the name of a file, and not the folder that it is in."""

    def file(self, path):
        return f"<{os.path.basename(path)}>"


READER = LastPart()
ROWS = [{"id": 1, "score": 1}, {"id": 2, "score": 0}]


def test_files():
    file = File("a\n/b.csv")
    assert str(file) == worded(file) == r"a\n/b.csv"
    assert worded(joined(["x", file, "y"], "; ", 2), READER) == "x; <b.csv> and 1 more"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "`path2`: <b.jsonl>, line 1: is no JSON, "),
        ("", "`path2`: <b.jsonl> is empty: at least one"),
        ([{"id": 1}], "`path2`: <b.jsonl> has none of 'prediction', 'score'. It has 'id'. Name"),
        ([{"id": 1, "score": "x"}], "`path2`: <b.jsonl> has the score 'x' (str) for id 1, but a"),
        (ROWS[:1], "the runs do not hold the same examples. Affected ids: 1 not in <b.jsonl>: 2."),
        ([ROWS[0], {"id": 2}], "not all examples are scored. Affected ids: 1 without score in <b."),
    ],
)
def test_errors(two, content, says):
    with pytest.raises(InputError) as caught:
        read_runs(*two(ROWS, content)).examples()
    assert worded(caught.value.message, READER).startswith(says)


def test_what_a_library_says(tmp_path):
    """It may name the file by its path."""
    file = TextFile("path1", tmp_path / "x.json")
    said = file.in_words(ValueError(f"Unable to\nread {file.source}.\n"))
    assert str(said) == f"Unable to read {file.path}"
    assert worded(said, READER) == "Unable to read <x.json>"
    assert str(file.in_words(KeyError())) == "?"


def test_what_is_left_out(tmp_path):
    for name, rows in (("a/x", ROWS), ("b/x", ROWS[:1]), ("b/.y", ROWS)):
        (tmp_path / name[0]).mkdir(exist_ok=True)
        save(tmp_path / f"{name}.jsonl", rows)
    runs = read_folder(tmp_path, on_missing="drop")
    (note,), (unmatched,) = runs.notes, runs.matching.unmatched
    assert worded(note, READER) == "left out: 1 hidden file: <.y.jsonl>"
    assert worded(unmatched, READER) == "1 not in <x.jsonl>: 2"
