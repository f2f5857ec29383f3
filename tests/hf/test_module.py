"""The module as users meet it: loaded by evaluate, offline, from the registered script."""

import copy
import json
import multiprocessing
import pickle
import tracemalloc
import warnings
from pathlib import Path

import evaluate
import multiprocess
import numpy as np
import pandas as pd
import pytest
from datasets import Dataset, Features, Value
from datasets.fingerprint import Hasher

from corpora.small import COLUMNS, EXPECTED, EXPECTED_OF_SCORES, SCORES
from extras import on_posix
from pairedperm import compare, load
from pairedperm.hf import PairedComparison
from pairedperm.model_card import significance_section
from pairedperm.scoring import F1, ChrF, ExactMatch, SquadF1

TAGGED = {name: [[f"{'BI'[x % 2]}-{x}", "O"] for x in column] for name, column in COLUMNS.items()}
TEXTS = {name: [f"{'Aa'[x % 2]} b", "c d"] for name, x in zip(COLUMNS, (0, 1, 1), strict=True)}


def test_a_result_is_stored(paired_perm, tmp_path):
    result = paired_perm.compute(**COLUMNS)
    assert result == EXPECTED
    assert {type(value) for value in result.values()} <= {float, int, str, type(None)}
    saved = evaluate.save(tmp_path / "result.json", **result)
    stored = json.loads(Path(saved).read_text("utf-8"))
    assert {key: stored[key] for key in result} == result
    assert significance_section(stored) == significance_section(compare(**COLUMNS).to_dict())


def test_what_holds_columns(paired_perm):
    """Series in any order, columns of datasets, digits that are strings."""
    series = {k: pd.Series(v, index=[7, 3, 9, 1, 0, 2]) for k, v in COLUMNS.items()}
    assert paired_perm.compute(**series) == EXPECTED
    kinds = Features({"predictions1": Value("float64"), "predictions2": Value("float32")})
    dataset = Dataset.from_dict(SCORES, features=kinds)
    scores = {k: dataset[k] for k in SCORES}
    assert load("paired_perm", "scores").compute(**scores) == EXPECTED_OF_SCORES
    one, right = ["01", "1"], ["1", "1"]
    digits = paired_perm.compute(predictions1=one, predictions2=right, references=right)
    assert (digits["score1"], digits["score2"]) == (0.5, 1.0)


def every(column):
    """The same in each column of labels."""
    return dict.fromkeys(COLUMNS, column)


# Options


def f1(**options):
    return {"metric": "f1", **options}


ZERO, FIRST, OTHERS = {"pos_label": 0}, {"labels": [0]}, {"labels": [0, 2]}
MICRO, MACRO = {"average": "micro"}, {"average": "macro"}
FBETA, BALANCED = ("fbeta", ZERO | {"beta": 0.5}), {"metric": "balanced_accuracy"}


@pytest.mark.parametrize(
    ("loaded", "given", "whole"),
    [
        # An object has its own.
        ((None, {}), {"metric": ExactMatch()}, {"metric": "exact_match"}),
        (("f1", MICRO | FIRST), {"metric": F1(**MACRO)}, f1(**MACRO)),
        (("exact_match", {}), {"metric": "accuracy"}, {}),
        # What is said again is said anew, also that there is none.
        (("f1", MACRO | OTHERS), MICRO, f1(**MICRO, **OTHERS)),
        (("f1", MICRO | FIRST), {"labels": None}, f1(**MICRO)),
        (("f1", ZERO), MICRO | {"pos_label": None}, f1(**MICRO)),
        (("f1", ZERO), {"pos_label": 1}, f1(pos_label=1)),
        # They stay for another metric of their kind.
        (FBETA, {"metric": "precision"}, {"metric": "precision", **ZERO}),
        (FBETA, BALANCED, BALANCED),
    ],
)  # fmt: skip
def test_options_of_loading(registered, loaded, given, whole):
    metric, options = loaded
    module = load("paired_perm", metric, **options)
    assert module.compute(**COLUMNS, **given) == compare(**COLUMNS, **whole).to_dict()


