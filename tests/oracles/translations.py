"""Scores of translations by sacrebleu itself, and p-values of its own test."""

import inspect

import numpy as np
import pytest

SYSTEMS = ("predictions1", "predictions2")
TIE = 1e-10  # of a percentage point, by which rounding may move a difference


def streams(references):
    """The references as sacrebleu takes them."""
    rows = [[x] if isinstance(x, str) else x for x in references]
    return [list(stream) for stream in zip(*rows, strict=True)]


def score_of(kind):
    """The score by a class of sacrebleu's, with its options."""

    def score(texts, references, **options):
        return kind(**options).corpus_score(texts, streams(references)).score

    return score


def assert_same_defaults(metric, kind):
    """Those of a class of sacrebleu's."""
    theirs = inspect.signature(kind).parameters
    assert {x.name: x.default for x in metric.fields()} == {
        name: theirs[name].default for name in metric.takes()
    }


def assert_own_test(counter, columns, result, n):
    """By n random swaps of sacrebleu's own test, which leaves out ties: few swaps may tie."""
    from sacrebleu.significance import PairedTest

    systems = [(name, columns[name]) for name in SYSTEMS]
    named, right = {"metric": counter}, streams(columns["references"])
    _, found = PairedTest(systems, named, right, "ar", n_samples=n)()
    *_, (one, two) = found.values()  # behind the names of the systems
    assert [result.score1, result.score2] == pytest.approx([one.score, two.score], rel=1e-12)
    assert is_near(two.p_value, result.pvalue, n, result.n_resamples or np.inf)


def is_near(p, truth, n, n_of_truth):
    """Whether two sampled shares are within four standard errors of each other."""
    error = np.sqrt(truth * (1.0 - truth) * (1.0 / n + 1.0 / n_of_truth))
    return abs(p - truth) <= 4.0 * error + 1.0 / n
