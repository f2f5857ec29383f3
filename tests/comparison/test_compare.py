"""Predictions in, result out: label types, containers."""

import array
import enum

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from extras import needs
from pairedperm import compare

P1, P2, REFS = [1, 1, 0, 1, 2, 2], [1, 0, 0, 0, 2, 0], [1, 1, 1, 1, 2, 2]
EXPECTED = compare(P1, P2, REFS)


def words(labels):
    return [f"class {label}" for label in labels]


# Types of labels and of columns


def test_strings_integers_and_bools():
    assert compare(words(P1), words(P2), words(REFS)) == EXPECTED
    binary = [[int(x == 2) for x in column] for column in (P1, P2, REFS)]
    as_integers = compare(*binary)
    assert compare(*[[bool(x) for x in column] for column in binary]) == as_integers
    assert compare(binary[0], [bool(x) for x in binary[1]], binary[2]) == as_integers


def test_digits_are_strings():
    assert compare(["01", "1"], ["1", "1"], ["1", "1"]).score1 == 0.5


@pytest.mark.parametrize(
    "container",
    [
        tuple,
        np.array,
        lambda x: np.array(x, dtype=object),
        lambda x: list(np.array(x)),
        lambda x: pd.Series(x, index=np.arange(100, 100 + len(x))[::-1]),
        pd.Categorical,
        lambda x: pd.Series(x).astype("category"),
    ],
    ids=["tuple", "array", "object", "list of scalars", "Series", "Categorical", "category"],
)
@pytest.mark.parametrize("convert", [list, words], ids=["integers", "strings"])
def test_containers(container, convert):
    assert compare(*[container(convert(column)) for column in (P1, P2, REFS)]) == EXPECTED


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "uint64", "int64"])
def test_integer_arrays(dtype):
    columns = [np.array(column).astype(dtype) for column in (P1, P2, REFS)]
    assert compare(*columns) == compare(*[column.tolist() for column in columns])


def test_other_containers():
    assert compare(*[pa.array(column) for column in (P1, P2, REFS)]) == EXPECTED
    assert compare(*[pd.Series(c, dtype="Int64") for c in (P1, P2, REFS)]) == EXPECTED
    assert compare(*[pd.Series(words(c), dtype="string") for c in (P1, P2, REFS)]) == EXPECTED
    assert compare(*[array.array("q", column) for column in (P1, P2, REFS)]) == EXPECTED
    assert compare(*[range(3)] * 3).pvalue == 1.0


def test_sequences_in_any_container():
    columns = [[c[:2], c[2:4], c[4:]] for c in (P1, P2, REFS)]
    expected = compare(*columns)
    assert compare(*[np.array(c) for c in columns]) == expected
    assert compare(*[np.array(c, dtype=object) for c in columns]) == expected
    assert compare(*[[np.array(row) for row in c] for c in columns]) == expected
    assert compare(*[tuple(map(tuple, c)) for c in columns]) == expected
    assert compare(*[pd.Series(c) for c in columns]) == expected
    as_words = [[words(row) for row in c] for c in columns]
    assert compare(*as_words) == expected
    assert compare(*[np.array(c) for c in as_words]) == expected


def test_tensors():
    torch = needs("torch", "transformers")
    columns = (P1, P2, REFS)
    assert compare(*[torch.tensor(c) for c in columns]) == EXPECTED
    assert compare(*[[torch.tensor(x) for x in c] for c in columns]) == EXPECTED
    rows = [torch.tensor(c).reshape(3, 2) for c in columns]
    assert compare(*rows) == compare(*[[list(r) for r in c] for c in rows])
    assert compare(*rows) == compare(*[c.tolist() for c in rows])
    assert compare([torch.tensor(P1[0]), *P1[1:]], P2, REFS) == EXPECTED


def test_dataset_columns():
    data = datasets.Dataset.from_dict({"p1": P1, "p2": P2, "refs": REFS})
    assert compare(data["p1"], data["p2"], data["refs"]) == EXPECTED
    for form in ("numpy", "torch", "pandas"):
        if form == "torch":
            needs("torch", "transformers")
        formatted = data.with_format(form)
        assert compare(formatted["p1"], formatted["p2"], formatted["refs"]) == EXPECTED
    rows = datasets.Dataset.from_dict({"p1": [words(P1)], "p2": [words(P2)], "r": [words(REFS)]})
    assert compare(rows["p1"], rows["p2"], rows["r"]).score1 == EXPECTED.score1


def test_kinds_of_integers_and_strings():
    class Color(enum.IntEnum):
        RED, GREEN = 1, 2

    class Name(str, enum.Enum):
        RED, GREEN = "red", "green"

    assert compare([Color.RED, Color.GREEN], [1, np.int8(1)], [True, 2]).score1 == 1.0
    assert compare([Name.RED, "green"], np.array(["red", "red"]), ["red", "green"]).score1 == 1.0
    empty = np.zeros((2, 0), dtype=int)
    assert compare(empty, [["a"], []], [["a"], []], "exact_match").score1 == 0.5


def test_masked_arrays_without_a_mask():
    assert compare(*[np.ma.array(c) for c in (P1, P2, REFS)]) == EXPECTED


def test_long_strings_do_not_blow_up():
    texts = ["x" * 10**6, *["y"] * 10**5]  # as one array of text: 400 GB
    assert compare(texts, texts, texts, "exact_match").score1 == 1.0


def test_labels_in_memory():
    assert compare(memoryview(np.array([1, 2])), [0, 1], [1, 2]).score1 == 1.0


def test_answers_in_an_array():
    assert compare(["x"], ["y"], [np.array(["x", "z"])], "squad_f1").score1 == 1.0


def test_options_of_numpy():
    result = compare([1], [1], [1], np.str_("accuracy"), alternative=np.str_("less"))
    assert type(result.metric) is type(result.alternative) is str
