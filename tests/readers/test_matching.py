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
    found = match(runs, "drop")
    assert found.ids == [*left]
    for one, place in zip(runs, found.places, strict=True):
        assert [one.ids[k] for k in place] == found.ids
    n = f"{len(left)} example{'s' * (len(left) > 1)}"
    lines = [f"{n} matched by id", *(f"left out: {x}" for x in message.split("; "))]
    assert str(found).split("\n") == lines


def test_prompts_are_only_told():
    one, two = replace(AB[0], prompts=[1, 2, 3]), replace(AB[1], prompts=[4, 1, 5])
    found = match([one, two], "error")
    assert (found.ids, found.n_prompts, found.unmatched) == ([*"xyz"], 2, [])
    assert str(found).endswith("prompts differ on 2 of them: another template or shots?")
    assert match([one, AB[1]], "error").n_prompts == 0


def test_many_are_counted():
    """Ten are listed, and the number."""
    listed = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 9,990 more"
    found = match([run("a", range(10_001)), run("b", [0])], "drop")
    assert (found.ids, [len(x.ids) for x in found.unmatched]) == ([0], [10_000])
    assert str(found) == f"1 example matched by id\nleft out: 10,000 not in b: {listed}"


def test_another_document(tmp_path):
    """Hashes of real logs: of the document, of what is right; and of prompts, which may differ."""
    one, two = lm_eval("logistic_regression"), lm_eval("naive_bayes")

    def other(key):
        def change(line):
            return line | {key: "0" * 64} if line["doc_id"] in (38, 71) else line

        return changed(two, tmp_path / key, change)

    for key in ("doc_hash", "target_hash"):
        message = "2 stand for different documents: 38, 71"
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
