"""Columns of datasets of any format and order, read as they are stored."""

import datasets
import numpy as np
import pytest
from datasets import Dataset

from pairedperm import compare, paired_permutation_test
from pairedperm.hf import dataset_columns
from pairedperm.inputs.columns import materialise

ROWS = {
    "label": [0, 1, 2, 1, 0],
    "text": ["a", "b", "", "ä", "b"],
    "score": [0.1, 1e30, -0.25, 1 / 3, 2.0],
    "right": [True, False, True, True, False],
    "tags": [["a"], [], ["b", "c"], ["a", "a"], ["c"]],
    "some": [1, None, 3, 4, None],
}
ORDER = [4, 2, 0, 3]


def is_stored(column):
    """Whether it is a Column; of some formats `datasets` makes arrays, and version 3 of all."""
    return type(column).__name__ == "Column"


def columns_of(rows):
    """The dataset in the formats, and with some rows in another order."""
    whole = Dataset.from_dict(rows)
    for dataset in (whole, whole.select(ORDER), whole.filter(lambda row: row["label"] != 1)):
        for form in (None, "numpy", "pandas", "arrow"):
            yield dataset, dataset.with_format(form)


@pytest.mark.parametrize("n_rows", [2, 1000])
def test_as_they_are_stored(monkeypatch, n_rows):
    monkeypatch.setattr(dataset_columns, "STORED_ROWS", n_rows)
    for dataset, formatted in columns_of(ROWS):
        rows = dataset.to_dict()
        for name, wanted in rows.items():
            column = formatted[name]
            if not is_stored(column):
                continue
            found = materialise("counts1", column)
            assert list(found) == wanted
            is_numeric = name in ("label", "score", "right")
            assert isinstance(found, np.ndarray if is_numeric else list)


def test_scores_in_full_precision():
    """The format "numpy" would make float32 of them; a float32 is the decimal that it prints as."""
    scores = Dataset.from_dict({"1": [0.1 + 1e-12, 0.7], "2": [0.1, 0.5]})
    wanted = paired_permutation_test(scores["1"], scores["2"])
    formatted = scores.with_format("numpy")
    kind = datasets.Features({"x": datasets.Value("float32")})
    narrow = Dataset.from_dict({"x": [0.1, 0.7]}, features=kind)["x"]
    if is_stored(formatted["1"]):
        assert paired_permutation_test(formatted["1"], formatted["2"]) == wanted
        assert paired_permutation_test(narrow, [0.0, 0.5]).score1 == 0.4


def test_what_a_transform_returns():
    """The transform is the user's own, and says what the column holds, also of a float32."""
    kind = datasets.Features({"x": datasets.Value("float32")})
    data = Dataset.from_dict({"x": [1.0, 2.0]}, features=kind)
    texts = data.with_transform(lambda rows: {"x": [str(int(x)) for x in rows["x"]]})["x"]
    assert compare(texts, texts, ["1", "2"]).score1 == 1.0
    large = data.with_transform(lambda rows: {"x": [2**24 + 1 for _ in rows["x"]]})["x"]
    assert paired_permutation_test(large, [0, 0]).score1 == 2**24 + 1


@pytest.mark.skipif(not hasattr(datasets, "Json"), reason="datasets before 5")
@pytest.mark.parametrize("form", [None, "numpy", "arrow"])
def test_json_is_decoded(form):
    features = datasets.Features(a=datasets.Json(), b=datasets.Value("string"))
    dataset = Dataset.from_dict({"a": ["x", 2], "b": ["x", "y"]}, features=features)
    column = dataset.with_format(form)["a"]
    if is_stored(column):
        assert materialise("counts1", column) == ["x", 2]
