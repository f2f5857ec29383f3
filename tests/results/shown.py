"""What a reader sees of a table, in each form that it is written in."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

from markdown_it import MarkdownIt

Shown = tuple[list[list[str]], str]  # the rows, and the text below
TAGS = {"div", "table", "thead", "tbody", "tr", "th", "td", "p", "br", "strong"}


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
