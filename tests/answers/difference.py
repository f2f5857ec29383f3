"""Where two answers differ: bit for bit, or on another machine."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from typing import Any

_RELATIVE, _ABSOLUTE = 1e-9, 1e-15  # of a float without an interval
_ROUNDING = 1e-12  # of an interval's end
_MISSING = "(missing)"
_PVALUES = ("p", "log_p")
_RESAMPLED = ("stat", "score1", "score2")  # whose percentiles are of random resamples

_LEAST = 1e-300  # p-values above it tell their logarithms

Difference = tuple[str, Any, Any]


def first_difference(before: Any, after: Any) -> Difference | None:
    """The first key whose values are not the same bits, with both; None without any."""
    return next(_differences(before, after, "", is_exact=True), None)


def first_mismatch(stored: Any, found: Any) -> Difference | None:
    """The first key at which an answer is not the stored one, with both; None without any.

    Integers and texts are the same. A float is to 1e-9 of itself. A certified p lies in the stored
    interval, widened by its width; the interval of a sampled p, or of sampled percentiles,
    overlaps the stored one.
    """
    return next(_differences(stored, found, "", is_exact=False), None)


def stored_form(answer: Any) -> Any:
    """An answer without what is None, the logarithms that p tells, and ends of p that are p."""
    if isinstance(answer, list):
        return [stored_form(x) for x in answer]
    if not isinstance(answer, dict):
        return answer
    kept = {key: stored_form(x) for key, x in answer.items() if x is not None}
    if kept.get("p_low", 0.0) > _LEAST:
        kept = {key: x for key, x in kept.items() if not key.startswith("log_p")}
    if kept.get("p_low") == kept.get("p_high"):
        kept = {key: x for key, x in kept.items() if key not in ("p_low", "p_high")}
    return kept


def _differences(one: Any, other: Any, key: str, *, is_exact: bool) -> Iterator[Difference]:
    if isinstance(one, dict) and isinstance(other, dict):
        skipped: set[str] = set()
        if not is_exact and "interval" in one and "interval" in other:
            skipped = yield from _of_intervals(one, other, key)
        for name in [*one, *(x for x in other if x not in one)]:
            if name not in skipped:
                values = one.get(name, _MISSING), other.get(name, _MISSING)
                yield from _differences(*values, f"{key}.{name}".lstrip("."), is_exact=is_exact)
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            yield f"{key} (length)", len(one), len(other)
        for number, values in enumerate(zip(one, other, strict=False)):
            yield from _differences(*values, f"{key}[{number}]", is_exact=is_exact)
    elif not (_is_same(one, other) if is_exact else _is_close(one, other)):
        yield key, one, other


def _is_same(one: Any, other: Any) -> bool:
    """The shortest digits that give back a float are others if a bit is."""
    return type(one) is type(other) and json.dumps(one) == json.dumps(other)


def _is_close(one: Any, other: Any) -> bool:
    if type(one) is float and type(other) is float:
        return abs(one - other) <= max(_ABSOLUTE, _RELATIVE * max(abs(one), abs(other)))
    return _is_same(one, other)


def _of_intervals(
    stored: Mapping[str, Any], found: Mapping[str, Any], key: str
) -> Generator[Difference, None, set[str]]:
    """Of a result: the p-value and what else has an interval; returns the keys that it has seen."""
    is_sampled = stored["interval"] == found["interval"] == "confidence"
    seen: set[str] = set()
    for name in (*_PVALUES, *(_RESAMPLED if is_sampled else ())):
        ends = f"{name}_low", f"{name}_high"
        values = [x.get(end, x.get(name)) for x in (stored, found) for end in ends]
        if any(type(x) is not float for x in values):  # p = 0 has no logarithm
            continue
        low, high, least, most = values
        seen |= {*ends, *({name} if name in _PVALUES else ())}
        slack = _ROUNDING * max(abs(low), abs(high), 1.0 if name == "log_p" else 0.0)
        width = 0.0 if is_sampled else high - low
        if not (least <= high + width + slack and most >= low - width - slack):
            yield f"{key}.{name} (interval)".lstrip("."), [low, high], [least, most]
        elif name in _PVALUES and not is_sampled:
            p = found[name]
            if not low - width - slack <= p <= high + width + slack:
                yield f"{key}.{name}".lstrip("."), [low, high], p
    return seen
