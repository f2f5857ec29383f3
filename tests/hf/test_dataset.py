"""compare_dataset: how columns are stored, how they are read, and what is missing in them."""

from decimal import Decimal

import datasets
import numpy as np
import pyarrow as pa
import pytest
from datasets import Dataset, DatasetDict, Features, IterableDataset, Sequence, Value

from corpora.small import COLUMNS
from corpora.texts import random_answers
from pairedperm import InputError, compare
from pairedperm.hf import compare_dataset
from pairedperm.hf.dataset import LabelColumns
from properties import one_in

STORED = Dataset.from_dict(COLUMNS)


def test_decimals_of_arrow():
    a, b = ([Decimal(x) for x in column] for column in (("-0.1", "-0.3"), ("-0.2", "-0.1")))
    table = pa.table({"a": a, "b": b, "r": [1, 2]})
    expected = compare(a, b, [1, 2], "log_likelihood")
    assert compare_dataset(Dataset(table), "a", "b", "r", "log_likelihood") == expected


def test_answers(batches):
    """As SQuAD has them, a struct of texts and where they start; or as JSON, stored as text."""
    columns = random_answers(np.random.default_rng(9), 12)
    expected = compare(**columns, metric="squad_f1")
    right = [{"text": x, "answer_start": [0] * len(x)} for x in columns["references"]]
    stored = [Dataset.from_dict(columns | {"references": right})]
    if hasattr(datasets, "Json"):  # datasets 5
        texts = {x: [{"prediction_text": y} for y in column] for x, column in columns.items()}
        texts["references"] = [{"text": x} for x in columns["references"]]
        kinds = Features(dict.fromkeys(texts, datasets.Json()))
        stored.append(Dataset.from_dict(texts, features=kinds))
    for dataset in (*stored, *(x.to_iterable_dataset() for x in stored)):
        assert compare_dataset(dataset, metric="squad_f1") == expected


def test_long_rows_come_in_small_batches(monkeypatch):
    monkeypatch.setattr("pairedperm.hf.dataset_columns.STORED_BYTES", 50)
    n_labels, read = [], LabelColumns.read

    def noting(self, given, start):
        n_labels.append(len(given["references"]))
        return read(self, given, start)

    monkeypatch.setattr(LabelColumns, "read", noting)
    rows = Dataset.from_dict({name: [column] * 3 for name, column in COLUMNS.items()})
    assert compare_dataset(rows).n == 3
    assert n_labels == [1, 1, 1]


def test_a_progress_bar(capfd, terminal):
    """Which `tests/options/test_progress.py` switches off."""
    compare_dataset(DatasetDict(test=STORED))
    assert "Comparing (test): " in capfd.readouterr().err


KINDS = {
    "stored": lambda x: x,
    "streamed": lambda x: x.to_iterable_dataset(),
    "without features": lambda x: IterableDataset.from_generator(lambda: iter(x)),
}
LABELS = ["a", "b"] * 10
ROWS = [[x, "c"] for x in LABELS]
SCORES = [0.5] * 20


@one_in(5)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        (LABELS, None, r" is missing \(None\)"),
        (ROWS, ["a", None], r"\[1\] is missing \(None\)"),
        (ROWS, None, r" is missing \(None\)"),
        (SCORES, None, " is missing"),
        (SCORES, np.nan, " is nan"),
        (SCORES, 2**-0.5, ".*no decimal"),
    ],
)
def test_missing_values_are_placed(good, bad, said, kind, batches):
    """Rows are counted across batches."""
    place = 12
    of_scores = {"references": None, "method": "exact"} if good is SCORES else {}
    names = tuple(COLUMNS)[: 2 if of_scores else 3]
    for name in names[1:]:
        columns = dict.fromkeys(names, good) | {name: [*good[:place], bad, *good[place + 1 :]]}
        with pytest.raises(InputError, match=rf"`{name}`\[{place}\]{said}"):
            compare_dataset(kind(Dataset.from_dict(columns)), **of_scores)


def test_columns_of_empty_sequences():
    """They have no label, but are equal, and hold no span."""
    kinds = Features(dict.fromkeys(COLUMNS, Sequence(Value("string"))))
    stored = Dataset.from_dict({name: [[]] for name in COLUMNS}, features=kinds)
    for metric in ("exact_match", "span_f1"):
        assert compare_dataset(stored, metric=metric).n == 1
    with pytest.raises(InputError):
        compare_dataset(stored)


def test_batches_without_a_common_unit(batches):
    """Each batch has one, of twelve digits or of thirds; all together have none."""
    one = [-0.123456789012, *[-0.5] * 6, *[-1 / 3, -2 / 3] * 4]
    for real in ([], [-(2**0.5)] * 7):
        both = {"predictions1": [*one, *real], "predictions2": [*[-0.25] * len(one), *real]}
        columns = both | {"references": [1] * (len(one) + len(real))}
        found = compare_dataset(Dataset.from_dict(columns), metric="log_likelihood")
        assert found == compare(**columns, metric="log_likelihood")
