"""Rows put together: of systems or parts of a corpus in one unit, and of groups of examples.

A group, such as the runs of an item, is swapped or drawn as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError, NoLatticeError, shown
from pairedperm.inputs.columns import check_one_type, read_ids, same_text_in_two_forms
from pairedperm.inputs.labels import COLUMNS, Labels, check_not_one_hot, numbers_of, one_hot
from pairedperm.inputs.lattice import (
    LIMITS,
    are_widened,
    common_unit,
    float_limit,
    on_lattice,
    scaled,
)
from pairedperm.inputs.numbers import largest_score
from pairedperm.scoring.rows import Provenance, Rows, check_total
from pairedperm.scoring.scores import Mean, Ratio, Score, group_sums, simplified
from pairedperm.scoring.vocabulary import to_check_in_all

NOTHING = Rows(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)).distinct()


def rows_of_scores(
    name1: str, scores1: NDArray[Any], name2: str, scores2: NDArray[Any], start: int = 0
) -> Rows:
    """Return rows of columns that `read_scores` gave: integers of one unit, or floats.

    Raises
    ------
    InputError
        If there are floats, and an integer is too large to be an exact float.
    """
    try:
        whole1, whole2, unit = on_lattice(name1, scores1, name2, scores2, start)
    except NoLatticeError as error:
        return of_floats(name1, scores1, name2, scores2, error.fact)
    limit = max(float_limit(scores1), float_limit(scores2))
    return Rows(whole1, whole2, unit=unit).noting(float_limit=limit)


def check_range(
    name: str, scores: NDArray[Any], score_range: tuple[float, float], unit: int = 1
) -> None:
    """Raise InputError for a score outside of the range that is known; scores are in 1 / unit."""
    low, high = score_range
    values, near = scores / unit, near_ends(score_range)
    is_outside = (values < low - near) | (values > high + near)
    if is_outside.any():
        score = float(values[int(is_outside.argmax())])
        raise InputError(
            "score_range",
            must=f"hold all scores; it is {low:g} to {high:g}",
            got=f"a score of {shown(score)} in `{name}`",
            remedy="Give the range of the scores' scale, not that of these scores",
        )


def near_ends(score_range: tuple[float, float]) -> float:
    """Return how far from an end of a range a number may be that is read as it: 0.1 + 0.2 is 0.3.

    Floats stand for decimals of up to 13 digits.
    """
    return 1e-13 * max(map(abs, score_range))


def of_floats(name1: str, rows1: NDArray[Any], name2: str, rows2: NDArray[Any], fact: str) -> Rows:
    """Return rows of floats that lie on no lattice; `fact` says why.

    Raises
    ------
    InputError
        If an integer is too large to be an exact float.
    """
    rounding = max(two_ulps(rows1), two_ulps(rows2))
    floats = float_column(name1, rows1), float_column(name2, rows2)
    return Rows(*floats).noting(no_lattice=fact, rounding=rounding, float_limit=math.inf)


def two_ulps(scores: NDArray[Any]) -> float:
    """Return two units of a score's last bit, relatively: what a step or two may leave it off by.

    1 / 3 is within half of such a unit; 0.1 + 0.2 is the float after 0.3. Numbers that were widened
    have the unit of float32.
    """
    if scores.dtype == object:
        return 2.0**-53
    if scores.dtype.kind != "f":
        return 0.0
    is_widened = scores.dtype == np.float64 and are_widened(scores)
    return 2.0 * float(np.finfo(np.float32 if is_widened else scores.dtype).eps)


def float_column(name: str, scores: NDArray[Any]) -> NDArray[np.float64]:
    """Return the scores as float64; narrow floats are read as the decimals that they print.

    Raises
    ------
    InputError
        If an integer is no exact float.
    """
    if scores.dtype in (np.float16, np.float32):
        return scores.astype(str).astype(np.float64)
    floats = scores.astype(np.float64)
    if scores.dtype.kind in "iu" and (np.abs(floats) >= 2.0**53).any():
        at, value = largest_score(name, scores, np.abs(floats))
        raise InputError(
            f"{at} is {value}, and other scores are floats",
            remedy="a float is an exact integer only below 2^53. Divide by a common unit, or "
            "round the floats to fewer digits",
        )
    return floats


def narrow_type(limit: float) -> Any:
    """Return the type of floats that have a limit of `LIMITS`; float64 for others."""
    sizes = {limit: size for size, (limit, _) in LIMITS.items()}
    return np.dtype(f"f{sizes.get(limit, 8)}")


def merged(parts: Sequence[Rows], fact: str = "") -> Rows:
    """Return the counted rows of all parts together.

    A part that lacks a class has no labels of that class. All numbers become floats if some part,
    or all parts together, lie on no lattice. `fact`, if given, is the reason for floats.
    """
    filled = [part for part in parts if part.n]
    fact = fact or why_floats(filled)
    if len(filled) < 2 and (not filled or filled[0].no_lattice or not fact):
        return filled[0] if filled else parts[0]
    if not fact:
        try:
            return sum_of_parts([part.counted() for part in filled])
        except NoLatticeError as error:
            fact = error.fact
    floats = [as_floats(part, fact) for part in filled]
    one, two = (np.concatenate([getattr(x, name) for x in floats]) for name in ("rows1", "rows2"))
    rounding = max(x.provenance.rounding for x in floats)
    return floats[0].having(rows1=one, rows2=two).noting(rounding=rounding)


def as_floats(part: Rows, fact: str) -> Rows:
    """Return the same numbers as floats on no lattice, a row for each example; `fact` says why."""
    one, two = _floats(COLUMNS[0], part.rows1, part), _floats(COLUMNS[1], part.rows2, part)
    rounding = part.provenance.rounding or 2.0**-53
    rows = Rows(one, two, groups=part.groups)
    return rows.noting(no_lattice=fact, rounding=rounding, float_limit=math.inf)


def _floats(name: str, rows: NDArray[Any], part: Rows) -> NDArray[np.float64]:
    """Return one system's rows as floats, one per example; each number is rounded once."""
    if part.no_lattice or part.unit == 1:
        floats = float_column(name, rows)
    elif np.abs(rows).max(initial=0) < 2**53:
        narrow = narrow_type(part.provenance.float_limit)
        floats = float_column(name, (rows / float(part.unit)).astype(narrow))
    else:
        flat = [number / part.unit for number in rows.reshape(-1).tolist()]
        floats = np.array(flat).reshape(rows.shape)
    return np.repeat(floats, part.how_often, axis=0)


