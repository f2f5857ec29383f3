"""The matching of several runs of one task by the ids of their examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pairedperm.errors import InputError, counted, shown, shown_path
from pairedperm.inputs.columns import Id, align, is_missing, same_text_in_two_forms
from pairedperm.readers.files import DROP, FILLED, TABLES, OnMissing, ReadOptions
from pairedperm.readers.log import (
    Document,
    Run,
    differ,
    examples_at,
    with_all_ids,
    with_repeats,
    with_some_runs,
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
_AVERAGE = "If they are repeated runs of an example, average them, repeats=True"
_DRAW = "Or draw as many runs of each as the other system has, runs='drawn'"
_HOW = {  # what becomes of unequal numbers of runs
    "drawn": "as many runs of each system are drawn as the fewest (seed {})",
    "mean": "the means of their runs are swapped, and p is approximate",
}
_UNLESS = "p fails if that depends on results, as in asking again until an answer is right"
_SHOWN = 10  # tuned: ids in a message


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


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """The examples that several runs have in common; print it.

    Attributes
    ----------
    ids : list of int or str
        The ids of the examples that are compared, sorted.
    unmatched : list of Unmatched
        The ids that were left out, and why.
    notes : list of str
        What else people should know: what differs and is compared all the same, and references of
        examples that no run has.
    by : str
        What they were matched by: "id", or "document" where ids are places in a log.
    """

    ids: list[Id]
    unmatched: list[Unmatched]
    notes: list[str]
    by: str = "id"

    def __str__(self) -> str:
        lines = [f"{counted(len(self.ids), 'example')} matched by {self.by}"]
        return "\n".join([*lines, *(f"left out: {x}" for x in self.unmatched), *self.notes])


def without(
    ids: Sequence[Id],
    unmatched: Sequence[Unmatched],
    on_missing: OnMissing,
    what: str,
    remedy: str,
    *hints: str,
) -> Sequence[int]:
    """Return the places of the ids that are not left out.

    Raises
    ------
    InputError
        If some are and `on_missing` is not "drop", which says `what` is wrong; if no example is
        left.
    """
    told = f"Affected ids: {'; '.join(map(str, unmatched))}", *hints
    if unmatched and on_missing != "drop":
        raise InputError(what, remedy=(*told, f"{remedy}{DROP}"))
    lost = {x for some in unmatched for x in some.ids}
    kept = [k for k, x in enumerate(ids) if x not in lost] if lost else range(len(ids))
    if not kept:
        raise InputError("no example is left", remedy=told)
    return kept


def differing(ids: Sequence[Id], columns: Sequence[Sequence[Any]]) -> list[Id]:
    """Return the ids whose entries differ between columns; None is no entry."""
    has_parts = len(columns) > 2 and isinstance(next(iter(columns[0]), None), Document)
    if not has_parts and all(column == columns[0] for column in columns[1:]):
        return []
    each = zip(ids, zip(*columns, strict=True), strict=True)
    return [x for x, entries in each if differ([y for y in entries if y is not None])]


def match_task(
    task: str,
    systems: Mapping[str, Run],
    references: Run | None,
    options: ReadOptions,
) -> tuple[dict[str, Run], Matching]:
    """Bring what the runs of all systems have once into the order of the ids.

    An example has the same document in all runs, unless ids are enough. `references` may be those
    of a table.

    Raises
    ------
    InputError
        If the runs are of different formats or versions. If examples do not match, unless
        `on_missing` is "drop". If no example is left. If ids are of different types.
    """
    runs = [*systems.values()]
    check_formats(runs)
    _check_same(
        f"versions of task {shown(task)}",
        {run.version: run.path for run in runs if run.version},
        "Evaluate both systems with the same version.",
    )
    runs += [] if references is None else [references]
    if any(run.format in TABLES for run in runs):
        runs = in_one_type(runs)
    n, n_unused, by = len(systems), 0, "id"
    if options.repeats:
        runs[:n] = map(with_repeats, runs[:n])
    if references is not None:
        unused = {*runs[n].ids}.difference(*(run.ids for run in runs[:n]))
        n_unused = sum(x in unused for x in runs[n].ids)
        runs[n] = without_examples(runs[n], unused)
    elif options.same_documents == "content" and (named := _named_by_document(runs)):
        runs, by = named, "document"
    runs[:n] = with_all_ids(runs[:n]) if options.on_missing in FILLED else runs[:n]
    names = names_of_files(runs)
    aligned = align(names, [run.ids for run in runs])
    unmatched = []
    for name, run, lacking, repeated in zip(names, runs, *aligned[2:], strict=True):
        unmatched.append(Unmatched(f"not in {name}", lacking))
        unmatched.append(Unmatched(f"more than once in {name}", repeated))
        unmatched.append(Unmatched(f"called invalid by {name}", run.invalid))
    runs = [*map(examples_at, runs, aligned.places)]
    runs[:n], too_uneven, of_runs = _evened(runs[:n], options)
    unmatched.append(Unmatched("were run more than twice as often by one system", too_uneven))
    is_by_id = options.same_documents == "id"
    found = {x: _differing(runs, x) for x in _SAME if not (is_by_id and x == "documents")}
    unmatched += [Unmatched(_SAME[x], ids) for x, ids in found.items()]
    places = without(
        aligned.ids,
        [x for x in unmatched if x.ids],
        options.on_missing,
        "the runs do not hold the same examples",
        "Run all systems on the same examples, or leave these ids out, ",
        _BY_DOCUMENT if by == "document" else "",
        _IF_MEANT if found.get("documents") and by == "id" else "",
        _OF_LACKING.get(runs[0].format, "") if any(aligned.lacking) else "",
        _AVERAGE if any(aligned.repeated) and runs[0].format in TABLES else "",
        _DRAW if too_uneven else "",
        same_text_in_two_forms(aligned.lacking),
    )
    runs = [examples_at(run, places) for run in runs]
    notes = of_runs
    if is_by_id:
        n_differ = len(_differing(runs, "documents"))
        differ_on = f": documents differ on {n_differ:,} of them" if n_differ else ""
        notes.append(f"by id alone{differ_on}")
    if n_prompts := len(_differing(runs, "prompts")):
        notes.append(f"prompts differ on {n_prompts:,} of them: another template or shots?")
    if n_unused:
        notes.append(f"{counted(n_unused, 'reference')} of examples that no log has")
    matching = Matching(runs[0].ids, [x for x in unmatched if x.ids], notes, by)
    common: dict[str, Any] = {
        key: first_given([getattr(run, key) for run in (*runs[n:], *runs[:n])])
        for key in ("references", "groups", "slices")
    }
    matched = [replace(run, **common) for run in runs[:n]]
    return dict(zip(systems, matched, strict=True)), matching


def first_given(columns: Sequence[list[Any] | None]) -> list[Any] | None:
    """Return a column that is the same in all runs: of the first that has it, filled by others."""
    given = [x for x in columns if x is not None]
    first = given[0] if given else None
    for other in given[1:]:
        if first is None or not any(map(is_missing, first)):
            break
        first = [y if is_missing(x) else x for x, y in zip(first, other, strict=True)]
    return first


def _differing(runs: Sequence[Run], key: str) -> list[Id]:
    """Return the ids whose entries of a column differ between the runs that have it."""
    columns = [getattr(run, key) for run in runs]
    return differing(runs[0].ids, [x for x in columns if x is not None])


def numbers_of_runs(runs: Sequence[Run]) -> list[list[int]]:
    """Return how often each example was run by the systems, if any has several runs of some.

    A system whose log lacks the example is left out.
    """
    if not any(run.n_repeats for run in runs):
        return []
    columns = [run.n_repeats or [1] * len(run.ids) for run in runs]
    return [[n for n in some if n] for some in zip(*columns, strict=True)]


def _evened(runs: list[Run], options: ReadOptions) -> tuple[list[Run], list[Id], list[str]]:
    """Return the runs with equally many runs of each example, as far as these are drawn.

    Return also the ids whose numbers of runs are too unequal for means, and a note.
    """
    each = [*zip(runs[0].ids, numbers_of_runs(runs), strict=False)]
    least = {x: min(some) for x, some in each if len({*some}) > 1}
    if not least:
        return runs, [], []
    runs = [_of_means(run) for run in runs]
    note = f"{counted(len(least), 'example')} run more often by one system: "
    note += f"{_HOW[options.runs].format(options.seed)}; {_UNLESS}"
    if options.runs == "mean":
        return runs, [x for x, some in each if x in least and max(some) > 2 * least[x]], [note]
    rng = np.random.default_rng(options.seed)
    drawn = []
    for run in runs:
        of_run = enumerate(zip(run.ids, run.n_repeats or (), strict=False))
        more = {k: (n, least[x]) for k, (x, n) in of_run if n and n > least.get(x, n)}
        kept = {k: sorted(rng.choice(*x, replace=False).tolist()) for k, x in more.items()}
        drawn.append(with_some_runs(run, kept) if kept else run)
    return drawn, [], [note]


def _of_means(run: Run) -> Run:
    """Return a run without the metrics that make another number of an example's runs."""
    means = run.runs.keys() - run.aggregated.keys() if run.n_repeats else run.scores.keys()
    left_out = dict.fromkeys(
        run.scores.keys() - means, "a number of unequally many runs that is no mean"
    )
    scores = {name: x for name, x in run.scores.items() if name not in left_out}
    return replace(run, scores=scores, left_out=run.left_out | left_out)


