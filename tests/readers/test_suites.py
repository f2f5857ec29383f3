"""Runs on several tasks, whose averages stand beside those that lm-evaluation-harness reports."""

import copy
import pickle
import random
import warnings

import pytest

from corpora.logs import LOGS, lm_eval_groups
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


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"metric": METRICS, "groups": {"tumors": {}}}, "ids have no group"),
        ({"metric": METRICS, "average": "macro"}, "task 'findings': `average` is no option of 'ex"),
        ({"metric": "acc"}, "task 'findings': `metric`"),
    ],
)
def test_refusals_name_the_task(asked, said, runs):
    with pytest.raises(InputError, match=said):
        runs.suite(**asked)


GROUPS = {"g": ["inner", "g_c"], "inner": ["g_a", "g_b"], "other": ["x"]}
SIZES = {"g_a": 4, "g_b": 9, "g_c": 5, "x": 3}


def scores_of(seed):
    rng = random.Random(seed)
    return {task: [rng.randint(0, 1) for _ in range(n)] for task, n in SIZES.items()}


@pytest.fixture
def reported(tmp_path):
    """Runs, of whose groups results report averages, which functions change."""

    def found(task, by_size=True, changes=(None, None), **options):
        folders = [
            lm_eval_groups(tmp_path / x, scores_of(seed), GROUPS, by_size, change)
            for seed, (x, change) in enumerate(zip("ab", changes, strict=True))
        ]
        return read_runs(*folders, task=task, **options)

    return found


def told(runs, **options):
    """The suite, and what is said of its average."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        suite = runs.suite("acc", **options)
    return suite, [str(x.message) for x in found]


@pytest.mark.parametrize("asked", ["g", "inner", "g_*"])
@pytest.mark.parametrize(("by_size", "weights"), [(True, "size"), (False, "equal")])
def test_the_weights_make_the_reported_average(asked, by_size, weights, reported):
    """With groups in groups: all tasks of a group have a weight of their own."""
    runs, group = reported(asked, by_size), "g" if asked == "g_*" else asked
    wanted, said = told(runs, weights=weights)
    assert said == []
    other = "equal" if by_size else "size"
    suite, said = told(runs, weights=other)
    how = "with equal weights" if by_size else "weighted by size"
    assert len(said) == 2  # of each system
    assert said[1] == (
        f"group {group!r}: {wanted.average.score2:.6g} is reported of b, but the average of the "
        f"compared tasks is {suite.average.score2:.6g} {how}; weigh them otherwise, "
        f"weights={weights!r}."
    )
    assert told(runs)[1] == (said if by_size else [])  # by default they count equally
    assert told(runs, weights={x: k for k, x in enumerate(runs.tasks, 1)})[1] == []  # of numbers


def without_average(results):
    del results["results"]["g"]


@pytest.mark.parametrize(
    ("changes", "n_doubts"),
    [
        ([lambda x: x["results"]["g"].update({"acc,none": 0.9})] * 2, 2),
        ([without_average, lambda x: x["results"]["g"].update({"acc,none": 0.9})], 1),
        ([without_average] * 2, 0),
        ([lambda x: x.update(group_subtasks={"g": []})] * 2, 0),
    ],
)
def test_averages_that_are_others(changes, n_doubts, reported):
    assert len(told(reported("g_?", changes=changes), weights="size")[1]) == n_doubts


@pytest.mark.parametrize("asked", ["g_[ac]", "*", "x"])
def test_tasks_that_are_no_whole_group(asked, reported):
    """What is reported is of other tasks, or of one."""
    assert told(reported(asked), weights="size")[1] == []
