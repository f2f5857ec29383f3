"""The examples that one metric compares: one entry of each system for each example."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np

from pairedperm.comparison.compare import compare_columns
from pairedperm.comparison.many import compare_many
from pairedperm.errors import InputError, warn
from pairedperm.errors.wording import File, Name, Parts, Words, called, describe
from pairedperm.inputs.columns import is_missing
from pairedperm.inputs.ids import Id
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import read_options
from pairedperm.population.evidence import leads
from pairedperm.readers.direction import Direction, direction
from pairedperm.readers.matching import DROP, Matching, OnMissing, Unmatched, affected
from pairedperm.readers.run import Run, Scores, is_unscored
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.results.permutation_result import PairedPermutationResult, with_interval
from pairedperm.scoring.call_options import split_call
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.metrics.mean_score import MeanScore
from pairedperm.scoring.scores import simplified

_PERPLEXITY = re.compile(  # or its logarithm, which is not below 0 either
    r"perplexity|bits[\W_]*per|(?<![a-z])(?:ppl|bp[bc])(?![a-z])", re.I
)
_INFINITE = (math.inf, -math.inf)
_WHOLE = {int, bool, str}  # types that have no missing value


class Examples(NamedTuple):
    """The data that one metric compares: arguments of `compare` and `compare_many`.

    Attributes
    ----------
    name : str
        The name of the metric, as in the log.
    ids : list of int or str
        The ids of the examples, sorted.
    systems : dict from str to list
        The predictions or the scores of each system.
    references, groups : list or None
        The right answers; ids of groups that are swapped together.
    metric : Metric
        `MeanScore` for a logged metric, or a metric of predictions.
    direction : Direction
        Whether lower or higher scores are better.
    unmatched : list of Unmatched
        Ids that were left out because a score, prediction or reference is missing.
    doubts : list of str or Part
        Where the log's tool reports another number than the score that is compared.
    """

    name: str
    ids: list[Id]
    systems: dict[str, list[Any]]
    references: list[Any] | None
    groups: list[Any] | None
    metric: Metric
    direction: Direction
    unmatched: list[Unmatched]
    doubts: Sequence[Words] = ()


def direction_of_means(logged: str, runs: Sequence[Run], asked: bool | None) -> Direction:
    """Return the direction of logged scores; it is assumed if the tool reports another number.

    The log's direction is that of the number. Scores below 0 may be its logarithms or negatives,
    and are no perplexities.

    Raises
    ------
    InputError
        If the logs contradict each other.
    """
    found = direction(logged, runs, asked)
    if found.source == "asked":
        return found
    is_doubted = any(logged in run.doubts for run in runs)
    if found.lower_is_better and (is_doubted or _PERPLEXITY.search(logged)):
        scores = (x for run in runs for x in run.scores[logged])
        if any(x < 0 for x in scores if not is_unscored(x)):
            return Direction(False, "assumed")
    return found._replace(source="assumed") if is_doubted else found


def placed(
    systems: Mapping[str, Run],
    matching: Matching,
    on_missing: OnMissing,
    columns: Sequence[Scores],
    name: str,
    metric: Metric,
    direction: Direction,
) -> Examples:
    """Return each run's column in the order of the ids, without examples that lack an entry.

    Raises
    ------
    InputError
        If an entry is missing and `on_missing` is "error"; if no example is left; if a score is
        infinite; if an example has no group.
    """
    runs, orders = [*systems.values()], [place.tolist() for place in matching.places]
    entries = [[column[k] for k in order] for column, order in zip(columns, orders, strict=True)]
    references = _first_given(runs, orders, "references") if metric.has_references else None
    groups = _first_given(runs, orders, "groups")
    what, lacks = ("a prediction", is_missing)
    if isinstance(metric, MeanScore):
        what, lacks = name, is_unscored
    gaps: list[tuple[Words, list[int]]] = [
        (Parts(f"without {what} in ", File(run.path)), _places(column, lacks))
        for run, column in zip(runs, entries, strict=True)
    ]
    gaps.append(("without a reference", _places(references or [], is_missing)))
    ids = matching.ids
    if isinstance(metric, MeanScore):
        _check_finite(name, runs, entries, ids)
    unmatched = [Unmatched(why, [ids[k] for k in some]) for why, some in gaps if some]
    if unmatched:
        kept = _kept(len(ids), unmatched, {k for _, some in gaps for k in some}, on_missing)
        ids, *entries = ([column[k] for k in kept] for column in (ids, *entries))
        references = references and [references[k] for k in kept]
        groups = groups and [groups[k] for k in kept]
    _check_groups(groups, ids)
    found = dict(zip(systems, entries, strict=True))
    return Examples(name, ids, found, references, groups, metric, direction, unmatched)


def _places(column: Scores, lacks: Callable[[Any], bool]) -> list[int]:
    """Return the places where a column lacks an entry."""
    if {*map(type, column)} <= _WHOLE:
        return []
    return [k for k, x in enumerate(column) if lacks(x)]


def _check_finite(
    name: str, runs: Sequence[Run], entries: Sequence[Scores], ids: Sequence[Id]
) -> None:
    """Raise InputError, with the ids, if a score is infinite."""
    for run, column in zip(runs, entries, strict=True):
        if any(x in column for x in _INFINITE):
            some = [example for example, x in zip(ids, column, strict=True) if x in _INFINITE]
            why = Parts(f"with an infinite {name} in ", File(run.path))
            remedy = affected([Unmatched(why, some)]), "Score them as wrong."
            raise InputError("scores", must="be finite", remedy=remedy)


def _kept(
    n: int, unmatched: Sequence[Unmatched], lost: set[int], on_missing: OnMissing
) -> list[int]:
    """Return the places of the examples that lack nothing.

    Raises
    ------
    InputError
        If `on_missing` is "error", or no example is left.
    """
    if on_missing == "error":
        other = Parts("Score them, as wrong if they failed, or leave them out, ", DROP)
        raise InputError("not all examples are scored", remedy=(affected(unmatched), other))
    kept = [k for k in range(n) if k not in lost]
    if not kept:
        raise InputError("no example is left", remedy=affected(unmatched))
    return kept


def read_columns(examples: Examples) -> Any:
    """Return the columns of two systems and the references, as the metric reads them.

    Raises
    ------
    InputError
        If the metric refuses them.
    """
    with _as_columns(examples):
        return examples.metric.read((*examples.systems.values(), examples.references))


def _as_columns(examples: Examples) -> AbstractContextManager[None]:
    """Call the predictions in messages the columns of their systems."""
    words = (f"the column of {x}" for x in examples.systems)
    return called(dict(zip(COLUMNS[:2], words, strict=True)))


def compare_examples(
    examples: Examples, *, groups: Any = None, columns: Any = None, **options: Any
) -> Any:
    """Compare two systems as `pairedperm.compare` does; `to_dict` of the result has an interval.

    `columns` are those of `read_columns`, if they have been read.

    Raises
    ------
    InputError
        If there are not two systems, `groups` is no mapping from all ids, or `pairedperm.compare`
        refuses the arguments.
    """
    if len(examples.systems) != 2:
        what = f"a comparison takes two runs, but there are {len(examples.systems)}"
        raise InputError(what, remedy="use `leaderboard`")
    groups = _by_id(groups, examples)
    of_metric, of_test = split_call(options)
    with _as_columns(examples):
        chosen, metric = read_options(**of_test), read_metric(examples.metric, **of_metric)
        columns = read_columns(examples) if columns is None else columns
        found = compare_columns(metric, columns, groups, chosen)
    return with_interval(found) if isinstance(found, PairedPermutationResult) else found


def flips(examples: Examples, columns: Any = None) -> tuple[tuple[Id, ...], tuple[Id, ...]] | None:
    """Return the ids on which the first system is better, and those on which the second is.

    `columns` are those of `read_columns`, if they have been read. Return None if an example has
    several predictions (repeated runs).
    """
    metric = examples.metric
    rows = metric.rows_in_order(read_columns(examples) if columns is None else columns)
    if rows.n != len(examples.ids):
        return None
    alone = rows.having(groups=np.arange(rows.n))  # one group per row keeps equal rows apart
    signs = leads(*simplified(alone, metric.score(rows), "draws"), metric)
    for_first, for_second = (
        tuple(x for x, sign in zip(examples.ids, signs.tolist(), strict=True) if sign == wanted)
        for wanted in (1, -1)
    )
    return for_first, for_second


def leaderboard_of(examples: Examples, *, groups: Any = None, **options: Any) -> Leaderboard:
    """Compare all systems by `pairedperm.compare_many`.

    Raises
    ------
    InputError
        If `groups` is no mapping from all ids, or `pairedperm.compare_many` refuses the arguments.
    """
    words = {Name("systems", (x,)): f"the column of {x}" for x in examples.systems}
    groups = _by_id(groups, examples)
    with called(words):
        return compare_many(
            examples.systems, examples.references, examples.metric, groups=groups, **options
        )


def warn_of_doubts(examples: Examples) -> None:
    """Warn where the log's tool reports another number than the score that is compared."""
    for doubt in examples.doubts:
        warn(doubt)


