"""What metrics of translations share: sentences, and what sacrebleu counts in them."""

import sys
from dataclasses import dataclass

import numpy as np
import pytest

from doors import in_batches, in_one
from extras import needs
from pairedperm import Ratio
from pairedperm.scoring.call_options import METRICS
from pairedperm.scoring.metric import read_metric
from pairedperm.scoring.metrics.translation import OfTranslations

RIGHT = [["the cat sat on the mat", "a cat sat"], ["it is warm", "it's hot"], ["", "yes"]]
ONE, TWO = ["the cat sat", "it is hot", "no"], ["a cat sat on the mat", "it's hot", "yes"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Lengths(OfTranslations):
    """Words / words of the nearest reference, as sacrebleu's BLEU counts them."""

    counter = "BLEU"
    lowercase: bool = False

    def score_with(self, n_references):
        return Ratio((1, *[0] * 10), (0, 1, *[0] * 9))


@pytest.fixture(autouse=True)
def lengths(monkeypatch):
    """A metric of that name."""
    needs("sacrebleu", "mt")
    monkeypatch.setattr(Lengths, "name", "lengths", raising=False)
    monkeypatch.setitem(METRICS, "lengths", Lengths)


def test_rows_are_what_sacrebleu_counts():
    from sacrebleu.metrics import BLEU

    metric = Lengths()
    rows = metric.rows(*metric.read((ONE, TWO, RIGHT)))
    streams = [*zip(*RIGHT, strict=True)]
    for table, texts in zip(rows.tables, (ONE, TWO), strict=True):
        theirs = BLEU(references=streams).corpus_score(texts, None)
        *found, n_references = table.sum(axis=0).tolist()
        assert found == [theirs.sys_len, theirs.ref_len, *theirs.counts, *theirs.totals]
        assert n_references == 6
    assert rows.rows1.dtype == np.int64
    assert rows.n_differing == 3
    same = metric.rows(*metric.read((ONE, ONE, RIGHT)))
    assert np.array_equal(same.rows1, rows.rows1)
    assert same.n_differing == 0


def test_options_are_sacrebleus():
    assert (Lengths().options, Lengths(lowercase=np.True_).options) == (None, {"lowercase": True})
    upper = [text.upper() for text in ONE]
    assert in_one(upper, TWO, RIGHT, metric=Lengths(lowercase=True)) == in_one(
        ONE, TWO, RIGHT, metric="lengths", lowercase=True
    )


def test_batches():
    found = in_batches(ONE, TWO, RIGHT, metric="lengths", size=2)
    assert found == in_one(ONE, TWO, RIGHT, metric="lengths")


def test_without_sacrebleu(monkeypatch):
    for module in [name for name in sys.modules if name.split(".")[0] == "sacrebleu"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    message = "metric 'lengths' needs sacrebleu: pip install \"sacrebleu>=2.4\" "
    with pytest.raises(ImportError, match=message):
        in_one(ONE, TWO, RIGHT, metric="lengths")
    assert Lengths(lowercase=True).in_words == "lengths (lowercase=True)"


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        (read_metric("bleu"), "BLEU"),
        (
            read_metric("bleu", lowercase=True, tokenize="intl"),
            "BLEU (lowercase=True, tokenize='intl')",
        ),
        (read_metric("chrf"), "chrF"),
        (read_metric("chrf", word_order=2), "chrF++"),
        (read_metric("chrf", beta=3, word_order=1), "chrF3+"),
        (read_metric("chrf", beta=3, whitespace=True), "chrF3 (whitespace=True)"),
        (read_metric("ter", normalized=True), "TER (normalized=True)"),
    ],
)
def test_words_say_the_options(metric, words):
    """As scores with other options are others."""
    assert metric.in_words == words
