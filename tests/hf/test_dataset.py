"""compare_dataset: the same results as compare, whatever holds the columns."""

import datasets
import numpy as np
import pytest
from datasets import Dataset, DatasetDict, Features, IterableDataset, Value

from corpora.labelled import EXPECTED, EXPECTED_OF_SENTENCES, IDS, SENTENCES, corpus, named
from corpora.small import SCORES
from pairedperm import compare, paired_permutation_test
from pairedperm.hf import compare_dataset
from pairedperm.hf.label_columns import LabelColumns
from properties import one_in

pytestmark = pytest.mark.usefixtures("batches")


def kinds_of(stored):
    yield stored
    yield stored.with_format("numpy")
    yield stored.flatten_indices()
    yield stored.select(range(len(stored)))
    yield stored.to_iterable_dataset()
    yield stored.to_iterable_dataset(num_shards=3)
    yield IterableDataset.from_generator(lambda: iter(stored.with_format(None)))  # no features


@one_in(3)
@pytest.mark.parametrize(
    ("columns", "expected", "spell"),
    [(IDS, EXPECTED, named), (SENTENCES, EXPECTED_OF_SENTENCES, list)],
    ids=["names", "sequences of ids"],
)
def test_kinds_of_datasets(columns, expected, spell):
    stored = Dataset.from_dict({name: spell(column) for name, column in columns.items()})
    for kind in kinds_of(stored):
        assert compare_dataset(kind) == expected
    assert compare_dataset(stored.shuffle(seed=1)) == expected


@one_in(5)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64", "bool", "large_string"])
def test_types_of_arrow(dtype):
    columns = {name: [x > 0 for x in column] for name, column in IDS.items()}
    stored = Dataset.from_dict(columns).cast(Features(dict.fromkeys(columns, Value("int64"))))
    assert compare_dataset(stored.cast(Features(dict.fromkeys(columns, Value(dtype))))) == compare(
        **columns
    )


def test_options_and_metric():
    stored = Dataset.from_dict({"a": SENTENCES["predictions1"], "b": SENTENCES["predictions2"]})
    stored = stored.add_column("gold", SENTENCES["references"])
    result = compare_dataset(
        stored, "b", "a", "gold", "exact_match", alternative="less", method="exact"
    )
    expected = compare(
        SENTENCES["predictions2"],
        SENTENCES["predictions1"],
        SENTENCES["references"],
        "exact_match",
        alternative="less",
    )
    assert result == expected
    assert compare_dataset(stored, "a", "a", "gold").pvalue == 1.0


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32"])
def test_scores(dtype):
    columns = dict(zip(("a", "b"), SCORES.values(), strict=True))
    if dtype == "int32":
        columns = {name: [round(8 * x) for x in column] for name, column in columns.items()}
    columns = {name: column * 3 for name, column in columns.items()}
    stored = Dataset.from_dict(columns, features=Features(dict.fromkeys("ab", Value(dtype))))
    expected = paired_permutation_test(*columns.values())
    for kind in (stored, stored.to_iterable_dataset()):
        assert compare_dataset(kind, "a", "b", None) == expected


def test_float32_scores_are_decimals():
    """0.1 as a float32 is no decimal as a double: it must stay in its own precision."""
    stored = Dataset.from_dict(
        {"a": [0.1, 0.3, 0.7], "b": [0.2, 0.1, 0.1]},
        features=Features(dict.fromkeys("ab", Value("float32"))),
    )
    for kind in (stored, stored.to_iterable_dataset()):
        assert compare_dataset(kind, "a", "b", None).score1 == pytest.approx(1.1 / 3, rel=1e-15)


def test_splits():
    splits = {"dev": corpus(30, np.random.default_rng(2)), "test": IDS}
    expected = {split: compare(**columns) for split, columns in splits.items()}
    whole = DatasetDict({split: Dataset.from_dict(columns) for split, columns in splits.items()})
    assert compare_dataset(whole) == expected
    streamed = {split: part.to_iterable_dataset() for split, part in whole.items()}
    assert compare_dataset(datasets.IterableDatasetDict(streamed)) == expected


@one_in(2)
def test_rows_that_were_chosen():
    """Shuffled, filtered, and joined from many parts."""
    stored = Dataset.from_dict({name: named(column) for name, column in IDS.items()})
    chosen = stored.shuffle(seed=5).filter(lambda x: x["references"] != "neu")
    assert len(chosen.data) > len(chosen)
    kept = [i for i, label in enumerate(IDS["references"]) if label != 1]
    expected = compare(*([column[i] for i in kept] for column in IDS.values()))
    assert compare_dataset(chosen) == expected
    parts = datasets.concatenate_datasets(
        [stored.select(range(i, i + 5)) for i in range(0, 500, 5)]
    )
    assert compare_dataset(parts) == EXPECTED
    assert compare_dataset(parts.shuffle(seed=1)) == EXPECTED
    scores = Dataset.from_dict({"a": [0.1, 0.2, 0.3], "b": [0.1, 0.1, 0.4]}).select([2, 0])
    assert compare_dataset(scores, "a", "b", None) == paired_permutation_test(
        [0.3, 0.1], [0.4, 0.1]
    )


def test_long_rows_come_in_small_batches(monkeypatch):
    monkeypatch.setattr("pairedperm.inputs.dataset_columns.STORED_BYTES", 2000)
    rows = Dataset.from_dict({name: [column] * 3 for name, column in IDS.items()})
    n_labels = []
    read = LabelColumns.read
    monkeypatch.setattr(
        LabelColumns,
        "read",
        lambda self, given, start: (
            n_labels.append(len(given["references"])) or read(self, given, start)
        ),
    )
    assert compare_dataset(rows).n == 3
    assert n_labels == [1, 1, 1]


def test_a_progress_bar_that_can_be_hidden(capfd, terminal):
    stored = Dataset.from_dict(IDS)
    assert not datasets.utils.are_progress_bars_disabled()
    compare_dataset(DatasetDict(test=stored))
    assert "Comparing (test): " in capfd.readouterr().err
    datasets.disable_progress_bars()
    try:
        compare_dataset(stored)
    finally:
        datasets.enable_progress_bars()
    assert capfd.readouterr().err == ""


def test_a_stream_is_read_once_in_small_batches():
    read = []

    def rows():
        for number in range(3000):
            read.append(number)
            yield {name: column[number % 500] for name, column in IDS.items()}

    assert compare_dataset(IterableDataset.from_generator(rows)).n == 3000
    assert read == list(range(3000))
