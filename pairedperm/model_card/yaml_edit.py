"""Set one entry of a YAML text, or take it out; every other character stays.

PyYAML says where the entry stands, and only that is replaced. ruamel.yaml's round trip writes the
whole text anew: line ends, indentation, folded lines, spaces, numbers and nulls in its own way.
"""

from __future__ import annotations

import contextlib
import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from pairedperm.errors import InputError, printable
from pairedperm.model_card.markdown import line_break

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
