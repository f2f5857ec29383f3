"""What is no label, or nothing to compare, in whatever it comes: refused, and said where."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from extras import needs
from pairedperm import InputError, compare

SPAN = np.timedelta64(1, "ns")


@pytest.mark.parametrize(
    "column",
    [
        [1, SPAN],
        [1, np.array(SPAN)],
        [1, np.datetime64(1, "ns")],
        np.array([1, 2], dtype="m8[ns]"),
        np.array([1, 2], dtype="M8[ns]"),
        pd.Series([1, 2], dtype="timedelta64[ns]"),
    ],
    ids=lambda column: type(column).__name__,
)
def test_time_spans_are_no_labels(column):
    with pytest.raises(InputError, match=r"`predictions1`\[[01]\] is no label: .*64"):
        compare(column, [1, 0], [1, 1])


@pytest.mark.parametrize("sequence", [[1, SPAN], np.array([1, 2], dtype="m8[ns]")], ids=["a", "b"])
def test_time_spans_are_no_labels_in_sequences(sequence):
    with pytest.raises(InputError, match=r"`predictions2`\[1\]\[[01]\] is no label: .*timedelta"):
        compare([[1, 2], [1, 2]], [[1, 2], sequence], [[1, 2], [1, 2]])


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("f1", {"pos_label": SPAN}, "`pos_label` must be a label.* got .*timedelta64"),
        ("f1", {"average": "micro", "labels": [SPAN]}, r"`labels\[0\]` must be a label"),
        (
            "f1",
            {"average": "micro", "labels": np.array([1], dtype="m8[ns]")},
            r"`labels\[0\]` must be a label",
        ),
        ("f1", {"zero_division": SPAN * 0}, "`zero_division` must be a number from 0"),
        (
            "f1",
            {"zero_division": np.timedelta64("NaT", "s")},
            "`zero_division` must be a number from 0",
        ),
        ("accuracy", {"zero_division": SPAN * 0}, "`zero_division` is no option of metric 'acc"),
        ("fbeta", {"beta": SPAN}, "`beta` must be a number from 0 to 1000"),
        ("f1", {"pos_label": np.ma.masked}, "`pos_label` must be a label.* got masked"),
        (
            "f1",
            {"average": "micro", "labels": np.ma.array([0, 1], mask=[0, 1])},
            r"`labels\[1\]` must be a label.* got None",
        ),
        ("f1", {"pos_label": 10**5000}, "`pos_label` must be a label.* got a very large integer"),
        (
            "f1",
            {"average": "micro", "pos_label": 10**5000},
            r"For one label: labels=\[a very large integer\]",
        ),
    ],
)
def test_options_that_are_no_labels_or_numbers(metric, options, message):
    with pytest.raises(InputError, match=message):
        compare([1, 0], [1, 0], [1, 1], metric, **options)


@pytest.mark.parametrize("values", [[0, 1], ["a", "b"], [True, False]], ids=["int", "str", "bool"])
def test_masked_labels(values):
    masked = np.ma.array(values, mask=[0, 1])
    for column in (masked, list(masked), [values[0], np.ma.array(values[1], mask=True)]):
        with pytest.raises(InputError, match=r"`predictions1`\[1\] is missing \(None\)"):
            compare(column, values, values)
    other = [values, values]
    rows = np.ma.array(other, mask=[[0, 0], [0, 1]])
    for column in (rows, list(rows), [values, masked], [values, list(masked)]):
        with pytest.raises(InputError, match=r"`predictions1`\[1\]\[1\] is missing \(None\)"):
            compare(column, other, other)
    with pytest.raises(InputError, match=r"`predictions1`\[1\] is missing"):
        compare([values, np.ma.masked], other, other)
    options = {"average": "micro", "multilabel": True}
    with pytest.raises(InputError, match=r"`predictions1`\[1\]\[1\] is missing"):
        compare([values, masked], other, other, "f1", **options)


def test_what_has_a_length_and_no_entries():
    match = r"`predictions1(\[0\])?` must be a sequence with one entry per example.*got dtype"
    for column in (np.dtype("f8"), [np.dtype("f8")]):
        with pytest.raises(InputError, match=match):
            compare(column, [0, 1], [0, 1])

    class Single:
        def __len__(self):
            return 2

        def __array__(self, dtype=None, copy=None):
            return np.array("a")

    with pytest.raises(InputError, match=r"`predictions1` must hold .*, got the single value 'a'"):
        compare(Single(), ["a", "b"], ["a", "b"])


def test_labels_in_memory():
    assert compare(memoryview(np.array([1, 2])), [0, 1], [1, 2]).score1 == 1.0


def test_long_labels_are_cut_in_messages():
    for column in (["x" * 10**5, "a"], [["x" * 10**5], ["a"]]):
        with pytest.raises(InputError, match=r"holds strings \('x+…x+'\) and") as error:
            compare(column, column, [[1], [2]] if isinstance(column[0], list) else [1, 2])
        assert len(str(error.value)) < 1000


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.ma.array(["a", "b"], mask=[0, 1]), r"`references`\[0\] must be a text, a list"),
        (np.ma.masked, r"`references`\[0\] must be a text, a list"),
        (np.array("a"), r"`references`\[0\] must be a text, a list"),
        (memoryview(b"ab"), r"`references`\[0\] must be a text, a list"),
        (Path("a"), r"`references`\[0\] must be a text, a list"),
        (np.dtype("f8"), r"`references\[0\]` must be a sequence"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_answer(answer, message):
    with pytest.raises(InputError, match=message):
        compare(["a"], ["a"], [answer], "squad_f1")


def test_answers_in_an_array():
    assert compare(["x"], ["y"], [np.array(["x", "z"])], "squad_f1").score1 == 1.0


def test_sparse_tensors():
    torch = needs("torch", "transformers")
    sparse = torch.tensor([1, 2]).to_sparse()
    match = r"is a tensor that numpy cannot hold: .*\. Convert it first"
    for columns in ((sparse, [0, 1], [0, 1]), ([sparse], [[0, 1]], [[0, 1]])):
        with pytest.raises(InputError, match=match):
            compare(*columns)
    with pytest.raises(InputError, match=match):
        compare(["a"], ["a"], [sparse], "squad_f1")


ARGMAX = r"For logits or probabilities, pass the labels, argmax\(-1\)\.$"
FLAT = r"pass the labels, argmax\(-1\) of rows, or p > 0\.5 if each example has one\.$"


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (
            [[0.1, 0.9], [2.5, -1.0]],
            rf"`predictions1`\[0\]\[0\] is a float, 0\.1 .*strings\. {ARGMAX}",
        ),
        (
            np.array([[0.1, 0.9], [2.5, -1.0]], dtype=np.float32),
            rf"\[0\]\[0\] is a float.* {ARGMAX}",
        ),
        (
            np.zeros((2, 3, 4)),
            rf"`predictions1` must be of shape .* got shape \(2, 3, 4\)\. {ARGMAX}",
        ),
        ([[[0.1, 0.9]], [[2.5, -1.0]]], rf"`predictions1`\[0\]\[0\] is no label: \[0.* {ARGMAX}"),
        ([0.2, 0.7], rf"`predictions1`\[0\] is a float, 0\.2 .* For numeric scores .*{FLAT}"),
        ([np.inf, 1.0], rf"`predictions1`\[0\] is a float, inf .*{FLAT}"),
        ([[1.0, 0.0], [0.0, 1.0]], rf"Convert class ids with astype\(int\)\. {ARGMAX}"),
        ([1.0, 0.0], r"strings\. Convert class ids with astype\(int\)\.$"),
        ([0, np.dtype("f8")], r"is no label: dtype\('float64'\) .* or strings\.$"),
        ([[["a"]], [["b"]]], r"is no label: \['a'\] \(list\)\. .* or strings\.$"),
        ([b"a", b"b"], r"`predictions1`\[0\] is no label: b'a' \(bytes\)\. .* or strings\.$"),
    ],
)
def test_logits_and_probabilities(column, message):
    with pytest.raises(InputError, match=message):
        compare(column, [0, 1], [0, 1])
