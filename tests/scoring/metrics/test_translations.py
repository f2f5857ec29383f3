"""BLEU, chrF and the translation edit rate, against sacrebleu."""

import sys
from unittest import mock

import pytest

from corpora.sentences import some_of, translations
from extras import needs
from oracles import translations as oracle
from pairedperm import InputError, compare
from pairedperm.scoring import BLEU, TER, ChrF
from scoring.contract import Contract, check_metric

sacrebleu = needs("sacrebleu.metrics", "mt")
TOKENIZERS = [None, "13a", "intl", "zh", "char", "none"]
KINDS = {BLEU: sacrebleu.BLEU, ChrF: sacrebleu.CHRF, TER: sacrebleu.TER}


def of_bleu(rng):
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


def of_chrf(rng):
    return {
        "char_order": int(rng.integers(1, 8)),
        "word_order": int(rng.integers(0, 4)),
        "beta": float(rng.choice([0.0, 0.5, 1.0, 2.0, 3.0])),
        **{x: bool(rng.integers(2)) for x in ("lowercase", "whitespace", "eps_smoothing")},
    }


def of_ter(rng):
    names = ("normalized", "no_punct", "asian_support", "case_sensitive")
    return {name: bool(rng.integers(2)) for name in names}


def texts(options, **fields):
    def draw(rng, n):
        return translations(rng, n, **fields), some_of(rng, options(rng))

    return draw


def wordless(rng, n):
    """Most sentences have no word in any reference."""
    (one, two, right), options = texts(of_ter)(rng, n)
    none = [x if rng.random() < 0.3 else "" if isinstance(x, str) else [""] * len(x) for x in right]
    return (one, two, none), options


def contract(kind, draw, **fields):
    score = oracle.score_of(KINDS[kind])
    return Contract(kind.name, draw, score, few=5, tie=oracle.TIE, **fields)


test_contract = check_metric(
    contract(BLEU, texts(of_bleu)),
    contract(ChrF, texts(of_chrf)),
    contract(TER, texts(of_ter)),
    contract(TER, wordless, name="wordless"),
)


@pytest.mark.parametrize(
    ("method", "value"),
    [("exp", None), ("none", None), ("floor", None), ("floor", 0.3), ("add-k", 2)],
)
def test_each_smoothing(method, value):
    """Where no n-gram of an order matches, as sacrebleu has it."""
    one, two, right = ["the cat sat here"], ["a dog ran off"], ["the cat is on a mat"]
    smoothing = {"smooth_method": method, "smooth_value": value}
    found = compare(one, two, right, BLEU(**smoothing))
    expected = [sacrebleu.BLEU(**smoothing).corpus_score(x, [right]).score for x in (one, two)]
    assert [found.score1, found.score2] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_defaults_are_sacrebleus(kind):
    oracle.assert_same_defaults(kind, KINDS[kind])


@pytest.mark.parametrize(("edits", "words", "rate"), [(3, 12, 50), (3, 0, 100), (0, 0, 0)])
def test_rate_of_some_references(edits, words, rate):
    """Their mean length counts; without a word it is 100 where there are edits, as sacrebleu's."""
    assert TER().score_with(2).exact([edits, words, 2]) == rate


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("\nIt requires\n\n  pip install it\n"), "Error: It requires pip install it"),
        (SystemExit(1), "SystemExit: 1"),  # where a model is not what was expected
    ],
)
def test_tokenizers_that_are_not_there(monkeypatch, error, said):
    monkeypatch.setattr(sacrebleu, "BLEU", mock.Mock(side_effect=error))
    with pytest.raises(InputError, match=rf"cannot load here \(.*{said}\)\. Tokenizers that need"):
        compare(["a"], ["b"], ["a"], "bleu", tokenize="ja-mecab")


@pytest.mark.parametrize(
    ("metric", "package", "asked"),
    [("bleu", "sacrebleu", "sacrebleu>=2.4"), ("word_error_rate", "rapidfuzz", "rapidfuzz")],
)
def test_without_the_package(monkeypatch, metric, package, asked):
    for module in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    message = f"metric '{metric}' needs {package}: pip install \"{asked}\" "
    with pytest.raises(ImportError, match=message):
        compare(["a"], ["b"], ["a"], metric)
    assert compare(["x"], ["y"], ["x"], "squad_f1").score1 == 1.0
