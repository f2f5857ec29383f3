"""Counts of predictions in a Spark DataFrame, made in the cluster."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np

from pairedperm.convolution.integers import largest_entry
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Setting, describe, first_of, printable, shown
from pairedperm.options import ANY_COLUMN
from pairedperm.options.constraints import Whole, reads_options
from pairedperm.readers.sql import COUNT, DistinctTable, count_query, given_columns
from pairedperm.scoring import MetricName
from pairedperm.scoring.arguments import check_adds_up, counts_of
from pairedperm.scoring.call_options import MetricOptions, Unpack, lists_options
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import LARGEST_SUM, check_sums_of_groups

MAX_DISTINCT = 2**20  # tuned: rows that are collected, 0.1 GB with short labels
_NO_KEY = re.compile(r"\b(map|variant|interval|binary|date|timestamp)\b")
_MEAN_SCORE = Setting("metric", "'mean_score'")
_BROADCAST = 2**16  # tuned: rows of a table that is sent whole to each worker
_IDS = ("string", "char", "varchar", "long", "integer", "short", "byte", "bigint", "int")


@lists_options(of=MetricOptions)
@reads_options
def paired_counts(
    df: Any,
    predictions1: str,
    predictions2: str,
    references: str | None = None,
    *,
    metric: MetricName | Metric = "accuracy",
    groups: str | None = None,
    max_distinct: Annotated[int, Whole()] = MAX_DISTINCT,
    **metric_options: Unpack[MetricOptions],
) -> PairedCounts:
    """Count two systems' predictions in the columns of a Spark DataFrame.

    The cluster counts the distinct examples by the ``GROUP BY`` of `readers.sql`. Only the distinct
    rows come to this machine. With groups, the cluster also adds up the rows of each group.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        A stored DataFrame (no stream) of pyspark 4, classic or Connect, with a row per example.
    predictions1, predictions2 : str
        The names of the columns of both systems' predictions: labels, arrays of labels, texts; or
        scores.
    references : str or None
        The name of the column of right answers; None for scores, ``metric="mean_score"``.
    metric, **metric_options
        The same as in `pairedperm.compare`.
    groups : str or None
        The name of a column of ids, integers or strings. Examples of one group are swapped
        together.
    max_distinct : int
        The largest number of distinct rows that may come to this machine, >= 1.

    Returns
    -------
    PairedCounts
        Pass it to `paired_permutation_test` or `paired_bootstrap_test`. Their results equal those
        of `pairedperm.compare` on all rows, to the last bit.

    Raises
    ------
    InputError
        If `df` is no such DataFrame, is empty, or lacks a column. If a column has a wrong type or a
        collation. If entries are missing (the message counts them). If there are more distinct
        rows than `max_distinct`. If scores have more than 13 digits. If the metric is a mean of
        ratios and there are groups. If `df` changes between passes. If `pairedperm.compare` refuses
        the values.

    Notes
    -----
    Cost: one pass over the data. With groups there are three: one to find missing ids, one to count
    the distinct examples, and one to add up their rows of counts for each group.
    """
    metric = read_metric(metric, **metric_options)
    if metric.has_references and references is None:
        how = "name the column of right answers, or compare the means of scores, "
        raise InputError(Name("references"), " is missing", remedy=Parts(how, _MEAN_SCORE))
    if not metric.has_references and references is not None:
        raise InputError(
            Name("references"),
            must="be left out",
            got=shown(references),
            remedy=f"metric {metric.name!r} takes none",
        )
    names = given_columns(predictions1, predictions2, references, groups)
    _check_columns(df, names)
    chosen = df.select(*(f"`{x.replace('`', '``')}`" for x in names.values())).toDF(*names)
    labels = [name for name in names if name != "groups"]
    if groups is not None:
        n_missing = chosen.where("groups IS NULL").count()
        if n_missing:
            what = f": column {shown(groups)} is NULL in {n_missing:,} rows"
            remedy = "Give an example without a group an id of its own"
            raise InputError(Name("groups"), what, remedy=remedy)
    table = _distinct(chosen, labels, max_distinct)
    distinct = DistinctTable(table, {name: names[name] for name in labels})
    if groups is None:
        return distinct.counts(metric)
    rows = distinct.rows(metric)
    check_adds_up(metric, rows)
    largest = max(largest_entry(rows.rows1), largest_entry(rows.rows2))
    if distinct.n * largest >= LARGEST_SUM:
        sizes = chosen.groupBy("groups").count()
        most = sizes.agg({"count": "max"}).collect()[0][0]
        check_sums_of_groups("there may be", most, largest)
    summed = _summed(chosen, table, labels, rows, max_distinct)
    n = distinct.n if rows.sizes is None else int(distinct.how_often @ rows.sizes)
    if summed.n != n:
        first = f"first {n:,}, then {summed.n:,} in groups"
        raise InputError(
            Name("df"),
            f" has other rows each time that it is computed: {first}",
            remedy="Write it, or cache it, before it is counted",
        )
    return counts_of(summed, metric)


def _check_columns(df: Any, names: Mapping[str, str]) -> None:
    """Raise InputError unless `df` is a DataFrame with these columns, which can be grouped."""
    if not all(hasattr(df, name) for name in ("groupBy", "toArrow", "sparkSession")):
        raise InputError(Name("df"), must="be a DataFrame of pyspark 4", got=describe(df))
    if df.isStreaming:
        remedy = "count a DataFrame that is stored"
        raise InputError(Name("df"), " is a stream, which has no end", remedy=remedy)
    there = list(df.columns)
    for key, name in names.items():
        ANY_COLUMN.read(key, name)
        n_like = sum(x.casefold() == name.casefold() for x in there)
        if name not in there or n_like > 1:
            what = "several columns are called" if n_like > 1 else "there is no column"
            remedy = f"The columns are {first_of([*map(shown, there)])}"
            raise InputError(Name(key), f": {what} {shown(name)}", remedy=remedy)
        kind = df.schema[name].dataType.typeName()
        described = df.schema[name].dataType.simpleString()
        if _NO_KEY.search(described):
            what = f": column {shown(name)} is of type {printable(described, 60)}"
            hint = "Labels are integers, booleans or strings; scores are numbers"
            raise InputError(Name(key), what, remedy=(hint, "Convert the column"))
        if " collate " in described.lower():
            what = f": column {shown(name)} has a collation, "
            what += "under which different texts may be equal"
            raise InputError(Name(key), what, remedy="Use collate(column, 'UTF8_BINARY')")
        if key == "groups" and kind not in _IDS:
            what = f"column {shown(name)} is of type {kind}"
            raise InputError(Name(key), must="be ids, integers or strings", remedy=what)


def _distinct(chosen: Any, keys: Sequence[str], most: int) -> Any:
    """Return the distinct rows, and how often each occurs, as an Arrow table.

    Raises
    ------
    InputError
        If there are more distinct rows than `most`.
    """
    text = count_query("{chosen}", dict(zip(keys, keys, strict=True)), "`")
    limited = chosen.sparkSession.sql(f"{text}\nLIMIT {most + 1}", chosen=chosen)
    table = limited.toArrow()
    if table.num_rows > most:
        how = "Score each row in the cluster, such as 1 for right and 0 for wrong, and compare the "
        raise InputError(
            f"there are more than {most:,} distinct rows, the limit ",
            Name("max_distinct"),
            remedy=(Parts(how, "scores, ", _MEAN_SCORE), "Or raise the limit"),
        )
    return table


def _summed(chosen: Any, table: Any, labels: Sequence[str], rows: Rows, most: int) -> Rows:
    """Add up the rows of each group in the cluster, and count the distinct sums."""
    import pyarrow as pa

    one, two = rows.tables
    sizes = np.ones(len(one), dtype=np.int64) if rows.sizes is None else rows.sizes
    numbers = np.column_stack((one, two, sizes)).astype(np.int64)
    columns = [f"x{k}" for k in range(numbers.shape[1])]
    parts = [pa.array(column) for column in numbers.T.copy()]
    joined = pa.table([*(table[name] for name in labels), *parts], names=[*labels, *columns])
    small = chosen.sparkSession.createDataFrame(joined)
    if len(numbers) <= _BROADCAST:
        small = small.hint("broadcast")
    sums = chosen.join(small, [*labels]).groupBy("groups").sum(*columns)
    counts_of_sums = _distinct(sums.toDF("groups", *columns), columns, most)
    values = np.column_stack([np.asarray(counts_of_sums[name], dtype=np.int64) for name in columns])
    width = one.shape[1]
    sums1, sums2 = values[:, :width], values[:, width : 2 * width]
    if rows.rows1.ndim == 1:
        sums1, sums2 = sums1[:, 0], sums2[:, 0]
    how_often = np.asarray(counts_of_sums[COUNT], dtype=np.int64)
    of_groups = rows.having(rows1=sums1, rows2=sums2, sizes=values[:, -1])
    return of_groups.having(multiplicities=how_often).distinct()
