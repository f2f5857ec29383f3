"""Runs matched by id: what all have is compared, and the rest is told."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import changed, lm_eval
from pairedperm import InputError
from pairedperm.readers import read_runs
from pairedperm.readers.matching import match
from pairedperm.readers.run import Run


def run(path, ids, **columns):
    return Run(path=path, format="jsonl", ids=list(ids), **columns)


AB = run("a", "xyz"), run("b", "zxy")


@pytest.mark.parametrize(
    ("runs", "message", "left"),
    [
        ((run("a", "xyz"), run("b", "zx")), "1 not in b: 'y'", "xz"),
        ((run("a", "xy"), run("b", "zyx")), "1 not in a: 'z'", "xy"),
        ((run("a", "xwy"), run("b", "xyz")), "1 not in a: 'z'; 1 not in b: 'w'", "xy"),
        ((run("a", "xyx"), run("b", "xy")), "1 more than once in a: 'x'", "y"),
        ((run("a", "xy"), run("b", "xyzz")), "1 not in a: 'z'; 1 more than once in b: 'z'", "xy"),
        ((*AB, run("c", "yz")), "1 not in c: 'x'", "yz"),
        (
            (replace(AB[0], documents=[*"123"]), replace(AB[1], documents=[*"303"])),
            "2 stand for different documents: 'x', 'y'",
            "z",
        ),
        (
            (replace(AB[0], references=[*"123"]), AB[1], replace(AB[0], references=[*"124"])),
            "1 have different references: 'z'",
            "xy",
        ),
        (
            (replace(AB[0], groups=[1, 2, None]), replace(AB[1], groups=[3, 1, 1])),
            "1 belong to different groups: 'y'",
            "xz",
        ),
        (
            (replace(AB[0], n_repeats=[1, 2, 3]), replace(AB[1], n_repeats=[3, 2, 2])),
            "1 were not run equally often by all systems: 'x'",
            "yz",
        ),
    ],
)
def test_examples_that_differ(runs, message, left):
    whole = (
        rf"^the runs do not hold the same examples\. Affected ids: {message}\. Run all systems on "
        r"the same examples, or leave these ids out, on_missing='drop'\.$"
    )
    with pytest.raises(InputError, match=whole):
        match(runs, "error")
    found = match(runs, "drop")
    assert found.ids == [*left]
    for one, place in zip(runs, found.places, strict=True):
        assert [one.ids[k] for k in place] == found.ids
    n = f"{len(left)} example{'s' * (len(left) > 1)}"
    lines = [f"{n} matched by id", *(f"left out: {x}" for x in message.split("; "))]
    assert str(found).split("\n") == lines


def test_none_is_left():
    for runs in ((run("a", "xx"), run("b", "x")), (run("a", "x"), run("b", "y"))):
        with pytest.raises(
            InputError, match=r"^no example is left\. Affected ids: 1 .*\. Compare runs"
        ):
            match(runs, "drop")


def test_prompts_are_only_told():
    one, two = replace(AB[0], prompts=[1, 2, 3]), replace(AB[1], prompts=[4, 1, 5])
    found = match([one, two], "error")
    assert (found.ids, found.n_prompts, found.unmatched) == ([*"xyz"], 2, [])
    assert str(found).endswith("prompts differ on 2 of them: another template or shots?")
    assert match([one, AB[1]], "error").n_prompts == 0


def test_many_are_counted(two):
    """Ten are listed, and the number."""
    rows = "\n".join(f'{{"id":{k},"score":1}}' for k in range(10_001))
    listed = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 9,990 more"
    with pytest.raises(InputError, match=rf"ids: 10,000 not in .*b\.jsonl: {listed}\. Run all"):
        read_runs(*two(rows, rows[:18]))
    found = match([run("a", range(10_001)), run("b", [0])], "drop")
    assert (found.ids, [len(x.ids) for x in found.unmatched]) == ([0], [10_000])
    assert str(found) == f"1 example matched by id\nleft out: 10,000 not in b: {listed}"


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([1, 2], ["1", "2"], r"^.*b\.jsonl has the id '1' \(str\), and .*a\.jsonl has 1 \(int\)"),
        ([1, "2"], [1, 2], r"^.*a\.jsonl has the id '2' \(str\), also 1 \(int\)"),
        (["x", 7], ["x"], r"a\.jsonl has the id 7 \(int\), also 'x' \(str\): a text never equ"),
    ],
)
def test_types_of_ids(first, second, message, two):
    rows = [[{"id": x, "score": 1} for x in ids] for ids in (first, second)]
    for on_missing in ("error", "drop"):
        with pytest.raises(InputError, match=message):
            read_runs(*two(*rows), on_missing=on_missing)


def test_another_document(tmp_path):
    """Hashes of real logs: of the document, of what is right; and of prompts, which may differ."""
    one, two = lm_eval("logistic_regression"), lm_eval("naive_bayes")

    def other(key):
        def change(line):
            return line | {key: "0" * 64} if line["doc_id"] in (38, 71) else line

        return changed(two, tmp_path / key, change)

    for key in ("doc_hash", "target_hash"):
        message = "2 stand for different documents: 38, 71"
        with pytest.raises(InputError, match=message):
            read_runs(one, other(key))
        runs = read_runs(one, other(key), on_missing="drop")
        assert (len(runs.ids), f"left out: {message}" in str(runs)) == (14, True)
    runs = read_runs(one, other("prompt_hash"))
    assert (len(runs.ids), runs.matching.n_prompts) == (16, 2)


tables = st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from([None, 1, 2])), max_size=7)


@given(tables, tables)
def test_as_plainly_said(first, second):
    """What is kept has one row in each table, and no other reference."""
    runs = [
        run(name, [x for x, _ in rows], references=[y for _, y in rows])
        for name, rows in (("a", first), ("b", second))
    ]
    wanted = []
    for x in "abcde":
        found = [[y for key, y in rows if key == x] for rows in (first, second)]
        if [len(y) for y in found] == [1, 1]:
            (one,), (two,) = found
            wanted += [x] if one == two or one is None or two is None else []
    if not wanted:
        with pytest.raises(InputError, match="no example is left"):
            match(runs, "drop")
    else:
        assert match(runs, "drop").ids == wanted
    if not len(wanted) == len(first) == len(second):
        with pytest.raises(InputError, match="do not hold the same examples"):
            match(runs, "error")
