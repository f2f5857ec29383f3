"""What permutation tests refuse: methods, arguments, sums beyond floats, budgets."""

import numpy as np

from corpora.ratio_rows import FAR_APART, RATIO
from corpora.sum_functions import share
from corpora.sum_scores import largest, precision
from pairedperm import PairedCounts, Ratio, compare, paired_permutation_test
from pairedperm import structured_permutation_test as structured
from refusals import refuses

RNG = np.random.default_rng(0)
FINE = RNG.integers(0, 10**6, (2, 200))
FINEST = RNG.integers(0, 2**62, (2, 200))
FINEST_OF_30 = RNG.integers(-(2**56), 2**56, 30)
WIDE = RNG.integers(0, 1000, (2, 100, 3))
WIDER = RNG.integers(0, 30, (2, 300, 10))
REALS = RNG.normal(size=(2, 3000))
REAL_ROWS = RNG.random((2, 40, 2))
SMALL = RNG.integers(0, 6, (2, 40, 2))
TOO_FINE = RNG.integers(-(2**50), 2**50, 200)
LABELS = RNG.integers(0, 3, (3, 30))


def run(one, two, method="exact", max_points=None, max_bytes=None, **options):
    given = {"max_points": max_points, "max_bytes": max_bytes}
    budget = {name: limit for name, limit in given.items() if limit}
    return paired_permutation_test(one, two, method=method, budget=budget, **options)


def enumerated(n, **options):
    return run(*REALS[:, :n], method="enumeration", **options)


def far_apart(n, x, y):
    """Ratios whose numerators differ by up to x, and denominators by up to y."""
    d = np.random.default_rng(n).integers([-x, -y], [x + 1, y + 1], (n, 2))
    rows = [np.add([x, 4 * (x + y)], np.maximum(sign * d, 0)) for sign in (1, -1)]
    return run(*rows, score=RATIO, max_points=10**5)


def null_of(one, two, score=None, limits=None, **options):
    result = paired_permutation_test(one, two, score=score, **options)
    return result.null_distribution(**(limits or {}))


