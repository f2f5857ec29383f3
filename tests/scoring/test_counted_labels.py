"""Labels of single examples, counted as they are read or one by one: the result is the same."""

from contextlib import ExitStack
from unittest import mock

import pytest
from hypothesis import given

from pairedperm import InputError, compare
from pairedperm.scoring import label_counts, rows
from pairedperm.scoring.metrics import accuracy
from properties import cases, generators, one_in

METRICS = [
    ("accuracy", {}),
    ("exact_match", {}),
    ("f1", {"average": "micro"}),
    ("f1", {"average": "macro"}),
    ("f1", {"pos_label": 1}),
    ("precision", {"average": "weighted"}),
    ("specificity", {"pos_label": 1}),
    ("cohen_kappa", {}),
    ("matthews_correlation", {}),
]


def answer(columns, metric, options):
    try:
        return compare(*columns, metric, **options, rng=0, n_resamples=99, method="auto")
    except InputError as error:
        return str(error)


@one_in(2)
@pytest.mark.filterwarnings("ignore")
@cases(0.3)
@given(rng=generators)
@pytest.mark.parametrize(("metric", "options"), METRICS)
def test_counted_or_not(rng, metric, options):
    columns = rng.integers(0, int(rng.choice([1, 2, 3])) + 1, (3, int(rng.integers(1, 40))))
    columns = [*columns] if rng.random() < 0.5 else columns.astype(str).tolist()
    if isinstance(columns[0], list) and "pos_label" in options:
        options = {"pos_label": "1"}
    one_by_one = answer(columns, metric, options)
    with ExitStack() as lowered:
        for module in (accuracy, label_counts, rows):
            lowered.enter_context(mock.patch.object(module, "LEAST", 1))
        assert answer(columns, metric, options) == one_by_one
