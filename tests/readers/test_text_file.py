"""Logs line by line; and how messages name a file."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import save
from pairedperm import InputError
from pairedperm.readers import read_runs
from pairedperm.readers.files import TextFile
from properties import cases

PARTS = [
    *("[1]", "7", "null", "NaN", '"x"', "", " ", "\t", '{"a": 1}, {"b": 2}', '{"a": [1', "2]}"),
    *("{", "}", "[", "]", ",", '"', "\\", '{"id": "', '{"a": 1}, {"b": 2}, {"c": 3}'),
]
WHOLE = ['"\u2028"', '[1, {"x": 2}]', '"{\\"score\\": 2}"', '{"score": 2}', '"]"']


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("lines")


@cases(2)
@given(
    some=st.lists(st.sampled_from(PARTS), max_size=3),
    whole=st.lists(st.sampled_from(WHOLE), min_size=2, max_size=5),
    n_before=st.sampled_from([1, 1, 2000]),
    ending=st.sampled_from(["\n", "\r\n"]),
    data=st.data(),
)
def test_lines_are_read_one_by_one(some, whole, n_before, ending, data, folder):
    """Wherever the lines are cut: each is an object, or the first that is none is named."""
    good = ['"plain"'] * n_before + whole
    lines = [f'{{"id": {k}, "score": 1, "said": {x}}}' for k, x in enumerate(good)]
    lines[n_before:] = data.draw(st.permutations([*some, *lines[n_before:]]))
    wrong = None
    for k, line in reversed([*enumerate(lines, 1)]):
        if line.strip():
            try:
                wrong = wrong if isinstance(json.loads(line), dict) else k
            except ValueError:
                wrong = k
    content = ending.join(lines).encode(data.draw(st.sampled_from(["utf-8", "utf-8-sig"])))
    paths = [save(folder / f"{x}.jsonl", content) for x in "ab"]
    if wrong:
        with pytest.raises(InputError, match=rf"a\.jsonl, line {wrong}: is no JSON"):
            read_runs(*paths)
    else:
        assert read_runs(*paths).ids == [*range(len(good))]


LIST = json.dumps([{"id": k, "score": 1, "x": "]"} for k in range(3)])


@pytest.mark.parametrize("text", [LIST, LIST.replace("{", "\n{"), f"\ufeff \n{LIST}\n"])
@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.NDJSON"])
def test_a_list_is_read_as_lines(text, name, put):
    """As old versions of lm-evaluation-harness, pandas and everybody write it."""
    assert read_runs(put(name, text), put("y.jsonl", LIST)).ids == [0, 1, 2]


@pytest.mark.parametrize("text", ['"score": 1', '\\"score\\":', "", '{\\"a\\": \\"b\\"}'])
def test_a_key_in_a_text_is_none(put, text):
    row = {"id": 1, "score": 1, "text": text, "x": {"score": 1, "y": [{"score": 2}]}}
    runs = read_runs(put("a.jsonl", [row]), put("b.json", json.dumps([row])))
    assert [x.scores for x in runs.systems.values()] == [{"score": [1]}] * 2


# files in messages


def test_what_a_library_says(tmp_path):
    """It may name the file by its path."""
    file = TextFile("path1", tmp_path / "x.json")
    said = file.in_words(ValueError(f"Unable to\nread {file.source}.\n"))
    assert said == f"Unable to read {file.path}"
    assert file.in_words(KeyError()) == "?"
