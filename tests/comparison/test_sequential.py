"""The sequential test: its evidence by products, its size over many looks, what is kept."""

import math
import pickle
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from pairedperm import InputError, SequentialTest
from properties import cases, generators, one_in

LAMBDAS = [0.05 * 2.0**k for k in range(7)]


def evidence(differences, scale=1.0):
    """The mean over λ and -λ of the products of exp(λ d) / cosh(λ d)."""
    products = [
        math.prod(math.exp(x * d / scale) / math.cosh(x * d / scale) for d in differences)
        for size in LAMBDAS
        for x in (size, -size)
    ]
    return math.fsum(products) / len(products)


@given(generators)
@cases(1.0)
def test_evidence_by_products(rng):
    n, scale = int(rng.integers(1, 30)), float(rng.choice([1.0, 0.3, 7.0]))
    one, two = rng.integers(0, 3, (2, n)) / rng.choice([1, 2, 5])
    test = SequentialTest(scale=scale)
    seen, largest, decided = [], 1.0, None
    for k, (x, y) in enumerate(zip(one.tolist(), two.tolist(), strict=True), 1):
        assert test.update(x, y) == test.decision
        seen.append(x - y)
        true = evidence(seen, scale)
        assert test.evidence == pytest.approx(true, rel=1e-9)
        largest = max(largest, true)
        if decided is None and largest >= 20.0:
            decided = k
    assert test.pvalue == pytest.approx(1.0 / largest, rel=1e-9)
    assert test.n_decided == decided
    assert (test.decision is None) == (decided is None)
    assert test.statistic == pytest.approx(math.fsum(seen) / n)
    assert (test.n, test.n_differing) == (n, np.count_nonzero(np.abs(seen) > 1e-12))


@given(generators)
@cases(0.5)
def test_batches_and_groups(rng):
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
    groups = rng.integers(0, 9, n).tolist()
    grouped = SequentialTest()
    grouped.update(one, two, groups=groups)
    sums = [sum((one - two)[np.array(groups) == k].tolist()) for k in sorted(set(groups))]
    assert grouped.evidence == pytest.approx(evidence(sums))
    assert (grouped.n, grouped.n_differing) == (n, np.count_nonzero(sums))


def test_decisions():
    """Eight wins in a row are enough; a decision stays."""
    better, worse = SequentialTest(), SequentialTest()
    assert better.update([1] * 7, [0] * 7) is None
    assert better.update(1, 0) == "better"
    assert worse.update([0] * 12, [1] * 12) == "worse"
    assert (better.n_decided, worse.n_decided) == (8, 8)
    assert better.update([0] * 50, [1] * 50) == "better"
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


def test_a_decision_in_groups():
    """Of groups no direction is claimed: another may have a sum of another size."""
    test, alone = SequentialTest(), SequentialTest()
    ids = np.repeat(np.arange(20), 3)
    assert test.update(np.tile([1, 1, 0], 20), np.tile([0, 0, 1], 20), groups=ids) == "differ"
    assert test.n_decided % 3 == 0
    assert test.n == 60
    assert alone.update([1] * 8, [0] * 8, groups=range(8)) == "better"


@pytest.mark.parametrize("scale", [0.05, 0.2])
def test_gains_that_are_small_and_losses_that_are_large(scale):
    """Gains of 0.05 on 90 % and losses of 0.95 are worse on average, and lead early."""
    rng, leads, found = np.random.default_rng(0), 0, set()
    for _ in range(60):
        test = SequentialTest(scale=scale)
        for differences in np.where(rng.random((60, 8)) < 0.9, 0.05, -0.95):
            if test.update(differences, np.zeros(8)):
                break
        found.add(test.decision)
        leads += test.decision is not None and test.statistic > 0.0
    assert found <= {"differ", None}
    assert leads > 9


