"""Preferences: p by all flips in fractions, what judges do, and what verdicts are called."""

import math
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given

from pairedperm import adjust, gate, preference
from properties import generators

SIDES = {
    "two-sided": lambda x, seen: abs(x) >= abs(seen),
    "greater": lambda x, seen: x >= seen,
    "less": lambda x, seen: x <= seen,
}


def true_p(numbers, items, alternative="two-sided"):
    """The share of all flips of the signs of items' means that are as extreme as observed."""
    each = defaultdict(list)
    for x, item in zip(numbers, items, strict=True):
        each[item].append(Fraction(int(x)))
    means = [sum(x) / len(x) for x in each.values()]
    flips = [
        sum(s * x for s, x in zip(signs, means, strict=True))
        for signs in product((1, -1), repeat=len(means))
    ]
    extreme = sum(SIDES[alternative](x, sum(means)) for x in flips)
    return Fraction(extreme, len(flips)), (1 + sum(means) / len(means)) / 2


@given(generators)
def test_p_and_win_rate_are_those_of_all_flips(rng):
    n_items = int(rng.integers(1, 9))
    items = np.repeat(range(n_items), rng.integers(1, 4, n_items))
    rng.shuffle(items)
    verdicts, firsts = rng.integers(-1, 2, items.size), rng.choice((1, -1), items.size)
    words = [{1: "new", -1: "old", 0: "tie"}[x] for x in verdicts.tolist()]
    first = [{1: "new", -1: "old"}[x] for x in firsts.tolist()]
    for side in SIDES:
        names = {"names": ("new", "old"), "order": "random"}
        found = preference(words, items=items, first=first, alternative=side, **names)
        p, win_rate = true_p(verdicts, items, side)
        assert found.pvalue == pytest.approx(float(p), rel=1e-12)
        assert found.win_rate == pytest.approx(float(win_rate), abs=1e-15)
        places = verdicts * firsts
        assert found.pvalue_place == pytest.approx(float(true_p(places, items)[0]), rel=1e-12)
        assert (found.n_first, found.n_second) == ((places > 0).sum(), (places < 0).sum())
        assert (found.interval is None) == (side != "two-sided" or len({*items.tolist()}) == 1)


@pytest.mark.parametrize(("wins", "losses", "ties"), [(9, 1, 3), (30, 12, 0), (300, 200, 41)])
def test_one_verdict_an_item_is_the_sign_test(wins, losses, ties):
    """In integers; the interval is exact, and excludes 1/2 where p is small."""
    found = preference([1] * wins + [-1] * losses + [0] * ties, order="random")
    n = wins + losses
    true = Fraction(2 * sum(math.comb(n, k) for k in range(max(wins, losses), n + 1)), 2**n)
    assert found.pvalue == pytest.approx(float(true), rel=1e-12)
    low, high = found.interval
    assert found.interval.method == "exact"
    assert (low > 0.5) == (found.pvalue <= 0.05)
    assert low < found.win_rate < high
    assert tuple(found.test.interval) == pytest.approx((2 * low - 1, 2 * high - 1), rel=1e-12)


LIKES = [Fraction(x, 10) for x in (7, 2, 1)]  # the first place, neither, the second
JUST = [Fraction(x, 10) for x in (8, 1, 1)]  # A, neither, B, wherever they stand
PLACES = dict(zip((1, 0, -1), LIKES, strict=True))
SYSTEMS = dict(zip((1, 0, -1), JUST, strict=True))


def law_of(judge, design):
    """An item's verdicts and orders, and their probability; 1 is A, and A first."""
    law = defaultdict(Fraction)
    for order, share in design.items():
        for verdicts in product((1, 0, -1), repeat=len(order)):
            each = (judge(v, first) for v, first in zip(verdicts, order, strict=True))
            law[verdicts, order] += share * math.prod(each)
    return law


@cache
def both_p(outcomes):
    """Return p of the preference, and p of the place."""
    rows = [(k, *x) for k, item in enumerate(outcomes) for x in zip(*item, strict=True)]
    items, verdicts, firsts = zip(*rows, strict=True)
    first = ["A" if x > 0 else "B" for x in firsts]
    found = preference(verdicts, items=items, first=first, order="random")
    return found.pvalue, found.pvalue_place


