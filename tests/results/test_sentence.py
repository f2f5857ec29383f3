"""What people read: a few lines, a sentence, and never a finding that p does not bear."""

import math
import re
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm import (
    compare,
    compare_many,
    compare_suite,
    gate,
    paired_permutation_test,
    structured_permutation_test,
)
from pairedperm.model_card import significance_section
from pairedperm.model_card.facts import read_result
from pairedperm.plots.points import tail_in_words
from pairedperm.population.intervals import ConfidenceInterval
from pairedperm.results.figures import Figures, unit_of
from pairedperm.results.sentence import (
    format_pvalue,
    metric_in_words,
    p_beside,
    sentence,
    verdict,
)
from pairedperm.scoring.call_options import METRICS
from pairedperm.scoring.metric import read_metric
from pairedperm.scoring.stored_rows import stored_metric
from properties import one_in

WINS = [1] * 5, [0] * 5, [1] * 5
FEW = [0.55, 0.65, 0.4], [0.5, 0.55, 0.45]
RANGE = {"metric": "mean_score", "score_range": (0, 1)}


def columns(n=200, seed=0):
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 3, n)
    return [*(np.where(rng.random(n) < x, gold, rng.integers(0, 3, n)) for x in (0.8, 0.6)), gold]


def test_lines():
    assert str(compare(*WINS)).splitlines() == [
        "accuracy: 100.00% against 0.00%",
        "difference: 100.00 percentage points",
        "95% interval: -4.36 to 100.00 percentage points (exact)",
        "p = 0.0625: no significant difference at α = 0.05",
        "exact two-sided paired-permutation test, 5 of 5 examples differ",
        "smallest possible p of 5 differing examples: 0.0625",  # 2 / 2^5
        "null: exchangeable outputs (p); no difference in the population (interval)",
    ]


@pytest.mark.parametrize(
    ("n_differing", "options", "least"),
    [
        (0, {}, "0 differing examples: 1"),
        (1, {}, "1 differing example: 1"),
        (4, {"groups": [*range(9)]}, "4 differing groups: 0.125"),
        (4, {"alternative": "less"}, "4 differing examples: 0.0625"),
        (5, {"alternative": "greater"}, None),
        (6, {}, None),
        (2000, {}, None),
        (4, {"test": "bootstrap"}, None),
    ],
)
def test_the_smallest_p_of_so_few(n_differing, options, least):
    """Where no p could be significant; a bootstrap has no such limit."""
    n = max(n_differing, 9)
    one, two = [1] * n, [0] * n_differing + [1] * (n - n_differing)
    lines = [x for x in str(compare(one, two, [1] * n, **options)).splitlines() if "smallest" in x]
    assert lines == ([] if least is None else [f"smallest possible p of {least}"])


@one_in(7)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
def test_lines_fit_a_terminal(test, metric):
    if METRICS[metric].is_of_spans or not METRICS[metric].is_of_labels:
        return
    options = {"beta": 0.5} if metric == "fbeta" else {}
    if "average" in METRICS[metric].takes():
        options["average"] = "macro"
    elif "pos_label" in METRICS[metric].takes():
        options["pos_label"] = 1
    found = columns()
    if read_metric(metric, **options).has_sets:
        found = [[[x] for x in column] for column in found]
    if "average" in options:
        options |= {"method": "monte_carlo", "n_resamples": 999, "rng": 2**32 - 1}
    result = compare(*found, metric, test=test, **options)
    assert 6 <= len(str(result).splitlines()) <= 7
    assert max(map(len, str(result).splitlines())) <= 90


@pytest.mark.thorough
def test_sampled_and_bracketed():
    sampled = compare(*columns(), method="monte_carlo", rng=5, n_resamples=99)
    assert "p = 0.01 (99% interval 5.17e-" in str(sampled) or "seed 5)" in str(sampled)
    assert ", seed=5" in repr(sampled)
    assert f"pvalue={sampled.pvalue:.6g} [" in repr(sampled)
    bracket = paired_permutation_test(*np.random.default_rng(0).random((2, 60)))
    assert "(proven: 0." in str(bracket)
    assert f"pvalue={bracket.pvalue:.6g} [" in repr(bracket)
    assert "[" not in repr(compare(*WINS))


