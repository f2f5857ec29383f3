"""Two systems under several metrics, or on several tasks: p adjusted for their number."""

import json
import re

import pytest
from statsmodels.stats.multitest import multipletests

from corpora.logs import GATE, LOGS, save
from pairedperm import InputError
from pairedperm.readers import read_runs
from pairedperm.readers.comparisons import compare_all
from pairedperm.readers.read import read_tasks
from pairedperm.readers.read_options import ReadOptions
from properties import one_in

UNSCORED = [{"doc_id": k, "resps": [], "filter": "none", "metrics": []} for k in range(3)]
METHODS = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh", "by": "fdr_by"}


def of_folders(*folders):
    options = {"task": None, "format": None, "references": None, "repeats": False}
    found = read_tasks(*folders, ReadOptions(**options))
    return [*found.values()]


@pytest.fixture(scope="module")
def tasks():
    return of_folders(
        *(next(LOGS.glob(f"lm_eval/*{x}")) for x in ("logistic_regression", "naive_bayes"))
    )


@one_in(3)
@pytest.mark.parametrize("correction", METHODS)
def test_adjusted(correction, tasks):
    found, examples = compare_all(tasks, correction=correction, alternative="greater")
    assert [*found.results] == [
        ("findings", "exact_match,strict-match"),
        ("findings", "exact_match,flexible-extract"),
        ("tumors", "acc"),
        ("tumors", "acc_norm"),
    ]
    assert [x.name for x in examples] == [name for _, name in found.results]
    for (task, name), result in found.results.items():
        (runs,) = (x for x in tasks if x.task == task)
        assert result == runs.compare(name, alternative="greater")
    p = [x.pvalue for x in found.results.values()]
    adjusted = multipletests(p, method=METHODS[correction])[1]
    assert [x["p_adjusted"] for x in found.tests] == pytest.approx(adjusted.tolist(), rel=1e-12)
    assert [x["p"] for x in found.tests] == p


def test_a_metric_that_only_some_examples_have(tmp_path):
    """It blocks no other; named, it is refused, and with drop it is compared."""
    rows = {"a": (1, 1, 1, 1), "b": (0, 0, 0, 0)}
    paths = [
        save(
            tmp_path / f"{name}.jsonl",
            [{"id": k, "whole": x} | ({"part": x} if k else {}) for k, x in enumerate(scores)],
        )
        for name, scores in rows.items()
    ]
    runs = read_runs(*paths, score=["whole", "part"])
    found, _ = compare_all([runs])
    assert {name: x.n for (_, name), x in found.results.items()} == {"whole": 4}
    assert found.tests[0]["p_adjusted"] == 1 / 8
    (note,) = map(str, found.left_out)
    each = "; ".join(f"1 without a score in {path}: 0" for path in paths)
    assert note == f"left out: part: {each}"
    with pytest.raises(InputError, match="not all examples are scored"):
        compare_all([runs], metrics=["part"])
    dropped = read_runs(*paths, score=["whole", "part"], on_missing="drop")
    found, _ = compare_all([dropped])
    assert [x.n for x in found.results.values()] == [4, 3]
    with pytest.raises(InputError, match="not all examples are scored"):
        compare_all([read_runs(*paths, score="part")])  # no metric is whole


def test_not_adjusted(tasks):
    found, _ = compare_all(tasks, correction=None)
    assert [x["p_adjusted"] for x in found.tests] == [x["p"] for x in found.tests]


def test_named_metrics_and_options(tasks):
    found, examples = compare_all(tasks[1:], metrics=["acc"], lower_is_better=True, alpha=0.2)
    assert [*found.results] == [("tumors", "acc")]
    assert examples[0].direction == (True, "caller")
    assert found.alpha == 0.2


def test_tasks_that_lack_the_metric(tasks, put):
    """They are left out, and listed; the others are compared, as if there were no more."""
    found, examples = compare_all(tasks, metrics=["acc"])
    assert [*found.results] == [("tumors", "acc")]
    assert len(examples) == 1
    assert found.tests[0]["p_adjusted"] == found.tests[0]["p"]
    (line,) = map(str, found.left_out)
    assert re.fullmatch(r"left out: task 'findings': .*samples_findings_.* lacks 'acc'", line)
    unscored = read_runs(*(put(f"{x}.jsonl", UNSCORED) for x in "ab"))
    found, _ = compare_all([unscored, *tasks])
    assert len(found.results) == 4
    (line,) = map(str, found.left_out)
    assert line == (
        f"left out: task '': the runs have no metric in common: {unscored.systems['a'].path} has "
        f"no scores; {unscored.systems['b'].path} has no scores"
    )


