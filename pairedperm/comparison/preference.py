"""Which of two systems does a judge prefer? One verdict, or several, on each pair of answers.

A verdict is 1, 0 or -1: system 1 wins, neither, or system 2. Null hypothesis: the two answers to an
item are exchangeable. A swap of them turns the sign of the item's mean verdict v, also if the judge
likes a place: of both orders, or of one that a coin draws. So p is that of the paired test of
(1 + v) / 2 against (1 - v) / 2, whose means are the win rates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.comparison.compare import compare
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, called, counted, describe, shown
from pairedperm.inputs.columns import some_entries
from pairedperm.inputs.labels import check_lengths
from pairedperm.options import (
    CONFIDENCE_LEVEL,
    Alternative,
    Level,
    check_two_sided,
    is_number,
    reads_options,
)
from pairedperm.population.intervals import ConfidenceInterval
from pairedperm.results.preference import Order, PreferenceResult
from pairedperm.results.result import PairedResult
from pairedperm.results.words import pair_of_names
from pairedperm.scoring.merging import read_groups
from pairedperm.scoring.metrics.given import MeanScore

_PLACES = {  # what judges call the answer that is shown first, and the other
    **dict.fromkeys(("first", "A", "model_a", "model_1"), 1),
    **dict.fromkeys(("second", "B", "model_b", "model_2"), -1),
}
_IS_TIE = re.compile(r"tie( \(.*\))?", re.I)  # MT-bench has "tie (bothbad)"
_BY_CHANCE = 10  # tuned: items on which a coin has the same side up in 0.2 % of all cases
_ORDERS = (
    "order='random' if a coin drew it, order='balanced' if a random half of the items has each "
    "system first, order='unknown' otherwise"
)


@reads_options
def preference(
    verdicts: Any,
    *,
    items: Any = None,
    first: Any = None,
    order: Order | None = None,
    names: Sequence[str] = ("A", "B"),
    alternative: Alternative = "two-sided",
    confidence_level: Level | None = None,
) -> PreferenceResult:
    """Which of two systems does a judge prefer?

    Null hypothesis: on every item the two answers are exchangeable. The p-value is the share of all
    2^n ways of swapping them, item by item, in which the win rate is at least as far from 1/2.

    Parameters
    ----------
    verdicts : sequence, length n
        Who wins: a system by its name, "tie", or 1, -1 and 0 for system 1, system 2 and a tie.
        "tie (bothbad)" is a tie as well. With `first` also a place: "first" or "second",
        "model_a" or "model_b", and "A" or "B" unless a system is called so. By default it is: "A"
        is system 1, wherever it stands. If a judge calls places so, give other `names`.
    items : sequence of int or str, length n, or None
        The id of each verdict's item. The verdicts on an item, such as those of both orders, are
        averaged, and their sign turns together. None: each verdict has an item of its own.
    first : sequence of str, length n, or None
        The name of the system whose answer was shown first, for each verdict.
    order : {"both", "random", "balanced", "unknown"} or None
        How the places were chosen. "both": each item was judged as often in either order. "random":
        a coin was thrown for each verdict. "balanced": a random half of the items has each system
        first. "unknown": also if one system always stands first. None: "both", if `first`
        shows that.
    names : sequence of two str
        The names of system 1 and of system 2.
    alternative : {"two-sided", "greater", "less"}
        "greater": system 1 is preferred.
    confidence_level : float or None
        The level of the intervals, between 0 and 1. None: 0.95.

    Returns
    -------
    PreferenceResult
        To print; `test` is the paired test, which `gate` and `adjust` take.

    Raises
    ------
    InputError
        If a verdict is none of these, or is missing; if it is a place and `first` is not given. If
        no `order` is given and `first` does not show that there are both; if they contradict each
        other. If an interval is asked of a one-sided test.

    Notes
    -----
    A tie is half a win: the win rate is (1 + v) / 2, where v is the mean over items of their mean
    verdicts. Its interval is exact if each item has one verdict, and guaranteed otherwise. If both
    orders were judged, or a coin drew one, P(p ≤ α) ≤ α whatever the judge thinks of places. For
    a random half of the items p is approximate: if the liking for a place is one on all items, no
    violation was found up to 16 items. If it differs, p is at most 0.05 in up to 10 % of all draws
    of the half of 6 items, and 7 % of 44. If one system always stands first, or the half follows
    the order of the data, p may be the judge's liking for a place: if that wins 65 % of all pairs
    of equals, p is at most 0.05 in half of all runs of 50.

    `pvalue_place` is of the judge alone. Its null hypothesis: the verdict does not depend on which
    answer stands first. It is the sign test over verdicts that are no ties. If an item has several
    verdicts, the sign of their mean turns. There is none if the order is unknown.

    Examples
    --------
    >>> from pairedperm import preference
    >>> verdicts = ["A", "A", "A", "tie", "B", "A", "A", "A", "A", "A"]
    >>> found = preference(verdicts, order="random")
    >>> found.win_rate, found.pvalue
    (0.85, 0.0390625)

    A judge who says which place wins, in both orders of two items:

    >>> found = preference(
    ...     ["first", "second", "first", "tie"],
    ...     first=["new", "old", "new", "old"],
    ...     items=[1, 1, 2, 2],
    ...     names=("new", "old"),
    ... )
    >>> found.win_rate, found.order
    (0.875, 'both')
    """
    if confidence_level is not None:
        check_two_sided(alternative)
    systems = pair_of_names(names)
    firsts = None if first is None else _numbers("first", first, systems)
    won = _numbers("verdicts", verdicts, systems, firsts)
    with called({"groups": "`items`"}):
        numbers = np.arange(len(won)) if items is None else read_groups(items)
    check_lengths("items", len(numbers), "verdicts", len(won))
    counts = np.bincount(numbers)
    leans = None if firsts is None else np.bincount(numbers, firsts) / counts
    chosen = _checked_order(order, leans, counts)
    test = _tested(np.bincount(numbers, won), counts, alternative)
    ends, share, level = None, None, confidence_level or CONFIDENCE_LEVEL
    with suppress(InputError):  # of one item, or one-sided
        ends = test.confidence_interval(level, kind="exact" if counts.max() == 1 else "guaranteed")
        share = ConfidenceInterval((1 + ends.low) / 2, (1 + ends.high) / 2, ends.method)
    test = replace(
        test,
        metric="preference",
        metric_options={"order": chosen},
        metric_words="win rate (order unknown)" if chosen == "unknown" else "win rate",
        unit="share",
        confidence_level=ends and level,
        interval=ends,
        score1_interval=share,
    )
    found = PreferenceResult(test, systems, chosen, len(won))
    if firsts is None or chosen == "unknown":
        return found
    places = won * firsts
    n_first, n_second = (int((places == x).sum()) for x in (1, -1))
    p = _tested(np.bincount(numbers, places), counts).pvalue
    return replace(found, n_first=n_first, n_second=n_second, pvalue_place=p)


def _tested(
    sums: NDArray[Any], counts: IntArray, alternative: Alternative = "two-sided"
) -> PairedResult:
    """Return the test of items with so many verdicts, whose sums turn their signs."""
    one, two = ((counts + x) / (2 * counts) for x in (sums, -sums))  # read as the shares they spell
    of_range = MeanScore(score_range=(0, 1))
    # "system": win rates that are all the same are no number
    return compare(one, two, None, of_range, alternative=alternative, constant="system")


def _numbers(
    name: str, column: Any, systems: Sequence[str], firsts: IntArray | None = None
) -> IntArray:
    """Return 1 or -1 for each entry that names a system, or a place, and 0 for a tie."""
    entries = some_entries(name, column, "a system's name")
    if firsts is not None:
        check_lengths(name, len(entries), "first", len(firsts))
    known = {str(x): x for x in (1, 0, -1) if name == "verdicts"}
    known |= zip(systems, (1, -1), strict=True)
    numbers = np.zeros(len(entries), dtype=np.int64)
    for k, given in enumerate(entries):
        word = str(int(given)) if is_number(given) and given in (1, 0, -1) else given
        text = word if isinstance(word, str) else ""
        if text in known:
            numbers[k] = known[text]
        elif firsts is not None and text in _PLACES:
            numbers[k] = _PLACES[text] * firsts[k]
        elif name == "first" or not _IS_TIE.fullmatch(text):
            raise _no_verdict(name, k, given, systems)
    return numbers


def _no_verdict(name: str, index: int, given: Any, systems: Sequence[str]) -> InputError:
    must, remedies = f"name a system, {' or '.join(map(shown, systems))}", ["Set names=…"]
    if name == "verdicts":
        must += ", or be 'tie', or 1, -1 or 0"
        remedies += ["For places, such as 'first' or 'model_a', say who stands there, first=…"]
        remedies += ["Leave out an item without a verdict"]
    at = f"`{name}`[{index}]"
    return InputError(name, must=must, at=at, got=describe(given), remedy=remedies)


def _checked_order(order: Order | None, leans: FloatArray | None, counts: IntArray) -> Order:
    """Return how the places were chosen; `leans` are the means of 1 for system 1 first, else -1."""
    if leans is not None and not leans.any():
        return "both"
    may_be_both = leans is None and not (counts % 2).any()
    both = "order='both' if each item was judged in both, " if may_be_both else ""
    what = ""
    if order is None:
        what = "is missing" if may_be_both else "is missing, and not each item has both orders"
    elif order == "both" and not may_be_both:
        what = "is 'both', and not each item has as many verdicts in either order"
    elif leans is not None and order != "unknown":
        is_one = len(leans) >= _BY_CHANCE and len({*np.sign(leans)}) == 1
        if is_one if order == "random" else abs(leans.sum()) > 1.0 + 1e-9:
            n_first = f"{(leans > 0).sum():,} of {counted(len(leans), 'item')}"
            what = f"is {order!r}, and system 1 stands first on {n_first}"
    if what or order is None:
        raise InputError("order", what, remedy=f"Say {both}{_ORDERS}")
    return order
