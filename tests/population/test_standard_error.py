"""Standard errors at the edge: constant systems, classes that are missing or occur once."""

from functools import partial
from itertools import product

import numpy as np
import pytest

from oracles import jackknife
from oracles.class_averages import label_score
from oracles.label_scores import OF_ALL, score_of
from pairedperm import compare, gate, paired_permutation_test
from pairedperm.population.difference import SummedRows
from pairedperm.population.studentised import studentised_interval
from pairedperm.scoring.arguments import read_arguments
from pairedperm.scoring.metric import read_metric
from properties import some

AVERAGED = ("precision", "recall", "f1", "jaccard")
CASES = [(x, {}) for x in OF_ALL] + [("cohen_kappa", {"weights": "quadratic"})]
CASES += [(x, {"average": y}) for x in AVERAGED for y in ("macro", "weighted", "micro")]
CORRELATION = ("matthews_correlation", {})


def edges(n=12):
    """Two systems and the references."""
    rng = np.random.default_rng(0)
    right, random = rng.integers(0, 3, n), rng.integers(0, 3, (2, n))
    one, two = (np.where(rng.random(n) < x, right, y) for x, y in zip((0.8, 0.6), random))  # noqa: B905
    none, once = np.zeros(n, dtype=int), np.arange(n) // (n - 1)
    return {
        "three classes": (one, two, right),
        "two classes": (one % 2, two % 2, right % 2),
        "a constant system": (one, none, right),
        "two constant systems": (none, none + 1, right),
        "a class that nobody else has": (one, none + 7, right),
        "a class that one system lacks": (np.where(one == 2, 0, one), two, right),
        "one class is right": (one, two, none),
        "a class that is right once": (one, two, once),
        "a class that is predicted once": (once, two, right),
        "all are right": (right, two, right),
        "all are wrong": ((right + 1) % 3, two, right),
    }


@pytest.mark.filterwarnings("ignore")  # of labels that do not occur, of what is not defined
@pytest.mark.parametrize(
    ("case", "edge"),
    [
        *some([*product([CORRELATION], edges())], every=2),
        *some([*product(CASES, edges())][::3], every=31),
    ],
    ids=str,
)
def test_edges(case, edge):
    metric, options = case
    columns = [x.tolist() for x in edges()[edge]]
    result = compare(*columns, metric, method="monte_carlo", n_resamples=9, rng=0, **options)
    expected = jackknife.standard_error(score_of(metric, options, columns), columns)
    assert (result.standard_error or 0.0) == pytest.approx(expected, rel=0.01, abs=1e-9)


def test_one_right_label_of_all_sets():
    """A weighted average has a weight of 1 then."""
    rng, options = np.random.default_rng(1), {"average": "weighted", "multilabel": True}
    one, two = ([{x for x in "abc" if rng.random() < 0.4} for _ in range(12)] for _ in range(2))
    columns = [{"a", "b"}, *one], [{"c"}, *two], [{"a"}] + [set()] * 12
    score = partial(label_score, "f1", there=["a", "b", "c"], **options)
    found = compare(*columns, "f1", **options).standard_error
    assert found == pytest.approx(jackknife.standard_error(score, columns), rel=0.01)


def test_no_loss_beyond_the_scores_is_detectable():
    """A correlation of -0.13 cannot fall by more than 0.87, nor an accuracy of 0.05 to below 0."""
    rng = np.random.default_rng(5)
    right, one, two = rng.integers(0, 2, (3, 16))
    found = gate(compare(one, two, right, "matthews_correlation"))
    assert found.test.standard_error * 2.8 > 1.0 + found.test.score2
    assert found.detectable is None
    assert "could not detect a loss of any size" in str(found)
    few = gate(compare([1, *[0] * 19], [0, 1, *[0] * 18], [1] * 20))
    assert (few.test.score2, few.detectable) == (0.05, None)


@pytest.mark.parametrize("metric", ["accuracy", "f1", "cohen_kappa"])
def test_one_system(metric):
    """Beside one that is always right, its score varies as the difference does."""
    rng, of_metric = np.random.default_rng(1), read_metric(metric)
    right = rng.integers(0, 2, 60)
    columns = np.where(rng.random(60) < 0.7, right, 1 - right), right, right
    rows = of_metric.rows_of(of_metric.read(columns), None)
    first, second = SummedRows.of_systems(*of_metric.checked_score(rows).simplify(rows, "draws"))
    result = compare(*columns, metric)
    assert (first.value, second.value) == pytest.approx((result.score1, 1.0))
    assert first.standard_error == pytest.approx(result.standard_error, rel=1e-6)
    assert (second.standard_error or 0.0) == pytest.approx(0.0, abs=1e-9)


def test_the_interval_of_one_system():
    """It is that of its difference from zeros, but for the order in which rows are drawn."""
    scores, zeros = np.random.default_rng(2).normal(1.0, 1.0, 50).round(3), np.zeros(50)
    rows, score = read_arguments(scores, zeros, None, None)[:2]
    one, _ = SummedRows.of_systems(*score.simplify(rows, "draws"))
    expected = paired_permutation_test(scores, zeros).confidence_interval(0.95)
    assert studentised_interval([one], 0.95, 0) == pytest.approx(tuple(expected), abs=0.01)
