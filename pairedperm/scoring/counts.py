"""Paired counts: the distinct pairs of rows with their multiplicities, as users hold them."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np

from pairedperm.errors import InputError, Name
from pairedperm.inputs.lattice import on_lattice
from pairedperm.inputs.numbers import read_pair
from pairedperm.scoring.merging import sum_of_parts
from pairedperm.scoring.pairs import read_multiplicities
from pairedperm.scoring.rows import FIELDS, OLD_PICKLE, Rows
from pairedperm.scoring.stored_rows import (
    FORMAT,
    HEADER,
    TABLE,
    VERSIONS,
    digest_of_counts,
    read_json,
    rows_of_stored,
)
from pairedperm.scoring.vocabulary import ordered


class PairedCounts(Rows):
    """The distinct pairs of two systems' counts per example, and how often each pair occurs.

    A test needs nothing else: a few dozen to a few thousand entries for a million examples. Counts
    of parts of a corpus (shards, batches, processes) can be added. ``a + b`` or ``sum(parts)`` are
    the counts of the whole, with the same bits in any order of adding. Pass counts to
    `paired_permutation_test`. `from_rows` counts numbers. `pairedperm.paired_counts` counts
    predictions; these counts know their metric. `to_json` stores counts.

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

    def __add__(self, other: Any) -> PairedCounts:
        """Return the rows of both parts together, counted.

        Raises
        ------
        InputError
            If the metrics or the shapes of the rows differ. If only one part has groups. If numbers
            in a common unit, or the sums of multiplicities, exceed int64.

        Notes
        -----
        Each group must be in one part: a group in several parts would be counted several times.
        """
        if not isinstance(other, PairedCounts):
            return NotImplemented
        return self.of(sum_of_parts([self, other]))

    def __radd__(self, other: object) -> PairedCounts:
        """Add to 0, since ``sum(parts)`` begins with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

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

    def __reduce__(self) -> tuple[Any, ...]:
        return self._remade, tuple(getattr(self, name) for name in FIELDS)

    @classmethod
    def _remade(cls, *values: Any) -> PairedCounts:
        """Return counts that were pickled."""
        return cls.of(Rows(*values))

    def to_dict(self, *, labels: bool = True) -> dict[str, Any]:
        """Return the counts in builtins, ready for JSON; the keys are the names of the attributes.

        Parameters
        ----------
        labels : bool
            True: the names of classes are included, and labels that show whether predictions and
            references match. Counts of parts need them to be added. False: classes are numbered, so
            that others may see the table. Labels that an option of the metric names stay.

        Returns
        -------
        dict
            Header and table, with their digest under "sha256".
        """
        header = self._header() if labels else self._unlabelled()
        columns = {name: getattr(self, name) for name in TABLE}
        stored = header | {k: x if x is None else x.tolist() for k, x in columns.items()}
        return stored | {"sha256": digest_of_counts(stored)}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> PairedCounts:
        """Return the counts that `to_dict` wrote.

        Raises
        ------
        InputError
            If these are no such counts, have another version, or are damaged.

        Notes
        -----
        The digest shows damage. It is no signature: who alters counts can alter the digest too.
        """
        return cls.of(rows_of_stored(found))

    def to_json(self, *, labels: bool = True) -> str:
        """Return `to_dict` as one line of text; without labels, equal counts give the same text."""
        return json.dumps(self.to_dict(labels=labels), allow_nan=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> PairedCounts:
        """Return the counts that `to_json` wrote.

        Raises
        ------
        InputError
            If the text is not JSON, or `from_dict` refuses it.
        """
        try:
            stored = read_json(text)
        except (ValueError, TypeError, RecursionError) as error:
            raise InputError(Name("counts"), f" must be the text of `to_json`: {error}") from error
        return cls.from_dict(stored)

    @property
    def sha256(self) -> str:
        """The digest, in hexadecimal, of ``to_dict(labels=False)``, which others may see."""
        digest: str = self.to_dict(labels=False)["sha256"]
        return digest

    def _header(self) -> dict[str, Any]:
        facts = self.provenance
        header: dict[str, Any] = {name: getattr(facts, name, None) for name in HEADER}
        header |= {"unit": self.unit // 10**self.decimals, "decimals": self.decimals}
        header["occurring"] = None
        header["metric_options"] = copy.deepcopy(facts.metric_options)
        header["classes"] = [[*x] if isinstance(x, tuple) else x for x in facts.classes]
        if facts.to_check is not None:
            absent, labels, *others = facts.to_check
            columns = [ordered(column) for column in labels]
            header["occurring"] = [ordered(absent), columns, *others]
        if not self.no_lattice:
            return {"format": FORMAT, "version": VERSIONS[0], **header}
        of_floats = {"no_lattice": str(self.no_lattice), "rounding": facts.rounding}
        return {"format": FORMAT, "version": VERSIONS[1], **header, **of_floats}

    def _unlabelled(self) -> dict[str, Any]:
        """Return the header, with numbers in place of the names of classes, in the same order."""
        header = self._header() | {"occurring": None, "kind": None, "paired_by": "position"}
        if self.no_lattice:  # the fact may tell whose score it is
            header["no_lattice"] = "the table holds other numbers than decimals of few digits"
        if header["classes"] and (self.provenance.metric_options or {}).get("labels") is None:
            header["is_labelled"] = False
            flat = {x for y in header["classes"] for x in (y if isinstance(y, list) else [y])}
            number = {x: k for k, x in enumerate(sorted(flat))}
            header["classes"] = [
                [number[x] for x in y] if isinstance(y, list) else number[y]
                for y in header["classes"]
            ]
        return header


def __getattr__(name: str) -> Any:
    if name == "in_one_form":  # of pickles
        raise InputError(OLD_PICKLE)
    raise AttributeError(name)