def _first_given(runs: Sequence[Run], orders: Sequence[list[int]], key: str) -> list[Any] | None:
    """Return a column that is the same in all runs, in the order of the ids.

    The first run that has it gives it; later runs fill its missing entries.
    """
    found: list[Any] | None = None
    for run, order in zip(runs, orders, strict=True):
        column = getattr(run, key)
        if column is None:
            continue
        placed = [column[k] for k in order]
        if found is None:
            found = placed
        elif any(map(is_missing, found)):
            found = [y if is_missing(x) else x for x, y in zip(found, placed, strict=True)]
    return found


def _by_id(groups: Any, examples: Examples) -> list[Any] | None:
    """Return the group of each example, by the caller's mapping or as the runs say.

    Raises
    ------
    InputError
        If `groups` is no mapping, or an example has no group.
    """
    if groups is None:
        return examples.groups
    if not isinstance(groups, Mapping):
        what = "be a dict from the id of each example to its group"
        why = "because examples are matched by id"
        raise InputError(Name("groups"), must=f"{what}, {why}", got=describe(groups))
    found = [groups.get(x) for x in examples.ids]
    _check_groups(found, examples.ids)
    return found


def _check_groups(groups: Sequence[Any] | None, ids: Sequence[Id]) -> None:
    """Raise InputError, with the ids, if an example has no group."""
    if groups is None:
        return
    lacking = [x for x, group in zip(ids, groups, strict=True) if is_missing(group)]
    if lacking:
        remedy = "Give an example without a group one of its own."
        raise InputError(Unmatched("ids have no group", lacking).in_short, remedy=remedy)
