"""Tables as text, Markdown, HTML, LaTeX and pandas, and the results that are shown so."""

from __future__ import annotations

import html
import re
import textwrap
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from unicodedata import category, east_asian_width

if TYPE_CHECKING:
    from pandas import DataFrame

WIDTH: ContextVar[int] = ContextVar("width", default=80)  # columns; commands ask the terminal
_PAGE = 80  # proof: columns of a terminal
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")  # what ends a line, or has no width
_FILLER = "\0"  # beside a wide letter: textwrap counts letters, not columns


class Printed:
    """An object that is shown as it prints."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Tabular(Printed):
    """A result that notebooks, papers and pandas show as a table."""

    __slots__ = ()

    @abstractmethod
    def _table(self) -> Table:
        """Return the numbers of the result as a table, with sentences below."""

    def to_markdown(self) -> str:
        """Return the table in Markdown, and below it what the numbers say."""
        return f"{self._table().markdown()}\n"

    def to_latex(self) -> str:
        r"""Return the table for LaTeX, with what the numbers say as its caption.

        Returns
        -------
        str
            A ``table``. It needs ``\usepackage{booktabs}``, and letters that are not ASCII need
            fonts that have them.
        """
        return f"{self._table().latex()}\n"

    def to_pandas(self) -> DataFrame:
        """Return the table as it prints, but with numbers instead of their texts.

        Returns
        -------
        pandas.DataFrame
            The columns and rows of the printed table. Numbers are not rounded, and in the unit that
            is printed: 50% is 0.5, and a difference in percentage points is 50.0. An interval is
            a tuple (low, high). A cell without a number is None or NaN.
        """
        return self._table().frame()

    def _repr_html_(self) -> str:
        return self._table().html()

    def _lines(self) -> Iterable[str]:
        """Return the lines that print the result; none if its table does."""
        return ()

    def __str__(self) -> str:
        if lines := [*self._lines()]:
            return filled(lines, indent="" if len(lines) == 1 else "  ")
        return self._table().text()


class Number(str):
    """The text of a number in a table, and the number."""

    __slots__ = ("value",)
    value: Any

    def __new__(cls, text: str, value: Any) -> Number:
        """Return the text; `value` is the number without rounding."""
        number = super().__new__(cls, text)
        number.value = value
        return number

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), self.value  # for copies and pickles


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of text below a header: the first column to the left, the others to the right.

    Attributes
    ----------
    header : sequence of str, length k
        The names of the columns.
    rows : sequence of sequences of str, length k each
        The cells. A `Number` is also known as a number. A line break is shown as a space.
    notes : str
        Lines of text below the table; "" if there are none.
    n_names : int
        How many columns, the first ones, hold names.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: str = ""
    n_names: int = 1

    def text(self) -> str:
        """Return plain text of `WIDTH`, if the numbers fit.

        A name too long for its column has a line of its own above its row, once for rows in
        succession. If even the heading of the first column is too long, the columns of names are
        joined.
        """
        cells, n_names, width = self._cells, self.n_names, WIDTH.get()
        while display_width(cells[0][0]) > _room(cells, width) and n_names > 1:
            cells = [[f"{one}  {two}", *others] for one, two, *others in cells]
            n_names -= 1
        text = "\n".join(line.rstrip() for line in _text_lines(cells, width))
        return f"{text}\n\n{wrapped(self.notes)}" if self.notes else text

    def fits(self) -> bool:
        """Tell whether each row of the text is one line."""
        cells = self._cells
        return _sizes(cells)[0] <= _room(cells, WIDTH.get())

    def with_short_names(self, at: int, short: Sequence[str]) -> Table:
        """Return the table, or if it does not fit one with short headings; notes explain these.

        They replace those of the columns from the place `at` on.
        """
        if self.fits():
            return self
        long, end = self.header, at + len(short)
        told = "\n".join(f"{one}: {x}" for one, x in zip(short, long[at:end], strict=True))
        header = [*long[:at], *short, *long[end:]]
        return replace(self, header=header, notes=f"{told}\n\n{self.notes}")

    def markdown(self) -> str:
        """Return a table of GitHub's Markdown, in which every text is escaped."""
        head, *rows = ([*map(escaped, row)] for row in self._cells)
        lines = (head, [":--", *["--:"] * (len(head) - 1)], *rows)
        text = "\n".join("".join(f"| {x} " if x else "| " for x in row) + "|" for row in lines)
        return f"{text}\n\n{escaped(self.notes)}" if self.notes else text

    def html(self) -> str:
        """Return a table of HTML, in which every text is escaped, without script or style sheet.

        Notebooks take no dollar signs in it for formulas.
        """
        head, *rows = self._cells
        body = "\n".join(_html_row("td", row) for row in rows)
        notes = "<br>\n".join(map(html.escape, self.notes.splitlines()))
        return (
            '<div class="tex2jax_ignore mathjax_ignore">\n'
            f"<table>\n<thead>\n{_html_row('th', head)}\n</thead>\n"
            f"<tbody>\n{body}\n</tbody>\n</table>\n"
            f"{f'<p>{notes}</p>' if notes else ''}</div>"
        )

    def latex(self) -> str:
        r"""Return a ``tabular`` with the rules of booktabs; notes make it a ``table``."""
        head, *rows = map(_latex_row, self._cells)
        columns = "l" + "r" * (len(self.header) - 1)
        lines = [
            f"\\begin{{tabular}}{{{columns}}}",
            *(r"\toprule", head, r"\midrule", *rows, r"\bottomrule"),
            r"\end{tabular}",
        ]
        if self.notes:
            notes = (x if x.endswith((".", "!", "?")) else f"{x}." for x in self.notes.splitlines())
            caption = latex_text(" ".join(" ".join(notes).split()))
            lines = [
                r"\begin{table}",
                r"\centering",
                *lines,
                rf"\caption{{{caption}}}",
                r"\end{table}",
            ]
        return "\n".join(lines)

    def frame(self) -> DataFrame:
        """Return a pandas DataFrame: numbers as numbers, other cells as text."""
        from pandas import DataFrame  # takes half a second to import

        cells = [[getattr(x, "value", x) for x in row] for row in self.rows]
        return DataFrame(cells, columns=[*self.header])

    @property
    def _cells(self) -> list[list[str]]:
        """The header and the rows, each cell in one line."""
        return [[_BREAKS.sub(" ", x) for x in row] for row in (self.header, *self.rows)]


