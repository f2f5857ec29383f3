"""What the tests of counts are given: counted as it is read, or row by row; the answer is one."""

from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from pairedperm import InputError, PairedCounts, Ratio, paired_bootstrap_test
from pairedperm import paired_permutation_test as permutation_test
from pairedperm.scoring import arguments, pairs, rows
from pairedperm.scoring.arguments import read_arguments
from pairedperm.scoring.pairs import LEAST
from properties import cases, generators, one_in

F1 = Ratio([2, 0, 0], [0, 1, 1])
SCORES = {"mean": None, "ratio": F1, "other": Ratio([1, 0, 0], [1, 1, -1])}


def both_ways(call):
    """The answer, or the error, of rows counted as they are read, and one by one."""
    found = []
    for cells in (2**16, 0):
        with (
            mock.patch.object(pairs, "TABLE_CELLS", cells),
            mock.patch.object(arguments, "_LONG", 1),
            mock.patch.object(rows, "LEAST", 1),
        ):
            try:
                found.append(call())
            except InputError as error:
                found.append(str(error))
    return found


def drawn(rng, kind):
    n = int(rng.integers(1, 60))
    low = int(rng.choice([0, 0, -1]))
    return rng.integers(low, int(rng.integers(1, 4)), (2, n) if kind == "mean" else (2, n, 3))


@one_in(3)
@cases(3)
@pytest.mark.parametrize("kind", SCORES)
@given(rng=generators)
def test_same_answer_and_same_message(kind, rng):
    one, two = drawn(rng, kind)
    score = SCORES[kind]
    counted, single = both_ways(lambda: permutation_test(one, two, score=score))
    assert counted == single
    if not isinstance(counted, str):
        assert counted.to_dict() == single.to_dict()
    drawn_counted, drawn_single = both_ways(
        lambda: paired_bootstrap_test(one, two, score=score, n_resamples=99, rng=0)
    )
    assert drawn_counted == drawn_single


def test_rows_are_counted_where_no_message_needs_them():
    rows = np.ones((LEAST, 3), dtype=np.int64)
    assert read_arguments(rows, rows, F1)[0].multiplicities.tolist() == [LEAST]
    assert read_arguments(rows[1:], rows[1:], F1)[0].multiplicities is None
    for n, is_counted in ((9, False), (2**15, True)):
        ones = np.ones(n, dtype=np.int64)
        assert (read_arguments(ones, ones, None)[0].multiplicities is not None) is is_counted
    for one, two, score in (
        (rows, -rows, F1),  # a negative count is told by its row
        (rows, rows, SCORES["other"]),  # a negative denominator too
        (rows, rows, lambda sums: sums[..., 0]),  # may say which ratio it is of these rows
    ):
        assert read_arguments(one, two, score)[0].multiplicities is None


def test_decimals_are_counted_as_such():
    one, two = [0.5, 0.25, 0.5, 0.5], [0.25, 0.5, 0.25, 0.25]
    found = read_arguments(one * 10_000, two * 10_000, None)[0]
    assert (found.decimals, found.provenance.float_limit) == (2, 1e13)
    assert PairedCounts.of(found) == PairedCounts([0.25, 0.5], [0.5, 0.25], [10_000, 30_000])


ROOTS = [2**-0.5, 3**-0.5, 0.0]
OF_FLOAT32 = np.float32(ROOTS).tolist()


@pytest.mark.parametrize(
    ("scores1", "scores2", "rounding"),
    [
        (OF_FLOAT32, [1, 0, 0], 2.0**-22),
        (OF_FLOAT32, ROOTS, 2.0**-22),
        (np.float16(ROOTS), OF_FLOAT32, 2.0**-9),
        (ROOTS, [0.5, 0.25, 1.0], 2.0**-51),  # decimals, though each is a float32
        (ROOTS, [*OF_FLOAT32[:2], 0.1], 2.0**-51),
        (ROOTS, [1e300, 0.5, 1e-300], 2.0**-51),
        (OF_FLOAT32, [0.1, 0.2, 0.3], 2.0**-22),
        ([0.1, 0.2, 0.5], [0.5, 0.25, 1.0], 0.0),
    ],
)
def test_rounding_of_floats(scores1, scores2, rounding):
    """A column whose every float is a float32, but no decimal, was one."""
    assert read_arguments(scores1, scores2, None)[0].provenance.rounding == rounding
