"""Where our section stands in a card: between two lines of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pairedperm.errors import InputError

__all__ = ["END", "START", "line_break", "with_section"]

START, END = "<!-- paired_perm:start -->", "<!-- paired_perm:end -->"

_BLANK_LINE_LAST = re.compile(r"(\r\n|\r|\n)[ \t]*(\r\n|\r|\n)\Z")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_OPENING = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")  # of a fenced code block (CommonMark 4.5)


def with_section(card: str, section: str, start: int = 0) -> str:
    """The card with this section between our markers; other characters stay.

    It replaces what is between them, or comes last. Markers before `start`, where the text
    begins, and in code blocks are none.

    Raises
    ------
    InputError
        If there are two pairs of markers, or one without its other.
    """
    newline = line_break(card)
    block = newline.join([START, "", *section.split("\n"), "", END])
    found, end_of_text = _marked(card, start)
    if found is not None:
        return card[: found[0]] + block + card[found[1] :]
    before, after = card[:end_of_text], card[end_of_text:]
    if not before or _BLANK_LINE_LAST.search(before):
        gap = ""
    else:
        gap = newline if before.endswith(("\r", "\n")) else 2 * newline
    return before + gap + block + newline + (newline if after else "") + after


def line_break(text: str) -> str:
    """What ends the text's first line."""
    found = re.search(r"\r\n|\r|\n", text)
    return found.group() if found else "\n"


def _marked(card: str, start: int) -> tuple[tuple[int, int] | None, int]:
    """Where our section starts and ends; and where the text does that is in no code block."""
    starts, ends = [], []
    end_of_text = len(card)
    for line, position in _text_lines(card, start):
        if line is None:
            end_of_text = position
        elif line == START:
            starts.append(position)
        elif line == END:
            ends.append(position + len(END))
    if not starts and not ends:
        return None, end_of_text
    if len(starts) == len(ends) == 1 and starts < ends:
        return (starts[0], ends[0]), end_of_text
    places = [*((p, START) for p in starts), *((p - len(END), END) for p in ends)]
    listed = ", ".join(
        f"{text} in line {card.count(chr(10), 0, p) + 1}" for p, text in sorted(places)
    )
    raise InputError(
        f"the card must have one section between {START} and {END}, or none; there is {listed}. "
        "Delete all but one pair."
    )


def _text_lines(card: str, start: int) -> Iterator[tuple[str | None, int]]:
    """Lines outside fenced code, with their positions; None where one begins that never ends."""
    fence, opened = "", 0
    for match in _LINE.finditer(card, start):
        line = match.group().rstrip("\r\n")
        if fence:
            closing = line.strip(" \t")
            if set(closing) == {fence[0]} and len(closing) >= len(fence) and _indent(line) < 4:
                fence = ""
        elif found := _OPENING.match(line):
            fence, opened = found.group(1), match.start()
        else:
            yield line.rstrip(" \t"), match.start()
    if fence:
        yield None, opened


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
