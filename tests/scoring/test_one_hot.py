"""Rows of 0 and 1 that look one-hot are no sequences of labels. Judged of the whole."""

from functools import partial

import numpy as np
import pytest
from datasets import Dataset
from sklearn.metrics import accuracy_score, hamming_loss

from doors import in_batches, in_one, named, of_dataset, of_module
from pairedperm import InputError, compare, load


@pytest.fixture(params=[in_one, in_batches, of_dataset])
def door(request):
    return request.param


ONE_HOT = [np.eye(3, dtype=int)[x] for x in ([0, 1, 2, 1], [0, 2, 1, 0], [0, 1, 1, 1])]


def of_column(rows):
    """As a dataset gives it."""
    return Dataset.from_dict({"x": rows})["x"]


def score_of(found):
    return found["score1"] if isinstance(found, dict) else found.score1


LOOKS = (
    r"look one-hot: rows of 3 numbers.* Pass the labels: np\.argmax\(rows, -1\), .* If they are "
)


@pytest.mark.parametrize("form", [np.array, np.ndarray.tolist, lambda x: x.astype(bool)])
@pytest.mark.parametrize("metric", ["accuracy", "cohen_kappa", "specificity"])
def test_bits_of_one_hot_rows(door, form, metric):
    """One-hot rows are no sequences of the labels 0 and 1, which score otherwise."""
    columns = [form(x) for x in ONE_HOT]
    with pytest.raises(InputError, match=LOOKS):
        door(*columns, metric=metric)
    columns[:2] = [form(x * [[1], [0], [1], [1]]) for x in ONE_HOT[:2]]  # of p > 0.5
    with pytest.raises(InputError, match=LOOKS):
        door(*columns, metric=metric)


def test_sequences_that_are_one_hot_as_advised():
    groups = np.repeat(np.arange(4), 3)
    found = compare(*map(np.ravel, ONE_HOT), groups=groups)
    assert found.score1 == pytest.approx(10 / 12)
    flat = named(map(np.ravel, (ONE_HOT[0].tolist(), *map(of_column, ONE_HOT[1:]))))
    assert load("paired_perm").compute(**flat, groups=groups) == found.to_dict()
    longer = compare(*(np.append(x, [[0, 0, 0]], axis=0) for x in ONE_HOT))
    assert longer.pvalue == found.pvalue


MICRO = {"metric": "f1", "average": "micro", "multilabel": True}
PAIRS = [[1, 0], [0, 1], [1, 0], [1, 0], [0, 1]]


@pytest.mark.parametrize("metric", ["accuracy", "cohen_kappa", "specificity"])
def test_rows_of_two_are_one_hot_if_all_are(door, metric):
    """In both systems and in five examples or more; else they are sequences."""
    with pytest.raises(InputError, match="look one-hot: rows of 2 numbers"):
        door(PAIRS, PAIRS, PAIRS, metric=metric)
    assert door(*[PAIRS[:4]] * 3, metric=metric).score1 == 1.0
    assert 0 < door(PAIRS, [[1, 1], *PAIRS[1:]], PAIRS, metric=metric).score2 < 1


@pytest.mark.parametrize("form", [np.array, np.ndarray.tolist, of_column])
@pytest.mark.parametrize("door", [in_one, in_batches, of_module, partial(of_module, size=3)])
def test_what_is_advised_for_one_hot_rows_works(door, form):
    columns = [form(x) for x in ONE_HOT]
    one, _, right = (x.argmax(-1) for x in ONE_HOT)
    assert score_of(door(*(np.argmax(x, -1) for x in columns))) == accuracy_score(right, one)
    matrix = score_of(door(*map(np.array, columns), **MICRO))
    sets = ([[k for k, x in enumerate(row) if x] for row in column] for column in columns)
    assert matrix == score_of(door(*sets, **MICRO)) == accuracy_score(right, one)


@pytest.mark.parametrize(
    "columns",
    [
        [[[0, 1], [0, 1, 0]]] * 3,
        [[[0, 1], [0, 0]]] * 3,
        [[[0, 1], [2, 1]]] * 3,
        [[[0, 1, 0], [0, 0, 2]], [[0, 1, 0]] * 2, [[0, 1, 0]] * 2],
        [[[1, 1], [0, 1]], [[1, 0], [1, 1]], [[0, 1], [1, 0]]],
        [[[1], [0]]] * 3,
        [[["0", "1"], ["1", "0"]]] * 3,
    ],
    ids=["lengths", "zeros", "labels", "predicted 2", "predictions", "single", "texts"],
)
def test_sequences_that_are_not_one_hot(door, columns):
    """Judged of the whole: some batches of one example are one-hot alone."""
    flat = [[label for row in column for label in row] for column in columns]
    assert door(*columns).score1 == compare(*flat).score1


def test_bits_where_they_mean_the_same(door):
    """As scikit-learn scores indicator matrices."""
    lists = [x.tolist() for x in ONE_HOT]
    one, _, right = ONE_HOT
    assert door(*lists, metric="exact_match").score1 == accuracy_score(right, one)
    assert door(*lists, metric="hamming_loss").score1 == hamming_loss(right, one)
