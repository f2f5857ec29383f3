"""Where spans start and end in tags, as seqeval reads them: by default, and by a scheme.

Either is told by each tag and the one before it, the prefixes of both, and whether their types
differ. The tags of all examples come in one piece, with an "O" after each example.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray

_CLOSES, _OPENS, _INSIDE = 1, 2, 4  # proof: bits of what a tag does after another


class Reading(ABC):
    """A way to read tags.

    Parameters
    ----------
    prefixes : str
        Those with rules of their own.
    event : callable
        What a prefix does after another, given both and whether the type is another: bits.
    """

    def __init__(self, prefixes: str, event: Callable[[str, str, bool], int]) -> None:
        self.prefixes = prefixes
        cases = product((False, True), prefixes, prefixes)
        table = [event(one, two, change) for change, one, two in cases]
        self._events = np.array(table, dtype=np.uint8)

    @abstractmethod
    def type_of(self, tag: str) -> str:
        """The type of entity, "_" for none."""

    def prefix_of(self, tag: str) -> int:
        """The number of its prefix, the first where it has none of those."""
        return max(self.prefixes.find(tag[:1]), 0)

    def spans(
        self, prefixes: NDArray[np.uint8], types: IntArray, firsts: IntArray
    ) -> tuple[IntArray, IntArray]:
        """The first and the last tags of all spans; `firsts` are those of the examples."""
        n, change = np.uint8(len(self.prefixes)), types != np.roll(types, 1)  # before the first: O
        events = self._events[(change * n + np.roll(prefixes, 1)) * n + prefixes]
        return self._bounds(events, firsts)

    @abstractmethod
    def _bounds(self, events: NDArray[np.uint8], firsts: IntArray) -> tuple[IntArray, IntArray]:
        """The same, by what each tag does."""


class Default(Reading):
    """That of conlleval, malformed tags included.

    "I-PER" at the beginning, after "O" or after another type starts a span, "B-" and "S-" always
    do; "E-" and "S-" end one. The first letter is the prefix, the type follows the first "-" after
    it ("ER" in "PER", "_" in "B"). Any other prefix ("b-PER") goes on with a span of its type, or
    starts one; "O" and "." are outside.
    """

    def __init__(self) -> None:
        super().__init__("?OBIES.", _default_event)

    def type_of(self, tag: str) -> str:
        """What follows the prefix letter, and the first "-" after it if any."""
        head, dash, tail = tag[1:].partition("-")
        return (tail if dash else head) or "_"

    def _bounds(self, events: NDArray[np.uint8], firsts: IntArray) -> tuple[IntArray, IntArray]:
        """A span may end where none began, after a tag such as "x" alone.

        As in seqeval it reaches back to the last start, but here no further than to its example's
        first tag.
        """
        ends = np.flatnonzero(events & _CLOSES) - 1
        opens = events & _OPENS != 0
        opens[firsts] = True
        starts = np.flatnonzero(opens)
        return starts[np.searchsorted(starts, ends, side="right") - 1], ends


def _default_event(one: str, two: str, change: bool) -> int:
    """Whether a span ends before `two`, and one starts at it."""
    closes = one in "ES" or (one in "BI" and two in "BSO") or (change and one not in "O.")
    opens = two in "BS" or (one in "ESO" and two in "EI") or (change and two not in "O.")
    return _CLOSES * closes + _OPENS * opens


class Strict(Reading):
    """That of a scheme: what is malformed is no span.

    A span starts where a pattern of `starts` fits, unless the tag is inside of one; it goes on
    while one of `inside` does, and counts if one of `ends` fits the tag after it and its last one.

    Parameters
    ----------
    prefixes : str
        That a tag may have.
    starts, inside, ends : str
        Patterns of a prefix, the one after it, and the types: "=" of the same, "!" of others.
        "*" is any.
    """

    def __init__(self, prefixes: str, starts: str, inside: str, ends: str) -> None:
        def event(one: str, two: str, change: bool) -> int:
            case = one, two, "!" if change else "="
            closes, opens, goes_on = (_fits(case, x.split()) for x in (ends, starts, inside))
            return _CLOSES * closes + _OPENS * opens + _INSIDE * goes_on

        super().__init__(prefixes, event)

    def type_of(self, tag: str) -> str:
        """What follows the prefix letter, without "-" around it."""
        return tag[1:].strip("-") or "_"

    def _bounds(self, events: NDArray[np.uint8], firsts: IntArray) -> tuple[IntArray, IntArray]:
        """Tags that are inside go with those before them: at the first start in each such run."""
        runs, starts = np.flatnonzero(events & _INSIDE == 0), np.flatnonzero(events & _OPENS)
        run = np.searchsorted(runs, starts, side="right")  # the number of the next one
        is_first = np.diff(run, prepend=0) > 0
        starts, after = starts[is_first], runs[run[is_first]]  # the last run is an "O"
        counts = events[after] & _CLOSES != 0
        return starts[counts], after[counts] - 1


def _fits(case: tuple[str, str, str], patterns: list[str]) -> bool:
    """Whether one of the patterns does."""
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
