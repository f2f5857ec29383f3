"""The tests run the engine that is chosen, and say why."""

import warnings

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from choices import plan
from corpora.planned import labels, largest, rows
from corpora.ratio_rows import RATIO
from oracles.vectors import ALTERNATIVES
from pairedperm import (
    BudgetError,
    InputError,
    PairedCounts,
    Ratio,
    compare,
    paired_permutation_test,
    structured_permutation_test,
)
from pairedperm.convolution.plane import tail as plane
from properties import generators


def random_problem(rng):
    """A test, what it is given, and whether its cost is known beforehand."""
    n, size = int(rng.choice([1, 2, 5, 15, 40])), int(rng.choice([2, 4, 30]))
    m = int(rng.integers(1, 4))
    columns = rng.integers(0, size, (2, n, m))
    columns[1] = np.where(rng.random((n, 1)) < 0.3, columns[0], columns[1])
    kind = rng.integers(6)
    if kind == 0:
        unit = rng.choice([1, 10, 1000])
        return paired_permutation_test, tuple(columns[:, :, 0] / unit), {}, True
    if kind == 1:
        weights = np.eye(m, dtype=int)[[0, -1]]
        score = Ratio(*weights, zero_division=float(rng.choice([0.0, 1.0])))
        return paired_permutation_test, tuple(columns), {"score": score}, False
    if kind == 2:
        return paired_permutation_test, tuple(columns), {"score": largest}, True
    if kind == 3:
        return structured_permutation_test, (*columns, largest), {}, True
    if kind == 4:
        counts = PairedCounts(*columns, rng.integers(1, 5, n))
        return paired_permutation_test, (counts,), {"score": largest}, True
    n_classes = int(rng.choice([2, 3]))
    metric, options = OF_LABELS[rng.integers(len(OF_LABELS))]
    corpus = rng.integers(0, n_classes, (3, n))
    corpus[:2, 0] = corpus[2, 0] = 1  # which is selected
    return compare, tuple(corpus), {"metric": metric, **options}, False


OF_LABELS = (
    ("accuracy", {}),
    ("exact_match", {}),
    *((metric, {"pos_label": 1}) for metric in ("precision", "recall", "f1", "jaccard")),
    *((metric, {"average": "macro"}) for metric in ("precision", "recall", "f1", "jaccard")),
    *((metric, {"average": "micro", "labels": [1]}) for metric in ("precision", "f1")),
    ("fbeta", {"pos_label": 1, "beta": 2}),
    ("fbeta", {"average": "macro", "beta": 0.5, "zero_division": 1.0}),
    ("balanced_accuracy", {}),
    ("matthews_correlation", {}),
)


@given(rng=generators)
def test_methods_of_random_problems(rng):
    test, arguments, options, _ = random_problem(rng)
    if test is not structured_permutation_test:
        options["alternative"] = str(rng.choice(ALTERNATIVES))
    options["method"] = str(rng.choice(["auto", "exact", "monte_carlo"]))
    options |= {"rng": 0, "n_resamples": 300}
    try:
        found = plan(*arguments, **options)
    except BudgetError:  # one of a thousand
        with pytest.raises(BudgetError):
            test(*arguments, **options)
        return
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "p is estimated from ")
        result = test(*arguments, **options)
    assert result.method == found.method, (test, arguments, options, found)
    assert result.reason == found.reason
    assert found.rank <= max(result.n_differing, 1)


@given(rng=generators, is_beyond=st.none())
@example(rng=np.random.default_rng(0), is_beyond=True)  # one at least is sampled
def test_budgets_of_random_problems(rng, is_beyond):
    test, arguments, options, is_known = random_problem(rng)
    n_points, n_bytes = int(rng.choice([1, 30, 1000])), int(rng.choice([100, 10**4, 10**6]))
    options |= {"budget": {"max_points": n_points, "max_bytes": n_bytes}, "rng": 0}
    found = plan(*arguments, **options)
    assert is_beyond is None or found.method == "monte_carlo"
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        result = test(*arguments, **options)
    assert len(warned) == (result.method == "monte_carlo")
    if not is_known and result.method != found.method:
        # a tail in the plane, the only one whose cost turns out later
        assert (found.method, found.rank, result.method) == ("exact", 2, "monte_carlo")
        return
    assert result.method == found.method, (test, arguments, options, found)
    if found.method != "monte_carlo":
        assert test(*arguments, **options, method=found.method) == result
        asked = plan(*arguments, **options, method=found.method)
        assert asked._replace(reason=found.reason) == found
        assert found.reason.startswith(asked.reason)
        return
    assert found.reason.removeprefix("p is sampled, ") in str(warned[0].message)
    for function in (test, plan):
        with pytest.raises((BudgetError, InputError)) as raised:
            function(*arguments, **options, method="exact")
        assert found.reason.removeprefix("p is sampled, because ") in str(raised.value)
        assert "Or sample: method='monte_carlo'" in str(raised.value)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (rows(300, 30, m=8), {"score": largest}),
        ((*rows(300, 30, m=8), largest), {}),
        (labels(400, 4), {"metric": "f1", "average": "macro"}),
    ],
)
def test_beyond_any_budget(arguments, options):
    if len(arguments) == 2:
        test = paired_permutation_test
    else:
        test = structured_permutation_test if callable(arguments[2]) else compare
    for function in (plan, test):
        with pytest.raises(BudgetError):
            function(*arguments, **options, method="exact")
    found = plan(*arguments, **options)
    with pytest.warns(UserWarning, match="p is estimated .*, because ") as warned:
        result = test(*arguments, **options, rng=0)
    assert found.method == result.method == "monte_carlo"
    assert found.reason.removeprefix("p is sampled, ") in str(warned[0].message)


def test_beyond_the_budget_for_their_decimals():
    columns = np.random.default_rng(0).normal(size=(2, 200)).round(11)
    assert plan(*columns).method == paired_permutation_test(*columns).method == "bracket"


def test_few_examples_are_counted_where_the_plane_is_too_large(monkeypatch):
    """However large their counts are, by the plan and by the test."""
    for name in ("COUNTED", "ENUMERATED"):
        monkeypatch.setattr(plane, name, -1)  # as if that took seconds
    columns = np.random.default_rng(5).integers(0, 10**9, (2, 8, 2))
    columns[:, :, 1] += columns[:, :, 0]
    found = plan(*columns, score=RATIO)
    assert (found.method, found.reason) == ("exact", "all swaps are counted")
    result = paired_permutation_test(*columns, score=RATIO)
    assert result.method == "exact"
    assert (result.pvalue * 2**8) % 1 == 0
