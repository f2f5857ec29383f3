"""The matching of several runs of one task by the ids of their examples."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, Literal

import numpy as np

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
from pairedperm.inputs.files import without_compression
from pairedperm.inputs.ids import Id, align
from pairedperm.readers.delimited import QUOTED, TSV, TYPELESS, UNQUOTED
from pairedperm.readers.run import Run, with_repeats
from pairedperm.readers.table import TABLES

OnMissing = Literal["error", "drop"]
DROP = Setting("on_missing", "'drop'")
_SHOWN = 10  # tuned: ids in a message
_IS_QUOTED = re.compile('"[^"]+"')
_IS_DATE = re.compile(r"[\dTZ\W_]+")  # a folder that tells a date, a time or a number
_IS_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})", re.A)


@dataclass(frozen=True, slots=True)
class Unmatched(MessagePart):
    """Ids that cannot be compared, and why: "not in new.jsonl"."""

    why: Words
    ids: list[Id]

    def told(self, telling: Telling) -> str:
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

    def in_order(self, columns: Sequence[list[Any]]) -> list[list[Any]]:
        """Return the entries of each run's column in the order of the ids."""
        pairs = zip(columns, self.places, strict=True)
        return [_taken(column, place) for column, place in pairs]

    def differing(self, runs: Sequence[Run], key: str) -> list[Id]:
        """Return the ids whose entries differ between runs; None is no entry."""
        columns = [
            _taken(column, place)
            for run, place in zip(runs, self.places, strict=True)
            if (column := _column(run, key)) is not None
        ]
        if all(column == columns[0] for column in columns[1:]):
            return []
        ids = []
        for example, entries in zip(self.ids, zip(*columns, strict=True), strict=True):
            given = [x for x in entries if x is not None]
            if any(x != given[0] for x in given[1:]):
                ids.append(example)
        return ids

    def without(
        self,
        unmatched: Sequence[Unmatched],
        on_missing: OnMissing,
        what: str,
        remedy: str,
        if_none_is_left: str = "",
    ) -> Matching:
        """Leave out the ids that cannot be compared.

        Raises
        ------
        InputError
            If there are some and `on_missing` is "error", which says `what` is wrong; if no example
            is left.
        """
        if unmatched and on_missing == "error":
            raise InputError(what, remedy=(affected(unmatched), Parts(remedy, DROP)))
        if not unmatched and self.ids:
            return self
        lost = {x for some in unmatched for x in some.ids}
        kept = [k for k, x in enumerate(self.ids) if x not in lost]
        if not kept:
            raise InputError("no example is left", remedy=(affected(unmatched), if_none_is_left))
        return replace(
            self,
            ids=[self.ids[k] for k in kept],
            places=[place[kept] for place in self.places],
            unmatched=[*self.unmatched, *unmatched],
        )


def _taken(column: Sequence[Any], place: IntArray) -> list[Any]:
    """Return the entries at these places."""
    entries: list[Any] = np.fromiter(column, dtype=object, count=len(column))[place].tolist()
    return entries


def _column(run: Run, key: str) -> list[Any] | None:
    """Return a column of a run; `n_repeats` is 1 each where it is not given."""
    column: list[Any] | None = getattr(run, key)
    return [1] * len(run.ids) if column is None and key == "n_repeats" else column


def match_task(
    task: str, runs: list[Run], references: Run | None, on_missing: OnMissing, *, repeats: bool
) -> tuple[dict[str, Run], Matching]:
    """Match the runs of a task, and name their systems; `references` may be those of a table.

    Raises
    ------
    InputError
        If the runs are of different formats or versions; for the reasons of `match`.
    """
    check_formats(runs)
    systems = system_names(runs)
    versions = {run.version: run.path for run in runs if run.version}
    if len(versions) > 1:
        listed = [Parts(f"{version} in ", File(path)) for version, path in versions.items()]
        raise InputError(
            f"the runs are of different versions of task {shown(task)}: ",
            joined(listed, "; "),
            remedy="Evaluate both systems with the same version.",
        )
    others = [] if references is None else [references]
    _check_quotes_of_tsv([*runs, *others])
    typed = _in_one_type([*runs, *others])
    runs, others = typed[: len(runs)], typed[len(runs) :]
    if repeats:
        runs = [*map(with_repeats, runs)]
    if not others:
        return dict(zip(systems, runs, strict=True)), match(runs, on_missing)
    used = _used(others[0], runs)
    matching = match([*runs, used], on_missing)
    right = dict(zip(used.ids, used.references or (), strict=True))
    n_unused = len(others[0].ids) - len(used.ids)
    matching = replace(matching, places=matching.places[:-1], n_unused=n_unused)
    runs = [replace(run, references=[right.get(x) for x in run.ids]) for run in runs]
    return dict(zip(systems, runs, strict=True)), matching


