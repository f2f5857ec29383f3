"""What labels, sequences of labels, sets and indicator matrices are refused."""

import numpy as np
import pandas as pd
import pyarrow as pa
import scipy.sparse

from doors import NAMES
from pairedperm import compare
from pairedperm.hf.accumulator import LabelAccumulator
from pairedperm.scoring.metric import read_metric
from refusals import asks, refusal, refuses

ONE = np.array([[0, 1, 0], [1, 1, 0], [0, 0, 0]])
TWO = np.array([[0, 1, 0], [0, 1, 1], [1, 0, 0]])
GOLD = np.array([[0, 1, 0], [1, 1, 0], [1, 0, 0]])
IN_LISTS = (
    "If this is an indicator matrix in lists, pass np.array(matrix); in a dataset map each row"
)


def labels(column, **options):
    """Beside columns with as many examples."""
    return compare(column, [1] * len(column), [1] * len(column), **options)


def sets(one, two=TWO, three=GOLD, **options):
    options = {"metric": "f1", "average": "micro", "multilabel": True, **options}
    return compare(one, two, three, **options)


def table(*names):
    return pd.DataFrame(ONE, columns=[*names])


def of_processes():
    states = []
    for width in (3, 2):
        stream = LabelAccumulator(read_metric("f1", average="macro", multilabel=True))
        stream.add(dict.fromkeys(NAMES, GOLD[:, :width]))
        states.append(stream.state(None))
    return stream.test_states(states)


@refuses
def test_refusals():
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
    labels(pd.Categorical([], categories=["a"]))
    # -> `predictions1` is empty: at least one example is needed
    compare(scipy.sparse.csr_array(ONE), TWO, GOLD)
    # -> `predictions1` is a sparse matrix (csr_array), which only metrics of sets of labels take
    #    (subset_accuracy, or multilabel=True). Otherwise pass matrix.toarray()
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
    sets(scipy.sparse.csr_array(ONE * 3))
    # -> `predictions1`[0][1] is 3
    sets(np.zeros((3, 0)))
    # -> `predictions1` is empty, of shape (3, 0): at least one example and one label are needed
    sets(np.zeros((2, 2, 2)))
    # -> `predictions1` must hold a set of labels per example, or be an indicator matrix, of shape
    #    (n, labels), got an array of shape (2, 2, 2)
    sets(ONE[:, :2])
    # -> `predictions1` is an indicator matrix of shape (3, 2) and `references` is an indicator
    #    matrix of shape (3, 3). Give all columns and batches as matrices with a column for each of
    #    the same
    sets(ONE, [{1}, {2}, set()])
    # -> `predictions2` is a column of sets and `references` is an indicator matrix
    sets(ONE, average="micro", labels=[0, 3])
    # -> `references` is an indicator matrix without a column 3, which is selected: its labels are
    #    0, 1, 2
    sets(table("a", "b", "b"))
    # -> `predictions1` is a table with a column 'b', which is there twice: for sets of labels,
    #    the columns' names are the labels. Rename them, or pass table.to_numpy()
    sets(table("a", "b", 0.5))
    # -> `predictions1` … a column 0.5, which is no string or integer … Rename them, or pass
    #    table.to_numpy()
    sets(table("a", "b", 0))
    # -> `predictions1` is a table whose columns are called by strings and by integers … Rename
    #    them, or pass table.to_numpy()
    sets(ONE, table(*"abc"), table(*"abd"))
    # -> `predictions2` and `references` are tables with columns of different names: 'c', 'd' in
    #    one of them only … Rename them, or pass table.to_numpy()
    sets([np.array([0.5, 1]), [0]])
    # -> `predictions1` … got floats,


test_refusals_in_rows = asks(
    refusal(
        of_processes,
        "",
        "the processes' labels differ: some are in an indicator matrix, some in none or in one "
        "with other columns. Give all in the same form and type",
    ),
    # such matrices in lists
    refusal(
        lambda: sets(ONE.astype(float).tolist()),
        "predictions1",
        "must hold a set of labels per example, got floats, 0.0 (float). " + IN_LISTS,
        "For probabilities, pass np.array(p) > 0.5",
    ),
    refusal(
        lambda: sets(*(x.tolist() for x in (ONE, TWO, GOLD))),
        "predictions1",
        "[0][2] is in its set twice: give each label once. " + IN_LISTS,
        "[k for k, x in enumerate(row) if x]",
    ),
    refusal(
        lambda: sets(*([[1, 0], [0, 1]],) * 3),
        "references",
        "have the labels 0 and 1 in every example, some as [1, 0]: these look like rows of an",
        "Give sets of labels. " + IN_LISTS,
    ),
)
