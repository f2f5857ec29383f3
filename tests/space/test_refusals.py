"""What the page refuses, in its own words."""

import re
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import limits
import pasted
from answer import Asked, of_files
from limits import Upload
from pasted import of_columns

from extras import on_posix
from pairedperm import InputError
from refusals import refuses
from space.uploads import HOSTILE, table

OF_PYTHON = re.compile(r"`|\w=|None|True|False|\((str|list)\)|/tmp/")


@contextmanager
def in_words():
    """No name or value of Python's is said, and no folder of this machine."""
    try:
        yield
    except InputError as error:
        message = str(error).replace(HOSTILE, "")
        assert OF_PYTHON.search(message) is None
        assert str(Path.cwd()) not in message
        raise


def boxes(one, two="", right="", **asked):
    return of_columns(one, two, right, Asked(**asked))


def labels(right="a\nb\nb", **asked):
    return boxes("a\nb\na", "b\nb\na", right, **asked)


def numbers(right="1\n0", **asked):
    return boxes("1\n0", "0\n0", right, **asked)


def uploaded(name, content):
    """Compare a file with a good one."""
    Path("upload").write_bytes(content.encode() if isinstance(content, str) else content)
    with in_words():
        return of_files(Upload("upload", name), table("b.jsonl", "score", [1]), None, Asked())


def answers(**asked):
    both = [table("a.jsonl", "prediction", ["x", "y"], reference=["x", "x"])] * 2
    with in_words():
        return of_files(*both, None, Asked(**asked))


def large():
    good = table("b.jsonl", "score", [1, 2, 3])
    return of_files(good, good, None, Asked())


def limited(name, most, call, module=limits):
    with patch.object(module, name, most):
        return call()


@refuses
def test_boxes():
    boxes("")
    # -> “Box A” is empty. Paste a line for each example.
    boxes("a\nb")
    # -> Box B is empty. Paste the answers of system B
    boxes('1\t"2\n3"\t4\t5')
    # -> “Box A”: line 2 has 3 columns, and line 1 has 2. Each line
    boxes("1\n2", "1\n2\n3")
    # -> Box A has 2 lines, and “Box B” has 3. Give one line
    boxes("1\n2", "1\nx")
    # -> “Box B”: line 2 is 'x', but without right answers a line must be
    boxes("0,5\n1,0", "0,7\n1,0")
    # -> “Box A”: line 1 is '0,5', but … a number such as 0.75. Write it with a decimal point
    boxes("acc\n50%", "acc\n60 %")
    # -> “Box A”: line 1 is 'acc', … Write it without the percent sign: 0.5 or 50 for 50%.
    boxes("acc\n1\n0", "acc\n0\n0")
    # -> “Box A”: line 1 is 'acc', … If it is the name of a column, remove it from all boxes.
    limited("MAX_PASTED", 3, lambda: boxes("1234", "1"), pasted)
    # -> A box holds 4 characters; at most 3 are read. Upload files.


@on_posix
@refuses
def test_files():
    uploaded("a.jsonl", "")
    # -> File A: a.jsonl is empty
    uploaded("a.parquet", "PAR1")
    # -> File A: a.parquet cannot be read
    uploaded("a.docx", "PK")
    # -> File A: a.docx is of no known format. Known formats
    uploaded("a.jsonl", '{"id": 0, "score": 1')
    # -> File A: a.jsonl, line 1: is no JSON
    uploaded("a.jsonl", b"\xff\xfe{")
    # -> File A: a.jsonl is no UTF-8 text
    uploaded("a.jsonl", '{"id": 7, "score": 1}')
    # -> leave these ids out, by “Leave out what does not match”.
    uploaded("a.jsonl", '{"id": 0, "bleu": 1}')
    # -> Name the column of predictions, under “More options”
    uploaded(f"{HOSTILE}.jsonl", "x")
    # -> File A: <img src=x onerror=alert(1)>.jsonl, line 1: is no JSON
    uploaded("../../etc/passwd.jsonl", "x")
    # -> File A: passwd.jsonl, line 1: is no JSON


@refuses
def test_limits():
    limited("MAX_BYTES", 10, large)
    # -> File A: A/b.jsonl would take more than 10 bytes, and no more are read. If you trust it,
    #    raise the limit, with the command on a machine of your own.
    of_files(*[Upload("gone.csv", "gone.csv")] * 2, None, Asked())
    # -> gone.csv is no longer here: … Upload it again


@refuses
def test_choices():
    labels(metric="f1")
    # -> “Label that counts” is missing: with “Average” 'binary'
    labels(metric="acuracy")
    # -> “Metric” must be one of 'accuracy' … got 'acuracy'. Did you mean “Metric” 'accuracy'?
    numbers(name1="x", name2="x")
    # -> Both systems are called 'x'. Give each a name
    numbers(better="lower")
    # -> “Better scores are” is only for scores
    numbers("", metric="bleu")
    # -> Metric 'bleu' needs right answers. Paste them too
    numbers(metric="mean_score")
    # -> Metric 'mean_score' takes no right answers. Empty
    numbers(metric="fbeta")
    # -> Beta (an option of the command only) is missing: metric 'fbeta' has no default
    numbers(metric="f1", average="macro", pos_label="1")
    # -> “Label that counts” is for “Average” 'binary', got '1' with “Average” 'macro'.
    numbers(metric="span_f1", pos_label="1")
    # -> no option of metric 'span_f1': leave it out, or choose
    numbers(metric="log_likelihood")
    # -> The column of system A must hold one number per example: example 1 of the column …
    #    To compare texts or labels
    numbers(metric="top_k_accuracy")
    # -> a list of labels per example, the best first, got single labels ('1').
    answers(name1="x", name2="x")
    # -> The name of system A and the name of system B are both 'x': name the two
    answers(better="lower")
    # -> “Better scores are” is for scores that were logged: for accuracy higher is better. Leave
    answers(columns=("id", "answer", "reference", "score", "group"))
    # -> a.jsonl has no column 'answer', under “More options”. It has 'id'
