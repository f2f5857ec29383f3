"""The matching of several runs of one task by the ids of their examples."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError, counted, shown, shown_path
from pairedperm.inputs.columns import Id, align, same_text_in_two_forms
from pairedperm.readers.files import DROP, TABLES, OnMissing, ReadOptions, SameDocuments
from pairedperm.readers.log import (
    Document,
    Run,
    differ,
    system_names,
    with_repeats,
    without_examples,
)
from pairedperm.readers.tables import in_one_type

_IF_MEANT = "If documents are meant to differ, match by id alone, same_documents='id'"
_BY_DOCUMENT = (
    "Ids are places in these logs, and documents moved: so examples are matched by document."
)
_OF_LACKING = {  # what a tool writes nothing of, by its format: to drop it would turn results round
    "trec_eval": (
        "A query for which a run finds nothing counts as 0: run `trec_eval -q -c` of version 10. "
        "Earlier ones print no line of it, so write one."
    ),
    "swe_bench": (
        "SWE-bench writes no report of an instance that broke, which counts as unresolved: give "
        "the report of the run, <model>.<run>.json, which lists it."
    ),
}
_SHOWN = 10  # tuned: ids in a message
_IS_PLACE = re.compile(r"promptfoo:\d+|deepeval:test_case_\d+")  # ids that tell a place in a log


@dataclass(frozen=True, slots=True)
class Unmatched:
    """Ids that cannot be compared, and why: "not in new.jsonl"."""

    why: str
    ids: list[Id]

    def __str__(self) -> str:
        """Return their number, why, and the first of them, as a message holds it."""
        listed, more = ", ".join(map(shown, self.ids[:_SHOWN])), len(self.ids) - _SHOWN
        and_more = f" and {more:,} more" if more > 0 else ""
        return f"{len(self.ids):,} {self.why}: {listed}{and_more}"


def affected(some: Sequence[Unmatched]) -> str:
    """Return a sentence that lists all ids that cannot be compared."""
    return f"Affected ids: {'; '.join(map(str, some))}"


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
    n_documents : int or None
        The number of examples whose documents are there and differ, if only ids are matched; or
        else None.
    by : str
        What they were matched by: "id", or "document" where ids are places in a log.
    """

    ids: list[Id]
    places: list[IntArray]
    unmatched: list[Unmatched]
    n_prompts: int = 0
    n_unused: int = 0
    n_documents: int | None = None
    by: str = "id"

    def __str__(self) -> str:
        lines = [f"{counted(len(self.ids), 'example')} matched by {self.by}"]
        lines += [f"left out: {x}" for x in self.unmatched]
        if self.n_documents is not None:
            differ_on = f": documents differ on {self.n_documents:,} of them"
            lines.append(f"by id alone{differ_on * (self.n_documents > 0)}")
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
        return [taken(column, place) for column, place in pairs]

    def differing(self, runs: Sequence[Run], key: str) -> list[Id]:
        """Return the ids whose entries differ between runs; None is no entry."""
        columns = [
            taken(column, place)
            for run, place in zip(runs, self.places, strict=True)
            if (column := _column(run, key)) is not None
        ]
        has_parts = len(columns) > 2 and isinstance(next(iter(columns[0]), None), Document)
        if not has_parts and all(column == columns[0] for column in columns[1:]):
            return []
        return [
            example
            for example, entries in zip(self.ids, zip(*columns, strict=True), strict=True)
            if differ([x for x in entries if x is not None])
        ]

    def without(
        self,
        unmatched: Sequence[Unmatched],
        on_missing: OnMissing,
        what: str,
        remedy: str,
        if_none_is_left: str = "",
        shows: Callable[[], Sequence[str]] = tuple,
    ) -> Matching:
        """Leave out the ids that cannot be compared; an error says also what `shows` returns.

        Raises
        ------
        InputError
            If there are some and `on_missing` is "error", which says `what` is wrong; if no example
            is left.
        """
        if unmatched and on_missing == "error":
            raise InputError(
                what,
                remedy=(affected(unmatched), *shows(), f"{remedy}{DROP}"),
            )
        if not unmatched and self.ids:
            return self
        lost = {x for some in unmatched for x in some.ids}
        kept = [k for k, x in enumerate(self.ids) if x not in lost]
        if not kept:
            told = affected(unmatched), *shows(), if_none_is_left
            raise InputError("no example is left", remedy=told)
        return replace(
            self,
            ids=[self.ids[k] for k in kept],
            places=[place[kept] for place in self.places],
            unmatched=[*self.unmatched, *unmatched],
        )


