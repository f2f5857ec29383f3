"""One system beside a number: the gate's verdicts, and plans, by binomials in integers."""

import math
from fractions import Fraction

import pytest
from hypothesis import given

from pairedperm import (
    InputError,
    examples_needed,
    gate,
    minimum_detectable_difference,
    power,
    score_interval,
)
from properties import cases, generators

T = Fraction(86, 100)


def tail(n, k, share):
    """P(Bin(n, share) ≤ k)."""
    ways = (math.comb(n, j) * share**j * (1 - share) ** (n - j) for j in range(k + 1))
    return sum(ways, Fraction(0))


def right(k, n):
    return score_interval([1] * k + [0] * (n - k), [1] * n)


def test_fifty_questions_against_a_number():
    """Of 50, at most 38 fail against 0.86; the p is that of the binomial."""
    verdicts = {k: gate(right(k, 50), threshold=0.86) for k in range(51)}
    assert max(k for k, x in verdicts.items() if x.verdict == "fail") == 38
    for k, found in verdicts.items():
        assert found.pvalue == pytest.approx(float(tail(50, k, T)), rel=1e-11)
        assert (found.verdict == "fail") == (tail(50, k, T) <= Fraction(5, 100))
        high = found.score.interval.high
        assert (high < 0.86) == (found.verdict == "fail")  # the printed interval agrees


def test_above_and_a_margin():
    n = 100
    for k in range(n + 1):
        is_above = tail(n, n - k, 1 - T) <= Fraction(5, 100)
        is_shown = tail(n, n - k, 1 - T + Fraction(3, 100)) <= Fraction(5, 100)
        is_below = tail(n, k, T) <= Fraction(5, 100)
        found = gate(right(k, n), threshold=0.86, require="above")
        assert found.verdict == ("pass" if is_above else "fail")
        found = gate(right(k, n), threshold=0.86, margin=0.03)
        expected = "pass" if is_shown else "fail" if is_below else "inconclusive"
        assert found.verdict == expected


@pytest.mark.parametrize(("threshold", "fewest"), [(0.85, 19), (0.86, 20), (0.95, 59), (0.99, 299)])
def test_too_few_to_pass(threshold, fewest):
    few = gate(right(fewest - 1, fewest - 1), threshold=threshold, require="above")
    assert (few.verdict, few.fewest_to_pass) == ("fail", fewest)
    assert gate(right(fewest, fewest), threshold=threshold, require="above").passed


def test_too_few_to_fail():
    assert gate(right(2, 2), threshold=1.0).reason == "not shown below"
    assert gate(right(2, 2), threshold=1e-20).fewest_to_fail > 10**20
    few = gate(right(0, 2), threshold=0.5)
    assert (few.verdict, few.fewest_to_fail) == ("pass", 5)
    assert "cannot fail" in str(few)
    assert gate(right(0, 5), threshold=0.5).verdict == "fail"


