"""The matching of several runs of one task by the ids of their examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import (
    File,
    MessagePart,
    Parts,
    Setting,
    Telling,
    Words,
    counted,
    joined,
    shown,
)
from pairedperm.inputs.ids import Id, align
from pairedperm.readers.run import Run
from pairedperm.readers.table import QUOTED, TSV, TYPELESS, UNQUOTED

OnMissing = Literal["error", "drop"]
DROP = Setting("on_missing", "'drop'")
_SHOWN = 10  # tuned: ids in a message
_IS_QUOTED = re.compile('"[^"]+"')
_IS_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})", re.A)


@dataclass(frozen=True, slots=True)
class Unmatched(MessagePart):
    """Ids that cannot be compared, and why: "not in new.jsonl"."""

    why: Words
    ids: list[Id]

    def told(self, telling: Telling) -> str:
        """See `MessagePart`."""
        return telling.tell(self.in_short)

    @property
    def in_short(self) -> Parts:
        """Their number, why, and the first of them, as a message holds it."""
        listed, more = ", ".join(map(shown, self.ids[:_SHOWN])), len(self.ids) - _SHOWN
        and_more = f" and {more:,} more" if more > 0 else ""
        return Parts(f"{len(self.ids):,} ", self.why, f": {listed}{and_more}")


def affected(some: Sequence[Unmatched]) -> Words:
    """Return a sentence that lists all ids that cannot be compared."""
    return Parts("Affected ids: ", joined([x.in_short for x in some], "; "))


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """The examples that several runs have in common; print it.

    Attributes
    ----------
    ids : list of int or str
        The ids of the examples that are compared, sorted.
    places : list of int64 array, shape (n,) each
        The place of each of these examples in each run.
    unmatched : list of Unmatched
        The ids that were left out, and why.
    n_prompts : int
        The number of examples whose prompts differ between systems; they are compared all the same.
    n_unused : int
        The number of references of examples that no run has.
    """

    ids: list[Id]
    places: list[IntArray]
    unmatched: list[Unmatched]
    n_prompts: int = 0
    n_unused: int = 0

    def __str__(self) -> str:
        lines = [f"{counted(len(self.ids), 'example')} matched by id"]
        lines += [f"left out: {x}" for x in self.unmatched]
        if self.n_prompts:
            lines.append(
                f"prompts differ on {self.n_prompts:,} of them: another template or shots?"
            )
        if self.n_unused:
            lines.append(f"{counted(self.n_unused, 'reference')} of examples that no log has")
        return "\n".join(lines)


def match(runs: Sequence[Run], on_missing: OnMissing) -> Matching:
    """Match the examples that all runs have once, with the same document.

    Raises
    ------
    InputError
        If other examples are there and `on_missing` is "error"; if no example is left; if ids are
        of different types.
    """
    names = [File(run.path) for run in runs]
    aligned = align(names, [run.ids for run in runs])
    unmatched = []
    for name, lacking, repeated in zip(names, aligned.lacking, aligned.repeated, strict=True):
        if lacking:
            unmatched.append(Unmatched(Parts("not in ", name), lacking))
        if repeated:
            unmatched.append(Unmatched(Parts("more than once in ", name), repeated))
    kept = [True] * len(aligned.ids)
    for what, key in _SAME:
        numbers = differing(runs, aligned.places, key)
        if numbers:
            unmatched.append(Unmatched(what, [aligned.ids[k] for k in numbers]))
            for k in numbers:
                kept[k] = False
    if unmatched and on_missing == "error":
        other = Parts("Run all systems on the same examples, or leave these ids out, ", DROP)
        remedy = affected(unmatched), other
        raise InputError("the runs do not hold the same examples", remedy=remedy)
    if not any(kept):
        same = "Compare runs of the same examples."
        raise InputError("no example is left", remedy=(affected(unmatched), same))
    ids = [x for x, is_kept in zip(aligned.ids, kept, strict=True) if is_kept]
    places = [place[kept] for place in aligned.places] if unmatched else aligned.places
    return Matching(ids, places, unmatched, len(differing(runs, places, "prompts")))


_SAME = (
    ("stand for different documents", "documents"),
    ("have different references", "references"),
    ("belong to different groups", "groups"),
    ("were not run equally often by all systems", "n_repeats"),
)


def differing(runs: Sequence[Run], places: Sequence[IntArray], key: str) -> list[int]:
    """Return the numbers of the examples whose entries differ between runs; None is no entry."""
    found: list[int] = []
    columns = [
        [column[k] for k in place.tolist()]
        for run, place in zip(runs, places, strict=True)
        if (column := _said(run, key)) is not None
    ]
    if all(column == columns[0] for column in columns[1:]):
        return []
    for k, entries in enumerate(zip(*columns, strict=True)):
        said = [x for x in entries if x is not None]
        if any(x != said[0] for x in said[1:]):
            found.append(k)
    return found


def _said(run: Run, key: str) -> list[Any] | None:
    """Return a column of a run; `n_repeats` is 1 each where it is not given."""
    column: list[Any] | None = getattr(run, key)
    return [1] * len(run.ids) if column is None and key == "n_repeats" else column


def check_unquoted(runs: Sequence[Run]) -> None:
    """Raise InputError if a TSV quotes a text that stands elsewhere without quotes."""
    for run in runs:
        quoted = [x for x in _texts(run) if _IS_QUOTED.fullmatch(x)] if run.format == TSV else []
        plain = {x for other in runs for x in _texts(other)} if quoted else set()
        for cell in quoted:
            if cell[1:-1] in plain:
                what = f" has the cell {shown(cell)}, {QUOTED}"
                raise InputError(File(run.path), what, remedy=UNQUOTED)


def _texts(run: Run) -> Iterator[str]:
    """Yield the texts of a run that are compared for equality."""
    for column in (run.predictions, run.references, run.groups):
        yield from (str(x) for x in column or () if x is not None)


def in_one_type(runs: Sequence[Run]) -> Sequence[Run]:
    """Read cells of CSV as integers if the other runs have integers there."""
    found = list(runs)
    for keys in (("ids",), ("predictions", "references"), ("groups",)):
        typed = [
            column
            for run in runs
            if run.format not in TYPELESS
            for key in keys
            if (column := getattr(run, key)) is not None
        ]
        kinds = set().union(*(map(type, column) for column in typed))
        if int not in kinds or str in kinds:
            continue
        for k, run in enumerate(runs):
            if run.format in TYPELESS:
                columns: Any = {key: _integers(getattr(run, key)) for key in keys}
                found[k] = replace(found[k], **columns)
    return found


def _integers(cells: list[Any] | None) -> list[Any] | None:
    """Return the cells as integers if each is written as Python writes an integer."""
    if cells is None or not all(isinstance(x, str) and _IS_INTEGER.fullmatch(x) for x in cells):
        return cells
    return [*map(int, cells)]
