"""What is compared under a metric, as `compare` of columns aligned by hand; and its flips."""

import re
from dataclasses import fields
from inspect import getdoc

import numpy as np
import pytest
from hypothesis import given

from corpora.logs import rows_of, save
from pairedperm import compare, compare_many, paired_bootstrap_test
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.files import ReadOptions
from pairedperm.scoring import F1
from properties import cases, generators

N = 16
NAN, INF = float("nan"), float("inf")


def table(rng, **more):
    """Answers to three classes, some of them right, and scores."""
    right = np.random.default_rng(1).integers(0, 3, N)
    answers = np.where(rng.random(N) < 0.6, right, rng.integers(0, 3, N))
    columns = {"prediction": answers, "reference": right, "acc": answers == right, **more}
    listed = {x: y.tolist() for x, y in columns.items()}
    return rows_of(**listed, chrf=(rng.integers(0, 100, N) / 10).tolist())


def column(rows, name):
    return [row[name] for row in sorted(rows, key=lambda row: row["id"])]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@cases(0.2)
@given(rng=generators)
def test_as_aligned_by_hand(folder, rng):
    """Whichever order the lines have: the same bits of each metric and test."""
    one, two = ([*rng.permutation(table(rng, group=np.arange(N) // 2))] for _ in range(2))
    paths = save(folder / "a.jsonl", one), save(folder / "b.jsonl", two)
    runs = read_runs(*paths, score=["acc", "chrf"])
    given = {"groups": column(one, "group"), "confidence_level": 0.95}
    for metric in ("acc", "chrf"):
        scores = column(one, metric), column(two, metric)
        known = {"score_range": (0, 1)} if metric == "acc" else {}  # by its name
        wanted = compare(*scores, None, "mean_score", of=metric, **known, **given)
        assert runs.compare(metric).to_dict() == wanted.to_dict()
    labels = column(one, "prediction"), column(two, "prediction"), column(one, "reference")
    for metric, options in (("accuracy", {}), ("f1", {"pos_label": 1})):
        wanted = compare(*labels, metric, **options, **given).to_dict()
        assert runs.compare(metric, metric_options=options).to_dict() == wanted
    del given["confidence_level"]
    drawn = {"rng": 3, "n_resamples": 99}
    found = runs.compare("accuracy", test="bootstrap", **drawn)
    assert found == compare(*labels, test="bootstrap", **drawn, **given)
    plain = paired_bootstrap_test(column(one, "chrf"), column(two, "chrf"), **drawn, **given)
    assert runs.compare("chrf", test="bootstrap", **drawn).pvalue == plain.pvalue


def test_a_leaderboard(folder):
    rows = {name: table(np.random.default_rng(k)) for k, name in enumerate("abc")}
    runs = read_folder(*(save(folder / f"{name}.jsonl", x[::-1]) for name, x in rows.items()))
    systems = {name: column(x, "prediction") for name, x in rows.items()}
    right = column(rows["a"], "reference")
    options = {"baseline": "b", "correction": "bh", "alpha": 0.1}
    assert runs.leaderboard(**options) == compare_many(systems, right, "accuracy", **options)
    wanted = compare_many(systems, right, F1(pos_label=2))
    assert runs.leaderboard("f1", metric_options={"pos_label": 2}) == wanted
    assert runs.leaderboard("f1", pos_label=2) == wanted


def test_the_options_that_are_listed_are_those_that_are_read():
    """In the help."""
    listed = [x.name for x in fields(ReadOptions)]
    for read in (read_runs, read_folder):
        parameters, _, _ = getdoc(read).partition("Returns\n")
        assert {*listed} <= {*re.findall(r"\w+", parameters)}
        with pytest.raises(TypeError, match=r"option 'tasks'\. Did you mean task=\.\.\."):
            read("a.jsonl", "b.jsonl", tasks="x")


def test_metrics_of_predictions(two):
    """One needs no references; a direction may be said as it is."""
    rows = rows_of(prediction=[[0, 1]] * 6)
    runs = read_runs(*two(rows, rows))
    assert runs.metrics == ("accuracy",)
    assert runs.compare("pass_at_k", metric_options={"k": 1}).score1 == 0.5
    rows = rows_of(prediction=[1, 1], reference=[0, 1])
    assert read_runs(*two(rows, rows)).compare("accuracy", lower_is_better=False).pvalue == 1.0


GROUPS = {0: "x", 1: "x", 2: "y", 3: "y", 9: "z"}


def test_groups_by_id(two):
    """As a column of groups: logs of tools have none."""
    scores, others = [1, 1, 1, 0], [0, 1, 0, 0]
    given = {"of": "score", "groups": [GROUPS[k] for k in range(4)]}
    runs = read_runs(*two(rows_of(score=scores)[::-1], rows_of(score=others)))
    found, wanted = (
        runs.compare(groups=GROUPS),
        compare(scores, others, None, "mean_score", **given),
    )
    assert (found.pvalue, found.n_groups) == (wanted.pvalue, 2)
    board = compare_many({"a": scores, "b": others}, None, "mean_score", **given)
    assert runs.leaderboard(groups=GROUPS) == board
    own = rows_of(score=[1, 1, None, 0], group=[1, 2, 3, 4])
    named = read_runs(*two(own, rows_of(score=others)), on_missing="drop")
    assert (named.compare().n_groups, named.compare(groups=GROUPS).n_groups) == (3, 2)
