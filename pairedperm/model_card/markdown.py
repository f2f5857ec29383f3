"""Markdown (CommonMark): our section between two lines of its own; text that is shown as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pairedperm.errors import InputError, first_of, shown

START, END = "<!-- paired_perm:start -->", "<!-- paired_perm:end -->"

_MAX_NESTING = 50  # tuned: 25 lists or 50 quotes; the deeper are not read, each takes time
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_MARKER = re.compile(rf" {{0,3}}(?:{START}|{END})")
_RAW = re.compile(r" *<(?:[!?]|(?:pre|script|style|textarea)[\s>])", re.IGNORECASE)
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
    found = _LINE_BREAK.search(text)
    return found.group() if found else "\n"


def _marked(card: str, start: int) -> tuple[tuple[int, int] | None, int]:
    """Where our section starts and ends; and where the text does that is in no code block."""
    lines = [start, *(found.end() for found in _LINE_BREAK.finditer(card, start)), len(card)]
    tokens = _blocks(f"{card[start:]}\n\n***")  # code that is not closed takes the rule in
    last = [token for token in tokens if token.level == 0 and token.map][-1]
    end_of_text = len(card) if last.type == "hr" else lines[last.map[0]]
    first = 1 + len(_LINE_BREAK.findall(card, 0, start))
    found = [(i, card[lines[i] : lines[i + 1]].strip()) for i in _marker_lines(tokens)]
    for i, marker in found:
        if marker not in (START, END):
            raise InputError(
                f"line {first + i} of the card must hold a marker and nothing else, got "
                f"{shown(marker)}. Put {START} and {END} on lines of their own, not in a "
                "quote."
            )
    if not found:
        return None, end_of_text
    if [marker for _, marker in found] == [START, END]:
        at, end = (card.index(marker, lines[i]) for i, marker in found)
        return (at, end + len(END)), end_of_text
    listed = first_of([f"{marker} in line {first + i}" for i, marker in found], 5)
    raise InputError(
        f"the card must have one section between {START} and {END}, or none; there is {listed}. "
        "Delete all but one pair."
    )


def _marker_lines(tokens: list[Any]) -> Iterator[int]:
    """The lines of HTML that begin with a marker, from 0; inside comments and `<pre>` are none."""
    for token in tokens:
        if token.type == "html_block":
            lines = token.content.split("\n")
            for number, line in enumerate(lines[:1] if _RAW.match(token.content) else lines):
                if _MARKER.match(line):
                    yield token.map[0] + number


def _blocks(text: str) -> list[Any]:
    """markdown-it's tokens of the blocks, each with the lines that it is in.

    Raises
    ------
    ImportError
        If markdown-it-py is not installed.
    """
    try:
        from markdown_it import MarkdownIt
    except ImportError as error:
        raise ImportError(
            "model_card.update needs markdown-it-py: pip install '.[card]'"
        ) from error
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING})
    return list(parser.disable("inline").parse(text))
