"""Score files that are refused, with the file and the line."""

import os
import socket
import time

import pytest

from corpora.score_files import line, paths, printed
from extras import on_posix
from pairedperm import InputError
from pairedperm.readers import read_art, read_conll, read_paired_perm_test

A, B = "(a); part 000", "(b); part 000"
READERS = [
    lambda path: read_art(path, path),
    lambda path: read_conll(path, path),
    read_paired_perm_test,
]


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="scores.txt"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write_file


@pytest.mark.parametrize("reader", READERS)
def test_no_file(reader, tmp_path, write):
    missing = tmp_path / "missing.txt"
    with pytest.raises(InputError, match=r"`path1?`: .*missing\.txt cannot be read: No such file"):
        reader(missing)
    with pytest.raises(InputError, match=r"cannot be read: Is a directory\. Give the path of UTF"):
        reader(os.fspath(tmp_path))
    with pytest.raises(InputError, match=r"cannot be read: .*embedded null"):
        reader("a\0b")
    with pytest.raises(InputError, match=r"scores\.txt cannot be read: 'utf-8' codec can't"):
        reader(write("1 2\n".encode("utf-16")))
    for empty in ("", "\n \n", "\ufeff"):
        with pytest.raises(InputError, match=r"scores\.txt is empty: at least one example"):
            reader(write(empty))
    for other in (3, None, b"scores.txt", [1, 2]):
        with pytest.raises(InputError, match=r"`path1?` must be a path, str or os\.PathLike, got"):
            reader(other)


