"""Predictions in, result out: label types, containers, errors."""

import array
import enum

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from extras import needs
from pairedperm import InputError, compare

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
    with pytest.raises(InputError, match=r"`predictions1`\[0\] is a float"):
        compare(torch.tensor(P1, dtype=torch.float32, requires_grad=True), P2, REFS)
    with pytest.raises(InputError, match=r"`predictions1` is a tensor that numpy cannot hold"):
        compare(torch.tensor(P1, dtype=torch.bfloat16), P2, REFS)
    with pytest.raises(InputError, match=r"to_dense"):
        compare(P1, torch.tensor(P2).to_sparse(), REFS)
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


def test_dataset_columns_with_missing_labels():
    data = datasets.Dataset.from_dict({"p": [1, None], "r": [1, 0]})
    for form in (None, "numpy", "pandas", "arrow"):
        column = data.with_format(form)["p"]
        with pytest.raises(InputError, match=r"`predictions1`\[1\] is missing"):
            compare(column, data["r"], data["r"])


def test_masked_arrays_without_a_mask():
    assert compare(*[np.ma.array(c) for c in (P1, P2, REFS)]) == EXPECTED


def test_long_strings_do_not_blow_up():
    texts = ["x" * 10**6, *["y"] * 10**5]  # as one array of text: 400 GB
    assert compare(texts, texts, texts, "exact_match").score1 == 1.0


