"""What `to_dict` of every kind of result gives: JSON, whose last key is the version."""

import json

import pytest

from corpora.logs import LOGS
from corpora.pilots import labels
from pairedperm import (
    compare,
    compare_many,
    compare_suite,
    equivalence_test,
    examples_needed,
    gate,
    gate_suite,
    minimum_detectable_difference,
    paired_permutation_test,
    power,
    pvalue_bounds,
    structured_permutation_test,
)
from pairedperm.readers.comparisons import compare_all
from pairedperm.readers.read import read_tasks
from pairedperm.readers.read_options import ReadOptions
from pairedperm.results.result import SCHEMA_VERSION

COLUMNS = labels(9, 3, 30)
ONE, TWO, RIGHT = COLUMNS
SYSTEMS = {"a": ONE, "b": TWO, "c": [1] * 15 + [0] * 15}
TASKS = {"x": COLUMNS, "y": labels(2, 0, 4)}
TEST = compare(*COLUMNS)
BOOTSTRAP = compare(*COLUMNS, test="bootstrap")
MARGIN = equivalence_test(*COLUMNS, margin=0.3)
GROUPS = [k // 2 for k in range(30)]


def comparisons():
    folders = (next(LOGS.glob(f"lm_eval/*{x}")) for x in ("logistic_regression", "naive_bayes"))
    tasks = read_tasks(*folders, ReadOptions())
    return compare_all([*tasks.values()])[0]


RESULTS = {
    "a test": lambda: TEST,
    "at a level": lambda: compare(*COLUMNS, confidence_level=0.9),
    "sampled": lambda: compare(*COLUMNS, method="monte_carlo", rng=2**900),
    "of groups": lambda: compare(*COLUMNS, "f1", groups=GROUPS),
    "a tiny p": lambda: compare(*labels(3000, 0, 3000)),
    "real": lambda: paired_permutation_test([2**0.5, 0.1], [0.3, 3**0.5]),
    "without scores": lambda: structured_permutation_test(
        [[1], [2]], [[0], [5]], lambda x: x[..., 0]
    ),
    "an infinite interval": lambda: compare(
        [0, 0], [0, 0], None, "mean_score", confidence_level=0.9
    ),
    "a bootstrap": lambda: BOOTSTRAP,
    "p is 0": lambda: compare(*labels(5, 0, 5), test="bootstrap", ties="exclude"),
    "a margin": lambda: MARGIN,
    "a gate": lambda: gate(TEST),
    "a gate with a margin": lambda: gate(TEST, margin=0.3),
    "a power": lambda: power((0.1, 0.05), 90),
    "of a pilot": lambda: power(TEST, 90),
    "of a pilot without an end": lambda: minimum_detectable_difference(
        paired_permutation_test([1, 2, 4], [1, 0, 1]), 9
    ),
    "bounds": lambda: pvalue_bounds("0.8", "0.7", 90, accuracies=True),
    "examples": lambda: examples_needed(TEST),
    "a board": lambda: compare_many(SYSTEMS, RIGHT),
    "a baseline": lambda: compare_many(SYSTEMS, RIGHT, baseline="a"),
    "a suite": lambda: compare_suite(TASKS),
    "a gate of tasks": lambda: gate_suite(compare_suite(TASKS)),
    "comparisons": comparisons,
}
NESTED = ("pairs", "tasks", "tests")
of_results = pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)


@of_results
def test_it_is_json(result):
    """No number is NaN or infinite, and nothing changes on the way."""
    found = result().to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@of_results
def test_the_version_is_last_and_said_once(result):
    found = result().to_dict()
    assert list(found)[-1] == "schema_version"
    assert found["schema_version"] == SCHEMA_VERSION == 1
    nested = [x for key in NESTED for x in _listed(found.get(key, []))]
    assert not any("schema_version" in x for x in nested)


def _listed(found):
    return found if isinstance(found, list) else [found]
