"""Sets of labels as matrices of 0 and 1: their columns are the labels, whatever holds them."""

from functools import partial

import numpy as np
import pytest
from sklearn import metrics

from doors import NAMES, in_batches, in_one, of_dataset
from pairedperm import compare, load
from pairedperm.inputs.columns import OF_MATRICES

MICRO = {"metric": "f1", "average": "micro", "multilabel": True}
MACRO = {**MICRO, "average": "macro"}
ONE = np.array([[0, 1, 0], [1, 1, 0], [0, 0, 0]])
TWO = np.array([[0, 1, 0], [0, 1, 1], [1, 0, 0]])
GOLD = np.array([[0, 1, 0], [1, 1, 0], [1, 0, 0]])
MATRICES = (ONE, TWO, GOLD)
WIDE = [np.pad(x, ((0, 0), (0, 3))) for x in MATRICES]  # with columns without any label


@pytest.fixture(params=[in_one, partial(in_batches, size=2)])
def door(request):
    return request.param


def as_sets(matrix):
    return [set(np.flatnonzero(row).tolist()) for row in matrix]


SETS = [*map(as_sets, MATRICES)]
LISTS = [[[k for k, x in enumerate(row) if x] for row in column] for column in MATRICES]


@pytest.mark.parametrize("options", [MICRO, {**MICRO, "labels": [0, 2]}])
def test_a_matrix_is_its_sets(door, options):
    """A dataset holds lists, which are sets: by the remedy of messages."""
    assert door(*MATRICES, **options) == compare(*SETS, **options)
    assert "[k for k, x in enumerate(row) if x]" in str(OF_MATRICES)
    assert of_dataset(*LISTS, **options) == compare(*SETS, **options)


@pytest.mark.parametrize(
    ("columns", "others"),
    [
        ([ONE, TWO, GOLD.astype(object)], MATRICES),
        ([np.array([[0, 1], [1, 0], [0, 1]])] * 3, [[{1}, {0}, {1}]] * 3),  # no pairs of labels
        ([np.array([[1], [0], [1]])] * 3, [[{0}, set(), {0}]] * 3),
    ],
)
def test_the_columns_are_the_labels(columns, others):
    found, expected = compare(*columns, **MACRO), compare(*others, **MACRO)
    assert (found.score1, found.score2) == (expected.score1, expected.score2)
    assert found.pvalue == expected.pvalue


def test_chosen_labels():
    found = compare(*MATRICES, metric="f1", multilabel=True, pos_label=0)
    assert found.score2 == metrics.f1_score(GOLD[:, 0], TWO[:, 0])


@pytest.mark.parametrize("zero_division", [0, 1])
def test_columns_without_any_label_count(door, zero_division):
    found = door(*WIDE, **MACRO, zero_division=zero_division)
    expected = metrics.f1_score(WIDE[2], WIDE[1], average="macro", zero_division=zero_division)
    assert found.score2 == pytest.approx(expected, abs=1e-12)


def test_parts_have_the_same_columns(registered):
    """Batches of a module are one matrix; of other widths they are sequences."""
    columns = dict(zip(NAMES, MATRICES, strict=True))
    module = load("paired_perm", "f1", average="macro", multilabel=True)
    module.add_batch(**columns)
    module.add_batch(**columns)
    twice = {name: np.concatenate([x, x]) for name, x in columns.items()}
    assert module.compute() == compare(**twice, **MACRO).to_dict()
