"""The reader of score files of the command line program paired-perm-test."""

from __future__ import annotations

import csv
import re

from pairedperm.errors import InputError
from pairedperm.errors.wording import Advice, Name, Parts, Setting, describe, printable
from pairedperm.readers.score_file import IS_NUMBER, Columns, PathLike, ScoreFile, as_arrays


def read_paired_perm_test(path: PathLike, delimiter: str | None = None) -> tuple[Columns, Columns]:
    r"""Read a score file of the command line program paired-perm-test.

    Its lines are ``correct1, correct2``, or ``tp1, incorrect1, tp2, incorrect2`` for F1.

    Parameters
    ----------
    path : str or os.PathLike
        The file, in UTF-8, with quotes as in CSV. A first line without any number is a header.
    delimiter : str or None
        The character between two columns; blanks may surround it. None: a tab if the first line has
        one, else a comma.

    Returns
    -------
    columns1, columns2 : int64 or float64 array, shape (n,), or (n, m) for 2m > 2 columns
        The first half of the columns is of system 1, the second half of system 2. Integers if all
        numbers are integers. The score for F1 is `aggregators.paired_perm_test_f1`.

    Raises
    ------
    InputError
        If the file cannot be read, is empty, or has an odd number of columns. If a line is blank,
        differs in length, or does not close a quote. If an entry is no finite number, or an integer
        beyond int64. If `delimiter` is not one character.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from pairedperm.readers import read_paired_perm_test
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "f1.csv")
    ...     _ = path.write_text("tp1,incorrect1,tp2,incorrect2\n3,0,2,1\n1,2,1,3\n", "utf-8")
    ...     columns1, columns2 = read_paired_perm_test(path)
    >>> columns1.tolist(), columns2.tolist()
    ([[3, 0], [1, 2]], [[2, 1], [1, 3]])
    """
    mark = delimiter.strip(" ") or delimiter if isinstance(delimiter, str) else ""
    if delimiter is not None and (len(mark) != 1 or mark in '"\r\n'):
        raise InputError(
            Name("delimiter"),
            must="be a character such as ',', or None to detect it",
            got=describe(delimiter),
            remedy="Write the file with one character between columns.",
        )
    file = ScoreFile.of("path", path)
    delimiter = mark or ("\t" if "\t" in file.lines[0] else ",")
    fields = _fields(file, delimiter)
    other = Advice("; give another ", Setting("delimiter"), " if that is wrong")
    remedy = Parts(f"Columns are split at {delimiter!r}", other, ".")
    has_header = any(fields[0]) and not any(map(IS_NUMBER.fullmatch, fields[0]))
    rows = file.table(fields, remedy, skip=int(has_header))
    half, odd = divmod(len(rows[0]), 2)
    if odd:
        what = f"has an odd number of columns, {len(rows[0])}, for two systems"
        raise file.error(what, remedy=remedy)
    return as_arrays(file, [row[:half] for row in rows], file, [row[half:] for row in rows])


def _fields(file: ScoreFile, delimiter: str) -> list[list[str]]:
    """Split each line into fields, with quotes as in CSV."""
    rows: list[list[str]] = []
    lines, is_blank = file.lines, delimiter == " "
    if not is_blank:  # csv skips blanks after a delimiter, but not those before it
        lines = [re.sub(rf'(?<=") +(?=$|{re.escape(delimiter)})', "", line) for line in lines]
    try:
        reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=not is_blank, strict=True)
        for row in reader:
            if reader.line_num > len(rows) + 1:
                raise csv.Error("a quote is not closed in its line")
            rows.append([field.strip() for field in row])
    except csv.Error as error:
        what = f"is no line of CSV: {printable(str(error))}"
        remedy = "Close each quote, and double one inside quotes."
        raise file.error(what, line=len(rows) + 1, remedy=remedy) from error
    return rows
