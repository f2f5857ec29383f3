"""The configuration for numbers: predictions1 and predictions2, no references."""

from unittest import mock

import evaluate
import numpy as np
import pandas as pd
import pytest
from datasets import Dataset, Features, Value

from corpora.small import EXPECTED_OF_SCORES, SCORES
from pairedperm import InputError, paired_permutation_test
from pairedperm.scoring.rows import Rows


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


def test_many_scores_are_counted_once(scores):
    one, two = np.random.default_rng(0).integers(0, 40, (2, 5000))
    expected = paired_permutation_test(one, two).to_dict()
    with mock.patch.object(Rows, "distinct", side_effect=AssertionError("counted again")):
        assert scores.compute(predictions1=one, predictions2=two) == expected


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


def test_a_number_in_a_systems_place(scores):
    """It is doubted as by the function, in one go and in batches."""
    columns = {"predictions1": [1] * 20, "predictions2": [0.95] * 20}
    for added in (False, True):
        if added:
            scores.add_batch(**columns)
        with pytest.warns(UserWarning, match="p tests symmetry about 0.95, not the") as caught:
            found = scores.compute(**({} if added else columns))
        assert caught[0].filename == __file__
        assert found["constant"] == 0.95
    assert "constant" not in scores.compute(**columns, constant="system")


def test_a_bad_batch_of_scores_is_not_added(scores):
    scores.add_batch(**SCORES)
    with pytest.raises(InputError):
        scores.add_batch(predictions1=[None], predictions2=[1])
    with pytest.raises(InputError):
        scores.compute(predictions1=[None], predictions2=[1])
    assert scores.compute() == EXPECTED_OF_SCORES


@pytest.mark.parametrize("held", [1, 1000])
def test_units_that_do_not_fit_together(scores, hold, held):
    hold(held)
    scores.add_batch(predictions1=[10**17], predictions2=[0])
    with pytest.raises(InputError, match="do not fit those added before"):
        scores.add_batch(predictions1=[0.125], predictions2=[0])
    with pytest.raises(InputError, match="do not fit those added before"):
        scores.compute(predictions1=[0.125], predictions2=[0])
    scores.add_batch(predictions1=[0.5], predictions2=[0])
    assert len(scores) == 2
    assert scores.compute()["n"] == 2
