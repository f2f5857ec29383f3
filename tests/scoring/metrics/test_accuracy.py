"""Accuracy, of labels, of whole examples, or balanced over classes; and of real taggers."""

import json
from fractions import Fraction
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from sklearn import metrics

from corpora.classes import flat, labels
from oracles import swaps as oracle
from pairedperm import compare
from pairedperm.scoring.metrics import accuracy
from scoring.contract import Contract, check_metric


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
    with mock.patch.multiple(accuracy, CACHED_ROWS=7, LEAST=1):
        assert compare(*columns) == whole
    assert whole.score1 == metrics.accuracy_score(columns[2], columns[0])
