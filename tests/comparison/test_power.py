"""Power, numbers of examples and detectable differences: exact, simulated, said and refused."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

from oracles import flips as oracle
from pairedperm import (
    InputError,
    PairedCounts,
    compare,
    examples_needed,
    minimum_detectable_difference,
    paired_bootstrap_test,
    paired_permutation_test,
    power,
    structured_permutation_test,
)

FEW = {"n_simulations": 200, "rng": 0}


def labels(wins, losses, ties):
    """Predictions of two systems, and references."""
    one = [1] * wins + [0] * losses + [1] * ties
    two = [0] * wins + [1] * losses + [1] * ties
    return one, two, [1] * len(one)


PILOT = compare(*labels(20, 8, 72))


def test_a_pilot_is_its_shares():
    for pilot in (
        PILOT,
        compare(*labels(20, 8, 72), test="bootstrap"),
        PairedCounts.from_rows(*labels(20, 8, 72)[:2]),
        paired_permutation_test(*labels(20, 8, 72)[:2]),
        (0.2, 0.08),
        [np.float64(0.2), 0.08],
    ):
        found = power(pilot, 300)
        assert found.power == power((0.2, 0.08), 300).power
        assert found.shares == pytest.approx((0.2, 0.08))
        assert found.difference == pytest.approx(0.12)
        assert (found.method, found.standard_error, found.seed) == ("exact", None, None)
    assert power(PILOT, 12).power == pytest.approx(float(oracle.power(0.2, 0.08, 12, 0.05)[0]))


def test_units_of_scores():
    """Two points each, of half of the examples: recall counts those of its label only."""
    found = power(paired_permutation_test([2, 0, 2, 0], [0, 0, 0, 2]), 50)
    assert (found.shares, found.difference) == ((0.5, 0.25), 0.5)
    recall = compare([1, 1, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0], "recall", pos_label=1)
    found = power(recall, 50)
    assert found.difference == pytest.approx(recall.statistic)
    assert found.shares == (0.25, 0.0)


def test_the_worse_system_first():
    found, mirrored = power((0.1, 0.2), 100), power((0.2, 0.1), 100)
    assert found.power == mirrored.power
    assert found.wrong_sign == mirrored.wrong_sign
    assert found.difference == -mirrored.difference
    assert examples_needed((0.1, 0.2)).n_examples == examples_needed((0.2, 0.1)).n_examples


def test_ends_of_the_interval():
    found = examples_needed(PILOT)
    low, high, _ = PILOT.confidence_interval()
    assert found.pilot_interval == (low, high)
    near, far = found.n_at_ends
    assert far < found.n_examples < near
    turned = examples_needed(compare(*(labels(20, 8, 72)[k] for k in (1, 0, 2))))
    assert turned.n_at_ends == found.n_at_ends
    unclear = examples_needed(compare(*labels(20, 14, 72)))
    assert unclear.pilot_interval[0] < 0.0
    assert unclear.n_at_ends[0] is None
    assert unclear.n_at_ends[1] < unclear.n_examples


def test_one_sided_pilots_and_bootstraps_have_an_interval_too():
    one_sided = compare(*labels(20, 8, 72), alternative="greater")
    boot = paired_bootstrap_test(*labels(20, 8, 72)[:2])
    for pilot in (one_sided, boot):
        assert examples_needed(pilot).n_at_ends == examples_needed(PILOT).n_at_ends


def test_more_than_a_million():
    found = examples_needed((0.5, 0.499))
    assert (found.n_examples, found.power, found.wrong_sign) == (None, None, None)
    assert "needs more than 1,000,000 examples" in found.summary()
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["n_examples"] is None


def test_none_is_detectable():
    found = minimum_detectable_difference((0.05, 0.05), 30)
    assert found.difference is None
    assert found.power == power((0.1, 0.0), 30).power < 0.8
    assert "finds no difference with a power of 80" in found.summary()


def test_detectable():
    found = minimum_detectable_difference(PILOT, 400, power=0.9)
    assert found.power == pytest.approx(0.9, abs=1e-9)
    assert sum(found.shares) == pytest.approx(0.28)
    assert found.difference == pytest.approx(found.shares[0] - found.shares[1])


def real_pilot():
    rng = np.random.default_rng(0)
    return paired_permutation_test(rng.normal(0.5, 1, 60).round(2), rng.normal(0, 1, 60).round(2))


def f1_pilot(groups=None):
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 2, 120)
    one, two = (np.where(rng.random(120) < x, gold, 1 - gold) for x in (0.9, 0.75))
    return compare(one, two, gold, "f1", pos_label=1, groups=groups)


@pytest.mark.parametrize(
    "pilot",
    [
        real_pilot,
        f1_pilot,
        lambda: f1_pilot(np.arange(120) // 4),
        lambda: compare(*labels(20, 8, 72), groups=np.arange(100) // 7),
        lambda: paired_permutation_test(
            [[2, 3], [1, 3], [3, 3], [1, 1], [0, 2], [3, 3]] * 5,
            [[1, 3], [1, 4], [2, 3], [1, 2], [2, 2], [2, 2]] * 5,
            score=lambda sums: sums[..., 0] / sums[..., 1],
        ),
    ],
    ids=["scores", "f1", "f1 of groups", "accuracy of groups", "function"],
)
def test_simulated(pilot):
    pilot = pilot()
    found = power(pilot, 30, **FEW)
    assert (found.method, found.n_simulations, found.seed) == ("simulation", 200, 0)
    assert found.in_groups == (pilot.n_groups is not None)
    assert found.n_pilot == (pilot.n_groups or pilot.n)
    assert found.difference == pytest.approx(pilot.statistic)
    assert found.shares is None
    assert found == power(pilot, 30, **FEW)
    assert found.standard_error == pytest.approx(math.sqrt(found.power * (1 - found.power) / 200))
    assert power(pilot, 10, **FEW).power < found.power
    assert power(pilot, 30, alpha=0.001, **FEW).power < found.power


@pytest.mark.parametrize(
    "n", [pytest.param(200, marks=pytest.mark.thorough), 40], ids="{} simulations".format
)
def test_needed_by_simulation(n):
    few = {"n_simulations": n, "rng": 0}
    found = examples_needed(real_pilot(), **few)
    assert found.power >= 0.8
    assert power(real_pilot(), found.n_examples, **few).power == found.power
    assert power(real_pilot(), found.n_examples // 2, **few).power < 0.75
    near, far = found.n_at_ends
    assert far < found.n_examples < near


@pytest.mark.thorough
def test_detectable_by_simulation():
    pilot = real_pilot()
    found = minimum_detectable_difference(pilot, 60, **FEW)
    assert found.power == pytest.approx(0.8, abs=0.05)
    more = minimum_detectable_difference(pilot, 240, **FEW)
    assert more.difference == pytest.approx(found.difference / 2, rel=0.15)
    assert minimum_detectable_difference(pilot, 4, **FEW).difference is None


def test_groups_of_one_are_examples():
    pilot = compare(*labels(20, 8, 72), groups=[f"id {k}" for k in range(100)])
    assert power(pilot, 300).power == power(PILOT, 300).power


TEST = "exact two-sided paired-permutation test at α = 0.05"
SUPPOSED = (
    "Supposed: system 1 scores higher on 6% of all examples and system 2 on 3%, a difference of "
    "3.00 percentage points. Of the significant results under 0.01% name the wrong system. If "
)
SUMMARIES = {
    "power": (
        power((0.06, 0.03), 1000),
        f"With 1,000 examples an {TEST} has a power of 87.3%. {SUPPOSED}90 of 1,000 examples "
        "differ, as is expected, p cannot be below 1.62e-27.",
    ),
    "examples needed": (
        examples_needed((0.06, 0.03)),
        f"For a power of 80% an {TEST} needs 830 examples; its power is 80.0% then. "
        f"{SUPPOSED}75 of 830 examples differ, as is expected, p cannot be below 5.29e-23.",
    ),
    "detectable": (
        minimum_detectable_difference((0.03, 0.06), 1000),
        f"With 1,000 examples an {TEST} finds a difference of 2.73 percentage points with a "
        "power of 80%. Supposed: 9% of all examples differ, 5.86% for one system and 3.14% "
        "for the other. Of the significant results under 0.01% name the wrong system. If 90 "
        "of 1,000 examples differ, as is expected, p cannot be below 1.62e-27.",
    ),
    "hardly any power": (
        power((0.01, 0.0), 20),
        f"With 20 examples an {TEST} has a power of under 0.01%. Supposed: system 1 scores "
        "higher on 1% of all examples and system 2 on 0%, a difference of 1.00 percentage "
        "points. Of the significant results 0% name the wrong system. If 0 of 20 examples "
        "differ, as is expected, p cannot be below 1.",
    ),
    "a pilot": (
        examples_needed(PILOT),
        f"For a power of 80% an {TEST} needs 161 examples; its power is 80.2% then. Supposed: "
        "as in the pilot (n = 100) system 1 scores higher on 20% of all examples and system 2 "
        "on 8%, a difference of 12.00 percentage points. At the ends of the pilot's 95% "
        "interval, 1.72 to 22.45 percentage points, it takes 7,404 and 54 examples. Of the "
        "significant results under 0.01% name the wrong system. If 45 of 161 examples differ, "
        "as is expected, p cannot be below 5.68e-14.",
    ),
    "an unclear pilot": (
        examples_needed(compare(*labels(4, 1, 10))),
        f"For a power of 80% an {TEST} needs 69 examples; its power is 80.3% then. Supposed: "
        "as in the pilot (n = 15) system 1 scores higher on 26.7% of all examples and system "
        "2 on 6.67%, a difference of 20.00 percentage points. The pilot's 95% interval, "
        "-11.06 to 48.01 percentage points, holds 0: no number is sure to be enough. At its "
        "other end it takes 17 examples. Of the significant results under 0.01% name the "
        "wrong system. If 23 of 69 examples differ, as is expected, p cannot be below "
        "2.38e-7.",
    ),
    "groups": (
        power(compare(*labels(20, 8, 72), groups=np.arange(100) // 7), 30, **FEW),
        "With 30 groups a two-sided paired-permutation test at α = 0.05 has a power of 16.5%. "
        "Supposed: as in the pilot (n = 15) 26.7% of all groups differ, a difference of 12.00 "
        "percentage points. No significant result of 33 names the wrong system. If 8 of 30 "
        "groups differ, as is expected, p cannot be below 0.00781. Simulated 200 times, with "
        "a standard error of 2.62% (seed 0).",
    ),
    "detectable by simulation": (
        minimum_detectable_difference(real_pilot(), 60, n_simulations=50, rng=0),
        "With 60 examples a two-sided paired-permutation test at α = 0.05 finds a difference "
        "of 0.52 with a power of 80%. Supposed: as in the pilot (n = 60) 100% of all examples "
        "differ, and each speaks for the better system with the same probability. No "
        "significant result of 40 names the wrong system. If 60 of 60 examples differ, as is "
        "expected, p cannot be below 1.73e-18. Simulated 50 times, with a standard error of "
        "5.66% (seed 0).",
    ),
    "no system is worse": (
        power((0.1, 0.1), 1),
        f"With 1 example an {TEST} has a power of 0%. Supposed: system 1 scores higher on 10% "
        "of all examples and system 2 on 10%, a difference of 0.00 percentage points. If 0 of "
        "1 example differ, as is expected, p cannot be below 1.",
    ),
    "all are wins": (
        examples_needed(PairedCounts([1], [0], [20])),
        f"For a power of 80% an {TEST} needs 6 examples; its power is 100% then. Supposed: as "
        "in the pilot (n = 20) system 1 scores higher on 100% of all examples and system 2 on "
        "0%, a difference of 1.00. At the ends of the pilot's 95% interval, 0.68 to 1.00, it "
        "takes 17 and 6 examples. Of the significant results 0% name the wrong system. If 6 "
        "of 6 examples differ, as is expected, p cannot be below 0.0312.",
    ),
    "a tiny difference": (
        examples_needed(PairedCounts([1, 0, 1], [0, 1, 1], [50_000, 49_000, 10**8])),
        f"For a power of 80% an {TEST} needs more than 1,000,000 examples. Supposed: as in the "
        "pilot (n = 100,099,000) system 1 scores higher on 0.05% of all examples and system 2 "
        "on 0.049%, a difference of 0.0000100. At that end of the pilot's 95% interval, "
        "0.000004 to 0.000016, which is nearer to 0, it takes more than 1,000,000 examples.",
    ),
    "always significant": (
        power(f1_pilot(), 2_000, n_simulations=20, rng=0),
        "With 2,000 examples a two-sided paired-permutation test at α = 0.05 has a power of "
        "100%. Supposed: as in the pilot (n = 120) 30% of all examples differ, a difference "
        "of 15.53 percentage points. No significant result of 20 names the wrong system. If "
        "600 of 2,000 examples differ, as is expected, p cannot be below 4.82e-181. Simulated "
        "20 times, each time with the same outcome (seed 0).",
    ),
}


@pytest.mark.parametrize(("found", "text"), SUMMARIES.values(), ids=SUMMARIES)
def test_summaries(found, text):
    assert found.summary() == text
    assert max(map(len, str(found).splitlines())) <= 80
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


def test_an_infinite_end_is_none():
    found = replace(examples_needed(PILOT), pilot_interval=(-math.inf, 0.3), n_at_ends=(None, 9))
    assert found.to_dict()["pilot_interval"] == [None, 0.3]
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()
    assert "nan" not in found.summary()


ANY = ((0.1, 0.05), 100)


@pytest.mark.parametrize(
    ("pilot", "message"),
    [
        ((0.6, 0.5), "`pilot` must be two shares from 0 that are 1 in all at most"),
        ((-0.1, 0.5), "`pilot` must be two shares from 0"),
        ((math.nan, 0.5), "`pilot` must be two shares from 0"),
        ((0.0, 0.0), "`pilot` has no difference: both of its shares are 0"),
        ((0.1,), "`pilot` must be a result of `compare`"),
        (0.1, "`pilot` must be a result of `compare`"),
        ("ab", "`pilot` must be a result of `compare`"),
        (([1, 0], [0, 0]), "`pilot` must be a result of `compare`"),
        ((True, 0.1), "`pilot` must be a result of `compare`"),
        (compare([1, 1], [1, 1], [1, 0]), "on all of its 2 examples both systems score the same"),
        (compare([1], [0], [1]), "`pilot` has one of the examples only"),
        (compare([1, 1], [0, 1], [1, 1], groups=[3, 3]), "`pilot` has one of the groups only"),
        (PairedCounts([[1, 2]], [[2, 2]], [3]), "`pilot` must count one number per example"),
        (
            structured_permutation_test([1, 2], [2, 1], lambda sums: sums),
            "`pilot` must be a comparison of scores",
        ),
    ],
    ids=lambda x: "" if isinstance(x, str) else type(x).__name__,
)
def test_refused_pilots(pilot, message):
    with pytest.raises(InputError, match=re.escape(message)):
        power(pilot, 100)
    with pytest.raises(InputError, match=re.escape(message)):
        examples_needed(pilot)


def test_no_direction():
    with pytest.raises(InputError, match="as many examples speak for either system"):
        examples_needed((0.1, 0.1))
    assert power((0.1, 0.1), 100).wrong_sign is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: power((0.1, 0.05), 0), "`n_examples` must be a positive integer"),
        (lambda: power((0.1, 0.05), 1.5), "`n_examples` must be a positive integer"),
        (lambda: power((0.1, 0.05), 10**10), "`n_examples` must be at most 100,000,000 here"),
        (lambda: power(f1_pilot(), 10**6 + 1), "`n_examples` must be at most 1,000,000 here"),
        (lambda: power(*ANY, n_simulations=2**70), "`n_simulations` must be at most 1,000,000"),
        (lambda: power(*ANY, alpha=0), "`alpha` must be between 0 and 1"),
        (lambda: power(*ANY, alpha=1), "`alpha` must be between 0 and 1"),
        (lambda: power(*ANY, n_simulations=0), "`n_simulations` must be a positive integer"),
        (lambda: power(*ANY, rng="a"), "`rng` must be a seed"),
        (lambda: examples_needed((0.1, 0.05), 0.05), "`power` must be above `alpha`, 0.05, and"),
        (lambda: examples_needed((0.1, 0.05), 1), "`power` must be above `alpha`, 0.05, and"),
        (lambda: examples_needed((0.1, 0.05), math.nan), "`power` must be above `alpha`"),
        (lambda: minimum_detectable_difference(*ANY, power="0.8"), "`power` must be above"),
    ],
)
def test_refused_numbers(call, message):
    with pytest.raises(InputError, match=re.escape(message)):
        call()


def test_a_score_without_derivatives():
    pilot = paired_permutation_test(
        [[1, 2], [1, 3], [2, 2]] * 3,
        [[1, 2], [0, 3], [1, 1]] * 3,
        score=lambda sums: np.floor(sums[..., 0] / 4.0 + 0.3),
    )
    assert power(pilot, 20, **FEW).method == "simulation"
    with pytest.raises(InputError, match="Use `power`, for some numbers of examples"):
        examples_needed(pilot, **FEW)


def test_more_than_a_million_by_simulation():
    score = np.linspace(-10.0, 10.0, 100)
    pilot = paired_permutation_test(score + 0.001, np.zeros(100))
    found = examples_needed(pilot, n_simulations=20, rng=0)
    assert (found.n_examples, found.standard_error, found.method) == (None, None, "simulation")
    assert found.summary().startswith("For a power of 80% a two-sided paired-permutation test at")


def test_searches_of_very_many_take_the_normal_approximation():
    """Of 20,000 examples it is within the error of the simulation that then says the power."""
    pilot = real_pilot()
    few = {"n_simulations": 50, "rng": 0}
    found = minimum_detectable_difference(pilot, 20_000, **few)
    assert found.power == pytest.approx(0.8, abs=0.17)
    assert found.summary().endswith("(seed 0). Found by the normal approximation.")
    again = minimum_detectable_difference(pilot, 5_000, **few)
    assert again.difference == pytest.approx(2.0 * found.difference, rel=0.1)


def test_levels_below_a_thousandth():
    """Sampled p of 999 swaps were never below it."""
    pilot = f1_pilot()
    exact = power(pilot, 100, alpha=5e-4, **FEW)
    sampled = power(pilot, 3_000, alpha=5e-4, n_simulations=20, rng=0)
    assert 0.0 < exact.power < 1.0 == sampled.power
    with pytest.raises(InputError, match="`alpha` must be at least 2e-05 where p is sampled"):
        power(pilot, 3_000, alpha=1e-6, **FEW)


def test_ends_of_a_correlation():
    """Where all examples are of one kind it is 0: not so far off an end is looked for."""
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 2, 60)
    one, two = (np.where(rng.random(60) < x, gold, 1 - gold) for x in (0.95, 0.7))
    pilot = compare(one, two, gold, "matthews_correlation")
    near, far = examples_needed(pilot, n_simulations=20, rng=0).n_at_ends
    assert 0 < far < near < 10_000
