"""Names, values and lists, as messages show them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

SHOWN = 8  # tuned: how many words of a list a message shows


def shown(value: object) -> str:
    """Return a label or a name as Python writes it, shortened to both ends if long."""
    return printable(written(value, repr))


def written(value: object, write: Callable[[object], str]) -> str:
    """Return what `write` writes of a value, without warnings."""
    try:
        with np.errstate(all="ignore"):  # pandas compares a float16 with 10^6 to write it
            return write(value)
    except ValueError:  # Python does not print integers of thousands of digits
        return "a very large integer"


def printable(text: str, limit: int = 200) -> str:
    """Escape unprintable characters of a name or a path, and shorten it to both ends if long."""
    half = limit // 2
    ends = [text] if len(text) <= limit else [text[:half], text[-half:]]
    line = "…".join(x if x.isprintable() else _escaped(x) for x in ends)
    return line if len(line) <= limit + 1 else f"{line[:half]}…{line[-half:]}"


def _escaped(text: str) -> str:
    return "".join(x if x.isprintable() else ascii(x)[1:-1] for x in text)


def first_of(words: Sequence[str], n: int = SHOWN) -> str:
    """Return the first of many words, and the number of the rest."""
    listed, more = ", ".join(words[:n]), len(words) - n
    return f"{listed} and {more:,} more" if more > 0 else listed


def counted(n: int, word: str) -> str:
    """Return a number and its noun: "1 example", "1,319 examples"."""
    return f"{n:,} {word}{'' if n == 1 else 's'}"
