"""Logs line by line: many lines are parsed at once, and the answer is that of each alone."""

import json
import sys
from contextlib import suppress
from unittest.mock import patch

import datasets
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import log, save
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs, text_file
from pairedperm.readers.formats import logs_in, read_logs
from pairedperm.readers.read_options import ReadOptions
from pairedperm.readers.text_file import TextFile, value_at
from properties import cases

MARK = str(text_file._MARK)
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
    assert text_file._parsed(lines) == (None if holds_mark else one_by_one(lines))


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
def test_no_line_is_taken_for_another(lines):
    assert text_file._parsed(lines) is None


@pytest.fixture(params=[1, 30, 2**18])
def pages(request, monkeypatch):
    """Files are read in pages of so many characters."""
    monkeypatch.setattr(text_file, "_PAGE", request.param)


GOOD = [f'{{"id": {k}}}' for k in range(8)]


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        ([*GOOD, '{"id": 8'], 9),
        ([*GOOD, '{"id": 8', *GOOD], 9),
        (["", *GOOD[:3], " ", "\t", "{}, {}", *GOOD], 7),
        ([*GOOD, "[1, 2]", "null"], 9),
        (["", "", "3"], 3),
    ],
)
def test_the_line_is_named(lines, number, put, pages):
    """Whatever part of the file is read at a time."""
    for ending in ("\n", "\r\n"):
        file = TextFile("path2", put("x.jsonl", ending.join(lines)))
        with pytest.raises(InputError, match=rf"x\.jsonl, line {number}: is no JSON"):
            [*file.batches()]


def test_blank_lines_are_none(put, pages):
    text = "\n".join(["", *GOOD[:3], " \t", "", *GOOD[3:], "", ""])
    for content in (text, text.replace("\n", "\r\n"), text.encode("utf-8-sig")):
        file = TextFile("path1", put("x.jsonl", content))
        found = [pair for batch in file.batches() for pair in zip(*batch, strict=True)]
        assert found == [(k + (2 if k < 3 else 4), {"id": k}) for k in range(8)]
        assert file.first_object == {"id": 0}
        assert "".join(file.lines()) == text


LIST = json.dumps([{"id": k, "x": "]"} for k in range(3)])


@pytest.mark.parametrize("text", [LIST, LIST.replace("{", "\n{"), f"\ufeff \n{LIST}\n"])
@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.NDJSON"])
def test_a_list_is_read_as_lines(text, name, put, pages):
    """As old versions of lm-evaluation-harness, pandas and everybody write it."""
    file = TextFile("path1", put(name, text))
    assert [*file.batches()] == [(range(1, 4), json.loads(LIST))]
    assert file.first_object == {"id": 0, "x": "]"}


@pytest.mark.parametrize(
    "text", ["", " ", "[]", "[1]", '[{"id": 1', "3", '{\n"results": {}}', "[" * 99_999, b"[\xff"]
)
def test_json_that_is_no_list_of_objects(text, put, pages):
    """It is some other file."""
    assert TextFile("path1", put("x.json", text)).first_object == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"id": 1}, 2]', r"x\.jsonl, entry 2: is no JSON object, but 2 .*one object per entry"),
        ('[{"id": 1},\n{"id"', r"is no JSON, .*: line 2 .*\. Is the file cut off\? Give one list"),
        ('[{"id": 1}]\n[{"id": 2}]', r"x\.jsonl is no JSON, Extra data.*\)\. Give one list"),
        ("[]", "is empty: at least one"),
    ],
)
def test_the_entry_is_named(text, message, put):
    with pytest.raises(InputError, match=message):
        [*TextFile("path1", put("x.jsonl", text)).batches()]


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [(("a", "b"), 1), (("a",), {"b": 1}), (("a", "c"), None), (("x", "y"), None), ((), ...)],
)
def test_nested(keys, wanted):
    found = {"a": {"b": 1}, "x": 3}
    assert value_at(found, *keys) == (found if wanted is ... else wanted)


# How far a large file is read

ROWS = [{"id": k, "score": k % 3} for k in range(50)]


@pytest.fixture
def large(two, monkeypatch):
    """Two files that are large, as they say."""
    monkeypatch.setattr(text_file, "_LARGE", 1)
    return two(ROWS, ROWS[::-1])


def test_the_bar_of_a_large_file(large, capsys, terminal):
    read_runs(*large)
    shown = capsys.readouterr()
    assert "Reading " in shown.err
    assert "a.jsonl" in shown.err
    assert shown.out == ""


def test_a_small_file_has_no_bar(two, capsys, terminal):
    read_runs(*two(ROWS, ROWS))
    assert capsys.readouterr().err == ""


