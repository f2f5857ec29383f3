"""Where our section stands in a card: between two lines of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pairedperm.errors import InputError

__all__ = ["END", "START", "line_break", "with_section"]

START, END = "<!-- paired_perm:start -->", "<!-- paired_perm:end -->"

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_BLANK_LINE_LAST = re.compile(r"(\r\n|\r|\n)[ \t]*(\r\n|\r|\n)\Z")
_CONTAINER = re.compile(r" {0,3}(?:(>) ?|(?:[-+*]|\d{1,9}[.)])(?: {1,4}(?=[^ ])| *$))")
_OPENING = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")


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
    found: list[tuple[int, str]] = []
    end_of_text = len(card)
    for line, position in _text_lines(card, start):
        text = line.strip(" ")
        if not line:
            end_of_text = position
        elif text.startswith((START, END)) and _indent(line) < 4:  # else it is code
            if text not in (START, END):
                raise InputError(
                    f"line {_number(card, position)} of the card must hold one marker and nothing "
                    f"else, got {text!r}. Put {START} and {END} on lines of their own."
                )
            found.append((position + _indent(line), text))
    if not found:
        return None, end_of_text
    if [text for _, text in found] == [START, END]:
        return (found[0][0], found[1][0] + len(END)), end_of_text
    listed = ", ".join(f"{text} in line {_number(card, position)}" for position, text in found)
    raise InputError(
        f"the card must have one section between {START} and {END}, or none; there is {listed}. "
        "Delete all but one pair."
    )


def _number(card: str, position: int) -> int:
    return len(re.findall(r"\r\n|\r|\n", card[:position])) + 1


class _Fence(NamedTuple):
    """A block of fenced code (CommonMark 4.5), perhaps in a list item or a quote (5.1, 5.2)."""

    mark: str
    column: int  # where its container's content begins
    is_quoted: bool
    position: int

    def has(self, line: str) -> bool:
        """Whether the line is in its container still."""
        if self.is_quoted:
            return line.lstrip(" ").startswith(">")
        return not line.strip() or _indent(line) >= self.column

    def ends_with(self, line: str) -> bool:
        """Whether this line of its container is the closing one."""
        content = line.lstrip(" >") if self.is_quoted else line[self.column :]
        mark = content.strip(" ")
        return set(mark) == {self.mark[0]} and len(mark) >= len(self.mark) and _indent(content) < 4


def _text_lines(card: str, start: int) -> Iterator[tuple[str, int]]:
    """Lines outside fenced code that are not empty, with their positions.

    An empty one comes last if a block of code is not closed, with the position of that.
    """
    fence: _Fence | None = None
    items: list[int] = []  # where the content of the open list items begins
    for match in _LINE.finditer(card, start):
        line = match.group().rstrip("\r\n").expandtabs(4).rstrip(" ")
        if fence is not None and fence.has(line):
            if fence.ends_with(line):
                fence = None
            continue
        fence = None
        if not line:
            continue
        items = [column for column in items if column <= _indent(line)]
        column = items[-1] if items else 0
        is_quoted = False
        while found := _CONTAINER.match(line, column):
            column = found.end()
            is_quoted = is_quoted or found.group(1) is not None
            if not is_quoted:
                items.append(column)
        if opening := _OPENING.match(line, column):
            fence = _Fence(opening.group(1), column, is_quoted, match.start())
        else:
            yield line, match.start()
    if fence is not None:
        yield "", fence.position


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
