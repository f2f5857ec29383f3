"""Pictures of a result, with matplotlib: the null distribution, and who was right where.

``pip install "pairedperm[plot]"``. Nothing here touches pyplot: without axes of one's own each
function draws into a new `matplotlib.figure.Figure`, which `savefig` writes and notebooks show.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pairedperm.errors import InputError, describe, printable
from pairedperm.options import BudgetLike
from pairedperm.results.null_distribution import FloatArray
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import PairedResult, p_in_words
from pairedperm.results.sentence import scale_of

# Okabe and Ito's colours, which colour-blind people tell apart.
_BLUE, _ORANGE, _GREY, _GREEN, _RED = "#0072B2", "#E69F00", "#BBBBBB", "#009E73", "#D55E00"
_WIDTH = 4.0  # tuned: inches; texts of 9 points can be read at 350 pixels, and at 700
_TALL, _FLAT = 2.4, 1.2  # tuned: inches, of a distribution and of a bar
_LETTERS = 9  # tuned: points of a text
_STEMS = 60  # tuned: points of a distribution that are seen one by one
_BINS = 160  # tuned: of more
_IN_A_BIN = 40  # tuned: points that lie on no lattice, on average
_FEWEST = 20  # tuned: bins
_FAINT = 1e-5  # tuned: of the largest mass, below which nothing is seen
_SAME = 1e-9  # tuned: of the observed difference, by which a point may be off and still be it
_NAME = 24  # tuned: characters of a system's name
_LEAST = 0.07  # tuned: share of the bar that has room for its number


def plot_null_distribution(
    result: PairedPermutationResult, ax: Any = None, *, budget: BudgetLike = None
) -> Any:
    """Draw the null distribution, the observed difference and the tails that are p.

    Parameters
    ----------
    result : PairedPermutationResult
    ax : matplotlib.axes.Axes or None
        Where to draw; None: axes of a new figure.
    budget : Budget, dict or None
        As of `PairedPermutationResult.null_distribution`.

    Returns
    -------
    matplotlib.axes.Axes
        Its ``figure`` is to save. Up to 60 values are stems, more are an area.

    Raises
    ------
    InputError
        If it is no result of a permutation test.
    BudgetError
        If the distribution has more points than the budget allows.
    ImportError
        Without matplotlib.

    Examples
    --------
    >>> from pairedperm import compare
    >>> from pairedperm.plots import plot_null_distribution
    >>> result = compare([1] * 8 + [0], [0] * 8 + [1], [1] * 9)
    >>> ax = plot_null_distribution(result)
    >>> ax.get_xlabel()
    'difference by random swaps (percentage points)'
    """
    if not isinstance(result, PairedPermutationResult):
        raise InputError(
            f"`result` must be that of a paired-permutation test, got {describe(result)}."
        )
    null = result.null_distribution(budget)
    ax = _axes(ax, _TALL)
    factor, unit = scale_of(result.metric)
    observed = factor * result.statistic
    values, masses = _seen(factor * null.support, null.pmf)
    if values.size <= _STEMS:
        is_tail = _is_extreme(values, observed, result.alternative)
        for some, colour in ((~is_tail, _BLUE), (is_tail, _RED)):
            ax.vlines(values[some], 0.0, masses[some], colors=colour, linewidth=3)
    else:
        values, masses = _even(values, masses, observed)
        is_tail = _is_extreme(values, observed, result.alternative)
        half = (values[1] - values[0]) / 2.0
        edges = np.append(values - half, values[-1] + half)
        ax.stairs(masses, edges, fill=True, color=_BLUE)
        ax.stairs(np.where(is_tail, masses, 0.0), edges, fill=True, color=_RED)
    ax.axvline(observed, color="black", linestyle="--", linewidth=1)
    ax.set_ylim(0.0, 1.3 * float(masses.max()))
    is_left = observed < float(values[0] + values[-1]) / 2.0
    ax.annotate(
        "observed",
        (observed, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(3 if is_left else -3, -3),
        textcoords="offset points",
        ha="left" if is_left else "right",
        va="top",
        fontsize=_LETTERS,
    )
    ax.text(
        0.98 if is_left else 0.02,
        0.97,
        p_in_words(result).partition(" (")[0],
        transform=ax.transAxes,
        ha="right" if is_left else "left",
        va="top",
        fontsize=_LETTERS,
        color=_RED,
    )
    what = "statistic" if result.score1 is None else "difference"
    ax.set_xlabel(f"{what} by random swaps{f' ({unit})' if unit else ''}", fontsize=_LETTERS)
    ax.set_ylabel("probability", fontsize=_LETTERS)
    ax.locator_params(axis="both", nbins=5)
    ax.tick_params(labelsize=_LETTERS)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_agreement(
    result: PairedResult, ax: Any = None, *, name1: str = "system 1", name2: str = "system 2"
) -> Any:
    """Draw on how many examples which system was right, as one bar.

    Where each example is right or wrong the parts are both, either and none; of other scores they
    are the examples on which either is better, and ties.

    Parameters
    ----------
    result : PairedPermutationResult or PairedBootstrapResult
    ax : matplotlib.axes.Axes or None
        Where to draw; None: axes of a new figure.
    name1, name2 : str
        What the systems are called.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        If it is no result of `compare`, or was pickled without its score function.
    ImportError
        Without matplotlib.

    Examples
    --------
    >>> from pairedperm import compare
    >>> from pairedperm.plots import agreement, plot_agreement
    >>> result = compare([1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1])
    >>> agreement(result, "large", "small")
    {'both right': 1, 'only large': 2, 'only small': 0, 'neither': 1}
    >>> ax = plot_agreement(result, name1="large", name2="small")
    """
    parts = agreement(result, printable(name1, _NAME), printable(name2, _NAME))
    colours = (_GREEN, _BLUE, _ORANGE, _GREY) if len(parts) == 4 else (_BLUE, _GREY, _ORANGE)
    ax = _axes(ax, _FLAT)
    start, total = 0, sum(parts.values())
    for (what, n), colour in zip(parts.items(), colours, strict=True):
        label = f"{what}: {n:,}"
        ax.barh(0.0, n, left=start, color=colour, edgecolor="white", label=label)
        if n >= _LEAST * total:
            ink = "white" if colour in (_GREEN, _BLUE) else "black"
            where = (start + n / 2.0, 0.0)
            ax.annotate(f"{n:,}", where, ha="center", va="center", color=ink, fontsize=_LETTERS + 1)
        start += n
    ax.set_xlim(0, total)
    ax.set_ylim(-0.4, 0.4)
    ax.set_axis_off()
    legend = ax.legend(
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=2 if max(map(len, parts)) < 22 else 1,
        frameon=False,
        fontsize=_LETTERS,
        handlelength=1.0,
        borderaxespad=0.2,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)  # a name with two dollar signs is no formula
    return ax


def agreement(
    result: PairedResult, name1: str = "system 1", name2: str = "system 2"
) -> dict[str, int]:
    """Number of examples of each part of `plot_agreement`, by what the part is called."""
    if not isinstance(result, PairedResult) or result.score1 is None:
        raise InputError(f"`result` must be that of a comparison, got {describe(result)}.")
    if (pairs := _pairs(result)) is None:
        return {
            f"{name1} better": result.n_wins,
            "ties": result.n_ties,
            f"{name2} better": result.n_losses,
        }
    is_right1, is_right2, counts = pairs
    return {
        "both right": int(counts[is_right1 & is_right2].sum()),
        f"only {name1}": int(counts[is_right1 & ~is_right2].sum()),
        f"only {name2}": int(counts[~is_right1 & is_right2].sum()),
        "neither": int(counts[~is_right1 & ~is_right2].sum()),
    }


def _pairs(result: PairedResult) -> tuple[Any, Any, Any] | None:
    """Whether each system is right, and how often both are so; None where scores are no 0 and 1."""
    evidence = result._evidence_for("number of examples that both get right")
    rows, metric = evidence.rows, evidence.metric
    one, two = rows.tables
    right = rows.unit * 10**rows.decimals
    both = np.concatenate((one, two))
    if metric is None or both.shape[1] != 1 or not np.isin(both, (0, right)).all():
        return None
    wanted = 0 if metric.lower_is_better else right
    return one[:, 0] == wanted, two[:, 0] == wanted, rows.how_often


def _axes(ax: Any, height: float) -> Any:
    """The axes that were given, or those of a new figure."""
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    return Figure(figsize=(_WIDTH, height), layout="constrained").add_subplot()


def _seen(values: FloatArray, masses: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The values between the outermost whose mass can be seen."""
    seen = np.flatnonzero(masses >= _FAINT * masses.max())
    span = slice(seen[0], seen[-1] + 1)
    return values[span], masses[span]