@refuses
def test_refusals():
    # methods
    run([3**-0.5, 0.5], [0.25, 2 / 3])
    # -> NoLatticeError: method='exact' needs scores on a lattice, integers or decimals:
    #    `counts1`[0] is 0.577 … no decimal of at most 13 digits (with more, a float64 does not tell
    #    decimals from others) … Use method='auto', 'enumeration' (up to 44 differing examples) or
    #    'bracket'; or multiply both systems' scores by a common denominator, or round them to the
    #    digits that they mean (np.round(scores, 4)).
    run(*REAL_ROWS, "fft", score=precision)
    # -> NoLatticeError: method='fft' needs scores on a lattice … `counts1` … [0][0] is 0. … Use
    #    method='auto', 'enumeration' (some 22 differing examples) or 'monte_carlo'; or round
    compare(*LABELS, "f1", average="macro", method="bracket")
    # -> method='bracket' is for means, sums over the examples: this score is another function of
    #    sums. Use method='auto', or 'monte_carlo'
    structured([1], [0], np.abs, alternative="greater")
    # -> TypeError: unexpected keyword argument 'alternative'
    # beyond integers and floats
    run([2**62, 0], [-(2**62), 0])
    # -> `counts1` and `counts2` differ by more than int64 holds: entry 0 is 4611686018427387904 …
    #    Divide the scores by a common unit first
    run([[2**50, 1]] * 4, [[2**50, 1]] * 4, score=precision)
    # -> NoLatticeError: the counts add up to 9.01e+15, and sums are exact floats only up to 2^52.
    #    Give the counts
    run(PairedCounts([[2**50, 1]], [[1, 1]], [4]), None, score=precision)
    # -> NoLatticeError: the counts add up to 4.5e+15, and sums are exact floats only up to 2^52.
    run([[-(2**63), 1], [3, 1]], [[-(2**63), 1], [3, 1]], score=precision)
    # -> NoLatticeError: the counts add up to 3.69e+19, and sums are exact floats only up to 2^52.
    run([[1e300, 0.1]], [[1e300, 0.1]], "auto", score=Ratio([2**30, 0], [0, 1]))
    # -> their differences and sums must be floats, below 1e300. Divide by a common unit
    run([[1e200, 1e-200]], [[1e190, 1e-200]], "auto", score=RATIO)
    # -> the scores are inf and inf, beyond floats: give the numerators in a larger unit, or the
    # `stay` and `swap`
    structured([[1, 2], [0, 1]], [1, 2], share)
    # -> `stay` and `swap` must have rows of the same length, got shapes (2, 2) and (2,)
    # budgets
    run(REALS[0, :200].round(12), [0] * 200)
    # -> the scores have 12 decimals, too many for a lattice within the budget: the exact p-value
    #    needs … `max_points` … It would take about … give the scores in coarser units … Or sample:
    #    method='monte_carlo'.
    null_of([[1e12, 0.0], [1e-3, 40.9]], [[0.1, 1e3], [7.9e298, 1e-11]], RATIO)
    # -> some swaps give scores beyond floats: give the numerators in a larger unit, or the
    # enumeration beyond the budget
    enumerated(60)
    # -> BudgetError: method='enumeration' needs up to 1,073,741,824 sums of half of the examples;
    #    `max_points` of `budget` allows 3.36e+07. It would take about 11 minutes and 170 GB. Use
    #    method='auto' or 'bracket'. Or sample: method='monte_carlo'.
    enumerated(40, max_bytes=10**6)
    # -> BudgetError: 1.68e+08 bytes; `max_bytes` of `budget` allows 1e+06. Raise it (it takes
    enumerated(130)
    # -> BudgetError: needs the sums of all swaps of 130 differing examples, which no budget
    #    allows. Use
    run(*WIDE[:, :40], "enumeration", score=largest)
    # -> BudgetError: method='enumeration' needs 1.1e+12 sums; `max_points` of `budget` allows
    #    3.36e+07. It would take about … hours. Use method='auto'. Or sample:
    #    method='monte_carlo'.
    # whole laws beyond the budget
    run(*FINE, "dp")
    # -> BudgetError: method='dp' needs the null distribution on its whole support, 6. … e+07
    #    points ( … ), and … masses added; `max_points` of `budget` allows 3.36e+07. Raise it to …
    #    Or use method='auto' or 'bracket'. Or sample: method='monte_carlo'.
    run(*FINEST, "fft")
    # -> BudgetError: whole support, at least 4.61e+18 points, which no budget allows. Use
    #    method='auto' or
    # "exact" beyond the budget
    run(TOO_FINE, [0] * 200)
    # -> BudgetError: the exact p-value needs a Fourier transform of … points, more than 2^50,
    #    which no budget allows. The scores of single examples differ by too many units for a
    #    lattice. Give them in coarser units (fewer digits). Or use method='bracket'. Or sample:
    run(FINEST_OF_30, [0] * 30, max_bytes=10**5)
    # -> BudgetError: which no budget allows. … Or set `max_bytes` to … , if it fits.
    run(PairedCounts([1, 0], [0, 1], [3 * 10**16] * 2), None, alternative="greater")
    # -> BudgetError: points, more than 2^31, which no budget allows. … Give them in coarser units
    #    (fewer digits)
    far_apart(100, 1, 10**4)
    # -> BudgetError: needs a Fourier transform in two dimensions that takes at least as long as …
    #    frequencies; `max_points` of `budget` allows 1e+05.
    far_apart(300, 10**8, 1)
    # -> BudgetError: needs a Fourier transform of … points, more than any budget allows: the
    #    counts are too large, or the examples too many. Sample: method='monte_carlo'.
    far_apart(200, 3, 3 * 10**6)
    # -> BudgetError: bytes for sums in two dimensions; `max_bytes` of `budget` allows 1.07e+09.
    #    Raise it (it
    run(*SMALL, score=precision, max_points=100)
    # -> BudgetError: the exact p-value needs the null distribution of the sums on a grid of …
    #    points ( … x … ); `max_points` of `budget` allows 100. Raise it (it takes about a
    #    second). Or sample: method='monte_carlo'.
    run(*WIDER, score=largest)
    # -> BudgetError: x ...), which no budget allows. Sample: method='monte_carlo'.
    # null distributions
    null_of(*FAR_APART, RATIO, method="monte_carlo", rng=0)
    # -> BudgetError: the null distribution has up to 1.11e+21 points, … `max_bytes` … It would take
    #    … GB: give the scores in coarser units (fewer digits). `plot_null_distribution` draws
    null_of(*REALS[:, :60])
    # -> BudgetError: that lie on no lattice has … values, … np.round(scores
    null_of(*REAL_ROWS, precision, method="monte_carlo", rng=0)
    # -> BudgetError: the null distribution of scores that lie on no lattice needs … sums;
    #    `max_points` of `budget` allows 3.36e+07. Round the rows to the digits that they mean,
    #    for instance np.round(rows, 4). `plot_null_distribution` draws
    null_of(*REAL_ROWS[:, :8], precision, {"budget": {"max_bytes": 1000}})
    # -> BudgetError: on no lattice needs … `max_bytes` of `budget` allows 1e+03