def test_options_of_other_kinds_of_columns(registered):
    """Any metric may be named later, for what was added too."""
    for module, columns, metric in (
        (load("paired_perm", "f1", average="micro"), TAGGED, "span_f1"),
        (load("paired_perm"), TEXTS, SquadF1()),
    ):
        module.add_batch(**columns)
        found = module.compute(metric=metric, groups=["a", "a", *"bcdef"][: len(module)])
        columns = columns | {"groups": ["a", "a", *"bcdef"][: len(columns["references"])]}
        assert found == compare(**columns, metric=metric).to_dict()
    module, expected = load("paired_perm", "chrf", whitespace=True), ChrF(whitespace=True)
    for metric in ("chrf", expected):
        found = module.compute(**TEXTS, metric=metric)
        assert found == compare(**TEXTS, metric=expected).to_dict()


def test_combine(registered):
    metrics, greater = {"tokens": "accuracy", "whole": "exact_match"}, {"alternative": "greater"}
    results = {x: compare(**TAGGED, metric=y, **greater).to_dict() for x, y in metrics.items()}
    expected = {f"{x}_{key}": y for x, found in results.items() for key, y in found.items()}
    combined = evaluate.combine({x: evaluate.load("paired_perm", y) for x, y in metrics.items()})
    assert combined.compute(**TAGGED, **greater) == expected
    combined.add_batch(**{name: column[:4] for name, column in TAGGED.items()})
    for i in (4, 5):
        combined.add(**{name: column[i] for name, column in TAGGED.items()})
    assert combined.compute(**greater) == expected


# Copies


def added_by_map(module, **options):
    def add(batch):
        module.add_batch(**batch)

    Dataset.from_dict(COLUMNS).map(add, batched=True, batch_size=1, **options)


def test_map(paired_perm):
    added_by_map(paired_perm)
    assert paired_perm.compute() == EXPECTED


def computed(module):
    """What the module makes of examples, and of what went before."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module.add_batch(**COLUMNS)
        return module.compute()


@on_posix
@pytest.mark.parametrize("library", [multiprocessing, multiprocess])
def test_processes_that_compute_are_silent(paired_perm, library):
    with library.get_context("fork").Pool(1) as pool:
        assert pool.map(computed, [paired_perm]) == [EXPECTED]


@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy])
def test_a_copy_has_its_own_examples(paired_perm, again):
    """And by the hash `datasets` knows what it has mapped before."""
    assert Hasher.hash(paired_perm) == Hasher.hash(paired_perm)
    assert computed(again(paired_perm)) == EXPECTED
    paired_perm.add_batch(**COLUMNS)
    other, new = again(paired_perm), evaluate.load("paired_perm")
    other.add(predictions1=1, predictions2=0, references=1)
    assert isinstance(other, PairedComparison)
    assert (len(paired_perm), len(other), len(new)) == (6, 7, 0)
    assert other.compute()["n"] == 7


# Batches


def test_batches_are_copied(paired_perm):
    """Their buffers may be used again, also those of sequences."""
    for kind, buffers in ((int, {k: np.empty(3, int) for k in COLUMNS}), (str, every([]))):
        for start in (0, 3):
            for name, column in COLUMNS.items():
                buffers[name] = buffers[name] if kind is int else []
                buffers[name][:] = [kind(x) for x in column[start : start + 3]]
            paired_perm.add_batch(**buffers)
            for column in buffers.values():
                column[:] = [kind(9)] * 3
        assert paired_perm.compute() == EXPECTED
    row = [1, 2]
    paired_perm.add_batch(**every([row]))
    row[0] = 3
    paired_perm.add_batch(predictions1=[[2]], predictions2=[[1]], references=[[1]])
    assert paired_perm.compute(metric="exact_match")["score1"] == 0.5


@pytest.mark.parametrize("n", [1, 1000])
def test_memory(registered, n):
    """A million integers in each of three columns take 24 MB, whatever the batches."""
    module, columns = load("paired_perm"), every([10**6 + k for k in range(1000)])
    tracemalloc.start()
    for _ in range(n):
        module.add_batch(**columns)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held / n < 30e3 + 30e3 / n