def _even(values: FloatArray, masses: FloatArray, observed: float) -> tuple[FloatArray, FloatArray]:
    """As many values, evenly spaced, as an eye can tell, and the mass at each."""
    gaps = np.diff(values)
    is_lattice = gaps.max() < 1.5 * gaps.min()
    return _smoothed(values, masses) if is_lattice else _binned(values, masses, observed)


def _smoothed(values: FloatArray, masses: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Some of the values, each with the mass of its neighbours."""
    n_each = -(-values.size // _BINS)
    return values[::n_each], np.convolve(masses, np.ones(n_each), "same")[::n_each]


def _binned(
    values: FloatArray, masses: FloatArray, observed: float
) -> tuple[FloatArray, FloatArray]:
    """Bins of one width, of which none is in a tail and out of it."""
    edge = abs(observed) * (1.0 - _SAME)
    width = float(values[-1] - values[0]) / min(_BINS, max(_FEWEST, values.size // _IN_A_BIN))
    if edge > width:
        width = edge / round(edge / width)
    numbers = np.floor(np.abs(values) / width) + 0.5
    last = int(numbers.max())
    places = (np.copysign(numbers, values) + last + 0.5).astype(np.int64)
    heights = np.zeros(2 * last + 2)
    np.add.at(heights, places, masses)
    centres = np.asarray((np.arange(heights.size) - last - 0.5) * width, np.float64)
    return centres, heights


def _is_extreme(values: FloatArray, observed: float, alternative: str) -> Any:
    """Which values are at least as extreme as the observed one; rounding apart."""
    margin = _SAME * abs(observed)
    if alternative == "greater":
        return values >= observed - margin
    if alternative == "less":
        return values <= observed + margin
    return np.abs(values) >= abs(observed) - margin
