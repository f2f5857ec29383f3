"""Outputs of the CoNLL scorer that are refused, with the file and the line."""

import os
from pathlib import Path

from corpora.logs import save
from corpora.score_files import line, paths, printed
from extras import on_posix
from pairedperm.readers import read_conll
from refusals import asks, asks_alike, refusal, refuses


def put(text, name="scores.txt"):
    return save(Path(name), text)


def conll(one, two=None):
    return read_conll(put(one), put(one if two is None else two, "two.txt"))


def entry_in_bytes():
    put("1\n")
    (entry,) = os.scandir(b".")
    return entry


def pipe():
    os.mkfifo("pipe")
    return "pipe"


RUN = "Give all that `scorer.pl METRIC key response` prints."


@refuses
def test_files():
    read_conll("missing.txt", "missing.txt")
    # -> `path1` … missing.txt cannot be read: No such file or directory. Give the path of a log.
    read_conll(".", ".")
    # -> `path1` … . cannot be read: Is a directory. Give the path of a log.
    conll("")
    # -> `path1` … scores.txt is empty: at least one example is needed.
    read_conll(paths("muc")[0], b"scores.txt")
    # -> `path2` must be a path, str or os.PathLike, got b'scores.txt' (bytes). Name a file.
    read_conll(3, "scores.txt")
    # -> `path1` must be a path … got 3 (int)
    read_conll(entry_in_bytes(), "scores.txt")
    # -> `path1` … os.PathLike, got <DirEntry


test_a_pipe = on_posix(
    asks(
        refusal(
            lambda: read_conll(pipe(), "pipe"),
            *("path1", "pipe cannot be read: it is a pipe, no regular file: save its content"),
        )
    )
)

A, B = "(a); part 000", "(b); part 000"
ROWS = {A: [1, 3, 1, 4], B: [2, 3, 2, 2]}
TEXT = printed(ROWS)
ONE = [1, 2, 1, 2]
NAMES = "\x1b[31m(a)", "\0", "x" * 5000
MANY = printed({f"({k:02});": ONE for k in range(17)})
LACKS = ("lacks (00);, (01);, (02);, (03);, (04); and 11 more. Score both systems with the same",)


def edited(old, new=""):
    """What the scorer prints, with one change."""
    assert old in TEXT
    return conll(TEXT.replace(old, new))


@refuses
def test_conll():
    conll(TEXT[TEXT.index("\n====== TOTALS") :])
    # -> `path1` … has no documents,
    edited("(1 / 3)", "(nan / 3)")
    # -> `path1` … line 11: 'nan' is no number up to 2^53
    edited("Recall: (1 / 3)", "Coreference links: Recall: (1 / 3)")
    # -> `path1` … line 11: is of BLANC, which is no F1 of two ratios. Use another metric.
    conll(printed({A: ONE, "(c);": ONE}), printed({A: ONE, "(a); 1": ONE}))
    # -> `path1` … must have the same documents: … scores.txt lacks (a); 1; two.txt lacks (c); …
    #    Score both systems with the same key.


test_conll_alike = asks_alike(
    conll,
    "path1",
    ("1 2\n3 4\n", f"scores.txt has no documents, '====> NAME:' and their scores. {RUN}"),
    (
        TEXT.split("\n======")[0],
        "has no totals, '====== TOTALS =======' and 'Coreference:': is it cut off?",
        RUN,
    ),
    (TEXT.split("Coreference:")[0], "has no totals, ", "cut off?"),
    (
        TEXT[: TEXT.index(f"{B}:\nTotal")],
        f"line 13: {B} has no scores: is the file cut off? {RUN}",
    ),
    (
        TEXT.split("\tPrecision")[0],
        "line 11: is no 'Recall: (a / b) … Precision: (c / d) …': is the file cut off?",
        RUN,
    ),
    (f"{line(ONE)}{TEXT}", f"line 1: has scores, but of no document. {RUN}"),
    (TEXT * 2, "line 31: goes on after the totals. Give one run of one metric."),
    (f"{TEXT}\nMETRIC bcub:\n", "line 31: goes on after the totals"),
    (printed(ROWS, [3, 7, 3, 6]), "recall denominators are 7 in total, ", " is 6."),
    (printed(ROWS, [3, 6, 3.1, 6]), "precision numerators are 3.1 in total, ", " is 3."),
    (printed(ROWS, [3, 6, 3, 0]), "precision denominators are 0 in total, ", " is 6."),
    (printed({A: [0.1, 3, 1, 4]}, [0.10000000000001, 3, 1, 4]), "in total, ", " is 0.1."),
)

test_conll_in_rows = asks(
    refusal(lambda: edited(line(ROWS[A])), "path1", f"line 2: {A} has no scores: is the file"),
    refusal(lambda: edited(line(ROWS[B])), "path1", f"line 13: {B} has no scores"),
    refusal(lambda: edited(B, A), "path1", f"line 13: {A} occurs again, after line 2. {RUN}"),
    *(
        refusal(
            lambda number=number: edited("(1 / 3)", f"({number} / 3)"),
            *("path1", f"line 11: '{number}' is no number up to 2^53. {RUN}"),
        )
        for number in ("1,5", "1_000", "٣", "1e", "-Infinity", f"{2**53 + 2}")
    ),
    refusal(
        lambda: edited("(1 / 3)", "(0 / 3)"),
        *("path1", "line 28: recall numerators are 3 in total, but the documents' sum is 2. "),
        RUN,
    ),
    refusal(lambda: conll(MANY, printed({"(16);": ONE})), "path1", "two.txt ", *LACKS),
    refusal(lambda: conll(printed({"(16);": ONE}), MANY), "path1", "scores.txt ", *LACKS),
    *(  # any name of a document is shown
        refusal(lambda text=text: conll(text), "path1", "scores.txt, line ")
        for x in NAMES
        for text in (printed({x: ONE}) * 2, f"====> {x}:\n")
    ),
    *(
        refusal(lambda x=x: conll(printed({x: ONE}), printed({x + "(a)": ONE})), "path2", "lacks")
        for x in NAMES
    ),
)