@on_posix
@pytest.mark.parametrize("reader", READERS)
def test_no_regular_file(reader, tmp_path, monkeypatch):
    """It is looked at before it is opened: a pipe without a writer would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
    for path, kind in (
        (tmp_path / "pipe", "pipe"),
        (tmp_path / "link", "pipe"),
        ("socket", "socket"),
        (os.devnull, "device"),
    ):
        message = rf"`path1?`: .* cannot be read: it is a {kind}, no regular file: save its content"
        with pytest.raises(InputError, match=message):
            reader(path)


@on_posix
def test_a_link_to_a_file(write, tmp_path):
    (tmp_path / "link").symlink_to(write("1,0\n"))
    assert read_paired_perm_test(tmp_path / "link")[0].tolist() == [1]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("path", ["a\0b", "\x1b[31m", "\ud800", "x" * 5000, "y/" * 5000])
def test_messages_show_any_path(reader, path):
    with pytest.raises(InputError, match=r"^`path1?`: .* cannot be read: ") as caught:
        reader(path)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message.encode()) < 500


@pytest.mark.parametrize("reader", READERS)
def test_a_path_in_bytes(reader, tmp_path, write):
    write("1 2\n")
    with os.scandir(os.fsencode(tmp_path)) as found:
        (entry,) = found
    with pytest.raises(InputError, match=r"`path1?` must be a path, str or os\.PathLike, got <"):
        reader(entry)


@pytest.mark.parametrize("field", ["1" * 100_000 + "e", "1." + "1" * 100_000 + "e", "1" * 100_000])
def test_fields_of_many_digits(write, field):
    """In linear time."""
    start = time.perf_counter()
    with pytest.raises(InputError, match=r"line 1: '1.*' is (no number|an integer beyond int64)"):
        read_art(*[write(field)] * 2)
    assert time.perf_counter() - start < 1.0


def test_lines_of_many_brackets(write):
    """In linear time."""
    start = time.perf_counter()
    for text in ("(" + ");" * 50_000, "Recall: (1 / 1) " + "Precision:(" * 9_000):
        with pytest.raises(InputError, match=r"scores\.txt"):
            read_conll(*[write(f"====> a:\n{text}")] * 2)
    assert time.perf_counter() - start < 1.0


ART = r"Each line holds one document's numbers, split at white space\. Remove a header\."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2\n3 4\n5 6 7\n", rf"line 3: has 3 columns, line 1 has 2\. {ART}"),
        ("1 2\n\n5 6\n", r"line 2: is blank\. Each line holds"),
        ("\n5 6\n", r"line 1: is blank\. Each line holds"),
        ("1\nabc\n", rf"scores\.txt, line 2: 'abc' is no number\. {ART}"),
        ("recall\n1\n", rf"line 1: 'recall' is no number\. {ART}"),
        ("1,2\n", rf"line 1: '1,2' is no number: write a decimal point, not a comma\. {ART}"),
        ("1,2,3\n", rf"line 1: '1,2,3' is no number\. {ART}"),
        ("1_000\n", r"line 1: '1_000' is no number"),
        ("٣\n", r"line 1: '٣' is no number"),
        ("0x10\n", r"line 1: '0x10' is no number"),
        ("1e\n", r"line 1: '1e' is no number"),
        ("1\n2\nnan\n", r"line 3: 'nan' is no finite number\. Score it, or drop it\."),
        ("-Infinity\n", r"line 1: '-Infinity' is no finite number"),
        ("1e999\n", r"line 1: '1e999' is no finite number"),
        (f"1\n{2**63}\n", r"line 2: '9223372036854775808' is an integer beyond int64\. Divide"),
        (f"{-(2**63) - 1}\n", r"line 1: '-9223372036854775809' is an integer beyond int64"),
        ("9" * 5000, r"line 1: '9+\.\.\.9+' is an integer beyond int64"),
        (
            f"0.5\n{2**53 + 1}",
            r"scores\.txt has 9007199254740993 among decimals, which is no exact float\.",
        ),
    ],
)
def test_art_lines(write, text, message):
    with pytest.raises(InputError, match=message):
        read_art(*[write(text)] * 2)


def test_art_second_file_is_named(write):
    with pytest.raises(InputError, match=r"`path2`: .*two, line 1: 'x' is no number"):
        read_art(write("1", "one"), write("x", "two"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2\n", r"one has 2 lines of 2 numbers, .*two has 1 of 2\. Score the same corpus"),
        (
            "1\n2\n",
            r"`path1` and `path2` are paired line by line, but .*one has 2 .*two has 2 of 1\.",
        ),
    ],
)
def test_art_shapes(write, text, message):
    with pytest.raises(InputError, match=message):
        read_art(write("1 2\n3 4\n", "one"), write(text, "two"))


CLOSE = r"Close each quote, and double one inside quotes\."
SPLIT = r"Columns are split at ','; give another `delimiter` if that is wrong\."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n", rf"scores\.txt has no numbers\. {SPLIT}"),
        ("1,0\n1,0,1\n", rf"line 2: has 3 columns, line 1 has 2\. {SPLIT}"),
        ("a,b,c\n1,0\n", r"line 2: has 2 columns, line 1 has 3"),
        ("1,0\n\n1,1\n", r"line 2: is blank\. Columns"),
        ("\n1,1\n", r"line 1: is blank\. Columns"),
        ("a,b\n1,0\nc,d\n", r"line 3: 'c' is no number"),
        ("1,0\n1,\n", r"line 2: '' is no number"),
        ("1,b\n1,0\n", r"line 1: 'b' is no number"),
        ("nan,nan\n1,0\n", r"line 1: 'nan' is no finite number"),
        ("1;0\n0;1\n", rf"line 2: '0;1' is no number\. {SPLIT}"),
        ("1\n0\n", rf"scores\.txt has an odd number of columns, 1, for two systems\. {SPLIT}"),
        ("1,2,3\n", r"has an odd number of columns, 3, for"),
        (f"1,{2**63}\n", r"line 1: '9223372036854775808' is an integer beyond int64"),
        (
            'a,b\n1,"1,5"\n',
            rf"line 2: '1,5' is no number: write a decimal point, not a comma\. {SPLIT}",
        ),
        ('1,"0""5"\n', r"""line 1: '0"5' is no number\. Columns"""),
        ('1,5"\n', r"""line 1: '5"' is no number"""),
        ('1,0\n1,"0\n1,1\n', rf"line 2: is no line of CSV: unexpected end of data\. {CLOSE}"),
        ('1,0\n1,"0\n"1",1\n', rf"line 2: is no line of CSV: .*\. {CLOSE}"),
        ('1,"0\n",1\n', rf"line 1: is no line of CSV: a quote is not closed in its line\. {CLOSE}"),
        ('1,"0', rf"line 1: is no line of CSV: unexpected end of data\. {CLOSE}"),
        ('1,0\n"1"5,0\n', rf"line 2: is no line of CSV: ',' expected after '\"'\. {CLOSE}"),
    ],
)
def test_paired_perm_test(write, text, message):
    with pytest.raises(InputError, match=message):
        read_paired_perm_test(write(text))


def test_quotes_between_tabs(write):
    with pytest.raises(
        InputError, match=r"line 1: is no line of CSV: '\\t' expected after"
    ) as caught:
        read_paired_perm_test(write('"1"5\t0\n'))
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("delimiter", ["", 3, b",", "::", "\n", "\r", '"', "   "])
def test_delimiter(write, delimiter):
    with pytest.raises(
        InputError, match=r"`delimiter` must be a character such as ',', or None to detect it, got"
    ):
        read_paired_perm_test(write("1,0"), delimiter)


ROWS = {A: [1, 3, 1, 4], B: [2, 3, 2, 2]}
TEXT = printed(ROWS)
RUN = r"Give all that `scorer\.pl METRIC key response` prints\."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2\n3 4\n", rf"scores\.txt has no documents, '====> NAME:' and their scores\. {RUN}"),
        (TEXT[TEXT.index("\n====== TOTALS") :], r"has no documents, "),  # of the name "none"
        (TEXT.split("\n======")[0], rf"has no totals, '====== TOTALS =======' and .*\? {RUN}"),
        (TEXT.split("Coreference:")[0], r"has no totals, .* and 'Coreference:': is it cut off\?"),
        (TEXT[: TEXT.index(f"{B}:\nTotal")], r"line 13: \(b\); part 000 has no scores: is the fil"),
        (TEXT.replace(line(ROWS[A]), ""), rf"line 2: \(a\); part 000 has no scores: .*\? {RUN}"),
        (TEXT.replace(line(ROWS[B]), ""), r"line 13: \(b\); part 000 has no scores"),
        (
            TEXT.split("\tPrecision")[0],
            rf"line 11: is no 'Recall: \(a / b\) … Precision: \(c / d\) …': is the .*\? {RUN}",
        ),
        (f"{line([1, 2, 1, 2])}{TEXT}", rf"line 1: has scores, but of no document\. {RUN}"),
        (TEXT.replace(B, A), r"line 13: \(a\); part 000 occurs again, after line 2\. Give"),
        (TEXT * 2, r"line 31: goes on after the totals\. Give one run of one metric\."),
        (f"{TEXT}\nMETRIC bcub:\n", r"line 31: goes on after the totals"),
        (TEXT.replace("(1 / 3)", "(nan / 3)"), r"line 11: 'nan' is no finite number"),
        (TEXT.replace("(1 / 3)", "(x / 3)"), rf"line 11: 'x' is no number\. {RUN}"),
        (
            TEXT.replace("Recall: (1 / 3)", "Coreference links: Recall: (1 / 3)"),
            r"line 11: is of BLANC, which is no F1 of two ratios\. Use another metric\.",
        ),
        (
            TEXT.replace("(1 / 3)", "(0 / 3)"),
            rf"line 28: recall numerators are 3 in total, but the documents' sum is 2\. {RUN}",
        ),
        (printed(ROWS, [3, 7, 3, 6]), r"recall denominators are 7 in total, .* is 6\."),
        (printed(ROWS, [3, 6, 3.1, 6]), r"precision numerators are 3\.1 in total, .* is 3\."),
        (printed(ROWS, [3, 6, 3, 0]), r"precision denominators are 0 in total, .* is 6\."),
        (printed({A: [0.1, 3, 1, 4]}, [0.10000000000001, 3, 1, 4]), r"in total, .* is 0\.1\."),
    ],
)
def test_conll(write, text, message):
    with pytest.raises(InputError, match=message):
        read_conll(*[write(text)] * 2)


def test_conll_documents_differ(write):
    one = write(printed({A: [1, 2, 1, 2], "(c); part 000": [1, 2, 1, 2]}), "one")
    two = write(printed({A: [1, 2, 1, 2], "(a); part 001": [1, 2, 1, 2]}), "two")
    message = r"must have the same doc.*one lacks \(a\); part 001; .*two lacks \(c\); part 000\. Sc"
    with pytest.raises(InputError, match=message):
        read_conll(one, two)
    many = write(printed({f"({k:02});": [1, 2, 1, 2] for k in range(17)}), "many")
    few = write(printed({"(16);": [1, 2, 1, 2]}), "few")
    message = r"documents: .*few lacks \(00\);, \(01\);, \(02\);, \(03\);, \(04\); and 11 more\. Sc"
    with pytest.raises(InputError, match=message):
        read_conll(many, few)
    with pytest.raises(InputError, match=message):
        read_conll(few, many)


@pytest.mark.parametrize("name", ["\x1b[31m(a)", "\0", "x" * 5000])
def test_messages_show_any_document(write, name):
    one = [write(printed({name: [1, 2, 1, 2]}), "one")] * 2
    twice = [write(printed({name: [1, 2, 1, 2]}) * 2, "twice")] * 2
    cut = [write(f"====> {name}:\n", "cut")] * 2
    header = f"====> {name}:\n{line([1, 2, 1, 2])}\n"
    again = [write(header * 2, "again")] * 2
    others = [one[0], write(printed({f"{name}{k}": [1, 2, 1, 2] for k in range(9)}), "others")]
    for paths_given in (twice, cut, again, others):
        with pytest.raises(InputError) as caught:
            read_conll(*paths_given)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 2000


def test_real_file_cut_anywhere(write):
    text = paths("muc")[0].read_text("utf-8")
    end = text.index("\tF1", text.index("Coreference: Recall"))  # what follows is not needed
    for stop in range(0, end, 997):
        with pytest.raises(InputError, match=r"cut off|is empty|no documents|no scores"):
            read_conll(write(text[:stop]), paths("muc")[1])
