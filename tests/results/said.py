"""What results say: printed, in a paper's sentence, in Markdown and in LaTeX."""

from functools import partial

from corpora.results import RESULTS, result
from pairedperm import EquivalenceResult, PairedBootstrapResult, PairedPermutationResult

IN_LATEX = ("exact", "no scores", "bootstrap", "equivalence", "gate", "board", "suite", "power")


def told(name: str) -> str:
    """All that a result says of itself."""
    found = result(name)
    texts = [str(found), found.to_markdown().rstrip()]
    if isinstance(found, (PairedPermutationResult, PairedBootstrapResult, EquivalenceResult)):
        texts.insert(1, found.summary("large", "small", dataset="dev"))
    if name in IN_LATEX:
        texts.append(found.to_latex().rstrip())
    return "\n\n".join(texts)


SAID = {name: partial(told, name) for name in RESULTS}
