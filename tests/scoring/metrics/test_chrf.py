"""chrF, against sacrebleu: its contract, and scores of sums that no texts have."""

import numpy as np
import pytest
from hypothesis import given

from choices import plan
from corpora.sentences import sentences, some_of, tagged, translations
from extras import needs
from oracles import translations as oracle
from pairedperm import compare
from pairedperm.scoring import ChrF
from properties import cases, generators
from scoring.contract import Contract, check_metric

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


def texts(rng, n):
    return translations(rng, n), some_of(rng, random_options(rng))


test_contract = check_metric(
    Contract("chrf", texts, oracle.score_of(sacrebleu.CHRF), few=5, tie=oracle.TIE, share=0.3)
)


def test_defaults_are_sacrebleus():
    oracle.assert_same_defaults(ChrF, sacrebleu.CHRF)


@cases(2)
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


@pytest.mark.thorough
def test_real_data():
    """By sacrebleu's own test; p is sampled."""
    columns = tagged(300, 900)
    with pytest.warns(UserWarning, match="p is estimated from 40,000 .* because the exact p-val"):
        result = compare(**columns, metric="chrf", n_resamples=40_000, rng=1)
    oracle.assert_own_test(sacrebleu.CHRF(), columns, result, 10_000)
    planned = plan(*columns.values(), metric="chrf")
    assert (planned.method, planned.rank > 6) == ("monte_carlo", True)


def test_white_space_and_texts_without_a_match():
    columns = sentences(np.random.default_rng(4), 100, 2)
    same = columns | {"predictions2": [f" {x}" for x in columns["predictions1"]]}
    assert compare(**same, metric="chrf").n_differing == 0
    spaced = compare(**same, metric="chrf", whitespace=True, method="monte_carlo", rng=0)
    assert spaced.n_differing > 90  # but for empty texts
    nothing = compare(["a b", "c"], ["", "e f"], ["x", "y"], "chrf")
    assert (nothing.score1, nothing.score2, nothing.pvalue) == (0.0, 0.0, 1.0)


def test_defaults_are_no_options():
    assert ChrF(beta=2.0, char_order=6).options is None
