"""What a reader sees of a table, in each form that it is written in."""

from __future__ import annotations

import html
import re
import unicodedata
from html.parser import HTMLParser

from markdown_it import MarkdownIt

SYMBOLS = {  # as LaTeX's manual lists them
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<",
    "textgreater": ">", "textbar": "|", "textasciigrave": "`", "infty": "∞", "leq": "≤",
    "geq": "≥", "approx": "≈", "surd": "√", "rightarrow": "→", "times": "×", "pm": "±",
    "cdot": "·",
}  # fmt: skip
Shown = tuple[list[list[str]], str]  # the rows, and the text below
TAGS = {"div", "table", "thead", "tbody", "tr", "th", "td", "p", "br", "strong"}
LATEX = re.compile(
    r"\\begin\{table\}\n\\centering\n\\small\n\\setlength\{\\tabcolsep\}\{4pt\}\n"
    r"\\begin\{tabular\}\{@\{\}([lr]*)@\{\}\}\n\\toprule\n(.*?)\n\\midrule\n(.*?)\\bottomrule\n"
    r"\\end\{tabular\}\n\\caption\{(.*)\}\n\\end\{table\}\n",
    re.DOTALL,
)


def typeset(latex: str) -> str:
    """What LaTeX shows; an error where it would stop, leave out or change a character."""
    shown, at = "", 0
    while at < len(latex):
        rest = latex[at:]
        if found := re.match(r"\\([%&_#${}])", rest):
            shown += found[1]
        elif found := re.match(r"\\(text[a-z]+)\{\}", rest):
            shown += SYMBOLS[found[1]]
        elif found := re.match(r"\$\\([A-Za-z]+)\$", rest):
            shown += SYMBOLS.get(found[1]) or greek(found[1])
        elif found := re.match(r"\$([\d.]+) \\times 10\^\{(-?\d+)\}\$", rest):
            shown += f"{found[1]}e{found[2]}"
        elif found := re.match(r"\$-\$", rest):
            shown += "−"
        elif found := re.match(r"-\{\}(?=-)|-(?!-)|[^-%&_#${}\\~^<>|`]", rest):
            shown += found[0][0]
        else:
            raise AssertionError(f"{rest[:20]!r} is not typeset as it is")
        at += len(found[0])
    return shown


def greek(name: str) -> str:
    case, letter = ("SMALL", name) if name.islower() else ("CAPITAL", name)
    return unicodedata.lookup(f"GREEK {case} LETTER {letter.upper().replace('LAMBDA', 'LAMDA')}")


def of_latex(latex: str) -> Shown:
    """The rows of a table that LaTeX typesets, its header first, and its caption."""
    whole = LATEX.fullmatch(latex)
    assert whole is not None
    columns, head, body, caption = whole.groups()
    rows = []
    for line in (head, *body.splitlines()):
        assert line.endswith(r" \\")
        assert not line.lstrip().startswith(("[", "*"))  # arguments of what is before
        cells = re.split(r"(?<!\\)&", line[:-3].removeprefix("{}"))
        rows.append([typeset(cell).replace("−", "-").strip() for cell in cells])
        assert len(cells) == len(columns)
    return rows, typeset(caption or "").replace("−", "-")


def of_markdown(text: str) -> Shown:
    """The rows of a table that Markdown shows, its header first, and the text below."""
    text = text.replace("&#8203;", "")  # nobody sees it
    return of_html(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text))


def references(text: str) -> list[str]:
    """What GitHub links in the text that Markdown shows: people, issues and pages."""
    shown = re.sub("<[^>]*>", "", MarkdownIt().enable("table").render(text))
    found = r"(?<!\w)@[a-z0-9]+|#\d+|\bGH-\d+|https?://|www\."
    return re.findall(found, html.unescape(shown), re.I | re.A)


class Page(HTMLParser):
    """The cells of a table and the text below it; an error at any other tag or attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.notes: list[str] = []
        self.into: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert {key for key, _ in attrs} <= {"class", "style", "border"}
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th", "p"):
            self.into = self.notes if tag == "p" else self.rows[-1]
            self.into.append("")

    def handle_endtag(self, tag: str) -> None:
        self.into = None if tag in ("td", "th", "p") else self.into

    def handle_data(self, data: str) -> None:
        if self.into is not None:
            self.into[-1] += data.replace("\xa0", " ")  # pandas keeps two spaces so


def of_html(text: str) -> Shown:
    """The rows of a table in HTML, its header first, and the text below."""
    page = Page()
    page.feed(text)
    page.close()
    return [[x.strip() for x in row] for row in page.rows], "".join(page.notes)