def test_summary():
    text = compare(*WINS).summary("large", "small", dataset="dev")
    assert text == (
        "On dev, the accuracy of large does not differ significantly from that of small: 100.00% "
        "against 0.00%. The difference is 100.00 percentage points (95% confidence interval -4.36 "
        "to 100.00). The exact two-sided paired-permutation test gives p = 0.0625 (n = 5, "
        "α = 0.05)."
    )
    text = compare(*WINS).summary(alpha=0.0625)
    assert text.startswith("The accuracy of system 1 is significantly higher than that of system 2")
    assert text.endswith(" (n = 5, α = 0.0625).")
    grouped = compare(*WINS, groups=[*"aabbc"]).summary()
    assert grouped.endswith(" gives p = 0.25 (n = 5 in 3 groups, α = 0.05).")


@pytest.mark.parametrize(
    ("alternative", "alpha", "words"),
    [
        ("two-sided", 0.0625, "is significantly higher than that of"),
        ("two-sided", 0.06, "does not differ significantly from that of"),
        ("greater", 0.05, "is significantly higher than that of"),
        ("greater", 0.03, "is not significantly higher than that of"),
        ("less", 0.05, "is not significantly lower than that of"),
    ],
)
def test_findings(alternative, alpha, words):
    """Five wins: p = 2 / 32, or 1 / 32, or 1."""
    assert f"of a {words} b: 100.00%" in compare(*WINS, alternative=alternative).summary(
        "a", "b", alpha=alpha
    )
    swapped = compare(WINS[1], WINS[0], WINS[2], alternative=alternative).summary(alpha=alpha)
    if alternative == "two-sided":
        assert words.replace("higher", "lower") in swapped


def test_no_finding_on_the_other_side():
    """At an absurd level p may be below it where the score is not."""
    result = compare([1, 1, 0], [1, 1, 1], [1, 1, 1], alternative="greater")
    assert result.pvalue == 1.0
    text = compare([0, 1, 0], [1, 0, 1], [1, 1, 1], alternative="greater").summary(alpha=0.9)
    assert "is not significantly higher than" in text


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_no_verdict_on_no_difference(alternative):
    """No resample is farther than 0 from 0, so p = 0 if ties do not count."""
    same = [1, 0, 1], [1, 0, 1], [1, 1, 1]
    result = compare(*same, test="bootstrap", ties="exclude", alternative=alternative)
    assert "p = 0: no significant difference at α = 0.05" in str(result)
    assert "is the same as that of system 2" in result.summary()


VALUES = st.sampled_from([-1.0, -1e-200, 0.0, 1e-200, 1.0])
LEVELS = st.sampled_from([0.0, 0.01, 0.05, 0.06, 1.0])
SIDES = st.sampled_from(["two-sided", "greater", "less"])


@given(VALUES, LEVELS, SIDES, LEVELS.filter(bool))
def test_findings_are_borne_by_p(stat, p, side, alpha):
    found = replace(
        compare(*WINS, test="bootstrap", ties="exclude"),
        statistic=stat,
        pvalue=p,
        log_pvalue=math.log(p) if p else -math.inf,
        alternative=side,
    )
    text = sentence(found, "a", "b", alpha=alpha)
    is_higher = p <= alpha and stat > 0.0 and side != "less"
    is_lower = p <= alpha and stat < 0.0 and side != "greater"
    assert ("is significantly higher than" in text) is is_higher
    assert ("is significantly lower than" in text) is is_lower
    assert ("is the same as" in text) is (stat == 0.0)
    assert verdict(found, alpha).startswith("a " if is_higher or is_lower else "no ")


def test_of_a_lower_score():
    """The difference and its interval have the signs that they have in the table."""
    one, two, gold = columns()
    lower, higher = compare(two, one, gold).summary(), compare(one, two, gold).summary()
    inside = r"difference is (\S+) percentage points \(95% confidence interval (\S+) to (\S+)\)"
    stat, low, high = map(float, re.search(inside, higher).groups())
    assert tuple(map(float, re.search(inside, lower).groups())) == (-stat, -high, -low)
    assert 0.0 < low < stat < high
    assert "system 1 is significantly lower than" in lower


