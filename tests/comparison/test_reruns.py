"""Runs beside reruns: p by all assignments in fractions, and what is told of the noise."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given

from pairedperm import InputError, noise, rerun_test
from pairedperm.comparison.reruns import laws_of_draws
from properties import generators


def true_tails(scores, n_new):
    """P(T ≤ t) and P(T ≥ t), by every choice of the new runs on every item."""
    n_runs = len(scores[0])
    of_items = [
        [sum(row[k] for k in some) for some in combinations(range(n_runs), n_new)] for row in scores
    ]
    totals = [sum(x) for x in product(*of_items)]
    observed = sum(sum(row[:n_new]) for row in scores)
    return tuple(
        Fraction(sum(is_beyond(x, observed) for x in totals), len(totals))
        for is_beyond in (int.__le__, int.__ge__)
    )


@given(generators)
def test_p_is_that_of_all_assignments(rng):
    n, n_new, n_old = rng.integers(1, 5), int(rng.integers(1, 3)), int(rng.integers(1, 4))
    scores = rng.integers(0, rng.integers(2, 5), (n, n_new + n_old))
    new, old = scores[:, :n_new].T.tolist(), scores[:, n_new:].T.tolist()
    below, above = true_tails(scores.tolist(), n_new)
    for alternative, true in (
        ("less", below),
        ("greater", above),
        ("two-sided", min(2 * min(below, above), Fraction(1))),
    ):
        found = rerun_test(new, old, alternative=alternative)
        assert found.p_items == pytest.approx(float(true), rel=1e-12)
        assert found.difference == pytest.approx(np.mean(new) - np.mean(old), abs=1e-12)


def test_one_run_of_each_is_the_sign_test():
    new, old = [1] * 9 + [0] + [1] * 5, [0] * 9 + [1] + [1] * 5
    assert rerun_test([new], [old]).p_items == pytest.approx(2 * 11 / 2**10, rel=1e-14)


def test_groups_stay_together():
    """Two items of a group are one, whose score is their sum."""
    scores = np.array([[1, 0, 0], [1, 0, 1], [0, 1, 0], [1, 1, 0]])
    groups = ["a", "a", "b", "c"]
    sums = [[2, 0, 1], [0, 1, 0], [1, 1, 0]]
    found = rerun_test([scores[:, 0].tolist()], scores[:, 1:].T.tolist(), groups=groups)
    below, above = true_tails(sums, 1)
    assert found.p_items == pytest.approx(float(min(2 * min(below, above), 1)), rel=1e-12)
    assert (found.n, found.n_groups) == (4, 3)


def test_real_scores_are_sampled_about_the_truth():
    scores = np.random.default_rng(5).random((4, 4))
    scores[:, 0] += 0.3
    new, old = scores[:, :1].T.tolist(), scores[:, 1:].T.tolist()
    found = rerun_test(new, old, alternative="greater", n_resamples=2000, rng=3)
    totals = [sum(x) for x in product(*scores.tolist())]
    share = np.mean(np.array(totals) >= scores[:, 0].sum() - 1e-9)
    assert abs(found.p_items - share) < 5 * math.sqrt(share / 2000)
    assert (found.n_resamples, found.seed) == (2000, 3)


def test_laws_of_draws_without_replacement():
    masses = laws_of_draws(np.array([[0, 0, 1, 1, 3], [2, 2, 2, 2, 2]]), 2)
    assert [*map(round, 10 * masses[0])] == [1, 4, 1, 2, 2, 0, 0]
    assert [*masses[1]] == [0, 0, 0, 0, 1, 0, 0]


@pytest.mark.parametrize(("n_new", "shift"), [(1, 0.05), (3, 0.1), (2, 0.9)])
def test_many_items(n_new, shift):
    """All digits, far out too: in integers, of scores in quarters."""
    rng = np.random.default_rng(n_new)
    scores = (4 * rng.random((300, 5))).astype(int)
    scores[:, :n_new] -= rng.random((300, n_new)) < shift
    ways = {0: 1}
    for row in scores.tolist():
        one = Counter(map(sum, combinations(row, n_new)))
        more = Counter()
        for (x, k), (y, n) in product(ways.items(), one.items()):
            more[x + y] += k * n
        ways = more
    observed, every = int(scores[:, :n_new].sum()), math.comb(5, n_new) ** 300
    true = Fraction(sum(n for x, n in ways.items() if x <= observed), every)
    quarters = (scores.T / 4).tolist()
    found = rerun_test(quarters[:n_new], quarters[n_new:], alternative="less")
    assert found.p_items == pytest.approx(float(true), rel=1e-11)


def test_p_is_never_0():
    found = rerun_test([[0] * 2000], [[1] * 2000] * 3)
    assert 0.0 < found.p_items < 1e-320
    assert "p = 1e-300 or less" in str(found)


@pytest.mark.parametrize("size", [10.0**15, 1e200, 1e-200])
def test_scores_of_any_size(size):
    rng = np.random.default_rng(1)
    plain = rng.integers(0, 2, (4, 40))
    plain[0] |= rng.integers(0, 2, 40)
    runs, large = plain.tolist(), (size * plain).tolist()
    found, same = (rerun_test(x[:1], x[1:]) for x in (large, runs))
    off = 0.02 if found.n_resamples else 0.0  # of numbers this far from 1, p is sampled
    assert found.p_items == pytest.approx(same.p_items, abs=off)
    assert found.p_rank == same.p_rank
    assert found.p_runs == pytest.approx(same.p_runs, rel=1e-9)
    assert noise(large).floor == pytest.approx(size * noise(runs).floor, rel=1e-9)


def test_whole_runs():
    """The prediction t of a normal law, with the spread of the old runs; the rank beside it."""
    old = [[1] * k + [0] * (100 - k) for k in (80, 82, 84)]
    new = [[1] * 70 + [0] * 30]
    found = rerun_test(new, old)
    t = (0.70 - 0.82) / (0.02 * math.sqrt(1 + 1 / 3))
    assert found.p_runs == pytest.approx(2 * (0.5 - abs(t) / (2 * math.sqrt(2 + t * t))), rel=1e-9)
    assert found.p_rank == 0.5  # the least of 4, twice
    assert found.pvalue == max(found.p_items, found.p_runs)
    for few in (old[:2], [old[0]] * 3):
        found = rerun_test(new, few)
        assert found.p_runs is None
        assert "cannot show whether runs fail together" in str(found)


def test_noise():
    """Flip rate, agreement and floor of the definition; too few flips give no floor."""
    rng = np.random.default_rng(2)
    scores = (rng.random((60, 5)) < rng.choice([0.02, 0.5, 0.98], (60, 1))).astype(int)
    found = noise(scores.T.tolist())
    k = scores.sum(axis=1)
    assert found.flip_rate == pytest.approx((2 * k * (5 - k) / 20).mean())
    assert found.share_agreeing == pytest.approx(np.isin(k, (0, 5)).mean())
    deviation = math.sqrt(scores.var(axis=1, ddof=1).sum()) / 60
    assert found.floor == pytest.approx(1.96 * deviation * math.sqrt(2))
    few = noise([[1] * 20, [1] * 19 + [0], [1] * 20])
    assert few.floor is None
    assert few.most_unseen == pytest.approx(1 - 0.05 ** (1 / 20))


def test_cochrans_q():
    """Against a published example: Q = 13.2 would be of 4 runs; here by its definition."""
    from scipy.stats import chi2

    scores = np.random.default_rng(0).integers(0, 2, (30, 4))
    runs, items = scores.sum(axis=0), scores.sum(axis=1)
    q = 3 * (4 * (runs**2).sum() - runs.sum() ** 2) / (4 * items.sum() - (items**2).sum())
    assert noise(scores.T.tolist()).cochran_p == pytest.approx(chi2.sf(q, 3))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rerun_test([1, 0], [[1, 0]]), "`new` must be a list of runs"),
        (lambda: rerun_test([[1, 0]], []), "`reruns` must be a list of runs"),
        (lambda: noise([[1, 0]]), "`runs` must be two or more"),
        (lambda: rerun_test([[1, 0]], [[1, 0]], [1, 0], "f1"), "`metric` must be a mean over"),
        (lambda: rerun_test([[1, 0]], [[1]]), r"`reruns\[0\]`"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(InputError, match=message):
        call()
