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
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, get_args

CHECKOUT = Path(__file__).resolve().parents[2]
LIST = "pairedperm/scoring/__init__.py"

if __name__ == "__main__":
    sys.path.insert(0, str(CHECKOUT))

from pairedperm.scoring import MetricName, metrics  # noqa: E402
from pairedperm.scoring.metric import METRICS  # noqa: E402

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


class Reported(NamedTuple):
    """What the docstring of a metric says of its unit, which way is better, and how p is found."""

    unit: str
    better: str
    p: str


def reported(kind: Any) -> Reported:
    """By the last paragraph.

    Raises
    ------
    ValueError
        If there is none in this form.
    """
    found = _REPORTED.fullmatch(paragraphs(kind)[-1])
    if found is None:
        raise ValueError(f"{kind.__name__}: the last paragraph must be {_REPORTED.pattern}")
    return Reported(*found.groups())


_REPORTED = re.compile(
    r"Reported as a (share|percentage|number); (higher|lower) is better\. p is (.+)\."
)


def literals(kinds: Kinds) -> list[str]:
    return [f'    "{kind.name}",' for kind in kinds]


def imports(kinds: Kinds) -> list[str]:
    """With the families in their files; imports register metrics. The formatter leaves them so."""
    modules = {kind.__module__ for kind in kinds}
    bases = {base for kind in kinds for base in kind.__mro__[1:] if base.__module__ in modules}
    families = {base for base in bases if not base.__name__.startswith("_")}
    found = sorted((kind.__module__, kind.__name__) for kind in {*kinds, *families})
    return [f"from {module} import {name} as {name}" for module, name in found]


GUIDE = "examples/guide/which_test.md"


def table(kinds: Kinds) -> list[str]:
    """How p is found, the definition, and whether lower is better."""
    rows = ["| metric | p | score |", "|---|---|---|"]
    for kind in sorted(kinds, key=lambda kind: kind.name):
        _, better, p = reported(kind)
        first = re.sub(r" \(.*?\)", "", re.split(r": |\. ", p)[0])
        first += " or bounded by an interval" * ("digits an interval bounds p" in p)
        score = re.sub(r", as in [^,;]+$", "", paragraphs(kind)[0].removesuffix("."))
        lower = "; lower is better" * (better == "lower")
        rows.append(f"| `{kind.name}` | {first} | {score}{lower} |")
    return rows


LISTS = (
    Listing(LIST, "# classes:start", "# classes:end", imports),
    Listing(LIST, "# names:start", "# names:end", literals),
    Listing(GUIDE, "<!-- metrics:start -->", "<!-- metrics:end -->", table),
)


def main() -> None:
    for module in pkgutil.iter_modules(metrics.__path__):  # one may not be listed yet
        importlib.import_module(f"{metrics.__name__}.{module.name}")
    listed = get_args(MetricName)
    for listing in LISTS:
        path = CHECKOUT / listing.path
        text = path.read_text(encoding="utf-8")
        kinds = sorted(METRICS.values(), key=lambda kind: kind.name not in listed)  # new ones last
        written = listing.written(text, kinds)
        if written != text:
            path.write_text(written, encoding="utf-8")
            print(f"{listing.path}: written")


if __name__ == "__main__":
    main()