@pytest.mark.parametrize("seed", range(20))
def test_no_finding_without_a_verdict(seed):
    for result in (compare(*columns(20, seed)), compare(*columns(20, seed), test="bootstrap")):
        is_significant = result.pvalue <= 0.05
        article = "a" if is_significant else "no"
        assert f": {article} significant difference at α = 0.05" in str(result)
        text = result.summary()
        assert ("is significantly" in text) is (is_significant and result.statistic != 0.0)
        assert ("is the same as" in text) is (result.statistic == 0.0)
        assert "is higher" not in text
        assert "is lower" not in text


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("f1", {"average": "macro"}, "macro-averaged F1"),
        ("f1", {"pos_label": "yes"}, "F1 for label 'yes'"),
        ("f1", {"average": "micro", "labels": ["a", "b"]}, "micro-averaged F1 for labels 'a', 'b'"),
        ("fbeta", {"beta": 0.5, "average": "macro"}, "macro-averaged F0.5"),
        ("f1", {"average": "weighted", "labels": ["a", "b"]}, "weighted F1 for labels 'a', 'b'"),
        ("jaccard", {"pos_label": "yes", "zero_division": 1.0}, "Jaccard index for label 'yes'"),
        ("precision", {"average": "samples", "multilabel": True}, "sample-averaged precision"),
        ("span_f1", {"labels": ["PER"]}, "span F1 for PER"),
        ("span_f1", None, "span F1"),
        ("accuracy", {}, "accuracy"),
        ("of_tomorrow", {"k": 5}, "of tomorrow (k=5)"),
        ("f1", {"of_tomorrow": 1}, "f1 (of_tomorrow=1)"),
    ],
)
def test_words_of_metrics(name, options, words):
    result = replace(compare(*WINS), _metric=stored_metric(name, options))
    assert metric_in_words(result) == words


def test_an_unknown_metric_is_no_share():
    """It may be in percent, as BLEU is, or a loss."""
    found = compare(*WINS).to_dict() | {"test": "permutation", "metric": "bleu_of_tomorrow"}
    found |= {"score1": 35.25, "score2": 30.0, "stat": 5.25}
    text = sentence(read_result(found), "a", "b")
    assert "35.25 against 30.00. The difference is 5.25. The" in text


def test_statistic():
    result = structured_permutation_test([1, 2, 3], [0, 1, 5], np.square)
    assert str(result).startswith("test statistic: 36.00\np = 0.625: no significant diff")
    assert (
        "of system 1 against system 2 is 36.00, which is not significant. The exact"
        in result.summary()
    )


@pytest.mark.parametrize(
    ("log_pvalue", "text"),
    [
        (0.0, "1"),
        (math.log(0.0127), "0.0127"),
        (math.log(6.3e-188), "6.3e-188"),
        (-1000 * math.log(10.0), "1e-1000"),
        (-999.9999 * math.log(10.0), "1e-1000"),
        (math.log(9.9999) - 1000 * math.log(10.0), "1e-999"),
        (-5e8, "1.12e-217147241"),
    ],
)
def test_format_pvalue(log_pvalue, text):
    assert format_pvalue(log_pvalue) == text


def figures(score1, score2, low=None, high=None):
    interval = None if low is None else ConfidenceInterval(low, high)
    return Figures(unit_of(None), score1, score2, score1 - score2, interval)


@pytest.mark.parametrize(
    ("pvalue", "alpha", "text"),
    [
        (0.0500011, 0.05, "0.050001"),
        (0.05, 0.05, "0.05"),
        (0.0499999, 0.05, "0.05"),
        (0.05 * (1 + 1e-15), 0.05, "0.0500000000000001"),
        (0.0125049, 0.0125, "0.012505"),
        (1e-9, 0.05, "1e-9"),
    ],
)
def test_p_shows_its_side_of_the_level(pvalue, alpha, text):
    assert p_beside(alpha, pvalue, math.log(pvalue)) == text
    result = replace(compare(*WINS), pvalue=pvalue, log_pvalue=math.log(pvalue))
    said = sentence(result, "a", "b", alpha=alpha)
    assert f" gives p = {text} (" in said
    assert ("is significantly higher" in said) is (float(text) <= alpha)


def test_p_shows_its_side_everywhere():
    p = {"pvalue": 0.0500011, "log_pvalue": math.log(0.0500011)}
    result = replace(compare(*WINS), **p)
    checked = gate(result, margin=0.1)
    tails = str(result), result.summary(), tail_in_words(result), significance_section(result)
    for text in (*tails, str(checked), checked.to_markdown()):
        assert "0.050001" in text
    ones, zeros = WINS[:2]
    board = compare_many({"a": ones, "b": zeros}, WINS[2], baseline="b")
    pairs = tuple(replace(pair, p_adjusted=0.0500011) for pair in board._tests)
    assert str(replace(board, _tests=pairs)).count(" 0.050001\n") == 1


