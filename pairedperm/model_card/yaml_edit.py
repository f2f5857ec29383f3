"""One entry of a YAML text set; every other character stays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import yaml

from pairedperm.errors import InputError
from pairedperm.model_card.markers import line_break

__all__ = ["load", "set_value", "without_key"]

Steps = Sequence[str | int]


def load(text: str, what: str, n_lines: int = 0) -> Any:
    """The data in a YAML text, which begins after so many lines.

    Raises
    ------
    InputError
        If it cannot be read; `what` says where it is from.
    """
    try:
        return _copy(yaml.safe_load(text))
    except Exception as error:  # PyYAML fails in many ways on tags that do not fit
        where = getattr(error, "problem_mark", None)
        line = "" if where is None else f", line {n_lines + where.line + 1}"
        reason = getattr(error, "problem", None) or str(error) or type(error).__name__
        raise InputError(
            f"the YAML of {what} cannot be read{line}: {reason}. Correct it first; nothing was "
            "changed."
        ) from error


def set_value(text: str, path: Steps, key: str, value: Any) -> str:
    """The text with `value` under `key` in the mapping at `path`.

    Raises
    ------
    InputError
        If that cannot be done without changing anything else (an anchor is used twice).
    """
    expected = load(text, "the card")
    mapping = expected
    for step in path:
        mapping = mapping[step]
    if key in mapping and _same(mapping[key], value):
        return text
    mapping[key] = value
    return _checked(_with(text, _at(text, path), key, value), expected, path, key)


def without_key(text: str, path: Steps, key: str) -> str:
    """The text without what is under `key` in the mapping at `path`.

    Raises
    ------
    InputError
        If that cannot be done without changing anything else.
    """
    expected = load(text, "the card")
    mapping = expected
    for step in path:
        mapping = mapping[step]
    del mapping[key]
    return _checked(_without(text, _at(text, path), key), expected, path, key)


def _at(text: str, path: Steps) -> Any:
    """The node at `path`."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    for step in path:
        node = _child(node, step)
    return node


def _checked(edited: str, expected: Any, path: Steps, key: str) -> str:
    """The edited text, if its data are these."""
    try:
        is_right = _same(yaml.safe_load(edited), expected)
    except yaml.YAMLError:
        is_right = False
    if not is_right:
        raise InputError(
            f"{key!r} at {'/'.join(map(str, path))} of the YAML cannot be set without changing "
            "something else: remove the anchors (&), aliases (*) and tags (!) from that entry."
        )
    return edited


def _with(text: str, node: Any, key: str, value: Any) -> str:
    entries = [
        (k.start_mark.index, _end(v), v, k.value)
        for k, v in node.value
        if v.start_mark.index >= k.start_mark.index  # no alias of what stands elsewhere
    ]
    there = next(((start, end) for start, end, _, name in entries if name == key), None)
    if node.flow_style:
        dumped = _dump({key: value}, default_flow_style=True, width=2**20)
        dumped = dumped.strip()[1:-1]
        if there is None and entries:
            return _spliced(text, entries[-1][1], entries[-1][1], f", {dumped}")
        start, end = there or (node.start_mark.index + 1,) * 2
        return _spliced(text, start, end, dumped)
    indent = line_break(text) + " " * node.start_mark.column
    dumped = indent.join(_dump({key: value}).rstrip("\n").split("\n"))
    if there is not None:
        start, end = there
        replaced = text[start:end]
        return _spliced(text, start, end, dumped + replaced[len(replaced.rstrip()) :])
    plain = [end for _, end, v, _ in entries if _is_one_piece(v)]
    if not plain:
        start = entries[0][0] if entries else node.start_mark.index
        return _spliced(text, start, start, dumped + indent)
    rest_of_line = re.split(r"[\r\n]", text[plain[-1] :], maxsplit=1)[0]
    position = plain[-1] + len(rest_of_line)
    return _spliced(text, position, position, indent + dumped)


def _without(text: str, node: Any, key: str) -> str:
    """The entry cut out with the comma that follows or else precedes it, or with its lines."""
    entries = [(k.start_mark.index, _end(v)) for k, v in node.value]
    number = next(i for i, (k, _) in enumerate(node.value) if k.value == key)
    start, end = entries[number]
    if not node.flow_style:
        start -= len(re.split(r"[\r\n]", text[:start])[-1])
        found = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)").match(text, end)
        end = end if found is None else found.end()
    elif number + 1 < len(entries):
        end = entries[number + 1][0]
    elif number:
        start = entries[number - 1][1]
    return _spliced(text, start, end, "")


def _dump(data: Any, **options: Any) -> str:
    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, **options))


def _spliced(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _end(node: Any) -> int:
    """Where the node's last character is; a block's own mark is where the next one begins."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last)


def _is_one_piece(node: Any) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style not in ("|", ">")


def _child(node: Any, step: str | int) -> Any:
    if isinstance(step, int):
        return node.value[step]
    return [value for key, value in node.value if key.value == step][-1]


def _copy(data: Any) -> Any:
    """A copy that shares nothing, not even where the original shares with itself."""
    if isinstance(data, dict):
        return {key: _copy(value) for key, value in data.items()}
    return [_copy(value) for value in data] if isinstance(data, list) else data


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and (one == other or (one != one and other != other))
