"""Calls that read the score files of other programs."""

import json

from answers.answer import Call
from pairedperm import aggregators, gate, paired_permutation_test, readers

DOCUMENT = "====> ({}); part 000:\nRecall: ({} / {}) 1%\tPrecision: ({} / {}) 1%\tF1: 1%\n"
TOTALS = (
    "\n====== TOTALS =======\nCoreference: Recall: ({} / {}) 1%\tPrecision: ({} / {}) 1%\tF1: 1%\n"
)


def written(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def art(folder, one="2 3\n1 1\n0 2\n", two="1 3\n1 2\n2 2\n"):
    return readers.read_art(written(folder, "1.txt", one), written(folder, "2.txt", two))


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


def delimited(folder, text, **options):
    return readers.read_paired_perm_test(written(folder, "x.csv", text), **options)


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
    files("read_art", art),
    files("read_art of one column", art, "1\n2\n3\n", "0.5\n2\n1e1\n"),
    files("read_art of other shapes", art, "1 2\n", "1 2\n3 4\n"),
    files("read_art of a word", art, "1 x\n", "1 2\n"),
    files("read_art of nothing", art, "", "1\n"),
    files(
        "test of read_art",
        lambda folder: paired_permutation_test(
            *art(folder), score=aggregators.enum_sum_div_by_denom_sum
        ),
    ),
    files("read_conll", conll),
    files("read_conll of decimals", conll, decimals=True),
    files("read_art of an integer beyond int64", art, "9223372036854775808\n", "1\n"),
    files("read_art of infinity", art, "inf\n", "1\n"),
    files("read_art of other lengths", art, "1 2\n3\n", "1 2\n3 4\n"),
    files("read_art of a blank line", art, "1\n\n2\n", "1\n1\n2\n"),
    files("read_conll of scores", lambda folder: readers.read_conll(*(plain(folder),) * 2)),
    files("read_paired_perm_test of a header", delimited, "a,b\n"),
    files("read_paired_perm_test by 7", delimited, "1,2\n", delimiter=7),
    files("read_art of a number", lambda folder: readers.read_art(7, folder)),
    files("read_conll, totals that do not fit", conll, totals=[1, 2, 3, 4]),
    files("read_art of no file", lambda folder: readers.read_art(folder / "no", folder / "none")),
    files("read_paired_perm_test", delimited, "tp1,in1,tp2,in2\n3,0,2,1\n1,2,1,3\n"),
    files("read_paired_perm_test of tabs", delimited, "1\t0\n1\t1\n0\t1\n"),
    files("read_paired_perm_test by a delimiter", delimited, "1;0\n1;1\n", delimiter=";"),
    files("read_paired_perm_test of odd columns", delimited, "1,2,3\n"),
    files("read_paired_perm_test of a short line", delimited, "1,2\n1\n"),
]
