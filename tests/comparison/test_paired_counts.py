"""Predictions counted by shards, stored and tested later: as `compare` of all examples."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from oracles import groups as oracle
from pairedperm import (
    PairedCounts,
    compare,
    paired_bootstrap_test,
    paired_counts,
    paired_permutation_test,
)
from pairedperm.comparison.paired_counts import counts_of_result
from properties import cases, generators

METRICS = [  # the data, the metric, its options: one of each kind of rows
    ("names", "accuracy", {}),
    ("names", "f1", {"average": "macro", "labels": ["x", "z"]}),
    ("ignored", "accuracy", {}),
    ("sets", "hamming_loss", {"multilabel": True}),
    ("scores", "mean_score", {"lower_is_better": True}),
    ("fractions", "mean_score", {}),
    ("likelihoods", "perplexity", {}),
]
OF_RATIOS = [
    ("texts", "squad_f1", {}),
    ("sets", "f1", {"average": "samples", "multilabel": True}),
    ("runs", "pass_at_k", {"k": 2}),
]
COUNTED = ("n_wins", "n_losses", "n_ties")  # of examples: not told by counts of groups
of_metrics = pytest.mark.parametrize(("kind", "metric", "options"), METRICS)
quiet = pytest.mark.filterwarnings("ignore::UserWarning")


def corpus(rng, kind, n=18):
    """Both systems' predictions and the references; of lengths 1 to 4."""
    lengths = [k % 4 + 1 for k in range(n)]

    def sequences(labels):
        right = [rng.choice(labels, k).tolist() for k in lengths]
        noisy = [
            [[x if rng.random() < p else rng.choice(labels).item() for x in row] for row in right]
            for p in (0.7, 0.5)
        ]
        return [*noisy, right]

    if kind == "names":
        return [[row[0] for row in column] for column in sequences([*"xyz"])]
    if kind == "ignored":
        found = sequences([0, 1, 2])
        found[2][1][1] = found[2][3][0] = -100
        return found
    if kind == "sets":
        return [[sorted({*row[1:]}) for row in column] for column in sequences([*"xyz"])]
    if kind == "texts":
        return [[" ".join(row) for row in column] for column in sequences(["cat", "sat", "mat"])]
    if kind == "runs":
        return [[rng.integers(0, 2, k + 1).tolist() for k in lengths] for _ in range(2)] + [None]
    if kind == "fractions":
        most = [(3, 7, 9, 11)[k - 1] for k in lengths]
        shares = [[Fraction(int(rng.integers(0, k)), k) for k in most] for _ in range(2)]
        return [*shares, None]
    scores = [(rng.integers(-90, 0, n) / 4).tolist() for _ in range(2)]
    return [*scores, lengths if kind == "likelihoods" else None]


def chosen(columns, places):
    return [None if x is None else [x[k] for k in places] for x in columns]


def compared(columns, metric, options, test, groups=None):
    chosen = {"test": test, "groups": groups, "n_resamples": 99, "rng": 0}
    return compare(*columns, metric, **chosen, **options)


def answer(counts, test):
    of_counts = {"permutation": paired_permutation_test, "bootstrap": paired_bootstrap_test}
    return of_counts[test](counts, n_resamples=99, rng=0)


def shards(rng, n, groups=None):
    """Places of examples in up to four shards, in any order; groups stay together."""
    if groups is None:
        return np.split(rng.permutation(n), np.sort(rng.integers(1, n, int(rng.integers(0, 4)))))
    shard = rng.integers(0, 3, max(groups) + 1)
    parts = ([k for k in rng.permutation(n) if shard[groups[k]] == s] for s in range(3))
    return [part for part in parts if part]


