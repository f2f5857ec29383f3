"""Score files of art, the CoNLL scorer and paired-perm-test: columns of numbers without ids."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from pairedperm.bootstrap.test import paired_bootstrap_test
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, called, counted
from pairedperm.permutation.test import paired_permutation_test
from pairedperm.readers.art import read_art
from pairedperm.readers.conll import read_conll
from pairedperm.readers.paired_perm_test import read_paired_perm_test
from pairedperm.scoring import aggregators

SCORERS = ("art", "conll", "paired_perm_test")
_OF_ART = {
    "average": (1, None),
    "enum_sum_div_by_denom_sum": (2, aggregators.enum_sum_div_by_denom_sum),
    "f_1": (4, aggregators.f_1),
}


class _Scored(NamedTuple):
    columns1: Any
    columns2: Any
    score: Any


def compare_scorers(
    kind: str, one: str, two: str | None, metric: str | None, test: str, **options: Any
) -> Any:
    """Test two score files, or one with the columns of both systems, and return the result.

    Raises
    ------
    InputError
        If a reader or the test refuses the files.
    """
    with called({"path1": "A", "path2": "B", "path": "A", "delimiter": "delimiter"}):
        found = _read(kind, one, two, metric)
        columns = found.columns1, found.columns2
        if test == "bootstrap":
            return paired_bootstrap_test(*columns, score=found.score, **options)
        return paired_permutation_test(*columns, score=found.score, **options)


def _read(kind: str, one: str, two: str | None, metric: str | None) -> _Scored:
    if kind == "paired_perm_test":
        if two is not None:
            raise click.UsageError("a file of paired-perm-test holds both systems: leave out B.")
        columns = read_paired_perm_test(one)
        is_f1 = columns[0].ndim == 2
        return _Scored(*columns, aggregators.paired_perm_test_f1 if is_f1 else None)
    if two is None:
        raise click.UsageError("Missing argument 'B'.")
    if kind == "conll":
        return _Scored(*read_conll(one, two), aggregators.f_1)
    columns = read_art(one, two)
    width = columns[0].shape[1] if columns[0].ndim == 2 else 1
    names = [name for name, (n, _) in _OF_ART.items() if n == width]
    name = metric or next(iter(names), None)
    if name not in names:
        and_metric = f", and it is {metric!r}" if metric else ""
        raise InputError(
            Name("metric"),
            must=f"be the aggregator of art for 1, 2 or 4 columns: {', '.join(_OF_ART)}",
            remedy=f"The files have {counted(width, 'column')}{and_metric}",
        )
    return _Scored(*columns, _OF_ART[name][1])
