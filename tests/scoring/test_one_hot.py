"""Rows of 0 and 1 that look one-hot are no sequences of labels. Judged of the whole."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score

from doors import DOORS, in_batches, in_one, of_dataset
from pairedperm import InputError, compare

RIGHT = np.arange(12) % 3
BITS = [np.eye(3, dtype=int)[x] for x in (RIGHT, RIGHT[::-1], np.roll(RIGHT, 1))]
LISTS = [x.tolist() for x in BITS]
THRESHOLDED = [np.where(RIGHT[::-1, None] == 1, 0, x).tolist() for x in BITS]  # of p > 0.5
PAIRS = [[1, 0], [0, 1], [1, 0], [1, 0], [0, 1]]
several = pytest.mark.parametrize("door", [in_one, in_batches, of_dataset])


@several
@pytest.mark.parametrize("metric", ["accuracy", "cohen_kappa", "specificity"])
@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (BITS, "look one-hot: rows of 3 numbers"),
        ([*THRESHOLDED[:2], LISTS[2]], "look one-hot: rows of 3 numbers"),
        ([PAIRS] * 3, "look one-hot: rows of 2 numbers"),
    ],
)
def test_one_hot_rows(door, metric, columns, said):
    """They are no sequences of the labels 0 and 1, which score otherwise."""
    with pytest.raises(InputError, match=said):
        door(*columns, metric=metric)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "hamming_loss"])
def test_one_hot_rows_are_no_runs(door, metric):
    """They would score 1/3, whatever the systems predict; those of zeros cannot be right of 2."""
    with pytest.raises(InputError, match="one-hot"):
        door(*LISTS[:2], RIGHT.tolist(), metric=metric)
    with pytest.raises(InputError, match=r"one-hot|all columns in one call"):
        door(*THRESHOLDED[:2], RIGHT.tolist(), metric=metric)


@several
@pytest.mark.parametrize(
    "columns",
    [
        [[[0, 1], [0, 1, 0]]] * 3,
        [[[0, 1], [0, 0]]] * 3,
        [[[0, 1, 0], [0, 0, 2]], [[0, 1, 0]] * 2, [[0, 1, 0]] * 2],
        [[[1, 1], [0, 1]], [[1, 0], [1, 1]], [[0, 1], [1, 0]]],
        [[[1], [0]]] * 3,
        [[["0", "1"], ["1", "0"]]] * 3,
        [PAIRS[:4]] * 3,
        [PAIRS, [[1, 1], *PAIRS[1:]], PAIRS],
    ],
)
def test_sequences_that_are_not_one_hot(door, columns):
    """Judged of the whole: some batches of one example are one-hot alone."""
    flat = [[label for row in column for label in row] for column in columns]
    found, expected = door(*columns), compare(*flat)
    assert (found.score1, found.score2) == (expected.score1, expected.score2)


@pytest.mark.parametrize("form", [np.array, np.ndarray.tolist])
def test_what_is_advised_works(form):
    """The labels, sets of them, and sequences or runs of the labels 0 and 1 as groups."""
    one, _, right = (x.argmax(-1) for x in BITS)
    columns = [form(x) for x in BITS]
    assert compare(*(np.argmax(x, -1) for x in columns)).score1 == accuracy_score(right, one)
    sets = compare(*BITS, "f1", average="micro", multilabel=True)
    assert sets.score1 == accuracy_score(right, one)
    flat = compare(*map(np.ravel, columns), groups=np.repeat(np.arange(12), 3))
    longer = compare(*(np.append(x, [[0, 0, 0]], axis=0) for x in BITS))
    assert (flat.n_groups, flat.pvalue) == (12, longer.pvalue)
