"""Our section between two marker lines of a card, with a block for each comparison."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from pairedperm.errors import InputError, first_of, shown

START, END = "<!-- paired_perm:start -->", "<!-- paired_perm:end -->"
_COMPARISON = "<!-- paired_perm:comparison "

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_OWN_LINE = r"(?<![^\r\n])[ \t]*({})[ \t]*(?![^\r\n])"
_MARKER = re.compile(_OWN_LINE.format(f"{START}|{END}"))
_KEY = re.compile(rf"(?<![^\r\n])[ \t]*({_COMPARISON}[^\r\n]*)")
_BLANK_LINE_LAST = re.compile(r"(\r\n|\r(?!\n)|\n)[ \t]*(\r\n|\r|\n)\Z")


class _Section(NamedTuple):
    """Our section's offsets in the card: its ends, the line that ends it, its comparisons."""

    start: int
    last_line: int
    end: int
    comparisons: list[tuple[int, str]]


def with_comparisons(
    card: str, heading: str, comparisons: Mapping[str, str], start: int = 0
) -> str:
    """Return the card with these comparisons, by key, in the section between our markers.

    A comparison whose key is there is replaced, another is added after those that are there. A
    section without comparisons is replaced as a whole, and a new one comes last under `heading`.
    All other characters stay. A marker stands on a line of its own; before `start`, where the text
    begins, there are none, and one without its other is text.

    Raises
    ------
    InputError
        If there are two pairs of markers, or two comparisons of one key.
    """
    newline = line_break(card)
    section = _marked(card, start)
    if section is None:
        if not card or _BLANK_LINE_LAST.search(card):
            gap = ""
        else:
            is_whole_line = card.endswith("\n") or (card.endswith("\r") and newline != "\n")
            gap = newline if is_whole_line else 2 * newline  # "\r" and our "\n" are one break
        new = as_section(heading, comparisons).replace("\n", newline)
        return f"{card}{gap}{new}{newline}"
    before = card[: section.start]
    indent = before[len(before.rstrip(" \t")) :]

    def as_there(text: str) -> str:
        return re.sub(r"^(?=.)", indent, text, flags=re.MULTILINE).replace("\n", newline)

    if not section.comparisons:
        new = as_there(as_section(heading, comparisons)).removeprefix(indent)
        return card[: section.start] + new + card[section.end :]
    blocks = {_comment(key): text for key, text in comparisons.items()}
    listed = Counter(comment for _, comment in section.comparisons)
    if twice := [x for x in blocks if listed[x] > 1]:
        raise InputError(f"the card has {shown(twice[0])} twice", remedy="delete one of the two")
    ends = [*(at for at, _ in section.comparisons), section.last_line]
    made = {comment: as_there(_block(comment, text)) for comment, text in blocks.items()}
    parts = [
        made.pop(comment, card[at:end])
        for (at, comment), end in zip(section.comparisons, ends[1:], strict=True)
    ]
    return card[: ends[0]] + "".join([*parts, *made.values()]) + card[ends[-1] :]


def as_section(heading: str, comparisons: Mapping[str, str]) -> str:
    """Return a section of these comparisons, by key, with the markers by which it is found."""
    blocks = [_block(_comment(key), text) for key, text in comparisons.items()]
    return f"{START}\n\n{heading}\n\n{''.join(blocks)}{END}"


def _comment(key: str) -> str:
    """Return the line that carries a key; no key can end the comment."""
    return f"{_COMPARISON}{html.escape(key, quote=False)} -->"


def _block(comment: str, text: str) -> str:
    return f"{comment}\n\n{text}\n\n"


def line_break(text: str) -> str:
    """Return the line break at the end of the text's first line."""
    first = _LINE_BREAK.search(text)
    return first.group() if first else "\n"


def _marked(card: str, start: int) -> _Section | None:
    """Return our section, if there is one: from a marker of its start to the next one of its end.

    Raises
    ------
    InputError
        If there are several.
    """
    text = card[start:]
    pairs = [
        (one, two)
        for one, two in pairwise(_MARKER.finditer(text))
        if (one[1], two[1]) == (START, END)
    ]
    if not pairs:
        return None
    if len(pairs) > 1:
        breaks = [x.end() for x in _LINE_BREAK.finditer(text)]
        first = 1 + len(_LINE_BREAK.findall(card, 0, start))
        lines = (
            f"{x[1]} in line {first + bisect_right(breaks, x.start())}" for y in pairs for x in y
        )
        raise InputError(
            "the card",
            must=f"have one section between {START} and {END}, or none",
            got=first_of([*lines], 5),
            remedy="Delete all but one pair, also in code, and move all comparisons into it, each "
            f"from its line {_COMPARISON}… on",
        )
    ((one, two),) = pairs
    keys = _KEY.finditer(text, one.end(), two.start())
    comparisons = [(start + x.start(), x[1].rstrip(" \t")) for x in keys]
    return _Section(start + one.start(1), start + two.start(), start + two.end(1), comparisons)
