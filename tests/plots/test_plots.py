"""Pictures: what is drawn is the distribution, and every part can be told."""

import sys
from unittest import mock

import matplotlib.figure
import numpy as np
import pytest

from pairedperm import compare, compare_many, paired_permutation_test, structured_permutation_test
from pairedperm import plots as visible_points_module
from pairedperm.plots import plot_leaderboard, plot_null_distribution, plot_p_matrix, visible_points
from refusals import refuses

GOLD = np.arange(1000) % 2
RIGHT = np.random.default_rng(0).random((2, 1000)) < [[0.85], [0.83]]
RED = (0xD5 / 255, 0x5E / 255, 0.0, 1.0)


def compared(n=1000, **options):
    one, two = (np.where(x[:n], GOLD[:n], 1 - GOLD[:n]) for x in RIGHT)
    return compare(one, two, GOLD[:n], **options)


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
    ax = plot_null_distribution(result)
    null = result.null_distribution()
    assert [x for x, _, _ in stems(ax)] == pytest.approx(100.0 * null.support)
    assert sum(y for _, y, colour in stems(ax) if colour == RED) == pytest.approx(result.pvalue)
    (text,) = ax.get_legend().get_texts()
    p, _, rest = text.get_text().partition(":")
    assert rest.split() == said.split()
    assert float(p.removeprefix("p = ")) == pytest.approx(result.pvalue, rel=0.01)


def red_area(ax):
    """The share of the picture's area that is in a tail."""
    everything, tails = (x.get_data() for x in ax.patches)
    return sum(tails.values) / sum(everything.values)


@pytest.mark.parametrize("metric", ["accuracy", "f1", "mean_score"])
def test_red_area_is_p(metric):
    """Of a lattice, and of many values, which are binned; to the eye's accuracy."""
    thousandths = np.round(np.random.default_rng(1).random((2, 200)), 3)
    is_mean = metric == "mean_score"
    result = compare(*thousandths, None, metric) if is_mean else compared(metric=metric)
    ax = plot_null_distribution(result)
    assert red_area(ax) == pytest.approx(result.pvalue, abs=0.02)
    unit = "" if is_mean else " (percentage points)"
    assert ax.get_xlabel() == f"difference by random swaps{unit}"


def share_of(point):
    """Of the samples of a picture that are in a tail."""
    return float(point.masses[point.is_tail].sum())


SCORES = np.random.default_rng(2).random((2, 60))
SAMPLED = {
    "accuracy": lambda **options: compared(**options),
    "f1": lambda **options: compared(metric="f1", alternative="greater", **options),
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
    assert 2000 * share_of(visible_points(result)) == pytest.approx(k, abs=1e-6)
    ax = plot_null_distribution(result)
    assert "by 2,000 random swaps" in " ".join(ax.get_xlabel().split())
    assert ax.get_ylabel() == "share of the samples"


def sampled_twice():
    """A result that has no exact p within the budget, and was sampled beyond the first samples."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 10, 900)
    one, two = (np.where(rng.random(900) < x, rng.integers(0, 10, 900), gold) for x in (0.2, 0.24))
    with pytest.warns(UserWarning, match="estimated from"):
        return compare(one, two, gold, "f1", average="macro", rng=1)


def test_many_samples_are_not_all_drawn():
    result = compared(60, method="monte_carlo", n_resamples=5000, rng=0)
    with mock.patch.object(visible_points_module, "DRAWN", 1000):
        ax = plot_null_distribution(result)
    assert " ".join(ax.get_xlabel().split()) == (
        "difference by the first 1,000 of 5,000 random swaps (percentage points)"
    )
    assert sum(y for _, y, _ in stems(ax)) == pytest.approx(1.0)


def test_no_sample_is_extreme():
    """The observed difference is still shown, beyond all samples."""
    result = compare([1] * 40, [0] * 40, [1] * 40, method="monte_carlo", rng=0)
    ax = plot_null_distribution(result)
    assert share_of(visible_points(result)) == 0.0
    assert ax.get_xlim()[1] > 100.0


@pytest.mark.parametrize(
    ("one", "two"),
    [([1.0], [0.0]), (np.pi ** np.arange(9), np.e ** np.arange(9))],
    ids=["one example", "real numbers"],
)
def test_any_distribution_is_drawn(one, two, tmp_path):
    result = compare(one, two, None, "mean_score")
    ax = plot_null_distribution(result)
    ax.figure.savefig(tmp_path / "picture.svg")
    assert "by random swaps" in ax.get_xlabel()


def test_tiny_numbers_are_written_in_full():
    """A power of ten at the end of the axis would be written over its label."""
    ax = plot_null_distribution(compare([1e-6, 3e-6, 0], [0, 0, 2e-6], None, "mean_score"))
    ax.figure.draw_without_rendering()
    texts = [text.get_text().replace("\N{MINUS SIGN}", "-") for text in ax.get_xticklabels()]
    assert [*map(float, texts)] == pytest.approx(ax.get_xticks())
    assert ax.xaxis.get_offset_text().get_text() == ""


@pytest.mark.parametrize("plot", [plot_null_distribution, plot_leaderboard, plot_p_matrix])
def test_given_axes_are_drawn_into(plot):
    """No figure of pyplot is made."""
    ax = matplotlib.figure.Figure().subplots()
    board = compare_many({"a": GOLD, "b": 1 - GOLD}, GOLD)
    shown = compared() if plot is plot_null_distribution else board
    assert plot(shown, ax) is plot(shown, ax=ax) is ax
    assert (
        "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()
    )


@refuses
def test_refusals():
    plot_null_distribution(compared(test="bootstrap", rng=0))
    # -> `result` must be that of a paired-permutation test, got PairedBootstr
    plot_null_distribution(compared(metric="f1"), budget={"max_bytes": 100})
    # -> BudgetError: `max_bytes`
    sampled_twice().null_distribution()
    # -> BudgetError: compare fewer columns or classes. `plot_null_distribution` draws the … sampled
    #    swaps
    plot_leaderboard(3)
    # -> `board` must be what `compare_many` returns, got 3
    plot_p_matrix(compare_many({"a": GOLD, "b": 1 - GOLD}, GOLD, baseline="a"))
    # -> `board` has a baseline … Leave out `baseline`