def test_where_lower_is_better():
    """A word error rate above the number fails."""
    lines = ["a b c d e f g h i j"] * 80
    wrong = ["a b c d e f g h i X"] * 39 + ["a b c d X f X h X X"] * 41
    score = score_interval(wrong, lines, "word_error_rate")
    assert gate(score, threshold=0.1).verdict == "fail"
    assert gate(score, threshold=0.5, require="above").passed
    assert "above 10%" in str(gate(score, threshold=0.1))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "`threshold` is missing"),
        ({"threshold": 1.0, "require": "above"}, "`threshold` is the best score"),
        ({"threshold": 0.0}, "`threshold` is the worst score"),
        ({"threshold": 86}, "`threshold` must lie between 0 and 1, as the score does, got 86.0"),
        ({"threshold": 0.5, "margin": 0.5}, "`margin` must be below 0.5"),
        ({"threshold": 0.5, "require": "better"}, "`require` must be"),
        ({"threshold": 0.5, "margin": 0.1, "require": "above"}, "`margin` says"),
        ({"threshold": 0.5, "margin": "2%"}, "`margin` is a share of a baseline"),
        ({"threshold": 0.5, "alpha": 0.5}, "`alpha` must be"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(InputError, match=message):
        gate(right(8, 10), **options)


def shown(n, score, number, side, alpha):
    """How often n examples show a score on one side of a number."""
    score, number = (score, number) if side == "less" else (1 - score, 1 - number)
    most = -1
    while most < n and tail(n, most + 1, number) <= alpha:
        most += 1
    return tail(n, most, score)


@given(generators)
@cases(0.5)
def test_plans(rng):
    score, number = (Fraction(int(x), 100) for x in rng.choice(99, 2, replace=False) + 1)
    side, alpha = "less" if score < number else "greater", Fraction(1, 20)
    n = int(rng.integers(1, 60))
    found = power(float(score), n, threshold=float(number))
    assert (found.method, found.alternative) == ("exact", side)
    assert found.power == pytest.approx(float(shown(n, score, number, side, alpha)), abs=1e-12)
    least = minimum_detectable_difference(float(score), n, 0.8, threshold=float(number))
    if least.score is None:
        assert shown(n, Fraction(side == "greater"), number, side, alpha) < 0.8
    else:
        near = Fraction(least.score)
        assert float(shown(n, near, number, side, alpha)) == pytest.approx(0.8, abs=1e-9)


@pytest.mark.parametrize(("score", "number"), [(0.5, 0.8), (0.9, 0.6), (0.2, 0.55)])
def test_examples_needed(score, number):
    """The least n from which on up to 1.1 n all show it."""
    side, exact = (
        "less" if score < number else "greater",
        (Fraction(str(x)) for x in (score, number)),
    )
    score_, number_ = exact
    n = examples_needed(score, threshold=number).n
    alpha, wanted = Fraction(1, 20), Fraction(4, 5)
    assert all(shown(k, score_, number_, side, alpha) >= wanted for k in range(n, 11 * n // 10 + 1))
    assert shown(n - 1, score_, number_, side, alpha) < wanted


def test_plans_of_other_scores():
    pilot = score_interval([1, 2, 3, 4, 5, 2, 3, 4] * 20)
    assert power(pilot, 200, threshold=3.2).power == pytest.approx(0.745, abs=0.001)
    assert examples_needed(pilot, threshold=3.2).n == 234
    found = minimum_detectable_difference(pilot, 234, threshold=3.2)
    assert found.score == pytest.approx(3.0, abs=0.001)
    assert examples_needed(0.8599, threshold=0.86).n is None


def test_a_share_on_the_other_side():
    with pytest.raises(InputError, match="no number of examples"):
        examples_needed(0.9, threshold=0.86, alternative="less")


def test_one_side():
    """It finds as much as a two-sided test of 2 α on that side."""
    for share in ((0.06, 0.03), (0.03, 0.06)):
        one = {x: power(share, 300, alternative=x).power for x in ("greater", "less")}
        both = power(share, 300, 0.1)
        wrong = both.power * both.wrong_sign
        assert one["greater" if share[0] > 0.05 else "less"] == pytest.approx(both.power - wrong)
        assert one["less" if share[0] > 0.05 else "greater"] == pytest.approx(wrong)
    n = examples_needed((0.06, 0.03), alternative="greater").n
    assert n == 664
    assert power((0.06, 0.03), n - 1, alternative="greater").power < 0.8
    least = minimum_detectable_difference((0.06, 0.03), 664, alternative="less").difference
    assert least == pytest.approx(-0.03, abs=2e-5)
    with pytest.raises(InputError, match="other side"):
        examples_needed((0.06, 0.03), alternative="less")
    with pytest.raises(InputError, match="`alternative`"):
        power((0.06, 0.03), 100, margin=0.02, alternative="less")
