"""The engine is chosen in one place, and the result holds the choice; "auto" does not wait."""

from functools import partial

import numpy as np
import pytest

from choices import plan
from corpora.sum_scores import precision
from pairedperm import compare, paired_permutation_test
from pairedperm.convolution.engine import Cost, Engine, choose
from pairedperm.convolution.plane import tail as plane
from pairedperm.errors import BudgetError
from pairedperm.nulls import swaps as of_swaps
from pairedperm.scoring.scores import Ratio


class Fixed(Engine):
    """An engine of a cost that is given, which does not run."""

    def __init__(self, name, cost):
        self.name, self._cost = name, cost

    def cost(self, problem, limits):
        return self._cost

    def run(self, problem, limits, cost):
        raise NotImplementedError


def seconds(x, **more):
    return Cost(1, f"in {x} s", seconds=x, **more)


FAR = "it is too far."
ENGINES = [
    Fixed("none", None),
    Fixed("far", Cost(1, excess=FAR)),
    *(Fixed(f"{x} s", seconds(x)) for x in (9.0, 5.0, 2.0, 5.0, 1.0)),
    Fixed("surely", seconds(7.0, settles=True)),
]


@pytest.mark.parametrize(
    ("quick", "order"),
    [
        (0.0, ["surely", "1.0 s", "2.0 s", "5.0 s", "5.0 s", "9.0 s", "far"]),
        (2.0, ["2.0 s", "1.0 s", "surely", "5.0 s", "5.0 s", "9.0 s", "far"]),
        (9.0, ["9.0 s", "5.0 s", "2.0 s", "5.0 s", "1.0 s", "surely", "far"]),
    ],
)
def test_order(quick, order):
    """The quick ones as they are listed, then the others by their seconds."""
    failed = []
    for name in order:
        found = choose(
            ((x, 0) for x in ENGINES), None, lambda choice: choice.cost.seconds <= quick, failed
        )
        assert found.engine.name == name
        assert FAR is (found.cost.excess if name == "far" else found.passed.excess)
        failed.append(found.engine)
    assert choose([(x, 0) for x in ENGINES], None, lambda _: True, failed) is None


def test_if_none_fits_the_last_says_why():
    last = Fixed("last", Cost(2, excess="no."))
    found = choose([(x, 0) for x in (ENGINES[1], ENGINES[0], last)], None, lambda _: True)
    assert (found.engine.name, str(found.cost.excess), found.passed.excess) == ("last", "no.", FAR)


# Runs that go another way


LABELS = np.random.default_rng(0).integers(0, 2, (3, 400))
WHOLE = np.random.default_rng(1).integers(0, 50, (2, 60, 2))
SHARE = Ratio([1, 0], [0, 1])


def has_no_other_way(monkeypatch, *names):
    """Tilted sums seem to be cheap, and prove to be too much."""
    for name in ("COUNTED", "ENUMERATED", *names):
        monkeypatch.setattr(plane, name, -1)
    cheap = Cost(2, "tilted sums in the plane", (9, 9), 81, 99, 1e-9)
    monkeypatch.setattr(plane, "tilted_cost", lambda *_: cheap)


def test_a_run_that_goes_another_way_says_so(monkeypatch):
    asked = (*LABELS[:, :60], "f1")
    has_no_other_way(monkeypatch)
    planned, result = (f(*asked, budget={"max_points": 1}) for f in (plan, compare))
    assert planned.reason == "tilted sums in the plane"
    assert result.method == planned.method == "exact"
    assert result.reason.startswith("all swaps are counted, because the exact p-value needs ")
    monkeypatch.undo()
    assert result == compare(*asked)  # what is told is not compared
    has_no_other_way(monkeypatch, "MANY_BITS", "MANY_SUMS")
    with pytest.warns(UserWarning, match="because the exact p-value needs a Fourier transform in"):
        result = compare(*asked, budget={"max_points": 1})
    assert result.method == "monte_carlo"
    assert result.reason.startswith("p is sampled, because the exact p-value needs a Fourier")
    with pytest.raises(BudgetError, match=r"Or sample: method='monte_carlo'\.$"):
        compare(*asked, budget={"max_points": 1}, method="exact")


