"""The reader of the output of the CoNLL coreference scorer."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from reprlib import repr as short
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import InputError, describe, first_of, printable, shown_path
from pairedperm.inputs.files import MAX_BYTES
from pairedperm.inputs.lattice import nearest_fraction
from pairedperm.options import Whole, reads_options
from pairedperm.readers.files import TextFile, is_path
from pairedperm.readers.log import IS_NUMBER

_HEADER = re.compile(r"(?:====> (.*)|(\(.*\);.*)):")  # the second form repeats the name
_TOTALS = "====== TOTALS ======="
_RATIOS = re.compile(r"Recall:\s*\((\S+) / (\S+)\)\s[^(]*Precision:\s*\((\S+) / (\S+)\)")
_SUMS = "recall numerators", "recall denominators", "precision numerators", "precision denominators"
_RUN = "Give all that `scorer.pl METRIC key response` prints."
_MOST = 2**53  # proof: floats are exact integers up to it

_Row = list[int | float]  # numerator and denominator of recall, then those of precision


@reads_options
def read_conll(
    path1: str | os.PathLike[str],
    path2: str | os.PathLike[str],
    *,
    max_bytes: Annotated[int, Whole()] = MAX_BYTES,
) -> tuple[NDArray[Any], NDArray[Any]]:
    r"""Read two outputs of the CoNLL coreference scorer, and pair their documents by name.

    Parameters
    ----------
    path1, path2 : str or os.PathLike
        The output of ``scorer.pl METRIC key response`` for system 1 and for system 2, in UTF-8.
        Metric (muc, bcub, ceafm or ceafe) and key are the same. The documents, or their parts, may
        come in any order.
    max_bytes : int
        The most that is read of a file, once it is decompressed: 2^34 bytes by default.

    Returns
    -------
    rows1, rows2 : int64 or float64 array, shape (n, 4)
        Recall numerator and denominator, precision numerator and denominator of each document, in
        the order of `path1`. Integers if all numbers are integers; a printed 2.83333333333333 is
        read as 17/6. Their score is `aggregators.f_1`.

    Raises
    ------
    InputError
        If a file cannot be read, is too large, is no such output, is cut off, or holds BLANC or
        several metrics. If a document has no scores or occurs twice. If the documents do not sum to
        the printed totals (up to the rounding of decimals). If the files have different documents.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from pairedperm.readers import read_conll
    >>> scores = "Recall: (1 / 3) 33.33%\tPrecision: (1 / 2) 50%\tF1: 40%\n"
    >>> printed = f"====> (a); part 000:\n{scores}\n====== TOTALS =======\nCoreference: {scores}"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "muc.txt")
    ...     _ = path.write_text(printed, "utf-8")
    ...     rows1, rows2 = read_conll(path, path)
    >>> rows1.tolist()
    [[1, 3, 1, 2]]
    """
    first, second = (_scorer_output(*x, max_bytes) for x in (("path1", path1), ("path2", path2)))
    documents1, documents2 = _rows_by_document(first), _rows_by_document(second)
    lacks = []
    for file, own, other in ((first, documents1, documents2), (second, documents2, documents1)):
        if names := sorted(other.keys() - own.keys()):
            listed = first_of([printable(name, 100) for name in names], 5)
            lacks.append(f"{shown_path(file.path)} lacks {listed}")
    if lacks:
        raise InputError(
            "path1",
            "and `path2`",
            must=f"have the same documents: {'; '.join(lacks)}",
            remedy="Score both systems with the same key.",
        )
    # one array of both systems: all their numbers are integers, or all are floats
    rows = np.array([[*documents1.values()], [documents2[name] for name in documents1]])
    rows1, rows2 = rows
    if rows.dtype.kind == "f":
        return as_printed(rows1), as_printed(rows2)
    return rows1.astype(np.int64), rows2.astype(np.int64)


def _scorer_output(name: str, path: Any, max_bytes: int) -> TextFile:
    """Return the file whose path was given as the argument `name`."""
    if not is_path(path):
        accepted = "be a path, str or os.PathLike"
        raise InputError(f"`{name}`", must=accepted, got=describe(path), remedy="Name a file.")
    return TextFile.at(name, path, max_bytes)


def _rows_by_document(file: TextFile) -> dict[str, _Row]:
    """Return the scores of each document, after checking that they sum to the totals."""
    documents: dict[str, _Row] = {}
    starts: dict[str, int] = {}
    name, lines = "", _lines(file)
    for line, text, started in lines:
        if text.startswith("Recall:"):
            if not name:
                raise file.error("has scores, but of no document", line=line, remedy=_RUN)
            documents[name], name = _ratios_of(file, text, line), ""
        elif text == _TOTALS or (name and started not in ("", None, name)):
            break
        elif started in documents:
            again = f"{printable(started)} occurs again, after line {starts[started]}"
            raise file.error(again, line=line, remedy=_RUN)
        elif started and not name:
            name, starts[started] = started, line
    if name:
        what = f"{printable(name)} has no scores"
        raise file.error(what, line=starts[name], remedy=("is the file cut off?", _RUN))
    _check_totals(file, lines, [*documents.values()])
    return documents


def _lines(file: TextFile) -> Iterator[tuple[int, str, str | None]]:
    """Yield each line's number, its text, and the document that it starts, if it starts one."""
    for line, text in enumerate(map(str.strip, file.lines()), 1):
        if text.startswith(("Coreference links:", "Non-coreference links:")):
            what, remedy = "is of BLANC, which is no F1 of two ratios", "Use another metric."
            raise file.error(what, line=line, remedy=remedy)
        header = _HEADER.fullmatch(text) if text.endswith(":") else None  # in linear time
        yield line, text, header and (header[1] or header[2] or "")


