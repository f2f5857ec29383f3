"""Score files of other programs: art, the CoNLL coreference scorer, paired-perm-test."""

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

from pairedperm.errors import InputError, describe
from pairedperm.inputs.rationals import as_printed

__all__ = ["read_art", "read_conll", "read_paired_perm_test"]

Columns = NDArray[Any]
PathLike = str | os.PathLike[str]
Row = list[int | float]
Rows = list[Row] | tuple[Row, ...]
_EXACT = 2**53  # floats are exact integers up to it
_IS_NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|inf(inity)?)", re.I | re.A)
_HEADER = re.compile(r"(?:====> (.*)|(\(.*\);.*)):")  # the latter repeats the former's name
_TOTALS = "====== TOTALS ======="
_SCORES = re.compile(r"Recall:\s*\((\S+) / (\S+)\)\s.*Precision:\s*\((\S+) / (\S+)\)")
_SUMS = "recall numerators", "recall denominators", "precision numerators", "precision denominators"
_RUN = "Give all that `scorer.pl METRIC key response` prints."


def read_art(path1: PathLike, path2: PathLike) -> tuple[Columns, Columns]:
    r"""The columns of two score files of art, approximate randomization testing.

    Parameters
    ----------
    path1, path2 : str or os.PathLike
        The files of system 1 and of system 2, UTF-8, a document a line, in the same order: numbers
        that are split at white space.

    Returns
    -------
    columns1, columns2 : int64 or float64 array, shape (n,), or (n, m) of m > 1 numbers a line
        Integers if all numbers of both files are. Their scores are in
        `pairedperm.scoring.aggregators`.

    Raises
    ------
    InputError
        If a file cannot be read, is empty, has a blank line, lines of different length, or what is
        no finite number or an integer beyond int64; if the files differ in shape.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from pairedperm.readers import read_art
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path1, path2 = Path(folder, "system1"), Path(folder, "system2")
    ...     _ = path1.write_text("2 3\n1 1\n"), path2.write_text("1 3\n1 2\n")
    ...     columns1, columns2 = read_art(path1, path2)
    >>> columns1.tolist(), columns2.tolist()
    ([[2, 3], [1, 1]], [[1, 3], [1, 2]])
    """
    remedy = "A line has a document's numbers, split at white space, and there is no header."
    first, second = _File.of("path1", path1), _File.of("path2", path2)
    rows1, rows2 = (x.table([line.split() for line in x.lines], remedy) for x in (first, second))
    shape1, shape2 = ((len(rows), len(rows[0])) for rows in (rows1, rows2))
    if shape1 != shape2:
        raise InputError(
            f"`path1` and `path2` pair line by line: {first.path} has {shape1[0]} lines of "
            f"{shape1[1]} numbers, {second.path} {shape2[0]} of {shape2[1]}. Score the same corpus."
        )
    return _arrays(first, rows1, second, rows2)


def read_conll(path1: PathLike, path2: PathLike) -> tuple[Columns, Columns]:
    r"""The rows of two outputs of the CoNLL coreference scorer, documents paired by name.

    Parameters
    ----------
    path1, path2 : str or os.PathLike
        What ``scorer.pl METRIC key response`` printed for system 1 and for system 2, UTF-8: of one
        metric (muc, bcub, ceafm or ceafe) and key, documents, or parts of such, in any order.

    Returns
    -------
    rows1, rows2 : int64 or float64 array, shape (n, 4)
        Recall numerator and denominator, precision numerator and denominator of each document, as
        ordered in `path1`. Integers if all numbers are; printed 2.83333333333333 is 17/6. Their
        score is `aggregators.f_1`.

    Raises
    ------
    InputError
        If a file cannot be read, is no such output, is of BLANC or of several metrics, or is cut
        off; if a document has no scores or occurs twice, or the documents do not sum to the printed
        totals, decimals within their rounding; if the files have different documents.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from pairedperm.readers import read_conll
    >>> scores = "Recall: (1 / 3) 33.33%\tPrecision: (1 / 2) 50%\tF1: 40%\n"
    >>> printed = f"====> (a); part 000:\n{scores}\n====== TOTALS =======\nCoreference: {scores}"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "muc.txt")
    ...     _ = path.write_text(printed)
    ...     rows1, rows2 = read_conll(path, path)
    >>> rows1.tolist()
    [[1, 3, 1, 2]]
    """
    first, second = _File.of("path1", path1), _File.of("path2", path2)
    documents1, documents2 = _documents(first), _documents(second)
    missing1 = sorted(documents2.keys() - documents1.keys())
    missing2 = sorted(documents1.keys() - documents2.keys())
    lacks = [
        f"{x.path} lacks {', '.join(names[:5])}" + f" and {len(names) - 5} more" * (len(names) > 5)
        for x, names in ((first, missing1), (second, missing2))
        if names
    ]
    if lacks:
        what = f"`path1` and `path2` must have the same documents: {'; '.join(lacks)}. "
        raise InputError(f"{what}Score both systems with the same key.")
    rows1, rows2 = zip(*((documents1[name], documents2[name]) for name in documents1), strict=True)
    one, two = _arrays(first, rows1, second, rows2)
    return (one, two) if one.dtype.kind != "f" else (as_printed(one), as_printed(two))