def sum_of_parts(parts: Sequence[Rows]) -> Rows:
    """Return the counted rows of all parts together; there must be at least one part.

    Raises
    ------
    InputError
        If the parts do not fit each other; `PairedCounts.__add__` has the reasons.
    """
    shaped = [x for x in parts if x.n or x.rows1.ndim == 2 or x.provenance.metric]  # no empty lists
    first = shaped[0] if shaped else parts[0]
    if len(shaped) < 2:
        return first
    facts = of_all([part.provenance for part in shaped])
    if why_floats(shaped):
        raise InputError(
            "cannot add counts of scores that lie on no lattice",
            remedy="Compare the scores of all parts in one call",
        )
    shaped = [part.spread_to(facts.classes) for part in shaped]
    other = next((x for x in shaped if x.rows1.shape[1:] != shaped[0].rows1.shape[1:]), None)
    if other is not None:
        raise InputError(
            "cannot add paired counts of different shapes: one was made of columns of shape "
            f"{shaped[0].shape}, the other of {other.shape}",
            remedy="Count the same numbers of every example in all parts",
        )
    if len({part.sizes is None for part in shaped}) > 1:
        raise InputError(
            "cannot add counts of groups to counts without groups",
            remedy="Give the groups of all parts, or of none",
        )
    shaped = in_common_unit("the parts", shaped)
    check_total([part.n for part in shaped])
    names = ["rows1", "rows2", *(["sizes"] if first.sizes is not None else [])]
    columns = {x: np.concatenate([getattr(part, x) for part in shaped]) for x in names}
    how_often = np.concatenate([part.how_often for part in shaped])
    rows = Rows(**columns, multiplicities=how_often, unit=shaped[0].unit, provenance=facts)
    return rows.in_least_unit().distinct()


