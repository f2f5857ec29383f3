"""Write the lists of all metrics, in code and in documentation, from the metrics themselves.

    python tests/scoring/metric_lists.py

A list in `LISTS` stands between two marks, of which what is there already is kept.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

CHECKOUT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(CHECKOUT))

from pairedperm.scoring import metrics  # noqa: E402
from pairedperm.scoring.metric import METRICS  # noqa: E402

WIDTH = 100
Kinds = Iterable[Any]  # classes of metrics


class Listing(NamedTuple):
    """A list of metrics in a file."""

    path: str
    start: str
    """A pattern of what stands before the list, to the end of its line."""
    end: str
    """A pattern of what stands behind it, from the start of its line."""
    write: Callable[[Kinds], list[str]]
    """The list's lines."""

    def written(self, text: str, kinds: Kinds) -> str:
        """The file's text with the list in it."""
        pattern = rf"((?:{self.start})\n)(.*?)(^ *(?:{self.end}))"
        lines = "".join(f"{line}\n" for line in self.write(kinds))
        found, n = re.subn(
            pattern, lambda m: f"{m[1]}{lines}{m[3]}", text, flags=re.DOTALL | re.MULTILINE
        )
        if n != 1:
            raise ValueError(f"{self.path} has {n} lists between {self.start!r} and {self.end!r}")
        return found


def paragraphs(kind: Any) -> list[str]:
    """The paragraphs of a metric's docstring, each in one line, without sections."""
    text = inspect.cleandoc(vars(kind).get("__doc__") or "")
    before_sections = re.split(r"\n\n[^\n]+\n---", text)[0]
    return [" ".join(paragraph.split()) for paragraph in before_sections.split("\n\n")]


def summary(kind: Any) -> str:
    """The first paragraph, as it goes on after a colon."""
    return _uncapitalised(paragraphs(kind)[0])


def _uncapitalised(text: str) -> str:
    """Without the first word's capital, if it has no other and is no symbol, such as F1."""
    word = text.split(" ")[0]
    return text[:1].lower() + text[1:] if word.isalpha() and word[1:].islower() else text


def _wrapped(text: str, indent: int, hanging: int = 0, width: int = WIDTH) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hanging),
        break_long_words=False,
        break_on_hyphens=False,
    )


def literals(kinds: Kinds) -> list[str]:
    return [f'    "{kind.name}",' for kind in kinds]


def in_short(kinds: Kinds) -> list[str]:
    found = [_wrapped(f"'{kind.name}': {summary(kind)}", 8, 4) for kind in kinds]
    return [line for lines in found for line in lines]


def bullets(kinds: Kinds) -> list[str]:
    found = [_wrapped(f'- `"{kind.name}"`: {summary(kind)}', 2, 2) for kind in kinds]
    return [line for lines in found for line in lines]


def imports(kinds: Kinds) -> list[str]:
    """With their families, as the formatter sorts them; they register when imported."""
    families = {base for kind in kinds for base in kind.__mro__[1:] if _is_family(base)}
    found = sorted((kind.__module__, kind.__name__) for kind in {*kinds, *families})
    return [f"from {module} import {name} as {name}" for module, name in found]


def _is_family(kind: Any) -> bool:
    return kind.__module__.startswith(metrics.__name__) and not kind.__name__.startswith("_")


def names_and_objects(kinds: Kinds) -> list[str]:
    text = f"{', '.join(kind.name for kind in kinds)}; or an object such as `pairedperm.scoring.F1`"
    return _wrapped(f"{text}, whose help says what it is and which options it has.", 8, width=80)


def names(kinds: Kinds) -> list[str]:
    *others, last = (f"`{kind.name}`" for kind in kinds)
    return _wrapped(f"{', '.join(others)} and {last}: `help(pairedperm.scoring.F1)` says more.", 0)


_MARKDOWN = "<!-- metrics:start -->", "<!-- metrics:end -->"
LISTS = (
    Listing("pairedperm/scoring/metric.py", "# metrics:start", "# metrics:end", literals),
    Listing("pairedperm/scoring/__init__.py", "# metrics:start", "# metrics:end", imports),
    Listing(
        "pairedperm/comparison/compare.py",
        "    metric : str or Metric",
        "test : ",
        names_and_objects,
    ),
    *(
        Listing(
            f"metrics/{module}/{module}.py", r"'accuracy' without one\.", r"average \(", in_short
        )
        for module in ("paired_perm", "paired_bootstrap")
    ),
    Listing("metrics/paired_perm/README.md", *_MARKDOWN, bullets),
    Listing("README.md", *_MARKDOWN, names),
)


def main() -> None:
    for module in pkgutil.iter_modules(metrics.__path__):  # one may not be listed yet
        importlib.import_module(f"{metrics.__name__}.{module.name}")
    for listing in LISTS:
        path = CHECKOUT / listing.path
        text = path.read_text(encoding="utf-8")
        written = listing.written(text, list(METRICS.values()))
        if written != text:
            path.write_text(written, encoding="utf-8")
            print(f"{listing.path}: written")


if __name__ == "__main__":
    main()