def _named_by_document(runs: Sequence[Run]) -> list[Run]:
    """Give each example the id that a run before gives its document, at the same place if it can.

    A document that no run before has keeps its id if no other example of the run has this one.
    The list is empty unless an id stands for two documents, and another id for one of them.
    """
    documents = [run.documents or [None] for run in runs]
    if not {type(x) for column in documents for x in column} <= {str, tuple}:
        return []
    first = dict(zip(runs[0].ids, documents[0], strict=True))
    pairs = (zip(*x, strict=True) for x in zip((run.ids for run in runs), documents, strict=True))
    if all(first.get(x, y) == y for some in pairs for x, y in some):
        return []
    document_of: dict[str, Any] = {}
    named = []
    for run, column in zip(runs, documents, strict=True):
        own = [*map(str, run.ids)]
        elsewhere: dict[Any, list[str]] = {}
        stays = {x for x, y in zip(own, column, strict=True) if document_of.get(x) == y}
        for x, y in document_of.items():
            if x not in stays:
                elsewhere.setdefault(y, []).append(x)
        names = [
            x if x in stays else (elsewhere.get(y) or [""]).pop(0)
            for x, y in zip(own, column, strict=True)
        ]
        taken = {*names}
        ids = [
            name or (f"{x} of {run.path}" if x in taken else x)
            for name, x in zip(names, own, strict=True)
        ]
        document_of = dict(zip(ids, column, strict=True)) | document_of
        named.append(replace(run, ids=[*ids]))
    return (
        named if any(x.ids != [*map(str, y.ids)] for x, y in zip(named, runs, strict=True)) else []
    )