def read_paired_perm_test(path: PathLike, delimiter: str | None = None) -> tuple[Columns, Columns]:
    r"""The columns of a file of the command line program paired-perm-test.

    Its lines are ``correct1, correct2``, or ``tp1, incorrect1, tp2, incorrect2`` for F1.

    Parameters
    ----------
    path : str or os.PathLike
        The file, UTF-8. A first line without any number is a header.
    delimiter : str or None
        What is between two columns. None: a tab if the first line has one, else a comma.

    Returns
    -------
    columns1, columns2 : int64 or float64 array, shape (n,), or (n, m) of 2m > 2 columns
        The first half of the columns, of system 1, and the second half, of system 2. Integers if
        all numbers are. The score for F1 is `aggregators.paired_perm_test_f1`.

    Raises
    ------
    InputError
        If the file cannot be read, is empty, has a blank line, lines of different length, an odd
        number of columns, or what is no finite number or an integer beyond int64; if `delimiter`
        is no string.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from pairedperm.readers import read_paired_perm_test
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "f1.csv")
    ...     _ = path.write_text("tp1,incorrect1,tp2,incorrect2\n3,0,2,1\n1,2,1,3\n")
    ...     columns1, columns2 = read_paired_perm_test(path)
    >>> columns1.tolist(), columns2.tolist()
    ([[3, 0], [1, 2]], [[2, 1], [1, 3]])
    """
    if delimiter is not None and not (isinstance(delimiter, str) and delimiter):
        what = f"must be None, to be found, or a string such as ',', got {describe(delimiter)}."
        raise InputError(f"`delimiter` {what}")
    file = _File.of("path", path)
    delimiter = delimiter or ("\t" if "\t" in file.lines[0] else ",")
    fields = [[x.strip().strip('"') for x in line.split(delimiter)] for line in file.lines]
    remedy = f"Columns are split at {delimiter!r}; give another `delimiter` if that is wrong."
    has_header = any(fields[0]) and not any(map(_IS_NUMBER.fullmatch, fields[0]))
    rows = file.table(fields, remedy, skip=int(has_header))
    half, odd = divmod(len(rows[0]), 2)
    if odd:
        raise file.error(f"has an odd number of columns, {len(rows[0])}, for two systems. {remedy}")
    return _arrays(file, [row[:half] for row in rows], file, [row[half:] for row in rows])


@dataclass(frozen=True, slots=True)
class _File:
    """The lines of the file that is the argument `name`, without blank ones at the end."""

    name: str
    path: str
    lines: list[str]

    @classmethod
    def of(cls, name: str, path: Any) -> _File:
        if not isinstance(path, (str, os.PathLike)):
            what = f"must be a path, str or os.PathLike, got {describe(path)}. Name a file."
            raise InputError(f"`{name}` {what}")
        file = cls(name, str(path), [])
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except (OSError, ValueError) as error:  # a ValueError: null bytes in the path, no UTF-8
            why = getattr(error, "strerror", None) or error
            raise file.error(f"cannot be read: {why}. Give the path of UTF-8 text.") from error
        if not text.strip():
            raise file.error("is empty: at least one example is needed.")
        file.lines.extend(text.split("\n")[: text.rstrip().count("\n") + 1])
        return file

    def error(self, what: str, line: int | None = None) -> InputError:
        return InputError(f"`{self.name}`: {self.path}{f', line {line}:' * bool(line)} {what}")

    def number(self, field: str, line: int, remedy: str) -> int | float:
        """The number that a field spells, an integer if it is whole."""
        if not _IS_NUMBER.fullmatch(field):
            raise self.error(f"{short(field)} is no number. {remedy}", line)
        value = float(field)
        if field.lstrip("+-").isdigit():  # Python does not read integers of thousands of digits
            if abs(value) <= 2.0**63 and -(2**63) <= int(field) < 2**63:
                return int(field)
            raise self.error(f"{short(field)} is an integer beyond int64. Divide by a unit.", line)
        if not math.isfinite(value):
            raise self.error(f"{short(field)} is no finite number. Score it, or drop it.", line)
        return int(value) if value.is_integer() and abs(value) < _EXACT else value

    def table(self, fields: list[list[str]], remedy: str, *, skip: int = 0) -> list[Row]:
        """The numbers of the lines, each split into fields, from the line `skip` on."""
        width = len(fields[0])
        for line, row in enumerate(fields, 1):
            if len(row) != width or not any(row):
                what = f"has {len(row)} columns, line 1 has {width}" if any(row) else "is blank"
                raise self.error(f"{what}. {remedy}", line)
        lines = list(enumerate(fields, 1))[skip:]
        if not lines:
            raise self.error(f"has no numbers. {remedy}")
        return [[self.number(field, line, remedy) for field in row] for line, row in lines]


