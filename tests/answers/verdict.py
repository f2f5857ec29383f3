"""What a call answers on two sides, key by key: the same, within its certificate, or different.

`ASKED` is the table of what may differ. It is intended.json beside this file:

    {"gone": {call: row}, "differs": {call: {key: [row, value]}}}

A row says which issue asks for it, and where. The value is what stands there from then on: any
other one is a difference again. Keys are paths through the answer, such as `value.p`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ASKED = Path(__file__).with_name("intended.json")

# A key of the frozen package's answers: today's name.
RENAMED: dict[str, str] = {
    "interval": "pvalue_kind",
    "stat_interval": "interval_method",
    "n_examples": "n",
}
ADDED: dict[str, dict[str, str]] = {  # what every result says today, by the test that it is of
    "permutation": {"test": "permutation"},
    "bootstrap": {"interval_method": "percentile"},
}
_OF_A_RESULT = {"p", "n_differing"}

MISSING = "(missing)"
SAMPLED = "exact, now sampled"  # a key of its own, which has to be listed too
_ERROR = "error or value"
_ROOM = 0.1  # of the width of a certified interval, by which its ends may move
PASSES = ("within its certificate", "as listed", "gone")
FAILS = (
    "not listed",
    "listed with another value",
    "listed, but the same",
    "gone without a row",
    "listed as gone, but it answers",
)


class Difference(NamedTuple):
    """A key whose values are not the same bits; one within the certificate is told, and passes."""

    key: str
    old: Any
    new: Any
    is_certified: bool = False


def normal(answer: Any) -> Any:
    """A frozen answer under today's keys: those that were renamed and added."""
    if isinstance(answer, dict):
        kept = answer
        if answer.keys() >= _OF_A_RESULT:
            kept = ADDED[answer.get("test", "permutation")] | kept
        return {RENAMED.get(key, key): normal(x) for key, x in kept.items()}
    return [normal(x) for x in answer] if isinstance(answer, list) else answer


def differences(old: Any, new: Any) -> list[Difference]:
    """Every key at which the normal form of a frozen answer is not today's answer.

    A key that is new and None is no difference.
    """
    old = normal(old)
    if ("error" in old) is not ("error" in new):
        return [Difference(_ERROR, old, new)]
    return [*_differences(old, new, "")]


def _differences(old: Any, new: Any, key: str) -> Iterator[Difference]:
    if isinstance(old, dict) and isinstance(new, dict):
        certified = _certified(old, new)
        if old.get("pvalue_kind") == "certified" and new.get("pvalue_kind") == "confidence":
            yield Difference(f"{key}.{SAMPLED}".lstrip("."), False, True)
        for name in [*old, *(x for x in new if x not in old and new[x] is not None)]:
            one, other = old.get(name, MISSING), new.get(name, MISSING)
            for found in _differences(one, other, f"{key}.{name}".lstrip(".")):
                yield Difference(*found[:3], name in certified or found.is_certified)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _differences(one, other, f"{key}[{number}]")
    elif not is_same(old, new):
        yield Difference(key, old, new)


def is_same(old: Any, new: Any) -> bool:
    """The shortest digits that give back a float are others if a bit is."""
    return json.dumps(old) == json.dumps(new)


def _certified(old: Mapping[str, Any], new: Mapping[str, Any]) -> set[str]:
    """Of a result: names of p whose value is within the certificate, which is hardly wider."""
    found: set[str] = set()
    if not old.get("pvalue_kind") == new.get("pvalue_kind") == "certified":
        return found
    for name in ("p", "log_p"):
        ends = f"{name}_low", f"{name}_high"
        values = [x.get(end) for x in (old, new) for end in (*ends, name)]
        if not all(type(x) is float for x in values):
            continue
        low, high, _, least, most, value = map(float, values)  # type: ignore[arg-type]
        room = _ROOM * (high - low)
        if abs(least - low) <= room and abs(most - high) <= room and low <= value <= high:
            found |= {*ends, name}
    return found


class Asked:
    """What may differ, and what of it does."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.gone: dict[str, str] = dict(table.get("gone", {}))
        self.differs: dict[str, dict[str, list[Any]]] = dict(table.get("differs", {}))

    @classmethod
    def read(cls) -> Asked:
        """The table that is stored."""
        return cls(json.loads(ASKED.read_text(encoding="utf-8")))

    def write(self) -> None:
        """Store it, a line an entry: a change of the table is read as a diff."""

        def lines(entries: Mapping[str, Any], indent: str) -> str:
            return ",\n".join(f"{indent}{_text(k)}: {_text(x)}" for k, x in sorted(entries.items()))

        calls = [
            f"    {_text(call)}: {{\n{lines(keys, ' ' * 6)}\n    }}"
            for call, keys in sorted(self.differs.items())
        ]
        gone, differs = lines(self.gone, " " * 4), ",\n".join(calls)
        text = f'{{\n  "gone": {{\n{gone}\n  }},\n  "differs": {{\n{differs}\n  }}\n}}\n'
        ASKED.write_text(text, encoding="utf-8")

    def judged(self, call: str, old: Any, new: Any) -> Iterator[tuple[str, Difference]]:
        """Whatever of a call is not the same, with one of the words of `PASSES` or `FAILS`.

        An answer that is None is that of a call which names.txt has and the list has not.
        """
        the_call = Difference("the call", old, new)
        if call in self.gone:
            is_gone = new is None or "error" in new
            yield ("gone" if is_gone else "listed as gone, but it answers"), the_call
        elif new is None:
            yield "gone without a row", the_call
        else:
            listed = dict(self.differs.get(call, {}))
            for found in differences(old, new):
                row, value = listed.pop(found.key, (None, None))
                if row is not None:
                    is_listed = is_same(value, found.new)
                    yield ("as listed" if is_listed else "listed with another value"), found
                else:
                    yield ("within its certificate" if found.is_certified else "not listed"), found
            for key, (_, value) in listed.items():
                yield "listed, but the same", Difference(key, value, value)

    def take(self, call: str, word: str, found: Difference, row: str) -> None:
        """Bring the table up to date with what was judged, under this row."""
        if word == "gone without a row":
            self.gone[call] = row
        elif word == "listed as gone, but it answers":
            del self.gone[call]
        elif word in ("not listed", "listed with another value"):
            self.differs.setdefault(call, {})[found.key] = [row, found.new]
        elif word == "listed, but the same":
            del self.differs[call][found.key]
            if not self.differs[call]:
                del self.differs[call]


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
