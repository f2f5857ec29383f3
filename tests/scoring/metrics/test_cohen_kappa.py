"""Cohen's kappa: its contract, the order of labels, degenerate and large columns."""

import warnings
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume
from sklearn.metrics import cohen_kappa_score

from corpora.classes import corpus, flat
from corpora.real_tags import confusions, sentences
from oracles import label_averages as oracle
from pairedperm import compare
from pairedperm.scoring import CohenKappa
from scoring.contract import Contract, check_metric

POWERS = {None: 0, "linear": 1, "quadratic": 2}
WEIGHTS = [*POWERS]


def compared(*columns, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of p that is estimated
        return compare(*columns, "cohen_kappa", **options)


def from_sklearn(
    predictions, references, there, weights=None, labels=None, replace_undefined_by=0.0
):
    """Its score, another for its NaN: only newer versions replace it themselves."""
    columns, labels = map(flat, (predictions, references)), labels or there
    score = cohen_kappa_score(*columns, labels=labels, weights=weights)
    return replace_undefined_by if np.isnan(score) else score


def kappa(predictions, references, there, weights=None, labels=None, replace_undefined_by=0):
    """By its definition, in fractions."""
    predicted, right = flat(predictions), flat(references)
    place = {label: k for k, label in enumerate(labels or there)}

    def disagreement(a, b):
        return abs(place[a] - place[b]) ** POWERS[weights] if a != b else 0

    observed = sum(map(disagreement, predicted, right))
    counts = Counter(predicted), Counter(right)
    expected = sum(
        m * n * disagreement(a, b) for a, m in counts[0].items() for b, n in counts[1].items()
    )
    undefined = Fraction(replace_undefined_by)
    return 1 - Fraction(observed * len(right), expected) if expected else undefined


def drawn(weights):
    """Also of classes that only predictions have, of one class, and with places of no label."""

    def draw(rng, n):
        kind, n_right = str(rng.choice(["strings", "integers", "sequences"])), rng.integers(1, 5)
        columns = corpus(rng, n, kind, n_right, int(rng.integers(n_right, 5)), (0.7, 0.4))
        there = oracle.there(columns)
        assume(there)
        options = {"replace_undefined_by": [0.0, 0.5, -1.0, -0.25][int(rng.integers(4))]}
        if weights is None:
            return columns, options if rng.random() < 0.8 else {}
        options["weights"] = weights[int(rng.integers(2))]
        if rng.random() < 0.5:
            order = [*there, 7 if kind == "integers" else "X"]
            options["labels"] = [order[k] for k in rng.permutation(len(order)).tolist()]
        return columns, options

    return draw


test_contract = check_metric(
    *(
        Contract(
            "cohen_kappa",
            drawn(weights),
            kappa,
            library=from_sklearn,
            name="weighted" if weights else "",
            is_of_all=True,
            share=0.3,
        )
        for weights in (None, WEIGHTS[1:])
    )
)


def test_order_of_labels():
    """In any form; it is an option of the result."""
    columns, order = corpus(np.random.default_rng(1), 40), ["VERB", "ADJ", "PROPN", "NOUN"]
    result = compared(*columns, weights="linear", labels=order)
    assert result.metric_options == {"weights": "linear", "labels": order}
    assert compared(*columns, weights="linear", labels=np.array(order)) == result


def kappas(n_classes):
    """Of sums of confusion matrices, shape (b, K K)."""

    def score(sums):
        table = sums.reshape(-1, n_classes, n_classes)
        right, predicted, n = table.sum(axis=2), table.sum(axis=1), table.sum(axis=(1, 2))
        agreed = np.trace(table, axis1=1, axis2=2)
        expected = n * n - (right * predicted).sum(axis=1)
        return 1 - n * (n - agreed) / expected

    return score


@pytest.mark.thorough
def test_real_taggers():
    """17 classes, all sentences: p against 40,000 swaps."""
    columns = sentences()
    there = oracle.there(columns)
    result = compare(*columns, "cohen_kappa", method="exact")
    for found, column in zip((result.score1, result.score2), columns, strict=False):
        assert found == pytest.approx(from_sklearn(column, columns[2], there, None), abs=1e-12)
    rows = [table.reshape(len(table), -1) for table in confusions(columns)]
    score = kappas(len(there))
    assert score(rows[1].sum(axis=0)[None])[0] == pytest.approx(result.score2, abs=1e-12)
    share, error = oracle.sampled(*rows, score, 40_000, np.random.default_rng(2))
    assert abs(result.pvalue - share) <= 4 * error


def test_two_classes_are_exact_at_any_size():
    rng = np.random.default_rng(3)
    right = (rng.random(20_000) < 0.3).astype(int)
    one, two = (np.where(rng.random(20_000) < x, right, 1 - right) for x in (0.8, 0.795))
    result = compared(one, two, right, method="exact")
    sampled = compared(one, two, right, method="monte_carlo", n_resamples=9999, rng=1)
    assert result.interval == "certified"
    error = (result.pvalue * (1 - result.pvalue) / 9999) ** 0.5
    assert abs(sampled.pvalue - result.pvalue) <= 4 * error + 1e-4
    for weights in WEIGHTS[1:]:  # two labels are one place apart
        assert compared(one, two, right, weights=weights).pvalue == result.pvalue


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "Cohen's kappa"),
        ({"replace_undefined_by": -0.5}, "Cohen's kappa"),
        ({"weights": "linear"}, "linearly weighted Cohen's kappa"),
        (
            {"weights": "quadratic", "replace_undefined_by": 0.5},
            "quadratically weighted Cohen's kappa",
        ),
    ],
)
def test_words(options, words):
    metric = CohenKappa(**options)
    assert (metric.in_words, metric.options or {}) == (words, options)


# Degenerate


def test_empty_sequences_and_labels_that_stand_for_none():
    columns = [[1, 2], [], [2]], [[2, 2], [], [1]], [[1, -100], [], [2]]
    for weights in WEIGHTS:
        result = compared(*columns, weights=weights, labels=weights and [1, 2])
        assert (result.score1, result.score2, result.n_ignored) == (1.0, -1.0, 1)


def test_warns_of_ordered_categories_whose_order_is_not_that_of_weights():
    """Nothing is said where the order is named, is the sorted one, or does not matter."""
    columns = ["hi", "lo", "mid"], ["lo", "lo", "hi"], ["hi", "lo", "lo"]
    order = ["lo", "mid", "hi"]
    kappa = {"metric": "cohen_kappa", "weights": "linear"}
    ordered = pd.Series(pd.Categorical(columns[2], order, ordered=True))
    message = r"`references` is an ordered Cat.* sorted labels: name its order, labels=\['lo'"
    with pytest.warns(UserWarning, match=message) as found:
        result = compare(*columns[:2], ordered, **kappa)
    assert len(found) == 1
    assert result == compare(*columns, **kappa)  # as scikit-learn has it
    right = compare(*columns, **kappa, labels=order)
    assert compare(*columns[:2], ordered, **kappa, labels=order) == right != result
    compare(*columns[:2], ordered, "cohen_kappa")
    compare(*columns[:2], pd.Categorical(columns[2], sorted(order), ordered=True), **kappa)
    compare(*columns[:2], pd.Categorical(columns[2], order), **kappa)
    numbers = [order.index(x) for x in columns[2]]
    with pytest.warns(UserWarning, match=r"order, labels=\[2, 1, 0\]"):
        compare(numbers, numbers, pd.Categorical(numbers, [2, 1, 0], ordered=True), **kappa)
