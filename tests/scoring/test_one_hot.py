"""Rows of 0 and 1 that look one-hot are no sequences of labels. Judged of the whole."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, hamming_loss

from doors import in_batches, in_one, of_dataset
from pairedperm import InputError, compare


@pytest.fixture(params=[in_one, in_batches, of_dataset])
def door(request):
    return request.param


ONE_HOT = [np.eye(3, dtype=int)[x] for x in ([0, 1, 2, 1], [0, 2, 1, 0], [0, 1, 1, 1])]
LOOKS = r"look one-hot: rows of 3 numbers.* Pass the labels, argmax\(-1\)\. If they are "


@pytest.mark.parametrize("form", [np.array, np.ndarray.tolist, lambda x: x.astype(bool)])
@pytest.mark.parametrize("metric", ["accuracy", "cohen_kappa", "specificity"])
def test_bits_of_one_hot_rows(door, form, metric):
    """One-hot rows are no sequences of the labels 0 and 1, which score otherwise."""
    columns = [form(x) for x in ONE_HOT]
    with pytest.raises(InputError, match=f"`references` {LOOKS}sequences of .*np.ravel"):
        door(*columns, metric=metric)
    columns[0] = np.triu(np.ones((4, 3), dtype=int))  # one system is enough
    with pytest.raises(InputError, match=LOOKS):
        door(*columns, metric=metric)


def test_sequences_that_are_one_hot_as_advised():
    found = compare(*map(np.ravel, ONE_HOT), groups=np.repeat(np.arange(4), 3))
    assert found.score1 == pytest.approx(10 / 12)
    longer = compare(*(np.append(x, [[0, 0, 0]], axis=0) for x in ONE_HOT))
    assert longer.pvalue == found.pvalue


@pytest.mark.parametrize(
    "columns",
    [
        [[[0, 1], [0, 1, 0]]] * 3,
        [[[0, 1], [0, 0]]] * 3,
        [[[0, 1], [2, 1]]] * 3,
        [[[1, 1], [0, 1]], [[1, 0], [1, 1]], [[0, 1], [1, 0]]],
        [[[1], [0]]] * 3,
        [[["0", "1"], ["1", "0"]]] * 3,
    ],
    ids=["lengths", "zeros", "labels", "predictions", "single", "texts"],
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
