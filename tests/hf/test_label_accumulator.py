"""Averages over classes through the `evaluate` module, in batches, processes and datasets."""

import json
import pickle
import warnings

import evaluate
import numpy as np
import pytest
from datasets import ClassLabel, Dataset

from corpora.labelled import IDS, NAMES, named
from corpora.small import COLUMNS
from pairedperm import InputError, compare
from pairedperm.hf import compare_dataset
from pairedperm.hf.accumulator import LabelAccumulator
from pairedperm.options import read_options
from pairedperm.scoring.metric import read_metric
from properties import one_in

CHOICES = {
    "precision": {"average": "macro"},
    "recall": {"average": "macro"},
    "f1": {"average": "macro"},
    "fbeta": {"average": "macro", "beta": 2},
    "jaccard": {"average": "macro", "zero_division": 1.0},
    "balanced_accuracy": {},
    "matthews_correlation": {},
}


def later_classes(kind="strings", n=24):
    """Labels whose classes appear one after the other: "a" and "b" first, "c" and "d" last."""
    rng = np.random.default_rng(1)
    columns = {name: [] for name in IDS}
    for k in range(n):
        right = rng.integers(0, 2 + 3 * k // n, int(rng.integers(1, 4)) if "seq" in kind else 1)
        for name, share in (("predictions1", 0.8), ("predictions2", 0.6), ("references", 1.0)):
            other = rng.integers(0, 2 + 3 * k // n, right.size)
            row = np.where(rng.random(right.size) < share, right, other).tolist()
            if "integers" not in kind:
                row = ["abcd"[label] for label in row]
            columns[name].append(row if "seq" in kind else row[0])
    return columns


def batches_of(columns, size):
    n = len(columns["references"])
    for start in range(0, n, size):
        yield {name: column[start : start + size] for name, column in columns.items()}


of_rows = pytest.mark.parametrize(
    ("metric", "kind"),
    [("recall", "strings"), ("matthews_correlation", "sequences of integers")],
)
LATER = {kind: later_classes(kind) for kind in ("strings", "sequences", "sequences of integers")}


def test_the_classes_come_one_after_the_other():
    for columns in LATER.values():
        seen = [str(sorted({*map(str, x["references"])})) for x in batches_of(columns, 6)]
        assert len(set(seen)) > 1


@of_rows
def test_batches(registered, hold, metric, kind):
    """Held and counted ones, also copied, are the whole; again after a reset."""
    columns, options = LATER[kind], CHOICES[metric]
    expected = compare(**columns, metric=metric, **options).to_dict()
    assert expected["p"] < 1.0
    for held, sizes in ((1, (4, 24)), (10_000, (1, 5))):
        hold(held)
        module = evaluate.load("paired_perm", metric, **options)
        for size in sizes:
            for batch in batches_of(columns, size):
                module.add_batch(**batch)
            assert len(module) == 24
            assert pickle.loads(pickle.dumps(module)).compute() == expected
            assert module.compute() == expected
            assert len(module) == 0


def test_named_when_computed(paired_perm):
    """Some of the examples may come then too."""
    columns, options = LATER["strings"], {"metric": "f1", "average": "macro"}
    *before, last = batches_of(columns, 7)
    for batch in before:
        paired_perm.add_batch(**batch)
    assert paired_perm.compute(**last, **options) == compare(**columns, **options).to_dict()


def test_named_classes_in_batches(registered, hold):
    """One of them is not in every batch; none is lost, and one that is in none is warned of."""
    columns = LATER["strings"]
    for held in (3, 10_000):
        hold(held)
        options = {"average": "macro", "labels": ["a", "d", "x"]}
        module = evaluate.load("paired_perm", "precision", **options)
        for batch in batches_of(columns, 4):
            module.add_batch(**batch)
        with pytest.warns(UserWarning, match="`labels`: 'x' occurs neither") as warned:
            found = module.compute()
        assert warned[0].filename == __file__
        with pytest.warns(UserWarning, match="`labels`: 'x'"):
            assert found == compare(**columns, metric="precision", **options).to_dict()


def test_sets_in_batches(registered, hold):
    hold(3)
    rng = np.random.default_rng(2)
    columns = {
        name: [
            set(rng.choice(2 + k // 6, int(rng.integers(0, 3)), replace=False).tolist())
            for k in range(18)
        ]
        for name in IDS
    }
    options = {"average": "macro", "multilabel": True}
    module = evaluate.load("paired_perm", "recall", **options)
    for batch in batches_of(columns, 2):
        module.add_batch(**batch)
    assert module.compute() == compare(**columns, metric="recall", **options).to_dict()


def test_batches_without_labels(registered, hold):
    """A batch of empty sequences alone has no class; later ones may."""
    hold(1)
    empty = {name: [[], []] for name in IDS}
    columns = {name: [*LATER["sequences"][name], [], []] for name in IDS}
    for metric, options in CHOICES.items():
        module = evaluate.load("paired_perm", metric, **options)
        for batch in batches_of(LATER["sequences"], 12):
            module.add_batch(**batch)
        module.add_batch(**empty)
        assert module.compute() == compare(**columns, metric=metric, **options).to_dict()


@pytest.mark.parametrize("n_columns", [1, 3])
def test_matrices_are_sequences_unless_sets_were_named(registered, n_columns):
    """Of one column they could be sets of 0 or 1."""
    matrices = {name: np.tri(3, dtype=int)[:, :n_columns] for name in COLUMNS}
    sets = {"metric": "f1", "average": "micro", "multilabel": True}
    module = evaluate.load("paired_perm")
    module.add_batch(**matrices)
    with pytest.raises(InputError, match="`multilabel`: a matrix was added"):
        module.compute(**sets)
    assert module.compute()["score1"] == 1.0  # sequences
    module.add_batch(**{name: [[0, 1], [2]] for name in COLUMNS})
    assert module.compute(**sets)["score1"] == 1.0  # lists may be sets
    module = evaluate.load("paired_perm", "f1", average="micro", multilabel=True)
    module.add_batch(**matrices)
    assert module.compute()["score1"] == 1.0


# Several processes


@of_rows
def test_states_of_processes(hold, metric, kind):
    """Each has seen other classes; one has seen nothing. They go through JSON."""
    columns, options = LATER[kind], CHOICES[metric]
    expected = compare(**columns, metric=metric, **options)
    spec, less = read_metric(metric, **options), read_options(alternative="less")
    for held in (1, 10_000):
        hold(held)
        for size in (8, 14):
            streams = []
            for part in batches_of(columns, size):
                streams.append(LabelAccumulator(spec))
                for batch in batches_of(part, 5):
                    streams[-1].add(batch)
            streams.insert(1, LabelAccumulator(spec))
            states = [json.loads(json.dumps(x.state(None))) for x in streams]
            for order in (states, states[::-1]):
                assert streams[1].test_states(order, None) == expected
                assert streams[0].test_states(order, spec, less) == compare(
                    **columns, metric=metric, alternative="less", **options
                )


def test_states_of_named_classes():
    options = {"average": "macro", "labels": ["a", "c", "d"]}
    streams = [LabelAccumulator(read_metric("f1", **options)) for _ in range(2)]
    for stream, part in zip(streams, batches_of(LATER["strings"], 12), strict=True):
        stream.add(part)
    states = [stream.state() for stream in streams]
    assert any(state["counts"]["occurring"] is not None for state in states)
    found = streams[0].test_states(states, None)  # no warning
    assert found == compare(**LATER["strings"], metric="f1", **options)


# Datasets


def test_dataset(batches):
    """Read in parts, of which the first lack classes."""
    dataset = Dataset.from_dict(LATER["sequences of integers"])
    expected = compare(**LATER["sequences of integers"], metric="f1", average="macro")
    for kind in (dataset, dataset.to_iterable_dataset()):
        assert compare_dataset(kind, metric="f1", average="macro") == expected


@one_in(3)
@pytest.mark.parametrize("streamed", [False, True], ids=["stored", "streamed"])
def test_class_labels(batches, streamed):
    """Are compared by name; one that no row has is no class."""
    columns = {name: column[:60] for name, column in IDS.items()}
    spelled = {name: named(column) for name, column in columns.items()}
    dataset = Dataset.from_dict(columns)
    feature = ClassLabel(names=[*NAMES, "none has it"])
    for name in columns:
        dataset = dataset.cast_column(name, feature)
    dataset = dataset.to_iterable_dataset() if streamed else dataset
    for metric in ("recall", "balanced_accuracy"):
        options = CHOICES[metric]
        expected = compare(**spelled, metric=metric, **options)
        assert compare_dataset(dataset, metric=metric, **options) == expected
        assert expected.n == 60
    expected = compare(**spelled, metric="recall", average="macro", labels=["neg", "pos"])
    for labels in (["pos", "neg"], [0, 2]):
        options = {"metric": "recall", "average": "macro", "labels": labels}
        assert compare_dataset(dataset, **options) == expected
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compare_dataset(dataset, metric="recall", average="macro", labels=[0, 3])
    assert any("`labels`: 'none has it' occurs neither" in str(w.message) for w in caught)


def test_mapped_labels():
    columns = {name: list(column) for name, column in LATER["strings"].items()}
    expected = compare(**columns, metric="matthews_correlation")
    mapping = {f"LABEL_{k}": label for k, label in enumerate("abcd")}
    given = {label: name for name, label in mapping.items()}
    columns |= {name: [given[x] for x in columns[name]] for name in list(columns)[:2]}
    found = compare_dataset(
        Dataset.from_dict(columns), metric="matthews_correlation", label_mapping=mapping
    )
    assert found == expected
