"""The interval of one score, and its p beside a number, against binomials in integers."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pairedperm import score_interval
from pairedperm.population.one import interval_of_score, pvalues_beside
from properties import one_in

ALPHAS = (0.05, 0.01, 0.2)


def at_least(k: int, m: int, share: Fraction) -> Fraction:
    """P(Bin(m, share) ≥ k)."""
    ways = (math.comb(m, j) * share**j * (1 - share) ** (m - j) for j in range(k, m + 1))
    return sum(ways, Fraction(0))


@one_in(2)
@pytest.mark.parametrize("m", [2, 7, 20])
@pytest.mark.parametrize("alpha", ALPHAS)
def test_right_and_wrong(m, alpha):
    """At its limits the tails are α; p beside a number is a tail."""
    for k in range(m + 1):
        found = score_interval([1] * k + [0] * (m - k), [1] * m, confidence_level=1 - 2 * alpha)
        low, high = found.interval
        assert found.interval.method == "exact"
        assert low == 0 if not k else float(at_least(k, m, Fraction(low))) == pytest.approx(alpha)
        wrong = Fraction(1) - Fraction(high)
        assert high == 1 if k == m else float(at_least(m - k, m, wrong)) == pytest.approx(alpha)
        above, below = pvalues_beside(found.sample, 0.75, alpha)
        assert above == pytest.approx(float(at_least(k, m, Fraction(3, 4))), rel=1e-12)
        assert below == pytest.approx(float(at_least(m - k, m, Fraction(1, 4))), rel=1e-12)


@pytest.mark.parametrize(
    ("metric", "counted", "score"),
    [
        ("f1", "tp fp fn", lambda share: 2 * share / (1 + share)),
        ("jaccard", "tp fp fn", lambda share: share),
        ("precision", "tp fp", lambda share: share),
        ("recall", "tp fn", lambda share: share),
        ("specificity", "tn fp", lambda share: share),
    ],
)
def test_scores_of_one_class(metric, counted, score):
    """Given what is counted, the right ones are binomial: the limits are those of their share."""
    sizes = {"tp": 14, "fp": 3, "fn": 5, "tn": 9}
    rows = {"tp": (1, 1), "fp": (1, 0), "fn": (0, 1), "tn": (0, 0)}
    columns = [[rows[x][k] for x, n in sizes.items() for _ in range(n)] for k in (0, 1)]
    found = score_interval(*columns, metric)
    m, k = sum(sizes[x] for x in counted.split()), sizes[counted.split()[0]]
    low, high = score_interval([1] * k + [0] * (m - k), [1] * m).interval
    assert found.interval.method == "exact"
    assert found.interval == pytest.approx((score(low), score(high)), rel=1e-12)
    assert found.score == pytest.approx(score(k / m))


def test_others_are_studentised_or_guaranteed():
    rng = np.random.default_rng(0)
    graded = rng.choice([0.0, 0.25, 0.5, 1.0], 200).tolist()
    assert score_interval(graded).interval.method == "studentised bootstrap"
    few = [1.0] * 100 + [0.5] * 29
    assert score_interval(few).interval is None
    assert "29" in score_interval(few).no_interval
    known = score_interval(few, metric="mean_score", score_range=(0, 1))
    assert known.interval.method == "guaranteed"
    low, high = known.interval
    assert 0.75 < low < known.score < high < 0.95
    groups = [k // 4 for k in range(200)]
    found = score_interval(graded, groups=groups)
    assert (found.n, found.n_groups, found.interval.method) == (200, 50, "studentised bootstrap")


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_p_agrees_with_the_interval(alpha):
    """P is at most α where the interval of the level 1 - 2 α excludes the number."""
    rng = np.random.default_rng(1)
    samples = [
        score_interval(rng.choice([0.0, 0.25, 0.5, 1.0], 80).tolist()).sample,
        score_interval([1.0] * 60 + [0.5] * 20, metric="mean_score", score_range=(0, 1)).sample,
    ]
    for sample in samples:
        low, high = interval_of_score(sample, 1 - 2 * alpha)
        for number in np.linspace(low - 0.05, high + 0.05, 41):
            above, below = pvalues_beside(sample, float(number), alpha)
            assert (above <= alpha * (1 + 1e-9)) == (number <= low)
            assert (below <= alpha * (1 + 1e-9)) == (number >= high)
