"""Read the arguments of the tests of counts as rows and the score of their sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError, NoLatticeError
from pairedperm.errors.wording import Advice, Name, Parts, Python, Setting, Words, describe
from pairedperm.inputs.ids import warn_of_repeats
from pairedperm.inputs.lattice import are_widened, float_limit, on_lattice
from pairedperm.inputs.numbers import read_pair
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.function import Function, Statistic
from pairedperm.scoring.groups import grouped
from pairedperm.scoring.merging import float_column
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.metric_counts import read_counts
from pairedperm.scoring.ratio import Ratio
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score

ScoreArgument = Ratio | Callable[[NDArray[np.float64]], Any]
_LONG = 2**15  # tuned: scores; it takes less time to copy fewer than to count them
_NEEDS_SCORE = Python(
    "For rows of counts say what the score is: score=Ratio(numerator, denominator), or a function "
    "of their sums. For several runs of an item give each run a score, and the item as group: "
    "groups=np.repeat(np.arange(n), runs).",
    Advice(
        "For several runs of an item write the score of each run in a row with an id of its own, "
        "and name a column of groups, ",
        Setting("groups", "…"),
    ),
)


def read_rows(
    counts1: Any, counts2: Any, score: ScoreArgument | None, groups: Any = None
) -> tuple[Rows, Score]:
    """Return the rows and the score that the arguments of `paired_permutation_test` mean.

    Raises
    ------
    InputError
        If `paired_permutation_test` refuses the arguments.
    """
    return read_arguments(counts1, counts2, score, groups)[:2]


def read_arguments(
    counts1: Any, counts2: Any, score: ScoreArgument | None, groups: Any = None
) -> tuple[Rows, Score, Metric | None]:
    """Return rows, score and metric from the arguments of `paired_permutation_test`.

    The metric is None unless `counts1` is a PairedCounts that knows its metric.

    Raises
    ------
    InputError
        If `paired_permutation_test` refuses the arguments.
    """
    meant = read_score(score)
    if isinstance(counts1, PairedCounts):
        _check_alone(counts1, counts2, score, groups)
        rows, own, metric = read_counts("counts1", counts1)
        return rows, own if score is None else meant, metric
    if groups is None:
        warn_of_repeats("counts1", counts1)
    rows = columns_in_order(counts1, counts2, score)
    rows = _counted_if_few(rows, score) if groups is None else grouped(rows, groups)
    return rows, meant, None


def read_score(score: Any) -> Score:
    """Return the score that the argument `score` means.

    Raises
    ------
    InputError
        If it is no Ratio, function or None.
    """
    if score is None:
        return Mean()
    if isinstance(score, Ratio):
        return score
    if callable(score):
        return Function(score)
    raise InputError(
        Name("score"),
        must="be a pairedperm.Ratio, a function of column sums (…, m) → (…), or None for the mean",
        got=describe(score),
    )


def _check_alone(
    counts: PairedCounts, counts2: Any, score: ScoreArgument | None, groups: Any
) -> None:
    """Raise InputError for arguments that counts do not need, and for rows without a score."""
    if counts2 is not None:
        raise InputError(
            Name("counts2"),
            must=Parts("be left out where ", Name("counts1"), " is a PairedCounts"),
            remedy="it holds both systems' counts",
        )
    if groups is not None:
        which = " is a PairedCounts, which does not tell its examples apart"
        raise InputError(
            Name("groups"),
            must=Parts("be left out where ", Name("counts1"), which),
            remedy="Count a row for each group: the sums of its examples",
        )
    if counts.n == 0:
        raise InputError(
            Name("counts1"), " is an empty PairedCounts", remedy="at least one example is needed"
        )
    if counts.metric is not None and score is not None:
        known = Parts(Name("counts1"), " knows its metric, ", counts.provenance.call)
        raise InputError(Name("score"), must=Parts("be left out where ", known))
    if counts.rows1.ndim != 1 and score is None and counts.metric is None:
        ratio = Setting("score", "Ratio(numerator, denominator)")
        others = " or a function of their sums, or count only the column that is compared"
        raise InputError(
            Name("counts1"),
            must="count one number per example, shape (n,)",
            got=repr(counts),
            remedy=("rows have no score of their own", Parts("Pass one, ", ratio, others)),
        )


def columns_in_order(
    counts1: Any,
    counts2: Any,
    score: ScoreArgument | None,
    names: Sequence[str] = ("counts1", "counts2"),
    start: int = 0,
) -> Rows:
    """Return the rows of two columns with these names, one row for each example.

    Raises
    ------
    InputError
        If `paired_permutation_test` refuses the columns.
    """
    name1, name2 = names
    if counts2 is None:
        remedy = "pass the scores of both systems, or one PairedCounts"
        raise InputError(Name(name2), " is missing", remedy=remedy)
    has_score = score is not None
    needs = "" if has_score else _NEEDS_SCORE
    options: Any = {"rows": score is not None, "remedy": needs, "start": start}
    rows = read_pair(name1, counts1, name2, counts2, **options)
    return rows_of_scores(name1, rows[0], name2, rows[1], start)


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


def _counted_if_few(rows: Rows, score: ScoreArgument | None) -> Rows:
    """Count rows with few distinct pairs, unless an error or a function may need the rows."""
    if rows.no_lattice:
        return rows
    if score is None:
        return rows.counted_if_few() if rows.n >= _LONG else rows
    if not isinstance(score, Ratio) or rows.rows1.ndim == 1 or min(score.denominator) < 0:
        return rows
    few = rows.counted_if_few()
    return few if min(few.rows1.min(), few.rows2.min()) >= 0 else rows


def of_floats(
    name1: str, rows1: NDArray[Any], name2: str, rows2: NDArray[Any], fact: Words
) -> Rows:
    """Return rows of floats that lie on no lattice; `fact` says why.

    Raises
    ------
    InputError
        If an integer is too large to be an exact float.
    """
    rounding = max(two_ulps(rows1), two_ulps(rows2))
    floats = float_column(name1, rows1), float_column(name2, rows2)
    return Rows(*floats).noting(no_lattice=fact, rounding=rounding, float_limit=math.inf)


def read_statistic(
    stay: Any, swap: Any, statistic: Any, groups: Any = None
) -> tuple[Rows, Statistic]:
    """Return rows and statistic from the arguments of `structured_permutation_test`.

    Raises
    ------
    InputError
        If `structured_permutation_test` refuses the arguments, or the rows lie on no lattice.
    """
    for name, rows in (("stay", stay), ("swap", swap)):
        if isinstance(rows, PairedCounts):
            raise InputError(Name(name), must="be a column of rows", got=repr(rows))
    if not callable(statistic):
        what = "be a function of the sums, (…, m) → (…)"
        raise InputError(Name("statistic"), must=what, got=describe(statistic))
    pair = read_pair("stay", stay, "swap", swap, rows=True)
    rows1, rows2, unit = on_lattice("stay", pair[0], "swap", pair[1])
    rows = Rows(rows1, rows2, unit=unit)
    return rows if groups is None else grouped(rows, groups), Statistic(statistic)


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
