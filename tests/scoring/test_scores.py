"""Scores of sums: their simplest form, and weights and sums at the ends of int64."""

from fractions import Fraction

import numpy as np

from pairedperm import Ratio, paired_permutation_test
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import MeanOfRatios
from scoring.contract import Contract, check_metric

RATIO = Ratio([1, 0], [0, 1])


def real_counts(rng, n):
    """Denominators may be the same for both systems."""
    rows = rng.random((2, n, 2)) + np.arange(2)
    if rng.random() < 0.5:
        rows[1, :, 1] = rows[0, :, 1]
    return [*rows.tolist(), None], {"score": RATIO}


def share(rows, _):
    above, below = (sum(map(Fraction, x)) for x in zip(*rows, strict=True))
    return above / below


test_contract = check_metric(
    Contract(None, real_counts, share, name="real ratio", tie=1e-12, few=6, is_counted=False)
)


def test_ends_of_types():
    """Sums beyond int64 of the same denominators, and a weight without its absolute value."""
    huge, less = [[2**60, 2**60]] * 4, [[2**60 - 1, 2**60]] * 4
    assert paired_permutation_test(huge, less, score=RATIO).pvalue == 0.125
    near = [[1.0, 1e16, 1.0]] * 2, [[0.0, 1e16, 0.0]] * 2  # sums that are the same in floats only
    of_sizes = Ratio([1, 0, 0], [0, 1, 1])
    assert paired_permutation_test(*near, score=of_sizes).pvalue == 0.5
    assert Ratio([np.int8(-128), 1], [0, 1]).numerator == (-128, 1)
    assert Ratio(np.array([1, 0]), (np.int64(0), 1)) == RATIO


def test_how_many_digits_a_common_denominator_has():
    """More than Python prints: the least common multiple of 1 to n is about e^n."""
    sizes = np.arange(1, 10_001)
    rows = (np.stack([hits, sizes], axis=1) for hits in (np.ones_like(sizes), 0 * sizes))
    pairs, _ = MeanOfRatios().simplify(Rows(*rows), "draws")
    assert pairs.no_lattice.endswith("shares has 4349 digits")
