"""Adjusted p-values: as those of statsmodels and scipy, and by hand."""

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import false_discovery_control

from pairedperm.results.correction import adjusted
from pairedperm.results.discrete_holm import law_from
from properties import cases, generators

NAMES = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh", "by": "fdr_by"}


def some(rng):
    p = rng.random(int(rng.integers(1, 40))) ** rng.integers(1, 9)
    p[rng.random(p.size) < 0.3] = p[0]
    return p


@pytest.mark.thorough  # which takes seconds to import
@given(generators)
@cases(0.1)
def test_as_statsmodels(rng):
    from statsmodels.stats.multitest import multipletests

    p = some(rng)
    for name, other in NAMES.items():
        assert adjusted(p, name) == pytest.approx(multipletests(p, method=other)[1], rel=1e-12)


@given(generators)
@cases(1.0)
def test_as_scipy_and_by_definition(rng):
    p = some(rng)
    for name in ("bh", "by"):
        found = adjusted(p, name)
        assert found == pytest.approx(false_discovery_control(p, method=name), rel=1e-12)
    assert adjusted(p, "bonferroni") == np.minimum(p.size * p, 1.0).tolist()
    for one, found in zip(p, adjusted(p, "holm"), strict=True):
        steps = [(p >= x).sum() * x for x in p if x <= one]  # a tie goes at its first step
        assert found == pytest.approx(min(max(steps), 1.0), rel=1e-12)


def test_discrete_takes_laws():
    """Tests of 3 and 9 differing examples, whose least p are 1/4 and 1/256; without laws: Holm."""
    p = [0.25, 2.0**-8]
    assert adjusted(p, "discrete", [*map(law_from, p)]) == p
    assert adjusted(p, "discrete") == adjusted(p, "holm")


def test_none():
    assert adjusted([0.5, 0.01], None) == [0.5, 0.01]
    assert adjusted([], "holm") == []
