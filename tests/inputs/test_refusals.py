"""What columns of scores, rows, ids, texts and labels are refused."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse

from extras import needs
from pairedperm import PairedCounts, compare, paired_permutation_test
from pairedperm.inputs.columns import align, read_ids
from pairedperm.inputs.lattice import on_lattice
from pairedperm.inputs.numbers import read_scores, read_shaped
from pairedperm.scoring.metrics.texts import read_sentences
from refusals import refuses

SPAN = np.timedelta64(1, "D")
MASKED = np.ma.array([3, 1], mask=[0, 1])
MASKED_ROWS = np.ma.array([[1, 2], [2, 2]], mask=[[0, 0], [0, 1]])
REALS = np.random.default_rng(0).random(1000)
THIRDS = [Fraction(1, 3), Fraction(5, 6), Fraction(2, 7)]


class MakesNoArray:
    def __len__(self):
        return 2

    def __array__(self, dtype=None, copy=None):
        return "none"


def scores(column, other=(1, 2), **options):
    return paired_permutation_test(column, [*other], **options)


def of_rows(*rows):
    return scores([*rows], [[1, 2], [1, 2]], score=lambda sums: sums[..., 0] / sums[..., 1])


def not_utf8():
    """NumPy before 2 has no such texts, 2.5 refuses them itself."""
    if not "2" <= np.__version__ < "2.5":
        pytest.xfail("NumPy 2.0 to 2.4 alone lets such texts be")
    return np.array([b"\xff", 0.5]).astype(np.dtypes.StringDType())


def sparse(numbers):
    return needs("torch", "transformers").tensor(numbers).to_sparse()


def references(*texts):
    return read_sentences("references", [*texts], 7)


@refuses
def test_refusals():
    # no column
    scores(3)
    # -> `counts1` must be a sequence with one entry per example (list, array, tensor, Series or
    #    dataset … got 3 (int). Pass list(...) of it if it has
    scores([2**53 + 1, 1.0])
    # -> `counts1`[0] is 9007199254740993 among floats, which are exact integers only up to 2^53.
    #    Give integers only, or
    scores(MakesNoArray())
    # -> `counts1` must be a sequence with one entry per example … MakesNoArray
    scores(np.ma.masked)
    # -> `counts1` must be a sequence with one entry per example … got masked (MaskedConstant)
    scores(np.dtype("f8"))
    # -> `counts1` must be a sequence with one entry per example … got dtype('float64')
    scores(pd.DataFrame([[1, 0], [0, 1]]))
    # -> `counts1` is a table (DataFrame). Pass one column of it. Of rows that are lists or sets
    #    pass table.to_numpy(), of a sparse matrix matrix.toarray().
    scores(sparse([1, 2]))
    # -> `counts1` is a tensor that numpy cannot hold: … Convert it first, with .float(), .long()
    #    or .to_dense()
    scores([])
    # -> `counts1` is empty: at least one example is needed
    scores([1, 2], [1])
    # -> `counts2` … same length, got 2 and 1. Pair the examples by id
    # no numbers
    scores([SPAN, 1])
    # -> `counts1` must hold one number per example … [0] is not a number, … timedelta64(1,'D')
    #    (timedelta64).
    scores(np.array(["1", "2"]))
    # -> `counts1`[0] is not a number, '1' (str)
    scores([1, "x" * 1000])
    # -> `counts1`[1] is not a number, 'xxxxxxxxxxxx...xxxxxxxxxxxxx' (str). To compare texts or
    #    labels,
    scores(np.array([1j, 2]))
    # -> `counts1`[0] is no integer or float, 1j (complex). Convert the column to real floats.
    scores([[1], [2]])
    # -> `counts1`[0] is not a number, [1] (list). For rows of counts say what the score is:
    #    score=Ratio( … For several runs of an item give each run a score, and the item as group
    scores(np.ones((2, 1)))
    # -> `counts1` must hold one number per example, shape (n,), got shape (2, 1). For rows of
    #    counts say
    # missing, or not finite
    scores(pd.Series([1, None], dtype="Int64"))
    # -> `counts1`[1] is missing, <NA>
    scores(not_utf8())
    # -> a text in a column is not UTF-8, 'utf-8' codec … dec
    scores(np.array([1, 2**63], dtype=np.uint64))
    # -> `counts1`[1] is an integer beyond int64, 9223372036854775808
    scores([THIRDS[0], Decimal("sNaN")])
    # -> `counts1` … finite: `counts1`[1] is sNaN
    scores([THIRDS[0], 10**400])
    # -> `counts1`[1] is 1000 … beyond the floats
    of_rows([1, 2], [2, 2**70])
    # -> `counts1`[1][1] is an integer beyond int64
    sets(ONE.astype(str))
    # -> `predictions1`[0][0] is '0' (str)
    read_shaped("q", not_utf8())
    # -> `q` must hold real numbers … ndarray
    scores([3, np.ma.array(1, mask=True)])
    # -> `counts1`[1] is missing
    scores([1.5, 2**63])
    # -> `counts1`[1] is an integer beyond int64
    scores(MASKED)
    # -> `counts1`[1] is missing, None
    scores([1, 2], [1.0, float("nan")])
    # -> `counts2` must be finite: `counts2`[1] is nan. Drop that example from both systems, or
    #    score it as
    # too large, or too fine
    scores([1, -(2**70)])
    # -> `counts1`[1] is an integer beyond int64, -1180591620717411303424 … Subtract a constant,
    #    divide by a common unit
    scores([2**60, 0], [0.25, 0])
    # -> `counts1`[0] is 1152921504606846976, and other scores are floats: … only below 2^53.
    #    Divide by a common unit, or round the floats to fewer digits
    scores([THIRDS[0], Decimal("1E-400")])
    # -> `counts1`[1] is Decimal('1E-400') (Decimal), beyond the floats. Give all scores in
    #    another unit
    on_lattice("a", np.array([2.0**60]), "b", np.array([0.25]))
    # -> NoLatticeError: `a`[0] is 1.152921504606847e+18, and floats are exact integers only
    #    below 2^53. Give
    PairedCounts.from_rows(REALS, REALS)
    # -> NoLatticeError: `counts1` must hold integers or decimals: `counts1`[0] is
    #    0.6369616873214543, no decimal of at most 13 digits (with more, a float64 does not tell
    #    decimals from others) or 22 after the point … Multiply both systems' scores by a common
    #    denominator, or round them
    PairedCounts.from_rows(REALS.astype(np.float16), REALS)
    # -> NoLatticeError: `counts1`[0] is 0.6367, no decimal of at most 2 digits (with more, a
    #    float16
    # rows
    of_rows([1, 2], {3, 4})
    # -> `counts1` must hold rows of one length: `counts1`[0] has 2 entries, `counts1`[1] is {3,
    #    4} (set). A row is a list or an array
    of_rows(*MASKED_ROWS)
    # -> `counts1`[1][1] is missing
    of_rows([1, 2], [2, np.nan])
    # -> `counts1` must be finite: `counts1`[1][1] is nan
    read_scores("q", np.ones((2, 2, 2)), rows=True)
    # -> `q` … shape (n,), or one row of them, shape (n, m), got shape (2, 2, 2)
    scores([[1, 2]], [[1]], score=lambda sums: sums[..., 0])
    # -> `counts2` must have rows of the same length, got shapes (1, 2) and (1, 1). Give both the
    #    same … a column of shape (n, 1) is x[:, 0] in shape (n,)
    # numbers of any shape
    read_shaped("q", [[0.5], ["b"]])
    # -> `q` must hold real numbers that are floats, one or an array … got [[0.5], ['b']] (list)
    read_shaped("q", [[1], [1, 2]])
    # -> `q` must hold real numbers … in rows of one length, got [[1], [1, 2]] (list)
    read_shaped("q", [1.0, SPAN])
    # -> `q` must hold real numbers
    read_shaped("q", MASKED_ROWS)
    # -> `q` must hold real numbers
    # ids
    read_ids("ids", None, "Remedy.")
    # -> `ids` is missing: pass one id per example
    read_ids("ids", [1, None], "Remedy.")
    # -> `ids` must hold an id for each example, an integer or string: `ids`[1] is None … .
    #    Remedy.
    align([*"abc"], [[], [1], ["x"]])
    # -> b has the id 1 (int) and c has the id 'x' (str): a text never equals an integer. Write all
    #    ids in one way.
    # texts
    read_sentences("references", None)
    # -> `references` is missing: pass a text, or a list of texts per example
    references()
    # -> `references` is empty
    read_sentences("predictions1", ["a", 5], 7)
    # -> `predictions1`[8] must be a text, got 5 (int)
    references(["a", None])
    # -> `references`[7] must be a text, or a list of texts, got ['a', None] (list)
    references([])
    # -> `references`[7] has no text. Give '' for an empty sentence
    references(["a", "b"], ["a", "b"], ["a"])
    # -> `references`[9] has 1 texts and `references`[7] has 2: give every sentence as many
    #    references


# Labels, sequences of labels, sets and indicator matrices


ONE = np.array([[0, 1, 0], [1, 1, 0], [0, 0, 0]])
TWO = np.array([[0, 1, 0], [0, 1, 1], [1, 0, 0]])
GOLD = np.array([[0, 1, 0], [1, 1, 0], [1, 0, 0]])


def labels(column, **options):
    """Beside columns with as many examples."""
    return compare(column, [1] * len(column), [1] * len(column), **options)


def sets(one, two=TWO, three=GOLD, **options):
    options = {"metric": "f1", "average": "micro", "multilabel": True, **options}
    return compare(one, two, three, **options)


@refuses
def test_refusals_of_labels():
    # no labels
    compare(["a"] * 2, ["a"] * 2, pd.Series(["a", None], dtype="string[pyarrow]"))
    # -> `references`[1] is missing (<NA>)
    labels(pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a", None])))
    # -> `predictions1`[1] is missing (None)
    labels(pd.Categorical(pd.to_datetime(["2026-01-01"])))
    # -> `predictions1`[0] is no label: Timestamp(
    labels(pd.Categorical(["a", 1]))
    # -> `predictions1` mixes strings and integers: 'a' (str) and, at [1], 1 (int). Convert all to
    #    one type
    labels(pd.Categorical([2**70, 1]))
    # -> `predictions1`[0] is an integer beyond int64, 1180591620717411303424 … or number the
    #    labels anew
    compare(scipy.sparse.csr_array(ONE), TWO, GOLD)
    # -> `predictions1` is a table (csr_array). … of a sparse matrix matrix.toarray()
    # one group in two forms would be two, and p too small
    compare([1, 0, 1], [0, 0, 0], [1, 1, 1], groups=[1, "1", 2])
    # -> `groups` has the id 1 (int) and `groups` has the id '1' (str): a text
    compare([1, 0, 1], [0, 0, 0], [1, 1, 1], groups=["caf\u00e9", "cafe\u0301", "a"])
    # -> `groups` has ids of which 'caf\xe9' and 'cafe\u0301' are one text
    # labels that stand for none
    compare([1, 0], [0, 1], [1, -100])
    # -> `references`[1] is -100, which stands for no label and is left out of sequences only.
    #    Leave such … or count it as a label, ignore_label=None
    compare([[1, 2]], [[1, 1]], [[-100, -100]])
    # -> `references` holds no label: all 2 are left out, as `ignore_label` says
    # indicator matrices
    sets(ONE * 2)
    # -> `predictions1`[0][1] is 2 (int). For sets of labels, a two-dimensional array is an
    #    indicator matrix: it holds 0 and 1, and has a column for each label. For probabilities,
    #    pass p > 0.5;
    sets(np.ma.masked_equal(ONE, 0))
    # -> `predictions1`[0][0] is missing
    sets(np.zeros((3, 0)))
    # -> `predictions1` is empty, of shape (3, 0): at least one example and one label are needed
    sets(np.zeros((2, 2, 2)))
    # -> `predictions1`[0][0] is no label: [0.0, 0.0] (list)
    sets(ONE[:, :2])
    # -> `predictions1` holds an indicator matrix with 2 columns and `references` holds an
    #    indicator matrix with 3 columns. Give all columns and batches in one form,
    sets(ONE, [{1}, {2}, set()])
    # -> `predictions2` holds sequences of labels and `references` holds an indicator matrix
    sets(ONE, average="micro", labels=[0, 3])
    # -> `references` is an indicator matrix without a column 3, which is selected: its labels are
    #    0, 1, 2
    sets([np.array([0.5, 1]), [0]])
    # -> `predictions1` … got floats,
    # such matrices in lists
    sets(ONE.astype(float).tolist())
    # -> `predictions1` must hold a set of labels per example, got floats, 0.0 (float). If this is
    #    an indicator matrix in lists, pass np.array(matrix); in a dataset map each row … For
    #    probabilities, pass np.array(p) > 0.5
    sets(*(x.tolist() for x in (ONE, TWO, GOLD)))
    # -> `predictions1`[0][2] is in its set twice: give each label once. If this is an indicator
    #    matrix in lists, pass np.array(matrix) … [k for k, x in enumerate(row) if x]
    sets(*([[1, 0], [0, 1]],) * 3)
    # -> `references` have the labels 0 and 1 in every example, some as [1, 0]: these look like
    #    rows of an … Give sets of labels. If this is an indicator matrix in lists
