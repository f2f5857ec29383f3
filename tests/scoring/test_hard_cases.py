"""Hard cases of metrics, each by hand; and calls in other forms, which say the same."""

from contextlib import nullcontext
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from seqeval.scheme import IOB2

from pairedperm import compare
from pairedperm.scoring import ZeroOne

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

SETS = {"average": "micro", "multilabel": True}
EMPTY = [[1, 2], [], [2]], [[2, 2], [], [1]], [[1, -100], [], [2]]
IDS = [[0, 1], [5, 0, 2]], [[0, 1], [0, 0, 0]], [[0, 1], [-100, -100, 0]]
LOSSES = [0.5, 0.75, 1, 0.25, 0.1], [0.5, 0.25, 0.5, 0.5, 0], None
ANSWERS = [{"id": key, "answers": [text]} for key, text in (("b", "x"), ("a", "y"))]
RIGHT = [{"answers": {"text": np.array(["x", "z"]), "answer_start": [0, 5]}}, {"text": ("x",)}]
GIVEN = [{"id": key, "prediction_text": text} for key, text in (("a", "x"), ("b", "y"))]
PRIMES = [2**61 - 1, 2**31 - 1, 1_000_003, 998_244_353, 10**9 + 7]
SHARES = *([Fraction(k, p) for k, p in enumerate(PRIMES, start)] for start in (1, 7)), None
SEVENTHS = [Fraction(-1, 3), Fraction(-2, 7)], [Fraction(-2, 7), Fraction(-1, 3)], [2, 1]
TOKENS = [-0.0000000000001, -1.0], [0.0, -1.5], [2**40, 2**41]  # on no lattice with so many
LINEAR = {"weights": "linear", "labels": [1, 2]}
SAMPLES = {"average": "samples", "multilabel": True, "zero_division": 1e-300}
ROOTS = [2**0.5, -1.0, 1.0], [0.0, -(3**0.5), 0.0], None
GREATER = {"alternative": "greater"}


@pytest.mark.parametrize(
    ("metric", "columns", "options", "expected"),
    [
        # places of no label, and columns without any
        ("cohen_kappa", EMPTY, LINEAR, {"score1": 1.0, "score2": -1.0, "n_ignored": 1}),
        (
            *("specificity", ([[1, 0, 0]], [[1, 1, 0]], [[-100, 0, 0]]), {}),
            {"score1": 1.0, "score2": 0.5, "n_ignored": 1},
        ),
        (
            *("span_f1", IDS, {"label_names": ["O", "B-X", "I-X"]}),
            {"score1": 2 / 3, "score2": 1.0, "n_ignored": 2},
        ),
        ("f1", [[[], []]] * 3, {"average": "micro", "zero_division": 1.0}, {"score1": 1.0}),
        # examples without a denominator
        ("jaccard", [[set(), {"a"}]] * 3, SAMPLES, {"score1": (1 + 1e-300) / 2}),
        ("ter", (["a b", ""], ["", ""], ["", " "]), {}, {"score1": 100.0, "score2": 0.0}),
        # the one example that differs may be swapped: all sums on its line are extreme
        ("balanced_accuracy", ([1, 0, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0]), {}, {"pvalue": 1.0}),
        # one of 8 swaps makes a difference of -100
        ("ter", (["a", "", ""], ["", "c d", "e"], [""] * 3), GREATER, {"pvalue": 7 / 8}),
        # likelihoods and scores at the ends of their kinds
        ("mean_score", LOSSES, {"lower_is_better": True}, {"n_wins": 1, "n_losses": 3}),
        ("bits_per_byte", ([-2e4], [-1e4], [10]), {}, {"score1": 2e3 / np.log(2)}),
        ("log_likelihood", TOKENS, {}, {"method": "enumeration", "score1": -1 / (3 * 2**40)}),
        ("log_likelihood", SEVENTHS, {}, {"score1": -13 / 63, "pvalue": 1.0}),
        ("mean_score", SHARES, GREATER, {"method": "enumeration", "pvalue": 1.0}),
        ("mean_score", ROOTS, {"groups": [0, 0, 1]}, {"score1": 2**0.5 / 3, "pvalue": 0.5}),
        # answers are matched by id; ids are positions where one column has none
        ("squad_f1", (GIVEN, GIVEN[::-1], ANSWERS), {}, {"score1": 0.0, "score2": 0.0}),
        ("squad_exact_match", ([*"yx"], [*"xx"], RIGHT), {}, {"score1": 0.5, "score2": 1.0}),
        ("squad_f1", (GIVEN, ["y", "x"], ANSWERS), {}, {"score1": 0.0, "score2": 0.0}),
    ],
)
def test_hard_cases(metric, columns, options, expected):
    result = compare(*columns, metric, **options)
    found = {key: getattr(result, key) for key in expected}
    assert found == {
        key: x if isinstance(x, str) else pytest.approx(x, rel=1e-12) for key, x in expected.items()
    }


