"""Suites of logs: the weights of a group, and where a results file reports another average."""

import random
import warnings

import pytest

from corpora.logs import lm_eval_groups
from pairedperm.readers import read_runs

SIZES = {"g_a": 4, "g_b": 9, "g_c": 5}
GROUPS = {"g": ["g_a", "inner"], "inner": ["g_b", "g_c"]}


@pytest.fixture
def folders(tmp_path):
    def made(is_by_size=True, change=None):
        rng = random.Random(0)
        scores = [
            {x: [rng.randint(0, 1) for _ in range(n)] for x, n in SIZES.items()} for _ in "ab"
        ]
        return [
            lm_eval_groups(tmp_path / name, own, GROUPS, is_by_size, change)
            for name, own in zip("ab", scores, strict=True)
        ]

    return made


@pytest.mark.parametrize(("is_by_size", "weights"), [(True, "size"), (False, "equal")])
@pytest.mark.parametrize("task", ["g", None, "g_*"])
def test_the_weights_of_a_group(folders, is_by_size, weights, task):
    runs = read_runs(*folders(is_by_size), task=task)
    suite = runs.suite("acc")
    assert suite.to_dict() == runs.suite("acc", weights=weights).to_dict()
    other = {"size": "equal", "equal": "size"}[weights]
    assert suite.to_dict() != runs.suite("acc", weights=other).to_dict()


def test_another_average_is_a_doubt(folders):
    """It is told, and the tasks count equally."""

    def changed(results):
        results["results"]["g"]["acc,none"] = 0.123

    runs = read_runs(*folders(change=changed), task="g")
    with pytest.warns(UserWarning, match="group 'g': acc of 0.123 is reported in ") as told:
        suite = runs.suite("acc")
    assert len(told) == 2  # of each system
    assert suite.to_dict() == runs.suite("acc", weights="equal").to_dict()


def test_examples_that_are_left_out_are_a_doubt(folders):
    """The results files count them."""
    one, two = folders()
    (log,) = one.glob("samples_g_b*")
    log.write_text(log.read_text("utf-8").partition("\n")[2], "utf-8")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        read_runs(one, two, task="g", on_missing="drop").suite("acc")
    said = "is reported of b, but the average of the compared tasks"
    assert any(said in str(x.message) for x in told)


def test_part_of_a_group_has_equal_weights(folders):
    runs = read_runs(*folders(), task="g_[ab]")
    assert runs.suite("acc").to_dict() == runs.suite("acc", weights="equal").to_dict()
