"""What results refuse: intervals and distributions that there are none of, too many samples."""

import math
from decimal import Decimal

import numpy as np

from pairedperm import (
    compare,
    compare_many,
    compare_suite,
    gate,
    paired_bootstrap_test,
    paired_permutation_test,
    structured_permutation_test,
)
from pairedperm.model_card import result_from_dict
from pairedperm.population.difference import Term
from pairedperm.population.intervals import Sample
from pairedperm.population.studentised import SummedRows, studentised_interval
from pairedperm.results.several import letters
from pairedperm.scoring.arguments import read_arguments
from pairedperm.scoring.scores import SumScore
from refusals import refuses

WINS = [1] * 5, [0] * 5, [1] * 5
RNG = np.random.default_rng(0)
REALS, PAIRS = RNG.normal(size=(2, 10**5)), RNG.normal(size=(2, 60, 2))
CLASSES = RNG.integers(900, size=(3, 1500))
SAMPLED = {"method": "monte_carlo", "rng": 0}
OF_CLASSES = {"metric": "f1", "average": "macro", "budget": {"max_bytes": 2**24}, **SAMPLED}
ENDLESS: list = []
ENDLESS.append(ENDLESS)
NULL = paired_permutation_test([1, 2], [0, 0]).null_distribution()
FINE = paired_permutation_test(RNG.integers(1, 3000, 1000), [0] * 1000)


class Formula(SumScore):
    def __init__(self, function):
        self._function = function

    def __call__(self, sums):
        return self._function(sums[:, 0])


def interval(one, two, score=None):
    rows, score, _ = read_arguments(one, two, score)
    return Sample(*score.simplify(rows.counted(), "draws")).interval(0.95)


def studentised(function):
    table, score = np.arange(10.0)[:, None], Formula(function)
    terms = [Term(score, np.s_[:], 1.0)] * 2
    return studentised_interval([SummedRows(table, np.ones(10, dtype=np.int64), terms)], 0.95, 0)


def first(sums):
    return sums[..., 0]


def share(sums):
    return sums[..., 0] / sums[..., 1]


def pair():
    """Of a board, which keeps the rows."""
    return compare_many({"a": WINS[0], "b": WINS[1]}, WINS[2]).pairs["a", "b"]


@refuses
def test_refusals():
    # Intervals
    compare([1], [0], [1]).confidence_interval()
    # -> NoIntervalError: an interval needs at least two examples or groups, some dozens … got one
    compare(*WINS, alternative="greater").confidence_interval()
    # -> `alternative` must be 'two-sided', got 'greater': a confidence interval has two ends
    structured_permutation_test([1, 2], [0, 3], np.square).confidence_interval()
    # -> `confidence_interval` is of the difference of two scores … has none
    interval([1e308, 1e308, 0.5**0.5, 0.2], [0.1, 0.2, 0.3, 0.3])
    # -> numbers up to 1e+308: their sums must be floats. Divide by a … common unit
    interval([1.7e308, 0.5**0.5, 0.2], [-1.7e308, 0.1, 0.3])
    # -> some examples have scores beyond floats: give the numerators in a larger unit
    studentised(lambda sums: sums + np.where(sums > 50.0, 1e308, 0.0))
    # -> some resamples have scores beyond floats
    interval([[1, 1], [1, 2], [0, 0], [0, 0]], [[0, 1], [1, 2], [0, 0], [0, 0]], share)
    # -> `score` … which some resamples give. Say what the score is where
    paired_permutation_test([3] * 5, [1] * 5).confidence_interval(kind="guaranteed")
    # -> `kind` must be one of 'auto', 'studentised bootstrap', 'exact' for this score, got
    #    'guaranteed'
    compare(*WINS, test="bootstrap").confidence_interval(kind="exact")
    # -> `kind` must be 'auto' for a bootstrap test, whose interval is of percentiles, got 'exact'
    compare(*WINS, test="bootstrap").null_distribution()
    # -> a bootstrap test has no null distribution of swaps. Make a permutation test.
    result_from_dict(compare(*WINS, test="bootstrap").to_dict()).confidence_interval(0.9)
    # -> this result keeps no rows … there is no confidence interval at another level. Compare
    pair().confidence_interval()
    # -> this result keeps no rows of its own … no confidence interval. Compare two systems by
    pair().null_distribution()
    # -> there is no null distribution. Compare two systems by themselves
    gate(compare_suite({"a": WINS, "b": WINS}).average)
    # -> there is no gate. Compare two systems by themselves, on one task, by a score
    # Null distributions
    NULL.cdf([0.0, math.nan])
    # -> `x` must be numbers, got NaN
    NULL.cdf([np.ma.masked, 1.5])
    # -> `x` must hold real numbers that are floats
    NULL.cdf(Decimal("sNaN"))
    # -> `x` … that are floats … Decimal('sNaN')
    NULL.quantile("a")
    # -> `q` must hold real numbers … got 'a' (str)
    compare(*WINS).summary(dataset="\ud800")
    # -> `dataset` holds characters that UTF-8 has not, '\ud800'
    NULL.quantile([0.5, 2])
    # -> `q` must be probabilities from 0 to 1, got [0.5, 2
    FINE.null_distribution(budget={"max_bytes": 10**6})
    # -> BudgetError: the null distribution has up to … points … bytes; `max_bytes` of … allows
    #    1e+06 … Raise it
    FINE.null_distribution(budget={"max_points": 100})
    # -> BudgetError: frequencies … `max_points` … of `budget` allows 100. Raise it
    # Samples
    paired_permutation_test(*REALS, n_resamples=10**8, **SAMPLED)
    # -> BudgetError: `n_resamples` must be at most 21,0 … here, got 100000000, which would take
    #    about 4. … hours. Draw fewer: the standard error of p = 0.05 is 0.0007 with
    #    n_resamples=100_000
    paired_bootstrap_test([3, 1, 2], [1, 2, 0], n_resamples=10**8, **SAMPLED)
    # -> BudgetError: 100,000,000 resamples need 2. … bytes; `max_bytes` … 1.07e+09. Raise it … or
    #    draw fewer resamples
    compare(*CLASSES, **OF_CLASSES)
    # -> BudgetError: `max_bytes` … allows 1.68e+07. Raise it, or compare fewer columns or classes
    # What is made of them
    letters([[i == j or i // 2 != j // 2 for j in range(20)] for i in range(20)])
    # -> `letters` needs more than 676 sets here … Look at `tiers`, or compare fewer systems
    compare(*WINS).summary(name1="")
    # -> `name1` must be a name, as text, or None, got '' (str)
    compare(*WINS).summary(name1="a", name2="a")
    # -> `name1` and `name2` are both 'a': name the two systems apart
