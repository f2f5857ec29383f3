"""Score files of the CoNLL coreference scorer: the real ones, and texts as it prints them."""

from pathlib import Path

DATA = Path(__file__).parents[2] / "examples" / "data" / "conll_coref"


def paths(metric):
    return tuple(DATA / f"{metric}.system{k}.txt" for k in (1, 2))


def printed(documents, totals=None, head="version: 8.01 CorScorer.pm\n"):
    """What the scorer prints for rows by name."""
    totals = totals or [sum(column) for column in zip(*documents.values(), strict=True)]
    text = head
    for name, row in documents.items():
        listing = f"====> {name}:\nFile {name}:\nEntity 0: (0,1) (3,6)\n"
        text += f"{listing}{listing}{name}:\nTotal key mentions: 6\nInvented: 0\n{line(row)}"
    mentions = line([1, 2, 1, 3])
    return f"{text}\n====== TOTALS =======\nIdentification of Mentions: {mentions}" + (
        f"Coreference: {line(totals)}"
    )


def line(row):
    a, b, c, d = (f"{x:.15g}" for x in row)
    return f"Recall: ({a} / {b}) 1.5%\tPrecision: ({c} / {d}) 100%\tF1: 3%\n{'-' * 74}\n"
