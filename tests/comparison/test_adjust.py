"""Results that one has, with adjusted p-values: as those of a suite of the same tasks."""

import pickle

import numpy as np
from hypothesis import given

from pairedperm import adjust, compare, compare_suite
from pairedperm.results.correction import adjusted
from properties import cases, generators

CORRECTIONS = ("holm", "bonferroni", "bh", "by", None)


@given(generators)
@cases(0.3)
def test_as_in_a_suite(rng):
    tasks = {
        f"task {k}": tuple(rng.integers(0, 2, (3, int(n))).tolist())
        for k, n in enumerate(rng.integers(1, 12, 4))
    }
    results = [compare(*x) for x in tasks.values()]
    for correction in CORRECTIONS:
        suite = compare_suite(tasks, correction=correction)
        expected = [x["p_adjusted"] for x in suite.tasks]
        if correction == "holm":  # a suite knows its level, and so which tests do not count
            expected = adjusted([x.pvalue for x in results])
        assert adjust(results, correction) == expected
        assert adjust(pickle.loads(pickle.dumps(results)), correction) == expected


def test_results_of_several_kinds():
    one, two, right = np.random.default_rng(2).integers(0, 2, (3, 40)).tolist()
    results = [
        compare(one, two, right, test="bootstrap"),
        compare(one, two, right, method="monte_carlo", rng=1),
    ]
    assert adjust(results) == adjusted([x.pvalue for x in results])
    assert adjust([]) == []
    assert adjust(tuple(results), None) == [x.pvalue for x in results]
