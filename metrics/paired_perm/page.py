"""The answer as HTML; all text that came from a visitor is escaped."""

from __future__ import annotations

import base64
import html
import io
from typing import Any

from answer import Answer
from limits import DRAWN

from pairedperm import BudgetError
from pairedperm.plots import plot_null_distribution

_STYLES = {
    True: ("good", "✓", "as it should be: "),
    False: ("look", "!", "look at this: "),
    None: ("open", "○", "not checked: "),
}


def escaped(text: str) -> str:
    """Escape a text, so that browsers and the page's own templates show it as it is."""
    found = html.escape(text, quote=True)
    for mark in "{}$`":
        found = found.replace(mark, f"&#{ord(mark)};")
    return found


def error_page(message: str) -> str:
    """Return the page of an error, with its whole message."""
    return (
        '<section class="pp error" role="alert"><h2>This cannot be compared</h2>'
        f"<p>{escaped(message)}</p></section>"
    )


def answer_page(answer: Answer) -> str:
    """Return the page of an answer: verdict, picture, checks and table."""
    first, *others = map(escaped, answer.sentences)
    checks = "".join(map(_check, answer.checks))
    rows = "".join(
        f'<tr><th scope="row">{escaped(what)}</th><td>{escaped(value)}</td></tr>'
        for what, value in answer.table
    )
    return (
        '<section class="pp" aria-labelledby="pp-answer">'
        f'<h2 id="pp-answer">{first}</h2><p>{" ".join(others)}</p>'
        f'<p class="p">{escaped(answer.p)}</p>'
        f'<div class="pictures">{_null(answer)}</div>'
        f'<h3>What was checked</h3><ul class="checks">{checks}</ul>'
        f'<h3>In figures</h3><div class="scrolls" tabindex="0" role="region" '
        f'aria-label="figures"><table>{rows}</table></div>'
        '<p class="small">p is the share of all ways of '
        "swapping the two systems' outputs, example "
        "by example, that give a difference at least as large. It is not the probability that the "
        "two are equally good.</p>"
        f"{_to_copy('Section for a model card', answer.section)}"
        f"{_to_copy('How to repeat it', answer.command)}</section>"
    )


def _to_copy(title: str, text: str) -> str:
    """Show a whole text with a button that copies it."""
    return (
        f'<div class="copied"><h3>{title}</h3><button type="button" class="copy" '
        f'aria-label="Copy: {title}">Copy</button>'
        f'<pre tabindex="0" role="region" aria-label="{title}">{escaped(text)}</pre></div>'
    )


def _check(check: Any) -> str:
    style, mark, words = _STYLES[check.is_good]
    return (
        f'<li class="{style}"><span aria-hidden="true">{mark}</span>'
        f'<span class="unseen">{words}</span>{escaped(check.text)}</li>'
    )


def _null(answer: Answer) -> str:
    title = "What chance alone would give"
    try:
        ax = plot_null_distribution(answer.result, budget=DRAWN)
    except BudgetError:
        return (
            f"<figure><h3>{title}</h3><p>The null distribution has too many points to draw here; p "
            "is not affected.</p></figure>"
        )
    _, difference = next(row for row in answer.table if row[0] == "difference")
    alt = (
        f"The distribution of the difference if outputs are swapped at random, with a line at the "
        f"observed difference, {difference}. The red part, at least as far from 0, is {answer.p}."
    )
    return _picture(ax, title, alt)


def _picture(ax: Any, title: str, alt: str) -> str:
    """Embed a drawing in the page, so that nothing is kept on disk."""
    drawn = io.BytesIO()
    ax.figure.savefig(drawn, format="svg", metadata={"Date": None})
    data = base64.b64encode(drawn.getvalue()).decode("ascii")
    return (
        f"<figure><h3>{title}</h3>"
        f'<img alt="{escaped(alt)}" src="data:image/svg+xml;base64,{data}"></figure>'
    )
