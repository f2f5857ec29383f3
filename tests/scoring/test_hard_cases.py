"""Hard cases of metrics, each by hand; and calls in other forms, which say the same."""

from contextlib import nullcontext
from enum import Enum
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from seqeval.scheme import IOB2

from pairedperm import compare
from pairedperm.scoring import F1, ZeroOne

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

MICRO = {"metric": "f1", "average": "micro"}
SETS = {**MICRO, "multilabel": True}
SAMPLES = {"average": "samples", "multilabel": True, "zero_division": 1e-300}
STRICT = {"metric": "span_f1", "mode": "strict"}
IGNORED = [[1, 2], [], [2]], [[2, 2], [], [1]], [[1, -100], [], [2]]
EMPTY, NOTHING = [[], []], [set(), set()]
WORDLESS = ["", " ", ""]
LOSSES = [0.5, 0.75, 1, 0.25, 0.1], [0.5, 0.25, 0.5, 0.5, 0], None
ANSWERS = [{"id": key, "answers": [text]} for key, text in (("b", "x"), ("a", "y"))]
GIVEN = [{"id": key, "prediction_text": text} for key, text in (("a", "x"), ("b", "y"))]
PRIMES = [2**61 - 1, 2**31 - 1, 1_000_003, 998_244_353, 10**9 + 7]
SHARES = [[Fraction(k, p) for k, p in enumerate(PRIMES, start)] for start in (1, 7)]
TOKENS = [2**40, 2**41]
DRAWN = {"test": "bootstrap", "rng": 0}


def result_of(*columns, **options):
    return lambda: compare(*columns, **options)


HARD = {
    "kappa of empty sequences": (
        result_of(*IGNORED, metric="cohen_kappa"),
        {"score1": 1.0, "score2": -1.0, "n_ignored": 1},
    ),
    "weighted kappa of them": (
        result_of(*IGNORED, metric="cohen_kappa", weights="linear", labels=[1, 2]),
        {"score1": 1.0, "score2": -1.0},
    ),
    "a specificity where a label stands for none": (
        result_of([[1, 0, 0]], [[1, 1, 0]], [[-100, 0, 0]], metric="specificity"),
        {"score1": 1.0, "score2": 0.5, "n_ignored": 1},
    ),
    "spans where a label stands for none": (
        result_of(
            *([[0, 1], [5, 0, 2]], [[0, 1], [0, 0, 0]], [[0, 1], [-100, -100, 0]]),
            metric="span_f1",
            label_names=["O", "B-X", "I-X"],
        ),
        {"score1": 2 / 3, "score2": 1.0, "n_ignored": 2},
    ),
    "no label": (result_of(*[EMPTY] * 3, **MICRO, zero_division=1.0), {"score1": 1, "pvalue": 1}),
    "sets without a right label": (
        result_of([set(), {"a"}], NOTHING, NOTHING, metric="hamming_loss", multilabel=True),
        {"score1": 0.5, "score2": 0.0},
    ),
    "examples without a denominator": (
        result_of([set(), {"a"}], [{"a"}] * 2, [set(), {"a"}], metric="jaccard", **SAMPLES),
        {"score1": (1 + 1e-300) / 2},
    ),
    "no word in references": (
        result_of(["a b", "", ""], [""] * 3, WORDLESS, metric="ter"),
        {"score1": 100.0, "score2": 0.0, "n_differing": 1, "pvalue": 1.0},
    ),
    "draws of real scores of both signs": (
        result_of([2**0.5, -1.0], [0.0, -(3**0.5)], None, metric="mean_score", **DRAWN),
        {"method": "monte_carlo", "score1": (2**0.5 - 1) / 2},
    ),
    "the interval of sets that are right or wrong": (
        lambda: compare(*LISTS, "subset_accuracy").confidence_interval(),
        {"method": "exact"},
    ),
    "the interval of hits": (
        lambda: compare(
            [[1, 2]] * 3, [[2, 1]] * 3, [1, 2, 3], "top_k_accuracy", k=1
        ).confidence_interval(),
        {"method": "exact"},
    ),
    "one of 8 swaps makes a difference of -100": (
        result_of(["a", "", ""], ["", "c d", "e"], [""] * 3, metric="ter", alternative="greater"),
        {"score1": 100.0, "score2": 100.0, "statistic": 0.0, "pvalue": 7 / 8},
    ),
    "who has the lower loss": (
        result_of(*LOSSES, metric="mean_score", lower_is_better=True),
        {"n_wins": 1, "n_losses": 3, "n_ties": 1, "statistic": 0.17},
    ),
    "a perplexity beyond floats": (
        result_of([-2e4], [-1e4], [10], metric="bits_per_byte"),
        {"score1": 2e3 / np.log(2)},
    ),
    "many tokens on no lattice": (
        result_of([-0.0000000000001, -1.0], [0.0, -1.5], TOKENS, metric="log_likelihood"),
        {"method": "enumeration", "score1": -1.0 / sum(TOKENS)},
    ),
    "fractions of two denominators": (
        result_of(
            *([Fraction(-1, 3), Fraction(-2, 7)], [Fraction(-2, 7), Fraction(-1, 3)], [2, 1]),
            metric="log_likelihood",
        ),
        {"score1": -13 / 63, "pvalue": 1.0},
    ),
    "fractions without a common denominator": (
        result_of(*SHARES, None, metric="mean_score", alternative="greater"),
        {"method": "enumeration", "pvalue": 1.0},
    ),
    "ids that are positions where one column has none": (
        result_of(["x", "y"], ["y", "x"], ANSWERS, metric="squad_f1"),
        {"score1": 1.0, "score2": 0.0},
    ),
    "ids in two columns": (
        result_of(GIVEN, ["y", "x"], ANSWERS, metric="squad_f1"),
        {"score1": 0.0, "score2": 0.0},
    ),
}


