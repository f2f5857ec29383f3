"""The mean of scores that were given: contracts, and as of two columns of numbers."""

import decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pairedperm
from oracles.texts import brute_force
from pairedperm import InputError, compare, compare_many, paired_permutation_test
from pairedperm.scoring.metrics.mean_score import MeanScore
from properties import cases, generators, one_in
from scoring.contract import ALTERNATIVES, Contract, check_metric

METRIC = "mean_score"
ONE, TWO = [0.5, 0.75, 1, 0.25, 0.1], [0.5, 0.25, 0.5, 0.5, 0]
NAMED = ("metric", "metric_options")


def options(rng):
    found = {"of": str(rng.choice(["chrF", "a judge"]))} if rng.random() < 0.5 else {}
    return found | ({"lower_is_better": True} if rng.random() < 0.5 else {})


def decimals(rng, n):
    """Or integers."""
    columns = rng.integers(-99, 99, (2, n)) / 10.0 ** int(rng.integers(0, 4))
    if rng.random() < 0.3:
        columns = rng.integers(-9, 9, (2, n))
    return (*columns.tolist(), None), options(rng)


def real_numbers(rng, n):
    return (*rng.normal(size=(2, n)).tolist(), None), options(rng)


def mean(predictions, _, of=None, lower_is_better=False):
    """Real numbers are what floats hold, decimals what they print as."""
    found = [Fraction(x) if len(str(x)) > 9 else Fraction(str(x)) for x in predictions]
    return sum(found) / Fraction(len(found))


test_contract = check_metric(
    Contract(METRIC, decimals, mean),
    Contract(METRIC, real_numbers, mean, name="reals", few=6, is_counted=False),
)

exact = {
    "Decimals": st.decimals(-3, 3, places=2),
    "fractions": st.fractions(-2, 2, max_denominator=12),
}


def pairs(scores):
    return st.lists(st.tuples(scores, scores), min_size=1, max_size=8)


def without_names(result):
    return {name: x for name, x in result.to_dict().items() if name not in NAMED}


@one_in(2)
@cases(0.5)
@pytest.mark.parametrize("kind", exact)
@given(data=st.data())
def test_decimals_and_fractions(kind, data):
    """By all swaps; they are those of two columns of numbers."""
    one, two = zip(*data.draw(pairs(exact[kind])), strict=True)
    meant = [[Fraction(str(x)) for x in column] for column in (one, two)]
    for alternative in ALTERNATIVES:
        result = compare(list(one), list(two), None, METRIC, alternative=alternative)
        assert result.pvalue == pytest.approx(float(brute_force(*meant, alternative)), rel=1e-12)
        for score, column in ((result.score1, meant[0]), (result.score2, meant[1])):
            assert score == pytest.approx(float(sum(column) / len(column)), rel=1e-14)
        plain = paired_permutation_test(list(one), list(two), alternative=alternative)
        assert without_names(result) == without_names(plain)


@cases(0.3)
@given(rng=generators)
def test_real_scores_groups_and_draws(rng):
    one, two = rng.normal(size=(2, 12))
    groups = rng.integers(0, 4, 12)
    for options in ({}, {"groups": groups}, {"test": "bootstrap", "rng": 1, "n_resamples": 99}):
        result = compare(one, two, None, METRIC, **options)
        options = dict(options)
        is_bootstrap = options.pop("test", None) == "bootstrap"
        test = pairedperm.paired_bootstrap_test if is_bootstrap else paired_permutation_test
        assert without_names(result) == without_names(test(one, two, **options))


def test_fractions_without_a_common_denominator():
    """In int64 there is none: they are floats then, and p is bracketed."""
    primes = [2**61 - 1, 2**31 - 1, 1_000_003, 998_244_353, 10**9 + 7]
    one, two = ([Fraction(k, p) for k, p in enumerate(primes, start)] for start in (1, 7))
    for alternative in ALTERNATIVES:
        low, high = compare(one, two, None, METRIC, alternative=alternative).pvalue_interval
        assert low <= float(brute_force(one, two, alternative)) <= high


def test_losses():
    """The same p and difference; who did better is turned round."""
    scores, losses = (
        compare(ONE, TWO, None, METRIC, of="x", lower_is_better=lower) for lower in (False, True)
    )
    assert (scores.n_wins, scores.n_losses, scores.n_ties) == (3, 1, 1)
    assert (losses.n_wins, losses.n_losses, losses.n_ties) == (1, 3, 1)
    assert losses.metric_options == {"of": "x", "lower_is_better": True}
    assert (losses.pvalue, losses.statistic) == (scores.pvalue, scores.statistic)
    assert "The mean x of system 1 does not differ" in scores.summary()
    systems = {"a": [3, 1, 2, 2], "b": [1, 1, 1, 1], "c": [2, 1, 2, 2]}
    for lower, order in ((False, "acb"), (True, "bca")):
        found = compare_many(systems, None, METRIC, of="loss", lower_is_better=lower)
        assert "".join(row["system"] for row in found.to_dict()["systems"]) == order
        assert "mean loss" in str(found).lower()


@pytest.mark.parametrize(
    "given", [np.array, tuple, pd.Series, lambda x: [*map(decimal.Decimal, map(str, x))]]
)
def test_kinds_of_columns(given):
    wanted = compare(ONE, TWO, None, METRIC)
    assert compare(given(ONE), given(TWO), None, METRIC) == wanted


@pytest.mark.parametrize(
    ("metric", "options", "words"),
    [
        (MeanScore(), None, "mean score"),
        (MeanScore(of=" a\n judge "), {"of": "a judge"}, "mean a judge"),
        (MeanScore(lower_is_better=np.True_), {"lower_is_better": True}, "mean score"),
        (MeanScore(of="f", lower_is_better=True), {"of": "f", "lower_is_better": True}, "mean f"),
    ],
)
def test_options(metric, options, words):
    assert (metric.options, metric.in_words) == (options, words)
    assert type(metric.lower_is_better) is bool


def test_a_batch_that_is_refused_is_not_added():
    module = pairedperm.load("paired_perm", METRIC)
    module.add_batch(predictions1=[1, 2], predictions2=[0, 1])
    with pytest.raises(InputError, match=r"`predictions2`\[1\] is nan"):
        module.add_batch(predictions1=[1, 2], predictions2=[0, np.nan])
    assert len(module) == 2


def test_arrays_that_change_afterwards():
    """What was added stays as it was."""
    columns = {"predictions1": np.array([3, 1, 2]), "predictions2": np.array([1, 1, 1])}
    module = pairedperm.load("paired_perm", METRIC)
    module.add_batch(**columns)
    wanted = compare(*(x.copy() for x in columns.values()), None, METRIC).to_dict()
    columns["predictions1"][:] = 0
    assert module.compute() == wanted


def test_an_end_of_the_range_in_floats():
    """0.1 + 0.2 is the float after 0.3; beside reals no decimal is read."""
    three = 0.1 + 0.2
    for scores, score_range in (([three, 0.1 / 3], (0, 0.3)), ([0.3, 0.0], (0, three))):
        found = compare(scores, [0.1, 0.2], None, "mean_score", score_range=score_range)
        assert found.score1 == pytest.approx(sum(scores) / 2)
    for high in (0.3, three):
        found = compare([three, 0.0, 0.3], [0.0] * 3, None, "mean_score", score_range=(0, high))
        assert found.confidence_interval().method == "exact"
    with pytest.raises(InputError, match="hold all scores"):
        compare([0.3001, 0.0], [0.0, 0.1], None, "mean_score", score_range=(0, three))
