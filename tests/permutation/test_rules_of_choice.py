"""Which engine is chosen: the decision list, rule by rule."""

import re

import numpy as np
import pytest

from choices import plan
from corpora.planned import labels, largest, rows, scores
from corpora.ratio_rows import RATIO
from pairedperm import PairedCounts, paired_permutation_test


@pytest.mark.parametrize(
    ("arguments", "options", "rank"),
    [
        # no example differs
        (([1, 2], [1, 2]), {}, 0),
        (([1, 2], [1, 2]), {"alternative": "greater"}, 0),
        (([[1, 2]], [[1, 2]]), {"score": RATIO}, 0),
        (([[1, 2]], [[1, 2]]), {"score": RATIO, "alternative": "less"}, 0),
        (([[1, 2]], [[1, 2]]), {"score": largest, "alternative": "less"}, 0),
        (([[1, 2]], [[1, 2]], largest), {}, 0),
        (([0, 1, 1], [0, 1, 1], [0, 0, 1]), {}, 0),
        (([0, 1, 1], [0, 1, 1], [0, 0, 1]), {"metric": "f1", "average": "macro"}, 0),
        # the scores are the same, and the test two-sided
        (([1, 0, 3], [0, 1, 3]), {}, 1),
        (([[1, 2], [0, 1]], [[0, 1], [1, 2]]), {"score": RATIO}, 1),
        (([[1, 2], [0, 3]], [[0, 3], [1, 2]]), {"score": RATIO}, 1),
        (([[1, 2], [0, 1], [4, 0]], [[0, 1], [1, 2], [4, 0]]), {"score": largest}, 1),
        (([[1, 2], [0, 7], [5, 9]], [[0, 7], [2, 2], [4, 9]]), {"score": largest}, 2),
        # only one assignment is as extreme, or two
        (([1] * 90, [0] * 90), {}, 1),
        (([1] * 90, [0] * 90), {"alternative": "greater"}, 1),
        (([0] * 90, [2] * 90), {"alternative": "less"}, 1),
        (([[1, 5]] * 90, [[0, 5]] * 90), {"score": RATIO}, 1),
        # or all but one, or all
        (([0] * 90, [1] * 90), {"alternative": "greater"}, 1),
    ],
)
def test_rule_1(arguments, options, rank):
    found = plan(*arguments, **options)
    assert (found.method, found.rank, found.grid, found.n_points, found.n_bytes) == (
        *("exact", rank, (1,), 1, 0),
    )
    assert found.reason == "p is known without a sum"
    tight = plan(*arguments, **options, budget={"max_points": 1, "max_bytes": 1}, method="exact")
    assert tight == found  # whatever the budget is


@pytest.mark.parametrize(
    ("arguments", "options", "reason"),
    [
        (scores(60, 6), {}, "all swaps are counted in one big integer"),
        (scores(30, 2**40), {}, "all swaps are counted in two halves"),
        (scores(100, 300), {}, "the laws of two halves of the examples are added"),
        (scores(3000, 60), {}, "a tilted sum on a line"),
        (scores(3000, 60), {"alternative": "less"}, "a tilted sum on a line"),
        ((scores(3000, 60) / 100), {}, "a tilted sum on a line"),
        (labels(60, seed=1), {}, "all swaps are counted in one big integer"),
        (labels(60, seed=1), {"metric": "recall"}, "all swaps are counted in one big integer"),
    ],
)
def test_rule_2(arguments, options, reason):
    found = plan(*arguments, **options)
    assert (found.method, found.rank, found.reason) == ("exact", 1, reason)
    assert found.grid == (found.n_points,)
    assert found.n_points > 1
    assert found.n_bytes > 0


def test_rule_2_of_a_ratio_on_a_line():
    """A denominator that is the same for both systems."""
    columns = rows(3000, 60)
    columns[1, :, 1] = columns[0, :, 1]
    found = plan(*columns, score=RATIO)
    assert (found.method, found.rank, found.reason) == ("exact", 1, "a tilted sum on a line")
    assert found == plan(*columns[:, :, 0])


def test_rule_2_beyond_the_budget():
    counts = scores(2000, 3000)
    assert plan(*counts, budget={"max_bytes": 10**6}).reason == "a tilted sum on a line"
    found = plan(*counts, budget={"max_points": 100, "max_bytes": 10**6})
    assert (found.method, found.rank) == ("monte_carlo", 1)
    assert found.reason.startswith("p is sampled, because the exact p-value needs ")
    assert "`max_points` of `budget` allows 100." in found.reason
    # the few examples that are counted otherwise
    few = scores(30, 2**40)
    assert plan(*few, budget={"max_points": 1}).method == "exact"
    found = plan(*few, budget={"max_bytes": 10**5})
    assert found.method == "monte_carlo"
    assert "Or set `max_bytes` to " in found.reason
    assert plan(*scores(200, 2**50)).method == "bracket"


