"""The translation edit rate, against sacrebleu: its contract, and what is exact of it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from corpora.sentences import sentences, some_of, tagged, translations
from extras import needs
from oracles import swaps
from oracles import translations as oracle
from pairedperm import compare
from pairedperm.scoring import TER
from properties import cases, generators
from scoring.contract import Contract, check_metric

sacrebleu = needs("sacrebleu.metrics", "mt")


def random_options(rng):
    names = ("normalized", "no_punct", "asian_support", "case_sensitive")
    return {name: bool(rng.integers(2)) for name in names}


def texts(rng, n):
    return translations(rng, n, n_differing=n), some_of(rng, random_options(rng))


def wordless(rng, n):
    """Most sentences have no word in any reference."""
    (one, two, right), options = texts(rng, n)
    none = [x if rng.random() < 0.3 else "" if isinstance(x, str) else [""] * len(x) for x in right]
    return (one, two, none), options


ter = oracle.score_of(sacrebleu.TER)
test_contract = check_metric(
    Contract("ter", texts, ter, few=5, tie=oracle.TIE),
    Contract("ter", wordless, ter, name="wordless", few=5, tie=oracle.TIE),
)


def test_defaults_are_sacrebleus():
    oracle.assert_same_defaults(TER, sacrebleu.TER)


@cases(1)
@given(rng=generators)
def test_score_of_sums_is_sacrebleus(rng):
    """`_compute_score_from_stats` has edits, and words of the references on average."""
    n = int(rng.integers(1, 4))
    sums = rng.integers(0, 3, (40, 3)) * rng.integers(1, 90, (40, 3))
    score, counter = TER().score_with(n), sacrebleu.TER()
    found = score(sums.astype(float))
    pairs = [[edits, words / n] for edits, words, _ in sums.tolist()]
    expected = [counter._compute_score_from_stats(pair).score for pair in pairs]
    assert found == pytest.approx(expected, rel=1e-12)
    exact = [float(score.exact(row)) for row in sums.tolist()]
    assert exact == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n_references", [1, 2, 3])
def test_scores_and_p_are_exact(n_references):
    """The mean length of some references is a fraction, which both systems share."""
    columns = sentences(np.random.default_rng(8), 60, n_references)
    metric = TER()
    rows = metric.rows(*metric.read(tuple(columns.values())))
    (one, words), (two, _) = (table.T[:2] for table in rows.tables)
    result = compare(**columns, metric="ter")
    unit = Fraction(100 * n_references, int(words.sum()))
    assert result.score1 == float(unit * int(one.sum()))
    assert result.score2 == float(unit * int(two.sum()))
    assert result.statistic == float(unit * int((one - two).sum())) < 0.0
    truth = swaps.pvalue((one - two).tolist())
    assert swaps.relative_error(result, truth) <= 1e-12
    assert (result.method, result.interval) == ("exact", "certified")


@pytest.mark.thorough
def test_real_data():
    """By sacrebleu's edits; its own test leaves out swaps that tie, half of p here."""
    columns, metric = tagged(300, 500), TER()
    rows = metric.rows(*metric.read(tuple(columns.values())))
    one, two = (table[:, 0] for table in rows.tables)
    result = compare(**columns, metric="ter")
    expected = [ter(columns[name], columns["references"]) for name in oracle.SYSTEMS]
    assert [result.score1, result.score2] == pytest.approx(expected, rel=1e-12)
    assert swaps.relative_error(result, swaps.pvalue((one - two).tolist())) <= 1e-12


def test_without_a_word_of_references():
    """It is 100, as sacrebleu's, where there are edits, and else 0."""
    columns = {"predictions1": ["a b", "", ""], "predictions2": ["", "", ""]}
    columns["references"] = ["", " ", ""]
    result = compare(**columns, metric="ter")
    assert (result.score1, result.score2, result.n_differing) == (100.0, 0.0, 1)
    assert (result.pvalue, result.method) == (1.0, "exact")
    both = compare(["a", "", ""], ["", "c d", "e"], ["", "", ""], "ter", alternative="greater")
    # all three may become one system's: in one of 8 swaps, system 2's, and the difference is -100
    assert (both.score1, both.score2, both.statistic) == (100.0, 100.0, 0.0)
    assert both.pvalue == 7 / 8


def test_bootstrap_where_each_sentence_has_a_word():
    """It is of all resamples; where one has none it is sampled."""
    columns = sentences(np.random.default_rng(9), 30, 2)
    columns["references"] = [[f"x {text}" for text in texts] for texts in columns["references"]]
    some = columns | {"references": [["", ""], *columns["references"][1:]]}
    sampled = compare(**some, metric="ter", test="bootstrap", rng=2, n_resamples=99)
    ideal = compare(**columns, metric="ter", test="bootstrap")
    assert (sampled.method, ideal.method, ideal.interval) == ("monte_carlo", "exact", "certified")


def test_lower_is_better():
    columns = sentences(np.random.default_rng(10), 50)
    result = compare(**columns, metric="ter")
    assert result.statistic < 0.0
    assert result.n_wins > result.n_losses
    assert "The TER of x is significantly lower than that of y" in result.summary("x", "y")
