"""Word error rate, against a distance by dynamic programming."""

import sys
from fractions import Fraction

import pytest
from hypothesis import assume, given

from corpora.texts import NAMES, transcripts
from extras import needs
from oracles.texts import brute_force, distance
from oracles.vectors import ALTERNATIVES
from pairedperm import InputError, compare
from pairedperm.hf.streaming import OtherStream
from properties import cases, generators


def test_word_errors_by_hand():
    needs("rapidfuzz", "wer")
    one = ["the cat sat on the mat", "a", "on  the\tmat\n"]
    two = ["cat sits on a mat", "", "on the mat"]
    right = ["the cat sat on the mat", "a b", "on the mat"]
    result = compare(one, two, right, "word_error_rate")
    # of 6 + 2 + 3 words: one is inserted by system 1; system 2 lacks "the", "a", "b", and has
    # "sits" for "sat" and "a" for "the"
    assert (result.score1, result.score2) == (1 / 11, 5 / 11)
    assert (result.n, result.n_differing, result.metric) == (3, 2, "word_error_rate")
    assert result.pvalue == 0.5
    assert result.statistic < 0  # lower is better
    assert compare(["a b c d"], ["a"], ["a"], "word_error_rate").score1 == 3.0


@cases(0.2)
@given(rng=generators)
def test_word_error_rate(rng):
    """Texts, tokens and numbers of tokens, against a distance by dynamic programming."""
    needs("rapidfuzz", "wer")
    columns = transcripts(rng, int(rng.integers(1, 10)))
    right = columns["references"]
    n_words = sum(map(len, right))
    assume(n_words)
    errors = [
        [Fraction(distance(a, b), n_words) for a, b in zip(columns[name], right, strict=True)]
        for name in NAMES[:2]
    ]
    for alternative in ALTERNATIVES:
        options = {"metric": "word_error_rate", "alternative": alternative}
        result = compare(**columns, **options)
        assert result.score1 == pytest.approx(float(sum(errors[0])), rel=1e-15)
        assert result.score2 == pytest.approx(float(sum(errors[1])), rel=1e-15)
        assert result.pvalue == float(brute_force(*errors, alternative))
        texts = {name: [" ".join(row) for row in rows] for name, rows in columns.items()}
        assert compare(**texts, **options) == result
        assert compare(**(columns | {"references": texts["references"]}), **options) == result
        number = {"one": 0, "two": 1, "three": 2, "two.": 3}
        numbers = {name: [[number[x] for x in row] for row in y] for name, y in columns.items()}
        assert compare(**numbers, **options) == result


def test_word_error_rate_needs_words():
    needs("rapidfuzz", "wer")
    message = "`references` holds no word: a rate needs one"
    for columns in ((["a", ""], ["", ""], ["", " \n"]), ([["a"], []], [["b"], []], [[], []])):
        with pytest.raises(InputError, match=message):
            compare(*columns, "word_error_rate")
    stream = OtherStream("word_error_rate")
    stream.add({"predictions1": ["a"], "predictions2": ["b"], "references": [""]})
    with pytest.raises(InputError, match=message):
        stream.test({}, None)
    assert stream.test({name: ["a"] for name in NAMES}, None).score1 == 1.0


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([1, 2], ["a", "b"], ["a", "b"]), r"`predictions1` must hold a text, .*integers \(1\)"),
        ((["a"], ["b"], [3]), r"`references` must hold a text, .* got single integers \(3\)"),
        ((["a"], ["b", "c"], ["a", "b"]), "`predictions1` has 1 examples and `references` has 2"),
        ((["a"], None, ["a"]), "`predictions2` is missing"),
        (([["a"], None], ["a", "b"], ["a", "b"]), r"`predictions1`\[1\] is missing"),
        (([0.5], ["a"], ["a"]), r"`predictions1`\[0\] is a float"),
        (
            ([["a"]], [["b"]], [[3]]),
            r"`predictions1` holds the token 'a' .* and `references` 3 .*: no token could match",
        ),
        (([[3]], ["b"], [[3]]), "`predictions2` holds the token 'b' .*no token could match"),
    ],
)
def test_columns_without_words(columns, message):
    with pytest.raises(InputError, match=message):
        compare(*columns, "word_error_rate")


def test_word_error_rate_without_rapidfuzz(monkeypatch):
    for module in [name for name in sys.modules if name.split(".")[0] == "rapidfuzz"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(
        ImportError, match=r"'word_error_rate' needs rapidfuzz: pip install '.\[wer\]'"
    ):
        compare(["a"], ["b"], ["a"], "word_error_rate")
    assert compare(["x"], ["y"], ["x"], "squad_f1").score1 == 1.0
