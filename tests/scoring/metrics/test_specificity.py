"""Specificity: scikit-learn's confusion matrices, brute force, other labels, errors."""

import warnings
from fractions import Fraction
from functools import partial
from itertools import chain

import numpy as np
import pytest
from hypothesis import assume, given
from sklearn import metrics

from corpora.classes import corpus
from corpora.real_tags import confusions, sentences
from oracles import draws
from oracles import label_averages as oracle
from pairedperm import InputError, compare
from properties import cases, generators

KINDS = ["strings", "sequences", "sets"]


def compared(*columns, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of labels that are not in the references
        return compare(*columns, "specificity", **options)


def negatives(found, right, label):
    """True negatives and right negatives of an example."""
    if isinstance(right, set):
        return int(label not in found | right), int(label not in right)
    found, right = ([x] if not isinstance(x, list) else x for x in (found, right))
    pairs = list(zip(found, right, strict=True))
    return sum(label not in pair for pair in pairs), sum(x != label for x in right)


def truth_of(predictions, references, label, zero_division=0):
    pairs = zip(predictions, references, strict=True)
    counts = [negatives(*pair, label) for pair in pairs]
    n_true, n = (sum(column) for column in zip(*counts, strict=True))
    return Fraction(n_true, n) if n else Fraction(zero_division)


def from_sklearn(predictions, references, label):
    """Right negatives, tn / (tn + fp) of its confusion matrix of the label against the rest."""
    if isinstance(references[0], set):
        columns = [[label in row for row in column] for column in (references, predictions)]
    else:
        columns = [
            [x == label for x in chain.from_iterable([y] if isinstance(y, str) else y for y in c)]
            for c in (references, predictions)
        ]
    (tn, fp), _ = metrics.confusion_matrix(*columns, labels=[False, True])
    return tn / (tn + fp) if tn + fp else None


@cases(0.2)
@given(rng=generators)
@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_those_of_confusion_matrices(kind, rng):
    columns = corpus(rng, int(rng.choice([3, 40])), kind)
    label = "VERB"
    assume(label in oracle.there(columns))
    result = compared(*columns, pos_label=label, multilabel=kind == "sets", zero_division=1.0)
    for found, column in zip((result.score1, result.score2), columns, strict=False):
        expected = from_sklearn(column, columns[2], label)
        assert found == (1.0 if expected is None else expected)
        assert found == float(truth_of(column, columns[2], label, 1))


@pytest.mark.parametrize("kind", [int, bool])
def test_of_two_classes_it_is_the_recall_of_the_other(kind):
    one, two, right = np.random.default_rng(1).integers(0, 2, (3, 50)).astype(kind)
    result = compared(one, two, right)
    assert result.score1 == metrics.recall_score(right, one, pos_label=0)
    assert result.metric_options == {"pos_label": 1}
    recall = compare(one, two, right, "recall", pos_label=kind(0))
    assert (result.pvalue, result.score2) == (recall.pvalue, recall.score2)
    other = compared(one, two, right, pos_label=0)
    assert other.score1 == metrics.recall_score(right, one)


@cases(0.2)
@given(rng=generators)
@pytest.mark.parametrize("kind", KINDS)
def test_pvalues_by_brute_force(kind, rng):
    columns = corpus(rng, 9, kind, accuracies=(0.6, 0.3))
    assume("NOUN" in oracle.there(columns))
    options = {"pos_label": "NOUN", "multilabel": kind == "sets", "zero_division": 0.5}
    expected = oracle.brute_force(lambda p, r: truth_of(p, r, "NOUN", 0.5), columns)
    oracle.assert_pvalues(partial(compared, *columns, **options), expected, rel=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_bootstrap_is_ideal(kind):
    """Of a ratio whose denominator both systems have."""
    columns = corpus(np.random.default_rng(2), 12, kind)
    counts = [
        [negatives(*pair, "NOUN") for pair in zip(x, columns[2], strict=True)] for x in columns[:2]
    ]
    numerators = [[n for n, _ in column] for column in counts]
    sizes = [n for _, n in counts[0]]
    options = {"pos_label": "NOUN", "multilabel": kind == "sets"}
    result = compared(*columns, test="bootstrap", **options)
    draws.assert_is(result, draws.common_pvalue(*numerators, sizes))


def test_real_taggers():
    """Nouns of all sentences; p against 40,000 swaps."""
    columns = sentences()
    result = compared(*columns, pos_label="NOUN")
    for found, column in zip((result.score1, result.score2), columns, strict=False):
        assert found == pytest.approx(from_sklearn(column, columns[2], "NOUN"), abs=1e-12)
    place = oracle.there(columns).index("NOUN")
    rows = []
    for table in confusions(columns):
        negative = np.delete(table, place, axis=1)
        true = np.delete(negative, place, axis=2).sum(axis=(1, 2))
        rows.append(np.stack((true, negative.sum(axis=(1, 2))), axis=1))
    share, error = oracle.sampled(
        *rows, lambda sums: sums[:, 0] / sums[:, 1], 40_000, np.random.default_rng(3)
    )
    assert abs(result.pvalue - share) <= 4 * error


def test_sequences_with_labels_that_stand_for_none():
    columns = [[1, 0, 0]], [[1, 1, 0]], [[-100, 0, 0]]
    result = compared(*columns)
    assert (result.score1, result.score2, result.n_ignored) == (1.0, 0.5, 1)


# Degenerate


def test_no_negative_label():
    for zero_division in (0.0, 0.5, 1.0):
        result = compared([1, 0], [1, 1], [1, 1], zero_division=zero_division)
        assert (result.score1, result.score2, result.pvalue) == (zero_division,) * 2 + (1.0,)


def test_a_label_that_never_occurs():
    """All are negative then, and right; it cannot be meant."""
    columns = ["a", "b", "b"], ["b", "b", "b"], ["b", "a", "b"]
    with pytest.raises(InputError, match=r"`pos_label`: 'x' occurs neither .* have 'a', 'b'"):
        compared(*columns, pos_label="x")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compare(*columns, "specificity", pos_label="a").score2 == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"`pos_label` is missing: it is 1 where all .* holds 'a' .*, pos_label=\.\.\.\.$"),
        ({"average": "micro"}, "`average` is no option of metric 'specificity'"),
        ({"labels": ["a"]}, "`labels` is no option of metric 'specificity'"),
        ({"pos_label": ["a"]}, "`pos_label` must be a label"),
        ({"multilabel": True}, "`pos_label` is missing: with multilabel=True say which label is"),
        ({"pos_label": "a", "zero_division": 2}, "`zero_division` must be a number from 0 to 1"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        compared(["a", "b"], ["b", "b"], ["a", "b"], **options)
