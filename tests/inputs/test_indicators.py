"""Sets of labels as matrices of 0 and 1: arrays, tensors, sparse matrices, tables."""

from functools import partial
from itertools import product

import evaluate
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn import metrics

from doors import NAMES, in_batches, in_one, of_dataset
from extras import needs
from pairedperm import InputError, compare
from pairedperm.hf import accumulator
from pairedperm.hf.accumulator import LabelAccumulator
from pairedperm.inputs.columns import OF_MATRICES
from pairedperm.scoring.metric import read_metric
from properties import one_in

SCORES = {
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "f1": metrics.f1_score,
    "jaccard": metrics.jaccard_score,
    "fbeta": metrics.fbeta_score,
}
MICRO = {"metric": "f1", "average": "micro", "multilabel": True}
MACRO = {**MICRO, "average": "macro"}
ONE = np.array([[0, 1, 0], [1, 1, 0], [0, 0, 0]])
TWO = np.array([[0, 1, 0], [0, 1, 1], [1, 0, 0]])
GOLD = np.array([[0, 1, 0], [1, 1, 0], [1, 0, 0]])
MATRICES = (ONE, TWO, GOLD)
FORMS = {
    "bools": lambda x: x.astype(bool),
    "small integers": lambda x: x.astype(np.uint8),
    "floats": lambda x: x.astype(float),
    "half floats": lambda x: x.astype(np.float16),
    "objects": lambda x: x.astype(object),
    "another order in memory": np.asfortranarray,
    "a matrix": np.asmatrix,
    "a masked array": np.ma.array,
    "csr": scipy.sparse.csr_matrix,
    "csc": scipy.sparse.csc_array,
    "coo": scipy.sparse.coo_array,
    "lil": scipy.sparse.lil_matrix,
    "a table": pd.DataFrame,
    "a table of bools": lambda x: pd.DataFrame(x.astype(bool)),
    "a table of several types": lambda x: pd.DataFrame(x).astype({0: bool, 1: float}),
    "a table that may have missing values": lambda x: pd.DataFrame(x).convert_dtypes(),
}


@pytest.fixture(params=[in_one, partial(in_batches, size=2)])
def door(request):
    return request.param


def as_sets(matrix):
    return [set(np.flatnonzero(row).tolist()) for row in matrix]


def matrices(rng, n, width):
    """Some columns nobody has, some rows are empty; the references have a label."""
    found = rng.random((3, n, width)) < rng.choice([0.0, 0.2, 0.6], (3, 1, width))
    found[:, rng.integers(n)] = False
    found[2, 0, rng.integers(width)] = True
    return found.astype(int)


def choices(width):
    """The options of ours, and scikit-learn's for the same."""
    some = [0, width - 1]
    yield {"average": "macro"}, {"average": "macro"}
    yield {"average": "micro"}, {"average": "micro"}
    yield {"average": "macro", "labels": some}, {"average": "macro", "labels": some}
    yield {"average": "micro", "labels": some}, {"average": "micro", "labels": some}
    yield {"pos_label": width - 1}, {"average": "micro", "labels": [width - 1]}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(
    "metric",
    [
        *("precision", "f1"),
        *(pytest.param(x, marks=pytest.mark.thorough) for x in ("recall", "jaccard", "fbeta")),
    ],
)
@pytest.mark.thorough
def test_scores_are_those_of_scikit_learn(metric, door):
    rng = np.random.default_rng(22)
    of_metric = {"beta": 2} if metric == "fbeta" else {}
    for _, width, zero_division in product(range(2), (2, 3, 7), (0, 1)):
        one, two, gold = matrices(rng, 12, width)
        for ours, theirs in choices(width):
            options = {**of_metric, "zero_division": zero_division}
            result = door(one, two, gold, metric=metric, multilabel=True, **ours, **options)
            for found, predictions in ((result.score1, one), (result.score2, two)):
                expected = SCORES[metric](gold, predictions, **theirs, **options)
                assert found == pytest.approx(expected, abs=1e-12)


@one_in(3)
@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("form", FORMS)
def test_a_matrix_is_its_sets_whatever_holds_it(form):
    given = [FORMS[form](x) for x in MATRICES]
    of_sets = compare(*map(as_sets, MATRICES), **MICRO)
    assert compare(*given, **MICRO) == of_sets
    assert compare(*given, **MICRO, labels=[0, 2]) == compare(
        *map(as_sets, MATRICES), **MICRO, labels=[0, 2]
    )
    expected = metrics.f1_score(GOLD, TWO, average="macro")
    assert compare(*given, **MACRO).score2 == pytest.approx(expected, abs=1e-12)


def test_tensors():
    torch = needs("torch", "dev")
    expected = compare(*MATRICES, **MACRO)
    for dtype in (torch.bool, torch.int64, torch.float32):
        given = [torch.tensor(x, dtype=dtype) for x in MATRICES]
        assert compare(*given, **MACRO) == expected


