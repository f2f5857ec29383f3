"""Precision, recall, F-beta and Jaccard of labels, in every average: contracts, identities."""

from enum import Enum
from functools import partial

import numpy as np
import pytest
from hypothesis import assume
from sklearn import metrics

from corpora.classes import corpus
from corpora.real_tags import confusions, sentences
from oracles import class_averages as scikit_learn
from oracles import draws
from oracles import label_averages as oracle
from pairedperm import compare
from scoring.contract import Contract, check_metric

METRICS = tuple(oracle.RATIOS)
OF_ALL = ("binary", "micro", "samples")
OF_CLASSES = ("macro", "weighted")
KINDS = ("strings", "integers", "sequences", "sets")


def one_of(rng, values):
    """Not as NumPy's."""
    return values[int(rng.integers(len(values)))]


def chosen(rng, average, there, absent):
    """The option that says which labels count: at least one of those that occur."""
    if average == "binary":
        return {"pos_label": one_of(rng, there)}
    if rng.random() < 0.5:
        return {}
    others = [x for x in (*there, absent) if rng.random() < 0.4]
    return {"labels": sorted({*others, one_of(rng, there)})}


def merged(column, old, new):
    """Without a class: another in its place."""

    def other(x):
        return type(x)(map(other, x)) if isinstance(x, (list, set)) else new if x == old else x

    return [*map(other, column)]


def drawn(metric, averages):
    """Labels, sequences and sets; a class may be of one system's predictions only, or of none."""

    def draw(rng, n):
        average = one_of(rng, averages)
        kind = "sets" if average == "samples" else one_of(rng, KINDS)
        options = {"beta": one_of(rng, [0, 1 / 3, 0.5, 2])} if metric == "fbeta" else {}
        if rng.random() < 0.75:
            options["zero_division"] = one_of(rng, [0.0, 0.5, 1.0])
        if average == "binary" and rng.random() < 0.2:  # of 0 and 1 no label need be named
            columns = rng.integers(0, 2, (3, n)).astype(one_of(rng, [int, bool])).tolist()
            return columns, options
        n_right = int(rng.integers(1, 4))
        columns = [*corpus(rng, n, kind, n_right, int(rng.integers(n_right, 5)))]
        assume(oracle.there(columns[2:]))
        there, k = oracle.there(columns), int(rng.integers(3))
        if k < 2:
            columns[k] = merged(columns[k], there[-1], there[0])
        there = oracle.there(columns[::2])  # in any case, also if system 1 is compared with itself
        options |= chosen(rng, average, there, 7 if kind == "integers" else "X")
        if kind == "sets":
            options["multilabel"] = True
        return columns, {"average": average, **options}

    return draw


def contracts(name, averages, **fields):
    return [
        Contract(
            metric,
            drawn(metric, averages),
            partial(oracle.label_score, metric),
            library=partial(scikit_learn.label_score, metric),
            name=name,
            is_of_all=True,
            **fields,
        )
        for metric in METRICS
    ]


test_contract = check_metric(
    *contracts("of_all", OF_ALL, share=0.2), *contracts("of_classes", OF_CLASSES, share=0.2)
)


# Identities


def test_weighted_recall_of_single_labels_is_accuracy():
    """A mean, exact at any size: the class's weight is its denominator."""
    columns = corpus(np.random.default_rng(1), 3000)
    expected = compare(*columns)
    result = compare(*columns, "recall", average="weighted", method="exact")
    assert (result.pvalue, result.score1) == (expected.pvalue, expected.score1)
    drawn = compare(*columns, "recall", average="weighted", test="bootstrap")
    assert (drawn.method, drawn.interval) == ("exact", "certified")
    assert drawn.confidence_interval() == compare(*columns, test="bootstrap").confidence_interval()


def test_beta():
    """Small and large, and of NumPy's types."""
    columns = corpus(np.random.default_rng(7), 100)
    for beta in (np.float64(0.1), np.float32(0.1), 0.001, 1000):
        result = compare(*columns, "fbeta", beta=beta, pos_label="NOUN")
        of_label = {"beta": float(str(beta)), "labels": ["NOUN"], "average": "micro"}
        expected = metrics.fbeta_score(columns[2], columns[0], **of_label)
        assert result.score1 == pytest.approx(expected, abs=1e-15)


