"""The sentences and keys of a structured test's result."""

import json

import numpy as np
import pytest

from corpora.cards import unmarked
from corpora.equation_16 import columns_of_equation_16, f1_difference
from corpora.ratio_rows import sentences
from oracles.statistics import all_sums
from pairedperm import structured_permutation_test


@pytest.fixture
def result():
    stay, swap = columns_of_equation_16(sentences(np.random.default_rng(6), 40, 0.2, 0.5))
    return structured_permutation_test(stay, swap, f1_difference)


def test_the_result(result):
    assert (result.score1, result.score2, result.metric) == (None, None, None)
    assert (result.alternative, result.method, result.interval) == ("greater", "exact", "certified")
    assert (result.n_resamples, result.confidence_level, result.metric_options) == (None,) * 3
    assert 0.0 < result.pvalue < 1.0
    assert result.log_pvalue == pytest.approx(np.log(result.pvalue))


def test_to_dict(result):
    found = result.to_dict()
    assert (found["stat"], found["p"]) == (result.statistic, result.pvalue)
    assert found["score1"] is found["score2"] is found["metric"] is None
    assert found["alternative"] == "greater"
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert all(type(value) in (int, float, str, type(None)) for value in found.values())


def test_repr(result):
    assert repr(result).startswith(f"PairedPermutationResult(statistic={result.statistic:.6g}, pv")
    assert "alternative='greater', score1=None, score2=None, metric=None, method=" in repr(result)
    assert repr(result).endswith(f"n=40, n_differing={result.n_differing})")


def test_null_distribution(result):
    null = result.null_distribution()
    at_least = null.pmf[null.support >= result.statistic - 1e-12].sum()
    assert at_least == pytest.approx(result.pvalue, abs=1e-13)
    stay, swap = np.random.default_rng(7).integers(0, 4, (2, 8, 3))
    values = (all_sums(stay, swap) ** 2).sum(axis=1)
    support, how_often = np.unique(values, return_counts=True)
    null = structured_permutation_test(
        stay, swap, lambda sums: (sums**2).sum(axis=-1)
    ).null_distribution()
    assert null.support.tolist() == support.tolist()
    assert null.pmf == pytest.approx(how_often / 2**8, abs=1e-15)


@pytest.mark.parametrize("as_dict", [False, True])
def test_model_card_section(result, as_dict):
    section = unmarked(
        result.to_dict() if as_dict else result, name1="large", name2="small", dataset="dev"
    )
    p = f"{result.pvalue:.3g}"
    assert section.splitlines()[4] == (
        f"On dev, the test statistic of large against small is {result.statistic:.3f}, which is "
        "not significant. The exact one-sided (greater) paired-permutation test gives "
        f"p = {p} (n = 40, α = 0.05)."
    )
    assert f"| statistic | {result.statistic:.3f} |\n| p | {p} |" in section
    assert "mean score" not in section
    assert "None" not in section
    assert section.endswith(
        "swap them, p is the share whose statistic is at least as large. Ties count."
    )


def test_model_card_section_of_samples():
    stay, swap = np.random.default_rng(8).integers(0, 4, (2, 30, 3))
    sampled = structured_permutation_test(
        stay, swap, lambda sums: sums.max(axis=-1), method="monte_carlo", n_resamples=999, rng=0
    )
    section = unmarked(sampled)
    assert (
        " Monte Carlo one-sided (greater) paired-permutation test with 999 samples gives" in section
    )
    assert "| 99% interval of p | " in section
    assert section.endswith("it is (k + 1) / (samples + 1), where k of them are as extreme.")