def test_p_is_that_of_the_sets():
    rng = np.random.default_rng(4)
    for options in (MICRO, MACRO):
        columns = (rng.random((3, 12, 3)) < 0.4).astype(int)  # where each label occurs
        of_sets = compare(*map(as_sets, columns), **options)
        assert compare(*columns, **options) == of_sets
        sampled = {"test": "bootstrap", "rng": 1, "n_resamples": 99}
        of_sets = compare(*map(as_sets, columns), **options, **sampled)
        assert compare(*columns, **options, **sampled) == of_sets


def test_columns_without_any_label_count(door):
    one, two, gold = (np.pad(x, ((0, 0), (0, 3))) for x in MATRICES)
    assert door(one, two, gold, **MACRO).score2 == door(*MATRICES, **MACRO).score2 / 2
    with_ones = door(one, two, gold, **MACRO, zero_division=1)
    assert with_ones.score1 == (1 + 2 / 3 + 4) / 6
    assert door(one, two, gold, metric="f1", multilabel=True, pos_label=5).pvalue == 1.0


def test_one_column():
    column = np.array([[1], [0], [1]])
    result = compare(column, 1 - column, column, **MACRO)
    assert (result.score1, result.score2) == (1.0, 0.0)


def test_two_columns_of_0_and_1_are_no_pairs_of_labels():
    pairs = np.array([[0, 1], [1, 0], [0, 1]])
    result = compare(pairs, pairs, pairs, **MICRO)
    assert result.score1 == 1.0
    given = [[{1}, {0}, {1}]] * 3
    assert result == compare(*given, **MICRO)


def test_the_columns_of_tables_are_the_labels(door):
    tables = [pd.DataFrame(x, columns=["a", "b", "c"]) for x in MATRICES]
    expected = compare(*MATRICES, **MACRO)
    assert door(*tables, **MACRO) == expected
    other_order = [tables[0][["c", "a", "b"]], tables[1], tables[2]]
    assert door(*other_order, **MACRO) == expected
    assert door(ONE, scipy.sparse.csr_array(TWO), tables[2], **MACRO) == expected
    of_a = door(*tables, metric="f1", multilabel=True, pos_label="a")
    assert of_a.score1 == compare(*MATRICES, "f1", multilabel=True, pos_label=0).score1
    years = [pd.DataFrame(x, columns=[2024, 2026, 2025]) for x in MATRICES]
    assert door(*years, **MICRO, labels=[2024]).score1 == of_a.score1


def test_sparse_matrices_stay_as_they_are_with_zeros_and_repetitions():
    data, indices, indptr = np.array([1, 0, 1, 0]), np.array([1, 0, 1, 0]), np.array([0, 2, 4, 4])
    matrix = scipy.sparse.csr_array((data, indices, indptr), shape=(3, 3))
    result = compare(matrix, TWO, GOLD, **MACRO)
    assert result == compare(matrix.toarray(), TWO, GOLD, **MACRO)
    assert matrix.nnz == 4
    twice = scipy.sparse.coo_array(([0, 1, 1], ([0, 0, 1], [1, 1, 2])), shape=(3, 3))
    assert compare(twice, TWO, GOLD, **MACRO) == compare(twice.toarray(), TWO, GOLD, **MACRO)
    assert not matrix.has_sorted_indices


def test_modules(registered, monkeypatch):
    monkeypatch.setattr(accumulator, "UNCOUNTED_LABELS", 4)
    columns = dict(zip(NAMES, MATRICES, strict=True))
    expected = compare(**columns, **MACRO).to_dict()
    assert evaluate.load("paired_perm").compute(**columns, **MACRO) == expected
    module = evaluate.load("paired_perm", "f1", average="macro", multilabel=True)
    for row in range(3):
        module.add_batch(**{name: x[row : row + 1] for name, x in columns.items()})
    assert module.compute() == expected
    module.add_batch(**columns)
    with pytest.raises(InputError, match="of an earlier batch` is an"):
        module.add_batch(**{name: x[:1, :2] for name, x in columns.items()})
    with pytest.raises(InputError, match="is a column of sets and"):
        module.add_batch(**{name: as_sets(x) for name, x in columns.items()})
    assert module.compute() == expected


def test_processes_have_the_same_columns():
    states = []
    for width in (3, 2):
        stream = LabelAccumulator(read_metric("f1", average="macro", multilabel=True))
        stream.add({name: x[:, :width] for name, x in zip(NAMES, MATRICES, strict=True)})
        states.append(stream.state(None))
    assert stream.test_states([states[0]] * 2).n == 6


LISTS = [x.tolist() for x in MATRICES]


def test_a_dataset_holds_lists_which_are_sets():
    """By the remedy of messages."""
    remedy = "[k for k, x in enumerate(row) if x]"
    assert remedy in str(OF_MATRICES)
    of_sets = [[eval(remedy, {"row": row}) for row in column] for column in LISTS]
    assert of_dataset(*of_sets, **MICRO) == compare(*MATRICES, **MICRO)