def test_weights_are_drawn_too():
    """Of all resamples, also of the third of them without a right label that counts."""
    columns = [["a", "b", "c", "b"], ["b", "a", "c", "c"], ["a", "c", "c", "c"]]
    options = {"average": "weighted", "labels": ["a", "b"], "zero_division": 1.0}

    def scores(indices):
        one, two, right = ([column[k] for k in indices] for column in columns)
        return [oracle.label_score("f1", x, right, "abc", **options) for x in (one, two)]

    truth = draws.Enumeration(scores, 4)
    asked = {"test": "bootstrap", "method": "monte_carlo", "n_resamples": 4999, "rng": 1}
    result = compare(*columns, "f1", **asked, **options)
    p = float(truth.pvalue())
    assert abs(result.pvalue - p) <= 4 * (p * (1 - p) / 4999) ** 0.5 + 1 / 4999
    ends = draws.sampled_percentiles(truth.law1, 0.95, 4999)
    for end, (least, greatest) in zip(result.score1_interval, ends, strict=True):
        assert float(least) - 1e-9 <= end <= float(greatest) + 1e-9


@pytest.mark.thorough
def test_weighted_f1_of_real_taggers():
    """All tags of all sentences, by 40,000 swaps beside a quarter of them."""
    columns = sentences()
    result = compare(*columns, "f1", average="weighted", method="monte_carlo", rng=1)
    rows = [table.reshape(len(table), -1) for table in confusions(columns)]
    assert weighted_f1(rows[0].sum(axis=0)[None])[0] == pytest.approx(result.score1, abs=1e-12)
    share, error = oracle.sampled(*rows, weighted_f1, 40_000, np.random.default_rng(2))
    assert abs(result.pvalue - share) <= 4 * error * 5**0.5


def weighted_f1(sums):
    """Of sums of confusion matrices, shape (b, K K)."""
    width = round(sums.shape[1] ** 0.5)
    table = sums.reshape(-1, width, width)
    correct = np.diagonal(table, axis1=1, axis2=2)
    right, predicted = table.sum(axis=2), table.sum(axis=1)
    scores = 2 * correct / np.maximum(right + predicted, 1)
    return (scores * right).sum(axis=1) / right.sum(axis=1)


# Forms


def test_labels_in_any_order_and_form():
    columns = corpus(np.random.default_rng(9), 60)
    results = [
        compare(*columns, "f1", average="micro", labels=labels)
        for labels in (["ADJ", "VERB"], ("VERB", "ADJ"), {"ADJ", "VERB"}, np.array(["ADJ", "VERB"]))
    ]
    assert all(result == results[0] for result in results)
    assert results[0].metric_options == {"average": "micro", "labels": ["ADJ", "VERB"]}
    numbers = [0, 1, 1], [0, 0, 1], [0, 1, 1]
    assert compare(*numbers, "f1", pos_label=np.int64(1)) == compare(*numbers, "f1", pos_label=1)
    beyond = compare(*numbers, "f1", average="micro", labels=[1, 0])
    with pytest.warns(UserWarning, match="`labels`: 1180591620717411303424 occurs neither"):
        result = compare(*numbers, "f1", average="micro", labels=[1, 0, 2**70])
    assert result.pvalue == beyond.pvalue


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


# Degenerate


def test_no_label_at_all():
    empty = [[], []]
    result = compare(empty, empty, empty, "f1", average="micro", zero_division=1.0)
    assert (result.score1, result.pvalue) == (1.0, 1.0)
    assert compare(empty, empty, empty, "span_f1").score1 == 0.0


@pytest.mark.parametrize("metric", METRICS)
def test_sets_without_labels(metric):
    """Examples without a denominator, and classes of which none has a right label."""
    beta = {"beta": 0.5} if metric == "fbeta" else {}
    columns = [set(), {"a"}, set(), {"a"}], [{"a"}] * 4, [set(), set(), {"a"}, {"a"}]
    options = {"average": "samples", "multilabel": True, **beta}
    for zero_division in (0.0, 0.5, 1.0, 1e-300):
        result = compare(*columns, metric, zero_division=zero_division, **options)
        one, both = (int(metric == "recall"), int(metric == "precision"))
        n_undefined = 1 + one + both
        assert result.score1 == (1 + n_undefined * zero_division) / 4
    columns = [{"a"}, set()], [{"a", "b"}, set()], [{"c"}, set()]
    options |= {"average": "weighted", "labels": ["a", "b"]}
    for zero_division in (0.0, 0.5, 1.0):
        result = compare(*columns, metric, zero_division=zero_division, **options)
        is_recall = metric == "recall"
        assert result.score1 == (zero_division if is_recall else zero_division / 2)  # not of "a"
        assert result.score2 == (zero_division if is_recall else 0.0)
