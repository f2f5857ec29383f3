"""The sequential test: its evidence by products, its size over many looks, what is kept."""

import math
import pickle
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from oracles.betting import paths, wealth
from pairedperm import InputError, SequentialTest
from properties import cases, generators

ALPHA = Fraction(1, 8)


@pytest.mark.parametrize("unit", [1, 5, 0.0, 1e-3])
@given(generators)
@cases(0.5)
def test_evidence_by_products(unit, rng):
    """At every look: p is rounded up, and decided at a level that is p itself.

    Of right and wrong, of fifths, of real numbers, and of small ones, whose sums are rounded most.
    """
    n = int(rng.integers(1, 60))
    if unit >= 1:
        one, two = rng.integers(0, unit + 1, (2, n)) / unit
    else:
        n, (one, two) = 60, (unit or 1.0) * rng.random((2, 60))
    test, at = SequentialTest(), []
    seen = [Fraction(x) - Fraction(y) for x, y in zip(one.tolist(), two.tolist(), strict=True)]
    largest, decided = Fraction(1), None
    for k, true in enumerate(wealth(seen), 1):
        assert test.update(float(one[k - 1]), float(two[k - 1])) == test.decision
        assert test.evidence == pytest.approx(float(true), rel=1e-9)
        largest = max(largest, true)
        if decided is None and largest >= 20.0:
            decided = k
        assert Fraction(test.pvalue) >= 1 / largest
        assert test.pvalue == pytest.approx(float(1 / largest), rel=1e-9)
        at.append(test.pvalue)
    assert test.n_decided == decided
    assert (test.decision is None) == (decided is None)
    assert test.statistic == pytest.approx(float(sum(seen) / n))
    assert (test.n, test.n_differing) == (n, sum(abs(x) > 1e-12 for x in seen))
    if at[-1] < 1.0:
        n = 1 + at.index(at[-1])
        for alpha, is_decided in ((at[-1], True), (math.nextafter(at[-1], 0.0), False)):
            other = SequentialTest(alpha)
            other.update(one[:n], two[:n])
            assert (other.n_decided == n) == is_decided


@given(generators)
@cases(0.5)
def test_batches(rng):
    """In any order the evidence is the same, p in this one; turned, it is the other's."""
    n = int(rng.integers(2, 60))
    one, two = rng.integers(0, 2, (2, n)) if rng.random() < 0.5 else rng.random((2, n)).round(2)
    alone, together = SequentialTest(alpha=0.3), SequentialTest(alpha=0.3)
    for x, y in zip(one, two, strict=True):
        alone.update(x, y)
    cut = int(rng.integers(1, n))
    together.update(one[:cut], two[:cut])
    together = pickle.loads(pickle.dumps(together))
    together.update(one[cut:].tolist(), two[cut:].tolist())
    assert repr(together) == repr(alone)
    assert (together.n_decided, together.pvalue) == (alone.n_decided, pytest.approx(alone.pvalue))
    order = rng.permutation(n)
    for columns in ((one[order], two[order]), (two, one)):
        other = SequentialTest()
        other.update(*columns)
        assert other.evidence == pytest.approx(alone.evidence, rel=1e-11)


def test_many_batches():
    """More than are bet on at once; the decision is where it is by single examples."""
    one = np.append(np.zeros(80_000), np.ones(99))
    test = SequentialTest()
    assert test.update(one, np.zeros(80_099)) == "better"
    assert (test.n_decided, test.n, test.n_differing) == (80_008, 80_099, 99)


def decided(path):
    """The decision on differences in [-1, 1]."""
    test = SequentialTest(float(ALPHA))
    test.update([max(float(d), 0.0) for d in path], [max(-float(d), 0.0) for d in path])
    return test.decision


HALF, QUARTER, TENTH, TWENTIETH = (Fraction(1, n) for n in (2, 4, 10, 20))


@pytest.mark.parametrize(("law", "n"), [
    ({-1: HALF, 1: HALF}, 7),
    ({-1: QUARTER, 0: QUARTER, HALF: HALF}, 5),
    # gains of 0.05 on 90 % and losses of 0.95 on 10 %: it is worse, and leads at first
    ({TWENTIETH: 1 - TENTH, TWENTIETH - 1: TENTH}, 7),
], ids=["signs", "ties", "a loss"])  # fmt: skip
def test_size_by_all_paths(law, n):
    """With the mean 0 the wealth has the mean 1, and rarely reaches 1 / α at any look.

    Nor is a system that is worse called better.
    """
    mean = sum(d * share for d, share in law.items())
    total = rejected = found = better = Fraction(0)
    for path, share in paths(law, n):
        decision = decided(path)
        better += share * (decision == "better")
        found += share * (decision is not None)
        if mean == 0:
            looks = wealth(path)
            total += share * looks[-1]
            rejected += share * (max(looks) >= 1 / ALPHA)
    assert better <= ALPHA
    if mean == 0:
        assert total == 1
        assert found <= rejected <= ALPHA


@pytest.mark.parametrize(
    ("one", "two", "decision"),
    [
        ([True] * 8, [False] * 8, "better"),
        ([0.0] * 8, [Fraction(1)] * 8, "worse"),
        ([0.2] * 891, [0.3] * 891, "worse"),
    ],
    ids=["bools", "fractions", "decimals"],
)
def test_decisions(one, two, decision):
    """Eight wins in a row are enough; a decision stays."""
    test = SequentialTest()
    first = test.update(one[:7], two[:7])
    assert first is None
    assert test.update(one[7:], two[7:]) == decision
    assert (test.n_decided == 8) == (len(one) == 8)
    assert str(test).startswith(f"system 1 is {decision}, ")
    assert test.update([0.5] * 49, [1] * 49) == test.update([0] * 49, [1] * 49) == decision


def test_what_is_undecided_does_not_look_decided():
    test = SequentialTest(alpha=1 / 10.6534)
    test.update([1] * 7 + [0], [0] * 8)
    for extra in (1e-5, 1e-8):
        test = SequentialTest(alpha=1.0 / (test.evidence * (1 + extra)))
        assert test.update([1] * 7 + [0], [0] * 8) is None
        said = re.search(r"evidence (\S+), of .* p = (\S+)", " ".join(str(test).split()))
        assert float(said[1]) < 1 / test.alpha
        assert float(said[2]) > test.alpha


def test_far_beyond_floats():
    test = SequentialTest()
    test.update(np.ones(5000), np.zeros(5000))
    assert test.evidence == math.inf
    assert 0.0 <= test.pvalue < 1e-300


@pytest.mark.parametrize("arguments", [([1, 0], [1]), ([1, 1.5], [0, 0]), (math.nan, 0)], ids=str)
def test_nothing_of_a_refused_call_is_kept(arguments):
    test = SequentialTest()
    test.update([1], [0])
    before = repr(test)
    with pytest.raises(InputError):
        test.update(*arguments)
    assert repr(test) == before
    assert test.update([1, 1], [0, 0]) is None
