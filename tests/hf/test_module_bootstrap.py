"""The bootstrap as users of evaluate meet it: loaded by name, in batches, with options."""

import json

import evaluate
import numpy as np
import pytest
from datasets import Dataset

from pairedperm import compare, paired_bootstrap_test
from pairedperm.hf import compare_dataset


@pytest.fixture
def paired_bootstrap(registered):
    return evaluate.load("paired_bootstrap")


def labels(rng, n, kind=int):
    columns = rng.integers(0, 3, (3, n))
    columns[0] = np.where(rng.random(n) < 0.6, columns[2], columns[0])
    names = ("predictions1", "predictions2", "references")
    return {name: [kind(x) for x in column] for name, column in zip(names, columns, strict=True)}


def test_result(paired_bootstrap):
    columns = labels(np.random.default_rng(0), 40)
    results = paired_bootstrap.compute(**columns)
    assert results == compare(**columns, test="bootstrap").to_dict()
    assert (results["test"], results["ties"], results["method"]) == (
        *("bootstrap", "include"),
        "exact",
    )
    wins = paired_bootstrap.compute(predictions1=[1] * 5, predictions2=[0] * 5, references=[1] * 5)
    assert (wins["p"], wins["log_p"], wins["p_low"], wins["p_high"]) == (0.0, None, 0.0, 0.0)
    json.dumps(wins, allow_nan=False)


@pytest.mark.parametrize("size", [7, 4100])
def test_batches(registered, size):
    """Held, or counted before others come: the same bits as in one go."""
    columns = labels(np.random.default_rng(1), 6 * size // 4)
    of_test = {"rng": 3, "n_resamples": 200, "alternative": "greater", "ties": "exclude"}
    whole = compare(**columns, metric="f1", average="macro", test="bootstrap", **of_test)
    module = evaluate.load("paired_bootstrap", "f1", average="macro")
    for start in range(0, len(columns["references"]), size):
        part = {name: column[start : start + size] for name, column in columns.items()}
        module.add_batch(**part)
    assert module.compute(**of_test) == whole.to_dict()


def test_scores(registered):
    rng = np.random.default_rng(2)
    scores1, scores2 = np.round(rng.random((2, 50)), 3)
    module = evaluate.load("paired_bootstrap", "scores")
    module.add_batch(predictions1=scores1[:20], predictions2=scores2[:20])
    results = module.compute(predictions1=scores1[20:], predictions2=scores2[20:])
    assert results == paired_bootstrap_test(scores1, scores2).to_dict()
    reals = rng.normal(size=(2, 100))
    for options in ({"rng": 0}, {"method": "monte_carlo", "rng": 1, "n_resamples": 99}):
        module.add_batch(predictions1=reals[0, :9], predictions2=reals[1, :9])
        results = module.compute(predictions1=reals[0, 9:], predictions2=reals[1, 9:], **options)
        assert results == paired_bootstrap_test(*reals, **options).to_dict()
        assert results["method"] == "monte_carlo"


def test_datasets():
    columns = labels(np.random.default_rng(3), 60)
    result = compare_dataset(Dataset.from_dict(columns), test="bootstrap", ties="exclude")
    assert result == compare(**columns, test="bootstrap", ties="exclude")
