"""Runs that are matched, and what compares them: as `compare` of columns aligned by hand."""

import datasets
import numpy as np
import pytest
from hypothesis import given

from corpora.logs import GATE, lm_eval, save
from pairedperm import compare, compare_many, paired_bootstrap_test
from pairedperm.readers import read_folder, read_runs
from pairedperm.scoring import F1
from properties import cases, generators

N = 16


def rows_of(rng, **more):
    """A table of three classes, some of it right."""
    right = np.random.default_rng(1).integers(0, 3, N)
    answers = np.where(rng.random(N) < 0.6, right, rng.integers(0, 3, N))
    names = ("id", "prediction", "reference", "acc", "chrf", *more)
    scores = rng.integers(0, 100, N) / 10
    columns = (np.arange(N), answers, right, answers == right, scores, *more.values())
    rows = zip(*(np.asarray(x).tolist() for x in columns), strict=True)
    return [dict(zip(names, row, strict=True)) for row in rows]


def column(rows, name):
    return [row[name] for row in sorted(rows, key=lambda row: row["id"])]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.mark.thorough
@cases(0.2)
@given(rng=generators)
def test_as_aligned_by_hand(folder, rng):
    groups = np.arange(N) // 2
    one, two = ([*rng.permutation(rows_of(rng, group=groups))] for _ in range(2))
    paths = save(folder / "a.jsonl", one), save(folder / "b.jsonl", two)
    runs = read_runs(*paths, score=["acc", "chrf"])
    given = {"groups": column(one, "group"), "confidence_level": 0.95}
    for metric in ("acc", "chrf"):
        scores = column(one, metric), column(two, metric)
        known = {"score_range": (0, 1)} if metric == "acc" else {}  # by its name
        wanted = compare(*scores, None, "mean_score", of=metric, **known, **given)
        assert runs.compare(metric).to_dict() == wanted.to_dict()
    labels = column(one, "prediction"), column(two, "prediction"), column(one, "reference")
    for metric, options in (
        ("accuracy", {}),
        ("f1", {"pos_label": 1}),
        ("cohen_kappa", {}),
    ):
        wanted = compare(*labels, metric, **options, **given).to_dict()
        assert runs.compare(metric, metric_options=options).to_dict() == wanted
    del given["confidence_level"]
    drawn = {"rng": 3, "n_resamples": 99}
    found = runs.compare("accuracy", test="bootstrap", **drawn)
    assert found == compare(*labels, test="bootstrap", **drawn, **given)
    found = runs.compare("chrf", test="bootstrap", **drawn)
    plain = paired_bootstrap_test(column(one, "chrf"), column(two, "chrf"), **drawn, **given)
    assert found.pvalue == plain.pvalue


def test_a_leaderboard(folder):
    rng = np.random.default_rng(9)
    rows = {name: rows_of(rng) for name in "abc"}
    paths = [save(folder / f"{name}.jsonl", x[::-1]) for name, x in rows.items()]
    runs = read_folder(*paths)
    systems = {name: column(x, "prediction") for name, x in rows.items()}
    right = column(rows["a"], "reference")
    options = {"baseline": "b", "correction": "bh", "alpha": 0.1}
    assert runs.leaderboard(**options) == compare_many(systems, right, "accuracy", **options)
    found = runs.leaderboard(F1(pos_label=2))
    assert found == compare_many(systems, right, F1(pos_label=2))
    found = runs.leaderboard("f1", metric_options={"pos_label": 2})
    assert found == compare_many(systems, right, "f1", pos_label=2)


def test_what_is_printed():
    runs = read_runs(GATE / "baseline", GATE / "candidate")
    lines = [
        "scikit-learn/logistic_regression, scikit-learn/naive_bayes on tumors",
        "240 examples matched by id",
        "metrics: acc, acc_norm",
    ]
    assert str(runs) == repr(runs) == "\n".join(lines)
    assert (runs.task, len(runs.ids), runs.metrics) == ("tumors", 240, ("acc", "acc_norm"))


def test_metrics_that_are_named():
    runs = read_runs(lm_eval("naive_bayes"), lm_eval("decision_tree"))
    assert runs.compare("acc,none") == runs.compare("acc")


def test_a_metric_that_one_log_lacks(two):
    rows = [{"id": k, "score": 1, "a": 1, "b": 2} for k in range(3)]
    less = [{"id": k, "a": None, "b": 2} for k in range(3)]
    runs = read_runs(*two(rows, less), score=["a", "b"])
    assert runs.metrics == ("b",)
    assert runs.compare().n == 3
    runs.systems["b"].scores["c"] = runs.systems["b"].scores.pop("b")
    assert "metrics: none" in str(runs)


def test_predictions_without_references(two):
    rows = [{"id": k, "prediction": [0, 1]} for k in range(6)]
    runs = read_runs(*two(rows, rows))
    assert runs.metrics == ("accuracy",)
    assert runs.compare("pass_at_k", metric_options={"k": 1}).score1 == 0.5  # which needs none


def test_which_way_is_better_of_predictions(two):
    rows = [{"id": k, "prediction": 1, "reference": k % 2} for k in range(6)]
    runs = read_runs(*two(rows, rows))
    assert runs.compare("accuracy", lower_is_better=False).pvalue == 1.0


def test_datasets():
    rng = np.random.default_rng(4)
    tables = [rows_of(rng), rows_of(rng)]
    runs = read_runs(*(datasets.Dataset.from_list(x) for x in tables), score="acc")
    assert [*runs.systems] == ["the dataset path1", "the dataset path2"]
    found = runs.compare("accuracy")
    assert found.pvalue == runs.compare("acc").pvalue


@pytest.mark.thorough
def test_a_hundred_thousand(two):
    rng = np.random.default_rng(8)
    scores = rng.integers(0, 2, (2, 100_000)).tolist()
    rows = [[{"id": k, "score": x} for k, x in enumerate(y)] for y in scores]
    found = read_runs(*two(rows[0][::-1], rows[1])).compare()
    assert found.pvalue == compare(*scores, None, "mean_score").pvalue
