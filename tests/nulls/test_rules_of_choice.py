"""Which engine is chosen: the decision list, as one table; and it is the one that runs."""

import math
import warnings

import numpy as np
import pytest

from choices import plan
from corpora.equation_16 import columns_of_equation_16, f1_difference
from corpora.planned import labels, largest, rows, scores
from corpora.ratio_rows import RATIO, sentences
from corpora.sum_scores import macro, precision
from pairedperm import (
    BudgetError,
    InputError,
    PairedCounts,
    Ratio,
    compare,
    paired_permutation_test,
    structured_permutation_test,
)

KNOWN = "p is known without a sum"
COUNTED, HALVES = "all swaps are counted in one big integer", "all swaps are counted in two halves"
LINE, PLANE, GRID = "a tilted sum on a line", "tilted sums in the plane", "all sums, by "
BRACKET = "a proven interval from the characteristic function, because "
SAMPLED, NO_LATTICE = "p is sampled, because ", "the scores lie on no lattice: `counts1`"
LISTED = "all swaps are listed, because "
F1 = {"metric": "f1"}
MACRO = F1 | {"average": "macro"}
CALLER, SHARE = {"score": largest}, {"score": RATIO}
SAMPLES = {"method": "monte_carlo"}
WINS, NO_WINS = [1] * 90, [0] * 90
REALS = np.random.default_rng(0).normal(size=(2, 3000))
REAL_ROWS = np.random.default_rng(9).random((2, 23, 2))
FINE = np.random.default_rng(10).random((2, 22, 4)).round(11)
TIED = np.repeat(np.sqrt([2, 3, 5, 7]), 24) * np.resize([1, -1, -1], 96)
LONG = np.random.default_rng(11).uniform(0, 9, (2, 1000, 2)).round(12)  # its sums are no floats
EQUATION_16 = *columns_of_equation_16(sentences(np.random.default_rng(1), 30)), f1_difference
PRIMES = np.repeat(np.arange(5), (1009, 1013, 1019, 1021, 1031))  # sizes of classes
CLASSES = *(np.where(np.arange(5093) % k, PRIMES, 0) for k in (5, 7)), PRIMES
TEXTS = [["w " * (1 + k * m % 59) for k in range(400)] for m in (7, 11, 13)]
PER_TOKEN = np.stack((abs(REALS), np.tile(1.0 + np.arange(3000) % 7, (2, 1))), axis=-1)
INDEPENDENT = PairedCounts(np.eye(3, dtype=int), np.zeros((3, 3)), [10, 20, 30])


def shared(n):
    """Rows with denominators that are the same for both systems."""
    columns = rows(n, 60)
    columns[1, :, 1] = columns[0, :, 1]
    return columns


def shares(n, size):
    """Rows whose denominators are larger than their numerators."""
    columns = rows(n, size)
    columns[:, :, 1] += columns[:, :, 0]
    return columns


def within(max_points=2**25, max_bytes=2**30):
    return {"budget": {"max_points": max_points, "max_bytes": max_bytes}}


def reals(n):
    return REALS[:, :n]


