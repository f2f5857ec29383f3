"""Predictions in, result out: in any container, of either test, the same every time."""

import array
import enum

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from extras import needs
from pairedperm import PairedBootstrapResult, Ratio, compare, paired_bootstrap_test

P1, P2, REFS = [1, 1, 0, 1, 2, 2], [1, 0, 0, 0, 2, 0], [1, 1, 1, 1, 2, 2]
EXPECTED = compare(P1, P2, REFS)


def words(labels):
    return [f"class {label}" for label in labels]


def table(x):
    return datasets.Dataset.from_dict({"x": x})


CONTAINERS = {
    "tuples": tuple,
    "arrays": np.array,
    "arrays of objects": lambda x: np.array(x, dtype=object),
    "scalars of numpy": lambda x: list(np.array(x)),
    "masked arrays without a mask": np.ma.array,
    "Series": lambda x: pd.Series(x, index=np.arange(100, 106)[::-1]),
    "Categorical": pd.Categorical,
    "category": lambda x: pd.Series(x).astype("category"),
    "Arrow": pa.array,
    "columns of a dataset": lambda x: table(x)["x"],
    "columns of numpy": lambda x: table(x).with_format("numpy")["x"],
    "columns of pandas": lambda x: table(x).with_format("pandas")["x"],
}


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
@pytest.mark.parametrize("convert", [list, words], ids=["integers", "strings"])
def test_containers(container, convert):
    assert compare(*[container(convert(column)) for column in (P1, P2, REFS)]) == EXPECTED


@pytest.mark.parametrize(
    "container",
    [
        *(lambda x, dtype=dtype: np.array(x).astype(dtype) for dtype in ("uint8", "uint64")),
        lambda x: pd.Series(x, dtype="Int64"),
        lambda x: array.array("q", x),
        lambda x: memoryview(np.array(x)),
    ],
)
def test_integers(container):
    assert compare(*[container(column) for column in (P1, P2, REFS)]) == EXPECTED


def test_tensors():
    torch = needs("torch", "transformers")
    columns = (P1, P2, REFS)
    assert compare(*[torch.tensor(c) for c in columns]) == EXPECTED
    assert compare(*[[torch.tensor(x) for x in c] for c in columns]) == EXPECTED
    assert compare(*[table(c).with_format("torch")["x"] for c in columns]) == EXPECTED
    assert compare([torch.tensor(P1[0]), *P1[1:]], P2, REFS) == EXPECTED
    rows = [torch.tensor(c).reshape(3, 2) for c in columns]
    assert compare(*rows) == compare(*[[list(r) for r in c] for c in rows])
    assert compare(*rows) == compare(*[c.tolist() for c in rows])


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
        ((range(3), range(3), range(3)), "accuracy", 1.0),
        ((np.zeros((2, 0), dtype=int), [["a"], []], [["a"], []]), "exact_match", 0.5),
        ((LONG, LONG, LONG), "exact_match", 1.0),
        ((["x"], ["y"], [np.array(["x", "z"])]), "squad_f1", 1.0),
    ],
    ids=["bools", "digits", "int", "str", "range", "empty", "long", "answers"],
)
def test_labels_of_other_kinds(columns, metric, score):
    assert compare(*columns, metric).score1 == score


def test_options_of_numpy():
    result = compare([1], [1], [1], np.str_("accuracy"), alternative=np.str_("less"))
    assert type(result.metric) is type(result.alternative) is str


def test_the_bootstrap_draws_sentences_as_wholes():
    """Their accuracy is a ratio of sums, to which empty ones add nothing."""
    rng = np.random.default_rng(3)
    lengths = [*rng.integers(1, 4, 40).tolist(), 0, 0]
    columns = [[rng.integers(0, 2, n).tolist() for n in lengths] for _ in range(3)]
    rows = [
        [(sum(map(int.__eq__, *pair)), len(pair[1])) for pair in zip(x, columns[2], strict=True)]
        for x in columns[:2]
    ]
    options = {"alternative": "greater", "ties": "exclude"}
    found = compare(*columns, test="bootstrap", **options)
    expected = paired_bootstrap_test(*rows, score=Ratio([1, 0], [0, 1]), **options)
    assert found.pvalue == expected.pvalue
    single = [[x for row in column for x in row] for column in columns]
    assert compare(*single, test="bootstrap", **options).pvalue != found.pvalue
    assert compare(*columns) == compare(*columns, test="permutation")
    assert not isinstance(compare(*columns), PairedBootstrapResult)


def test_seeds():
    columns = np.random.default_rng(7).integers(0, 2, (3, 50))

    def run(rng):
        options = {"method": "monte_carlo", "rng": rng, "n_resamples": 999}
        return compare(*columns, "f1", test="bootstrap", **options)

    assert run(5) == run(run(5).seed) != run(6)
    for rng in (np.random.default_rng(5), None):
        drawn = run(rng)
        assert run(drawn.seed) == drawn
    assert compare(*columns, test="bootstrap", rng=5).seed is None  # all resamples
