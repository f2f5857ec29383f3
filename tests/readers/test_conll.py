"""The output of the CoNLL coreference scorer, read, and what is no such output."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import save
from corpora.score_files import line, paths, printed
from pairedperm import InputError
from pairedperm.readers import read_conll
from pairedperm.scoring.aggregators import f_1
from refusals import refuses

# the line `Coreference:` of the totals of systems 1 and 2, and F1, which the scorer cuts off
TOTALS = {
    "muc": ([25, 60, 25, 63], 40.65, [7, 60, 7, 57], 11.96),
    "ceafm": ([70, 132, 70, 139], 51.66, [44, 132, 44, 139], 32.47),
    "bcub": (
        *([77.5, 132, 74.6071428571429, 139], 56.08),
        *([60.1666666666667, 132, 60.8809523809524, 139], 44.67),
    ),
}


@pytest.mark.parametrize("metric", TOTALS)
def test_real_totals(metric):
    told = TOTALS[metric]
    for rows, total, per_cent in zip(
        read_conll(*paths(metric)), told[::2], told[1::2], strict=True
    ):
        assert rows.shape == (22, 4)
        assert rows.dtype == (np.int64 if metric in ("muc", "ceafm") else np.float64)
        np.testing.assert_allclose(rows.sum(axis=0), total, rtol=1e-14)
        assert per_cent <= 100 * float(f_1(rows.sum(axis=0))) < per_cent + 0.01


wholes = st.integers(0, 8).map(float)
sevenths = st.integers(0, 98).map(lambda k: float(f"{k / 7:.15g}"))


def documents(counts):
    """Rows of both systems by name, and the names in another order."""
    rows = st.tuples(*[counts] * 4).map(list)
    return (
        st.lists(st.tuples(rows, rows), min_size=1, max_size=39)
        .map(lambda pairs: {f"(bc/{k // 3:02}); part {k % 3:03}": x for k, x in enumerate(pairs)})
        .flatmap(lambda named: st.tuples(st.just(named), st.permutations(list(named))))
    )


@given(documents(wholes) | documents(wholes | sevenths))
def test_round_trip_in_any_order(tmp_path_factory, both):
    named, order = both
    first, second = ({name: pair[k] for name, pair in named.items()} for k in (0, 1))
    folder = tmp_path_factory.mktemp("scores")
    path1 = save(folder / "one", printed(first))
    path2 = save(folder / "two", printed({name: second[name] for name in order}))
    rows1, rows2 = read_conll(path1, str(path2))
    if all(x.is_integer() for pair in named.values() for row in pair for x in row):
        assert rows1.dtype == np.int64
    assert rows1.dtype == rows2.dtype
    for rows, given_rows in ((rows1, first), (rows2, second)):  # sevenths, as they are meant
        assert rows.tolist() == [[round(7 * x) / 7 for x in row] for row in given_rows.values()]


TEXT = printed({"(a); part 000": [0, 3, 0, 0]})
PARTS = TEXT.split("====> (a); part 000:\n")
UNNAMED = f"{PARTS[0]}====> (a); part 000:\n{PARTS[1]}====> :\n{PARTS[2]}"


@pytest.mark.parametrize(
    "text",
    [
        UNNAMED,  # a document that the response lacks is listed without a name
        TEXT.replace("====> ", ""),
        TEXT.replace("(a); part 000", "a"),
        TEXT.replace("\n", "\r\n"),
    ],
)
def test_layouts(text, put):
    path = put("x", text)
    assert [x.tolist() for x in read_conll(path, path)] == [[[0, 3, 0, 0]]] * 2


def test_exponents_and_mixed_types(put):
    small = put("one", printed({"(a);": [3.3e-16, 2, 1, 3]}))
    rows1, rows2 = read_conll(small, put("two", printed({"(a);": [1] * 4})))
    assert rows1.tolist() == [[3.3e-16, 2.0, 1.0, 3.0]]
    assert rows1.dtype == rows2.dtype == np.float64


def test_real_file_cut_anywhere(put):
    text = paths("muc")[0].read_text("utf-8")
    end = text.index("\tF1", text.index("Coreference: Recall"))  # what follows is not needed
    for stop in range(0, end, 1997):
        with pytest.raises(InputError, match=r"cut off|is empty|no documents|no scores"):
            read_conll(put("x", text[:stop]), paths("muc")[1])


# refusals


def conll(one, two=None):
    """Read scores.txt and two.txt."""
    paths = save(Path("scores.txt"), one), save(Path("two.txt"), one if two is None else two)
    return read_conll(*paths)


A, B = "(a); part 000", "(b); part 000"
ROWS = {A: [1, 3, 1, 4], B: [2, 3, 2, 2]}
BOTH = printed(ROWS)
ONE = [1, 2, 1, 2]
MANY = printed({f"({k:02});": ONE for k in range(17)})


def edited(old, new=""):
    """What the scorer prints, with one change."""
    assert old in BOTH
    return conll(BOTH.replace(old, new))


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


@refuses
def test_what_is_no_output_of_the_scorer():
    conll("1 2\n3 4\n")
    # -> `path1` … scores.txt has no documents, '====> NAME:' and their scores. Give all that …
    #    `scorer.pl METRIC key response` prints.
    conll(BOTH.split("\n======")[0])
    # -> `path1` … has no totals, '====== TOTALS =======' and 'Coreference:': is it cut off? Give
    conll(BOTH[: BOTH.index(f"{B}:\nTotal")])
    # -> `path1` … line 13: (b); part 000 has no scores: is the file cut off? Give all
    conll(BOTH.split("\tPrecision")[0])
    # -> `path1` … line 11: is no 'Recall: (a / b) … Precision: (c / d) …': is the file cut off?
    conll(f"{line(ONE)}{BOTH}")
    # -> `path1` … line 1: has scores, but of no document. Give all
    conll(BOTH * 2)
    # -> `path1` … line 31: goes on after the totals. Give one run of one metric.
    edited("Recall: (1 / 3)", "Coreference links: Recall: (1 / 3)")
    # -> `path1` … line 11: is of BLANC, which is no F1 of two ratios. Use another metric.
    edited(line(ROWS[A]))
    # -> `path1` … line 2: (a); part 000 has no scores: is the file
    edited(B, A)
    # -> `path1` … line 13: (a); part 000 occurs again, after line 2. Give all
    edited("(1 / 3)", "(1,5 / 3)")
    # -> `path1` … line 11: '1,5' is no number up to 2^53. Give all
    edited("(1 / 3)", "(٣ / 3)")
    # -> `path1` … line 11: '٣' is no number


@refuses
def test_documents_that_do_not_fit():
    edited("(1 / 3)", "(0 / 3)")
    # -> `path1` … line 28: recall numerators are 3 in total, but the documents' sum is 2. Give all
    conll(printed(ROWS, [3, 7, 3, 6]))
    # -> `path1` … recall denominators are 7 in total, … is 6.
    conll(printed({A: [0.1, 3, 1, 4]}, [0.10000000000001, 3, 1, 4]))
    # -> `path1` … in total, … is 0.1.
    conll(printed({A: ONE, "(c);": ONE}), printed({A: ONE, "(a); 1": ONE}))
    # -> `path1` … must have the same documents: … scores.txt lacks (a); 1; two.txt lacks (c); …
    #    Score both systems with the same key.
    conll(MANY, printed({"(16);": ONE}))
    # -> two.txt … lacks (00);, (01);, (02);, (03);, (04); and 11 more. Score both systems with