def taken(column: Sequence[Any], place: IntArray) -> list[Any]:
    """Return the entries at these places."""
    entries: list[Any] = np.fromiter(column, dtype=object, count=len(column))[place].tolist()
    return entries


def _column(run: Run, key: str) -> list[Any] | None:
    """Return a column of a run; `n_repeats` is 1 each where it is not given."""
    column: list[Any] | None = getattr(run, key)
    return [1] * len(run.ids) if column is None and key == "n_repeats" else column


def match_task(
    task: str,
    runs: list[Run],
    references: Run | None,
    options: ReadOptions,
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
        listed = [f"{version} in {shown_path(path)}" for version, path in versions.items()]
        raise InputError(
            f"the runs are of different versions of task {shown(task)}: {'; '.join(listed)}",
            remedy="Evaluate both systems with the same version.",
        )
    others = [] if references is None else [references]
    typed = in_one_type([*runs, *others])
    runs, others = typed[: len(runs)], typed[len(runs) :]
    if options.repeats:
        runs = [*map(with_repeats, runs)]
    how = options.on_missing, options.same_documents
    if not others:
        by = "id"
        if options.same_documents == "content" and _are_places(runs):
            named = _named_by_document(runs)
            if any(x.ids != [*map(str, y.ids)] for x, y in zip(named, runs, strict=True)):
                runs, by = named, "document"
        return dict(zip(systems, runs, strict=True)), match(runs, *how, by)
    there = {x for run in runs for x in run.ids}
    used = without_examples(others[0], {*others[0].ids} - there)
    matching = match([*runs, used], *how)
    right = dict(zip(used.ids, used.references or (), strict=True))
    n_unused = len(others[0].ids) - len(used.ids)
    matching = replace(matching, places=matching.places[:-1], n_unused=n_unused)
    runs = [replace(run, references=[right.get(x) for x in run.ids]) for run in runs]
    return dict(zip(systems, runs, strict=True)), matching


def _are_places(runs: Sequence[Run]) -> bool:
    """Tell whether ids are places in a log: one run has a document that another has elsewhere."""
    first, *others = runs
    if not all(_are_hashable(run.documents) for run in runs):
        return False
    document_of = dict(zip(first.ids, first.documents or (), strict=True))
    for run in others:
        if (run.ids, run.documents) == (first.ids, first.documents):
            continue
        there = {*document_of.values()} & {*(run.documents or ())}
        for example, document in zip(run.ids, run.documents or (), strict=True):
            other = document_of.get(example, document)
            is_place = _IS_PLACE.fullmatch(f"{run.format}:{example}") is not None
            if other != document and (is_place or document in there or other in there):
                return True
    return False


def _are_hashable(documents: Sequence[Any] | None) -> bool:
    return documents is not None and {*map(type, documents)} <= {str, tuple}


def _named_by_document(runs: Sequence[Run]) -> list[Run]:
    """Give each example the id that the first run gives its document, at the same place if it can.

    A document that no run before has keeps its id if no other example of the run has this one.
    """
    document_of: dict[str, Any] = {}
    named = []
    for run in runs:
        examples = [*zip(map(str, run.ids), run.documents or (), strict=True)]
        stays = {x for x, document in examples if document_of.get(x) == document}
        elsewhere: dict[Any, list[str | None]] = {}
        for x, document in document_of.items():
            if x not in stays:
                elsewhere.setdefault(document, []).append(x)
        names = [
            x if x in stays else (elsewhere.get(document) or [None]).pop(0)
            for x, document in examples
        ]
        taken = {*names}
        ids = [
            name or (f"{x} of {run.path}" if x in taken else x)
            for name, (x, _) in zip(names, examples, strict=True)
        ]
        for x, document in zip(ids, run.documents or (), strict=True):
            document_of.setdefault(x, document)
        named.append(replace(run, ids=[*ids]))
    return named


def check_formats(runs: Sequence[Run]) -> None:
    """Raise InputError if the runs have different formats, whose ids may mean different things."""
    kinds = {"a table" if run.format in TABLES else run.format: run.path for run in runs}
    if len(kinds) > 1:
        listed = "; ".join([f"{shown_path(path)} is {kind}" for kind, path in kinds.items()])
        raise InputError(
            f"the runs are of different formats: {listed}",
            remedy=(
                "Their ids may mean different things.",
                "Compare logs of one tool, or write both as tables of id and score.",
                "Of a folder with both, choose one, format=…",
            ),
        )


def match(
    runs: Sequence[Run],
    on_missing: OnMissing,
    same_documents: SameDocuments = "content",
    by: str = "id",
) -> Matching:
    """Match the examples that all runs have once, with the same document unless ids are enough.

    `by` is what the ids stand for, as in `Matching`.

    Raises
    ------
    InputError
        If other examples are there and `on_missing` is "error"; if no example is left; if ids are
        of different types.
    """
    names = names_of_files(runs)
    aligned = align(names, [run.ids for run in runs])
    unmatched = []
    for name, lacking, repeated in zip(names, aligned.lacking, aligned.repeated, strict=True):
        unmatched.append(Unmatched(f"not in {name}", lacking))
        unmatched.append(Unmatched(f"more than once in {name}", repeated))
    unmatched += [
        Unmatched(f"called invalid by {name}", run.invalid)
        for name, run in zip(names, runs, strict=True)
    ]
    matching = Matching(aligned.ids, aligned.places, [], by=by)
    keys = [x for x in _SAME if x != "documents" or same_documents == "content"]
    differing = {key: matching.differing(runs, key) for key in keys}
    unmatched += [Unmatched(_SAME[key], ids) for key, ids in differing.items()]
    matching = matching.without(
        [x for x in unmatched if x.ids],
        on_missing,
        "the runs do not hold the same examples",
        "Run all systems on the same examples, or leave these ids out, ",
        "Compare runs of the same examples.",
        lambda: [
            _BY_DOCUMENT if by == "document" else "",
            _IF_MEANT if differing.get("documents") and by == "id" else "",
            _OF_LACKING.get(runs[0].format, "") if any(aligned.lacking) else "",
            *_on_repeats(runs, aligned.repeated),
            same_text_in_two_forms(aligned.lacking),
        ],
    )
    n_documents = None if "documents" in keys else len(matching.differing(runs, "documents"))
    n_prompts = len(matching.differing(runs, "prompts"))
    return replace(matching, n_prompts=n_prompts, n_documents=n_documents)


def names_of_files(runs: Sequence[Run]) -> list[str]:
    """Return how messages call runs: by their files, and by the models of those that share one."""
    n_runs = Counter(run.path for run in runs)
    named = (f" of {shown_path(x.model)}" * (n_runs[x.path] > 1 and x.model != "") for x in runs)
    return [f"{shown_path(x.path)}{of_model}" for x, of_model in zip(runs, named, strict=True)]


def _on_repeats(runs: Sequence[Run], repeated: Sequence[list[Any]]) -> list[str]:
    """Say what to do if tables have several lines for an id."""
    are_tables = any(ids and x.format in TABLES for x, ids in zip(runs, repeated, strict=True))
    average = "If they are repeated runs of an example, average them, repeats=True"
    return [average] * are_tables


_SAME = {
    "documents": "stand for different documents",
    "references": "have different references",
    "groups": "belong to different groups",
    "n_repeats": "were not run equally often by all systems",
}
