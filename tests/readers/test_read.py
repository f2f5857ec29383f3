"""Two files in, one result out, whichever order their lines have."""

import re
from dataclasses import fields
from inspect import getdoc

import numpy as np
import pytest
from hypothesis import given

from corpora.logs import save
from pairedperm import paired_permutation_test
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.read_options import ReadKeywords, ReadOptions
from properties import cases, generators, one_in

CASES = {
    "exact": ("score", {}),
    "groups": ("score", {}),
    "sampled": ("real", {"method": "monte_carlo", "rng": 5, "n_resamples": 99}),
    "real": ("real", {"rng": 1}),
    "bootstrap": ("real", {"test": "bootstrap", "rng": 2, "n_resamples": 99}),
    "labels": ("f1", {"metric_options": {"pos_label": 1}}),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("shuffled")


@one_in(5)
@cases(0.15)
@pytest.mark.parametrize("kind", CASES)
@given(rng=generators)
def test_the_order_of_lines_is_none(kind, folder, rng):
    """The same bits, whichever way each file is shuffled."""
    n = 14
    right = rng.integers(0, 3, n).tolist()
    rows = []
    for _ in range(2):
        scores, reals = (rng.integers(0, 9, n) / 10).tolist(), rng.normal(size=n).tolist()
        answers = np.where(rng.random(n) < 0.6, right, 1).tolist()
        groups = (np.arange(n) // 2).tolist() if kind == "groups" else [None] * n
        columns = zip(range(n), scores, reals, answers, right, groups, strict=True)
        names = ("id", "score", "real", "prediction", "reference", "group")
        rows.append([dict(zip(names, row, strict=True)) for row in columns])
    metric, options = CASES[kind]

    def found(first, second):
        paths = save(folder / "a.jsonl", first), save(folder / "b.jsonl", second)
        return read_runs(*paths, score=["score", "real"]).compare(metric, **options).to_dict()

    wanted = found(*rows)
    for _ in range(2):
        assert found(*(rng.permutation(x).tolist() for x in rows)) == wanted
    assert (wanted["n_groups"] is not None) is (kind == "groups")
    if kind == "exact":
        scores = [[row["score"] for row in x] for x in rows]
        assert wanted["p"] == paired_permutation_test(*scores).pvalue


def test_the_options_that_are_listed_are_those_that_are_read():
    """For type checkers, and in the help."""
    listed = [x.name for x in fields(ReadOptions)]
    assert [*ReadKeywords.__annotations__] == listed
    for read in (read_runs, read_folder):
        parameters, _, _ = getdoc(read).partition("Returns\n")
        assert {*listed} <= {*re.findall(r"\w+", parameters)}
        with pytest.raises(TypeError, match=r"option 'tasks'\. Did you mean task=\.\.\."):
            read("a.jsonl", "b.jsonl", tasks="x")