def test_predictions_with_options(two):
    rows = [{"id": k, "prediction": k % 2, "reference": 1} for k in range(9)]
    runs = read_runs(*two(rows, rows))
    found, _ = compare_all([runs])
    assert [*found.results] == [("", "accuracy")]
    found, _ = compare_all([runs], metrics=["f1"], metric_options={"pos_label": 1})
    assert found.results["", "f1"] == runs.compare("f1", metric_options={"pos_label": 1})


def test_printed():
    found, _ = compare_all(of_folders(GATE / "baseline", GATE / "worse"))
    lines = str(found).split("\n")
    assert str(found) == repr(found)
    assert lines[0].split("  ")[0] == "task"
    assert "system 1" in lines[0]  # the names of the systems are long
    assert max(map(len, lines)) <= 80
    assert "0.00434" in lines[1]
    n_found = sum(x["p_adjusted"] <= 0.05 for x in found.tests)
    assert lines[-1] == f"Significant: {n_found} of 2 (Holm, α = 0.05)."
    markdown = found.to_markdown()
    assert markdown.startswith("| task | metric | n | scikit-learn/logistic_regression | scikit")
    assert "| tumors | acc | 240 |" in markdown
    assert "acc_norm" in markdown
    data = json.loads(json.dumps(found.to_dict()))
    assert (data["system1"], data["correction"], data["alpha"]) == (
        "scikit-learn/logistic_regression",
        "holm",
        0.05,
    )
    assert [(x["task"], x["logged"]) for x in data["tests"]] == [
        ("tumors", "acc"),
        ("tumors", "acc_norm"),
    ]


def test_printed_of_tables(two):
    """Without a task, and names that are short."""
    rows = [{"id": k, "a|b": 1, "c": 2} for k in range(3)]
    found, _ = compare_all([read_runs(*two(rows, rows), score=["a|b", "c"])])
    assert str(found).split("\n")[0].split() == [
        "metric",
        "n",
        "a",
        "b",
        "difference",
        "p",
        "adjusted",
        "p",
    ]
    assert found.to_markdown().startswith("| metric | n | a | b | difference | p | adjusted p |")
    assert r"| a\|b | 3 |" in found.to_markdown()


def of_promptfoo(path, success, score):
    """What promptfoo writes of a provider whose assertions are all of weight 1, or not."""
    rows = [
        {"provider": {"id": "x", "label": ""}, "testIdx": k, "promptIdx": 0, "vars": {"n": k}}
        | {"success": bool(x), "score": y, "failureReason": 0 if x else 1, "namedScores": {}}
        for k, (x, y) in enumerate(zip(success, score, strict=True))
    ]
    return save(path, json.dumps({"evalId": "eval-x", "results": {"version": 3, "results": rows}}))


@pytest.mark.parametrize("second", [1, 0.5])
def test_a_metric_that_is_another(second, tmp_path):
    """Six wins have p = 2 / 2^6; of two tests it would be doubled."""
    right = [1] * 6
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    of_promptfoo(tmp_path / "a/new.json", right, [1] * 5 + [second])
    of_promptfoo(tmp_path / "b/old.json", [0] * 6, [0] * 6)
    runs = read_runs(tmp_path / "a/new.json", tmp_path / "b/old.json")
    assert runs.metrics == ("success", "score")  # either may be named
    found, examples = compare_all([runs])
    p = [x["p_adjusted"] for x in found.tests]
    if second == 1:
        assert (p, len(examples)) == ([2 / 2**6], 1)
        same = "left out: score: the same as success in all examples, and no test of its own"
        assert found.left_out == (same,)
        assert runs.compare().pvalue == runs.suite().pvalue == 2 / 2**6
        assert [x["p"] for x in runs.leaderboard().pairs] == [2 / 2**6]
    else:
        for door in (runs.compare, runs.suite, runs.leaderboard):
            with pytest.raises(InputError, match="the runs have several: 'success', 'score'"):
                door()
        assert (p, found.left_out) == ([4 / 2**6] * 2, ())
    named, _ = compare_all([runs], metrics=["success", "score"])
    assert len(named.tests) == 2


def test_metrics_of_another_direction(two):
    """The same numbers, of which one counts errors."""
    one, other = ([{"id": k, "errors": x, "right": x} for k in range(3)] for x in (0, 1))
    found, _ = compare_all([read_runs(*two(one, other), score=["errors", "right"])])
    assert [x.result.n_wins for x in found._tests] == [3, 0]
    runs = read_runs(*two(one, other), score=["errors", "right"])
    with pytest.raises(InputError, match="the runs have several: 'errors', 'right'"):
        runs.compare()
    assert runs.compare(lower_is_better=True).n_wins == 3