NAMES = corpus(np.random.default_rng(0), "names", 80)
DOCUMENTS = [k // 2 for k in range(80)]


@quiet
@of_metrics
@given(generators)
@cases(0.05)
def test_shards_in_any_order(kind, metric, options, rng):
    """As their predictions, by both tests; the whole is in another order."""
    columns = corpus(rng, kind)
    parts = [
        paired_counts(*chosen(columns, places), metric, **options)
        for places in shards(rng, 18)
        if len(places)
    ]
    whole = paired_counts(*columns, metric, **options)
    found = sum(parts)
    assert found == whole
    assert found.to_json(labels=False) == whole.to_json(labels=False)
    assert found.sha256 == whole.sha256
    for counts in (found, PairedCounts.from_json(found.to_json(labels=False))):
        for test in ("permutation", "bootstrap"):
            assert answer(counts, test) == compared(columns, metric, options, test)


@quiet
@of_metrics
@given(generators)
@cases(0.05)
def test_groups_that_are_each_in_one_shard(kind, metric, options, rng):
    columns = corpus(rng, kind)
    groups = [*range(5), *rng.integers(0, 5, 13).tolist()]
    parts = [
        paired_counts(
            *chosen(columns, places), metric, groups=chosen([groups], places)[0], **options
        )
        for places in shards(rng, 18, groups)
    ]
    whole = paired_counts(*columns, metric, groups=groups, **options)
    found = PairedCounts.from_json(sum(parts[::-1]).to_json())
    assert found == whole
    assert found.sha256 == whole.sha256
    assert (found.n, found.n_groups) == (18, 5)
    for test in ("permutation", "bootstrap"):
        expected = compared(columns, metric, options, test, groups).to_dict()
        error = pytest.approx(expected.pop("standard_error"), rel=1e-14)
        expected |= {"standard_error": error, **dict.fromkeys(COUNTED)}
        assert answer(found, test).to_dict() == expected


def test_fractions_in_one_form():
    """A half is a decimal where it is alone: of both parts the unit is 6, as of the whole."""
    shares, zeros = [Fraction(1, 2), Fraction(1, 3)], [0, 0]
    whole = paired_counts(shares, zeros, None, "mean_score")
    parts = [paired_counts([x], [0], None, "mean_score") for x in shares]
    assert paired_permutation_test(sum(parts)) == paired_permutation_test(whole)
    assert sum(parts) == whole


def test_bits_of_errors_and_intervals_of_groups():
    """Both are sums of floats in the order of the rows; draws go to rows in their order."""
    counts = paired_counts(*NAMES, groups=DOCUMENTS)
    found, expected = paired_permutation_test(counts), compare(*NAMES, groups=DOCUMENTS)
    assert found.standard_error == expected.standard_error
    assert found.confidence_interval() == expected.confidence_interval()


@given(generators)
@cases(0.5)
def test_accuracy_of_groups_by_listing(rng):
    """Labels are right or not: the mean of the share of groups' swaps, in fractions."""
    right = [rng.integers(0, 2, 9).tolist() for _ in range(2)]
    groups = [0, 1, *rng.integers(0, 5, 7).tolist()]
    found = paired_permutation_test(paired_counts(*right, [1] * 9, groups=groups))
    truth = oracle.by_swaps(lambda x: Fraction(sum(x), 9), *right, groups)
    assert found.pvalue == pytest.approx(float(truth), rel=1e-12)


def test_three_groups_by_hand():
    """Wins less losses are 3, -1 and 1: of the 8 sums of ±3, ±1, ±1 six are 3 or more from 0."""
    one = [1, 1, 1, 0, 0, 1, 1]
    two = [0, 0, 0, 0, 1, 0, 1]
    counts = paired_counts(one, two, [1] * 7, groups=[*"aaabbcc"])
    found = paired_permutation_test(PairedCounts.from_json(counts.to_json()))
    sums = [a + b + c for a in (3, -3) for b in (1, -1) for c in (1, -1)]
    assert found.pvalue == Fraction(sum(abs(x) >= 3 for x in sums), 8) == 0.75
    assert (found.score1, found.score2) == (5 / 7, 2 / 7)
    assert (found.n, found.n_groups, found.n_differing) == (7, 3, 3)
    assert found.to_dict()["n_wins"] is None
    assert paired_permutation_test(counts, alternative="greater").pvalue == 3 / 8


@pytest.mark.parametrize(("kind", "metric", "options"), OF_RATIOS)
def test_means_of_ratios(kind, metric, options):
    """Their examples can be counted, and groups of them cannot."""
    columns = corpus(np.random.default_rng(3), kind)
    parts = [
        paired_counts(*chosen(columns, places), metric, **options)
        for places in (range(11), range(11, 18))
    ]
    expected = compare(*columns, metric, **options)
    for counts in (parts[0] + parts[1], PairedCounts.from_json(sum(parts[::-1]).to_json())):
        assert paired_permutation_test(counts) == expected


def test_runs_of_an_item_are_one_group():
    runs = [[[1, 1], [0, 1], [1, 1]], [[0, 0], [0, 1], [1, 0]]]
    counts = paired_counts(*runs, [1, 1, 1])
    expected = compare(*runs, [1, 1, 1]).to_dict() | dict.fromkeys(COUNTED)
    assert paired_permutation_test(counts).to_dict() == expected
    assert (counts.n, counts.n_groups, paired_permutation_test(counts).pvalue) == (6, 3, 0.5)


@quiet
def test_groups_whose_sums_have_fewer_decimals():
    """Halves that add up to whole numbers, and thirds: their counts have one form."""
    for shares in ([0.5, 0.5, 1.5, 2.5], [Fraction(1, 3), Fraction(2, 3), Fraction(4, 3), 0]):
        counts = paired_counts(shares, [0, 0, 0, 0], None, "mean_score", groups=[1, 1, 2, 2])
        assert PairedCounts.from_json(counts.to_json()) == counts


def test_units_of_group_sums():
    """Sums may have a coarser unit than their terms, whose numbers stay within int64."""
    q, groups = 3 * 2**20, [0, 0, 0, 1, 1, 1]
    one = [Fraction(2**19 + 1, q)] * 3 + [Fraction(5, q)] * 3
    two = [Fraction(2**17, q)] * 3 + [Fraction(2**20, q)] * 3
    counts = paired_counts(one, two, None, "mean_score", groups=groups)
    assert (counts.unit, counts.decimals, counts.rows1.tolist()) == (2**20, 0, [5, 2**19 + 1])
    whole = compare(one, two, None, "mean_score", groups=groups)
    assert paired_permutation_test(counts).score1 == whole.score1 == float(sum(one) / 6)
    assert PairedCounts.from_json(counts.to_json()) == counts
    halves = paired_counts([0.5, 0.5, 0.25], [0.0, 0.0, 0.75], None, "mean_score", groups=[1, 1, 2])
    assert (halves.unit, halves.decimals, halves.rows1.tolist()) == (100, 2, [25, 100])
    tiny = [1e-20, -1e-20]
    nothing = paired_counts(tiny, tiny, None, "mean_score", groups=[0, 0])
    assert (nothing.unit, nothing.rows1.tolist(), nothing.n) == (1, [0], 2)


def test_counts_of_the_result_of_numbers_in_groups():
    """A test of numbers has no metric: 3, -1 and 1 by groups, as above."""
    tested = paired_permutation_test([1, 2, -1, 1], [0, 0, 0, 0], groups=[*"aabc"])
    counts = counts_of_result(tested)
    assert (counts.n, counts.metric) == (4, None)
    assert paired_permutation_test(counts).pvalue == tested.pvalue == 0.75
