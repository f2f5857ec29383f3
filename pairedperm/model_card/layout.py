"""The text of a card, of which no other character changes.

Our section stands between two marker lines, with a block for each comparison. In the YAML one entry
is set, or taken out: PyYAML says where it stands, and only that is replaced. ruamel.yaml's round
trip writes the whole text anew: line ends, indentation, folded lines, spaces, numbers and nulls in
its own way.
"""

from __future__ import annotations

import contextlib
import copy
import html
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import yaml

from pairedperm.errors import InputError, first_of, printable, shown

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


Steps = Sequence[str | int]
_Spans = Mapping[str, tuple[int, int]]
_MAX_DEPTH = 50  # tuned: so that reading and writing, which recurse, stay within Python's stack
_MAX_ALIASED = 100_000  # tuned: entries more than the text has; below a second


class _Loader(yaml.SafeLoader):  # type: ignore[misc]  # PyYAML has no types
    """A loader that refuses deep nesting, and aliases that stand for very much, before reading."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.level = 0
        self.sizes: dict[Any, tuple[int, int]] = {}  # entries and depth, aliases in full

    def compose_node(self, parent: Any, index: Any) -> Any:
        self.level += 1
        mark = self.peek_event().start_mark
        if self.level > _MAX_DEPTH:
            self._refuse(f"it is nested more than {_MAX_DEPTH} levels deep", mark)
        node = super().compose_node(parent, index)
        self.level -= 1
        if node not in self.sizes:
            inner = () if isinstance(node, yaml.ScalarNode) else node.value
            inner = [x for entry in inner for x in (entry if isinstance(entry, tuple) else [entry])]
            sizes = [self.sizes.get(x, (0, 0)) for x in inner]  # none yet of one that holds itself
            size = 1 + sum(n for n, _ in sizes)
            depth = 1 + max((n for _, n in sizes), default=0)
            if size > len(self.sizes) + _MAX_ALIASED or depth > _MAX_DEPTH:
                self._refuse("its aliases (*) stand for too much: write out what is meant", mark)
            self.sizes[node] = size, depth
        return node

    def _refuse(self, problem: str, mark: Any) -> None:
        raise yaml.composer.ComposerError(None, None, problem, mark)


def load_yaml(text: str, what: str, n_lines: int = 0) -> Any:
    """Return the data in a YAML text that begins after so many lines.

    Raises
    ------
    InputError
        If it cannot be read; `what` says where it is from.
    """
    try:
        return _data(text)
    except Exception as error:  # PyYAML fails in many ways on tags that do not fit
        where = getattr(error, "problem_mark", None)
        line = "" if where is None else f", line {n_lines + where.line + 1}"
        reason = printable(getattr(error, "problem", None) or str(error) or type(error).__name__)
        raise InputError(
            f"the YAML of {what} cannot be read{line}: {reason}",
            remedy="Correct it first; nothing was changed",
        ) from error


def edited(text: str, path: Steps, key: str, entry: Mapping[str, Any]) -> str:
    """Return the text with this entry, or none, under `key` in the mapping at `path`.

    Raises
    ------
    InputError
        If that cannot be done without changing anything else (an anchor is used twice).
    """
    wanted = mapping = copy.copy(load_yaml(text, "the card"))
    for step in path:  # aliases of what is on the way mean what they meant
        mapping[step] = copy.copy(mapping[step])
        mapping = mapping[step]
    if _same({key: mapping.pop(key)} if key in mapping else {}, entry):
        return text
    mapping.update(entry)
    with contextlib.suppress(KeyError):  # what comes with an alias stands elsewhere
        for candidate in _edits(text, path, key, entry):
            with contextlib.suppress(yaml.YAMLError):
                if _same(_data(candidate), wanted):
                    return candidate
    raise InputError(
        f"{key!r} at {'/'.join(map(str, path))} of the YAML cannot be set without changing "
        "something else",
        remedy="remove the anchors (&), aliases (*) and tags (!) from that entry",
    )


def as_written(text: str, path: Steps, data: Any) -> str:
    """Return the data at `path` of a YAML text as they are written there, without quotes."""
    with contextlib.suppress(KeyError):  # what comes with an alias stands elsewhere
        node = _node(text, path)
        if isinstance(node, yaml.ScalarNode):
            return str(node.value)
    return str(data)


def _node(text: str, path: Steps) -> Any:
    """Return PyYAML's node at `path`."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    for step in path:
        node = (node.value if isinstance(step, int) else {k.value: v for k, v in node.value})[step]
    return node


def _data(text: str) -> Any:
    """Return the data, which PyYAML refuses if they contain themselves."""
    node = yaml.compose(text, Loader=_Loader)
    return node and yaml.SafeLoader("").construct_object(node, deep=True)


def _edits(text: str, path: Steps, key: str, entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield texts, one of which has the wanted data unless aliases are in the way."""
    node = _node(text, path)
    spans = {k.value: _span(text, k, v) for k, v in node.value}
    if entry:
        yield _with(text, node, spans, key, entry)
        return
    before, after = text[: spans[key][0]], text[spans[key][1] :]
    if node.flow_style:
        yield before.rstrip().removesuffix(",") + after
        yield before + re.sub(r"\A\s*,\s*(?!#)", "", after)
    else:
        line = 1 + max(before.rfind("\n"), before.rfind("\r"))
        yield before[:line] + re.sub(r"\A[^\r\n]*(\r\n?|\n)?", "", after)
        yield before + re.sub(r"\A[^\r\n]*(\r\n?|\n) *", "", after)  # the first after a "- "
        yield before + "{}" + after


def _with(text: str, node: Any, spans: _Spans, key: str, entry: Mapping[str, Any]) -> str:
    """Put the entry in place of the old one, after the last one in one line, or first."""
    gap, new = ", ", _dump(entry, default_flow_style=True, width=2**20)[1:-1]
    if not node.flow_style:
        gap = line_break(text) + " " * node.value[0][0].start_mark.column
        new = gap.join(_dump(entry).split("\n"))
    if key in spans:
        start, end = spans[key]
    elif ends := [end for start, end in spans.values() if len(text[start:end].splitlines()) == 1]:
        rest = "" if node.flow_style else re.split(r"[\r\n]", text[ends[-1] :], maxsplit=1)[0]
        start = end = ends[-1] + len(rest)
        new = gap + new
    elif node.value:
        start = end = node.value[0][0].start_mark.index
        new += gap
    else:
        start = end = node.end_mark.index - 1
    return text[:start] + new + text[end:]


def _span(text: str, key: Any, value: Any) -> tuple[int, int]:
    """Return the span of an entry; it is empty if the value is an alias of another."""
    start = key.start_mark.index
    while not isinstance(value, yaml.ScalarNode) and not value.flow_style:
        value = value.value[-1]  # a block's own end is where the next one begins
        value = value[1] if isinstance(value, tuple) else value
    return start, start + len(text[start : value.end_mark.index].rstrip())


def _same(one: Any, other: Any) -> bool:
    return _dump(one, sort_keys=True) == _dump(other, sort_keys=True)


def _dump(data: Any, **options: Any) -> str:
    options = {"sort_keys": False, "allow_unicode": True} | options
    return str(yaml.safe_dump(data, **options)).strip()
