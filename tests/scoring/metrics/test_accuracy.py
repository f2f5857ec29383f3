"""Accuracy, of labels, of whole examples, or balanced over classes; and of real taggers."""

import json
from fractions import Fraction
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from sklearn import metrics

from corpora.classes import flat, labels
from corpora.small import P1, P2, REFS
from oracles import swaps as oracle
from pairedperm import compare
from pairedperm.scoring.metrics import accuracy
from scoring.contract import Contract, check_metric

EXPECTED = compare(P1, P2, REFS)


def examples(rng, n):
    """Predicted sequences may be of another length."""
    (one, two, right), options = labels(rng, n)
    if isinstance(right[0], list):
        one, two = (
            [x if rng.random() < 0.8 else [*x, "VERB"][1:] * 2 for x in y] for y in (one, two)
        )
    return (one, two, right), options


def share_of_right(predictions, references):
    pairs = list(zip(flat(predictions), flat(references), strict=True))
    return Fraction(sum(a == b for a, b in pairs), len(pairs) or 1)


def share_of_examples(predictions, references):
    same = [a == b for a, b in zip(predictions, references, strict=True)]
    return Fraction(sum(same), len(same))


def mean_recall(predictions, references):
    """Of the classes that the references have."""
    pairs, recalls = list(zip(flat(predictions), flat(references), strict=True)), []
    for label in {right for _, right in pairs}:
        found = [found == label for found, right in pairs if right == label]
        recalls.append(Fraction(sum(found), len(found)))
    return sum(recalls) / Fraction(len(recalls) or 1)


test_contract = check_metric(
    Contract(
        "accuracy",
        labels,
        share_of_right,
        library=lambda p, r: metrics.accuracy_score(flat(r), flat(p)),
        words="accuracy",
    ),
    Contract(
        "exact_match",
        examples,
        share_of_examples,
        library=lambda p, r: metrics.accuracy_score([*map(repr, r)], [*map(repr, p)]),
        words="exact match",
    ),
    Contract(
        "balanced_accuracy",
        labels,
        mean_recall,
        library=lambda p, r: metrics.balanced_accuracy_score(flat(r), flat(p)),
        words="balanced accuracy",
        share=0.3,
    ),
)


def test_accuracy_of_single_labels():
    # system 1 has 5 of 6 right, system 2 has 2; 3 examples differ, all for system 1: 2 / 2^3
    assert (EXPECTED.score1, EXPECTED.score2) == (5 / 6, 2 / 6)
    assert (EXPECTED.pvalue, EXPECTED.n, EXPECTED.n_differing) == (0.25, 6, 3)
    assert EXPECTED.statistic == 0.5
    assert (EXPECTED.metric, EXPECTED.alternative, EXPECTED.method) == (
        "accuracy",
        "two-sided",
        "exact",
    )
    assert EXPECTED.interval == "certified"


def test_accuracy_of_sequences_swaps_the_sentence():
    references = [["A", "B", "C"], ["A"], ["B", "B"]]
    predictions1 = [["A", "B", "C"], ["A"], ["B", "C"]]  # 3, 1, 1
    predictions2 = [["A", "C", "B"], ["A"], ["B", "B"]]  # 1, 1, 2
    result = compare(predictions1, predictions2, references)
    assert (result.score1, result.score2, result.statistic) == (5 / 6, 4 / 6, 1 / 6)
    # differences 2, 0, -1: |±2 ± 1| ≥ 1 always
    assert (result.pvalue, result.n, result.n_differing) == (1.0, 3, 2)
    # ±2 ± 1 ≥ 1: 2 of 4
    assert compare(predictions1, predictions2, references, alternative="greater").pvalue == 0.5


def test_exact_match_of_sequences():
    references = [["A", "B", "C"], ["A"], [], ["B", "B"]]
    predictions1 = [["A", "B", "C"], ["A"], [], ["B", "C"]]  # 1, 1, 1, 0
    predictions2 = [["A", "C", "B"], ["A", "A"], [], ["B", "B"]]  # 0, 0 (too long), 1, 1
    result = compare(predictions1, predictions2, references, "exact_match")
    assert (result.score1, result.score2, result.n_differing) == (0.75, 0.5, 3)


def test_exact_match_of_single_labels_is_accuracy():
    result = compare(P1, P2, REFS, metric="exact_match")
    assert (result.score1, result.pvalue) == (EXPECTED.score1, EXPECTED.pvalue)


def test_empty_sequences_count_for_nothing():
    with_empty = compare([[1, 0], []], [[1, 1], []], [[1, 1], []])
    without = compare([[1, 0]], [[1, 1]], [[1, 1]])
    assert (with_empty.score1, with_empty.pvalue) == (without.score1, without.pvalue)
    assert (with_empty.n, without.n) == (2, 1)


def test_real_taggers_against_the_oracle():
    path = Path(__file__).parents[3] / "examples" / "data" / "ewt_pos_test.jsonl"
    sentences = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    columns = {name: [s[name] for s in sentences] for name in sentences[0]}
    for rival, scores in (("linearsvc", (0.9089, 0.9113)), ("mostfreq", (0.9089, 0.8112))):
        result = compare(columns["logreg"], columns[rival], columns["references"])
        assert result.score1 == pytest.approx(scores[0], abs=5e-5)
        assert result.score2 == pytest.approx(scores[1], abs=5e-5)
        differences = [
            sum(a == r for a, r in zip(s["logreg"], s["references"], strict=True))
            - sum(b == r for b, r in zip(s[rival], s["references"], strict=True))
            for s in sentences
        ]
        truth = oracle.pvalue(differences)
        assert oracle.is_certified(result, truth)
        assert oracle.relative_error(result, truth) <= 1e-12
        assert result.n_differing == sum(d != 0 for d in differences)
    assert result.pvalue < 1e-180


@pytest.mark.parametrize("form", ["integers", "strings", "strings of one's own"])
def test_labels_of_several_blocks(form):
    columns = np.random.default_rng(0).integers(0, 3, (3, 50))
    columns = columns.tolist() if form == "integers" else columns.astype(str).tolist()
    if form == "strings of one's own":  # more than are numbered
        columns = [[f"{label} {k}" for k, label in enumerate(column * 6)] for column in columns]
    whole = compare(*columns)
    with mock.patch.multiple(accuracy, BLOCK=7, LEAST=1):
        assert compare(*columns) == whole
    assert whole.score1 == metrics.accuracy_score(columns[2], columns[0])
