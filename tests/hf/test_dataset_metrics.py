"""Metrics with options on datasets."""

import numpy as np
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Sequence

from corpora.labelled import IDS, NAMES, SENTENCES, TAGS, named, spelled, tagged
from pairedperm import compare
from pairedperm.hf import compare_dataset


def test_class_labels_are_selected_by_name_or_id():
    dataset = Dataset.from_dict(IDS).cast_column("references", ClassLabel(names=NAMES))
    expected = compare(**{k: named(v) for k, v in IDS.items()}, metric="f1", pos_label="pos")
    for pos_label in ("pos", 2, np.int64(2)):
        assert compare_dataset(dataset, metric="f1", pos_label=pos_label) == expected
    options = {"metric": "precision", "average": "micro"}
    by_id = compare_dataset(dataset, **options, labels=range(2))
    assert by_id == compare_dataset(dataset, **options, labels=["neu", "neg"])


def test_the_second_of_two_class_labels_is_1():
    rng = np.random.default_rng(2)
    columns = {name: rng.integers(0, 2, 40).tolist() for name in IDS}
    dataset = Dataset.from_dict(columns).cast_column("references", ClassLabel(names=["-", "+"]))
    result = compare_dataset(dataset, metric="f1")
    assert result.pvalue == compare(**columns, metric="f1").pvalue
    assert result.metric_options == {"pos_label": "+"}


def test_sentences_of_class_labels(batches):
    columns = {k: named(v) for k, v in SENTENCES.items()}
    expected = compare(**columns, metric="recall", labels=["neg", "pos"], average="micro")
    dataset = Dataset.from_dict(SENTENCES)
    for name in SENTENCES:
        dataset = dataset.cast_column(name, Sequence(ClassLabel(names=NAMES)))
    options = {"metric": "recall", "labels": ["neg", "pos"], "average": "micro"}
    splits = compare_dataset(DatasetDict(dev=dataset, test=dataset), **options)
    assert splits == {"dev": expected, "test": expected}


def test_spans_of_class_labels(batches):
    columns = tagged()
    expected = compare(**spelled(columns), metric="span_f1", labels=["PER"])
    dataset = Dataset.from_dict(columns)
    for name in columns:
        dataset = dataset.cast_column(name, Sequence(ClassLabel(names=TAGS)))
    assert compare_dataset(dataset, metric="span_f1", labels=["PER"]) == expected


def test_labels_that_are_0_and_1(batches):
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 2, 40).tolist() for name in IDS}
    expected = compare(**columns, metric="f1")
    assert compare_dataset(Dataset.from_dict(columns), metric="f1") == expected
    flags = {name: [x == 1 for x in column] for name, column in columns.items()}
    assert compare_dataset(Dataset.from_dict(flags), metric="f1") == expected


def test_options_without_an_effect():
    dataset = Dataset.from_dict(IDS)
    with pytest.warns(UserWarning, match="`labels`: 9 occurs neither") as warned:
        compare_dataset(dataset, metric="recall", average="micro", labels=[1, 9])
    assert warned[0].filename == __file__
    spelled = int("-100")  # the default, as another object
    assert compare_dataset(dataset, references=None, ignore_label=spelled).metric is None
