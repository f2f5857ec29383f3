"""Which examples speak for which system."""

import numpy as np
import pytest
from hypothesis import given

from corpora.logs import save
from pairedperm.readers import read_runs
from pairedperm.readers.examples import flips
from properties import cases, generators


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("flips")


def rows_of(**columns):
    rows = zip(*(np.asarray(x).tolist() for x in columns.values()), strict=True)
    return [
        {"id": f"d{k:02}", **dict(zip(columns, row, strict=True))} for k, row in enumerate(rows)
    ]


@cases(0.5)
@given(rng=generators)
def test_scores(folder, rng):
    one, two = rng.integers(0, 3, (2, 12)) / 2
    paths = (
        save(folder / "a.jsonl", rows_of(score=one)),
        save(folder / "b.jsonl", rows_of(score=two)),
    )
    more, less = (tuple(f"d{k:02}" for k in np.flatnonzero(x)) for x in (one > two, one < two))
    runs = read_runs(*paths)
    assert flips(runs.examples()) == (more, less)
    assert flips(runs.examples(lower_is_better=True)) == (less, more)
    result = runs.compare()
    assert (result.n_wins, result.n_losses) == (len(more), len(less))


@pytest.mark.parametrize("has_groups", [False, True])
@pytest.mark.parametrize("metric", ["accuracy", "f1"])
def test_predictions(has_groups, metric, two):
    rng = np.random.default_rng(6)
    right = rng.integers(0, 2, 30)
    columns = {"reference": right} | ({"group": np.arange(30) // 3} if has_groups else {})
    answers = [np.where(rng.random(30) < p, right, 1 - right) for p in (0.8, 0.6)]
    runs = read_runs(*two(*(rows_of(prediction=x, **columns) for x in answers)))
    found = flips(runs.examples(metric))
    wanted = [
        tuple(f"d{k:02}" for k in np.flatnonzero((x == right) & (y != right)))
        for x, y in (answers, answers[::-1])
    ]
    assert found == tuple(wanted)
    result = runs.compare(metric)
    assert (result.n_wins, result.n_losses) == tuple(map(len, found))


def test_real_scores(two):
    one, other = np.random.default_rng(1).normal(size=(2, 9))
    found = flips(read_runs(*two(rows_of(score=one), rows_of(score=other))).examples())
    assert [*map(len, found)] == [np.sum(one > other), np.sum(one < other)]


def test_runs_of_an_example_are_none_of_either(two):
    rows = [{"id": k // 2, "prediction": k % 2, "reference": 1} for k in range(8)]
    runs = read_runs(*two(rows, rows), repeats=True)
    assert flips(runs.examples("accuracy")) is None
    found = runs.compare("accuracy")  # of two runs one is 1: they look one-hot, and are runs
    assert (found.score1, found.n, found.n_groups) == (0.5, 8, 4)
