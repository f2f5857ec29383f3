"""Accuracy, of labels, of whole examples and of real taggers: by hand, scikit-learn and oracle."""

import json
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from sklearn import metrics

from corpora.small import P1, P2, REFS
from oracles import swaps as oracle
from pairedperm import compare
from pairedperm.scoring.metrics import accuracy
from properties import cases, generators

EXPECTED = compare(P1, P2, REFS)


@pytest.mark.filterwarnings("ignore:.*holds no label")
@cases(1)
@given(rng=generators)
def test_scores_are_scikit_learns_and_p_is_the_oracles(rng):
    columns = rng.integers(0, 3, (3, int(rng.integers(1, 60))))
    result = compare(*columns)
    for score, predictions in zip((result.score1, result.score2), columns[:2], strict=True):
        assert score == metrics.accuracy_score(columns[2], predictions)
    one, two = (columns[:2] == columns[2]).astype(int)
    truth = oracle.pvalue((one - two).tolist())
    assert oracle.is_certified(result, truth)
    assert oracle.relative_error(result, truth) <= 1e-12
    assert compare(*columns, metric="exact_match").pvalue == result.pvalue
    balanced = compare(*columns, metric="balanced_accuracy")
    if set(columns[2]) >= set(np.unique(columns[:2])):  # otherwise scikit-learn warns
        assert balanced.score1 == pytest.approx(
            metrics.balanced_accuracy_score(columns[2], columns[0])
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
    assert result.metric == "exact_match"


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
