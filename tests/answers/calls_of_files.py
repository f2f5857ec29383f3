"""Calls that read tables, and the output of the CoNLL scorer."""

import json

from answers.answer import Call
from answers.package import gate, readers

DOCUMENT = "====> ({}); part 000:\nRecall: ({} / {}) 1%\tPrecision: ({} / {}) 1%\tF1: 1%\n"
TOTALS = (
    "\n====== TOTALS =======\nCoreference: Recall: ({} / {}) 1%\tPrecision: ({} / {}) 1%\tF1: 1%\n"
)


def written(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def conll(folder, *, decimals=False, totals=None):
    documents = [("b", [1, 3, 1, 2]), ("a", [2, 2, 2, 4]), ("c", [0, 1, 0, 3])]
    if decimals:
        documents.append(("d", [2.83333333333333, 3, 2.5, 4]))
    sums = totals or [f"{sum(x):.15g}" for x in zip(*(row for _, row in documents), strict=True)]
    texts = [DOCUMENT.format(name, *row) for name, row in documents]
    paths = [
        written(folder, f"{k}.txt", "".join(order) + TOTALS.format(*sums))
        for k, order in enumerate((texts, texts[::-1]))
    ]
    return readers.read_conll(*paths)


def plain(folder):
    return written(folder, "plain.txt", "1 2\n")


ROWS = [(3, 0.5, "a"), (1, 0.25, "a"), (2, 1.0, "b"), (4, 0.75, "b")]


def table(folder, name, rows):
    lines = [json.dumps({"id": key, "score": x, "group": g}) for key, x, g in rows]
    return written(folder, name, "\n".join(lines))


def logs(folder, one=ROWS, two=ROWS[:0:-1] + ROWS[:1], ask=str, **options):
    better = [(key, x + 0.25, g) for key, x, g in two]
    paths = table(folder, "one.jsonl", one), table(folder, "two.jsonl", better)
    return ask(readers.read_runs(*paths, **options))


def files(name, function, *arguments, **options):
    return Call(name, lambda folder: function(folder, *arguments, **options), in_folder=True)


CALLS = [
    files("read_runs", logs),
    files("read_runs, compared", logs, ask=lambda runs: runs.compare()),
    files("read_runs, a gate", logs, ask=lambda runs: gate(runs.compare()).to_dict()),
    files("read_runs, an id that is missing", logs, one=ROWS[:3]),
    files("read_runs, an id that is dropped", logs, one=ROWS[:3], on_missing="drop"),
    files("read_runs by another id", logs, id="key"),
    files("read_conll", conll),
    files("read_conll of decimals", conll, decimals=True),
    files("read_conll of scores", lambda folder: readers.read_conll(*(plain(folder),) * 2)),
    files("read_conll, totals that do not fit", conll, totals=[1, 2, 3, 4]),
]
