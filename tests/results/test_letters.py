"""Letters: all maximal sets of systems none of which are told apart, by trying all sets."""

from itertools import combinations

import numpy as np
from hypothesis import given

from pairedperm.results.several import letters
from properties import cases, generators


@given(generators)
@cases(1.0)
def test_by_trying_all_sets(rng):
    n = int(rng.integers(1, 8))
    alike = rng.random((n, n)) < 0.6
    alike = alike | alike.T | np.eye(n, dtype=bool)
    cliques = [
        {*members}
        for size in range(1, n + 1)
        for members in combinations(range(n), size)
        if all(alike[i, j] for i, j in combinations(members, 2))
    ]
    expected = [x for x in cliques if not any(x < y for y in cliques)]
    found = letters(alike.tolist())
    names = sorted({*"".join(found)})
    sets = [{k for k in range(n) if name in found[k]} for name in names]
    assert sorted(map(sorted, sets)) == sorted(map(sorted, expected))
    assert [min(x) for x in sets] == sorted(min(x) for x in sets)  # the best have the first


def test_more_sets_than_letters():
    """Twenty-eight systems that are all told apart, and sets in which many are alike."""
    found = letters([[i == j for j in range(28)] for i in range(28)])
    assert (found[0], found[25:]) == ("a", ["z", "aa", "ab"])
    couples = letters([[i == j or i // 2 != j // 2 for j in range(10)] for i in range(10)])
    assert couples[0].count(",") == 15
