"""The translation edit rate, against sacrebleu, and p-values of it against all swaps."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from corpora.sentences import sentences, tagged
from doors import in_batches, in_one, of_dataset, of_module
from extras import needs
from oracles import swaps
from oracles import translations as oracle
from pairedperm import InputError, compare
from pairedperm.scoring import TER
from properties import cases, generators

sacrebleu = needs("sacrebleu.metrics", "mt")


def random_options(rng):
    names = ("normalized", "no_punct", "asian_support", "case_sensitive")
    return {name: bool(rng.integers(2)) for name in names}


def rows_of(columns, **options):
    metric = TER(**options)
    return metric, metric.rows(*metric.read(tuple(columns.values())))


@cases(10)
@given(rng=generators)
def test_scores_are_sacrebleus(rng):
    """Of few sentences, some of which have no word, or all."""
    columns = sentences(rng, int(rng.integers(1, 5)), int(rng.integers(1, 4)), rng.choice([2, 9]))
    options = random_options(rng)
    counter = sacrebleu.TER(**options)
    expected = oracle.scores(counter, columns)
    metric, rows = rows_of(columns, **options)
    scores = metric.score(rows)(np.array(rows.sums, dtype=float))
    assert scores == pytest.approx(expected, rel=1e-12, abs=1e-12)
    result = compare(**columns, metric=metric)
    assert [result.score1, result.score2] == pytest.approx(expected, rel=1e-12, abs=1e-12)


@cases(5)
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


@cases(0.4)
@given(rng=generators)
def test_p_of_few_sentences_is_that_of_all_swaps(rng):
    columns = sentences(rng, int(rng.integers(1, 7)), int(rng.integers(1, 4)))
    options = random_options(rng)
    oracle.assert_pvalues(TER(**options), sacrebleu.TER(**options), columns, compare)


@pytest.mark.parametrize("n_references", [1, 2, 3])
def test_scores_and_p_are_exact(n_references):
    """The mean length of some references is a fraction, which both systems share."""
    columns = sentences(np.random.default_rng(8), 150, n_references)
    _, rows = rows_of(columns)
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
def test_p_of_real_data():
    """Against 40,000 swaps, scored one after the other by sacrebleu."""
    columns, n = tagged(300, 500), 40_000
    _, rows = rows_of(columns)
    counter, rng = sacrebleu.TER(), np.random.default_rng(5)

    def score(sums):
        return counter._compute_score_from_stats(sums[:2]).score

    rows1, rows2 = (table.astype(float) for table in rows.tables)
    differences = oracle.sampled(rows1, rows2, score, n, rng)
    result = compare(**columns, metric="ter")
    expected = oracle.scores(counter, columns)
    assert [result.score1, result.score2] == pytest.approx(expected, rel=1e-12)
    truth = oracle.share(differences, result.statistic, "two-sided")
    assert oracle.is_near(truth, result.pvalue, n, n)


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


def test_bootstrap():
    """Where sentences have no word, all that is drawn may have none."""
    columns, n = sentences(np.random.default_rng(9), 12, 2), 20_000
    columns["references"][:9] = [["", ""]] * 9
    columns["predictions1"][:5] = [""] * 5
    metric, rows = rows_of(columns)
    score = metric.score(rows)
    rows1, rows2 = (table.astype(float) for table in rows.tables)

    def alone(sums):
        return float(score(np.array([sums]))[0])

    rng = np.random.default_rng(6)
    differences = np.array(oracle.resampled(rows1, rows2, alone, n, rng))
    observed = alone(rows1.sum(axis=0)) - alone(rows2.sum(axis=0))
    truth = oracle.share(differences - observed, observed, "two-sided")
    options = {"metric": "ter", "test": "bootstrap"}
    sampled = compare(**columns, **options, n_resamples=n, rng=2)
    assert sampled.method == "monte_carlo"
    assert oracle.is_near(truth, sampled.pvalue, n, n)
    full = sentences(np.random.default_rng(9), 30, 2)
    full["references"] = [[f"x {text}" for text in texts] for texts in full["references"]]
    ideal = compare(**full, **options)
    assert (ideal.method, ideal.interval) == ("exact", "certified")
    again = compare(**full, **options, method="monte_carlo", n_resamples=n, rng=2)
    assert oracle.is_near(again.pvalue, ideal.pvalue, n, n)
    assert again.score1 == ideal.score1


def test_lower_is_better():
    columns = sentences(np.random.default_rng(10), 50)
    result = compare(**columns, metric="ter")
    assert result.statistic < 0.0
    report = result.report()
    assert report.n_wins > report.n_losses
    assert "The TER of x is significantly lower than that of y" in result.summary("x", "y")
    same = compare(**columns | {"predictions2": columns["predictions1"]}, metric="ter")
    assert (same.pvalue, same.n_differing) == (1.0, 0)


def test_doors(registered):
    columns = sentences(np.random.default_rng(7), 40, 2)
    options = {"normalized": True, "case_sensitive": True}
    expected = compare(**columns, metric="ter", **options)
    assert expected.metric_options == options
    assert in_one(*columns.values(), metric=TER(**options)) == expected
    for door in (of_dataset, in_batches):
        assert door(*columns.values(), metric="ter", **options) == expected
    for size in (0, 1, 7):
        found = of_module(*columns.values(), metric="ter", size=size, **options)
        assert found == expected.to_dict()


@pytest.mark.parametrize("option", ["normalized", "no_punct", "asian_support", "case_sensitive"])
def test_options_that_there_are_not(option):
    with pytest.raises(InputError, match=f"`{option}` must be True or False, got None"):
        TER(**{option: None})
    assert TER(**{option: True}).options == {option: True}
