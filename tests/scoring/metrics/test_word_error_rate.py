"""Word error rate, against jiwer's and a distance by dynamic programming: its contract."""

import sys
from fractions import Fraction

import jiwer
import pytest
from hypothesis import assume

from corpora.texts import NAMES, transcripts
from extras import needs
from oracles.texts import distance
from pairedperm import InputError, compare
from pairedperm.hf.accumulator import Accumulator
from pairedperm.scoring.metric import read_metric
from scoring.contract import Contract, check_metric

NUMBERS = {"one": 0, "two": 1, "three": 2, "two.": -100}


def words_of(rng, n):
    """As texts, tokens or numbers, of which -100 or another may stand for no token."""
    needs("rapidfuzz", "wer")
    columns = transcripts(rng, n).values()
    options = {}
    if rng.random() < 0.5:
        columns = [[[NUMBERS[x] for x in row] for row in column] for column in columns]
        options = [{}, {"ignore_label": None}, {"ignore_label": 1}][rng.integers(3)]
    else:
        space = str(rng.choice([" ", " \t", "\n"]))
        is_text = rng.random(3) < 0.7
        columns = [
            [space.join(row) for row in column] if as_text else column
            for column, as_text in zip(columns, is_text, strict=True)
        ]
    assume(any(tokens(row, **options) for row in columns[2]))
    return tuple(columns), options


def tokens(row, ignore_label=-100):
    row = row.split() if isinstance(row, str) else row
    return [x for x in row if ignore_label is None or x != ignore_label]


def errors_per_word(predictions, references, **options):
    pairs = [
        [tokens(row, **options) for row in pair]
        for pair in zip(predictions, references, strict=True)
    ]
    errors, n_words = (sum(distance(a, b) for a, b in pairs), sum(len(b) for _, b in pairs))
    return Fraction(errors, n_words) if n_words else Fraction(0)


def by_jiwer(predictions, references, **options):
    one, right = (
        [" ".join(map(str, tokens(row, **options))) for row in column]
        for column in (predictions, references)
    )
    return jiwer.wer(right, one)


test_contract = check_metric(
    Contract(
        "word_error_rate",
        words_of,
        errors_per_word,
        library=by_jiwer,
        words="word error rate",
        share=0.4,
    )
)


def test_word_error_rate_needs_words():
    needs("rapidfuzz", "wer")
    with pytest.raises(InputError, match="holds no word"):
        compare(["a", ""], ["", ""], ["", " \n"], "word_error_rate")
    stream = Accumulator(read_metric("word_error_rate"))
    stream.add({"predictions1": ["a"], "predictions2": ["b"], "references": [""]})
    with pytest.raises(InputError, match="holds no word"):
        stream.test({}, None)
    assert stream.test({name: ["a"] for name in NAMES}, None).score1 == 1.0


def test_word_error_rate_without_rapidfuzz(monkeypatch):
    for module in [name for name in sys.modules if name.split(".")[0] == "rapidfuzz"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(
        ImportError, match=r'metric .word_error_rate. needs rapidfuzz: pip install "rapidfuzz" '
    ):
        compare(["a"], ["b"], ["a"], "word_error_rate")
    assert compare(["x"], ["y"], ["x"], "squad_f1").score1 == 1.0
