"""What a gate says beside its verdict: the loss it could see, and how many more examples decide."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from corpora.pilots import f1_pilot, labels, real_pilot
from oracles import flips as oracle
from oracles.paired_trinomial import masses
from pairedperm import (
    compare,
    equivalence_test,
    examples_needed,
    gate,
    paired_permutation_test,
)
from pairedperm.comparison.gate import more_needed
from pairedperm.errors import NoIntervalError
from pairedperm.population.paired_shares import exact_interval
from properties import one_in

normal = NormalDist().inv_cdf
POWER = normal(0.8)
FLIPS = ((2, 8, 40), (6, 3, 40), (0, 3, 60), (5, 5, 60), (1, 1, 9))
OPEN = ((40, 45, 1000, 0.015), (2, 8, 100, 0.03), (5, 2, 20, 0.02))


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
    assert (found.verdict, found.detectable, found.n_more) == ("pass", None, None)
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
    assert found.n_more == plain.n_more
    assert "more groups the verdict would be pass or fail" in str(found)
    assert "on 400 examples in 100 groups" in str(found)
    assert gate(result).detectable == pytest.approx(gate(compare(*labels(4, 7, 100))).detectable)


def error_of(wins, losses, n):
    """The standard error of the difference of two accuracies."""
    return math.sqrt(((wins + losses) / n - ((wins - losses) / n) ** 2) / (n - 1))


@one_in(5)
@pytest.mark.parametrize("case", OPEN)
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_how_many_more_decide_of_a_margin(case, alpha):
    """They show that the loss is within it, or that there is one."""
    wins, losses, n, margin = case
    lead, error = (wins - losses) / n, error_of(wins, losses, n)
    fewest = math.floor(math.log(alpha) / math.log1p(-margin)) + 1  # even without a loss
    needed = []
    if lead > -margin:  # lead + margin - 1 / x is so many errors of x examples
        way = (normal(1.0 - alpha) + POWER) * error * math.sqrt(n)
        roots = np.roots([lead + margin, -way, -1.0]).max()  # of √x
        needed = [max(math.ceil(roots**2), fewest)]
    result = compare(*labels(*case[:3]))
    needed += [examples_needed(result, alpha=alpha).n_examples] if lead else []
    found = gate(result, margin=margin, alpha=alpha).n_more
    assert found == min(x for x in needed if x is not None) - n > 0


@one_in(3)
@pytest.mark.parametrize("case", [(2, 8, 100, 0.03), (5, 2, 20, 0.02), (8, 6, 60, 0.05)], ids=str)
def test_so_many_decide(case):
    """Of all outcomes of so many examples with these shares: about 80 %, by either way.

    It is more where so many are needed even without a loss.
    """
    wins, losses, n, margin = case
    total = n + gate(compare(*labels(wins, losses, n)), margin=margin).n_more
    decided = 0.0
    w, k = (x.ravel() for x in np.meshgrid(*[np.arange(total + 1)] * 2, indexing="ij"))
    w, k = w[w + k <= total], k[w + k <= total]
    mass = masses(w, k, total, wins / n, losses / n)
    for mine, other, m in zip(*(x[mass > 1e-4].tolist() for x in (w, k, mass)), strict=True):
        is_within = exact_interval(mine, other, total, 0.9)[0] > -margin
        if is_within or (other > mine and oracle.pvalue(mine, other) <= 0.05):
            decided += m
    assert 0.7 <= decided <= (0.95 if margin == 0.02 else 0.92)


def test_how_many_more_show_that_it_is_better():
    result = compare(*labels(8, 2, 100))
    found = gate(result, require="better")
    assert found.n_more == examples_needed(result).n_examples - 100
    wins, losses = oracle.power(8 / 100, 2 / 100, 40, 0.05)
    assert float(wins) < 0.8  # 40 are not enough
    assert float(losses) < 1e-3
    pilot = real_pilot()
    short = paired_permutation_test(*pilot_rows(12))
    found = gate(short, require="better")
    one, two = pilot_rows(12)
    lead, error = np.mean(one - two), np.std(one - two, ddof=1) / math.sqrt(12)
    expected = math.ceil(12 * (error * (normal(0.975) + POWER) / lead) ** 2) - 12
    assert pilot.pvalue < short.pvalue
    assert found.n_more == expected > 0


def pilot_rows(n):
    rng = np.random.default_rng(0)
    return rng.normal(0.5, 1, 60).round(2)[:n], rng.normal(0, 1, 60).round(2)[:n]


@pytest.mark.parametrize(
    ("flips", "options"),
    [
        ((5, 5, 100), {}),
        ((10, 1, 100), {}),
        ((1, 10, 100), {}),
        ((2, 8, 100), {"require": "better"}),
        ((5, 5, 100), {"require": "better"}),
        ((10, 1, 100), {"require": "better"}),
        ((45, 40, 1000), {"margin": 0.015}),
        ((10, 40, 1000), {"margin": 0.01}),
        ((500, 499, 1000), {"require": "better"}),
        ((4990, 4998, 10_000), {"margin": 0.001}),
    ],
    ids=str,
)
def test_no_number_is_said(flips, options):
    """None is asked for, none would decide, or it is more than a million."""
    assert gate(compare(*labels(*flips)), **options).n_more is None


def test_how_many_more_show_which_is_better():
    """Of a pass, whichever system leads."""
    for flips in ((2, 8, 100), (8, 2, 100)):
        result = compare(*labels(*flips))
        assert gate(result).n_more == examples_needed(result).n_examples - 100


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
    """Worse ones fail; better ones pass whatever the margin is, and without an interval."""
    scores = np.arange(9) + 0.25, np.zeros(9)
    found = gate(paired_permutation_test(*scores[::-1]), margin=0.5)
    assert found.reason == "worse, perhaps beyond the margin"
    assert (found.verdict, found.n_more) == ("fail", None)
    found = gate(paired_permutation_test(*scores), margin=0.5)
    assert (found.test.pvalue, found.equivalence) == (2**-8, None)
    assert (found.verdict, found.reason, found.n_more) == ("pass", "better", None)


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
    found = gate(paired_permutation_test(0.25 + np.arange(n) ** 2, np.ones(n)), alpha=alpha)
    assert found.test.n_differing == n
    assert (found.detectable is None) == (2.0 ** (1 - n) > alpha)


def test_ties_are_not_among_those_that_differ():
    ties = np.zeros(20)
    one, two = np.append(np.arange(5) ** 2 + 0.25, ties), np.append(np.ones(5), ties)
    assert gate(paired_permutation_test(one, two)).detectable is None
    assert gate(paired_permutation_test(one, two), alpha=0.07).detectable is not None


@pytest.mark.parametrize("n_ties", [0, 6])
def test_without_an_interval_thirty_must_differ(n_ties):
    """Of three that differ of three, thirty; of three of nine, ninety; unless fewer show a loss."""
    ties = np.zeros(n_ties)
    one, two = np.append([0.1, 0.5, 0.7], ties), np.append([0.2, 0.6, 0.5], ties)
    result = paired_permutation_test(one, two)
    assert result.statistic == 0.0
    found = gate(result, margin=0.5)
    assert (found.verdict, found.equivalence) == ("inconclusive", None)
    assert found.n_more == (27 if n_ties == 0 else 81)
    worse = paired_permutation_test(one, np.append([0.2, 0.9, 0.8], ties))
    found = gate(worse, margin=0.5)
    assert (found.reason, found.n_more) == ("perhaps beyond the margin", gate(worse).n_more)


def test_without_an_interval_the_margin_may_need_more_than_thirty():
    one, two = np.array([0.1, 0.5, 0.7]), np.array([0.2, 0.9, 0.3])
    found = gate(paired_permutation_test(one, two), margin=0.12)
    lead, error = np.mean(one - two), np.std(one - two, ddof=1) / math.sqrt(3)
    ways = (normal(0.95) + POWER) / (lead + 0.12), (normal(0.975) + POWER) / -lead
    expected = [math.ceil(3 * (error * x) ** 2) for x in ways]
    assert min(expected) > 30
    assert found.n_more == min(expected) - 3


@pytest.mark.parametrize(
    ("result", "options"),
    [
        (compare(*labels(0, 5, 5)), {"margin": 0.5}),
        (paired_permutation_test([0.25] * 5, [0.5] * 5), {"margin": 0.1}),
        (paired_permutation_test([0.3, 0.9, 0.8], [0.1, 0.5, 0.7]), {"require": "better"}),
        (compare(*labels(0, 3, 4)), {"margin": 0.01}),
    ],
    ids=["5 losses", "5 scores", "3 scores", "3 losses and a tie"],
)
def test_more_that_differ_alike_decide(result, options):
    """Six have a p of 2^-5."""
    found = gate(result, **options)
    assert not found.passed
    assert found.n_more == 6 - result.n if result.n == 5 else found.n_more >= 6 - result.n


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


@pytest.mark.thorough
@pytest.mark.parametrize(("wins", "losses", "n"), [(60, 50, 2000), (300, 280, 4000), (30, 25, 300)])
def test_more_needed_without_sums(wins, losses, n, monkeypatch):
    """Beyond 10,000 the normal approximation, within 3 % of what the sums say."""
    rest = [1] * (n - wins - losses)
    one, two = [1] * wins + [0] * losses + rest, [0] * wins + [1] * losses + rest
    result = compare(one, two, [1] * n)
    found = more_needed(result)
    assert found == gate(result).n_more
    monkeypatch.setattr("pairedperm.comparison.gate._MANY", math.inf)
    exact = more_needed(result)
    assert found == exact or (exact > 9_000 and abs(found / exact - 1.0) < 0.03)