def test_few_examples_are_counted_where_the_plane_is_too_large(monkeypatch):
    for name in ("COUNTED", "ENUMERATED"):
        monkeypatch.setattr(plane, name, -1)  # as if that took seconds
    columns = np.random.default_rng(5).integers(0, 10**9, (2, 8, 2)).cumsum(axis=-1)
    result = paired_permutation_test(*columns, score=SHARE)
    assert (result.method, result.reason) == ("exact", "all swaps are counted")
    assert plan(*columns, score=SHARE).reason == result.reason


@pytest.mark.parametrize("answer", [Ratio([1, 0], [1, 1]), None])
def test_a_function_may_be_a_ratio(answer):
    """It says so when it is asked with the rows."""

    def score(sums):
        return precision(sums)

    score.ratio_for = lambda *rows: answer if {x.shape for x in rows} == {(12, 2)} else 1 / 0
    for rows in (WHOLE[:, :12], WHOLE[:, :12] / 21):
        assert plan(*rows, score=score) == plan(*rows, score=answer or precision)
        found, expected = (
            paired_permutation_test(*rows, score=x) for x in (score, answer or precision)
        )
        assert found == expected


# What takes too long


MACRO = partial(dict, metric="f1", average="macro", rng=0)
THREE = np.random.default_rng(3).integers(0, 3, (3, 30))


def test_auto_does_not_wait(monkeypatch):
    """A method is too slow if it takes longer than `QUICK`, and than sampling."""
    waited, few = plan(*THREE, **MACRO()), MACRO(n_resamples=9)
    assert (waited.method, 0.0 < waited.seconds < 3.0) == ("exact", True)
    monkeypatch.setattr(of_swaps, "QUICK", waited.seconds / 2.0)
    planned = plan(*THREE, **few)
    assert (planned.method, planned.seconds < waited.seconds) == ("monte_carlo", True)
    assert planned.reason.startswith("p is sampled, because the exact p-value takes about ")
    with pytest.warns(UserWarning, match=r"estimated .* does not wait.* Ask for .*='exact'\. "):
        assert compare(*THREE, **few).method == "monte_carlo"
    for options in ({"method": "exact"}, {"n_resamples": 10**8}):  # which takes longer still
        assert compare(*THREE, **MACRO(**options)).method == "exact"
    monkeypatch.setattr(of_swaps, "QUICK", 0.0)  # more than an hour of samples is no choice
    assert plan(*THREE, **MACRO(n_resamples=10**9)).method == "exact"
    monkeypatch.setattr(of_swaps, "QUICK", 1.1 * waited.seconds)
    assert plan(*THREE, **MACRO()) == waited


@pytest.mark.parametrize(
    ("n", "digits", "method", "width"),
    [(800, 4, "exact", 1e-11), (60, 12, "bracket", 1e-3), (400, 8, "bracket", 1e-5)],
)
def test_the_digits_of_auto(n, digits, method, width):
    """Eleven where they are prompt, six where these are, and three of whatever scores."""
    result = paired_permutation_test(*np.random.default_rng(n).random((2, n)).round(digits))
    low, high = result.pvalue_interval
    assert result.method == method
    assert high - low < width * high
    assert result.pvalue == (high if method == "bracket" else pytest.approx(low, rel=1e-11))


def test_auto_takes_no_bracket_without_a_digit():
    """Sums in clusters, of some tall and many short, which no lattice separates."""
    signs = np.where(np.random.default_rng(1).random(48) < 0.3, -1.0, 1.0)
    scores = signs * np.repeat([1.0, 1.0 + 1e-13, 1e-13 * 2**0.5, 1e-13 * 3**0.5], 12)
    asked, found = (
        paired_permutation_test(scores, 0 * scores, method=x) for x in ("bracket", "auto")
    )
    low, high = asked.pvalue_interval
    assert high - low > 0.5 * high
    assert found.method == "enumeration"
    assert low <= found.pvalue_interval[0] <= found.pvalue <= high