@pytest.mark.parametrize("name", HARD)
def test_hard_cases(name):
    call, expected = HARD[name]
    result = call()
    found = {key: getattr(result, key) for key in expected}
    assert found == {
        key: x if isinstance(x, str) else pytest.approx(x, rel=1e-12) for key, x in expected.items()
    }


class Tag(str, Enum):
    POS = "pos"
    BEGIN = "B-PER"
    INSIDE = "I-PER"


LABELS = [*"abcab"], [*"aacbb"], [*"abccb"]
NUMBERS = [0, 1, 1], [0, 0, 1], [0, 1, 1]
LISTS = [[1, 2], [3], []], [[1], [1], [2]], [[1, 2], [3], []]
SPANS = [["B-PER", "I-PER"]], [["B-PER", "B-PER"]], [["B-PER", "I-PER"]]
RANKS = np.random.default_rng(5).random((2, 9, 4))
SAME = {
    "labels in a set": ({**MICRO, "labels": {"b", "a"}}, LABELS, {**MICRO, "labels": [*"ab"]}),
    "in an array": (
        {**MICRO, "labels": np.array(["b", "a"])},
        LABELS,
        {**MICRO, "labels": ["a", "b"]},
    ),
    "a label beyond int64": ({**MICRO, "labels": [1, 0, 2**70]}, NUMBERS, MICRO),
    "NumPy's label": ({"metric": "f1", "pos_label": np.int64(1)}, NUMBERS, {"metric": "f1"}),
    "an object": ({"metric": F1(average="micro")}, LABELS, MICRO),
    "a former name": ({"metric": "zero_one"}, LISTS, {"metric": ZeroOne()}),
    "seqeval's class": ({**STRICT, "scheme": IOB2}, SPANS, {**STRICT, "scheme": "IOB2"}),
    "all types": ({"metric": "span_f1", "labels": {"PER"}}, SPANS, {"metric": "span_f1"}),
    "a beta of 32 bits": (
        {"metric": "fbeta", "beta": np.float32(0.1), "average": "macro"},
        LABELS,
        {"metric": "fbeta", "beta": 0.1, "average": "macro"},
    ),
    "the order of labels in an array": (
        {"metric": "cohen_kappa", "weights": "linear", "labels": np.array([*"cab"])},
        LABELS,
        {"metric": "cohen_kappa", "weights": "linear", "labels": [*"cab"]},
    ),
    "two classes, one place apart": (
        {"metric": "cohen_kappa", "weights": "quadratic"},
        NUMBERS,
        {"metric": "cohen_kappa"},
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_options_in_other_forms(name):
    options, columns, others = SAME[name]
    found, expected = compare(*columns, **options), compare(*columns, **others)
    assert (found.score1, found.score2) == (expected.score1, expected.score2)
    assert found.pvalue == expected.pvalue


@pytest.mark.parametrize(
    ("columns", "others", "options"),
    [
        ([[{1, 2}, frozenset({3}), set()], *LISTS[1:]], LISTS, SETS),
        ([[(2, 1), np.array([3]), ()], *LISTS[1:]], LISTS, SETS),
        ([[[Tag.BEGIN, Tag.INSIDE]], *SPANS[1:]], SPANS, {"metric": "span_f1"}),
        ([[Tag.POS, "neg"]] * 3, [["pos", "neg"]] * 3, {"metric": "f1", "pos_label": Tag.POS}),
        (
            [[-1.5, -2.0], [-1.0, -3.0], np.array([2, 3], np.float16)],
            [[-1.5, -2.0], [-1.0, -3.0], [2, 3]],
            {"metric": "log_likelihood"},
        ),
    ],
)
def test_columns_in_other_forms(columns, others, options):
    assert compare(*columns, **options) == compare(*others, **options)


def test_scores_of_classes_are_ranked_as_the_message_says():
    right = np.arange(9) % 4
    ranks = np.argsort(-RANKS, axis=2)
    found = compare(*ranks, right, "top_k_accuracy")
    assert found.score1 == np.mean((ranks[0, :, :2] == right[:, None]).any(axis=1))


def test_weighted_recall_of_single_labels_is_accuracy():
    """A mean, exact at any size: the class's weight is its denominator."""
    columns = np.random.default_rng(1).integers(0, 3, (3, 3000))
    weighted = {"metric": "recall", "average": "weighted"}
    assert compare(*columns, **weighted, method="exact").pvalue == compare(*columns).pvalue
    drawn = compare(*columns, **weighted, test="bootstrap")
    assert drawn.method == "exact"
    assert drawn.confidence_interval() == compare(*columns, test="bootstrap").confidence_interval()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("right", "options", "said"),
    [
        (pd.Categorical([*"aba"], [*"cab"], ordered=True), {}, r"order, labels=\['c', 'a', 'b'\]"),
        (pd.Series(pd.Categorical([2, 1, 2], [2, 1], ordered=True)), {}, r"labels=\[2, 1\]"),
        (pd.Categorical([*"aba"], [*"cab"], ordered=True), {"labels": [*"cab"]}, ""),
        (pd.Categorical([*"aba"], [*"abc"], ordered=True), {}, ""),
        (pd.Categorical([*"aba"], [*"cab"]), {}, ""),
    ],
)
def test_order_of_weights_that_is_not_that_of_categories(right, options, said):
    """Nothing is said where the order is named, is the sorted one, or does not matter."""
    told = pytest.warns(UserWarning, match=said) if said else nullcontext()
    with told:
        compare(right, right, right, "cohen_kappa", weights="linear", **options)
    compare(right, right, right, "cohen_kappa")
