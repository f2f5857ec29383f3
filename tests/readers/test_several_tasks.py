"""Runs on several tasks: what is of one task refuses, and `suite` compares all."""

import copy
import pickle

import pytest

from corpora.logs import LOGS
from pairedperm import InputError, compare_suite
from pairedperm.readers import Runs, read_runs

ONE, TWO = (LOGS / "lm_eval" / f"scikit-learn__{x}" for x in ("logistic_regression", "naive_bayes"))
METRICS = ("acc", "exact_match,strict-match")


@pytest.fixture(scope="module")
def runs():
    return read_runs(ONE, TWO)


def test_what_is_of_one_task(runs):
    assert isinstance(runs, Runs)
    assert [*runs.tasks] == ["findings", "tumors"]
    for name in ("task", "systems", "matching", "ids", "metrics"):
        with pytest.raises(InputError, match=r"^`task` is missing, and the logs have several: 'f"):
            getattr(runs, name)
    for method in (runs.compare, runs.leaderboard, runs.examples):
        with pytest.raises(InputError, match=r"Name one\.$"):
            method()
    with pytest.raises(AttributeError, match="'RunsOfTasks' object has no attribute 'size'"):
        runs.size  # noqa: B018
    assert str(runs) == (
        "scikit-learn/logistic_regression, scikit-learn/naive_bayes on 2 tasks\n"
        "findings: 8 examples, tumors: 16 examples"
    )


def test_copies(runs):
    for other in (copy.copy(runs), copy.deepcopy(runs), pickle.loads(pickle.dumps(runs))):
        assert [*other.tasks] == [*runs.tasks]
        assert str(other) == str(runs)


def test_suite(runs):
    suite = runs.suite(METRICS, weights="size")
    columns, metrics = {}, {}
    for task, one in runs.tasks.items():
        examples = one.examples(METRICS)
        columns[task], metrics[task] = (*examples.systems.values(), None), examples.metric
    expected = compare_suite(columns, metrics, weights="size")
    assert suite.to_dict() == expected.to_dict()
    assert (suite.name1, suite.name2) == tuple(runs.tasks["tumors"].systems)
    assert expected.name1 == "system 1"


def test_groups_of_some_tasks(runs):
    """By id, as of one task; examples of other tasks are swapped one by one."""
    pairs = {x: k // 2 for k, x in enumerate(runs.tasks["tumors"].ids)}
    suite = runs.suite(METRICS, groups={"tumors": pairs})
    alone = runs.tasks["tumors"].compare("acc", groups=pairs)
    assert suite.results["tumors"].n_groups == alone.n_groups == 8
    assert suite.results["tumors"].pvalue == alone.pvalue
    assert suite.n_groups == 8 + len(runs.tasks["findings"].ids)
    with pytest.raises(InputError, match="ids have no group"):
        runs.suite(METRICS, groups={"tumors": {}})


def test_one_task_is_a_suite():
    runs = read_runs(ONE, TWO, task="tumors")
    assert [*runs.tasks] == ["tumors"]
    assert runs.tasks["tumors"] is runs
    suite = runs.suite("acc")
    assert suite.pvalue == suite.results["tumors"].pvalue == runs.compare("acc").pvalue


def test_options_of_a_metric_have_a_place_of_their_own(runs):
    with pytest.raises(InputError, match=r"task 'findings': `average` is an option of the metric"):
        runs.suite(METRICS, average="macro")
    with pytest.raises(InputError, match="task 'findings': `metric`"):
        runs.suite("acc")
