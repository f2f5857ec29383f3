"""Score files of art, a program for approximate randomization testing."""

from __future__ import annotations

from pairedperm.errors import InputError
from pairedperm.readers.score_file import Columns, PathLike, ScoreFile, as_arrays


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
    ...     _ = path1.write_text("2 3\n1 1\n", "utf-8"), path2.write_text("1 3\n1 2\n", "utf-8")
    ...     columns1, columns2 = read_art(path1, path2)
    >>> columns1.tolist(), columns2.tolist()
    ([[2, 3], [1, 1]], [[1, 3], [1, 2]])
    """
    remedy = "A line has a document's numbers, split at white space, and there is no header."
    first, second = ScoreFile.of("path1", path1), ScoreFile.of("path2", path2)
    rows1, rows2 = (x.table([line.split() for line in x.lines], remedy) for x in (first, second))
    shape1, shape2 = ((len(rows), len(rows[0])) for rows in (rows1, rows2))
    if shape1 != shape2:
        raise InputError(
            f"`path1` and `path2` pair line by line: {first.path} has {shape1[0]} lines of "
            f"{shape1[1]} numbers, {second.path} {shape2[0]} of {shape2[1]}. Score the same corpus."
        )
    return as_arrays(first, rows1, second, rows2)
