"""Precision, recall, F-beta and Jaccard of labels: scikit-learn's scores, brute force, errors."""

import warnings
from enum import Enum
from fractions import Fraction
from itertools import chain

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from sklearn import metrics
from sklearn.preprocessing import MultiLabelBinarizer

from oracles import ratios as ratio_oracle
from pairedperm import compare
from properties import cases, generators

TAGS = ["ADJ", "NOUN", "PROPN", "VERB"]
OF_LABELS = {
    "precision": (metrics.precision_score, {}),
    "recall": (metrics.recall_score, {}),
    "f1": (metrics.f1_score, {}),
    "fbeta": (metrics.fbeta_score, {"beta": 0.5}),
    "jaccard": (metrics.jaccard_score, {}),
}


def occur(columns, labels):
    """Whether one of them does: others cannot be meant, and are refused."""
    rows = chain.from_iterable(columns)
    there = chain.from_iterable([row] if isinstance(row, str) else row for row in rows)
    return not set(labels).isdisjoint(there)


def corpus(rng, n, kind):
    """Two predictions and references: tags, sentences of them, or sets."""
    if kind == "single":
        references = rng.choice(TAGS, n).tolist()
    elif kind == "sequences":
        references = [rng.choice(TAGS, k).tolist() for k in rng.integers(0, 5, n)]
    else:
        references = [set(rng.choice(TAGS, k).tolist()) for k in rng.integers(0, 4, n)]
    columns = []
    for _ in range(2):
        if kind == "single":
            predictions = [r if rng.random() < 0.7 else str(rng.choice(TAGS)) for r in references]
        elif kind == "sequences":
            predictions = [
                [r if rng.random() < 0.7 else str(rng.choice(TAGS)) for r in row]
                for row in references
            ]
        else:
            predictions = [
                {tag for tag in TAGS if (tag in row) is not (rng.random() < 0.2)}
                for row in references
            ]
        columns.append(predictions)
    return columns[0], columns[1], references


def truth_of(score, predictions, references, kind, selected, **options):
    """scikit-learn's score of the selected labels, counted together."""
    if kind == "sets":
        binarizer = MultiLabelBinarizer(classes=TAGS).fit([])
        chosen = [TAGS.index(label) for label in selected]
        true, predicted = (
            binarizer.transform(column)[:, chosen] for column in (references, predictions)
        )
        if len(chosen) == 1:  # a column would be taken for two classes
            return score(true.ravel(), predicted.ravel(), **options)
        return score(true, predicted, average="micro", **options)
    if kind == "sequences":
        references, predictions = (
            list(chain.from_iterable(column)) for column in (references, predictions)
        )
    return score(references, predictions, labels=selected, average="micro", **options)


@cases(0.02)
@given(rng=generators)
@pytest.mark.parametrize("n", [3, 60])
@pytest.mark.parametrize("kind", ["single", "sequences", "sets"])
@pytest.mark.parametrize("metric", OF_LABELS)
def test_scores_are_those_of_scikit_learn(metric, kind, n, rng):
    score, options = OF_LABELS[metric]
    columns = corpus(rng, n, kind)
    assume(kind != "sequences" or any(columns[2]))
    micro = {"average": "micro"}
    for choice in ({"pos_label": "NOUN"}, micro, {"labels": ["ADJ", "VERB"], **micro}):
        selected = [choice["pos_label"]] if "pos_label" in choice else choice.get("labels", TAGS)
        if not occur(columns, selected):
            continue
        for zero_division in (0.0, 1.0):
            given_options = {"zero_division": zero_division, **options}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = compare(
                    *columns, metric, multilabel=kind == "sets", **choice, **given_options
                )
                for found, predictions in zip(
                    (result.score1, result.score2), columns[:2], strict=True
                ):
                    rows = predictions, columns[2]
                    expected = truth_of(score, *rows, kind, selected, **given_options)
                    assert found == pytest.approx(expected, abs=1e-15)
            assert (result.metric, result.n) == (metric, n)


@pytest.mark.parametrize("metric", OF_LABELS)
def test_binary_is_scikit_learns_default(metric):
    score, options = OF_LABELS[metric]
    rng = np.random.default_rng(3)
    references, *columns = rng.integers(0, 2, (3, 80))
    for kind in (int, bool):
        predictions1, predictions2, right = (x.astype(kind) for x in (*columns, references))
        result = compare(predictions1, predictions2, right, metric, **options)
        assert result.score1 == pytest.approx(score(right, predictions1, **options), abs=1e-15)
        assert result.score2 == pytest.approx(score(right, predictions2, **options), abs=1e-15)
        assert result == compare(
            predictions1, predictions2, right, metric, pos_label=kind(1), **options
        )


