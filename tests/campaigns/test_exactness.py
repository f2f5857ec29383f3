"""P-values against big integers: a property for each route of the core, and each kind of case."""

import re
from collections import Counter

import pytest
from hypothesis import given

from campaigns.exact import routes
from campaigns.exact.cases import KINDS, questions
from campaigns.exact.checks import check
from properties import cases

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