def outcomes_of(law, n):
    """The outcomes of n items in any order, and their probabilities."""
    for items in combinations_with_replacement(law, n):
        ways = math.factorial(n)
        for x in {*items}:
            ways //= math.factorial(items.count(x))
        yield items, ways * math.prod(law[x] for x in items)


def sizes(which, *laws):
    """P(p ≤ u) / u, at its largest over all u, by every outcome of so many items of each law."""
    masses = defaultdict(Fraction)
    for parts in product(*(outcomes_of(law, n) for law, n in laws)):
        items = sum((part for part, _ in parts), ())
        masses[round(both_p(items)[which], 12)] += math.prod(mass for _, mass in parts)
    total, largest = Fraction(0), 0.0
    for p in sorted(masses):
        total += masses[p]
        largest = max(largest, float(total) / p)
    return largest


FIRST, SECOND = {(1,): Fraction(1)}, {(-1,): Fraction(1)}
DESIGNS = {  # of the orders: each with a number of items
    "coin": [({(1,): Fraction(1, 2), (-1,): Fraction(1, 2)}, 4)],
    "both": [({(1, -1): Fraction(1)}, 4)],
    "balanced": [(FIRST, 4), (SECOND, 4)],
}


def likes_a_place(v, first):
    return PLACES[v * first]


def likes_a_system(v, first):
    return SYSTEMS[v]


@pytest.mark.parametrize("name", DESIGNS)
def test_p_keeps_its_level(name):
    """That of equals, whatever the judge thinks of places; that of places, whatever of systems."""
    of_place, of_system = (
        [(law_of(judge, design), n) for design, n in DESIGNS[name]]
        for judge in (likes_a_place, likes_a_system)
    )
    assert sizes(0, *of_place) <= 1 + 1e-9
    assert sizes(1, *of_system) <= 1 + 1e-9
    assert sizes(0, *of_system) > 2  # it has power
    assert sizes(1, *of_place) > 2


def test_one_system_first_is_no_test():
    """The judge's liking for a place passes for a preference."""
    assert sizes(0, (law_of(likes_a_place, FIRST), 6)) > 2


def test_words_of_judges():
    one = preference([1, 1, 0, 0, -1, 1], order="random")
    of_names = ["new", "new", "tie", "TIE", "old", "new"]
    in_places = ["model_a", "A", "tie (bothbad)", "tie", "second", "model_2"]
    first = ["new", "new", "new", "old", "new", "old"]
    names = {"order": "random", "names": ("new", "old")}
    for found in (
        preference(["A", "A", "tie", "Tie", "B", "A"], order="random"),
        preference(np.array([1.0, 1, 0, 0, -1, 1]), order="random"),
        preference(of_names, **names),
        preference(of_names, first=first, **names),
        preference(in_places, first=first, **names),
    ):
        assert found.test == one.test
    of_letters = preference(["A", "B"], first=["B", "A"], items=[1, 1])  # systems, not places
    assert (of_letters.n_first, of_letters.n_second, of_letters.win_rate) == (0, 2, 0.5)


def test_orders():
    """Both orders tell themselves; an item may be judged more often than another."""
    first = ["A", "B", "A", "B", "B", "A"]
    items = [1, 1, 2, 2, 2, 2]
    assert preference([1, 0, 1, 1, 1, 1], items=items, first=first).order == "both"
    assert preference([1, 0, 1, 1], items=[1, 1, 2, 2], order="both").pvalue_place is None
    assert preference([1, 0, 1], first=["A", "B", "A"], order="balanced").order == "balanced"
    unknown = preference([1] * 12, first=["A"] * 12, order="unknown")
    assert unknown.pvalue_place is None
    for text in (str(unknown), unknown.to_markdown(), unknown.to_latex(), unknown._repr_html_()):
        assert "It is unknown which system stood first" in text
    for text in (str(unknown.test), unknown.test.summary(), str(gate(unknown.test))):
        assert "win rate (order unknown)" in " ".join(text.split())
    assert unknown.to_dict()["order"] == unknown.test.to_dict()["metric_options"]["order"]


def test_the_test_goes_where_others_go():
    found = preference([1] * 9 + [-1], order="random")
    assert adjust([found.test, found.test]) == [2 * found.pvalue] * 2
    assert gate(found.test).verdict == "pass"
