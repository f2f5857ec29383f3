"""Names of systems short enough for a picture, and still apart."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence

from pairedperm.shown import printable

LONGEST = 24  # tuned: characters of a name, if there is room


def short_names(names: Sequence[str], most: int = LONGEST) -> list[str]:
    """Return each name in about `most` characters: its two ends, or its end if ends are alike.

    >>> short_names(["small", "organisation/model-large-tuned-for-x"])
    ['small', 'organisation…-tuned-for-x']
    >>> short_names([f"organisation/model-{n}b-tuned-for-x" for n in (7, 70)])
    ['…7b-tuned-for-x', '…70b-tuned-for-x']
    """
    found = [printable(name, most) for name in names]
    for text, n in Counter(found).items():
        alike = [name for name, x in zip(names, found, strict=True) if x == text]
        if n > 1 and len({*alike}) == n:
            short = iter(_apart(alike, most))
            found = [next(short) if x == text else x for x in found]
    return found


def row_names(names: Sequence[str], most: int, n_rows: int) -> list[str]:
    """Return the short names of the first rows, and how many more there are.

    >>> row_names(["large", "medium", "small"], 24, 1)
    ['large', 'and 2 more']
    """
    found, n_more = short_names(names, most)[:n_rows], len(names) - n_rows
    return [*found, f"and {n_more:,} more"] if n_more > 0 else found


def _apart(names: Sequence[str], most: int) -> list[str]:
    """Cut the words that all names begin with, and keep enough to tell the names apart."""
    shared = os.path.commonprefix(names)  # noqa: RUF071, characters are meant
    start = max([match.end() for match in re.finditer(r"[\W_]", shared)], default=len(shared))
    ends, found = [name[start:] for name in names], []
    for limit in range(most - 1, max(map(len, ends)) + most):
        found = [f"…{printable(end, limit)}" for end in ends]
        if len({*found}) == len(names):
            break
    return found