def _ratios_of(file: TextFile, text: str, line: int) -> _Row:
    """Return the four numbers of a line: as an integer each that is whole."""
    scores = _RATIOS.match(text)
    if scores is None:
        what = "is no 'Recall: (a / b) … Precision: (c / d) …'"
        raise file.error(what, line=line, remedy=("is the file cut off?", _RUN))
    numbers: _Row = []
    for field in scores.groups():
        if not IS_NUMBER.fullmatch(field) or abs(number := float(field)) > _MOST:
            raise file.error(f"{short(field)} is no number up to 2^53", line=line, remedy=_RUN)
        numbers.append(int(number) if number.is_integer() else number)
    return numbers


def _check_totals(
    file: TextFile, lines: Iterator[tuple[int, str, str | None]], rows: Sequence[_Row]
) -> None:
    """Raise InputError unless the rows sum to the totals, which stand in the lines after theirs.

    Integers do so exactly, decimals nearly.
    """
    at, totals = 0, None
    for line, text, started in lines:
        if started is not None or text.startswith(("METRIC ", _TOTALS)):
            remedy = "Give one run of one metric."
            raise file.error("goes on after the totals", line=line, remedy=remedy)
        if text.startswith("Coreference: Recall:"):
            at, totals = line, _ratios_of(file, text.partition(" ")[2], line)
    if not rows:
        raise file.error("has no documents, '====> NAME:' and their scores", remedy=_RUN)
    if totals is None:
        what = f"has no totals, {_TOTALS!r} and 'Coreference:'"
        raise file.error(what, remedy=("is it cut off?", _RUN))
    for what, total, values in zip(_SUMS, totals, zip(*rows, strict=True), strict=True):
        is_whole = all(isinstance(x, int) for x in (total, *values))
        # a number of 15 digits has a relative error of 5e-15; a sum adds one ulp for each addend
        slack = 0.0 if is_whole else (1e-14 + len(rows) * 2.0**-52) * math.fsum(map(abs, values))
        if abs((summed := math.fsum(values)) - total) > slack:
            why = f"{what} are {total:.15g} in total, but the documents' sum is {summed:.15g}"
            raise file.error(why, line=at, remedy=_RUN)


def as_printed(values: FloatArray) -> FloatArray:
    """Restore fractions among numbers that were printed to 15 significant digits.

    2.83333333333333 becomes the float nearest to 17/6. A number that is near no fraction with a
    denominator up to 1000 stays.
    """
    distinct, place = np.unique(values, return_inverse=True)
    restored = [float(nearest_fraction(x, _PRINTED * abs(x)) or x) for x in distinct.tolist()]
    return np.array(restored)[place].reshape(values.shape)


_PRINTED = 5.1e-15  # proof: relative rounding to 15 significant digits
