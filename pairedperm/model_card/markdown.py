"""Markdown (CommonMark 0.31): lines that are text, not code nor raw HTML; text shown as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Line", "escaped", "text_lines"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_RULE = re.compile(r" {0,3}([-*_])(?: *\1){2,} *$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+) *$")
_HEADING = re.compile(r" {0,3}#{1,6}(?: |$)")
_QUOTE = re.compile(r" {0,3}> ?")
_ITEM = re.compile(r" {0,3}(?:[-+*]|(\d{1,9})[.)])(?=( +)\S| *$)")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_RAW = tuple(  # HTML that begins so goes on until it ends so, blank lines or not
    (re.compile(rf" {{0,3}}{begin}", re.IGNORECASE), re.compile(end, re.IGNORECASE))
    for begin, end in (
        (r"<(?:script|pre|style|textarea)(?:\s|>|$)", r"</(?:script|pre|style|textarea)>"),
        (r"<!--", r"-->"),
        (r"<\?", r"\?>"),
        (r"<![a-z]", r">"),
        (r"<!\[CDATA\[", r"\]\]>"),
    )
)
_TAG = re.compile(  # other HTML, until a blank line
    r" {0,3}</?(?:address|article|aside|blockquote|body|center|d[dlt]|details|dialog|div|fieldset|"
    r"fig(?:caption|ure)|footer|form|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|"
    r"[ou]l|p|section|summary|t(?:able|body|d|foot|h|head|itle|r)|ul)(?:\s|/?>|$)",
    re.IGNORECASE,
)


_LONE_TAG = re.compile(r" {0,3}</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>$", re.IGNORECASE)


class Line(NamedTuple):
    """A line of text: it begins at `position`, its container's content at `column`."""

    text: str
    position: int
    column: int


class _Block(NamedTuple):
    """Fenced code or raw HTML that has begun, perhaps in a list item or a quote."""

    fence: str
    end: re.Pattern[str]
    column: int
    is_quoted: bool
    position: int

    def has(self, line: str) -> bool:
        """Whether the line is in its container still."""
        if self.is_quoted:
            return _QUOTE.match(line) is not None
        return not line or _indent(line) >= self.column

    def ends_with(self, line: str) -> bool:
        """Whether this line of its container is the last."""
        content = line.lstrip(" >") if self.is_quoted else line[self.column :]
        if not self.fence:
            return self.end.search(content) is not None
        mark = content.strip(" ")
        return (
            set(mark) == {self.fence[0]} and len(mark) >= len(self.fence) and _indent(content) < 4
        )


def text_lines(markdown: str, start: int = 0) -> Iterator[Line]:
    """Lines of text that are not blank, from this position on.

    If code or raw HTML is not closed, and would go on in what is appended, an empty line comes
    last, with the position where that begins.
    """
    block: _Block | None = None
    items: list[int] = []  # where the content of the open list items begins
    is_empty_item = in_paragraph = in_html = is_quoted = False
    for match in _LINE.finditer(markdown, start):
        raw = match.group().rstrip("\r\n")
        line = raw.expandtabs(4).rstrip(" ")
        if block is not None and block.has(line):
            if block.ends_with(line):
                block = None
            continue
        block = None
        if not line:
            if is_empty_item:
                items.pop()
            is_empty_item = in_paragraph = in_html = False
            continue
        kept = [column for column in items if column <= _indent(line)]
        is_outside = len(kept) < len(items) or (is_quoted and not _QUOTE.match(line))
        if in_paragraph and is_outside and not _begins(line, kept[-1] if kept else 0):
            yield Line(raw, match.start(), 0)  # a lazy continuation of the paragraph
            continue
        if is_outside or not in_paragraph:
            in_html = in_html and not is_outside
            items, in_paragraph = kept, False
        column = min(items[-1] if items else 0, _indent(line))
        if in_html:
            yield Line(raw, match.start(), column)
            continue
        is_quoted = is_empty_item = False
        while not _RULE.match(line, column):
            if found := _QUOTE.match(line, column):
                is_quoted, in_paragraph, column = True, in_paragraph and is_quoted, found.end()
            elif (found := _ITEM.match(line, column)) and not (
                in_paragraph and (found.group(2) is None or found.group(1) not in (None, "1"))
            ):
                spaces = len(found.group(2) or "")
                column, in_paragraph = found.end() + (spaces if 1 <= spaces <= 4 else 1), False
                is_empty_item = not spaces
                if not is_quoted:
                    items.append(column)
            else:
                break
        if not in_paragraph and line[column:].startswith(" " * 4):
            continue  # indented code
        raw_ends = [end for begin, end in _RAW if begin.match(line, column)]
        if found := _FENCE.match(line, column):
            block = _Block(found.group(1), _RULE, column, is_quoted, match.start())
        elif raw_ends and not raw_ends[0].search(line, column + 2):
            block = _Block("", raw_ends[0], column, is_quoted, match.start())
        if block is not None:
            in_paragraph = False
            continue
        is_tag = _TAG.match(line, column) or (not in_paragraph and _LONE_TAG.match(line, column))
        in_html = not raw_ends and not is_quoted and bool(is_tag)
        is_underline = in_paragraph and _UNDERLINE.match(line, column)
        is_rule = _RULE.match(line, column) or _HEADING.match(line, column)
        is_other = raw_ends or is_tag or is_underline or is_rule
        in_paragraph = bool(line[column:]) and not is_other
        yield Line(raw, match.start(), column)
    if block is not None and block.column == 0:
        yield Line("", block.position, 0)


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, in a table too."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    text = re.sub(r"([\\`*\[\]|~$])", r"\\\1", text)
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)  # inside words it is no markup


def _begins(line: str, column: int) -> bool:
    """Whether the line begins something, and is no lazy continuation of a paragraph."""
    patterns = (_RULE, _HEADING, _QUOTE, _ITEM, _FENCE, _TAG, *(begin for begin, _ in _RAW))
    return any(pattern.match(line, column) for pattern in patterns)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
