"""Two systems under several metrics, or on several tasks: p adjusted for their number."""

import re

import pytest
from statsmodels.stats.multitest import multipletests

from corpora.logs import LOGS, lm_eval_log
from pairedperm import InputError
from pairedperm.readers import read_runs
from pairedperm.readers.read import compare_all
from readers.held import HELD, Row

ONE, TWO = (next(LOGS.glob(f"lm_eval/*{x}")) for x in ("logistic_regression", "naive_bayes"))
METHODS = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh", "by": "fdr_by", None: None}


@pytest.fixture(scope="module")
def tasks():
    return [*read_runs(ONE, TWO).tasks.values()]


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
    adjusted = multipletests(p, method=METHODS[correction])[1].tolist() if correction else p
    assert [x["p_adjusted"] for x in found.tests] == pytest.approx(adjusted, rel=1e-12)
    assert [x["p"] for x in found.tests] == p


def test_a_metric_that_only_some_examples_have(two):
    """It blocks no other; named, it is refused, and with drop it is compared."""
    paths = two(
        *([{"id": k, "whole": x} | ({"part": x} if k else {}) for k in range(4)] for x in (1, 0))
    )
    runs = read_runs(*paths, score=["whole", "part"])
    found, _ = compare_all([runs])
    assert {name: x.n for (_, name), x in found.results.items()} == {"whole": 4}
    assert found.tests[0]["p_adjusted"] == 1 / 8
    (note,) = map(str, found.left_out)
    assert note.startswith(f"left out: part: 1 without a score in {paths[0]}: 0; 1 without a score")
    with pytest.raises(InputError, match="not all examples are scored"):
        compare_all([runs], metrics=["part"])
    dropped = read_runs(*paths, score=["whole", "part"], on_missing="drop")
    found, _ = compare_all([dropped])
    assert [x.n for x in found.results.values()] == [4, 3]


UNSCORED = [{"doc_id": k, "resps": [], "filter": "none", "metrics": []} for k in range(3)]


def test_tasks_that_lack_the_metric(tasks, two):
    """They are left out, and listed; the others are compared, as if there were no more."""
    found, examples = compare_all(tasks, metrics=["acc"], lower_is_better=True, alpha=0.2)
    assert [*found.results] == [("tumors", "acc")]
    assert [x.direction for x in examples] == [(True, "caller")]
    assert (found.alpha, found.tests[0]["p_adjusted"]) == (0.2, found.tests[0]["p"])
    (line,) = map(str, found.left_out)
    assert re.fullmatch(r"left out: task 'findings': .*samples_findings_.* lacks 'acc'", line)
    unscored = read_runs(*two(UNSCORED, UNSCORED))
    found, _ = compare_all([unscored, *tasks])
    assert len(found.results) == 4
    (line,) = map(str, found.left_out)
    assert line == (
        f"left out: task '': the runs have no metric in common: {unscored.systems['a'].path} has "
        f"no scores; {unscored.systems['b'].path} has no scores"
    )


@pytest.mark.parametrize("second", [1, 0.5])
def test_a_metric_that_is_another(second, tmp_path):
    """Six wins have p = 2 / 2^6; of two tests it would be doubled. Either may be named."""
    rows = [[Row(k, x, f"{k}") for k in range(6)] for x in (1, 0)]
    rows[0][5] = Row(5, second, "5")
    runs = read_runs(
        *(HELD["promptfoo"].written(tmp_path / x, y) for x, y in zip("ab", rows, strict=True))
    )
    assert runs.metrics == ("success", "score")
    found, examples = compare_all([runs])
    p = [x["p_adjusted"] for x in found.tests]
    if second == 1:
        assert (p, len(examples)) == ([2 / 2**6], 1)
        same = "left out: score: the same as success in all examples, and no test of its own"
        assert found.left_out == (same,)
        assert runs.compare().pvalue == runs.suite().average.pvalue == 2 / 2**6
        assert [x.pvalue for x in runs.leaderboard().pairs.values()] == [2 / 2**6]
    else:
        for door in (runs.compare, runs.suite, runs.leaderboard):
            with pytest.raises(InputError, match="the runs have several: 'success', 'score'"):
                door()
        assert (p, found.left_out) == ([4 / 2**6] * 2, ())
    named, _ = compare_all([runs], metrics=["success", "score"])
    assert len(named.tests) == 2


def test_metrics_that_seem_the_same(tmp_path):
    """The first is compared; others are of all examples at once."""
    right, loss = {"acc": [1, 1, 0], "right": [1, 1, 0]}, [[-1.0, 2], [-2.0, 3], [-3.0, 1]]
    runs = read_runs(*(lm_eval_log(tmp_path / x, right, {"right": 0.1}) for x in "ab"))
    assert runs.compare() == runs.compare("acc")
    losses = dict.fromkeys(("word_perplexity", "byte_perplexity"), loss)
    runs = read_runs(*(lm_eval_log(tmp_path / x, losses) for x in "cd"))
    assert len(compare_all([runs])[0].tests) == 2


def test_metrics_of_another_direction(two):
    """The same numbers, of which one counts errors."""
    one, other = ([{"id": k, "errors": x, "right": x} for k in range(3)] for x in (0, 1))
    runs = read_runs(*two(one, other), score=["errors", "right"])
    found, _ = compare_all([runs])
    assert [x.n_wins for x in found.results.values()] == [3, 0]
    assert runs.compare(lower_is_better=True).n_wins == 3
