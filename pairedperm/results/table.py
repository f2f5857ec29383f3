"""Text and tables in plain text, as wide as a terminal, and results that are shown so."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from unicodedata import category, east_asian_width

WIDTH: ContextVar[int] = ContextVar("width", default=80)  # columns; commands ask the terminal
_PAGE = 80  # proof: columns of a terminal


class Printed:
    """A result that is shown as it prints."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def plain_table(header: Sequence[str], rows: Sequence[Sequence[str]], n_names: int = 1) -> str:
    """Return the table as plain text that fits `WIDTH`, if its numbers do.

    The first `n_names` columns hold names. A name too long for its column has a line of its own
    above its row, once for rows in succession. If even the heading of the first column is too long,
    the columns of names are joined.
    """
    table = [[*header], *map(list, rows)]
    room = _room(table)
    while _columns(header[0]) > room and n_names > 1:
        table = [[f"{one}  {two}", *others] for one, two, *others in table]
        n_names, room = n_names - 1, _room(table)
    return "\n".join(line.rstrip() for line in _lines(table, room))


def fits(table: Sequence[Sequence[str]]) -> bool:
    """Say whether the cells of each row fit a line."""
    return sum(_sizes(table)) + 2 * (len(table[0]) - 1) <= WIDTH.get()


def wrapped(text: str) -> str:
    """Return lines of text, each wrapped to `WIDTH`; words are kept whole."""
    lines = (
        textwrap.fill(x, WIDTH.get(), break_long_words=False, break_on_hyphens=False)
        for x in text.splitlines()
    )
    return "\n".join(lines)


def filled(lines: Iterable[str], indent: str = "  ", *, at_hyphens: bool = True) -> str:
    """Return lines, each broken to fit 80 columns and indented where it goes on."""
    one = textwrap.TextWrapper(_PAGE, subsequent_indent=indent, break_on_hyphens=at_hyphens)
    return "\n".join(map(one.fill, lines))


def _lines(table: Sequence[Sequence[str]], room: int) -> Iterator[str]:
    """Yield the lines: the first column to the left, the others to the right."""
    _, *sizes = _sizes(table)
    first = max((x for x in (_columns(row[0]) for row in table) if x <= room), default=0)
    above = ""
    for name, *cells in table:
        is_long = _columns(name) > room
        if is_long and name != above:
            yield from _pieces(name)
        above, left = name, "" if is_long else name
        numbers = (_padding(x, size) + x for x, size in zip(cells, sizes, strict=True))
        yield "  ".join((left + _padding(left, first), *numbers))


def _room(table: Sequence[Sequence[str]]) -> int:
    """Return how many columns the first cells may take beside the others."""
    return WIDTH.get() - sum(2 + size for size in _sizes(table)[1:])


def _sizes(table: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(_columns, column)) for column in zip(*table, strict=True)]


def _columns(text: str) -> int:
    """Return how many columns of a terminal the text takes: a wide letter takes two."""
    return sum(map(_size, text))


def _size(letter: str) -> int:
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def _padding(text: str, size: int) -> str:
    return " " * (size - _columns(text))


def _pieces(text: str) -> Iterator[str]:
    """Yield the text in pieces that fit a line, broken at spaces if there are any."""
    piece = ""
    for letter in text:
        if _columns(piece + letter) > WIDTH.get():
            end = piece.rfind(" ") + 1 or len(piece)
            yield piece[:end]
            piece = piece[end:]
        piece += letter
    yield piece


_MATH = """
α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu µ mu
ν nu ξ xi π pi ρ rho σ sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega
Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega
∞ infty ≤ leq ≥ geq ≈ approx √ surd → rightarrow × times ± pm · cdot
"""  # noqa: RUF001
_TEXT = r"""
\ textbackslash ~ textasciitilde ^ textasciicircum < textless > textgreater | textbar
` textasciigrave
"""
_WRITTEN = str.maketrans(
    {x: f"\\{x}" for x in "%&_#${}"}
    | {x: f"\\{name}{{}}" for x, name in re.findall(r"(\S) (\S+)", _TEXT)}
    | {x: f"$\\{name}$" for x, name in re.findall(r"(\S) (\S+)", _MATH)}
    | {"−": "$-$"}  # noqa: RUF001
)
_MINUS = re.compile(r"(?<![\w.-])-(?=[\d∞])")


def latex_text(text: str) -> str:
    """Return what LaTeX typesets as this text, with Greek letters and minus signs as mathematics.

    Other letters that are not ASCII stay: LaTeX reads UTF-8, and its fonts must have them.
    """
    written = _MINUS.sub("−", text).translate(_WRITTEN)  # noqa: RUF001
    return re.sub("-(?=-)", "-{}", written)  # or two are a dash


def escaped(text: str) -> str:
    """Escape text so that Markdown shows it as it is, also in a table."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    text = re.sub(r"([\\`*\[\]|~$])", r"\\\1", text)
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)  # inside words "_" is no markup


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of escaped cells: the first column to the left, the others to the right."""
    lines = [header, [":--", *["--:"] * (len(header) - 1)], *rows]
    return "\n".join("".join(f"| {x} " if x else "| " for x in cells) + "|" for cells in lines)
