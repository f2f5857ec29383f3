"""The configuration for numbers: predictions1 and predictions2, no references."""

import evaluate
import numpy as np
import pandas as pd
import pytest
from datasets import Dataset, Features, Value

from corpora.small import EXPECTED_OF_SCORES, REFS, SCORES
from pairedperm import InputError, paired_permutation_test


@pytest.fixture
def scores(registered):
    return evaluate.load("paired_perm", "scores")


def test_scores(scores):
    assert scores.compute(**SCORES) == EXPECTED_OF_SCORES
    assert (EXPECTED_OF_SCORES["metric"], EXPECTED_OF_SCORES["score1"]) == (None, 0.52)
    for options in ({"alternative": "less"}, {"method": "exact", "budget": {"max_points": 1e6}}):
        expected = paired_permutation_test(*SCORES.values(), **options).to_dict()
        assert scores.compute(**SCORES, **options) == expected
    assert list(scores.features[0]) == ["predictions1", "predictions2"]


def test_columns_of_datasets_and_tables(scores):
    features = Features({"predictions1": Value("float64"), "predictions2": Value("float32")})
    data = Dataset.from_dict(SCORES, features=features)
    assert scores.compute(**{k: data[k] for k in SCORES}) == EXPECTED_OF_SCORES
    assert scores.compute(**{k: pd.Series(v) for k, v in SCORES.items()}) == EXPECTED_OF_SCORES


def test_streaming_scores(scores, hold):
    hold(2)
    for batch in (slice(3, 5), slice(0, 3)):
        scores.add_batch(**{k: v[batch] for k, v in SCORES.items()})
    assert len(scores) == 5
    assert scores.compute() == EXPECTED_OF_SCORES
    for row in zip(*SCORES.values(), strict=True):
        scores.add(**dict(zip(SCORES, row, strict=True)))
    more = {k: [x + 1 for x in v] for k, v in SCORES.items()}
    whole = [v + more[k] for k, v in SCORES.items()]
    assert scores.compute(**more) == paired_permutation_test(*whole).to_dict()
    assert len(scores) == 0


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "nothing to compare: pass predictions1, predictions2 to compute"),
        ({"predictions1": [1]}, "`predictions2` is missing: pass one score"),
        ({**SCORES, "references": REFS}, "unknown column 'references': the columns are pred"),
        ({**SCORES, "metric": "accuracy"}, "`metric` must be left out with the conf.*'scores'"),
        ({**SCORES, "predictions2": [1, 2]}, r"same shape, got \(5,\) and \(2,\)"),
        ({**SCORES, "predictions2": ["a"] * 5}, r"`predictions2`\[0\] is not a number"),
        ({**SCORES, "predictions2": [1, 2, 3, 4, np.nan]}, r"finite: `predictions2`\[4\] is nan"),
        (
            {**SCORES, "predictions2": [1, 2, 3, 4, 1 / 3], "method": "exact"},
            r"`predictions2`\[4\] is 0.333.*no dec",
        ),
        ({"predictions1": [], "predictions2": []}, "`predictions1` is empty"),
    ],
)
def test_bad_scores(scores, columns, message):
    with pytest.raises(InputError, match=message):
        scores.compute(**columns)
    assert scores.compute(**SCORES) == EXPECTED_OF_SCORES


def test_a_bad_batch_of_scores_is_not_added(scores):
    scores.add_batch(**SCORES)
    with pytest.raises(InputError, match=r"`predictions1`\[0\] is missing"):
        scores.add_batch(predictions1=[None], predictions2=[1])
    with pytest.raises(InputError, match="`predictions1` is missing"):
        scores.add(predictions1=None, predictions2=1)
    assert scores.compute() == EXPECTED_OF_SCORES


@pytest.mark.parametrize("held", [1, 1000])
def test_units_that_do_not_fit_together(scores, hold, held):
    hold(held)
    scores.add_batch(predictions1=[10**17], predictions2=[0])
    with pytest.raises(InputError, match=r"do not fit those added before: .* up to 1e\+17"):
        scores.add_batch(predictions1=[0.125], predictions2=[0])
    with pytest.raises(InputError, match="do not fit those added before"):
        scores.compute(predictions1=[0.125], predictions2=[0])
    scores.add_batch(predictions1=[0.5], predictions2=[0])
    assert len(scores) == 2
    assert scores.compute()["n"] == 2