@pytest.mark.parametrize(
    ("metric", "columns", "options", "method"),
    [
        ("subset_accuracy", [[[1, 2], [3], []]] * 3, {}, "exact"),
        ("top_k_accuracy", ([[1, 2]] * 3, [[2, 1]] * 3, [1, 2, 3]), {"k": 1}, "exact"),
        ("pass_at_k", ([[1], [0], [1]], [[0], [0], [1]], None), {}, "exact"),
        ("squad_exact_match", [[*"abc"], [*"abd"], [*"abc"]], {}, "exact"),
        ("squad_f1", [[*"abc"] * 20, [*"abd"] * 20, [*"abc"] * 20], {}, "studentised bootstrap"),
    ],
)
def test_intervals_of_what_is_right_or_wrong(metric, columns, options, method):
    assert compare(*columns, metric, **options).confidence_interval().method == method


LABELS = [*"abcab"], [*"aacbb"], [*"abccb"]
NUMBERS = [0, 1, 1], [0, 0, 1], [0, 1, 1]
LISTS = [[1, 2], [3], []], [[1], [1], [2]], [[1, 2], [3], []]
SPANS = [["B-PER", "I-PER"]], [["B-PER", "B-PER"]], [["B-PER", "I-PER"]]


def micro(labels, columns=LABELS):
    return compare(*columns, "f1", average="micro", labels=labels)


def linear(labels):
    return compare(*LABELS, "cohen_kappa", weights="linear", labels=labels)


def macro(beta):
    return compare(*LABELS, "fbeta", beta=beta, average="macro")


def strict(scheme):
    return compare(*SPANS, "span_f1", mode="strict", scheme=scheme)


def first(column, columns=LISTS, metric="f1", **options):
    """Another first column."""
    return compare(column, *columns[1:], metric, **options)


def per_token(sizes):
    return compare([-1.5, -2.0], [-1.0, -3.0], sizes, "log_likelihood")


@pytest.mark.parametrize(
    "calls",
    [
        lambda: (micro([1, 0, 2**70], NUMBERS), micro([1, 0], NUMBERS)),
        lambda: (compare(*NUMBERS, "f1", pos_label=np.int64(1)), compare(*NUMBERS, "f1")),
        lambda: (compare(*LISTS, "zero_one"), compare(*LISTS, ZeroOne())),  # a former name
        lambda: (strict(IOB2), strict("IOB2")),  # seqeval's class
        lambda: (macro(np.float32(0.1)), macro(0.1)),
        lambda: (linear(np.array([*"cab"])), linear([*"cab"])),
        lambda: (first([(2, 1), np.array([3]), ()], **SETS), first(LISTS[0], **SETS)),
        lambda: (per_token(np.array([2, 3], np.float16)), per_token([2, 3])),
    ],
)
def test_other_forms_say_the_same(calls):
    found, expected = calls()
    assert (found.score1, found.score2) == (expected.score1, expected.score2)
    assert found.pvalue == expected.pvalue


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
