"""The starts and ends of spans in tags, as seqeval finds them: by default, or by a scheme.

Each tag is read with the one before it: the prefixes of both, and whether their types differ. The
tags of all examples form one sequence, with an "O" after each example.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray

_CLOSES, _OPENS, _INSIDE = 1, 2, 4  # proof: distinct bits for what a tag does after another


class Reading(ABC):
    """A way to read tags.

    Parameters
    ----------
    prefixes : str
        The prefixes with rules of their own.
    event : callable
        The function of two prefixes, and whether their types differ, that returns the bits of what
        the second does.
    """

    def __init__(self, prefixes: str, event: Callable[[str, str, bool], int]) -> None:
        self.prefixes = prefixes
        cases = product((False, True), prefixes, prefixes)
        table = [event(one, two, change) for change, one, two in cases]
        self._events = np.array(table, dtype=np.uint8)

    @abstractmethod
    def type_of(self, tag: str) -> str:
        """Return the type of entity, "_" for none."""

    def prefix_of(self, tag: str) -> int:
        """Return the number of the tag's prefix, or 0 for an unknown prefix."""
        return max(self.prefixes.find(tag[:1]), 0)

    def spans(
        self, prefixes: NDArray[np.uint8], types: IntArray, firsts: IntArray
    ) -> tuple[IntArray, IntArray]:
        """Return the first and last tags of all spans; `firsts` are the first tags of examples."""
        n, change = np.uint8(len(self.prefixes)), types != np.roll(types, 1)  # before the first: O
        events = self._events[(change * n + np.roll(prefixes, 1)) * n + prefixes]
        return self._bounds(events, firsts)

    @abstractmethod
    def _bounds(self, events: NDArray[np.uint8], firsts: IntArray) -> tuple[IntArray, IntArray]:
        """Return the first and last tags of all spans, from the bits of each tag."""


class Default(Reading):
    """The reading of conlleval, which takes malformed tags too.

    "I-PER" starts a span at the beginning, after "O" and after another type. "B-" and "S-" always
    start a span; "E-" and "S-" end one. The first letter is the prefix, and the type follows the
    first "-" after it ("ER" in "PER", "_" in "B"). Any other prefix ("b-PER") continues a span of
    its type, or starts one. "O" and "." are outside.
    """

    def __init__(self) -> None:
        super().__init__("?OBIES.", _default_event)

    def type_of(self, tag: str) -> str:
        """Return the text after the prefix letter, and after the first "-" behind it if any."""
        head, dash, tail = tag[1:].partition("-")
        return (tail if dash else head) or "_"

    def _bounds(self, events: NDArray[np.uint8], firsts: IntArray) -> tuple[IntArray, IntArray]:
        """Return first and last tags; a span may end where none began, after an "x" alone.

        As in seqeval it then starts at the last start, but not before its example's first tag.
        """
        ends = np.flatnonzero(events & _CLOSES) - 1
        opens = events & _OPENS != 0
        opens[firsts] = True
        starts = np.flatnonzero(opens)
        return starts[np.searchsorted(starts, ends, side="right") - 1], ends


def _default_event(one: str, two: str, change: bool) -> int:
    """Tell whether a span ends before `two`, and whether one starts at it."""
    closes = one in "ES" or (one in "BI" and two in "BSO") or (change and one not in "O.")
    opens = two in "BS" or (one in "ESO" and two in "EI") or (change and two not in "O.")
    return _CLOSES * closes + _OPENS * opens


class Strict(Reading):
    """The reading of a scheme, in which malformed tags make no span.

    A span starts where a pattern of `starts` fits, unless the tag is inside a span. It continues
    while a pattern of `inside` fits. It counts if a pattern of `ends` fits its last tag and the tag
    after it.

    Parameters
    ----------
    prefixes : str
        The prefixes that a tag may have.
    starts, inside, ends : str
        Patterns of a prefix, the next prefix, and the types: "=" for the same, "!" for others. "*"
        fits all.
    """

    def __init__(self, prefixes: str, starts: str, inside: str, ends: str) -> None:
        def event(one: str, two: str, change: bool) -> int:
            case = one, two, "!" if change else "="
            closes, opens, goes_on = (_fits(case, x.split()) for x in (ends, starts, inside))
            return _CLOSES * closes + _OPENS * opens + _INSIDE * goes_on

        super().__init__(prefixes, event)

    def type_of(self, tag: str) -> str:
        """Return the text after the prefix letter, without "-" around it."""
        return tag[1:].strip("-") or "_"

    def _bounds(self, events: NDArray[np.uint8], firsts: IntArray) -> tuple[IntArray, IntArray]:
        """Return first and last tags; in each run of inside tags only the first start counts."""
        runs, starts = np.flatnonzero(events & _INSIDE == 0), np.flatnonzero(events & _OPENS)
        run = np.searchsorted(runs, starts, side="right")  # the number of the next run
        is_first = np.diff(run, prepend=0) > 0
        starts, after = starts[is_first], runs[run[is_first]]  # the last run is an "O"
        counts = events[after] & _CLOSES != 0
        return starts[counts], after[counts] - 1


def _fits(case: tuple[str, str, str], patterns: list[str]) -> bool:
    """Tell whether one of the patterns fits."""
    return any(
        all(x in (y, "*") for x, y in zip(pattern, case, strict=True)) for pattern in patterns
    )


DEFAULT = Default()
SCHEMES = {  # with seqeval's patterns: in IOE1 "E-X" before "O" ends no span
    "IOB1": Strict("IOB", "OI* II! BI* IB= BB=", "BI= II=", "II! IO* IB* BO* BI! BB="),
    "IOB2": Strict("IOB", "*B*", "BI= II=", "IO* II! IB* BO* BI! BB*"),
    "IOE1": Strict("IOE", "OI* II! EI* EE=", "II= IE=", "II! IO* IE! EI= EE="),
    "IOE2": Strict("IOE", "OI* OE* EI* EE* II! IE!", "II= IE=", "E**"),
    "IOBES": Strict("IOBES", "*B* *S*", "BI= BE= II= IE=", "S** E**"),
    "BILOU": Strict("BILOU", "*B* *U*", "BI= BL= II= IL=", "U** L**"),
}