def wrapped(text: str) -> str:
    """Return lines of text, each wrapped to `WIDTH`; words are kept whole."""
    one = textwrap.TextWrapper(WIDTH.get(), break_long_words=False, break_on_hyphens=False)
    return _in_columns(one, text.splitlines())


def filled(lines: Iterable[str], indent: str = "  ", *, at_hyphens: bool = True) -> str:
    """Return lines, each broken to fit 80 columns and indented where it goes on."""
    one = textwrap.TextWrapper(_PAGE, subsequent_indent=indent, break_on_hyphens=at_hyphens)
    return _in_columns(one, lines)


def _in_columns(wrapper: textwrap.TextWrapper, lines: Iterable[str]) -> str:
    """Wrap each line; a letter that takes two columns counts twice."""
    wide = ("".join(x + _FILLER * (_size(x) - 1) for x in line) for line in lines)
    return "\n".join(map(wrapper.fill, wide)).replace(_FILLER, "")


def display_width(text: str) -> int:
    """Return how many columns of a terminal the text takes: a wide letter takes two."""
    return sum(map(_size, text))


def _text_lines(cells: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Yield the lines: the first column to the left, the others to the right."""
    room, (_, *sizes) = _room(cells, width), _sizes(cells)
    first = max((x for x in (display_width(row[0]) for row in cells) if x <= room), default=0)
    above = ""
    for name, *numbers in cells:
        is_long = display_width(name) > room
        if is_long and name != above:
            yield from _pieces(name, width)
        above, left = name, "" if is_long else name
        padded = (_padding(x, size) + x for x, size in zip(numbers, sizes, strict=True))
        yield "  ".join((left + _padding(left, first), *padded))


def _room(cells: Sequence[Sequence[str]], width: int) -> int:
    """Return how many columns the first cells may take beside the others."""
    return width - sum(2 + size for size in _sizes(cells)[1:])


def _sizes(cells: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(display_width, column)) for column in zip(*cells, strict=True)]


def _size(letter: str) -> int:
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def _padding(text: str, size: int) -> str:
    return " " * (size - display_width(text))


def _pieces(text: str, width: int) -> Iterator[str]:
    """Yield the text in pieces that fit a line, broken at spaces if there are any."""
    piece = ""
    for letter in text:
        if display_width(piece + letter) > width:
            end = piece.rfind(" ") + 1 or len(piece)
            yield piece[:end]
            piece = piece[end:]
        piece += letter
    yield piece


def _html_row(tag: str, row: Sequence[str]) -> str:
    sides = ["left", *["right"] * (len(row) - 1)]
    cells = (
        f'<{tag} style="text-align: {side}; padding: 0.1em 0.6em">{html.escape(x)}</{tag}>'
        for side, x in zip(sides, row, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>"


def _latex_row(row: Sequence[str]) -> str:
    r"""Return a row for LaTeX; braces before "[" or "*", which are arguments of \\ and \midrule."""
    text = " & ".join(map(latex_text, row))
    return f"{'{}' if text.lstrip().startswith(('[', '*')) else ''}{text} \\\\"


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


_REFERENCES = re.compile(  # to people, issues and pages: @cf/meta, astropy#12907; not pass@1
    r"(?<![A-Za-z0-9_])@(?=\w)|#(?=\d)|\b(?i:GH-(?=\d)|www(?=\.))|:(?=//)"
)
_JOINT = "&#8203;"  # a space of no width; a code span would refer again in a reply by mail


def escaped(text: str) -> str:
    """Escape text so that Markdown shows it as it is, also in a table.

    GitHub finds no reference in it: a comment would tell the people and the issues of these names.
    """
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    text = re.sub(r"([\\`*\[\]|~$])", r"\\\1", text)
    text = re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)  # inside words "_" is no markup
    return _REFERENCES.sub(rf"\g<0>{_JOINT}", text)
