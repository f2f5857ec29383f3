"""Scores of sums: their simplest form, and weights and sums at the ends of int64."""

from fractions import Fraction

import numpy as np
import pytest

from pairedperm import Ratio, paired_permutation_test
from pairedperm.scoring.function import Function
from pairedperm.scoring.merging import NOTHING, merged
from pairedperm.scoring.metric import read_metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, MeanOfRatios
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


@pytest.mark.parametrize("null", ["swaps", "draws"])
@pytest.mark.parametrize(
    "score", [Mean(), RATIO, Ratio([1, 0], [1, 1]), Function(lambda sums: sums[..., 0] ** 2)]
)
def test_the_simplest_form_stays_as_it_is(score, null):
    table = np.random.default_rng(0).integers(0, 9, (2, 12, 2))
    rows = Rows(*(table[:, :, 0] if isinstance(score, Mean) else table))
    once = score.simplify(rows, null)
    twice = once[1].simplify(once[0], null)
    assert type(twice[1]) is type(once[1])
    assert np.array_equal(twice[0].rows1, once[0].rows1)


@pytest.mark.parametrize(
    ("n", "digits"), [(50, 22), (10_000, 4349)], ids=["few", "more than Python prints"]
)
def test_how_many_digits_a_common_denominator_has(n, digits):
    """The least common multiple of 1 to n, by the prime number theorem about e^n."""
    sizes = np.arange(1, n + 1)
    rows = (np.stack([hits, sizes], axis=1) for hits in (np.ones_like(sizes), 0 * sizes))
    pairs, _ = MeanOfRatios().simplify(Rows(*rows), "draws")
    assert pairs.no_lattice.endswith(f"shares has {digits} digits")


def test_nothing_is_neutral():
    """Also where classes are joined."""
    metric = read_metric("f1", average="macro")
    one, other = (metric.rows(*metric.read([[x] for x in y])).counted() for y in ("aba", "dcc"))
    assert merged([NOTHING, other, one, NOTHING]).classes == ("a", "b", "c", "d")
    assert merged([NOTHING, one]).classes == one.classes == ("a", "b")
    assert merged([NOTHING, NOTHING]).n == 0


def test_ends_of_types():
    """Sums beyond int64 of the same denominators, and a weight without its absolute value."""
    huge, less = [[2**60, 2**60]] * 4, [[2**60 - 1, 2**60]] * 4
    assert paired_permutation_test(huge, less, score=RATIO).pvalue == 0.125
    near = [[1.0, 1e16, 1.0]] * 2, [[0.0, 1e16, 0.0]] * 2  # sums that are the same in floats only
    of_sizes = Ratio([1, 0, 0], [0, 1, 1])
    assert paired_permutation_test(*near, score=of_sizes).pvalue == 0.5
    assert Ratio([np.int8(-128), 1], [0, 1]).numerator == (-128, 1)
    assert Ratio(np.array([1, 0]), (np.int64(0), 1)) == RATIO