def _arrays(file1: _File, rows1: Rows, file2: _File, rows2: Rows) -> tuple[Columns, Columns]:
    """Both as arrays (n, m), or (n,) of m = 1: int64 if all numbers of both are integers."""
    is_whole = all(isinstance(x, int) for row in (*rows1, *rows2) for x in row)
    for file, rows in ((file1, rows1), (file2, rows2)):
        largest = max((x for row in rows for x in row if isinstance(x, int)), key=abs, default=0)
        if not is_whole and abs(largest) > _EXACT:
            raise file.error(f"has {largest} among decimals, no exact float. Divide by a unit.")
    dtype = np.int64 if is_whole else np.float64
    columns1, columns2 = (np.array(rows, dtype=dtype) for rows in (rows1, rows2))
    return (columns1[:, 0], columns2[:, 0]) if columns1.shape[1] == 1 else (columns1, columns2)


def _documents(file: _File) -> dict[str, Row]:
    """The scores of each document, which sum to the totals."""
    documents: dict[str, Row] = {}
    starts: dict[str, int] = {}
    name, totals_line, totals = "", 0, None
    for line, text in enumerate(map(str.strip, file.lines), 1):
        header = _HEADER.fullmatch(text)
        found = (header[1] or header[2] or "") if header else ""
        if text.startswith(("Coreference links:", "Non-coreference links:")):
            raise file.error("is of BLANC, which is no F1 of two ratios. Use another metric.", line)
        if totals_line:
            if header or text.startswith(("METRIC ", _TOTALS)):
                raise file.error("goes on after the totals. Give one run of one metric.", line)
            if text.startswith("Coreference: Recall:"):
                totals_line, totals = line, _scores(file, text.partition(" ")[2], line)
        elif text.startswith("Recall:"):
            if not name:
                raise file.error(f"has scores of no document. {_RUN}", line)
            documents[name], name = _scores(file, text, line), ""
        elif name and (text == _TOTALS or found not in ("", name)):
            break
        elif found in documents:
            raise file.error(f"{found} occurs again, after line {starts[found]}. {_RUN}", line)
        elif found and not name:
            name, starts[found] = found, line
        totals_line = totals_line or line * (text == _TOTALS)
    if name:
        raise file.error(f"{name} has no scores: is the file cut off? {_RUN}", starts[name])
    if not documents:
        raise file.error(f"has no documents, '====> NAME:' and their scores. {_RUN}")
    if totals is None:
        raise file.error(f"has no totals, {_TOTALS!r} and 'Coreference:': is it cut off? {_RUN}")
    _check_totals(file, totals_line, totals, list(documents.values()))
    return documents


def _scores(file: _File, text: str, line: int) -> Row:
    scores = _SCORES.match(text)
    if scores is None:
        what = f"is no 'Recall: (a / b) … Precision: (c / d) …': is the file cut off? {_RUN}"
        raise file.error(what, line)
    return [file.number(field, line, _RUN) for field in scores.groups()]


def _check_totals(file: _File, line: int, totals: Row, rows: Rows) -> None:
    """Whether the rows sum to the totals: decimals to their last digits, integers exactly."""
    for what, total, values in zip(_SUMS, totals, zip(*rows, strict=True), strict=True):
        is_whole = all(isinstance(x, int) for x in (total, *values))
        # of 15 digits each number is off by 5e-15 of itself, and a sum by an ulp an addend
        slack = 0.0 if is_whole else (1e-14 + len(rows) * 2.0**-52) * math.fsum(map(abs, values))
        if abs((found := math.fsum(values)) - total) > slack:
            why = f"{what} are {total:.15g} in total, but the documents' sum is {found:.15g}."
            raise file.error(f"{why} {_RUN}", line)
