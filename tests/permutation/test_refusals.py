"""What permutation tests refuse: methods, arguments, and sums beyond floats or integers."""

from fractions import Fraction

import numpy as np

from corpora.sum_functions import share
from corpora.sum_scores import precision
from pairedperm import PairedCounts, Ratio, compare, paired_permutation_test
from pairedperm import structured_permutation_test as structured
from refusals import refuses

RNG = np.random.default_rng(0)
PER_TOKEN = Ratio([1, 0], [0, 1])
MANY_PRIMES = [Fraction(1, p) for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)]
REAL_ROWS = RNG.random((2, 40, 2))
LABELS = RNG.integers(0, 3, (3, 30))


def run(one, two, method="exact", **options):
    return paired_permutation_test(one, two, method=method, **options)


@refuses
def test_refusals():
    # methods
    run([3**-0.5, 0.5], [0.25, 2 / 3])
    # -> NoLatticeError: method='exact' needs scores on a lattice, integers or decimals:
    #    `counts1`[0] is 0.577 … no decimal of at most 13 digits (with more, a float64 does not tell
    #    decimals from others) … Use method='auto', 'enumeration' (up to 44 differing examples) or
    #    'bracket'; or multiply both systems' scores by a common denominator, or round them to the
    #    digits that they mean (np.round(scores, 4)).
    run(MANY_PRIMES, [0] * 14, "dp")
    # -> NoLatticeError: method='dp' needs scores on a lattice, integers or decimals: the scores of
    #    `counts1` have no common denominator up to 2^40. Use method='auto', 'enumeration'
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
    run([0.1, 1e308], [0, 0], "auto")
    # -> there are scores up to 1e+308: their differences and sums must be floats, below 1e300.
    (
        run(
            [[0.1, 1e300], [1 / 3, 1 / 7]],
            [[0.1, 1e300], [1 / 7, 1 / 7]],
            "auto",
            score=Ratio([1, 0], [0, 2**30]),
        )
    )
    # -> there are rows with numbers up to inf: their sums must be floats, below 1e300.
    run([[1e200, 1e-200]], [[1e190, 1e-200]], "auto", score=PER_TOKEN)
    # -> the scores are inf and inf, beyond floats: give the numerators in a larger unit, or the
    # `stay` and `swap`
    structured([[1, 2], [0, 1]], [1, 2], share)
    # -> `stay` and `swap` must have rows of the same length, got shapes (2, 2) and (2,)
    structured([[1, 2]], PairedCounts.from_rows([[1, 2]], [[0, 1]]), share)
    # -> `swap` must be a column of rows, got PairedCounts(n=1
