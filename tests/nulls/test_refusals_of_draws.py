"""What the paired bootstrap refuses: methods, budgets, and scores beyond floats."""

import numpy as np

from pairedperm import PairedCounts, Ratio, compare, paired_bootstrap_test
from refusals import refuses

ACCURACY = Ratio([1, 0], [0, 1])
ROOTS = [2**0.5, 3**0.5, 5**0.5]
MANY = np.random.default_rng(0).integers(0, 3000, (2, 2000))
RNG = np.random.default_rng(9)
TEXTS = [" ".join(RNG.choice([*"bcde"], size)) for size in RNG.integers(50, 200, 15)]


def exactly(one, two, **options):
    return paired_bootstrap_test(one, two, method="exact", **options)


def sampled(one, two):
    return paired_bootstrap_test(one, two, score=ACCURACY, rng=0)


@refuses
def test_refusals():
    exactly(ROOTS, [0, 0, 0])
    # -> `method` 'exact', the ideal bootstrap, is for means of integers, decimals or small
    #    fractions. It is also for ratios of such sums whose denominator is the same for both
    #    systems on every example. Here `counts1`[0] is 1.4142135623730951, no decimal … Use
    #    method='auto' or 'monte_carlo'
    exactly([[1, 2], [2, 2]], [[1, 1], [2, 2]], score=ACCURACY)
    # -> `method` 'exact' … Here the two systems' denominators differ
    compare(TEXTS[:5], TEXTS[5:10], TEXTS[10:], "squad_f1", test="bootstrap", method="exact")
    # -> `method` … the common denominator of the examples' shares has … digits. Use
    paired_bootstrap_test([1, 0, 2], [0, 0, 0], method="bracket")
    # -> `method` 'bracket' is for permutation tests. A bootstrap accepts 'auto', 'exact',
    #    'monte_carlo'.
    paired_bootstrap_test(PairedCounts([1], [0], [1]))
    # -> `counts1` holds one example: a bootstrap draws examples with replacement, and all
    #    resamples of one are the same. At least two are needed, some dozens to be of use
    paired_bootstrap_test([1, 0], [0, 0], groups=["a", "a"])
    # -> `groups` holds one group: a bootstrap draws groups with replacement … At least two are
    #    needed
    # beyond floats
    paired_bootstrap_test([1e-200, 1.7e308, -1.7e308], [0, 1e200, 1.1])
    # -> there are numbers up to 1.7e+308: their sums must be floats. Divide by a common unit
    sampled([[0.0, 3.5e-138], [3.6e192, 1.3e-299], [2.0, 1.1]], [[1.0, 1.5]] * 3)
    # -> some resamples have scores beyond floats: give the numerators in a larger unit, or the
    # beyond the budget
    paired_bootstrap_test(PairedCounts([1, 0], [0, 0], [2**60, 1]))
    # -> BudgetError: a bootstrap draws up to 2^50 examples, and there are 1.15e+18
    exactly(*MANY, budget={"max_points": 10})
    # -> BudgetError: frequencies of a Fourier transform; `max_points` of `budget` allows 10. Raise
    #    it … or give the scores in coarser units (fewer digits). Or sample: method='monte_carlo'.
    exactly(
        [[10**10, 2], [2, 10**9]],
        [[10**10, 2], [5, 10**9]],
        score=ACCURACY,
        budget={"max_points": 1},
    )
    # -> BudgetError: the percentiles of a ratio need the law of two sums, of more than 1 points.
    #    Sample: method='monte_carlo'.
    paired_bootstrap_test(*MANY, n_resamples=10**9, budget={"max_points": 1})
    # -> BudgetError: `n_resamples` must be at most … here, got 1000000000, which would take about …
    #    hours. Draw fewer
