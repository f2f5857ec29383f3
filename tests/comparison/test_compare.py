"""Predictions in, result out: sequences in any container, labels and options of any kind."""

import enum

import numpy as np
import pandas as pd
import pytest

from pairedperm import compare

P1, P2, REFS = [1, 1, 0, 1, 2, 2], [1, 0, 0, 0, 2, 0], [1, 1, 1, 1, 2, 2]


def words(labels):
    return [f"class {label}" for label in labels]


def test_sequences_in_any_container():
    columns = [[c[:2], c[2:4], c[4:]] for c in (P1, P2, REFS)]
    expected = compare(*columns)
    as_words = [[words(row) for row in c] for c in columns]
    for of in (
        *(np.array, lambda c: np.array(c, dtype=object), lambda c: [np.array(row) for row in c]),
        *(lambda c: tuple(map(tuple, c)), pd.Series, list),
    ):
        assert compare(*map(of, columns)) == compare(*map(of, as_words)) == expected


class Color(enum.IntEnum):
    RED, GREEN = 1, 2


class Name(str, enum.Enum):
    RED, GREEN = "red", "green"


LONG = ["x" * 10**6, *["y"] * 10**5]  # as one array of text: 400 GB


@pytest.mark.parametrize(
    ("columns", "metric", "score"),
    [
        (([True, False], [0, True], [1, 0]), "accuracy", 1.0),
        ((["01", "1"], ["1", "1"], ["1", "1"]), "accuracy", 0.5),
        (([Color.RED, Color.GREEN], [1, np.int8(1)], [True, 2]), "accuracy", 1.0),
        (([Name.RED, "green"], np.array(["red", "red"]), ["red", "green"]), "accuracy", 1.0),
        ((np.zeros((2, 0), dtype=int), [["a"], []], [["a"], []]), "exact_match", 0.5),
        ((LONG, LONG, LONG), "exact_match", 1.0),
        ((["x"], ["y"], [np.array(["x", "z"])]), "squad_f1", 1.0),
    ],
    ids=["bools", "digits", "int", "str", "empty", "long", "answers"],
)
def test_labels_of_other_kinds(columns, metric, score):
    assert compare(*columns, metric).score1 == score
