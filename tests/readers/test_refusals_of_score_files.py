"""Score files of other programs that are refused, with the file and the line."""

import os
import socket
from pathlib import Path

from corpora.logs import save
from corpora.score_files import line, paths, printed
from extras import on_posix
from pairedperm.readers import read_art, read_conll, read_paired_perm_test
from refusals import asks, asks_alike, refusal, refuses


def put(text, name="scores.txt"):
    return save(Path(name), text)


def art(one, two=None):
    return read_art(put(one), put(one if two is None else two, "two.txt"))


def conll(one, two=None):
    return read_conll(put(one), put(one if two is None else two, "two.txt"))


def halves(text, *delimiter):
    return read_paired_perm_test(put(text), *delimiter)


def entry_in_bytes():
    put("1\n")
    (entry,) = os.scandir(b".")
    return entry


def pipe():
    os.mkfifo("pipe")
    return "pipe"


def link():
    Path("link").symlink_to(pipe())
    return "link"


def bound():
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
    return "socket"


ART = "Each line holds one document's numbers, split at white space. Remove a header."
CLOSE = "Close each quote, and double one inside quotes."
SPLIT = "Columns are split at ','; give another `delimiter` if that is wrong."
RUN = "Give all that `scorer.pl METRIC key response` prints."
MOST, LEAST = f"{2**63}", f"{-(2**63) - 1}"


@refuses
def test_files():
    read_art("missing.txt", "missing.txt")
    # -> `path1` … missing.txt cannot be read: No such file or directory. Give the path of UTF-8
    read_paired_perm_test(".")
    # -> `path` … . cannot be read: Is a directory. Give the path of UTF-8 text.
    read_conll("a\0b", "a\0b")
    # -> `path1` … a\x00b cannot be read: … null
    read_art("\x1b[31m", "")
    # -> `path1` … \x1b[31m cannot be read:
    read_art("\ud800", "")
    # -> `path1` … cannot be read:
    read_art("x" * 5000, "")
    # -> `path1` … xxx…xxx … x cannot be read:
    art("1 2\n".encode("utf-16"))
    # -> `path1` … scores.txt cannot be read: 'utf-8' codec can't … Give the path of UTF-8 text
    art("")
    # -> `path1` … scores.txt is empty: at least one example is needed.
    conll("\n \n")
    # -> `path1` … scores.txt is empty: at least one example
    halves("\ufeff")
    # -> `path` … scores.txt is empty: at least one example
    read_conll(paths("muc")[0], b"scores.txt")
    # -> `path2` must be a path, str or os.PathLike, got b'scores.txt' (bytes). Name a file.
    read_paired_perm_test(3)
    # -> `path` must be a path … got 3 (int)
    read_paired_perm_test(entry_in_bytes())
    # -> `path` … os.PathLike, got <DirEntry


test_no_regular_files = on_posix(
    asks(
        refusal(
            lambda: read_art(pipe(), "pipe"),
            *("path1", "pipe cannot be read: it is a pipe, no regular file: save its content"),
        ),
        refusal(lambda: read_conll(link(), "pipe"), "path1", "link cannot be read: it is a pipe"),
        refusal(lambda: read_paired_perm_test(bound()), "path", "it is a socket, no regular file"),
        refusal(lambda: read_art(os.devnull, ""), "path1", "it is a device, no regular file"),
    )
)


@refuses
def test_art():
    art("1", "x")
    # -> `path2` … two.txt, line 1: 'x' is no number
    art("1 2\n3 4\n", "1 2\n")
    # -> `path1` … `path2` are paired line by line, but scores.txt has 2 lines of 2 numbers, and …
    #    two.txt has 1 of 2. … Score the same corpus
    art("1 2\n3 4\n", "1\n2\n")
    # -> `path2` … scores.txt has 2 … two.txt has 2 of 1


