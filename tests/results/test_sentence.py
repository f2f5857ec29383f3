"""What people read: never a finding that p does not bear, and numbers that agree as printed.

The words are stored (`words.txt`); these are what they promise.
"""

import math
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.results import FEW, RANGE, WINS, result
from pairedperm import compare, compare_many, gate
from pairedperm.model_card import read_result, significance_section
from pairedperm.plots import plot_null_distribution
from pairedperm.population.intervals import ConfidenceInterval
from pairedperm.results.words import ends_in_words, figures_of, format_pvalue, p_beside

VALUES = st.sampled_from([-1.0, -1e-200, 0.0, 1e-200, 1.0])
LEVELS = st.sampled_from([0.0, 0.01, 0.05, 0.06, 1.0])
SIDES = st.sampled_from(["two-sided", "greater", "less"])


@given(VALUES, LEVELS, SIDES, LEVELS.filter(lambda x: 0.0 < x < 1.0))
def test_findings_are_borne_by_p(stat, p, side, alpha):
    found = replace(
        result("no resample is so extreme"),
        statistic=stat,
        pvalue=p,
        log_pvalue=math.log(p) if p else -math.inf,
        alternative=side,
    )
    text = found.summary("a", "b", alpha=alpha)
    is_higher = p <= alpha and stat > 0.0 and side != "less"
    is_lower = p <= alpha and stat < 0.0 and side != "greater"
    assert ("is significantly higher than" in text) is is_higher
    assert ("is significantly lower than" in text) is is_lower
    assert ("is the same as" in text) is (stat == 0.0)
    assert "is higher" not in text
    assert "is lower" not in text


def test_an_unknown_metric_is_no_share():
    """It may be in percent, as BLEU is, or a loss."""
    found = result("exact").to_dict() | {"test": "permutation", "metric": "bleu_of_tomorrow"}
    found |= {"score1": 35.25, "score2": 30.0, "stat": 5.25}
    text = read_result(found).summary("a", "b")
    assert "35.2 against 30.0. The difference is 5.2. The" in text


def test_a_tiny_p_that_is_rounded_up():
    assert format_pvalue(math.log(9.9999) - 1000 * math.log(10.0)) == "1e-999"


@pytest.mark.parametrize(
    ("pvalue", "alpha", "text"),
    [
        (0.0499999, 0.05, "0.05"),
        (0.05 * (1 + 1e-15), 0.05, "0.0500000000000001"),
        (0.0125049, 0.0125, "0.012505"),
    ],
)
def test_p_shows_its_side_of_the_level(pvalue, alpha, text):
    """In each place that tells p."""
    assert p_beside(alpha, pvalue, math.log(pvalue)) == text
    found = replace(result("exact"), pvalue=pvalue, log_pvalue=math.log(pvalue))
    said = found.summary("a", "b", alpha=alpha)
    assert f" gives p = {text} (" in said
    assert ("is significantly higher" in said) is (float(text) <= alpha)
    if alpha == 0.05:
        _, drawn = plot_null_distribution(found).axes[0].get_legend().get_texts()
        tails = drawn.get_text(), significance_section(found), found.to_markdown()
        for told in (str(found), found.summary(), str(gate(found, margin=0.1)), *tails):
            assert text in told
        board = compare_many({"a": WINS[0], "b": WINS[1]}, WINS[2], baseline="b")
        pairs = tuple(replace(pair, p_adjusted=pvalue) for pair in board._tests)
        assert str(replace(board, _tests=pairs)).count(f" {text}\n") == 1


def figures(score1, score2, low=None, high=None, unit="number"):
    interval = None if low is None else ConfidenceInterval(low, high)
    found = replace(result("exact"), score1=score1, score2=score2, statistic=score1 - score2)
    return figures_of(replace(found, unit=unit, largest_difference=math.inf), interval, 0.95)


@given(st.floats(-1.0, 1.0), st.floats(-9.0, 9.0), st.floats(1e-6, 1.0), st.floats(1e-6, 1.0))
def test_a_reader_may_subtract_what_is_printed(stat, two, below, above):
    """It rounds to the printed difference, which the printed interval holds."""
    printed = figures(two + stat, two)
    numbers = [Decimal(x) for x in (printed.score1, printed.score2, printed.difference)]
    ulp = Decimal(1).scaleb(numbers[2].as_tuple().exponent)
    assert abs(numbers[0] - numbers[1] - numbers[2]) <= ulp / 2
    found = figures(0.0, -stat, stat - below, stat + above)
    low, high = map(float, found.ends.split(" to "))
    assert low <= float(found.difference) <= high


@pytest.mark.parametrize(
    ("scores", "interval", "printed"),
    [
        ((2 / 3, 1 / 3), None, "66.67% 33.33% 33.3"),
        ((0.8333, 0.8133), (-0.01, 0.05), "83.3% 81.3% 2.0 -1.0 to 5.0"),
        ((0.8333, 0.8331), (-0.01, 0.0101), "83.330% 83.310% 0.020 -1.0 to 1.0"),
        ((0.5, 0.5), (-0.1, 0.1), "50.0% 50.0% 0.0 -10.0 to 10.0"),
        ((0.9, 0.1), (0.0003, 0.93), "90.0% 10.0% 80.0 0.03 to 93.00"),
    ],
)
def test_digits(scores, interval, printed):
    """Two of the interval's width or of the difference, at least one decimal; sides are shown."""
    found = figures(*scores, *(interval or ()), unit="share")
    shown = found.score1, found.score2, found.difference, found.ends
    assert " ".join(filter(None, shown)) == printed


@pytest.mark.parametrize(
    ("margin", "ends", "words"),
    [
        (0.0, (-0.03, 0.00004), "-0.03000 to 0.00004"),  # 0 is inside
        (0.02, (-0.3, 0.019999), "-0.300000 to 0.019999"),  # within the margin
        (0.0, (-math.inf, 0.00004), "-∞ to 0.000040"),
    ],
)
def test_ends_show_their_side(margin, ends, words):
    """Of 0, of both margins, and of the difference."""
    assert ends_in_words(ends, bounds=(0.0, margin, -margin)) == words


def test_an_interval_that_excludes_nothing_is_not_told():
    """Three scores from 0 to 1: differences are from -1 to 1 anyway; so are four of F1."""
    f1 = compare([1, 1, 1, 0], [0, 1, 0, 0], [1, 1, 1, 1], "f1", confidence_level=0.95)
    for found in (compare(*FEW, None, confidence_level=0.95, **RANGE), f1):
        assert found.confidence_interval()[:2] == (-1.0, 1.0)
        assert (found.to_dict()["stat_low"], found.to_dict()["stat_high"]) == (-1.0, 1.0)
        cards = significance_section(found), significance_section(found.to_dict())
        for text in (str(found), found.summary(), found.to_markdown(), str(gate(found)), *cards):
            assert "interval" not in text
