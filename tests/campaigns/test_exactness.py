"""P-values against big integers: a property for each route of the core, and each kind of case."""

import re
from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import Phase, given, settings

from campaigns.exact import lowered, routes, truths
from campaigns.exact.cases import KINDS, questions
from campaigns.exact.checks import check
from corpora import sum_scores
from oracles import reals, swaps, vectors
from pairedperm.convolution.line import tail
from pairedperm.nulls import engines
from properties import cases, generators

pytestmark = pytest.mark.weight(3)
ENOUGH = 8  # cases of which one reaches the route that it wants


def property_of(wish, how_many):
    """All answers are right in cases that want a route, or of a kind."""

    @how_many
    @given(case=questions(wish))
    def test(case, asked):
        asked["cases"] += 1
        for method in case.methods:
            check(case, method)

    test.wish = wish
    return test


for wish in (*routes.ROUTES, *KINDS):
    test = property_of(wish, cases(1 / 6))
    globals()["test_" + re.sub(r"\W+", "_", wish)] = test
del test  # which pytest would collect


@pytest.fixture
def asked(request):
    """How many cases were asked; one has reached the route."""
    found, wish = Counter(), request.function.wish
    with routes.counted() as reached:
        yield found
    assert reached.get(wish) != 0 or found["cases"] < ENOUGH


def off(p, share):
    """A probability that is off by a share of it, and so is its interval."""
    low, value, high = (p.value * (1.0 + x * share) for x in (0.999, 1.0, 1.001))
    return replace(p, low=low, value=value, high=high) if high < 1.0 else p


@pytest.mark.parametrize(
    ("wish", "module", "name", "spoilt", "error"),
    [
        ("line: tilted", tail, "tilted_lower_tail", partial(off, share=1e-9), AssertionError),
        ("halves listed", engines, "enumerate_lower_tail", lambda _: 1 / 0, ZeroDivisionError),
    ],
)
def test_a_spoilt_engine_fails(monkeypatch, wish, module, name, spoilt, error):
    right = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *x: spoilt(right(*x)))
    with pytest.raises(error):
        property_of(wish, settings(phases=[Phase.generate]))(asked=Counter())


def test_names_and_settings():
    """No name is gone, and settings are taken back."""
    before = {name: getattr(*routes.place(name)) for name in lowered.THRESHOLDS | lowered.COARSE}
    with lowered.lowered({"line.tail.COUNTABLE": -1}):
        assert tail.COUNTABLE == -1
    assert before == {name: getattr(*routes.place(name)) for name in before}
    for name in ("line.tail.GONE", "gone.x"):
        with pytest.raises(LookupError, match=f"has no {name} any more"):
            routes.place(name)


@given(rng=generators)
def test_its_truths_are_those_of_the_oracles(rng):
    d, rows = rng.integers(-6, 7, int(rng.integers(1, 11))), rng.integers(0, 3, (2, 5, 2))
    exact, law = sum_scores.SCORES["macro"][0], truths.mean_law(d, 10)
    for alternative in vectors.ALTERNATIVES:
        p, is_extreme = swaps.pvalue(d, alternative), vectors.EXTREME[alternative]
        assert truths.mean(d, alternative) == truths.mean(10**6 * d, alternative) == p
        assert reals.pvalue(d.astype(float), 0.0 * d, alternative) == p
        assert sum(p for x, p in law.items() if is_extreme(x, d.sum() / (10 * d.size))) == p
        brute = vectors.brute_force(*rows, exact, alternative)
        assert truths.of_sums(*rows, exact, alternative) == brute
