"""Examples in batches, where what came before matters; the answers themselves: `test_doors.py`."""

import pickle

import numpy as np
import pytest

from corpora.small import COLUMNS, EXPECTED
from pairedperm import InputError, compare, load

SETS = {"average": "micro", "multilabel": True}


def every(column):
    """The same in each column of labels."""
    return dict.fromkeys(COLUMNS, column)


def test_batches_are_copied(paired_perm):
    """Their buffers may be used again."""
    for buffers, kind in (({k: np.empty(3, int) for k in COLUMNS}, int), (every([]), str)):
        for start in (0, 3):
            for name, column in COLUMNS.items():
                buffers[name] = buffers[name] if kind is int else []
                buffers[name][:] = [kind(x) for x in column[start : start + 3]]
            paired_perm.add_batch(**buffers)
            for column in buffers.values():
                column[:] = [kind(9)] * 3
        assert paired_perm.compute() == EXPECTED


def test_what_is_not_decided_yet(paired_perm, hold):
    """Empty sequences are of no kind; what fits one metric alone waits for it, or is dropped."""
    for held in (1, 10_000):
        hold(held)
        for batch in ([[]], [[1, 2]], [[]]):
            paired_perm.add_batch(**every(batch))
        paired_perm.add_batch(predictions1=[[1, 2]], predictions2=[[1]], references=[[1]])
        paired_perm.add_batch(**every([[1, 2]]))
        with pytest.raises(InputError, match=r"`predictions1`\[3\] has 2 labels"):
            paired_perm.compute()
        found = paired_perm.compute(metric="exact_match")
        assert (found["score1"], found["score2"], found["n"]) == (0.8, 1.0, 5)
        paired_perm.add_batch(**every([[]]))
        with pytest.raises(InputError, match="`references` holds no label"):
            paired_perm.compute()
        paired_perm.reset()


@pytest.mark.parametrize("n_columns", [1, 3])
def test_matrices_are_sequences_unless_sets_were_named(paired_perm, n_columns):
    """Of one column they could be sets of 0 or 1."""
    matrices = every(np.tri(3, dtype=int)[:, :n_columns])
    paired_perm.add_batch(**matrices)
    with pytest.raises(InputError, match="`multilabel`: a matrix was added"):
        paired_perm.compute(metric="f1", **SETS)
    assert paired_perm.compute()["score1"] == 1.0  # sequences
    paired_perm.add_batch(**every([[0, 1], [2]]))
    assert paired_perm.compute(metric="f1", **SETS)["score1"] == 1.0  # lists may be sets
    module = load("paired_perm", "f1", **SETS)
    module.add_batch(**matrices)
    assert module.compute()["score1"] == 1.0


@pytest.mark.parametrize("empty", [False, True])
def test_memory_does_not_grow_with_the_rows(paired_perm, hold, empty):
    hold(100)
    columns = {
        name: np.random.default_rng(k).integers(0, 4, 4000) for k, name in enumerate(COLUMNS)
    }
    columns = every([[]] * 4000) if empty else columns
    sizes = []
    for start in range(0, 4000, 40):
        paired_perm.add_batch(**{k: v[start : start + 40] for k, v in columns.items()})
        sizes.append(len(pickle.dumps(paired_perm._stream)))
    assert max(sizes[50:]) <= max(sizes[:50])
    if not empty:
        copy = pickle.loads(pickle.dumps(paired_perm))
        assert (
            copy.compute(metric="exact_match") == compare(**columns, metric="exact_match").to_dict()
        )
        assert paired_perm.compute() == compare(**columns).to_dict()
