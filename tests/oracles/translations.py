"""Scores of translations by sacrebleu itself, and p-values of them, by all swaps or by some."""

from itertools import product

import numpy as np
import pytest

from oracles.vectors import ALTERNATIVES

SYSTEMS = ("predictions1", "predictions2")
TIE = 1e-10  # of a percentage point, by which rounding may move a difference


def streams(references):
    """The references as sacrebleu takes them."""
    rows = [[x] if isinstance(x, str) else x for x in references]
    return [list(stream) for stream in zip(*rows, strict=True)]


def score(counter, texts, references):
    return counter.corpus_score(texts, streams(references)).score


def scores(counter, columns):
    """Of both systems."""
    return [score(counter, columns[name], columns["references"]) for name in SYSTEMS]


def assert_scores(metric, counter, columns, compared):
    """Those of the sums, to 1e-12; those of a result are the same to the last bit."""
    rows = metric.rows(*metric.read(tuple(columns.values())))
    found = metric.score(rows)(np.array(rows.sums, dtype=float))
    assert found == pytest.approx(scores(counter, columns), rel=1e-12, abs=1e-12)
    result = compared(**columns, metric=metric, n_resamples=9, method="monte_carlo", rng=0)
    assert [result.score1, result.score2] == found.tolist()


def assert_pvalues(metric, counter, columns, compared, methods=("exact",)):
    """That of all swaps for each alternative."""
    differences = brute_force(counter, *columns.values())
    for alternative in ALTERNATIVES:
        result = compared(**columns, metric=metric, alternative=alternative)
        truth = share(differences, differences[0], alternative)
        assert result.method in methods
        assert result.pvalue == pytest.approx(truth, rel=1e-12)


def share(differences, observed, alternative):
    """Of the differences, those that are at least as extreme as observed."""
    d = np.asarray(differences)
    if alternative == "two-sided":
        return float(np.mean(np.abs(d) >= abs(observed) - TIE))
    sign = 1.0 if alternative == "greater" else -1.0
    return float(np.mean(sign * d >= sign * observed - TIE))


def brute_force(counter, predictions1, predictions2, references):
    """The differences of the scores of all 2^n swaps, the observed one first."""
    found = []
    for swapped in product([False, True], repeat=len(references)):
        triples = zip(predictions1, predictions2, swapped, strict=True)
        pairs = [(b, a) if is_swapped else (a, b) for a, b, is_swapped in triples]
        one, two = ([*x] for x in zip(*pairs, strict=True))
        found.append(score(counter, one, references) - score(counter, two, references))
    return found


def sampled(rows1, rows2, score_of_sums, n, rng, batch=500):
    """The differences of the scores after n random swaps, one sum after the other."""
    found = []
    for _ in range(0, n, batch):
        swapped = rng.integers(0, 2, (batch, len(rows1))).astype(float)
        first = swapped @ rows2 + (1.0 - swapped) @ rows1
        second = rows1.sum(axis=0) + rows2.sum(axis=0) - first
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        found += [score_of_sums(a) - score_of_sums(b) for a, b in pairs]
    return found


def resampled(rows1, rows2, score_of_sums, n, rng):
    """The differences of the scores of n resamples of the examples."""
    found = []
    for _ in range(n):
        drawn = rng.integers(0, len(rows1), len(rows1))
        one, two = (rows[drawn].sum(axis=0).tolist() for rows in (rows1, rows2))
        found.append(score_of_sums(one) - score_of_sums(two))
    return found


def is_near(p, truth, n, n_of_truth):
    """Whether two sampled shares are within four standard errors of each other."""
    error = np.sqrt(truth * (1.0 - truth) * (1.0 / n + 1.0 / n_of_truth))
    return abs(p - truth) <= 4.0 * error + 1.0 / n
