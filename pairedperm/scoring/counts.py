"""Paired counts: the distinct pairs of rows with their multiplicities, as users hold them."""

from __future__ import annotations

import copy
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np

from pairedperm.errors import InputError
from pairedperm.inputs.lattice import on_lattice
from pairedperm.inputs.numbers import read_pair
from pairedperm.scoring.pairs import read_multiplicities
from pairedperm.scoring.rows import FIELDS, OLD_PICKLE, Rows
from pairedperm.scoring.stored_counts import StoredCounts


class PairedCounts(StoredCounts):
    """The distinct pairs of two systems' counts per example, and how often each pair occurs.

    A test needs nothing else: a few dozen to a few thousand entries for a million examples. Counts
    of parts of a corpus (shards, batches, processes) can be added. ``a + b`` or ``sum(parts)`` are
    the counts of the whole, with the same bits in any order of adding. Pass counts to
    `paired_permutation_test`. `from_rows` counts numbers. `pairedperm.paired_counts` counts
    predictions; these counts know their metric. `to_json` and `to_arrow` store counts.

    Parameters
    ----------
    rows1, rows2 : array_like of int, float or Fraction, shape (k,) or (k, m)
        The numbers of system 1 and system 2, in the same order: one number, or a row of m numbers,
        for each pair. Pairs may repeat. Counts without rows can be added, not tested.
    multiplicities : array_like of int, shape (k,)
        How many examples have this pair; not negative.

    Attributes
    ----------
    rows1, rows2 : int64 array, shape (k,) or (k, m)
        The distinct pairs, in ascending order, in units of 1 / `unit`.
    multiplicities : int64 array, shape (k,)
        How many examples, or groups, have each pair; positive.
    unit : int
        The common denominator, as small as possible: 10^`decimals`, or that of fractions.
    decimals : int
        Digits after the point, as few as possible; 0 for integers, and for other fractions.
    sizes : int64 array, shape (k,), or None
        The number of examples of a group, if pairs are sums over groups. Pairs with different sizes
        are distinct. None: each pair is of one example.
    metric : str or None
        The name of the metric that gave the rows; None for bare numbers.
    metric_options : dict or None
        The metric's options as keyword arguments; None if there are none.

    Raises
    ------
    InputError
        If `paired_permutation_test` would refuse the numbers, or the shapes of the columns differ.
        If multiplicities are negative, fractional, not one per row, or above 2^63 - 1 in all.

    Examples
    --------
    >>> from pairedperm import PairedCounts, paired_permutation_test
    >>> monday = PairedCounts.from_rows([1, 1, 1, 0], [0, 0, 0, 0])
    >>> tuesday = PairedCounts([1], [0], multiplicities=[2])
    >>> monday + tuesday
    PairedCounts(n=6, n_distinct=2, shape=(n,))
    >>> paired_permutation_test(monday + tuesday).pvalue
    0.0625
    """

    def __init__(self, rows1: Any, rows2: Any, multiplicities: Any) -> None:
        rows1, rows2 = read_pair("rows1", rows1, "rows2", rows2, rows=True, least=0)
        how_often = read_multiplicities(multiplicities, len(rows1))
        occurs = how_often > 0
        rows1, rows2, unit = on_lattice("rows1", rows1[occurs], "rows2", rows2[occurs])
        self._set(Rows(rows1, rows2, how_often[occurs], unit).distinct())

    @classmethod
    def of(cls, rows: Rows) -> PairedCounts:
        """Return rows without group numbers as counts of their distinct pairs."""
        return cls.__new__(cls)._set(rows.counted())

    _made = of  # what sums of counts, and copies, are

    @classmethod
    def from_rows(cls, counts1: Any, counts2: Any) -> PairedCounts:
        """Count the pairs of two columns with an entry per example.

        Parameters
        ----------
        counts1, counts2 : array_like of int, float or Fraction, shape (n,) or (n, m)
            Lists, arrays, tensors, Series, dataset columns; n may be 0.

        Raises
        ------
        InputError
            If the constructor would refuse the columns.

        Notes
        -----
        Cost: O(n m) if few distinct values occur, otherwise O(n m log n).
        """
        rows1, rows2 = read_pair("counts1", counts1, "counts2", counts2, rows=True, least=0)
        rows1, rows2, unit = on_lattice("counts1", rows1, "counts2", rows2)
        return cls.of(Rows(rows1, rows2, unit=unit))

    def _set(self, rows: Rows) -> PairedCounts:
        """Take over the attributes, and make arrays read-only."""
        for name in FIELDS:
            value = getattr(rows, name)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, value)
        return self

    @property
    def metric(self) -> str | None:
        """The name of the metric; None for bare numbers."""
        return self.provenance.metric

    @property
    def metric_options(self) -> dict[str, Any] | None:
        """The metric's options as keyword arguments; None if there are none."""
        return copy.deepcopy(self.provenance.metric_options)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to {name!r} of counts")

    def __eq__(self, other: object) -> bool:
        """Compare the pairs, how often each occurs, and the metric."""
        if not isinstance(other, PairedCounts):
            return NotImplemented
        return all(np.array_equal(getattr(self, x), getattr(other, x)) for x in FIELDS[:-1]) and (
            self.provenance == other.provenance
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        metric = "" if self.metric is None else f", metric={self.metric!r}"
        groups = "" if self.n_groups is None else f", n_groups={self.n_groups}"
        return (
            f"{type(self).__name__}(n={self.n}{groups}, n_distinct={len(self.rows1)}, "
            f"shape={self.shape}{metric})"
        )


def __getattr__(name: str) -> Any:
    if name == "in_one_form":  # of pickles
        raise InputError(OLD_PICKLE)
    raise AttributeError(name)