# Bad input


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([1, 0], [1], [1, 0]), "`predictions2` has 1 examples and `references` has 2"),
        (([1, 0], [1, 0], [1]), "`predictions1` has 2 examples and `references` has 1"),
        (([], [], []), "`predictions1` is empty"),
        ((None, [1], [1]), "`predictions1` is missing"),
        (([1], [1], None), "`references` is missing"),
        (([1, None], [1, 0], [1, 0]), r"`predictions1`\[1\] is missing \(None\)"),
        ((["a", None], ["a", "b"], ["a", "b"]), r"`predictions1`\[1\] is missing"),
        (([None, "a"], ["a", "b"], ["a", "b"]), r"`predictions1`\[0\] is missing"),
        (([1, float("nan")], [1, 0], [1, 0]), r"`predictions1`\[1\] is missing \(nan\)"),
        (([1, 0], [1, 0], [1, float("inf")]), r"`references`\[1\] is a float, inf"),
        (([1.0, 0.0], [1, 0], [1, 0]), r"`predictions1`\[0\] is a float.*astype\(int\)"),
        ((np.array([0.5]), [1], [1]), r"`predictions1`\[0\] is a float, 0.5"),
        (
            (["1"], [1], [1]),
            r"`predictions1` holds strings \('1'\) and `references` holds integers",
        ),
        (([1], [1], ["1"]), r"integers \(1\) and `references` holds strings"),
        (([1, "1"], [1, 1], [1, 1]), r"`predictions1` mixes strings and integers: 1 .*'1'"),
        (([b"a"], ["a"], ["a"]), r"`predictions1`\[0\] is no label: b'a'"),
        (([[1, 2]], [[1]], [[1]]), r"`predictions1`\[0\] has 2 labels and `references`\[0\] has 1"),
        (([[1], [1, 2]], [[1], [1]], [[1], [1, 2]]), r"`predictions2`\[1\] has 1 labels"),
        (([[1], [2]], [1, 2], [1, 2]), "`predictions1` has a sequence of labels per example"),
        (([1, 2], [1, 2], [[1], [2]]), "`references` has a sequence.*`predictions1` has single"),
        (([[1, 0]], [0], [0]), r"`predictions1` .* It looks one-hot: pass the labels, np.argmax\("),
        (([0], [0], [[0, 1]]), r"`references` .* It looks one-hot: pass the labels, np.argmax\("),
        (([0], [0], [[0]]), r"`references` .* Each sequence holds one label: pass np.ravel"),
        (([[0, 2]], [0], [0]), r"same form\. For runs, give both systems lists .* in one call\.$"),
        (([[1], 2], [[1], [2]], [[1], [2]]), "`predictions1` mixes sequences and single labels"),
        (([1, [2]], [1, 2], [1, 2]), r"`predictions1`\[1\] is no label: \[2\]"),
        (([[1], None], [[1], [2]], [[1], [2]]), r"`predictions1`\[1\] is missing \(None\)"),
        (([[1], [None]], [[1], [2]], [[1], [2]]), r"`predictions1`\[1\]\[0\] is missing"),
        (([["a"], ["b", 2]],) * 3, r"mixes strings and integers: 'a' .*\[1\]\[1\], 2"),
        (([[[1]]],) * 3, r"`predictions1`\[0\]\[0\] is no label: \[1\]"),
        ((np.ones((2, 2, 2), dtype=int),) * 3, r"got shape \(2, 2, 2\)"),
        ((np.ones((2, 2)),) * 3, r"`predictions1`\[0\]\[0\] is a float"),
        ((np.array(1), [1], [1]), "single value 1"),
        (([[], []],) * 3, "`references` holds no label"),
        (([{"a": 1}],) * 3, r"`predictions1`\[0\] is no label"),
        ((["a", {"b"}],) * 3, r"`predictions1`\[1\] is a set, .* need multilabel=True"),
        (("abc", "abc", "abc"), "`predictions1` must be a sequence"),
        ((5, [1], [1]), r"`predictions1` must be a sequence.*got 5 \(int\)"),
        ((iter([1]), [1], [1]), "`predictions1` must be a sequence"),
        (([2**63], [1], [1]), r"`predictions1`\[0\] is an integer beyond int64"),
        ((pd.Series([1, None], dtype="Int64"), [1, 0], [1, 0]), r"`predictions1`\[1\] is missing"),
        ((pd.Series(["a", None]), ["a", "b"], ["a", "b"]), r"`predictions1`\[1\] is missing"),
        ((pd.Series([1, None, 1]), [1] * 3, [1] * 3), r"`predictions1`\[1\] is missing \(nan\)"),
        (([[1, 2], [3, 2**70]],) * 3, r"`predictions1`\[1\]\[1\] is an integer beyond int64"),
        (([10**5000],) * 3, r"`predictions1`\[0\] is an integer beyond int64.*\(int\)"),
        ((np.ma.array([1, 0, 1], mask=[0, 1, 0]),) * 3, r"`predictions1`\[1\] is missing \(None"),
        ((pd.DataFrame({"a": [1, 2]}),) * 3, r"is a table \(DataFrame\): pass one.*table\['a'\]"),
        (([np.longdouble(1), 1],) * 3, r"`predictions1`\[0\] is a float"),
        ((np.zeros((2, 0), dtype=int), [["a"], ["b"]], [["a"], ["b"]]), r"\[0\] has 0 labels"),
    ],
)
def test_bad_columns(columns, message):
    with pytest.raises(InputError, match=message):
        compare(*columns)


def test_unknown_options():
    with pytest.raises(
        InputError, match="`metric` must be one of 'accuracy', 'exact_match', 'balanced_accuracy'"
    ):
        compare([1], [1], [1], metric="acuracy")
    with pytest.raises(InputError, match="`alternative` must be one of"):
        compare([1], [1], [1], alternative="two_sided")
    with pytest.raises(InputError, match="`method` must be one of"):
        compare([1], [1], [1], method="fastest")
    with pytest.raises(InputError, match=r"`metric` must be one of.*\['accuracy'\]"):
        compare([1], [1], [1], metric=["accuracy"])
    with pytest.raises(InputError, match=r"`alternative` must be one of.*ndarray"):
        compare([1], [1], [1], alternative=np.array(["less", "greater"]))
    result = compare([1], [1], [1], np.str_("accuracy"), alternative=np.str_("less"))
    assert type(result.metric) is type(result.alternative) is str
    with pytest.raises(TypeError, match="alternatve"):
        compare([1], [1], [1], alternatve="less")
