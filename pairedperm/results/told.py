"""What a result tells, sentences and a table, as text, Markdown, HTML, LaTeX and a DataFrame."""

from __future__ import annotations

import re
import textwrap
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unicodedata import category, east_asian_width

from pairedperm.errors import InputError, describe

if TYPE_CHECKING:
    from pandas import DataFrame

WIDTH: ContextVar[int] = ContextVar("width", default=80)  # columns; commands ask the terminal
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")  # what ends a line, or has no width
_JOINED = "\1"  # a space of an equation, at which no line ends
_FILLER = "\0"  # beside a wide letter: textwrap counts letters, not columns


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


EMPTY_CELL = Number("", None)
GivenNames = Sequence[str | None] | None  # of the two systems


@dataclass(frozen=True, slots=True)
class Told:
    """What a result tells: sentences, and cells of text below a header.

    Attributes
    ----------
    header : sequence of str, length k
        The names of the columns.
    rows : sequence of sequences of str, length k each
        The cells. A `Number` is also known as a number. A line break is shown as a space.
    sentences : sequence of str
        What there is to say. They say all that a single row has.
    title : str
        A sentence above all, such as a verdict; "" if there is none.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    sentences: Sequence[str] = ()
    title: str = ""

    @property
    def cells(self) -> list[list[str]]:
        """The header and the rows, each cell in one line."""
        return [[_BREAKS.sub(" ", x) for x in row] for row in (self.header, *self.rows)]

    @property
    def are_numbers(self) -> list[bool]:
        """Which columns hold numbers: these end at the right."""
        columns = zip(*self.rows, strict=True)
        return [all(isinstance(x, Number) for x in column) for column in columns]


class Printed:
    """An object that is shown as it prints."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Telling(Printed):
    """A result that tells itself once, in the form that is asked for."""

    __slots__ = ()

    @abstractmethod
    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """Return the sentences, and the numbers as a table.

        Parameters
        ----------
        names : sequence of two str, or None
            The names of the two systems. None: the result's own, or "system 1" and "system 2".
        alpha : float or None
            The level: a difference with p ≤ alpha is called significant. None: the result's own, or
            0.05.

        Returns
        -------
        Told

        Raises
        ------
        InputError
            If a name is no text or is empty, or if both are the same. If `alpha` is not between 0
            and 1. If the result has names, or a level, of its own.
        """

    def to_markdown(self, names: GivenNames = None, alpha: float | None = None) -> str:
        """Return the sentences and the table in Markdown; see `told`."""
        return markdown(self.told(names, alpha))

    def to_latex(self, names: GivenNames = None, alpha: float | None = None) -> str:
        r"""Return the table for LaTeX, with the sentences as its caption; see `told`.

        Returns
        -------
        str
            A ``table``. It needs ``\usepackage{booktabs}``, and letters that are not ASCII need
            fonts that have them.
        """
        return latex(self.told(names, alpha))

    def to_frame(self, names: GivenNames = None, alpha: float | None = None) -> DataFrame:
        """Return the table as it prints, but with numbers instead of their texts; see `told`.

        Returns
        -------
        pandas.DataFrame
            The columns and rows of the printed table. Numbers are not rounded, and in the unit that
            is printed: 50% is 0.5, and a difference in percentage points is 50.0. An interval is
            a tuple (low, high). A cell without a number is None or NaN.
        """
        return frame(self.told(names, alpha))

    def _repr_html_(self) -> str:
        return in_html(self.told())

    def __str__(self) -> str:
        return text(self.told())


def refuse_own(**given: object) -> None:
    """Refuse names, or a level, for a result that has its own."""
    for name, value in given.items():
        if value is not None:
            remedy = f"Leave out `{name}`"
            raise InputError(name, " is that of the result", got=describe(value), remedy=remedy)


def text(told: Told) -> str:
    """Return the sentences, below the table if it has several rows, in `WIDTH` columns."""
    title, sentences = (wrapped(x) for x in ([told.title], told.sentences))
    table = "" if len(told.rows) == 1 else "\n".join(_text_lines(told))
    return ("\n\n" if table else "\n").join(filter(None, (title, table, sentences)))


def paragraph(told: Told, *, in_latex: bool) -> str:
    """Return the sentences in one line, perhaps for LaTeX."""
    sentences = " ".join(told.sentences)
    return latex_text(sentences) if in_latex else sentences


def markdown(told: Told) -> str:
    """Return GitHub's Markdown: the sentences and a table, in which every text is escaped."""
    head, *rows = ([*map(escaped, row)] for row in told.cells)
    lines = (head, ["--:" if x else ":--" for x in told.are_numbers], *rows)
    table = "\n".join("".join(f"| {x} " if x else "| " for x in row) + "|" for row in lines)
    verdict, colon, why = map(escaped, told.title.partition(":"))
    title = f"**{verdict}**{colon}{why}" if told.title else ""
    sentences = " ".join(map(escaped, told.sentences))
    parts = (title, sentences, table) if len(rows) == 1 else (title, table, sentences)
    return "\n\n".join(filter(None, parts)) + "\n"


def in_html(told: Told) -> str:
    """Return the table as pandas shows it, and the sentences as paragraphs.

    Notebooks take no dollar signs in it for formulas.
    """
    from html import escape  # only notebooks need it

    from pandas import DataFrame, option_context  # takes half a second to import

    head, *rows = told.cells
    with option_context("display.max_colwidth", None, "display.html.use_mathjax", False):
        table = DataFrame(rows, columns=head).to_html(index=False, border=0)
    title = [f"<p><strong>{escape(told.title)}</strong></p>"] if told.title else []
    lines = [*title, table, *(f"<p>{escape(x)}</p>" for x in told.sentences)]
    return "\n".join(['<div class="tex2jax_ignore mathjax_ignore">', *lines, "</div>"])


