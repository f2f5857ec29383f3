"""A file of numbers: its lines, its numbers, and two such files as arrays of one type."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as short
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Words, describe, printable
from pairedperm.inputs.files import check_regular, why
from pairedperm.readers.log_file import error_of

Columns = NDArray[Any]
PathLike = str | os.PathLike[str]
Row = list[int | float]
_EXACT = 2**53  # proof: floats are exact integers up to it
IS_NUMBER = re.compile(r"[+-]?((\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|nan|inf(inity)?)", re.I | re.A)


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """The lines of a file, without blank lines at its end.

    `name` is the argument that gave the file, `path` the path as messages show it.
    """

    name: str
    path: str
    lines: list[str]

    @classmethod
    def of(cls, name: str, path: Any) -> ScoreFile:
        """Read the file whose path was given as the argument `name`."""
        if not (isinstance(path, (str, os.PathLike)) and isinstance(os.fspath(path), str)):
            raise InputError(
                Name(name),
                must="be a path, str or os.PathLike",
                got=describe(path),
                remedy="Name a file.",
            )
        file = cls(name, printable(os.fspath(path)), [])
        try:
            check_regular(Path(path))
            text = Path(path).read_text(encoding="utf-8-sig")
        except (OSError, ValueError) as error:  # a ValueError: null bytes in the path, or no UTF-8
            remedy = "Give the path of UTF-8 text."
            raise file.error(f"cannot be read: {why(error)}", remedy=remedy) from error
        if not text.strip():
            raise file.error("is empty", remedy="at least one example is needed")
        file.lines.extend(text.split("\n")[: text.rstrip().count("\n") + 1])
        return file

    def error(self, *what: Words, line: int | None = None, **facts: Any) -> InputError:
        """Return an error that says what is wrong with the file or one of its lines."""
        of_line = f", line {line}: " if line else " "
        return error_of(self.name, self.path, of_line, *what, **facts)

    def number(self, field: str, line: int, remedy: Words) -> int | float:
        """Return the number that a field spells, as an integer if it is whole."""
        if not IS_NUMBER.fullmatch(field):
            has_comma = IS_NUMBER.fullmatch(field.replace(",", ".", 1))
            hint = "write a decimal point, not a comma" if has_comma else ""
            raise self.error(f"{short(field)} is no number", line=line, remedy=(hint, remedy))
        if (digits := field.lstrip("+-")).isdigit():
            # 20 digits exceed int64 already; Python refuses to read thousands of digits
            whole = int(digits.lstrip("0")[:20] or "0") * (-1 if field[0] == "-" else 1)
            if -(2**63) <= whole < 2**63:
                return whole
            what = f"{short(field)} is an integer beyond int64"
            raise self.error(what, line=line, remedy="Divide by a unit.")
        value = float(field)
        if not math.isfinite(value):
            what = f"{short(field)} is no finite number"
            raise self.error(what, line=line, remedy="Score it, or drop it.")
        return int(value) if value.is_integer() and abs(value) < _EXACT else value

    def table(self, fields: list[list[str]], remedy: Words, *, skip: int = 0) -> list[Row]:
        """Return the numbers of the lines' fields, without the first `skip` lines."""
        width = len(fields[0])
        for line, row in enumerate(fields, 1):
            if len(row) != width or not any(row):
                what = f"has {len(row)} columns, line 1 has {width}" if any(row) else "is blank"
                raise self.error(what, line=line, remedy=remedy)
        if len(fields) == skip:
            raise self.error("has no numbers", remedy=remedy)
        lines = enumerate(fields[skip:], skip + 1)
        return [[self.number(field, line, remedy) for field in row] for line, row in lines]


def as_arrays(
    file1: ScoreFile, rows1: list[Row], file2: ScoreFile, rows2: list[Row]
) -> tuple[Columns, Columns]:
    """Return arrays (n, m), or (n,) if m = 1: int64 if all numbers of both are integers."""
    is_whole = all(isinstance(x, int) for row in (*rows1, *rows2) for x in row)
    for file, rows in ((file1, rows1), (file2, rows2)):
        largest = max((x for row in rows for x in row if isinstance(x, int)), key=abs, default=0)
        if not is_whole and abs(largest) > _EXACT:
            what = f"has {largest} among decimals, which is no exact float"
            raise file.error(what, remedy="Divide by a unit.")
    dtype = np.int64 if is_whole else np.float64
    columns1, columns2 = (np.array(rows, dtype=dtype) for rows in (rows1, rows2))
    return (columns1[:, 0], columns2[:, 0]) if columns1.shape[1] == 1 else (columns1, columns2)
