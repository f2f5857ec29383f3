"""Runs on several tasks, whose averages stand beside those that lm-evaluation-harness reports."""

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
    for name in ("task", "systems", "matching", "ids", "metrics"):
        with pytest.raises(InputError, match=r"^`task` is missing, and the logs have several: 'f"):
            getattr(runs, name)
    with pytest.raises(AttributeError, match="'RunsOfTasks' object has no attribute 'size'"):
        runs.size  # noqa: B018
    for other in (copy.deepcopy(runs), pickle.loads(pickle.dumps(runs))):
        assert ([*other.tasks], str(other)) == (["findings", "tumors"], str(runs))


def test_suite(runs):
    suite = runs.suite(METRICS, weights="size")
    columns, metrics = {}, {}
    for task, one in runs.tasks.items():
        examples = one.examples(METRICS)
        columns[task], metrics[task] = (*examples.systems.values(), None), examples.metric
    expected = compare_suite(columns, metrics, weights="size")
    assert suite.to_dict() == expected.to_dict()
    assert (suite.name1, suite.name2) == tuple(runs.tasks["tumors"].systems)


def test_groups_of_some_tasks(runs):
    """By id, as of one task; examples of other tasks are swapped one by one."""
    pairs = {x: k // 2 for k, x in enumerate(runs.tasks["tumors"].ids)}
    suite = runs.suite(METRICS, groups={"tumors": pairs})
    alone = runs.tasks["tumors"].compare("acc", groups=pairs)
    assert suite.results["tumors"].n_groups == alone.n_groups == 8
    assert suite.results["tumors"].pvalue == alone.pvalue
    assert suite.average.n_groups == 8 + len(runs.tasks["findings"].ids)