def latex(told: Told) -> str:
    r"""Return a ``table`` with the rules of booktabs; the sentences are its caption.

    A single row stands upright, so that it fits a column.
    """
    lines, are_numbers = [told.header, *told.rows], told.are_numbers
    if len(told.rows) == 1:
        lines, are_numbers = [*zip(*lines, strict=True)], [False, True]
    head, *rows = map(_latex_row, lines)
    caption = " ".join(" ".join(filter(None, (told.title, *told.sentences))).split())
    columns = "".join("r" if x else "l" for x in are_numbers)
    return "\n".join(
        [
            *(r"\begin{table}", r"\centering", r"\small", r"\setlength{\tabcolsep}{4pt}"),
            rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
            *(r"\toprule", head, r"\midrule", *rows, r"\bottomrule"),
            *(r"\end{tabular}", rf"\caption{{{latex_text(caption)}}}"),
            *(r"\end{table}", ""),
        ]
    )


def frame(told: Told) -> DataFrame:
    """Return a pandas DataFrame: numbers as numbers, other cells as text."""
    from pandas import DataFrame  # takes half a second to import

    cells = [[getattr(x, "value", x) for x in row] for row in told.rows]
    return DataFrame(cells, columns=[*told.header])


def wrapped(lines: Iterable[str]) -> str:
    """Return lines, each broken to fit `WIDTH` columns and indented where it goes on.

    Words are kept whole, and equations. A letter that takes two columns counts twice.
    """
    filler = textwrap.TextWrapper(
        WIDTH.get(), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    kept = (line.replace(" = ", f"{_JOINED}={_JOINED}") for line in lines)
    wide = ("".join(x + _FILLER * (_size(x) - 1) for x in line) for line in kept)
    return "\n".join(map(filler.fill, wide)).replace(_FILLER, "").replace(_JOINED, " ")


def display_width(text: str) -> int:
    """Return how many columns of a terminal the text takes: a wide letter takes two."""
    return sum(map(_size, text))


def _size(letter: str) -> int:
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def _text_lines(told: Told) -> Iterator[str]:
    """Yield the lines: texts begin at the left of their columns, and numbers end at the right.

    Headings of a table that is too wide take several lines. A name too long for the first column
    has a line of its own, once for rows in succession.
    """
    (_, *head), *rows = told.cells
    columns = [*zip(*rows, strict=True)][1:] or [()] * len(head)
    sizes = [max(map(display_width, (*x, y))) for x, y in zip(columns, head, strict=True)]
    if sum(2 + x for x in sizes) + max(display_width(x[0]) for x in rows) > WIDTH.get():
        parts = (y.split() for y in head)
        sizes = [max(map(display_width, (*x, *y))) for x, y in zip(columns, parts, strict=True)]
    headings = [textwrap.wrap(x, size) or [""] for x, size in zip(head, sizes, strict=True)]
    above = [
        ["" if k else told.cells[0][0], *("".join(x[k : k + 1]) for x in headings)]
        for k in range(max(map(len, headings), default=1))
    ]
    room, name = WIDTH.get() - sum(2 + x for x in sizes), ""
    first = max((x for x in (display_width(x[0]) for x in (*above, *rows)) if x <= room), default=0)
    for left, *others in (*above, *rows):
        is_long = display_width(left) > room
        if left and is_long and left != name:
            yield left
        name, shown = left, "" if is_long else left
        line = shown + _padding(shown, first)
        for cell, size, is_number in zip(others, sizes, told.are_numbers[1:], strict=True):
            space = _padding(cell, size)
            line += f"  {space}{cell}" if is_number else f"  {cell}{space}"
        yield line.rstrip()


def _padding(text: str, size: int) -> str:
    return " " * (size - display_width(text))


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
_POWER = re.compile(r"(\d(?:\.\d+)?)e(-?\d+)")
_IN_LATEX = r"$\1 \\times 10^{\2}$"  # a power of ten


def _latex_row(row: Sequence[str]) -> str:
    r"""Return a row for LaTeX; braces before "[" or "*", which are arguments of \\ and \midrule."""
    text = " & ".join(map(_latex_cell, row))
    return f"{'{}' if text.lstrip().startswith(('[', '*')) else ''}{text} \\\\"


def _latex_cell(cell: str) -> str:
    """Return a cell for LaTeX; a number such as 7.6e-6 is written with a power of ten."""
    is_power = isinstance(cell, Number) and _POWER.fullmatch(cell)
    return _POWER.sub(_IN_LATEX, cell) if is_power else latex_text(_BREAKS.sub(" ", cell))


def latex_text(text: str) -> str:
    """Return what LaTeX typesets as this text, with Greek letters and minus signs as mathematics.

    So is a p-value such as "p = 7.6e-6". Other letters that are not ASCII stay: LaTeX reads UTF-8,
    and its fonts must have them.
    """
    written = _MINUS.sub("−", text).translate(_WRITTEN)  # noqa: RUF001
    written = re.sub("-(?=-)", "-{}", written)  # or two are a dash
    return re.sub(rf"(?<=p = ){_POWER.pattern}", _IN_LATEX, written)


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