def of_all(parts: Sequence[Provenance]) -> Provenance:
    """Return the provenance of all parts of a corpus together.

    Raises
    ------
    InputError
        If the parts differ in metric, options or type of labels, or if classes are numbered.
    """
    first = parts[0]
    for other in parts[1:]:
        if (other.metric, other.metric_options) != (first.metric, first.metric_options):
            raise InputError(
                f"cannot add counts of different metrics: one is of {first.call}, another of "
                f"{other.call}",
                remedy="Count all parts under the same metric, with the same options",
            )
    of_labels = {part.kind for part in parts if part.kind is not None}
    if len(of_labels) > 1:
        raise InputError(
            f"cannot add counts of labels of different types: some parts have {min(of_labels)}, "
            f"others {max(of_labels)}",
            remedy="Give the labels of all parts in one type",
        )
    if not all(part.is_labelled for part in parts):
        raise InputError(
            "cannot add counts whose classes are numbered: their labels were left out, so classes "
            "cannot be matched",
            remedy="Add counts with labels, as `to_json()` writes them",
        )
    labels = [label for part in parts for label in part.classes]
    kinds = {type(y) for x in labels for y in (x if isinstance(x, tuple) else (x,))}
    if len(kinds) > 1:
        names = sorted(kind.__name__ for kind in kinds)
        raise InputError(
            f"cannot add counts of classes of different types: some parts have {names[0]}, others "
            f"{names[1]}",
            remedy="Give the labels of all parts in one type",
        )
    are_by_id = all(part.paired_by == "id" for part in parts)
    return replace(
        first,
        kind=next(iter(of_labels), None),
        paired_by="id" if are_by_id else "position",
        classes=all_classes([part.classes for part in parts]),
        n_ignored=sum(part.n_ignored for part in parts),
        to_check=to_check_in_all([part.to_check for part in parts]),
    )


def all_classes(several: Sequence[tuple[Hashable, ...]]) -> tuple[Hashable, ...]:
    """Return the classes of all parts: as they are if all parts have the same, otherwise sorted."""
    if all(classes == several[0] for classes in several):
        return several[0]
    return tuple(sorted({label for classes in several for label in classes}))  # type: ignore[type-var]


def why_floats(parts: Iterable[Rows]) -> str:
    """Return why the numbers of some part are floats; "" if no part has any."""
    return next((part.no_lattice for part in parts if part.no_lattice), "")


def in_common_unit(what: str, parts: Sequence[Rows]) -> list[Rows]:
    """Return parts in one unit; `what` names them in messages.

    Raises
    ------
    NoLatticeError
        If there is none up to 2^40, or numbers in it leave int64.
    """
    unit = common_unit(what, [part.unit for part in parts])
    in_unit = []
    for part in parts:
        factor = unit // part.unit
        one, two = (scaled(x, getattr(part, x), factor) for x in ("rows1", "rows2"))
        in_unit.append(part.having(rows1=one, rows2=two, unit=unit) if factor > 1 else part)
    return in_unit


def read_groups(groups: Any) -> IntArray:
    """Return the group number of each example, in the order in which groups first occur."""
    return numbers_of(read_group_ids(groups), {})


_FOR_GROUPS = "Give an example that is alone an id of its own."


def read_group_ids(
    groups: Any, argument: str = "groups", remedy: str = _FOR_GROUPS
) -> list[int | str]:
    """Return the group id of each example; examples of one group have the same id.

    Raises
    ------
    InputError
        If an id is missing, or is not an integer or a string. If some are integers and others
        strings, or one text occurs in two Unicode forms: such groups would count as two.
    """
    ids = read_ids(argument, groups, remedy)
    check_one_type([f"`{argument}`"], [ids])
    if in_two_forms := same_text_in_two_forms([ids]):
        raise InputError(argument, f"has ids of which {in_two_forms}")
    return ids


def kept_in_order(
    columns: Sequence[Any], groups: Any, *, are_runs: bool
) -> tuple[list[Any], IntArray | None]:
    """Return columns whose examples stay in their order, and the group number of each example.

    Runs of an item become examples, and the item is their group.
    """
    numbers = None if groups is None else read_groups(groups)
    if are_runs:
        columns, numbers = _flat(columns, numbers)
    return [replace(x, in_order=True) if isinstance(x, Labels) else x for x in columns], numbers


def grouped(rows: Rows, groups: Any) -> Rows:
    """Return rows in the order of the examples, with the group of each.

    Raises
    ------
    InputError
        If there is not one group id for each example.
    """
    return with_groups(rows, read_groups(groups))


