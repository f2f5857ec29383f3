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
from properties import cases, generators, one_in

ALPHA = Fraction(1, 8)


@given(generators)
@cases(1.0)
def test_evidence_by_products(rng):
    n, unit = int(rng.integers(1, 30)), int(rng.choice([1, 2, 5]))
    one, two = rng.integers(0, unit + 1, (2, n)) / unit
    test = SequentialTest()
    seen, largest, decided = (one - two).tolist(), 1.0, None
    pairs = zip(one.tolist(), two.tolist(), wealth(map(Fraction, seen)), strict=True)
    for k, (x, y, true) in enumerate(pairs, 1):
        assert test.update(x, y) == test.decision
        assert test.evidence == pytest.approx(float(true), rel=1e-9)
        largest = max(largest, true)
        if decided is None and largest >= 20.0:
            decided = k
    assert test.pvalue == pytest.approx(float(1 / largest), rel=1e-9)
    assert test.n_decided == decided
    assert (test.decision is None) == (decided is None)
    assert test.statistic == pytest.approx(math.fsum(seen) / n)
    assert (test.n, test.n_differing) == (n, np.count_nonzero(np.abs(seen) > 1e-12))


@given(generators)
@cases(0.5)
def test_batches(rng):
    n = int(rng.integers(2, 60))
    one, two = rng.integers(0, 2, (2, n))
    alone, together = SequentialTest(alpha=0.3), SequentialTest(alpha=0.3)
    for x, y in zip(one, two, strict=True):
        alone.update(x, y)
    cut = int(rng.integers(1, n))
    together.update(one[:cut], two[:cut])
    together.update(one[cut:].tolist(), two[cut:].tolist())
    assert repr(together) == repr(alone)
    assert (together.n_decided, together.pvalue) == (alone.n_decided, pytest.approx(alone.pvalue))


def test_many_batches():
    """More than are bet on at once; the decision is where it is by single examples."""
    one = np.append(np.zeros(80_000), np.ones(99))
    test = SequentialTest()
    assert test.update(one, np.zeros(80_099)) == "better"
    assert (test.n_decided, test.n, test.n_differing) == (80_008, 80_099, 99)


@given(generators)
@cases(0.5)
def test_the_evidence_has_no_order(rng):
    """After the last example; p is of the largest, which depends on the order."""
    scores = rng.random((2, int(rng.integers(2, 80)))).round(2)
    test, other = SequentialTest(), SequentialTest()
    test.update(*scores)
    other.update(*scores[:, rng.permutation(scores.shape[1])])
    assert test.evidence == pytest.approx(other.evidence, rel=1e-11)
    turned = SequentialTest()
    turned.update(*scores[::-1])
    assert turned.evidence == pytest.approx(test.evidence, rel=1e-11)


@given(generators)
@cases(0.3)
def test_p_is_rounded_up(rng):
    """Against fractions at every look; at a level of p itself it is decided."""
    scores = rng.uniform(0.0, 1.0, (2, 60)) * rng.choice([1.0, 1e-3])
    differences = [Fraction(x) - Fraction(y) for x, y in zip(*scores.tolist(), strict=True)]
    test, largest, at = SequentialTest(), Fraction(1), []
    for pair, k in zip(scores.T, wealth(differences), strict=True):
        test.update(*pair)
        largest = max(largest, k)
        assert Fraction(test.pvalue) >= 1 / largest
        assert test.pvalue == pytest.approx(float(1 / largest), rel=1e-9)
        at.append(test.pvalue)
    if at[-1] < 1.0:
        n = 1 + at.index(at[-1])
        for alpha, is_decided in ((at[-1], True), (math.nextafter(at[-1], 0.0), False)):
            test = SequentialTest(alpha)
            test.update(*scores[:, :n])
            assert (test.n_decided == n) == is_decided


def decided(path):
    """The decision on differences in [-1, 1]."""
    test = SequentialTest(float(ALPHA))
    test.update([max(float(d), 0.0) for d in path], [max(-float(d), 0.0) for d in path])
    return test.decision


@pytest.mark.parametrize("law", [
    {-1: Fraction(1, 2), 1: Fraction(1, 2)},
    {Fraction(1, 20): Fraction(19, 20), Fraction(-19, 20): Fraction(1, 20)},
    {-1: Fraction(1, 4), 0: Fraction(1, 4), Fraction(1, 2): Fraction(1, 2)},
], ids=["signs", "small gains", "ties"])  # fmt: skip
def test_size_by_all_paths(law):
    """With the mean 0 the wealth has the mean 1, and rarely reaches 1 / α at any look."""
    n = 5 if len(law) == 3 else 8
    assert sum(d * share for d, share in law.items()) == 0
    total, rejected, found = Fraction(0), Fraction(0), Fraction(0)
    for path, share in paths(law, n):
        looks = wealth(path)
        total += share * looks[-1]
        rejected += share * (max(looks) >= 1 / ALPHA)
        found += share * (decided(path) is not None)
    assert total == 1
    assert found <= rejected <= ALPHA


@pytest.mark.parametrize(
    "law",
    [
        {0.05: Fraction(9, 10), -0.95: Fraction(1, 10)},
        {0.25: Fraction(3, 4), -1.0: Fraction(1, 4)},
    ],
    ids=["small", "larger"],
)
def test_a_wrong_direction_is_rare_of_small_gains(law):
    """A system that gains 0.05 on 90 % and loses 0.95 on 10 % is worse, and leads at first."""
    wrong = Fraction(0)
    for path, share in paths(law, 7):
        wrong += share * (decided(path) == "better")
    assert wrong <= ALPHA


