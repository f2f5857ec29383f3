"""The bets on a mean: limits by fractions, coverage by all paths, of one mind with p."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from oracles.betting import excludes, paths, wealth
from pairedperm import InputError, SequentialTest
from pairedperm.comparison.wealth import BATCH, ConfidenceSequence
from properties import cases, generators

ALPHA = Fraction(1, 8)


def in_floats(values):
    return np.array([float(x) for x in values])


def looked_at(differences, looks=False, **options):
    """A test of differences in [-1, 1], and its limits after each, or at the end."""
    test = SequentialTest(score_range=(0, 1), **options)
    for d in differences:
        test.update(max(d, 0.0), max(-d, 0.0))
        if looks:
            test.confidence_interval()
    return test


def draw(rng, n):
    values = rng.choice([-4, -3, -1, 0, 1, 2, 4], int(rng.integers(1, 5)))
    return [Fraction(int(x), 4) for x in rng.choice(values, n)]


def check_limits(found, rng, sums, **groups):
    """In fractions: means just inside were never excluded, the limits and all beyond were."""
    low, high = found
    assert -1.0 <= low < high <= 1.0
    inside = [low + 5e-9, high - 5e-9, *rng.uniform(low + 5e-9, high - 5e-9, 2)]
    outside = [low, high, *rng.uniform(-1.0, low, 2), *rng.uniform(high, 1.0, 2)]
    for mean in inside:
        assert not excludes(sums, mean, ALPHA, **groups)
    for mean in outside:
        assert abs(mean) == 1.0 or excludes(sums, mean, ALPHA, **groups)


@given(generators)
@cases(0.5)
def test_limits_by_fractions(rng):
    differences = draw(rng, int(rng.integers(1, 20)))
    sequence = ConfidenceSequence(float(ALPHA))
    sequence.add(in_floats(differences), np.ones(len(differences)))
    if sequence.limits()[0] < sequence.limits()[1]:
        check_limits(sequence.limits(), rng, differences)


@given(generators)
@cases(0.5)
def test_limits_of_groups_by_fractions(rng):
    sizes = rng.integers(1, 4, int(rng.integers(1, 12))).tolist()
    sums = [Fraction(int(rng.integers(-4 * k, 4 * k + 1)), 4) for k in sizes]
    sequence = ConfidenceSequence(float(ALPHA))
    sequence.add(in_floats(sums) / 3, np.array(sizes) / 3)
    check_limits(sequence.limits(), rng, sums, size=3, sizes=sizes)


@given(generators)
@cases(0.3)
def test_p_and_the_sequence_are_of_one_mind(rng):
    differences = draw(rng, int(rng.integers(1, 30)))
    alpha = float(rng.choice([0.5, 0.2, 0.05]))
    test = SequentialTest(alpha=alpha, score_range=(0, 1))
    largest, before = 1, (-1.0, 1.0)
    exact = wealth(differences, 0)
    for d, k in zip(map(float, differences), exact, strict=True):
        test.update(max(d, 0.0), max(-d, 0.0))
        largest = max(largest, k)
        low, high = test.confidence_interval()
        assert test.pvalue == pytest.approx(float(1 / largest), rel=1e-12)
        assert (test.decision is None) == (low < 0.0 < high)
        if test.decision is not None:
            assert low >= 0.0 if test.decision == "better" else high <= 0.0
        assert before[0] <= low < high <= before[1]
        before = low, high


@given(generators)
@cases(0.3)
def test_p_is_rounded_up(rng):
    """Against fractions at every look; at a level of p itself, all agree that 0 is excluded."""
    low = float(rng.choice([0.0, -3.0, 1000.0]))
    scores = low + rng.uniform(0.0, 1.0, (2, 60)) * rng.choice([1.0, 1e-3])
    options = {"score_range": (low, low + 1.0)}
    differences = [Fraction(x) - Fraction(y) for x, y in zip(*scores.tolist(), strict=True)]
    test, largest, at = SequentialTest(**options), Fraction(1), []
    for pair, k in zip(scores.T, wealth(differences, 0), strict=True):
        test.update(*pair)
        largest = max(largest, k)
        assert Fraction(test.pvalue) >= 1 / largest
        assert test.pvalue == pytest.approx(float(1 / largest), rel=1e-9)
        at.append(test.pvalue)
    if at[-1] < 1.0:
        n = 1 + at.index(at[-1])
        for alpha, is_decided in ((at[-1], True), (math.nextafter(at[-1], 0.0), False)):
            test = SequentialTest(alpha, **options)
            test.update(*scores[:, :n])
            low, high = test.confidence_interval()
            assert (test.n_decided == n) == (not low < 0.0 < high) == is_decided


@pytest.mark.parametrize("law", [
    {-1: Fraction(1, 2), 1: Fraction(1, 2)},
    {Fraction(1, 20): Fraction(9, 10), Fraction(-19, 20): Fraction(1, 10)},
    {-1: Fraction(1, 10), 0: Fraction(1, 2), 1: Fraction(2, 5)},
    {-1: Fraction(1, 40), Fraction(1, 2): Fraction(39, 40)},
], ids=["signs", "small gains", "ties", "high"])  # fmt: skip
def test_coverage_by_all_paths(law):
    """The wealth at the true mean has the mean 1, and rarely reaches 1 / α at any look."""
    n = 4 if len(law) == 3 else 6
    mean = sum(x * share for x, share in law.items())
    total, missed, found = Fraction(0), Fraction(0), Fraction(0)
    for path, share in paths(law, n):
        looks = wealth(path, mean)
        total += share * looks[-1]
        missed += share * (max(looks) >= 1 / ALPHA)
        sequence = ConfidenceSequence(float(ALPHA))
        sequence.add(in_floats(path), np.ones(n))
        low, high = sequence.limits()
        found += share * (not low < mean < high)
    assert total == 1
    assert found <= missed <= ALPHA  # outwards


def test_a_wrong_direction_is_rare_of_small_gains():
    """A system that gains 0.05 on 90 % and loses 0.95 on 10 % is worse, and leads at first."""
    law = {0.05: Fraction(9, 10), -0.95: Fraction(1, 10)}
    wrong = Fraction(0)
    for path, share in paths(law, 7):
        wrong += share * (looked_at(path, alpha=float(ALPHA)).decision == "better")
    assert wrong <= ALPHA


def test_p_of_right_and_wrong_is_that_of_exchangeable_outputs():
    rng = np.random.default_rng(0)
    one, two = rng.integers(0, 2, (2, 200))
    tests = SequentialTest(), SequentialTest(score_range=(0, 1))
    for test in tests:
        test.update(one, two)
    assert tests[1].pvalue == pytest.approx(tests[0].pvalue, rel=1e-12)


@given(generators)
@cases(0.3)
def test_looks_in_batches_and_scales(rng):
    """The limits do not depend on when they were asked for, nor on units."""
    differences = [float(x) for x in draw(rng, 60)]
    one, each = looked_at(differences), looked_at(differences, looks=True)
    turned = looked_at([-x for x in differences])
    low, high = one.confidence_interval()
    assert (low, high) == pytest.approx(each.confidence_interval(), rel=1e-9)
    assert (-high, -low) == pytest.approx(turned.confidence_interval(), rel=1e-12)
    scores = np.array([[max(x, 0.0), max(-x, 0.0)] for x in differences]).T
    points = SequentialTest(score_range=(-20, 80))
    points.update(*(100.0 * scores - 20.0))
    assert points.confidence_interval() == pytest.approx((100 * low, 100 * high), rel=1e-9)
    assert points.decision == one.decision


def test_many_batches():
    rng = np.random.default_rng(1)
    differences = rng.choice([-1.0, 0.0, 0.5, 1.0], BATCH + 99, p=[0.2, 0.5, 0.2, 0.1])
    whole, parts = ConfidenceSequence(0.05), ConfidenceSequence(0.05)
    whole.add(differences, np.ones(differences.size))
    for part in np.array_split(differences, 3):
        parts.add(part, np.ones(part.size))
        parts.limits()
    assert whole.limits() == pytest.approx(parts.limits(), rel=1e-9)
    low, high = whole.limits()
    assert low < -0.0 < high


def test_far_ends():
    always, never = SequentialTest(score_range=(0, 1)), SequentialTest(score_range=(0, 1))
    always.update(np.ones(5000), np.zeros(5000))
    never.update(np.ones(5000), np.ones(5000))
    low, high = always.confidence_interval()
    assert 0.99 < low < high == 1.0
    low, high = never.confidence_interval()
    assert -0.01 < low < 0.0 < high < 0.01
    assert looked_at([]).confidence_interval() == (-1.0, 1.0)


def test_groups():
    rng = np.random.default_rng(0)
    one, two = rng.random((2, 60))
    equal = SequentialTest(score_range=(0, 1))
    equal.update(one, two, groups=np.repeat(range(20), 3))
    means = SequentialTest(score_range=(0, 1))
    means.update(*(x.reshape(20, 3).mean(axis=1) for x in (one, two)))
    assert equal.pvalue == pytest.approx(means.pvalue)
    assert equal.confidence_interval() == pytest.approx(means.confidence_interval())
    larger = SequentialTest(score_range=(0, 1), largest_group=3)
    larger.update(one, two, groups=np.repeat(range(20), 3))
    assert larger.pvalue == equal.pvalue
    larger.update([1, 0], [0, 0], groups=["a", "b"])
    assert "largest_group=3" in repr(larger)


def test_a_refused_group_is_not_kept():
    test = SequentialTest(score_range=(0, 1))
    test.update([1, 0], [0, 0], groups=["a", "a"])
    before = repr(test)
    for call in (([1], [0], ["b"]), ([1] * 3, [0] * 3, ["c"] * 3), ([2], [0], ["d"]), (1, 0)):
        with pytest.raises(InputError):
            test.update(*call)
    assert repr(test) == before
    test.update([1, 1], [0, 0], groups=["b", "b"])
    assert test.n == 4


def test_a_mean_that_changes():
    """No interval is empty silently."""
    test = looked_at([1.0] * 60)
    assert test.decision == "better"
    test.update([0] * 600, [1] * 600)
    with pytest.warns(UserWarning, match="has no mean left"):
        low, high = interval = test.confidence_interval()
    assert math.isnan(low)
    assert math.isnan(high)
    assert interval.method == "confidence sequence"
    assert "no mean difference is left (95% confidence sequence)" in str(test)
    assert test.decision == "better"


def test_what_is_printed():
    test = looked_at([0.5, 0.25, 0.5, 0.5] * 10)
    assert str(test) == (
        "system 1 is better, decided after 14 of 40 examples at α = 0.05; p was 0.0485 then; "
        "mean difference 0.27 to 0.51 (95% confidence sequence)"
    )
    assert str(SequentialTest(alpha=0.1, score_range=(0, 5))) == (
        "undecided after 0 examples: evidence 1, of 10 for α = 0.1; p = 1; "
        "mean difference -5.00 to 5.00 (90% confidence sequence)"
    )
