"""`compare(test="bootstrap")`: labels against all resamples, the result as JSON."""

import json
import warnings

import numpy as np
import pytest

from oracles.vectors import ALTERNATIVES
from pairedperm import PairedBootstrapResult, Ratio, compare, paired_bootstrap_test

TIES = ("include", "exclude")
N_RESAMPLES = 4_999
KEYS = [
    *("stat", "p", "log_p", "p_low", "p_high", "log_p_low", "log_p_high", "interval"),
    *("stat_low", "stat_high", "score1", "score1_low", "score1_high"),
    *("score2", "score2_low", "score2_high", "metric", "alternative", "ties", "method"),
    *("n", "n_differing", "n_resamples", "confidence_level", "metric_options", "test"),
    *("n_ignored", "seed", "n_groups", "n_wins", "n_losses", "n_ties", "standard_error"),
    "schema_version",
]


def sequences(rng, n):
    """Sentences of 1 to 3 labels: predictions 1 and 2, references."""
    tags = ("ADJ", "NOUN", "VERB")
    references = [rng.choice(tags, k).tolist() for k in rng.integers(1, 4, n)]
    columns = [
        [[r if rng.random() < share else str(rng.choice(tags)) for r in row] for row in references]
        for share in (0.7, 0.4)
    ]
    return (*columns, references)


def bootstrap(columns, metric, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that p is sampled
        return compare(
            *columns, metric, test="bootstrap", n_resamples=N_RESAMPLES, rng=1, **options
        )


def test_single_labels_are_a_mean():
    rng = np.random.default_rng(4)
    columns = rng.integers(0, 3, (3, 60))
    right = [(column == columns[2]).astype(int) for column in columns[:2]]
    for alternative in ALTERNATIVES:
        options = {"alternative": alternative, "confidence_level": 0.9}
        result = compare(*columns, test="bootstrap", **options)
        expected = paired_bootstrap_test(*right, **options)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-13)
        assert result.confidence_interval() == pytest.approx(
            expected.confidence_interval(), rel=1e-12
        )
        assert result.score1_interval == pytest.approx(expected.score1_interval, rel=1e-12)
        assert (result.metric, expected.metric) == ("accuracy", None)


def test_sentences_are_drawn_as_wholes():
    """Their accuracy is a ratio of sums, to which empty ones add nothing."""
    columns = [[*column, [], []] for column in sequences(np.random.default_rng(3), 40)]
    rows = [
        [(sum(map(str.__eq__, *pair)), len(pair[1])) for pair in zip(x, columns[2], strict=True)]
        for x in columns[:2]
    ]
    options = {"test": "bootstrap", "alternative": "greater", "ties": "exclude"}
    found = compare(*columns, **options)
    del options["test"]
    assert (
        found.pvalue == paired_bootstrap_test(*rows, score=Ratio([1, 0], [0, 1]), **options).pvalue
    )
    single = [[label for row in column for label in row] for column in columns]
    assert compare(*single, test="bootstrap", **options).pvalue != found.pvalue


def test_the_default_is_the_permutation_test():
    columns = sequences(np.random.default_rng(5), 6)
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


# The result as JSON


@pytest.mark.parametrize("differences", [[1, 1, 1], [1, 0, 2], [0, 0, 0], [5, -9, 1]])
@pytest.mark.parametrize("method", ["exact", "monte_carlo"])
def test_json(differences, method):
    for ties in TIES:
        result = paired_bootstrap_test(
            differences, [0, 0, 0], ties=ties, method=method, n_resamples=99, rng=0
        )
        found = result.to_dict()
        assert sorted(found) == sorted(KEYS)
        assert json.loads(json.dumps(found, allow_nan=False)) == found
        assert (found["log_p"] is None) is (found["p"] == 0.0)
        assert (found["stat_low"], found["stat_high"]) == result.confidence_interval()
        assert (found["p_low"], found["p_high"]) == result.pvalue_interval
        assert found["p_low"] <= found["p"] <= found["p_high"]
        assert (found["test"], found["ties"]) == ("bootstrap", ties)
        assert found["n_resamples"] == result.n_resamples
        assert found["p"] > 0.0 or method == "exact"  # (k + 1) / (n_resamples + 1)