def test_bars_that_are_switched_off(large, capsys, monkeypatch, terminal):
    datasets.disable_progress_bars()
    try:
        read_runs(*large)
        assert capsys.readouterr().err == ""
        monkeypatch.delitem(sys.modules, "datasets")  # nobody can have turned its switch
        read_runs(*large)
        assert "a.jsonl" in capsys.readouterr().err
    finally:
        datasets.enable_progress_bars()


def told(pattern):
    return json.loads(log(pattern).read_text("utf-8"))


_TRIAL = {"task_id": "a", "is_resolved": True}
_EPISODE = {"episode_ix": 0, "sum_reward": 1.5, "max_reward": 1.0, "success": True, "seed": 1}
_LISTS = {"sum_rewards": [1.5, 0.0], "max_rewards": [1.0, 0.0], "successes": [True, False]}
LOGS = {
    "promptfoo": told("promptfoo/*"),
    "deepeval": told("deepeval/*"),
    "swe_bench": told("swe_bench/*a.first.json"),
    "swe_bench, one": {"x": {"patch_is_None": False, "resolved": True}},
    "harbor": told("harbor/*"),
    "harbor, before": {"id": "1", "results": [_TRIAL, _TRIAL | {"task_id": "b"}]},
    "lerobot": {"per_task": [{"task_group": "a", "task_id": 0, "metrics": _LISTS}]},
    "lerobot, before": {"per_episode": [_EPISODE, _EPISODE | {"seed": 2}]},
}
JUNK = (None, True, 0, -1, 3.5, "", "x", {}, [], [1], {"a": 1}, float("nan"), float("inf"))


def places(value, path=()):
    """The places of all that is nested in a value."""
    pairs = enumerate(value) if isinstance(value, list) else ()
    for key, inner in value.items() if isinstance(value, dict) else pairs:
        yield (*path, key)
        yield from places(inner, (*path, key))


@pytest.mark.parametrize("name", LOGS)
@cases(0.1)
@given(data=st.data())
def test_changed_logs_are_read_or_refused(name, data, tmp_path_factory):
    content = json.loads(json.dumps(LOGS[name]))
    *path, last = data.draw(st.sampled_from([*places(content)]))
    holder = content
    for key in path:
        holder = holder[key]
    if data.draw(st.booleans()):
        holder[last] = data.draw(st.sampled_from(JUNK))
    else:
        del holder[last]
    folder = tmp_path_factory.mktemp("logs")
    paths = [
        save(folder / f"{x}.json", json.dumps(y)) for x, y in (("a", LOGS[name]), ("b", content))
    ]
    with suppress(InputError):
        assert read_folder(*paths, on_missing="drop", format=name.partition(",")[0]).ids


def test_files_that_others_may_not_read(tmp_path, put):
    """As programs leave in a folder: if they are called neither JSON nor a table."""
    kept = put("a.csv", "id,score\n1,1")
    put("secret", "x")
    with patch("pathlib.Path.open", side_effect=PermissionError(13, "Permission denied")):
        assert logs_in("path1", tmp_path) == [kept]


TWICE = '{"id": 2, "score": 1, "score": 0}'


@pytest.mark.parametrize(
    ("name", "lines", "place"),
    [
        ("a.jsonl", ['{"id": 1, "score": 1}', TWICE], "line 2"),
        ("a.jsonl", ['{"id": 1, "score": 1, "x": {"score": 1}}', TWICE], "line 2"),
        ("a.jsonl", ['{"id": 1, "score": 2, "x": [{"score": 1, "score" : 2}]}'], "line 1"),
        ("a.jsonl", ['{"id": 1}', TWICE, '{"id": 3, "score": 1}'], "line 2"),
        ("a.jsonl", ['{"id": 1, "score" : 1, "score" : 0}'], "line 1"),
        ("a.json", ["[", TWICE, "]"], ""),
    ],
)
def test_a_key_twice(tmp_path, name, lines, place):
    """Of two scores none is the right one."""
    path = save(tmp_path / name, "\n".join(lines))
    with pytest.raises(InputError) as caught:
        read_logs("paths", path, ReadOptions())
    where = f", {place}: " if place else " "
    assert f"{where}has the key 'score' twice. Name each value once." in str(caught.value)


@pytest.mark.parametrize("text", ['"score": 1', '\\"score\\":', "", '{\\"a\\": \\"b\\"}'])
def test_a_key_in_a_text_is_none(tmp_path, text):
    rows = [{"id": 1, "score": 1, "text": text, "x": {"score": 1, "y": [{"score": 2}]}}]
    for name, content in (("a.jsonl", json.dumps(rows[0])), ("a.json", json.dumps(rows))):
        path = save(tmp_path / name, content)
        assert read_logs("paths", path, ReadOptions())[0].scores == {"score": [1]}