def rows_of(metric, columns, kind, labels):
    """(numerator, denominator) pairs per example, by hand."""
    rows = []
    for *predicted, right in zip(*columns, strict=True):
        row = []
        for found in predicted:
            if kind == "sets":
                tp, p, g = (
                    len(found & right & {*labels}),
                    len(found & {*labels}),
                    len(right & {*labels}),
                )
            else:
                one, two = ([found], [right]) if kind == "single" else (found, right)
                tp = sum(a == b and a in labels for a, b in zip(one, two, strict=True))
                p, g = sum(a in labels for a in one), sum(b in labels for b in two)
            row += {
                "precision": [tp, p],
                "recall": [tp, g],
                "f1": [2 * tp, p + g],
                "fbeta": [5 * tp, g + 4 * p],
                "jaccard": [tp, p + g - tp],
            }[metric]
        rows.append(tuple(row))
    return rows


@cases(0.05)
@given(rng=generators)
@pytest.mark.parametrize("metric", OF_LABELS)
@pytest.mark.parametrize("kind", ["single", "sequences", "sets"])
def test_pvalues_by_brute_force(metric, kind, rng):
    """For one label and for several, with every alternative."""
    options = OF_LABELS[metric][1]
    for alternative in ("two-sided", "greater", "less"):
        for labels in (["NOUN"], ["NOUN", "ADJ"]):
            columns = corpus(rng, int(rng.integers(1, 10)), kind)
            if not occur(columns, labels):
                continue
            zero_division = float(rng.choice([0.0, 0.5, 1.0]))
            choice = {"average": "micro", "labels": labels}
            if len(labels) == 1:
                choice = {"pos_label": labels[0]}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = compare(
                    *columns,
                    metric,
                    alternative=alternative,
                    zero_division=zero_division,
                    multilabel=kind == "sets",
                    **choice,
                    **options,
                )
            truth = ratio_oracle.brute_force(
                rows_of(metric, columns, kind, labels), alternative, Fraction(zero_division)
            )
            assert result.pvalue == pytest.approx(float(truth), rel=1e-14)


def test_micro_average_of_all_single_labels_is_accuracy():
    columns = corpus(np.random.default_rng(6), 200, "single")
    expected = compare(*columns)
    for metric in ("precision", "recall", "f1"):
        result = compare(*columns, metric, average="micro")
        assert (result.pvalue, result.score1) == (expected.pvalue, expected.score1)


def test_beta():
    columns = corpus(np.random.default_rng(7), 100, "single")
    options = {"pos_label": "NOUN"}
    one = compare(*columns, "fbeta", beta=1, **options)
    assert one.pvalue == compare(*columns, "f1", **options).pvalue
    zero = compare(*columns, "fbeta", beta=0.0, **options)
    assert zero.pvalue == compare(*columns, "precision", **options).pvalue
    for beta in (1 / 3, 2, np.float64(0.1), 1000):
        result = compare(*columns, "fbeta", beta=beta, **options)
        expected = metrics.fbeta_score(
            columns[2], columns[0], beta=beta, labels=["NOUN"], average="micro"
        )
        assert result.score1 == pytest.approx(expected, abs=1e-15)


def test_labels_in_any_order_and_form():
    columns = corpus(np.random.default_rng(9), 60, "single")
    results = [
        compare(*columns, "f1", average="micro", labels=labels)
        for labels in (["ADJ", "VERB"], ("VERB", "ADJ"), {"ADJ", "VERB"}, np.array(["ADJ", "VERB"]))
    ]
    assert all(result == results[0] for result in results)
    assert results[0].metric_options == {"average": "micro", "labels": ["ADJ", "VERB"]}
    beyond = compare([0, 1, 1], [0, 0, 1], [0, 1, 1], "f1", average="micro", labels=[1, 0])
    with pytest.warns(UserWarning, match="`labels`: 1180591620717411303424 occurs neither"):
        result = compare(
            [0, 1, 1], [0, 0, 1], [0, 1, 1], "f1", average="micro", labels=[1, 0, 2**70]
        )
    assert result.pvalue == beyond.pvalue


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("f1", {"pos_label": "ADJ"}),
        ("fbeta", {"average": "micro", "beta": 0.5}),
        ("jaccard", {"pos_label": "ADJ", "zero_division": 1.0}),
        ("accuracy", None),
    ],
)
def test_the_result_says_which_options(metric, options):
    columns = corpus(np.random.default_rng(1), 30, "single")
    result = compare(*columns, metric, **(options or {}))
    assert result.metric_options == result.to_dict()["metric_options"] == options
    assert options is None or f"metric_options={result.metric_options!r}" in repr(result)
    assert result == compare(*columns, metric, **(result.metric_options or {}))
    assert isinstance(hash(result), int)


