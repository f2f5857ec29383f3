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


def with_ids(**ids):
    return dict.fromkeys(COLUMNS, IDS) | ids


LONG = [*range(10_000)]


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (
            with_ids(references=IDS[1:]),
            r"`ids\['references'\]` lacks 1 id that others have: 'docu",
        ),
        (
            with_ids(predictions2=[*IDS[:-1], "x"]),
            r"`ids\['predictions1'\]` lacks 1 id that others have: 'x'\. Compare the same",
        ),
        (
            with_ids(predictions2=[*IDS, IDS[3]]),
            r"`ids\['predictions2'\]` holds 1 id more than once: 'document 003'\. A sampler over",
        ),
        (IDS[:-1], "`ids` must have an id for each entry of `predictions1`: it has 59 for 60"),
        ([*IDS, "y"], "`ids` must have an id for each entry of `predictions1`: it has 61 for 60"),
        ([*IDS[:-1], IDS[0]], "`ids` holds 1 id more than once: 'document 000'"),
        ([1.5] * N, r"`ids`\[0\] is 1\.5 \(float\)\. Give each example one id"),
        ([None] * N, r"`ids`\[0\] is None \(NoneType\)"),
        ([], "`ids` is empty"),
        (
            with_ids(predictions2=[*range(N)]),
            r"^`ids\['predictions2'\]` has the id 0 \(int\), and `ids\['predictions1'\]` has 'docu",
        ),
        (with_ids(predictions3=IDS), "must have the ids of predictions1, predictions2, references"),
        ({}, "got those of nothing. Or give one column of ids for all"),
        ({"predictions1": IDS}, r"references, got those of 'predictions1'\."),
        (
            with_ids(references=LONG, predictions1=LONG[::2], predictions2=LONG),
            r"`ids\['predictions1'\]` lacks 5,000 ids that others have: 1, 3, 5, 7, 9, 11, 13, 15"
            r", 17, 19 and 4,990 more\. ",
        ),
    ],
)
def test_refused(ids, message):
    with pytest.raises(InputError, match=message):
        load("paired_perm").compute(**COLUMNS, ids=ids)


def test_groups_need_ids_too():
    with pytest.raises(InputError, match="the ids of predictions1, predictions2, references, gro"):
        load("paired_perm").compute(**COLUMNS, groups=GROUPS, ids=with_ids())
    with pytest.raises(
        InputError, match=r"`ids` must have an id for each entry of `groups`: it has 60 for 59"
    ):
        load("paired_perm").compute(**COLUMNS, groups=GROUPS[1:], ids=IDS)


def test_examples_that_were_added_have_no_ids():
    module = load("paired_perm")
    module.add_batch(**COLUMNS)
    with pytest.raises(InputError, match="`ids` needs all columns in one call of compute, and ex"):
        module.compute(**COLUMNS, ids=IDS)
    assert len(module) == N
    module.reset()
    assert module.compute(**COLUMNS, ids=IDS) == compare(**COLUMNS).to_dict()


def test_nothing_but_ids():
    with pytest.raises(InputError, match="there is nothing to compare"):
        load("paired_perm").compute(ids=IDS)


def test_not_for_several_processes(tmp_path):
    options = {"num_process": 2, "process_id": 0, "cache_dir": str(tmp_path)}
    module = load("paired_perm", experiment_id="ids", **options)
    for name, value in (("ids", IDS), ("groups", GROUPS)):
        with pytest.raises(InputError, match=f"`{name}` is not for several processes: compute in"):
            module.compute(**COLUMNS, **{name: value})
