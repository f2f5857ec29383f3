"""Tags as class ids with `label_names`, through every door as the tags themselves."""

import evaluate
import numpy as np
import pytest
from datasets import ClassLabel, Dataset, Sequence

from choices import plan
from corpora.small import COLUMNS
from corpora.tagged import TYPES, sentences
from pairedperm import InputError, compare
from pairedperm.hf import compare_dataset
from pairedperm.scoring import SpanRecall

TAGS = ["O", *(f"{prefix}-{kind}" for kind in TYPES for prefix in "BI")]


def ids(column):
    return [[TAGS.index(tag) for tag in tags] for tags in column]


def padded(columns, rng):
    """The ids, and places where the references have none, whatever others predict there."""
    found = [[], [], []]
    for rows in zip(*columns, strict=True):
        places = sorted(rng.integers(0, len(rows[0]) + 1, int(rng.integers(0, 4))), reverse=True)
        for column, row in zip(found, rows, strict=True):
            is_right = column is found[2]
            padded_row = list(row)
            for place in places:
                padded_row.insert(place, -100 if is_right else int(rng.integers(-100, 100)))
            column.append(padded_row)
    return found


SPELLED = dict(zip(COLUMNS, sentences(np.random.default_rng(1), 120), strict=True))
IDS = {name: ids(column) for name, column in SPELLED.items()}
PADDED = dict(zip(COLUMNS, padded(IDS.values(), np.random.default_rng(2)), strict=True))
N_IGNORED = sum(x == -100 for row in PADDED["references"] for x in row)


def without_names(result):
    """As of the tags, which need no names."""
    found = result if isinstance(result, dict) else result.to_dict()
    options = {k: x for k, x in (found["metric_options"] or {}).items() if k != "label_names"}
    return found | {"metric_options": options or None}


@pytest.mark.parametrize("options", [{}, {"labels": ["PER"], "mode": "strict", "scheme": "IOB2"}])
def test_ids_are_the_tags_that_they_name(options):
    metric = "span_recall"
    expected = compare(**SPELLED, metric=metric, **options).to_dict()
    for names in (TAGS, dict(enumerate(TAGS)), np.array(TAGS)):
        result = compare(**IDS, metric=metric, label_names=names, **options)
        assert without_names(result) == expected
        assert result.metric_options["label_names"] == TAGS
    result = compare(**PADDED, metric=metric, label_names=TAGS, **options)
    assert without_names(result) == expected | {"n_ignored": N_IGNORED}
    bootstrap = {"metric": metric, "test": "bootstrap", "rng": 0, "n_resamples": 99, **options}
    result = compare(**PADDED, label_names=TAGS, **bootstrap)
    assert without_names(result) == compare(**SPELLED, **bootstrap).to_dict() | {
        "n_ignored": N_IGNORED
    }
    arrays = {name: [np.array(row) for row in column] for name, column in PADDED.items()}
    assert compare(**arrays, metric=metric, label_names=TAGS, **options) == (
        compare(**PADDED, metric=metric, label_names=TAGS, **options)
    )


def test_as_an_object():
    result = compare(**IDS, metric=SpanRecall(label_names=dict(enumerate(TAGS))))
    assert result == compare(**IDS, metric="span_recall", label_names=TAGS)
    assert plan(*list(IDS.values()), metric=SpanRecall(label_names=TAGS)) == (
        plan(*list(SPELLED.values()), metric="span_recall")
    )


def test_module(registered, hold):
    hold(30)
    expected = compare(**PADDED, metric="span_precision", label_names=TAGS).to_dict()
    module = evaluate.load("paired_perm", "span_precision", label_names=TAGS)
    assert module.compute(**PADDED) == expected
    for start in range(0, 120, 7):
        module.add_batch(**{name: x[start : start + 7] for name, x in PADDED.items()})
    with pytest.raises(InputError, match="which `label_names` lack"):
        module.add_batch(predictions1=[[0, 0]], predictions2=[[0, 0]], references=[[0, 9]])
    assert len(module) == 120  # it was not added
    assert module.compute() == expected


def test_names_given_to_compute(registered):
    expected = compare(**PADDED, metric="span_f1", label_names=TAGS).to_dict()
    module = evaluate.load("paired_perm")
    assert module.compute(**PADDED, metric="span_f1", label_names=TAGS) == expected
    module = evaluate.load("paired_perm", "span_f1", label_names=TAGS)
    module.add_batch(**PADDED)
    recall = compare(**PADDED, metric="span_recall", label_names=TAGS).to_dict()
    assert module.compute(metric="span_recall") == recall  # the names stay
    assert module.compute(**PADDED, metric="accuracy") == compare(**PADDED).to_dict()


def test_dataset_of_ids():
    dataset = Dataset.from_dict(PADDED)
    expected = compare(**PADDED, metric="span_f1", label_names=TAGS)
    assert compare_dataset(dataset, metric="span_f1", label_names=TAGS) == expected


def test_names_of_a_class_label_come_by_themselves():
    dataset = Dataset.from_dict(IDS)
    for name in IDS:
        dataset = dataset.cast_column(name, Sequence(ClassLabel(names=TAGS)))
    expected = compare(**SPELLED, metric="span_precision")
    assert compare_dataset(dataset, metric="span_precision") == expected
    result = compare_dataset(dataset, metric="span_precision", label_names=TAGS)
    assert without_names(result) == expected.to_dict()
