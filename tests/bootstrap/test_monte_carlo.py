"""The bootstrap that is sampled: the ideal one does not apply, or costs too much."""

from fractions import Fraction

import numpy as np
import pytest

from oracles import draws as boot
from oracles.texts import shares
from pairedperm import Ratio, compare, paired_bootstrap_test
from properties import one_in

ACCURACY = Ratio([1, 0], [0, 1])
N_RESAMPLES = 20_000
OPTIONS = [
    {"alternative": alternative, "ties": ties}
    for alternative in ("two-sided", "greater", "less")
    for ties in ("include", "exclude")
]


def assert_is_sampled(result, truth, n_resamples=N_RESAMPLES):
    """Within 5 standard errors."""
    assert (result.method, result.interval) == ("monte_carlo", "confidence")
    assert result.n_resamples == n_resamples
    error = (float(truth) * (1.0 - float(truth)) / n_resamples) ** 0.5
    assert abs(result.pvalue - float(truth)) <= 5.0 * error + 1.0 / n_resamples


# Real numbers


@pytest.mark.parametrize("options", OPTIONS, ids=lambda x: " ".join(x.values()))
def test_of_all_resamples(options):
    """Real scores of five examples; some sums tie exactly. None warns."""
    scores1 = np.array([2**0.5, 0.1 + 0.2, -(3**0.5), 2**0.5, 1.0])
    scores2 = np.array([0.0, 0.3, 0.0, 0.0, 3**0.5])
    truth = boot.Enumeration(boot.mean_scores(scores1, scores2), 5).pvalue(**options)
    found = paired_bootstrap_test(scores1, scores2, n_resamples=N_RESAMPLES, rng=0, **options)
    assert_is_sampled(found, truth)
    sampled = {"method": "monte_carlo", "n_resamples": N_RESAMPLES, "rng": 0}
    assert paired_bootstrap_test(scores1, scores2, **sampled, **options) == found


@one_in(2)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_beside_decimals(alternative):
    """The same scores with three decimals have an exact ideal bootstrap."""
    scores1, scores2 = np.random.default_rng(4).normal(size=(2, 30))
    scores1 += 0.3
    found, near = (
        paired_bootstrap_test(*columns, alternative=alternative, rng=0, n_resamples=N_RESAMPLES)
        for columns in ((scores1, scores2), (np.round(scores1, 3), np.round(scores2, 3)))
    )
    assert near.method == "exact"
    assert_is_sampled(found, near.pvalue)
    spread = np.std(scores1 - scores2) / 30**0.5
    intervals = (
        (x.confidence_interval(), x.score1_interval, x.score2_interval) for x in (found, near)
    )
    for own, other in zip(*intervals, strict=True):
        assert own == pytest.approx(other, abs=0.15 * spread)
    assert found.statistic == pytest.approx(np.mean(scores1 - scores2), abs=1e-15)


def test_scores_of_reals_are_rounded_once():
    """Means and their difference are exact, although plain sums would lose digits."""
    scores1, scores2 = np.array([2.0**60, 2**0.5, -(2.0**60), 0.1]), np.array([0.0, 2**0.5, 0, 0])
    found = paired_bootstrap_test(scores1, scores2, rng=0)
    assert found.score1 == float(sum(map(Fraction, scores1.tolist())) / 4)
    assert (found.score2, found.statistic) == (2**0.5 / 4, 0.1 / 4)


def test_nothing_but_wins():
    wins = np.array([2**0.5, 3**0.5, 5**0.5])
    found = paired_bootstrap_test(wins, 0.0 * wins, alternative="greater", n_resamples=99)
    assert found.pvalue == 0.01
    found = paired_bootstrap_test(wins, wins)
    assert (found.pvalue, found.pvalue_interval[1]) == (1.0, 1.0)
    assert tuple(found.confidence_interval()) == (0.0, 0.0)


# What is refused, and what auto does


@pytest.mark.thorough
def test_beyond_the_budget():
    """Sentences of many sizes: sampled with a warning."""
    rng = np.random.default_rng(1)
    sizes = rng.integers(1, 10, 80)
    rows = [np.stack((rng.binomial(sizes, share), sizes), axis=1) for share in (0.8, 0.76)]
    few = {"budget": {"max_points": 2**12}, "rng": 0, "n_resamples": N_RESAMPLES}
    exact = paired_bootstrap_test(*rows, score=ACCURACY)
    with pytest.warns(
        UserWarning, match="p is estimated .*, because the percentiles of a ratio need"
    ) as warned:
        found = paired_bootstrap_test(*rows, score=ACCURACY, **few)
    assert len(warned) == 1
    assert_is_sampled(found, exact.pvalue)
    spread = np.subtract(*exact.confidence_interval()) / 3.92
    assert found.confidence_interval() == pytest.approx(
        exact.confidence_interval(), abs=abs(0.15 * spread)
    )


@pytest.mark.parametrize("ties", ["include", "exclude"])
def test_answers(ties):
    """Shares have a common denominator of many digits. None warns."""
    rng = np.random.default_rng(9)
    texts = [" ".join(rng.choice(["b", "c", "d", "e"], size)) for size in rng.integers(50, 200, 15)]
    one, two, right = texts[:5], texts[5:10], texts[10:]
    exact = [shares("squad_f1", column, right) for column in (one, two)]
    options = {"test": "bootstrap", "ties": ties, "n_resamples": N_RESAMPLES, "rng": 0}
    found = compare(one, two, right, "squad_f1", **options)
    score1, score2 = (sum(column) / 5 for column in exact)
    assert (found.score1, found.score2) == (float(score1), float(score2))
    assert found.statistic == float(score1 - score2)
    assert_is_sampled(found, boot.Enumeration(boot.mean_scores(*exact), 5).pvalue(ties=ties))
