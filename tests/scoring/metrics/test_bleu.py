"""BLEU, against sacrebleu: its contract, and scores of sums that no texts have."""

import numpy as np
import pytest
from hypothesis import given

from choices import plan
from corpora.sentences import sentences, some_of, tagged, translations
from extras import needs
from oracles import translations as oracle
from pairedperm import InputError, compare
from pairedperm.scoring import BLEU
from properties import cases, generators
from scoring.contract import Contract, check_metric

sacrebleu = needs("sacrebleu.metrics", "mt")
TOKENIZERS = [None, "13a", "intl", "zh", "char", "none"]


def random_options(rng):
    method = str(rng.choice(["exp", "floor", "add-k", "none"]))
    value = rng.choice([None, 0.0, 0.3, 1.0]) if method in ("floor", "add-k") else None
    return {
        "lowercase": bool(rng.integers(2)),
        "tokenize": TOKENIZERS[rng.integers(len(TOKENIZERS))],
        "smooth_method": method,
        "smooth_value": value,
        "max_ngram_order": int(rng.integers(1, 7)),
        "effective_order": bool(rng.integers(2)),
    }


def score_of(options):
    """Of sums as sacrebleu has them, by its own function."""
    metric = BLEU(**options)
    n = metric.max_ngram_order
    given_to = {name: getattr(metric, name) for name in metric.takes()}
    of_score = {name: given_to[name] for name in ("smooth_method", "smooth_value")}
    of_score |= {"max_ngram_order": n, "effective_order": metric.effective_order}

    def score(sums):
        correct, total = sums[2 : n + 2], sums[n + 2 : 2 * n + 2]
        length, reference = map(int, sums[:2])
        return sacrebleu.BLEU.compute_bleu(correct, total, length, reference, **of_score).score

    return score


def texts(rng, n):
    return translations(rng, n), some_of(rng, random_options(rng))


test_contract = check_metric(
    Contract("bleu", texts, oracle.score_of(sacrebleu.BLEU), few=5, tie=oracle.TIE, share=0.3)
)


def test_defaults_are_sacrebleus():
    oracle.assert_same_defaults(BLEU, sacrebleu.BLEU)


@cases(2)
@given(rng=generators)
def test_score_of_sums_is_sacrebleus(rng):
    """Of sums that may be 0, also those that no texts have."""
    options = random_options(rng)
    n = options["max_ngram_order"]
    lengths = rng.integers(0, 4, (40, 2)) * rng.integers(1, 30, (40, 2))
    total = rng.integers(0, 4, (40, n)) * rng.integers(1, 9, (40, n))
    correct = rng.binomial(total, rng.choice([0.0, 0.1, 0.5, 1.0], (40, 1)))
    lengths[:, 0] *= correct.any(axis=1)  # without words nothing matches
    lengths[:, 0] += correct.any(axis=1)
    sums = np.hstack((lengths, correct, total, np.ones((40, 1)))).astype(float)
    found = BLEU(**options).score_with(1)(sums)
    score = score_of(options)
    assert found == pytest.approx([score(row) for row in sums.tolist()], rel=1e-12, abs=1e-12)


@pytest.mark.thorough
@pytest.mark.parametrize(("start", "stop"), [(300, 600), (0, 2077)])
def test_real_data(start, stop):
    """By sacrebleu's own test."""
    columns = tagged(start, stop)
    sampled = compare(**columns, metric="bleu", method="monte_carlo", n_resamples=40_000, rng=1)
    oracle.assert_own_test(sacrebleu.BLEU(), columns, sampled, 10_000)
    if stop == 600:  # few numbers of matches differ: the sums are on a small grid
        exact = compare(**columns, metric="bleu")
        assert (exact.method, exact.interval) == ("exact", "certified")
        oracle.assert_own_test(sacrebleu.BLEU(), columns, exact, 10_000)


def test_sampled_by_itself():
    """Where lengths differ too, the sums take too many values to look at all."""
    columns = sentences(np.random.default_rng(3), 100, 2)
    planned = plan(*columns.values(), metric="bleu")
    assert (planned.method, planned.rank > 8) == ("monte_carlo", True)
    with pytest.warns(UserWarning, match="p is estimated from 9,999 .* because the exact p-val"):
        result = compare(**columns, metric="bleu", rng=0, n_resamples=9999)
    assert result.method == "monte_carlo"
    sampled = compare(**columns, metric="bleu", method="monte_carlo", rng=0)
    assert result.pvalue == sampled.pvalue
    assert "BLEU" in result.summary("a", "b")
    assert "points" in result.summary("a", "b")


def test_sums_that_tie():
    """By other sentences."""
    columns = sentences(np.random.default_rng(4), 200, 2)
    turned = {
        name: [*one, *two]
        for name, one, two in (
            ("predictions1", columns["predictions1"], columns["predictions2"]),
            ("predictions2", columns["predictions2"], columns["predictions1"]),
            ("references", columns["references"], columns["references"]),
        )
    }
    result = compare(**turned, metric="bleu")
    assert (result.pvalue, result.statistic) == (1.0, 0.0)
    assert result.n_differing > 100
    nothing = compare(["a b", "c"], ["d", "e f"], ["x", "y"], "bleu")
    assert (nothing.score1, nothing.score2, nothing.pvalue) == (0.0, 0.0, 1.0)


def test_defaults_are_no_options():
    assert BLEU(tokenize="13a", smooth_value=None).options is None
    assert BLEU(smooth_method="floor", smooth_value=0.1) == BLEU(smooth_method="floor")
    assert repr(BLEU(max_ngram_order=2)) == "BLEU(max_ngram_order=2)"


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("\nJapanese tokenization requires extra dependencies\n\n  pip install it\n"),
        ImportError("Please install the sentencepiece library"),
        OSError("<urlopen error [Errno 101] Network is unreachable>"),
        KeyError("ja-mecab"),  # of an older version
        SystemExit(1),  # where a model is not what was expected
    ],
    ids=lambda error: type(error).__name__,
)
def test_tokenizers_that_are_not_there(monkeypatch, error):
    def counter(**options):
        assert options["tokenize"] == "ja-mecab"
        raise error

    monkeypatch.setattr(sacrebleu, "BLEU", counter)
    said = " ".join(str(error).split())
    with pytest.raises(InputError) as caught:
        compare(["a"], ["b"], ["a"], "bleu", tokenize="ja-mecab")
    assert str(caught.value) == (
        "`tokenize` 'ja-mecab' is one that sacrebleu cannot load here "
        f"({type(error).__name__}: {said}). Tokenizers that need no package or model are '13a', "
        "'intl', 'zh', 'char', 'none'."
    )