def test_any_form_of_column():
    rng = np.random.default_rng(8)
    columns = [rng.integers(0, 3, 50) for _ in range(3)]
    expected = compare(*columns, "f1", pos_label=2)
    texts = [[str(x) for x in column] for column in columns]
    assert compare(*texts, "f1", pos_label="2").pvalue == expected.pvalue
    for form in (list, tuple, pd.Series):
        assert (
            compare(*(form(column) for column in columns), "f1", pos_label=np.int64(2)) == expected
        )
    rows = [column.reshape(10, 5) for column in columns]
    by_sentence = compare(*rows, "f1", pos_label=2)
    assert by_sentence == compare(*(row.tolist() for row in rows), "f1", pos_label=2)
    assert (by_sentence.score1, by_sentence.n) == (expected.score1, 10)


def test_labels_of_an_enum():
    class Tag(str, Enum):
        POS = "pos"
        NEG = "neg"
        BEGIN = "B-PER"
        INSIDE = "I-PER"

    columns = [Tag.POS, Tag.NEG], [Tag.NEG, Tag.NEG], [Tag.POS, Tag.NEG]
    plain = [[tag.value for tag in column] for column in columns]
    assert compare(*columns, "f1", pos_label=Tag.POS) == compare(*plain, "f1", pos_label="pos")
    tags = [[Tag.BEGIN, Tag.INSIDE]], [[Tag.BEGIN, Tag.BEGIN]], [[Tag.BEGIN, Tag.INSIDE]]
    result = compare(*tags, "span_f1")
    assert (result.score1, result.score2) == (1.0, 0.0)


def test_sets_in_any_form():
    one = [{1, 2}, frozenset({3}), set()], [[2, 1], [3], []], [(1, 2), np.array([3]), ()]
    options = {"metric": "f1", "average": "micro", "multilabel": True}
    results = [compare(x, [{1}, {1}, {2}], [{1, 2}, {3}, set()], **options) for x in one]
    assert results[0] == results[1] == results[2]
    assert (results[0].score1, results[0].score2) == (1.0, 2 / 6)


def test_spans():
    right = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORG"], ["O"]]
    one = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "O"], ["B-PER"]]
    two = [["B-PER", "O", "O", "B-LOC"], ["O", "B-ORG"], ["O"]]
    result = compare(one, two, right, "span_f1")
    assert (result.score1, result.score2) == (4 / 6, 4 / 6)
    only = compare(one, two, right, "span_f1", labels=["PER"])
    assert (only.score1, only.score2, only.metric) == (2 / 3, 0.0, "span_f1")
    rows = [(2, 2, 0, 2), (0, 0, 0, 0), (0, 1, 0, 0)]
    assert only.pvalue == float(ratio_oracle.brute_force(rows))


# Degenerate


def test_nothing_predicted_and_nothing_right():
    columns = ["a", "b"], ["b", "b"], ["b", "b"]
    for metric in OF_LABELS:
        options = OF_LABELS[metric][1]
        for zero_division in (0.0, 0.5, 1.0):
            result = compare(
                *columns, metric, pos_label="a", zero_division=zero_division, **options
            )
            assert result.score2 == zero_division
            assert result.score1 == (zero_division if metric == "recall" else 0.0)
    empty = [[], []]
    result = compare(empty, empty, empty, "f1", average="micro", zero_division=1.0)
    assert (result.score1, result.pvalue) == (1.0, 1.0)
    assert compare(empty, empty, empty, "span_f1").score1 == 0.0


@pytest.mark.parametrize(
    ("metric", "options", "name"),
    [
        ("f1", {"pos_label": "x"}, "`pos_label`: 'x' occurs"),
        ("recall", {"labels": ["a", "x", 7], "average": "micro"}, "`labels`: 'x', 7 occurs"),
        ("span_f1", {"labels": ["a", "b"]}, "`labels`: 'a' occurs"),
    ],
)
def test_labels_that_never_occur(metric, options, name):
    columns = [[["a", "a"]]] * 3
    if metric == "span_f1":
        columns = [[["B-b", "I-b"]]] * 3
    with pytest.warns(UserWarning, match=f"{name} neither in the predictions nor in the ref") as w:
        compare(*columns, metric, **options)
    assert w[0].filename == __file__
