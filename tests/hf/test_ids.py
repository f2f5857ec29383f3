"""Ids of columns in `compute`: matched as by hand, in any order."""

import datasets
import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from pairedperm import InputError, compare, load, paired_permutation_test
from properties import cases, generators

RNG = np.random.default_rng(11)
N = 60
REFERENCES = RNG.integers(0, 2, N)
COLUMNS = {
    **{
        f"predictions{k}": np.where(RNG.random(N) < p, REFERENCES, 2)
        for k, p in ((1, 0.9), (2, 0.6))
    },
    "references": REFERENCES,
}
IDS = [f"document {k:03}" for k in range(N)]
GROUPS = RNG.integers(0, 9, N)


def shuffled(rng, columns):
    """Columns and the ids of each, each in another order."""
    orders = {name: rng.permutation(N) for name in columns}
    ids = {name: [IDS[k] for k in order] for name, order in orders.items()}
    return {name: np.asarray(columns[name])[order] for name, order in orders.items()}, ids


@cases(0.5)
@given(rng=generators)
def test_columns_in_orders_of_their_own(rng):
    columns, ids = shuffled(rng, COLUMNS | {"groups": GROUPS})
    options = {"method": "monte_carlo", "n_resamples": 99, "rng": 3}
    found = load("paired_perm").compute(**columns, ids=ids, **options)
    assert found == compare(**COLUMNS, groups=GROUPS, **options).to_dict()


@pytest.mark.parametrize("module", ["paired_perm", "paired_bootstrap"])
def test_one_column_of_ids_for_all(module):
    order = RNG.permutation(N)
    columns = {name: x[order] for name, x in COLUMNS.items()}
    test = {"paired_perm": "permutation", "paired_bootstrap": "bootstrap"}[module]
    options = {"groups": GROUPS[order], "rng": 0}
    found = load(module).compute(**columns, ids=[IDS[k] for k in order], **options)
    expected = compare(**COLUMNS, test=test, groups=GROUPS, rng=0)
    assert found == expected.to_dict()
    ids = {name: [IDS[k] for k in order] for name in (*columns, "groups")}
    assert load(module).compute(**columns, ids=ids, **options) == found


def test_real_scores_give_the_same_bits():
    scores = {f"predictions{k}": np.exp(RNG.normal(size=N)) for k in (1, 2)}
    options = {"method": "monte_carlo", "n_resamples": 99, "rng": 1}
    expected = paired_permutation_test(*scores.values(), **options).to_dict()
    for _ in range(3):
        columns, ids = shuffled(RNG, scores)
        assert load("paired_perm", "scores").compute(**columns, ids=ids, **options) == expected


@pytest.mark.parametrize(
    "given",
    [list, tuple, np.array, pd.Series, lambda x: datasets.Dataset.from_dict({"x": x})["x"]],
)
def test_kinds_of_columns(given):
    ids = given([3, 1, 2])
    columns = {"predictions1": given([1, 0, 1]), "predictions2": given([0, 0, 0])}
    references = pd.Series([1, 1, 1], index=[1, 2, 3])
    other = {"predictions1": ids, "predictions2": ids, "references": references.index}
    found = load("paired_perm").compute(**columns, references=references, ids=other)
    assert found == compare([0, 1, 1], [0, 0, 0], [1, 1, 1]).to_dict()


def test_lists_of_labels():
    columns = {
        "predictions1": [["O", "B-x"], ["O"]],
        "predictions2": [["O"], ["O", "O"]],
        "references": [["O", "B-x"], ["O"]],
    }
    ids = {"predictions1": "ab", "predictions2": "ba", "references": "ab"}
    ids = {name: [*x] for name, x in ids.items()}
    found = load("paired_perm", "span_f1").compute(**columns, ids=ids)
    columns["predictions2"] = columns["predictions2"][::-1]
    assert found == compare(**columns, metric="span_f1").to_dict()


def test_examples_that_were_added_have_no_ids():
    module = load("paired_perm")
    module.add_batch(**COLUMNS)
    with pytest.raises(InputError):
        module.compute(**COLUMNS, ids=IDS)
    assert len(module) == N
    module.reset()
    assert module.compute(**COLUMNS, ids=IDS) == compare(**COLUMNS).to_dict()
