"""chrF, against sacrebleu: scores, scores of sums, p-values of all swaps and of some."""

import numpy as np
import pytest
from hypothesis import given

from corpora.sentences import sentences, tagged
from doors import in_batches, in_one, of_dataset, of_module
from extras import needs
from oracles import translations as oracle
from pairedperm import InputError, compare, plan
from pairedperm.scoring import ChrF
from properties import cases, generators

sacrebleu = needs("sacrebleu.metrics", "mt")


def random_options(rng):
    return {
        "char_order": int(rng.integers(1, 8)),
        "word_order": int(rng.integers(0, 4)),
        "beta": float(rng.choice([0.0, 0.5, 1.0, 2.0, 3.0])),
        **{x: bool(rng.integers(2)) for x in ("lowercase", "whitespace", "eps_smoothing")},
    }


def score_of(options):
    """Of sums as sacrebleu has them, by its own function."""
    counter = sacrebleu.CHRF(**options)
    return lambda sums: counter._compute_f_score(sums[:-1])


def tables_of(columns):
    metric = ChrF()
    return [x.astype(float) for x in metric.rows(*metric.read(tuple(columns.values()))).tables]


@cases(10)
@given(rng=generators)
def test_scores_are_sacrebleus(rng):
    """Of few sentences, many of which have no n-gram in common, or no word."""
    columns = sentences(rng, int(rng.integers(1, 5)), int(rng.integers(1, 4)))
    options = random_options(rng)
    oracle.assert_scores(ChrF(**options), sacrebleu.CHRF(**options), columns, compare)


@cases(10)
@given(rng=generators)
def test_score_of_sums_is_sacrebleus(rng):
    """Of sums that may be 0, also those that no texts have."""
    options = random_options(rng)
    n = options["char_order"] + options["word_order"]
    of_texts = rng.integers(0, 3, (2, 40, n)) * rng.integers(1, 30, (2, 40, n))
    match = rng.binomial(of_texts.min(axis=0), rng.choice([0.0, 0.1, 0.5, 1.0], (40, 1)))
    counts = np.stack((*of_texts, match), axis=2).reshape(40, -1)
    sums = np.column_stack((counts, np.ones(40))).astype(float)
    found = ChrF(**options).score_with(1)(sums)
    score = score_of(options)
    assert found == pytest.approx([score(row) for row in sums.tolist()], rel=1e-12, abs=1e-12)


def test_real_scores():
    columns = tagged(0, 400)
    for options in ({}, {"word_order": 2}, {"whitespace": True, "eps_smoothing": True, "beta": 1}):
        result = compare(**columns, metric="chrf", rng=0, method="monte_carlo", **options)
        expected = oracle.scores(sacrebleu.CHRF(**options), columns)
        assert [result.score1, result.score2] == pytest.approx(expected, rel=1e-12)


@cases(0.4)
@given(rng=generators)
def test_p_of_few_sentences_is_that_of_all_swaps(rng):
    columns = sentences(rng, int(rng.integers(1, 7)), int(rng.integers(1, 3)))
    options = random_options(rng)
    metric, counter = ChrF(**options), sacrebleu.CHRF(**options)
    oracle.assert_pvalues(metric, counter, columns, compare, ("exact", "enumeration"))


@pytest.mark.thorough
def test_p_of_real_data():
    """Against 40,000 swaps, scored one after the other by sacrebleu."""
    columns, n = tagged(300, 900), 40_000
    score, rng = score_of({}), np.random.default_rng(5)
    rows1, rows2 = tables_of(columns)
    differences = oracle.sampled(rows1, rows2, score, n, rng)
    truth = oracle.share(differences, score(rows1.sum(0)) - score(rows2.sum(0)), "two-sided")
    with pytest.warns(UserWarning, match="p is estimated from 40,000 .* because the exact p-val"):
        result = compare(**columns, metric="chrf", n_resamples=n, rng=1)
    assert oracle.is_near(result.pvalue, truth, n, n)
    planned = plan(*columns.values(), metric="chrf")
    assert (planned.method, planned.rank > 6) == ("monte_carlo", True)


def test_bootstrap():
    columns, n = tagged(300, 600), 4000
    score, rng = score_of({}), np.random.default_rng(6)
    rows1, rows2 = tables_of(columns)
    observed = score(rows1.sum(0)) - score(rows2.sum(0))
    differences = np.array(oracle.resampled(rows1, rows2, score, n, rng))
    truth = oracle.share(differences - observed, observed, "two-sided")
    result = compare(**columns, metric="chrf", test="bootstrap", rng=2)
    assert result.statistic == pytest.approx(observed, rel=1e-12)
    assert oracle.is_near(truth, result.pvalue, n, result.n_resamples)


def test_systems_that_tie():
    columns = sentences(np.random.default_rng(4), 100, 2)
    same = columns | {"predictions2": [f" {x}" for x in columns["predictions1"]]}
    result = compare(**same, metric="chrf")
    assert (result.pvalue, result.n_differing, result.statistic) == (1.0, 0, 0.0)
    spaced = compare(**same, metric="chrf", whitespace=True, method="monte_carlo", rng=0)
    assert spaced.n_differing > 90  # but for empty texts
    nothing = compare(["a b", "c"], ["", "e f"], ["x", "y"], "chrf")
    assert (nothing.score1, nothing.score2, nothing.pvalue) == (0.0, 0.0, 1.0)


def test_words():
    one, two, right = ["a cat"], ["a mat"], ["a cat"]
    found = compare(one, two, right, "chrf", word_order=2)
    assert found.metric_options == {"word_order": 2}
    assert "The chrF++ of x" in found.summary("x", "y")
    assert (ChrF().in_words, ChrF(beta=3, word_order=1).in_words) == ("chrF", "chrF3+")
    assert ChrF(beta=2.0, char_order=6).options is None
    assert ChrF(beta=0.5).options == {"beta": 0.5}


def test_doors(registered):
    columns = sentences(np.random.default_rng(7), 40, 2)
    options = {"word_order": 2, "beta": 1, "lowercase": True}
    asked = {"method": "monte_carlo", "rng": 3}
    expected = compare(**columns, metric="chrf", **options, **asked)
    assert in_one(*columns.values(), metric=ChrF(**options), **asked) == expected
    for door in (of_dataset, in_batches):
        assert door(*columns.values(), metric="chrf", **options, **asked) == expected
    for size in (0, 1, 7):
        found = of_module(*columns.values(), metric="chrf", size=size, **options, **asked)
        assert found == expected.to_dict()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"char_order": 0}, "`char_order` must be an integer from 1 to 100, got 0"),
        ({"word_order": -1}, "`word_order` must be an integer from 0 to 100, got -1"),
        ({"word_order": "++"}, r"`word_order` must be an integer from 0 to 100, got '\+\+'"),
        ({"beta": -1}, "`beta` must be a number from 0 to 1000, got -1"),
        ({"beta": np.nan}, "`beta` must be a number from 0 to 1000, got nan"),
        ({"beta": None, "eps_smoothing": 1}, "`eps_smoothing` must be True or False, got 1"),
        ({"smooth_value": 1}, r"`smooth_value` is no option of metric 'chrf': leave it out.*bleu"),
    ],
)
def test_options_that_there_are_not(options, message):
    with pytest.raises(InputError, match=message):
        compare(["a"], ["b"], ["a"], "chrf", **options)