test_art_in_rows = asks_alike(
    art,
    "path1",
    ("1 2\n3 4\n5 6 7\n", f"line 3: has 3 columns, line 1 has 2. {ART}"),
    ("1 2\n\n5 6\n", f"line 2: is blank. {ART}"),
    ("\n5 6\n", "line 1: is blank."),
    ("1\nabc\n", f"scores.txt, line 2: 'abc' is no number. {ART}"),
    ("1,2\n", f"line 1: '1,2' is no number: write a decimal point, not a comma. {ART}"),
    ("1,2,3\n", f"line 1: '1,2,3' is no number. {ART}"),
    ("1_000\n", "line 1: '1_000' is no number"),
    ("٣\n", "line 1: '٣' is no number"),
    ("0x10\n", "line 1: '0x10' is no number"),
    ("1e\n", "line 1: '1e' is no number"),
    ("1\n2\nnan\n", "line 3: 'nan' is no finite number. Score it, or drop"),
    ("-Infinity\n", "line 1: '-Infinity' is no finite number"),
    ("1e999\n", "line 1: '1e999' is no finite number"),
    (f"1\n{MOST}\n", f"line 2: '{MOST}' is an integer beyond int64. Divide by a unit."),
    (f"{LEAST}\n", f"line 1: '{LEAST}' is an integer beyond"),
    ("9" * 5000, "line 1: '999", "...", "999' is an integer beyond"),
    (
        f"0.5\n{2**53 + 1}",
        f"scores.txt has {2**53 + 1} among decimals, which is no exact float. Divide",
    ),
)


@refuses
def test_paired_perm_test():
    halves("1,0", "   ")
    # -> `delimiter` must be a character such as ',', or None to detect it, got ' ' (str).


test_paired_perm_test_in_rows = asks_alike(
    halves,
    "path",
    ("a,b\n", f"scores.txt has no numbers. {SPLIT}"),
    ("1,0\n1,0,1\n", f"line 2: has 3 columns, line 1 has 2. {SPLIT}"),
    ("a,b,c\n1,0\n", "line 2: has 2 columns, line 1 has 3"),
    ("1,0\n\n1,1\n", "line 2: is blank. Columns"),
    ("\n1,1\n", "line 1: is blank. Columns"),
    ("a,b\n1,0\nc,d\n", "line 3: 'c' is no number"),
    ("1,0\n1,\n", "line 2: '' is no number"),
    ("1,b\n1,0\n", "line 1: 'b' is no number"),
    ("nan,nan\n1,0\n", "line 1: 'nan' is no finite number"),
    ("1;0\n0;1\n", f"line 2: '0;1' is no number. {SPLIT}"),
    ("1\n0\n", f"scores.txt has an odd number of columns, 1, for two systems. {SPLIT}"),
    (
        'a,b\n1,"1,5"\n',
        f"line 2: '1,5' is no number: write a decimal point, not a comma. {SPLIT}",
    ),
    ('1,"0""5"\n', "line 1: '0\"5' is no number. Columns"),
    ('1,5"\n', "line 1: '5\"' is no number"),
    ('1,0\n1,"0\n1,1\n', f"line 2: is no line of CSV: unexpected end of data. {CLOSE}"),
    ('1,0\n1,"0\n"1",1\n', "line 2: is no line of CSV: ", CLOSE),
    (
        '1,"0\n",1\n',
        f"line 1: is no line of CSV: a quote is not closed in its line. {CLOSE}",
    ),
    ('1,0\n"1"5,0\n', f"""line 2: is no line of CSV: ',' expected after '"'. {CLOSE}"""),
    ('"1"5\t0\n', "line 1: is no line of CSV: '\\t' expected after"),
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
    # -> `path1` … line 11: 'nan' is no finite number
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
    refusal(lambda: edited("(1 / 3)", "(x / 3)"), "path1", f"line 11: 'x' is no number. {RUN}"),
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
        for text in (printed({x: ONE}) * 2, f"====> {x}:\n", f"====> {x}:\n{line(ONE)}\n" * 2)
    ),
    *(
        refusal(lambda x=x: conll(printed({x: ONE}), printed({x + "(a)": ONE})), "path2", "lacks")
        for x in NAMES
    ),
)
