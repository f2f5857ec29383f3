"""Pictures of one test: what is drawn is the distribution, and every part can be told."""

import pickle
import sys

import matplotlib.figure
import numpy as np
import pytest

from pairedperm import (
    compare,
    compare_many,
    compare_suite,
    paired_permutation_test,
    plots,
    structured_permutation_test,
)
from pairedperm.plots import plot_leaderboard, plot_null_distribution, plot_p_matrix, plot_suite
from refusals import refuses

GOLD = np.arange(1000) % 2
RIGHT = np.random.default_rng(0).random((2, 1000)) < [[0.85], [0.83]]
RED = (0xD5 / 255, 0x5E / 255, 0.0, 1.0)


def compared(n=1000, **options):
    one, two = (np.where(x[:n], GOLD[:n], 1 - GOLD[:n]) for x in RIGHT)
    return compare(one, two, GOLD[:n], **options)


def drawn(result):
    """The axes of its picture."""
    (ax,) = plot_null_distribution(result).axes
    return ax


def stems(ax):
    """Place, height and colour of each stem."""
    found = []
    for lines in ax.collections:
        (colour,) = lines.get_colors()
        found += [(x[1][0], x[1][1], tuple(colour)) for x in lines.get_segments()]
    return sorted(found)


@pytest.mark.parametrize(
    ("alternative", "said"),
    [
        ("two-sided", "at least as far from 0"),
        ("greater", "at least as high"),
        ("less", "at most as high"),
    ],
)
def test_red_stems_are_p(alternative, said):
    """And the legend says what they are."""
    result = compared(60, alternative=alternative)
    ax = drawn(result)
    null = result.null_distribution()
    assert [x for x, _, _ in stems(ax)] == pytest.approx(100.0 * null.support)
    assert sum(y for _, y, colour in stems(ax) if colour == RED) == pytest.approx(result.pvalue)
    line, tail = (text.get_text() for text in ax.get_legend().get_texts())
    tail, _, p = tail.partition(": p = ")
    assert (line, tail) == ("observed", said)
    assert float(p) == pytest.approx(result.pvalue, rel=0.01)


def red_area(ax):
    """The share of the picture's area that is in a tail."""
    everything, tails = ((x.get_data(), np.diff(x.get_data().edges)) for x in ax.patches)
    return sum(tails[0].values * tails[1]) / sum(everything[0].values * everything[1])


@pytest.mark.parametrize("metric", ["accuracy", "f1", "mean_score"])
def test_red_area_is_p(metric):
    """Of a lattice, and of many values, which are binned; to the eye's accuracy."""
    thousandths = np.round(np.random.default_rng(1).random((2, 200)), 3)
    is_mean = metric == "mean_score"
    result = compare(*thousandths, None, metric) if is_mean else compared(metric=metric)
    ax = drawn(result)
    assert red_area(ax) == pytest.approx(result.pvalue, abs=0.01)
    unit = "" if is_mean else " (percentage points)"
    assert ax.get_xlabel() == f"difference{unit}\nby random swaps"


SCORES = np.random.default_rng(2).random((2, 60))
SAMPLED = {
    "accuracy": lambda **options: compared(**options),
    "real scores": lambda **options: compare(*SCORES, None, "mean_score", **options),
    "function": lambda **options: paired_permutation_test(
        *np.round(10 * SCORES).astype(int),
        score=lambda sums: np.sqrt(sums + 1.0),
        alternative="less",
        **options,
    ),
    "statistic": lambda **options: structured_permutation_test(
        *np.round(10 * SCORES).astype(int)[:, :, None],
        statistic=lambda sums: sums[..., 0] % 7.0,
        **options,
    ),
}


@pytest.mark.parametrize("kind", SAMPLED)
def test_the_samples_are_those_of_p(kind):
    """K of m are in the red tails, where p = (k + 1) / (m + 1); the axis says m."""
    result = SAMPLED[kind](method="monte_carlo", n_resamples=2000, rng=5)
    k = round(result.pvalue * 2001) - 1
    ax = drawn(result)
    red = [y for _, y, colour in stems(ax) if colour == RED]
    share, near = (red_area(ax), 0.01) if ax.patches else (sum(red), 1e-9)
    assert share == pytest.approx(k / 2000, abs=near)
    assert ax.get_xlabel().endswith("\nby 2,000 random swaps")
    assert ax.get_ylabel() == "share of the samples"