@pytest.mark.parametrize(
    ("one", "two", "decision"),
    [
        ([True] * 8, [False] * 8, "better"),
        ([0.0] * 8, [1.0] * 8, "worse"),
        ([Fraction(1)] * 8, [0] * 8, "better"),
        ([0.5] * 8, [-0.5] * 8, "differ"),
        ([2] * 8, [1] * 8, "differ"),
        ([0.3] * 99, [0.2] * 99, "differ"),
    ],
    ids=str,
)
def test_a_direction_is_claimed_of_right_and_wrong(one, two, decision):
    test = SequentialTest()
    test.update(one, two)
    for _ in range(8):
        test.update(one, two)
    assert test.decision == decision
    words = "the outputs are not exchangeable (direction not shown)"
    assert str(test).startswith(words if decision == "differ" else f"system 1 is {decision}, ")


def test_a_direction_is_withdrawn():
    """If a later score shows that there are others, also in the same call."""
    test, whole = SequentialTest(), SequentialTest()
    assert test.update([1] * 8, [0] * 8) == "better"
    assert test.update(1, 0.5) == "differ"
    assert whole.update([1] * 9, [0] * 8 + [0.5]) == "differ"
    assert (test.n_decided, whole.n_decided) == (8, 8)


@pytest.mark.parametrize(
    "scores",
    [
        ([0.1, 0.2], [0.3, 0.0]),
        ([0.7, 0.1], [0.8, 0.0]),
        ([1 / 3, 2 / 3], [1.0, 0.0]),
        ([Fraction(1, 7), Fraction(2, 7)], [Fraction(3, 7), 0]),
        ([np.float32(0.1), np.float32(0.2)], [np.float32(0.3), np.float32(0)]),
    ],
    ids=str,
)
def test_groups_of_equal_sums_do_not_differ(scores):
    """0.1 + 0.2 - 0.3 is not 0 in floats."""
    test = SequentialTest(scale=1 / 3)
    test.update(*scores, groups=["a", "a"])
    assert (test.n_differing, test.statistic, test.evidence) == (0, 0.0, 1.0)


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
    test.update(1e308, 0.0)
    test.update(-1e308, 0.0)
    assert not math.isnan(test.evidence)
    assert not math.isnan(test.pvalue)


def test_pickled_it_goes_on():
    test, whole = SequentialTest(scale=2.0), SequentialTest(scale=2.0)
    test.update([1, 1, 0], [0, 1, 0], groups=["a", "b", "a"])
    whole.update([1, 1, 0], [0, 1, 0], groups=["a", "b", "a"])
    test = pickle.loads(pickle.dumps(test))
    test.update(1, 0)
    whole.update(1, 0)
    assert repr(test) == repr(whole)


@one_in(3)
@pytest.mark.parametrize(
    "kind", ["flips", pytest.param("ties", marks=pytest.mark.thorough), "groups", "reals"]
)
def test_size_at_many_looks(kind):
    """Of 400 true null hypotheses, looked at after each of 300 examples."""
    rng = np.random.default_rng(0)
    n_rejected = 0
    for _ in range(400):
        signs = rng.choice([-1, 1], 300)
        sizes = {
            "flips": np.ones(300),
            "ties": rng.random(300) < 0.1,
            "groups": rng.integers(0, 6, 300),
            "reals": rng.lognormal(size=300),
        }[kind]
        test = SequentialTest()
        n_rejected += test.update(signs * sizes, np.zeros(300)) is not None
    assert n_rejected / 400 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)
    assert n_rejected > 0


@pytest.mark.parametrize(
    "arguments",
    [
        ([1, 0], [1]),
        ([1, 0], [0, 0], ["a"]),
        ([1, 0], [0, 0], ["a", None]),
        ([1, 0], [0, 0], ["a", "z"]),
        (1e308, -1e308),
    ],
    ids=str,
)
def test_nothing_of_a_refused_call_is_kept(arguments):
    test = SequentialTest()
    test.update([1], [0], groups=["z"])
    before = repr(test)
    with pytest.raises(InputError):
        test.update(*arguments)
    assert repr(test) == before
    assert test.update([1, 1], [0, 0], groups=["a", "a"]) is None
