"""Rows and labels counted as they are read, or one by one: the answer is one."""

from contextlib import ExitStack
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from pairedperm import InputError, Ratio, compare, paired_bootstrap_test, paired_permutation_test
from pairedperm.scoring import arguments, classes, rows
from pairedperm.scoring.arguments import read_arguments
from pairedperm.scoring.metrics import labels
from properties import cases, generators

LOWERED = {
    arguments: {"_LONG": 1},
    rows: {"LEAST": 1, "CACHED_ROWS": 7, "_FIRST": 2},
    classes: {"LEAST": 1},
    labels: {"LEAST": 1, "CACHED_ROWS": 7},
}
SCORES = {
    "mean": None,
    "ratio": Ratio([2, 0, 0], [0, 1, 1]),
    "ratio of some rows": Ratio([1, 0, 0], [1, 1, -1]),
}
METRICS = {
    "accuracy": {},
    "exact_match": {},
    "f1": {"average": "macro"},
    "recall": {"average": "micro"},
    "precision": {"average": "weighted"},
    "specificity": {"pos_label": 1},
    "cohen_kappa": {},
    "matthews_correlation": {},
}


def answered(call):
    """The result, or what is said of a refusal."""
    try:
        return call(rng=0, n_resamples=99).to_dict()
    except InputError as error:
        return str(error)


def assert_same_if_counted(call):
    one_by_one = answered(call)
    with ExitStack() as lowered:
        for module, limits in LOWERED.items():
            lowered.enter_context(mock.patch.multiple(module, **limits))
        assert answered(call) == one_by_one


@pytest.mark.parametrize("kind", SCORES)
@cases(0.5)
@given(rng=generators)
def test_rows(kind, rng):
    n, low = int(rng.integers(1, 60)), int(rng.choice([0, 0, -1]))
    shape = (2, n) if kind == "mean" else (2, n, 3)
    one, two = rng.integers(low, int(rng.integers(1, 4)), shape)
    for test in (paired_permutation_test, paired_bootstrap_test):
        assert_same_if_counted(lambda test=test, **x: test(one, two, score=SCORES[kind], **x))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("metric", METRICS)
@cases(0.2)
@given(rng=generators)
def test_labels(metric, rng):
    columns = rng.integers(0, int(rng.choice([1, 2, 3])) + 1, (3, int(rng.integers(1, 40))))
    options = METRICS[metric]
    if rng.random() < 0.5 and "pos_label" not in options:
        columns = columns.astype(str).tolist()
    assert_same_if_counted(lambda **x: compare(*columns, metric, **options, **x))


ROOTS = [2**-0.5, 3**-0.5, 0.0]
OF_FLOAT32 = np.float32(ROOTS).tolist()


@pytest.mark.parametrize(
    ("scores1", "scores2", "rounding"),
    [
        (OF_FLOAT32, ROOTS, 2.0**-22),
        (np.float16(ROOTS), OF_FLOAT32, 2.0**-9),
        (ROOTS, [0.5, 0.25, 1.0], 2.0**-51),  # decimals, though each is a float32
        (ROOTS, [1e300, 0.5, 1e-300], 2.0**-51),
        ([0.1, 0.2, 0.5], [0.5, 0.25, 1.0], 0.0),
    ],
)
def test_rounding_of_floats(scores1, scores2, rounding):
    """A column whose every float is a float32, but no decimal, was one."""
    assert read_arguments(scores1, scores2, None)[0].provenance.rounding == rounding