def with_groups(rows: Rows, numbers: IntArray | None) -> Rows:
    """Return rows in the order of the examples, with the group number of each, if there are any."""
    assert rows.multiplicities is None
    _check_groups(numbers, rows.n)
    return rows.having(groups=numbers)


def _check_groups(numbers: IntArray | None, n: int) -> None:
    """Raise InputError if there are groups, but not one for each example."""
    if numbers is not None and numbers.size != n:
        has = f"it has {numbers.size:,} for {n:,} examples"
        raise InputError("groups", must="have an id for each example", remedy=has)


def _flat(columns: Sequence[Any], groups: IntArray | None) -> tuple[Sequence[Any], IntArray]:
    """Return columns with one example per run, and each run's group: its item, or its item's group.

    Raises
    ------
    InputError
        If the systems differ in their numbers of runs, or an item has no run. If the number of
        items does not fit the references or the groups. If the rows are one-hot.
    """
    one, two, references = columns
    for predictions in (one, two):
        if predictions.n != references.n:
            raise InputError(
                f"`{predictions.name}` has runs of {predictions.n} items and `references` has "
                f"{references.n} labels",
                remedy="each item needs one label",
            )
    check_runs(one.lengths, two.lengths, one.start)
    _check_groups(groups, references.n)
    runs = np.asarray(one.lengths)
    if not runs.all():
        index = one.start + int((runs == 0).argmax())
        where = f"`predictions1`[{index}]"
        raise InputError(f"{where} is empty", remedy="an item needs at least one run")
    k = one_hot(columns)
    flatten = (
        f"flatten them, np.ravel(...), beside np.repeat(references, {k}) and "
        f"groups=np.repeat(np.arange(n), {k}), all in one call"
    )
    as_runs = f"If they are {k} runs of each item, {flatten}"
    check_not_one_hot([one.name, two.name], k, references.n, as_runs)
    items = np.arange(runs.size) if groups is None else groups
    flat = np.repeat(np.arange(runs.size), runs)
    right = references.flat
    kept = [right[k] for k in flat.tolist()] if isinstance(right, list) else right[flat]
    columns = (
        replace(one, lengths=None),
        replace(two, lengths=None),
        replace(references, flat=kept),
    )
    return columns, items[flat]


def check_runs(runs1: Any, runs2: Any, start: int = 0) -> None:
    """Raise InputError unless both systems have the same number of runs of each item."""
    if np.array_equal(runs1, runs2):
        return
    index = int((np.asarray(runs1) != np.asarray(runs2)).argmax())
    raise InputError(
        "predictions1",
        f"[{start + index}] has {runs1[index]} runs and `predictions2`[{start + index}] has "
        f"{runs2[index]}",
        remedy="give both systems the same number of runs of an item. The runs of an item are "
        "swapped together",
    )


def drawn(rows: Rows, score: Score) -> tuple[Rows, Score]:
    """Return the counted form for draws: the order of examples and groups does not matter."""
    if rows.groups is not None and isinstance(score, Ratio) and not rows.no_lattice:
        rows = summed(rows)  # the systems' denominators may be the same only then
    simple_rows, simple = simplified(rows.counted(), score, "draws")
    return (simple_rows, simple) if rows.groups is None else _in_one_order(simple_rows, simple)


def _in_one_order(rows: Rows, simple: Score) -> tuple[Rows, Score]:
    """Count the groups' sums, so that the order of the examples does not matter."""
    if rows.multiplicities is not None or rows.no_lattice:
        return rows, simple
    sizes = simple.sizes if isinstance(simple, Mean) else None
    counted = rows.having(sizes=sizes).distinct()
    if isinstance(simple, Mean):
        simple = replace(simple, sizes=counted.sizes)
    return counted.having(sizes=None), simple


def summed(rows: Rows) -> Rows:
    """Return the sums of integer rows over each group, and the number of its examples.

    Raises
    ------
    InputError
        If the sums exceed int64.
    """
    assert rows.groups is not None
    one, two = (group_sums(x, rows.groups) for x in (rows.rows1, rows.rows2))
    return rows.having(rows1=one, rows2=two, groups=None, sizes=np.bincount(rows.groups))
