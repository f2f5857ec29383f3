"""Where our section stands in a card: between two lines of its own."""

from __future__ import annotations

import re

from pairedperm.errors import InputError
from pairedperm.model_card.markdown import text_lines

__all__ = ["END", "START", "line_break", "with_section"]

START, END = "<!-- paired_perm:start -->", "<!-- paired_perm:end -->"

_BLANK_LINE_LAST = re.compile(r"(\r\n|\r|\n)[ \t]*(\r\n|\r|\n)\Z")


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
    found, end_of_text = _marked(card, start)
    indent = "" if found is None else re.findall(r"[ \t]*\Z", card[: found[0]])[0]
    lines = [START, "", *section.split("\n"), "", END]
    block = newline.join([START, *(line and indent + line for line in lines[1:])])
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
    for line in text_lines(card, start):
        content = line.text.expandtabs(4)[line.column :]
        if not line.text:
            end_of_text = line.position
        elif content.strip().startswith((START, END)) and not content.startswith(" " * 4):
            marker = line.text.strip()
            if marker not in (START, END):
                raise InputError(
                    f"line {_number(card, line.position)} of the card must hold a marker and "
                    f"nothing else, got {marker!r}. Put {START} and {END} on lines of their own, "
                    "not in a quote."
                )
            found.append((line.position + line.text.index(marker), marker))
    if not found:
        return None, end_of_text
    if [marker for _, marker in found] == [START, END]:
        return (found[0][0], found[1][0] + len(END)), end_of_text
    listed = ", ".join(f"{marker} in line {_number(card, at)}" for at, marker in found)
    raise InputError(
        f"the card must have one section between {START} and {END}, or none; there is {listed}. "
        "Delete all but one pair."
    )


def _number(card: str, position: int) -> int:
    return len(re.findall(r"\r\n|\r|\n", card[:position])) + 1
