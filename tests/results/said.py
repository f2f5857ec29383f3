"""What results say: printed, in a paper's sentence, in Markdown and in LaTeX, and their keys."""

from collections.abc import Callable
from functools import partial

from corpora.results import LONG, RESULTS, result
from pairedperm import EquivalenceResult, PairedResult
from pairedperm.results.told import Number, Told, latex, text

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

MARKUP = "*a* \\* <b> &amp; [x](y) `c` ~~d~~ $e$ _f_ | g @h/i j/k#12 gh-3 https://l www.m"
LETTERS = "50% {x} #1 a\\b~c^d--e--- ∞≤≥≈√→×±· αβγδωΔΣµ− é語"
ANY = Told([*[MARKUP] * 3], [[MARKUP] * 3, ["[1]", "* 2", ""]], [f"So {MARKUP}."], "NO: it.")
IN_LATEX = {
    "any text": ANY,
    "letters and powers of ten": Told(
        [LETTERS, "p", "q"], [["1e-5", Number("7.6e-6", 0), "--"]] * 2, ["1e-5 has p = 3e-2172."]
    ),
}


def in_sentences(name: str) -> str:
    """In LaTeX."""
    names = {} if name == "examples" else {"name1": LETTERS, "name2": MARKUP, "dataset": "C&A_50%"}
    summary: str = result(name).summary(**names, latex=True)
    return summary


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
SAID |= {f"LaTeX of {name}": partial(latex, table) for name, table in IN_LATEX.items()}
SAID |= {
    f"LaTeX of {name}": partial(in_sentences, name)
    for name in ("exact", "bootstrap", "equivalence", "examples")
}
SAID |= {f"table of {name}": partial(text, table) for name, table in TABLES.items()}
