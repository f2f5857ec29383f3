"""What a gate says beside its verdict: the loss it could see."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from corpora.pilots import f1_pilot, labels
from oracles import flips as oracle
from pairedperm import (
    compare,
    equivalence_test,
    gate,
    paired_permutation_test,
)
from pairedperm.errors import NoIntervalError
from properties import one_in

normal = NormalDist().inv_cdf
POWER = normal(0.8)
FLIPS = ((2, 8, 40), (6, 3, 40), (0, 3, 60), (5, 5, 60), (1, 1, 9))


@one_in(4)
@pytest.mark.parametrize("flips", FLIPS)
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_the_detectable_loss_of_labels(flips, alpha):
    """As many are gained as were: with that loss the power is enough, and with less it is not."""
    gained, n = flips[0] / flips[2], flips[2]

    def power_of(loss):
        return float(oracle.power(gained, gained + loss, n, alpha)[0])

    found = gate(compare(*labels(*flips)), alpha=alpha).detectable
    if found is None:
        assert power_of(1.0 - 2.0 * gained) < 0.8
    else:
        assert power_of(found) >= 0.8 > power_of(0.96 * found)


def test_few_losses_of_many_examples_are_seen():
    """Of 10,000, three were lost; six are significant, and about eight have the power."""
    assert gate(compare(*labels(0, 3, 10_000))).detectable == pytest.approx(8e-4, rel=0.05)


def test_the_detectable_loss_of_real_scores():
    rng = np.random.default_rng(4)
    one, two = rng.normal(0.0, 1.0, (2, 50)).round(3)
    error = np.std(one - two, ddof=1) / math.sqrt(50)
    for alpha in (0.05, 0.01):
        found = gate(paired_permutation_test(one, two), alpha=alpha)
        assert found.detectable == pytest.approx((normal(1.0 - alpha / 2.0) + POWER) * error)


@pytest.mark.parametrize(
    "result",
    [
        compare([1], [0], [1]),
        compare([1] * 9, [1] * 9, [1] * 9),
        paired_permutation_test([0.5], [0.25]),
        paired_permutation_test([0.5, 0.25], [0.5, 0.25]),
    ],
    ids=["one label", "same labels", "one score", "same scores"],
)
def test_nothing_is_detectable(result):
    found = gate(result)
    assert (found.verdict, found.detectable) == ("pass", None)
    assert gate(result, require="better").verdict == "fail"


def test_groups():
    """They are counted where something is asked for of them."""
    one, two, right = labels(16, 28, 400)
    groups = np.arange(400) // 4  # of four that all say the same
    result = compare(one, two, right, groups=groups)
    assert result.pvalue == compare(*labels(4, 7, 100)).pvalue
    found = gate(result, margin=0.05)
    plain = gate(compare(*labels(4, 7, 100)), margin=0.05)
    assert (found.verdict, plain.verdict) == ("inconclusive", "inconclusive")
    assert (found.fewest_to_pass, plain.fewest_to_pass) == (None, None)
    assert "on 400 examples in 100 groups" in str(found)
    assert gate(result).detectable == pytest.approx(gate(compare(*labels(4, 7, 100))).detectable)


@pytest.mark.parametrize("n", [2, 3, 9])
def test_too_few_real_scores_for_an_interval(n):
    """That nothing is known of the margin is a verdict, and no error."""
    rng = np.random.default_rng(n)
    one, two = rng.random((2, n))
    found = gate(paired_permutation_test(one, two), margin=0.01)
    assert found.equivalence is None
    assert found.margin == 0.01
    assert found.verdict == ("fail" if found.test.pvalue <= 0.05 else "inconclusive")


def test_few_that_all_say_the_same():
    """Without an interval nothing is shown of a margin, whatever p is."""
    scores = np.arange(9) + 0.25, np.zeros(9)
    for columns in (scores, scores[::-1]):
        found = gate(paired_permutation_test(*columns), margin=0.5)
        assert (found.test.pvalue, found.equivalence) == (2**-8, None)
        assert (found.verdict, found.reason) == ("inconclusive", "perhaps beyond the margin")


def test_f1_has_a_bootstrap_interval():
    found = gate(f1_pilot(), margin=0.05)
    assert found.verdict == "pass"
    assert found.equivalence.interval_method == "studentised bootstrap"
    error = found.test.standard_error
    assert found.detectable == pytest.approx((normal(0.975) + POWER) * error)


@pytest.mark.parametrize("alpha", [0.05, 0.01, 2.0**-4, 2.0**-5])
@pytest.mark.parametrize("n", range(2, 9))
def test_a_loss_is_detected_where_p_may_be_so_small(n, alpha):
    """Of n that differ p is at least 2 / 2^n, if the scores are no labels."""
    scores = 0.25 + np.arange(n) ** 2, np.ones(n)
    found = gate(paired_permutation_test(*scores, constant="system"), alpha=alpha)
    assert found.test.n_differing == n
    assert (found.detectable is None) == (2.0 ** (1 - n) > alpha)


def test_ties_are_not_among_those_that_differ():
    ties = np.zeros(20)
    one, two = np.append(np.arange(5) ** 2 + 0.25, ties), np.append(np.ones(5), ties)
    assert gate(paired_permutation_test(one, two)).detectable is None
    assert gate(paired_permutation_test(one, two), alpha=0.07).detectable is not None


def test_levels_at_which_no_interval_was_measured():
    rng = np.random.default_rng(3)
    right, *systems = rng.integers(0, 2, (3, 300))
    result = compare(*systems, right, "f1")
    assert gate(result, margin=0.2, alpha=0.006).equivalence is not None
    found = gate(result, margin=0.2, alpha=0.004)
    assert (found.equivalence, found.verdict) == (None, "inconclusive")
    assert "an alpha of 0.005 or more" in str(found).replace("\n  ", " ")
    with pytest.raises(NoIntervalError, match="was measured up to a level of 99%"):
        equivalence_test(result, margin=0.2, alpha=0.004)


def test_one_example_has_no_interval():
    """Of right and wrong two are enough, and of groups."""
    one, two, right = [1, 1], [0, 0], [1, 1]
    found = gate(compare(one[:1], two[:1], right[:1]), margin=0.1)
    assert "No interval tests the margin here: it takes two examples." in str(found)
    assert gate(compare(one, two, right), margin=0.1).equivalence.interval_method == "exact"
    groups = gate(compare(one, two, right, groups=[1, 1]), margin=0.1)
    assert "No interval tests the margin here: it takes two groups." in str(groups)
    several = gate(compare(one * 2, two * 2, right * 2, groups=[1, 1, 2, 3]), margin=0.1)
    told = " ".join(str(several).split())
    assert "the known range of a score (score_range) and of groups (largest_group)." in told
