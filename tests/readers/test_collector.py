"""Repeats of an example, whose score is their mean; and when two documents are the same."""

import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import changed, lm_eval
from pairedperm import InputError
from pairedperm.readers import read_runs
from pairedperm.readers.collector import (
    Collector,
    Document,
    exact,
    mean_of,
    with_repeats,
)
from pairedperm.readers.matching import match
from pairedperm.readers.run import Aggregated, Run, is_unscored
from pairedperm.readers.text_file import TextFile
from pairedperm.scoring import F1

scores = st.integers(-9, 9) | st.integers(-99, 99).map(lambda k: k / 10) | st.booleans()


@given(st.lists(scores, min_size=2, max_size=5))
def test_mean(values):
    assert mean_of(values) == sum(Fraction(str(float(x))) for x in values) / len(values)
    assert mean_of([*values, None]) is mean_of([math.nan, *values]) is None
    assert mean_of([*values, math.inf]) == math.inf


@pytest.mark.parametrize("score", [0.1, None, 7, Decimal("0.5")])
def test_mean_of_one(score):
    assert mean_of([score]) is score


def test_mean_of_narrow_floats():
    """It is of their type, which tells how far off it is."""
    found = mean_of([*np.float32([1 / 3, 2 / 3, 0.1])])
    assert (type(found), found) == (np.float32, np.float32(1.1 / 3))


def test_exact():
    assert [exact(x) for x in (0.1, 3, Decimal("0.25"), Fraction(1, 3), True)] == [
        Fraction(1, 10),
        3,
        Fraction(1, 4),
        Fraction(1, 3),
        1,
    ]


@pytest.mark.parametrize("score", [None, math.nan, Decimal("NaN")])
def test_unscored(score):
    assert is_unscored(score)
    assert not is_unscored(0)
    assert not is_unscored(math.inf)


def test_shares_of_repeats_are_shares():
    """Of thirds, printed by floats, the means are exact; where one is none, they are decimals."""
    ids, thirds = [1, 1, 2, 2], [1 / 3, 2 / 3, 1.0, 1 / 3]
    run = Run(path="x", format="csv", ids=ids, scores={"a": thirds, "b": [0.333, *thirds[1:]]})
    found = with_repeats(run).scores
    assert found["a"] == [Fraction(1, 2), Fraction(2, 3)]
    assert found["b"][1] == (1 + Fraction("0.3333333333333333")) / 2
    collected = Collector(TextFile("path1", Path("x")), "lm_eval")
    for k, (example, x) in enumerate(zip(ids, thirds, strict=True)):
        collected.add(example, "text", [("a", x)], repeat=k)
    assert collected.run().scores["a"] == found["a"]


def test_without_repeats():
    run = Run(path="x", format="csv", ids=[1, 2], scores={"a": [1, 2]})
    assert with_repeats(run) is run


def test_columns_of_repeats():
    run = Run(
        path="x",
        format="csv",
        ids=["b", "a", "b"],
        scores={"s": [0.1, 5, 0.2]},
        predictions=[1, 2, 3],
        references=[7, 8, 7],
        groups=[4, 5, 4],
        documents=["d", "e", "d"],
        prompts=["p", "q", "p"],
        aggregated={"f": Aggregated((F1(),), [(0, 1), (1, 1), (0, 1)])},
    )
    found = with_repeats(run)
    assert (found.ids, found.scores) == (["b", "a"], {"s": [Fraction(3, 20), 5]})
    assert (found.predictions, found.references, found.groups) == ([[1, 3], [2]], [7, 8], [4, 5])
    assert (found.documents, found.prompts, found.n_repeats) == (["d", "e"], ["p", "q"], [2, 1])
    assert found.aggregated["f"].entries == [None, (1, 1)]  # no score of one example
    assert with_repeats(Run(path="x", format="csv", ids=[1, 1])).references is None


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1, "b": 3}, {"a": 1, "b": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        ({}, {"b": 1}, True),
        ({}, {}, True),
    ],
)
def test_parts_that_both_have(one, two, same):
    assert (Document(one) == Document(two)) is same
    assert (Document(two) != Document(one)) is not same
    assert Document(one) != [*one]


def test_parts_that_the_first_of_three_lacks():
    """As a log of before December 2025 lacks the choices, which two later ones have shuffled."""
    documents = [Document(input="q", **x) for x in ({}, {"choices": "ab"}, {"choices": "ba"})]
    runs = [run(x, document) for x, document in zip("abc", documents, strict=True)]
    assert match(runs[:2], "error").ids == match(runs[1::-1], "error").ids == [7]
    for some in (runs, runs[1:], runs[::-1]):
        with pytest.raises(InputError, match=r"different documents: 7\. If documents"):
            match(some, "error")


def run(path, document, **columns):
    return Run(path=path, format="lm_eval", ids=[7], documents=[document], **columns)


def test_by_id_alone():
    """As for options that are shuffled."""
    runs = run("a", "x"), run("b", "y")
    with pytest.raises(InputError, match=r"no example is left\. .*: 7\. If documents are meant"):
        match(runs, "drop")
    found = match(runs, "error", "id")
    assert (found.ids, found.n_documents) == ([7], 1)
    assert str(found) == "1 example matched by id\nby id alone: documents differ on 1 of them"
    same = match(runs[:1] * 2, "error", "id")
    assert (same.n_documents, str(same)) == (0, "1 example matched by id\nby id alone")


def test_options_that_are_shuffled(tmp_path):
    """The harness logs hashes of them."""
    one, two = lm_eval("logistic_regression"), lm_eval("naive_bayes")

    def shuffled(line):
        document = line["doc"] | {"label": 1 - line["doc"]["label"]}
        return line | {"doc": document, "doc_hash": line["doc_hash"][::-1]}

    other = changed(two, tmp_path / "x", shuffled)
    with pytest.raises(InputError, match=r"16 stand for different documents: .*\. If docu"):
        read_runs(one, other)
    runs = read_runs(one, other, same_documents="id")
    assert "by id alone: documents differ on 16 of them" in str(runs)
    assert runs.compare("acc") == read_runs(one, two).compare("acc")


def test_many_documents_of_one_id():
    """Each is an example, also beside an id that is written so; in linear time."""
    collected = Collector(TextFile("", Path("a")), "lighteval")
    collected.add("7 (3)", "other", [("acc", 1)])
    for k in range(20_000):
        collected.add("7", f"document {k}", [("acc", k % 2)], repeat=1)
    collected.add("7", "document 1", [("acc", 0)], repeat=2)
    run = collected.run()
    assert run.ids[:5] == ["7 (3)", "7", "7 (2)", "7 (4)", "7 (5)"]
    assert (len(run.ids), run.ids[-1]) == (20_001, "7 (20001)")
    assert run.scores["acc"][:4] == [1, 0, Fraction(1, 2), 0]