@pytest.mark.parametrize(
    ("arguments", "options", "reason"),
    [
        (rows(15, 6), {"score": RATIO}, "all swaps are counted"),
        (rows(100, 9), {"score": RATIO}, "all swaps are counted"),
        (rows(400, 9), {"score": RATIO}, "tilted sums in the plane"),
        (labels(500), {"metric": "f1"}, "tilted sums in the plane"),
        (labels(500), {"metric": "f1", "average": "macro"}, "tilted sums in the plane"),
        (labels(500), {"metric": "matthews_correlation"}, "tilted sums in the plane"),
        (labels(25), {"metric": "f1"}, "all swaps are counted"),
    ],
)
def test_rule_3(arguments, options, reason):
    found = plan(*arguments, **options)
    assert (found.method, found.rank, found.reason) == ("exact", 2, reason)
    assert len(found.grid) == 2
    assert found.n_points == found.grid[0] * found.grid[1] > 1
    assert found.n_bytes > 0


def test_rule_3_beyond_the_budget():
    """By the memory for the rows, or else by the frequencies that p takes."""
    for size, max_bytes, needs in (
        (3 * 10**5, 2**30, "bytes for sums in two dim"),
        (3 * 10**5, 2**40, "a Fourier transform in two dim"),
        (10**7, 2**40, "a Fourier transform of .* points, more than any budget"),
    ):
        columns = rows(80, size)
        columns[:, :, 1] += columns[:, :, 0]
        options = {"score": RATIO, "budget": {"max_bytes": max_bytes}}
        found = plan(*columns, **options)
        assert found.method == "monte_carlo"
        assert re.search(needs, found.reason)
        with pytest.warns(UserWarning, match=f"p is estimated .*{needs}"):
            assert paired_permutation_test(*columns, **options, rng=0).method == "monte_carlo"


@pytest.mark.parametrize(
    ("arguments", "options", "rank"),
    [
        (rows(30, 6), {"score": largest}, 2),
        (rows(30, 6, m=3, seed=1), {"score": largest}, 3),
        (scores(30, 6), {"score": np.sqrt}, 1),
        ((*rows(30, 6, m=4), largest), {}, 4),
        ((*scores(30, 6), np.abs), {}, 1),
        (labels(60, 3), {"metric": "f1", "average": "macro"}, 5),
    ],
)
def test_rule_4(arguments, options, rank):
    found = plan(*arguments, **options)
    assert (found.rank, found.method == "exact") == (rank, found.n_points <= 2**24)
    if found.method == "monte_carlo":
        assert rank >= 4
        return
    assert found.reason.startswith("all sums, by ")
    assert found.n_points == np.prod(found.grid) > 1
    assert found.n_bytes >= 8 * found.n_points  # masses are float64


def test_rule_4_depends_on_the_budget():
    columns = rows(30, 6, m=3, seed=1)
    planned = plan(*columns, score=largest)
    n_points, n_bytes = planned.n_points, planned.n_bytes
    for limits, method in (
        ({"budget": {"max_points": n_points, "max_bytes": n_bytes}}, "exact"),
        ({"budget": {"max_points": n_points - 1}}, "monte_carlo"),
        ({"budget": {"max_bytes": n_bytes - 1}}, "monte_carlo"),
    ):
        for found in (
            plan(*columns, score=largest, **limits),
            plan(*columns, largest, **limits),
        ):
            assert (found.method, found.n_points) == (method, n_points)
            assert f"`{next(iter(limits))}` allows" in found.reason or method == "exact"


def test_independent_columns():
    """Each example moves one column: the grid has a side for each."""
    counts = PairedCounts(np.eye(3, dtype=int), np.zeros((3, 3)), [10, 20, 30])
    found = plan(counts, score=largest)
    assert (found.rank, found.method) == (3, "exact")
    assert found.reason == "all sums, by a grid on which differences are added one by one"
    assert sorted(found.grid) == [11, 21, 31]


def test_rule_5():
    columns = rows(500, 30, m=10)
    found = plan(*columns, score=largest)
    assert (found.method, found.rank, found.n_points > 2**40) == ("monte_carlo", 10, True)
    assert found.reason.startswith("p is sampled, because the exact p-value needs the null distri")
    many = PairedCounts(np.eye(9, dtype=int), np.zeros((9, 9)), [10**4] * 9)
    found = plan(many, score=largest)
    assert (found.method, found.grid) == ("monte_carlo", None)  # not laid out
    assert found.n_points > 2**40


def test_on_request():
    for arguments, options in (
        (scores(20, 5), {}),
        (rows(20, 5), {"score": RATIO}),
        (rows(20, 5), {"score": largest}),
        ((*rows(20, 5), largest), {}),
        (labels(20), {}),
        (([1], [1]), {}),
        (rows(500, 30, m=10), {"score": largest}),  # no warning, no error
        (scores(200, 2**50), {}),
    ):
        found = plan(*arguments, method="monte_carlo", **options)
        assert found.method == "monte_carlo"
        assert found.reason == "asked for with method='monte_carlo'"
        assert found.rank == plan(*arguments, **options).rank