def check_formats(runs: Sequence[Run]) -> None:
    """Raise InputError if the runs have different formats, whose ids may mean different things."""
    _check_same(
        "formats",
        {"a table" if run.format in TABLES else run.format: run.path for run in runs},
        "Their ids may mean different things.",
        "Compare logs of one tool, or write both as tables of id and score.",
        "Of a folder with both, choose one, format=…",
    )


def _check_same(what: str, paths: Mapping[str, str], *remedy: str) -> None:
    """Raise InputError if runs are of different kinds; `paths` has a file of each kind."""
    if len(paths) > 1:
        listed = "; ".join([f"{shown_path(path)} is {kind}" for kind, path in paths.items()])
        raise InputError(f"the runs are of different {what}: {listed}", remedy=remedy)


def names_of_files(runs: Sequence[Run]) -> list[str]:
    """Return how messages call runs: by their files, and by the models of those that share one."""
    n_runs = Counter(run.path for run in runs)
    named = (f" of {shown_path(x.model)}" * (n_runs[x.path] > 1 and x.model != "") for x in runs)
    return [f"{shown_path(x.path)}{of_model}" for x, of_model in zip(runs, named, strict=True)]


_SAME = {
    "documents": "stand for different documents",
    "references": "have different references",
    "groups": "belong to different groups",
    "slices": "are in different slices",
}