def sampled_twice():
    """A result that has no exact p within the budget, and was sampled beyond the first samples."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 10, 900)
    one, two = (np.where(rng.random(900) < x, rng.integers(0, 10, 900), gold) for x in (0.2, 0.24))
    with pytest.warns(UserWarning, match="estimated from"):
        return compare(one, two, gold, "f1", average="macro", rng=1)


def test_many_samples_are_not_all_drawn(monkeypatch):
    monkeypatch.setattr(plots, "_DRAWN", 1000)
    ax = drawn(compared(60, method="monte_carlo", n_resamples=5000, rng=0))
    assert ax.get_xlabel().endswith("\nby the first 1,000 of 5,000 random swaps")
    assert sum(y for _, y, _ in stems(ax)) == pytest.approx(1.0)


def test_no_sample_is_extreme():
    """The observed difference is still shown, beyond all samples."""
    ax = drawn(compare([1] * 40, [0] * 40, [1] * 40, method="monte_carlo", rng=0))
    assert RED not in {colour for _, _, colour in stems(ax)}
    assert ax.get_xlim()[1] > 100.0


def test_tiny_numbers_are_written_in_full():
    """A power of ten at the end of the axis would be written over its label."""
    ax = drawn(compare([1e-6, 3e-6, 0], [0, 0, 2e-6], None, "mean_score"))
    ax.figure.draw_without_rendering()
    texts = [text.get_text().replace("\N{MINUS SIGN}", "-") for text in ax.get_xticklabels()]
    assert [*map(float, texts)] == pytest.approx(ax.get_xticks())
    assert ax.xaxis.get_offset_text().get_text() == ""


BOARD = compare_many({"a": GOLD, "b": 1 - GOLD}, GOLD)
PICTURES = {
    plot_null_distribution: compared(),
    plot_leaderboard: BOARD,
    plot_p_matrix: BOARD,
    plot_suite: compare_suite({"a": (*1 - RIGHT[:, :99], [1] * 99)}),
}


@pytest.mark.parametrize("plot", PICTURES)
def test_each_picture_is_a_figure(plot):
    """A new one, which notebooks show without pyplot, or that of the given axes."""
    shown = PICTURES[plot]
    figure = plot(shown)
    assert isinstance(figure, matplotlib.figure.Figure)
    assert plot(shown) is not figure
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert len(pickle.loads(pickle.dumps(figure)).axes) == 1
    given = matplotlib.figure.Figure()
    one, other = given.subfigures(1, 2)
    assert plot(shown, one.subplots()) is plot(shown, ax=other.subplots()) is given
    assert (
        "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()
    )


SEVERAL_UNITS = {"right": ([1, 0], [0, 0], [1, 1]), "seconds": ([1.5, 2.5], [2.0, 3.0])}


@refuses
def test_refusals():
    plot_null_distribution(compared(test="bootstrap", rng=0))
    # -> `result` must be that of a paired-permutation test, got PairedResult(
    plot_null_distribution(compared(metric="f1"), budget={"max_bytes": 100})
    # -> BudgetError: `max_bytes`
    sampled_twice().null_distribution()
    # -> BudgetError: compare fewer columns or classes. `plot_null_distribution` draws the … sampled
    #    swaps
    plot_leaderboard(3)
    # -> `board` must be what `compare_many` returns, got 3
    plot_p_matrix(compare_many({"a": GOLD, "b": 1 - GOLD}, GOLD, baseline="a"))
    # -> `board` has a baseline … Leave out `baseline`
    plot_suite(BOARD)
    # -> `suite` must be what `compare_suite` returns, got … (Leaderboard)
    plot_suite(compare_suite(SEVERAL_UNITS, {"right": "accuracy", "seconds": "mean_score"}))
    # -> `suite` has tasks in several units. Compare the tasks of each in a suite
