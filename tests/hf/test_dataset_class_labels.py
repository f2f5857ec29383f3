"""compare_dataset: ranked and ordered ClassLabels by name, and columns of numbers."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from datasets import ClassLabel, Dataset, Features, Sequence, Value

from pairedperm import compare
from pairedperm.hf import compare_dataset

pytestmark = pytest.mark.usefixtures("batches")

RANKED = {"k": 1, "metric": "top_k_accuracy"}
XY, YX = ClassLabel(names=["x", "y"]), ClassLabel(names=["y", "x"])


def both(columns, **features):
    """The dataset stored, and as a stream."""
    dataset = Dataset.from_dict(columns, features=Features(features))
    return dataset, dataset.to_iterable_dataset()


@pytest.mark.parametrize(
    ("one", "two", "kind"),
    [
        ([[1, 0]], [[0, 1]], Sequence(YX)),
        ([[0, 1]], [[1, 0]], Sequence(XY)),
        ([["x", "y"]], [["y", "x"]], Sequence(Value("string"))),
        ([[0, 1]], [[1, 0]], Sequence(Value("int64"))),  # ids of the references' ClassLabel
    ],
    ids=["numbered differently", "numbered alike", "names", "ids"],
)
def test_ranked_class_labels_are_compared_by_name(one, two, kind):
    columns = {"a": one * 9, "b": two * 9, "r": [0] * 9}
    for dataset in both(columns, a=kind, b=kind, r=XY):
        result = compare_dataset(dataset, "a", "b", "r", **RANKED)
        assert (result.score1, result.score2) == (1.0, 0.0)
        assert result == compare([["x", "y"]] * 9, [["y", "x"]] * 9, ["x"] * 9, **RANKED)


def test_ranked_class_labels_and_references_that_are_strings():
    columns = {"a": [[1, 0]], "b": [[0, 1]], "r": ["x"]}
    for dataset in both(columns, a=Sequence(YX), b=Sequence(YX), r=Value("string")):
        assert compare_dataset(dataset, "a", "b", "r", **RANKED).score1 == 1.0


def test_names_of_class_labels_as_texts():
    columns = {"a": [0, 1], "b": [0, 0], "r": ["x", "y"]}
    for dataset in both(columns, a=XY, b=YX, r=Value("string")):
        found = compare_dataset(dataset, "a", "b", "r", "word_error_rate")
        assert found == compare(["x", "y"], ["y", "y"], ["x", "y"], "word_error_rate")


def test_ordered_class_labels_keep_their_order():
    """And not that of their names: "hi" is no neighbour of "lo"."""
    columns = {"a": [0, 1, 2, 1], "b": [2, 2, 1, 0], "r": [0, 1, 2, 2]}
    weighted = {"metric": "cohen_kappa", "weights": "quadratic"}
    expected = compare(*columns.values(), **weighted)
    assert (expected.score1, expected.pvalue) == (pytest.approx(0.8), 0.125)
    ordered = ClassLabel(names=["lo", "mid", "hi"])
    dataset = Dataset.from_dict(columns, features=Features(dict.fromkeys(columns, ordered)))
    for labels in ({}, {"labels": [0, 1, 2]}, {"labels": ["lo", 1, np.int64(2)]}):
        found = compare_dataset(dataset, *columns, **weighted, **labels)
        assert (found.score1, found.score2) == (expected.score1, expected.score2)
        assert found.pvalue == expected.pvalue
        assert found.metric_options == {"weights": "quadratic", "labels": ["lo", "mid", "hi"]}
    other = compare_dataset(dataset, *columns, **weighted, labels=[1, 0, 2])
    assert other.score1 == compare(*columns.values(), **weighted, labels=[1, 0, 2]).score1
    assert compare_dataset(dataset, *columns, "cohen_kappa").metric_options is None


def test_a_label_beside_the_order():
    """One that is mapped to itself, and has no place among the ClassLabel's names."""
    ordered = ClassLabel(names=["lo", "mid", "hi"])
    columns = {"a": ["lo", "odd", "hi"], "b": ["lo", "mid", "hi"], "r": [0, 1, 2]}
    options = {"metric": "cohen_kappa", "weights": "linear", "label_mapping": {"odd": "odd"}}
    order = ["odd", "lo", "mid", "hi"]
    weighted = {"metric": "cohen_kappa", "weights": "linear", "labels": order}
    expected = compare(columns["a"], columns["b"], columns["b"], **weighted)
    for dataset in both(columns, a=Value("string"), b=Value("string"), r=ordered):
        assert compare_dataset(dataset, *columns, **options, labels=order) == expected


def test_narrow_floats_stay_decimals():
    a, b = [-0.1, -0.3, -0.7] * 3, [-0.2, -0.1, -0.1] * 3
    narrow = np.array(a, dtype=np.float32), np.array(b, dtype=np.float32)
    expected = compare(*narrow, [1, 2, 3] * 3, "log_likelihood")
    kinds = {"a": Value("float32"), "b": Value("float32"), "r": Value("int32")}
    for dataset in both({"a": a, "b": b, "r": [1, 2, 3] * 3}, **kinds):
        found = compare_dataset(dataset, "a", "b", "r", "log_likelihood")
        assert found == expected
        assert found.method == expected.method == "exact"
        assert found.score1 == pytest.approx(-1.1 / 6, rel=1e-15)


def test_arrow_decimals():
    a, b = ([Decimal(x) for x in column] for column in (("-0.1", "-0.3"), ("-0.2", "-0.1")))
    table = pa.table({"a": a, "b": b, "r": [1, 2]})
    expected = compare(a, b, [1, 2], "log_likelihood")
    assert compare_dataset(Dataset(table), "a", "b", "r", "log_likelihood") == expected