@pytest.mark.parametrize(
    ("scores", "texts"),
    [
        ((0.89951, 0.91249), ("0.8995", "0.9125", "-0.0130")),
        ((2 / 3, 1 / 3), ("0.667", "0.333", "0.33")),
        ((0.9, 0.9), ("0.90", "0.90", "0.00")),
        ((0.9, 0.9 - 1e-13), ("0.9", "0.8999999999999", "1e-13")),
        ((6e199, 2.8), ("6e+199", "2.8", "6e+199")),
    ],
)
def test_scores_agree_with_their_difference(scores, texts):
    assert figures(*scores).in_words == texts


@given(st.floats(-9.0, 9.0), st.floats(-9.0, 9.0))
def test_the_difference_of_printed_scores_rounds_to_the_printed_one(one, two):
    numbers = [Decimal(x) for x in figures(one, two).in_words]
    ulp = Decimal(1).scaleb(numbers[2].as_tuple().exponent)
    assert abs(numbers[0] - numbers[1] - numbers[2]) <= ulp / 2


@pytest.mark.parametrize(
    ("margin", "ends", "words"),
    [
        (0.0, (-0.03, 0.00004), "-0.03000 to 0.00004"),  # 0 is inside
        (0.0, (0.00004, 0.03), "0.00004 to 0.03000"),
        (0.0, (0.01, 0.01901), "0.0100 to 0.0190"),
        (0.02, (-0.3, 0.019999), "-0.300000 to 0.019999"),  # within the margin
        (0.02, (-0.3, 0.020001), "-0.300000 to 0.020001"),
        (0.02, (-0.3, 0.0), "-0.30 to 0.00"),
        (0.0, (-math.inf, 0.00004), "-∞ to 0.000040"),
    ],
)
def test_ends_show_their_side(margin, ends, words):
    """Of 0, of both margins, and of the difference."""
    assert unit_of(None).ends(ends, margin) == words


@given(st.floats(-1.0, 1.0), st.floats(1e-6, 1.0), st.floats(1e-6, 1.0))
def test_a_printed_interval_holds_the_printed_difference(stat, below, above):
    found = figures(0.0, -stat, stat - below, stat + above)
    low, high = map(float, found.ends.split(" to "))
    assert low <= float(found.difference) <= high


@pytest.mark.parametrize(
    "told",
    [
        str,
        lambda x: x.summary(),
        lambda x: x.to_markdown() + x.to_latex() + x._repr_html_(),
        significance_section,
        lambda x: significance_section(x.to_dict()),
        lambda x: str(gate(x)),
        lambda x: str(compare_many(dict(zip("ab", FEW, strict=True)), **RANGE, baseline="b")),
        lambda x: "".join(str(compare_suite({"t": FEW, "u": FEW}, **RANGE)).splitlines()[1:3]),
    ],
)
def test_an_interval_that_excludes_nothing_is_not_told(told):
    """Three scores from 0 to 1: differences are from -1 to 1 anyway."""
    result = compare(*FEW, None, confidence_level=0.95, **RANGE)
    assert result.confidence_interval() == (-1.0, 1.0)
    assert (result.to_dict()["stat_low"], result.to_dict()["stat_high"]) == (-1.0, 1.0)
    assert result.figures().interval is None
    text = told(result)
    assert "1.00 to" not in text
    assert "interval" not in text


@pytest.mark.parametrize(
    ("ends", "is_told"),
    [((-2.0, 2.0), False), ((-2.0, 1.9), True), ((-math.inf, 2.0), False), ((-1.0, 1.0), True)],
)
def test_the_largest_difference_is_that_of_the_metric(ends, is_told):
    """Of Matthews correlations it is 2; without a metric there is none."""
    metric = read_metric("matthews_correlation")
    figures = replace(
        compare(*columns(), metric=metric)._scores, interval=ConfidenceInterval(*ends)
    )
    assert (figures.interval is not None) == is_told
    bare = replace(figures, bound=math.inf, interval=ConfidenceInterval(*ends))
    assert bare.interval is not None
    assert replace(bare, interval=ConfidenceInterval(-math.inf, math.inf)).interval is None
