"""Markdown (CommonMark): our section between two marker lines, a block for each comparison."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pairedperm.errors import InputError, extra
from pairedperm.errors.wording import first_of, shown

START, END = "<!-- paired_perm:start -->", "<!-- paired_perm:end -->"
_COMPARISON = "<!-- paired_perm:comparison "

_MAX_NESTING = 50  # tuned: 25 lists or 50 quotes; deeper ones are not read, since each takes time
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_MARKER = re.compile(rf" {{0,3}}(?:{START}|{END}|{_COMPARISON})")
_RAW = re.compile(r" *<(?:[!?]|(?:pre|script|style|textarea)[\s>])", re.IGNORECASE)
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
    All other characters stay. Markers before `start`, where the text begins, and in code blocks
    are none.

    Raises
    ------
    InputError
        If there are two pairs of markers, one without its other, or two comparisons of one key. If
        what surrounds the section would take in what is written.
    """
    new = _with_comparisons(card, heading, comparisons, start)
    if new == card:
        return new
    try:
        again = _with_comparisons(new, heading, comparisons, start)
        is_read_back = again == new
    except InputError:  # a blank line of ours ended HTML that hid a marker
        is_read_back = False
    if not is_read_back:
        raise InputError(
            "the card's section could not be read back once written, since HTML or a list around "
            "it holds further markers",
            remedy=f"Put {START} and {END} on unindented lines of their own, outside HTML",
        )
    return new


def _with_comparisons(card: str, heading: str, comparisons: Mapping[str, str], start: int) -> str:
    """Return the card with these comparisons, whether or not they can be read back."""
    newline = line_break(card)
    section, end_of_text = _marked(card, start)
    if section is None:
        before, after = card[:end_of_text], card[end_of_text:]
        if not before or _BLANK_LINE_LAST.search(before):
            gap = ""
        else:
            is_whole_line = before.endswith("\n") or (before.endswith("\r") and newline != "\n")
            gap = newline if is_whole_line else 2 * newline  # "\r" and our "\n" are one break
        new = as_section(heading, comparisons).replace("\n", newline)
        return before + gap + new + newline + (newline if after else "") + after
    indent = re.findall(r"[ \t]*\Z", card[: section.start])[0]

    def as_there(text: str) -> str:
        return re.sub(r"^(?=.)", indent, text, flags=re.MULTILINE).replace("\n", newline)

    if not section.comparisons:
        new = as_there(as_section(heading, comparisons)).removeprefix(indent)
        return card[: section.start] + new + card[section.end :]
    blocks = {_comment(key): text for key, text in comparisons.items()}
    listed = [comment for _, comment in section.comparisons]
    if twice := [x for x in blocks if listed.count(x) > 1]:
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


def _tokens(card: str, start: int) -> list[Any]:
    """Return markdown-it's tokens of the text's blocks, each with its lines; a rule comes last.

    Raises
    ------
    ImportError
        If markdown-it-py is not installed.
    """
    with extra("card", "model_card.update"):
        from markdown_it import MarkdownIt
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).disable("inline")
    return list(parser.parse(f"{card[start:]}\n\n***"))  # code that is not closed takes the rule in


def _marked(card: str, start: int) -> tuple[_Section | None, int]:
    """Return our section, if there is one, and where the text that is in no code block ends."""
    tokens = _tokens(card, start)
    lines = [start, *(x.end() for x in _LINE_BREAK.finditer(card, start)), len(card)]
    last = [token for token in tokens if token.level == 0 and token.map][-1]
    end_of_text = len(card) if last.type == "hr" else lines[last.map[0]]
    first = 1 + len(_LINE_BREAK.findall(card, 0, start))
    marked = [(i, card[lines[i] : lines[i + 1]].strip()) for i in _marker_lines(tokens)]
    ends = [(i, line) for i, line in marked if START in line or END in line]
    for i, marker in ends:
        if marker not in (START, END):
            raise InputError(
                f"line {first + i} of the card",
                must="hold a marker and nothing else",
                got=shown(marker),
                remedy=f"Put {START} and {END} on lines of their own, not in a quote",
            )
    if not ends:
        return None, end_of_text
    if [marker for _, marker in ends] == [START, END]:
        (i, _), (j, _) = ends
        at, end = card.index(START, lines[i]), card.index(END, lines[j])
        comparisons = [
            (lines[k], line) for k, line in marked if i < k < j and line.startswith(_COMPARISON)
        ]
        section = _Section(at, lines[j], end + len(END), comparisons)
        return section, end_of_text
    listed = first_of([f"{marker} in line {first + i}" for i, marker in ends], 5)
    raise InputError(
        "the card",
        must=f"have one section between {START} and {END}, or none",
        got=listed,
        remedy="Delete all but one pair, and move all comparisons into it, each from its line "
        f"{_COMPARISON}… on",
    )


def _marker_lines(tokens: list[Any]) -> Iterator[int]:
    """Yield the lines of HTML that begin with a marker, but none in comments and `<pre>`."""
    for token in tokens:
        if token.type == "html_block":
            lines = token.content.split("\n")
            for number, line in enumerate(lines[:1] if _RAW.match(token.content) else lines):
                if _MARKER.match(line):
                    yield token.map[0] + number
