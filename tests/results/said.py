"""What results say: printed, in a paper's sentence, in Markdown and in LaTeX, and their keys."""

from collections.abc import Callable
from functools import partial

from corpora.results import LONG, RESULTS, result
from pairedperm import EquivalenceResult, PairedResult
from pairedperm.results.told import Number, Told, text

OF_A_KIND = (
    *("exact", "no scores", "bootstrap", "equivalence", "gate", "gate of a suite"),
    *("board", "suite", "suites", "comparisons", "power", "bounds"),
)
HEADER = "task", "n", "system 1", "system 2", "difference", "adjusted p"
CELLS = [Number(x, None) for x in ("1,000", "61.2%", "58.0%", "3.2", "0.000132")]
TABLES = {
    "a line for a long name": Told(HEADER, [[LONG[k], *CELLS] for k in (0, 0, 4, 0)]),
    "names longer than a line": Told(
        ["task", "n"], [["語" * 50, "1"], [f"{'long' * 10}  {'name' * 12}", "1"]]
    ),
}


def said(name: str) -> str:
    """All that a result says of itself."""
    found = result(name)
    texts = [str(found), found.to_markdown().rstrip()]
    if isinstance(found, (PairedResult, EquivalenceResult)):
        texts.insert(1, found.summary("large", "small", dataset="dev"))
    if hasattr(found, "reason") and hasattr(found, "method"):
        texts.append(f"{found.method}: {found.reason}")
    if repr(found) not in texts:
        texts.append(repr(found))
    if name in OF_A_KIND:
        texts += [found.to_latex().rstrip()]
    return "\n\n".join(texts)


def keys(name: str) -> str:
    """Those of the result's dict, in their order."""
    return ", ".join(result(name).to_dict())


SAID: dict[str, Callable[[], str]] = {name: partial(said, name) for name in RESULTS}
SAID |= {f"keys of {name}": partial(keys, name) for name in OF_A_KIND}
SAID |= {f"table of {name}": partial(text, table) for name, table in TABLES.items()}