@pytest.mark.parametrize(
    ("arguments", "options", "method", "rank", "reason"),
    [
        # no example differs, the scores are the same, or one or two swaps are as extreme
        (([[1, 2]], [[1, 2]]), SHARE | {"alternative": "less"}, "exact", 0, KNOWN),
        (([1, 0, 3], [0, 1, 3]), within(1, 1), "exact", 1, KNOWN),
        (([[1, 2], [0, 3]], [[0, 3], [1, 2]]), SHARE, "exact", 1, KNOWN),
        (([[1, 2], [0, 7], [5, 9]], [[0, 7], [2, 2], [4, 9]]), CALLER, "exact", 2, KNOWN),
        ((NO_WINS, WINS), {"alternative": "less"} | within(1, 1), "exact", 1, KNOWN),
        ((NO_WINS, WINS), {"alternative": "greater"}, "exact", 1, KNOWN),
        # on a line
        (scores(60, 6), {}, "exact", 1, COUNTED),
        (scores(30, 2**40), within(max_points=1), "exact", 1, HALVES),
        (scores(100, 300), {}, "exact", 1, "the laws of two halves of the examples are added"),
        (scores(3000, 60) / 100, {"alternative": "less"}, "exact", 1, LINE),
        (scores(2000, 3000), within(max_bytes=10**6), "exact", 1, LINE),
        (shared(3000), SHARE, "exact", 1, LINE),
        (scores(30, 2**40), within(max_bytes=10**5), "monte_carlo", 1, SAMPLED),
        (scores(200, 2**50), {}, "bracket", 1, BRACKET),
        (REALS[:, :200].round(11), {}, "bracket", 1, BRACKET),
        (CLASSES, {"metric": "balanced_accuracy"}, "bracket", 1, BRACKET),
        (TEXTS, {"metric": "squad_f1"}, "bracket", 1, BRACKET),
        # in the plane
        (rows(15, 6), SHARE, "exact", 2, "all swaps are counted"),
        (rows(400, 9), SHARE, "exact", 2, PLANE),
        (labels(500), MACRO, "exact", 2, PLANE),
        (shares(80, 3 * 10**5), SHARE, "monte_carlo", 2, SAMPLED),
        # on a grid
        (scores(30, 6), {"score": np.sqrt}, "exact", 1, GRID),
        (rows(30, 6), CALLER, "exact", 2, GRID),
        ((INDEPENDENT,), CALLER, "exact", 3, f"{GRID}a grid on which differences are added one"),
        (EQUATION_16, {}, "exact", 2, GRID),
        (rows(300, 30, m=8), CALLER, "monte_carlo", 8, SAMPLED + "the exact p-value needs the"),
        (labels(400, 4), MACRO, "monte_carlo", 7, SAMPLED),
        # real numbers, and too many decimals
        (reals(44), {}, "enumeration", 1, f"{HALVES}, because `counts1`[0] is 0."),
        (reals(45), {}, "bracket", 1, BRACKET + "`counts1`[0] is 0."),
        ((TIED, 0 * TIED), {}, "enumeration", 1, HALVES),
        (PER_TOKEN, SHARE, "bracket", 1, BRACKET + "`counts1`[0]"),
        (REAL_ROWS[:, :22], {"score": precision}, "enumeration", 2, LISTED + NO_LATTICE),
        (REAL_ROWS, {"score": Ratio([1, 0], [1, 1])}, "monte_carlo", 2, SAMPLED + NO_LATTICE),
        (FINE, {"score": macro} | within(max_bytes=10**8), "enumeration", 4, LISTED + "the exact"),
        (FINE[:, :14], {"score": Ratio([1, 0, 0, 0], [1, 1, 2, 1])}, "exact", 2, "all swaps are"),
        (LONG, {"score": precision}, "monte_carlo", 2, f"{SAMPLED}the scores lie on no lattice: "),
        # on request
        (rows(500, 30, m=10), CALLER | SAMPLES, "monte_carlo", 10, "asked for with method='monte"),
    ],
)
def test_the_decision_list(arguments, options, method, rank, reason):
    """What is chosen at once also runs, and both tell the same reason."""
    found = plan(*arguments, **options)
    assert (found.method, found.rank, found.reason[: len(reason)]) == (method, rank, reason)
    if reason == KNOWN:
        assert (found.grid, found.n_points, found.n_bytes) == ((1,), 1, 0)
    elif found.grid is not None:
        assert found.n_points == pytest.approx(math.prod(found.grid), rel=1e-12)
        assert found.n_points > 1
        assert found.n_bytes > 0 or method == "monte_carlo"
    if found.seconds > 0.05:
        return
    test = paired_permutation_test
    if len(arguments) == 3:
        test = structured_permutation_test if callable(arguments[2]) else compare
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        result = test(*arguments, **options)
    assert (result.method, result.reason) == (found.method, found.reason)
    assert len(warned) == reason.startswith(SAMPLED)
    if reason.startswith(SAMPLED):
        with pytest.raises((BudgetError, InputError)) as raised:
            plan(*arguments, **options, method="exact")
        assert "lattice" in reason or found.reason.removeprefix(SAMPLED) in str(raised.value)