def test_decisions():
    """Eight wins in a row are enough; a decision stays."""
    better, worse = SequentialTest(), SequentialTest()
    assert better.update([1] * 7, [0] * 7) is None
    assert better.update(1, 0) == "better"
    assert worse.update([0] * 12, [1] * 12) == "worse"
    assert (better.n_decided, worse.n_decided) == (8, 8)
    assert better.update(0.5, 1) == "better"
    assert better.update([0] * 49, [1] * 49) == "better"
    assert better.evidence > 20.0
    assert better.n == 58
    assert (
        str(worse)
        == "system 1 is worse, decided after 8 of 12 examples at α = 0.05; p was 0.0269 then"
    )
    assert str(SequentialTest(alpha=0.1)) == (
        "undecided after 0 examples: evidence 1, of 10 for α = 0.1; p = 1"
    )
    test = SequentialTest(alpha=0.1)
    test.update(0.5, 0.5)
    assert str(test).startswith("undecided after 1 example: ")


@pytest.mark.parametrize(
    ("one", "two", "decision"),
    [
        ([True] * 8, [False] * 8, "better"),
        ([0.0] * 8, [1.0] * 8, "worse"),
        ([Fraction(1)] * 8, [0] * 8, "better"),
        ([0.75] * 20, [0.25] * 20, "better"),
        ([0.2] * 99, [0.3] * 99, "worse"),
    ],
    ids=str,
)
def test_the_direction(one, two, decision):
    test = SequentialTest()
    test.update(one, two)
    for _ in range(8):
        test.update(one, two)
    assert test.decision == decision
    assert str(test).startswith(f"system 1 is {decision}, ")


def test_right_and_wrong_by_exchangeable_outputs():
    """Of 0 and 1 the factors are exp(λ d) / cosh(λ d)."""
    rng = np.random.default_rng(0)
    one, two = rng.integers(0, 2, (2, 200))
    test, differences = SequentialTest(), (one - two).tolist()
    test.update(one, two)
    sizes = [sign * 0.05 * 2.0**k for k in range(7) for sign in (1, -1)]
    products = [math.prod(math.exp(x * d) / math.cosh(x * d) for d in differences) for x in sizes]
    assert test.evidence == pytest.approx(math.fsum(products) / 14, rel=1e-11)


def test_what_is_undecided_does_not_look_decided():
    test = SequentialTest(alpha=1 / 10.6534)
    test.update([1] * 7 + [0], [0] * 8)
    for extra in (1e-5, 1e-8):
        test = SequentialTest(alpha=1.0 / (test.evidence * (1 + extra)))
        assert test.update([1] * 7 + [0], [0] * 8) is None
        said = re.search(r"evidence (\S+), of .* p = (\S+)", str(test))
        assert float(said[1]) < 1 / test.alpha
        assert float(said[2]) > test.alpha


@pytest.mark.parametrize(
    "one", [1, 1.0, True, np.float32(1), np.array(1), [1], (1,), np.array([1.0])], ids=repr
)
def test_one_example(one):
    test = SequentialTest()
    test.update(one, 0)
    assert (test.n, test.n_differing, test.statistic) == (1, 1, 1.0)


def test_far_beyond_floats():
    test = SequentialTest()
    test.update(np.ones(5000), np.zeros(5000))
    assert test.evidence == math.inf
    assert 0.0 <= test.pvalue < 1e-300
    assert str(test).endswith("of 5,000 examples at α = 0.05; p was 0.0269 then")


def test_pickled_it_goes_on():
    test, whole = SequentialTest(), SequentialTest()
    test.update([1, 1, 0], [0, 1, 0])
    whole.update([1, 1, 0], [0, 1, 0])
    test = pickle.loads(pickle.dumps(test))
    test.update(1, 0)
    whole.update(1, 0)
    assert repr(test) == repr(whole)


@one_in(3)
@pytest.mark.parametrize(
    "kind", ["flips", pytest.param("ties", marks=pytest.mark.thorough), "reals", "skewed"]
)
def test_size_at_many_looks(kind):
    """Of 400 true null hypotheses, looked at after each of 300 examples."""
    rng = np.random.default_rng(0)
    n_rejected = 0
    for _ in range(400):
        signs = rng.choice([-1, 1], 300)
        differences = {
            "flips": signs,
            "ties": signs * (rng.random(300) < 0.1),
            "reals": signs * rng.random(300),
            "skewed": np.where(rng.random(300) < 0.95, 0.05, -0.95),
        }[kind]
        test = SequentialTest()
        both = np.maximum(differences, 0.0), np.maximum(-differences, 0.0)
        n_rejected += test.update(*both) is not None
    assert n_rejected / 400 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)
    assert n_rejected > 0


@pytest.mark.parametrize(
    "arguments",
    [([1, 0], [1]), ([1, None], [0, 0]), ([1, 1.5], [0, 0]), (0, -1), (math.nan, 0)],
    ids=str,
)
def test_nothing_of_a_refused_call_is_kept(arguments):
    test = SequentialTest()
    test.update([1], [0])
    before = repr(test)
    with pytest.raises(InputError):
        test.update(*arguments)
    assert repr(test) == before
    assert test.update([1, 1], [0, 0]) is None
