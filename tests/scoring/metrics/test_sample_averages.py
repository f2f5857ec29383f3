"""The mean of the scores of examples' sets, average="samples": scikit-learn's, brute force."""

import warnings
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given

from corpora.classes import TAGS, corpus
from corpora.real_tags import sentences
from oracles import draws
from oracles import label_averages as oracle
from oracles.class_averages import MACRO, of_matrices
from pairedperm import InputError, compare
from properties import cases, generators

METRICS = list(MACRO)


def options_of(metric, **options):
    """As `compare` takes them."""
    return {"average": "samples", "multilabel": True, **MACRO[metric][1], **options}


def compared(*arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of labels that do not occur
        return compare(*arguments, **options)


@cases(0.02)
@given(rng=generators)
@pytest.mark.parametrize("metric", METRICS)
def test_sample_averages_are_those_of_scikit_learn(metric, rng):
    """Also of examples without a label, predicted or right or both."""
    columns = corpus(rng, int(rng.choice([4, 30])), "sets")
    known = [*TAGS, "X"]
    for labels in (None, ["ADJ", "VERB"], ["VERB"], ["ADJ", "X"]):
        if labels and set(labels).isdisjoint(oracle.there(columns)):
            continue
        for zero_division in (0.0, 1.0):
            options = options_of(metric, labels=labels)
            options["zero_division"] = zero_division
            result = compared(*columns, metric, **options)
            rows = zip((result.score1, result.score2), columns, strict=False)
            for found, column in rows:
                expected = of_matrices(
                    metric,
                    "samples",
                    column,
                    columns[2],
                    labels or known,
                    known,
                    zero_division=zero_division,
                )
                assert found == pytest.approx(expected, abs=1e-14)


def test_examples_without_labels():
    """Both empty, and one: scikit-learn's `zero_division` is of an example without denominator."""
    columns = [set(), {"a"}, set(), {"a"}], [{"a"}] * 4, [set(), set(), {"a"}, {"a"}]
    for metric in METRICS:
        for zero_division in (0.0, 0.5, 1.0, 1e-300):
            options = options_of(metric, zero_division=zero_division)
            result = compare(*columns, metric, **options)
            scores = [
                oracle.ratio(metric, oracle.counts(*pair, ["a"]), Fraction(str(zero_division)))
                for pair in zip(columns[0], columns[2], strict=True)
            ]
            assert float(scores[0]) == zero_division
            assert result.score1 == float(sum(scores) / 4)
            if zero_division in (0.0, 1.0):
                expected = of_matrices(
                    metric, "samples", *columns[::2], ["a"], ["a", "b"], zero_division=zero_division
                )
                assert result.score1 == expected


@cases(0.05)
@given(rng=generators)
@pytest.mark.parametrize("metric", METRICS)
def test_pvalues_of_sample_averages_by_brute_force(metric, rng):
    for n, labels in ((6, None), (9, ["ADJ", "PROPN"])):
        columns = corpus(rng, n, "sets")
        counted = labels or oracle.there(columns)
        assume(not set(counted).isdisjoint(oracle.there(columns)))
        expected = oracle.brute_force(
            lambda p, r, x=counted: oracle.samples(metric, p, r, x, Fraction(1, 4)), columns
        )
        options = options_of(metric, labels=labels, zero_division=0.25)
        oracle.assert_pvalues(partial(compared, *columns, metric, **options), expected)


def test_sample_averages_drawn():
    """The ideal bootstrap of the examples' scores."""
    columns = corpus(np.random.default_rng(3), 30, "sets")
    result = compare(
        *columns, "f1", average="samples", multilabel=True, test="bootstrap", method="exact"
    )
    shares = [
        [
            oracle.ratio("f1", oracle.counts(*pair, TAGS)) * 840
            for pair in zip(x, columns[2], strict=True)
        ]
        for x in columns[:2]
    ]
    assert all(share.denominator == 1 for column in shares for share in column)
    draws.assert_is(result, draws.mean_pvalue(*([*map(int, column)] for column in shares)))


@pytest.mark.thorough
def test_sample_averages_of_sets_of_real_tags():
    """Each sentence's tags as a set: scores of all, p by 40,000 swaps of scikit-learn's scores."""
    columns = [[set(row) for row in column] for column in sentences()]
    result = compare(*columns, "f1", average="samples", multilabel=True)
    known, rows = oracle.there(columns), []
    for found, column in zip((result.score1, result.score2), columns, strict=False):
        expected = of_matrices("f1", "samples", column, columns[2], known, known)
        assert found == pytest.approx(expected, abs=1e-12)
        shares = [
            of_matrices("f1", "samples", [one], [right], known, known)
            for one, right in zip(column[:300], columns[2][:300], strict=True)
        ]
        rows.append(np.array(shares)[:, None])
    some = compare(*(column[:300] for column in columns), "f1", average="samples", multilabel=True)
    share, error = oracle.sampled(*rows, lambda sums: sums[:, 0], 40_000, np.random.default_rng(4))
    assert abs(some.pvalue - share) <= 4 * error
    assert result.summary().startswith("The sample-averaged F1 of system")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {},
            r"`average` is 'samples', .* multilabel=True, or choose another average",
        ),
        ({"multilabel": True, "pos_label": 1}, r"`pos_label` is for average='binary', got 1"),
    ],
)
def test_bad_options_of_sample_averages(options, message):
    columns = [[{1}]] * 3
    with pytest.raises(InputError, match=message):
        compare(*columns, "jaccard", average="samples", **options)
