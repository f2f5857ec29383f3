"""Examples in batches: added, counted, joined with those of compute."""

import pickle

import evaluate
import numpy as np
import pytest

from corpora.small import COLUMNS, EXPECTED
from pairedperm import InputError, compare


def test_streaming_strings_and_sequences(paired_perm):
    sequences = {k: [[str(x)] * n for n, x in enumerate(v)] for k, v in COLUMNS.items()}
    expected = compare(**sequences).to_dict()
    for start in range(6):  # the first batch holds one empty sequence: of no kind yet
        paired_perm.add_batch(**{k: v[start : start + 1] for k, v in sequences.items()})
    assert paired_perm.compute() == expected
    for row in zip(*sequences.values(), strict=True):
        paired_perm.add(**dict(zip(COLUMNS, row, strict=True)))
    assert paired_perm.compute() == expected


def test_batches_are_copied(paired_perm):
    buffers = {k: np.empty(3, dtype=np.int64) for k in COLUMNS}
    texts = {k: [] for k in COLUMNS}
    for start in (0, 3):
        for name, column in COLUMNS.items():
            buffers[name][:] = column[start : start + 3]
        paired_perm.add_batch(**buffers)
    assert paired_perm.compute() == EXPECTED
    for start in (0, 3):
        for name, column in COLUMNS.items():
            texts[name][:] = [str(x) for x in column[start : start + 3]]
        paired_perm.add_batch(**texts)
    assert paired_perm.compute() == EXPECTED


def test_batches_of_empty_sequences_decide_nothing(paired_perm):
    for batch in ([[]], [[1, 2]], [[]]):
        paired_perm.add_batch(**{name: list(batch) for name in COLUMNS})
    assert paired_perm.compute()["n"] == 3


def test_memory_does_not_grow_with_the_rows(paired_perm, hold):
    hold(500)
    rng = np.random.default_rng(3)
    n = 20_000
    columns = {name: rng.integers(0, 4, n) for name in COLUMNS}
    sizes = []
    for start in range(0, n, 100):
        paired_perm.add_batch(**{k: v[start : start + 100] for k, v in columns.items()})
        sizes.append(len(pickle.dumps(paired_perm._stream)))
    assert max(sizes[len(sizes) // 2 :]) <= max(sizes[: len(sizes) // 2])
    for metric in ("accuracy", "exact_match"):
        assert len(paired_perm) == n
        first = {k: v[:7] for k, v in columns.items()}
        both = {k: np.concatenate((v, v[:7])) for k, v in columns.items()}
        expected = compare(**both, metric=metric).to_dict()
        if metric == "accuracy":
            module = pickle.loads(pickle.dumps(paired_perm))
            assert module.compute(**first, metric=metric) == expected
        else:
            assert paired_perm.compute(**first, metric=metric) == expected


def test_counted_batches_that_fit_only_one_metric(paired_perm, hold):
    hold(3)
    for _ in range(4):
        paired_perm.add_batch(**{name: [[1, 2], [3]] for name in COLUMNS})
    paired_perm.add_batch(predictions1=[[1, 2]], predictions2=[[1]], references=[[1]])
    paired_perm.add_batch(**{name: [[1, 2]] for name in COLUMNS})
    with pytest.raises(InputError, match=r"`predictions1`\[8\] has 2 labels"):
        paired_perm.compute()
    result = paired_perm.compute(metric="exact_match")
    assert (result["score2"], result["score1"], result["n"]) == (1.0, 0.9, 10)


def test_counted_batches_without_a_label(paired_perm, hold):
    hold(1)
    paired_perm.add_batch(**{name: [[]] for name in COLUMNS})
    with pytest.raises(InputError, match="`references` holds no label"):
        paired_perm.compute()
    paired_perm.add_batch(**{name: [["a"]] for name in COLUMNS})
    assert paired_perm.compute()["n"] == 2


def test_two_instances_do_not_mix(registered):
    first, second = evaluate.load("paired_perm"), evaluate.load("paired_perm")
    first.add_batch(**COLUMNS)
    second.add_batch(predictions1=[1], predictions2=[1], references=[1])
    assert (second.compute()["n"], first.compute()["n"]) == (1, 6)
