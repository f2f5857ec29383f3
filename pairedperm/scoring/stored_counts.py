"""Counts as JSON and Arrow."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pairedperm.errors import InputError
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.stored_rows import (
    FORMAT,
    HEADER,
    TABLE,
    VERSIONS,
    damaged,
    digest_of_counts,
    read_json,
    rows_of_stored,
)
from pairedperm.wording import Name, describe

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Self


class StoredCounts(Rows):
    """Rows that are stored as a header, and a table of the distinct pairs."""

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
        found = header | {k: x if x is None else x.tolist() for k, x in columns.items()}
        return found | {"sha256": digest_of_counts(found)}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Self:
        """Return the counts that `to_dict` wrote.

        Raises
        ------
        InputError
            If these are no such counts, have another version, or are damaged.

        Notes
        -----
        The digest shows damage. It is no signature: who alters counts can alter the digest too.
        """
        counts: Self = cls._made(rows_of_stored(found))
        return counts

    def to_json(self, *, labels: bool = True) -> str:
        """Return `to_dict` as one line of text; without labels, equal counts give the same text."""
        return json.dumps(self.to_dict(labels=labels), allow_nan=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the counts that `to_json` wrote.

        Raises
        ------
        InputError
            If the text is not JSON, or `from_dict` refuses it.
        """
        try:
            found = read_json(text)
        except (ValueError, TypeError, RecursionError) as error:
            raise InputError(Name("counts"), f" must be the text of `to_json`: {error}") from error
        return cls.from_dict(found)

    @property
    def sha256(self) -> str:
        """The digest, in hexadecimal, of ``to_dict(labels=False)``, which others may see."""
        digest: str = self.to_dict(labels=False)["sha256"]
        return digest

    def to_arrow(self) -> pa.Table:
        """Return a `pyarrow.Table` with a row per distinct pair, and the header in its metadata."""
        import pyarrow as pa

        arrays = {}
        for name in TABLE:
            column = getattr(self, name)
            if column is None:
                continue
            flat = column if column.dtype.kind == "f" else column.astype(np.int64)
            arrays[name] = pa.array(flat.reshape(-1))
            if column.ndim == 2:
                arrays[name] = pa.FixedSizeListArray.from_arrays(arrays[name], column.shape[1])
        digest = self.to_dict()["sha256"]
        header = json.dumps(self._header() | {"sha256": digest})
        return pa.table(arrays).replace_schema_metadata({FORMAT: header})

    @classmethod
    def from_arrow(cls, table: pa.Table) -> Self:
        """Return the counts that `to_arrow` wrote, also as read from a Parquet or an Arrow file.

        Raises
        ------
        InputError
            If the table lacks the metadata of `to_arrow`, or `from_dict` refuses its content.
        """
        metadata = getattr(getattr(table, "schema", None), "metadata", None) or {}
        if (header := metadata.get(FORMAT.encode())) is None:
            must = "be a table of `PairedCounts.to_arrow`, with its metadata"
            raise InputError(Name("counts"), must=must, got=describe(table))
        try:
            found = json.loads(header)
        except ValueError as error:
            raise damaged("metadata", must=f"be JSON: {error}") from error
        names = table.column_names
        columns = {x: table[x].to_pylist() if x in names else None for x in TABLE}
        return cls.from_dict({**found, **columns} if isinstance(found, dict) else found)

    def _header(self) -> dict[str, Any]:
        facts, found = self.provenance, self.provenance.occurring
        header: dict[str, Any] = {name: getattr(facts, name, None) for name in HEADER}
        header |= {"unit": self.unit // 10**self.decimals, "decimals": self.decimals}
        header["occurring"] = None
        header["metric_options"] = copy.deepcopy(facts.metric_options)
        header["classes"] = [[*x] if isinstance(x, tuple) else x for x in facts.classes]
        if found is not None:
            absent, labels, *others = found
            columns = [_ordered(column) for column in labels]
            header["occurring"] = [_ordered(absent), columns, *others]
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


def _ordered(labels: frozenset[Any]) -> list[Any]:
    return sorted(labels, key=lambda x: (isinstance(x, str), x))
