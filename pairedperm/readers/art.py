"""The reader of score files of art, a program for approximate randomization."""

from __future__ import annotations

from pairedperm.errors import InputError
from pairedperm.errors.wording import File, Name
from pairedperm.readers.score_file import Columns, PathLike, ScoreFile, as_arrays


def read_art(path1: PathLike, path2: PathLike) -> tuple[Columns, Columns]:
    r"""Read two score files of art, a program for approximate randomization.

    Parameters
    ----------
    path1, path2 : str or os.PathLike
        The files of system 1 and of system 2, in UTF-8. Each line holds the numbers of one
        document, split at white space. Both files have the same documents in the same order.

    Returns
    -------
    columns1, columns2 : int64 or float64 array, shape (n,), or (n, m) for m > 1 numbers a line
        The numbers of each document: integers if all numbers of both files are integers. The scores
        for them are in `pairedperm.scoring.aggregators`.

    Raises
    ------
    InputError
        If a file cannot be read or is empty. If a line is blank or differs in length. If an entry
        is no finite number, or an integer beyond int64. If the files differ in shape.

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
    remedy = "Each line holds one document's numbers, split at white space. Remove a header."
    first, second = ScoreFile.of("path1", path1), ScoreFile.of("path2", path2)
    rows1, rows2 = (x.table([line.split() for line in x.lines], remedy) for x in (first, second))
    shape1, shape2 = ((len(rows), len(rows[0])) for rows in (rows1, rows2))
    if shape1 != shape2:
        raise InputError(
            *(Name("path1"), " and ", Name("path2"), " are paired line by line, but "),
            *(File(first.path), f" has {shape1[0]} lines of {shape1[1]} numbers, and "),
            *(File(second.path), f" has {shape2[0]} of {shape2[1]}"),
            remedy="Score the same corpus.",
        )
    return as_arrays(first, rows1, second, rows2)
