"""What a result of importance sampling says, and what it depends on."""

import json
import math

import numpy as np
import pytest
from importance_runs import SAMPLED, UNSURE, Z99, f1_columns, relative_error
from ratio_rows import RATIO

from pairedperm import paired_permutation_test
from pairedperm.model_card import significance_section

ALTERNATIVES = ("two-sided", "greater", "less")


def test_the_result_says_what_ran():
    result = paired_permutation_test(*f1_columns(), score=RATIO, n_resamples=3000, rng=0, **SAMPLED)
    assert (result.method, result.interval) == ("importance_sampling", "confidence")
    assert (result.n_resamples, result.confidence_level) == (3000, 0.99)
    assert "method='importance_sampling'" in repr(result)
    assert repr(result).endswith("n_resamples=3000)")
    found = result.to_dict()
    assert (found["method"], found["interval"]) == ("importance_sampling", "confidence")
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert result.pvalue == pytest.approx(math.exp(result.log_pvalue), rel=1e-12)


@UNSURE
def test_same_seed_same_bits():
    columns = f1_columns()

    def run(rng):
        return paired_permutation_test(*columns, score=RATIO, n_resamples=500, rng=rng, **SAMPLED)

    assert run(5) == run(5) == run(np.random.default_rng(5))
    assert run(5).pvalue != run(6).pvalue
    generator = np.random.default_rng(5)
    assert run(generator).pvalue != run(generator).pvalue
    assert run(None).pvalue != run(None).pvalue


def test_blocks_do_not_matter(monkeypatch):
    def run():
        return paired_permutation_test(
            *f1_columns(), score=RATIO, n_resamples=2000, rng=0, **SAMPLED
        ).pvalue

    whole = run()
    monkeypatch.setattr("pairedperm.sampling._CELLS", 5000)
    assert run() == pytest.approx(whole, rel=1e-12)


def test_confidence_levels():
    """Wider where it is higher, and around the same p."""
    columns = f1_columns()
    found = [
        paired_permutation_test(
            *columns, score=RATIO, n_resamples=2000, rng=0, confidence_level=level, **SAMPLED
        )
        for level in (0.5, 0.9, 0.99)
    ]
    assert len({result.pvalue for result in found}) == 1
    widths = [np.diff(result.log_pvalue_interval)[0] for result in found]
    # quantiles of the normal law
    assert widths[1] / widths[0] == pytest.approx(1.6448536 / 0.6744898, rel=1e-6)
    assert widths[2] / widths[0] == pytest.approx(Z99 / 0.6744898, rel=1e-6)


def test_more_samples_are_better():
    columns = f1_columns()
    errors = [
        relative_error(
            paired_permutation_test(
                *columns, score=RATIO, n_resamples=n_resamples, rng=0, **SAMPLED
            )
        )
        for n_resamples in (1000, 16_000)
    ]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.3)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_systems_may_be_swapped(alternative):
    one, two = f1_columns()
    other = {"greater": "less", "less": "greater"}.get(alternative, alternative)
    options = {"score": RATIO, "n_resamples": 5000, "rng": 0, **SAMPLED}
    result = paired_permutation_test(one, two, alternative=alternative, **options)
    swapped = paired_permutation_test(two, one, alternative=other, **options)
    assert swapped.statistic == -result.statistic
    assert swapped.log_pvalue == pytest.approx(result.log_pvalue, abs=0.5)


def test_progress(capsys, monkeypatch):
    monkeypatch.setattr("pairedperm.montecarlo._PATIENCE", 0.0)
    for progress in (True, False):
        paired_permutation_test(
            *f1_columns(),
            score=RATIO,
            method="importance_sampling",
            n_resamples=3000,
            rng=0,
            progress=progress,
        )
        printed = capsys.readouterr()
        assert printed.out == ""
        assert ("Sampling" in printed.err) is progress


def test_model_card_section():
    result = paired_permutation_test(
        *f1_columns(), score=RATIO, n_resamples=20_000, rng=0, **SAMPLED
    )
    for given in (result, result.to_dict()):
        section = significance_section(given, name1="large", name2="small", dataset="dev")
        assert (
            "; importance-sampling two-sided paired-permutation test with 20,000 samples, "
            f"n = 370, p = {result.pvalue:.3g})."
        ) in section.splitlines()[2]
        low, high = result.pvalue_interval
        assert f"| 99% confidence interval of p | {low:.3g} to {high:.3g} |" in section
        assert (
            "| method | importance-sampling two-sided paired-permutation test with 20," in section
        )
        assert section.endswith(
            "It was estimated from random ways: drawn towards extreme ones, and weighted."
        )