def check_formats(runs: Sequence[Run]) -> None:
    """Raise InputError if the runs have different formats, whose ids may mean different things."""
    kinds = {"a table" if run.format in TABLES else run.format: run.path for run in runs}
    if len(kinds) > 1:
        listed = joined([Parts(File(path), f" is {kind}") for kind, path in kinds.items()], "; ")
        raise InputError(
            *("the runs are of different formats: ", listed),
            remedy=(
                "Their ids may mean different things.",
                "Compare logs of one tool, or write both as tables of id and score.",
            ),
        )


def _used(references: Run, runs: Sequence[Run]) -> Run:
    """Return only those references whose example some run has."""
    there = {x for run in runs for x in run.ids}
    used = [k for k, x in enumerate(references.ids) if x in there]
    right = references.references or []
    return replace(
        references, ids=[references.ids[k] for k in used], references=[right[k] for k in used]
    )


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
        unmatched.append(Unmatched(Parts("not in ", name), lacking))
        unmatched.append(Unmatched(Parts("more than once in ", name), repeated))
    matching = Matching(aligned.ids, aligned.places, [])
    unmatched += [Unmatched(what, matching.differing(runs, key)) for what, key in _SAME]
    matching = matching.without(
        [x for x in unmatched if x.ids],
        on_missing,
        "the runs do not hold the same examples",
        "Run all systems on the same examples, or leave these ids out, ",
        "Compare runs of the same examples.",
    )
    return replace(matching, n_prompts=len(matching.differing(runs, "prompts")))


_SAME = (
    ("stand for different documents", "documents"),
    ("have different references", "references"),
    ("belong to different groups", "groups"),
    ("were not run equally often by all systems", "n_repeats"),
)


def _check_quotes_of_tsv(runs: Sequence[Run]) -> None:
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


def _in_one_type(runs: Sequence[Run]) -> list[Run]:
    """Read cells of CSV as integers if the other runs have integers there."""
    for keys in (("ids",), ("predictions", "references"), ("groups",)):
        typed = (getattr(run, key) for run in runs if run.format not in TYPELESS for key in keys)
        kinds = set().union(*(map(type, column or ()) for column in typed))
        if int in kinds and str not in kinds:
            runs = [
                replace(run, **{key: _integers(getattr(run, key)) for key in keys})
                if run.format in TYPELESS
                else run
                for run in runs
            ]
    return [*runs]


def _integers(cells: list[Any] | None) -> Any:
    """Return the cells as integers if each is written as Python writes an integer."""
    if cells is None or not all(isinstance(x, str) and _IS_INTEGER.fullmatch(x) for x in cells):
        return cells
    return [*map(int, cells)]


def system_names(runs: Sequence[Run]) -> list[str]:
    """Name each system by its model, its table, the nearest folder that differs, or its path."""
    models = [run.model for run in runs]
    if all(models) and _differ(models):
        return models
    paths = [PurePath(without_compression(run.path)).with_suffix("") for run in runs]
    stems = [path.name for path in paths]
    if all(run.format in TABLES for run in runs) and _differ(stems):
        return stems  # other logs are named by dates and numbers
    absolute = [PurePath(os.path.abspath(path)).parts for path in paths]
    n_shared = len(os.path.commonprefix(absolute))  # noqa: RUF071, parts are meant
    own = [parts[n_shared:] for parts in absolute]
    nearest = [*zip(*(reversed(parts[:-1]) for parts in own), strict=False)]
    telling = [names for names in nearest if not any(map(_IS_DATE.fullmatch, names))]
    for names in (*telling, *nearest, *zip(*own, strict=False)):
        if _differ(names):
            return [*names]
    for length in range(2, max(map(len, absolute))):
        joined = ["/".join(parts[-length:]) for parts in absolute]
        if _differ(joined):
            return joined
    return [f"{run.path} ({k})" for k, run in enumerate(runs, 1)]


def _differ(names: Sequence[str]) -> bool:
    return len({*names}) == len(names)
