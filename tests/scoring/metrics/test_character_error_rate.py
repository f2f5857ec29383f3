"""Character error rate, against jiwer's and a distance by dynamic programming."""

import jiwer
import numpy as np
import pytest
from hypothesis import assume, given

from corpora.texts import NAMES, random_text
from extras import needs
from oracles.texts import brute_force, distance
from oracles.vectors import ALTERNATIVES
from pairedperm import InputError, compare
from pairedperm.hf.streaming import OtherStream
from properties import cases, generators

METRIC = "character_error_rate"


@cases(0.3)
@given(rng=generators)
def test_texts(rng):
    needs("rapidfuzz", "wer")
    n = int(rng.integers(1, 9))
    columns = [[random_text(rng, 3) for _ in range(n)] for _ in NAMES]
    columns = [[f" {x}\n" if rng.random() < 0.2 else x for x in column] for column in columns]
    one, two, right = ([text.strip() for text in column] for column in columns)
    n_characters = sum(map(len, right))
    assume(n_characters)
    errors = [[distance(a, b) for a, b in zip(x, right, strict=True)] for x in (one, two)]
    for alternative in ALTERNATIVES:
        result = compare(*columns, METRIC, alternative=alternative)
        assert result.score1 == sum(errors[0]) / n_characters
        assert result.score2 == sum(errors[1]) / n_characters
        assert result.pvalue == float(brute_force(*errors, alternative))
        assert result.score1 == pytest.approx(jiwer.cer(columns[2], columns[0]), rel=1e-12)
    for start in (0, n // 2):
        stream = OtherStream(METRIC)
        parts = {name: x[:start] for name, x in zip(NAMES, columns, strict=True)}
        rest = {name: x[start:] for name, x in zip(NAMES, columns, strict=True)}
        if start:
            stream.add(parts)
        assert stream.test(rest, None, alternative=ALTERNATIVES[-1]) == result


def test_swaps_of_jiwers_own_rate():
    """The shares of errors and characters of each sentence, swapped 40,000 times."""
    needs("rapidfuzz", "wer")
    rng = np.random.default_rng(22)
    one, two, right = ([random_text(rng, 8) + "." for _ in range(300)] for _ in NAMES)
    errors = [
        [jiwer.process_characters(b, a) for a, b in zip(x, right, strict=True)] for x in (one, two)
    ]
    wrong = np.array([[x.substitutions + x.insertions + x.deletions for x in y] for y in errors])
    signs = rng.integers(0, 2, (40_000, 300)) * 2 - 1
    difference = wrong[0] - wrong[1]
    share = np.mean(np.abs(signs @ difference) >= abs(difference.sum()))
    p = compare(one, two, right, METRIC).pvalue
    assert abs(share - p) <= 4 * np.sqrt(p * (1 - p) / 40_000)
    assert compare(one, two, right, METRIC).score2 == pytest.approx(
        jiwer.cer(right, two), rel=1e-12
    )


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            ([1, 2], ["a", "b"], ["a", "b"]),
            "`predictions1` must hold a text per example, got integers",
        ),
        (([["a"]], ["b"], ["b"]), "`predictions1` must hold a text per example, got sequences"),
        ((["a"], ["b", "c"], ["a", "b"]), "`predictions1` has 1 examples and `references` has 2"),
        ((["a"], ["b"], None), "`references` is missing"),
        ((["a", ""], ["b", ""], ["", " "]), "`references` holds no character: a rate needs one"),
    ],
)
def test_columns_without_texts(columns, message):
    needs("rapidfuzz", "wer")
    with pytest.raises(InputError, match=message):
        compare(*columns, METRIC)
