"""What metrics of translations share: sentences, and what sacrebleu counts in them."""

import sys
from dataclasses import dataclass

import numpy as np
import pytest

from doors import in_batches, in_one
from extras import needs
from pairedperm import InputError, Ratio
from pairedperm.scoring.metric import METRICS, read_metric
from pairedperm.scoring.translation import OfTranslations, read_order

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
    for value in (1, None, "yes"):
        with pytest.raises(InputError, match="`lowercase` must be True or False, got"):
            Lengths(lowercase=value)


@pytest.mark.parametrize("value", [0, 101, 2.0, True, None, "4"])
def test_no_order(value):
    with pytest.raises(InputError, match="`order` must be an integer from 1 to 100, got"):
        read_order("order", value, 1)
    assert read_order("order", np.int64(100), 1) == 100


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((ONE[:2], TWO, RIGHT), "`predictions1` has 2 examples and `references` has 3"),
        ((ONE, TWO[:1], RIGHT), "`predictions2` has 1 examples and `references` has 3"),
        ((ONE[:1], TWO[:1], [["a"], ["b"]]), "`predictions1` has 1 examples and `references` ha"),
        (
            (ONE, TWO, [*zip(*RIGHT, strict=True)]),
            r"`references` has 2 lists of 3 texts, and `predictions1` has 3 texts. Give a list for "
            r"each sentence; sacrebleu takes a list .*list\(zip\(\*references\)\) turns them",
        ),
        ((ONE, TWO, [["a", "b", "c"]]), r"`references` has 1 lists of 3 texts"),
        ((ONE, TWO, [*RIGHT[:2], ["a"]]), r"`references`\[2\] has 1 texts and .*\[0\] has 2"),
        ((ONE, [None, "a", "b"], RIGHT), r"`predictions2`\[0\] must be a text, got None"),
    ],
)
def test_columns_that_do_not_fit(columns, message):
    with pytest.raises(InputError, match=message):
        in_one(*columns, metric="lengths")


def test_references_of_different_number_in_batches():
    found = in_batches(ONE, TWO, RIGHT, metric="lengths", size=2)
    assert found == in_one(ONE, TWO, RIGHT, metric="lengths")
    with pytest.raises(InputError, match=r"`references` has 1 texts for some sentences and 2 for"):
        in_batches(ONE, TWO, [*RIGHT[:2], "one text"], metric="lengths", size=2)


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
