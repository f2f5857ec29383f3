"""Boards of averages over tasks: each pair as `compare_suite` says, adjusted, in order."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest

from pairedperm import compare_suite, compare_suites
from pairedperm.results.several import adjusted
from pairedperm.scoring import F1, Accuracy
from properties import one_in

RNG = np.random.default_rng(5)
SKILLS = {"fair": 0.6, "good": 0.7, "best": 0.85}


def task(n, n_labels=2):
    """Labels of three systems, of different skill, and the right ones."""
    right = RNG.integers(0, n_labels, n)
    systems = {
        name: np.where(RNG.random(n) < skill, right, RNG.integers(0, n_labels, n))
        for name, skill in SKILLS.items()
    }
    return systems, right


TASKS = {"a": task(20), "b": task(15), "c": task(30)}
IDS = {name: RNG.integers(0, 12, len(right)).tolist() for name, (_, right) in TASKS.items()}
HUNDREDTHS = {
    name: ({x: RNG.integers(0, 100, n) / 100 for x in SKILLS},) for name, n in (("a", 12), ("b", 9))
}
REALS = {name: ({x: RNG.random(7) / 3 for x in SKILLS},) for name in ("first", "second")}
RUNS = {
    "runs": ({x: RNG.integers(0, 2, (9, 3)).tolist() for x in SKILLS}, [1] * 9),
    "b": TASKS["b"],
}
SAMPLED = {"rng": 1, "n_resamples": 100, "method": "monte_carlo"}
SAME = ("score1", "score2", "stat", "p", "n", "n_groups", "n_differing", "method", "seed")
CLOSE = ("n_wins", "n_losses", "n_ties", "standard_error")


@one_in(4)
@pytest.mark.filterwarnings("ignore:3 of 3 p-values")
@pytest.mark.parametrize(
    ("tasks", "metric", "options"),
    [
        (TASKS, "accuracy", {"groups": IDS}),
        (TASKS, "accuracy", {"weights": "size"}),
        (TASKS, Accuracy(), {"weights": {"a": 2, "b": 0, "c": 0.5}, "confidence_level": 0.8}),
        (TASKS, "accuracy", {"baseline": "fair", "alternative": "greater", "weights": "size"}),
        (REALS, "mean_score", {}),
        (TASKS, "hamming_loss", {}),
        (TASKS, "f1", {"average": "macro", **SAMPLED}),
        (TASKS, {"a": "accuracy", "b": F1(pos_label=1), "c": "accuracy"}, SAMPLED),
        (TASKS, {"a": "accuracy", "b": "accuracy", "c": "hamming_loss"}, {"baseline": "good"}),
        (HUNDREDTHS, "mean_score", {"confidence_level": 0.9}),
        # many examples without groups stay in their order beside those with some
        ({"large": task(5000), "b": TASKS["b"]}, "accuracy", {"groups": {"b": IDS["b"]}}),
        (RUNS, "accuracy", {}),
    ],
)
def test_each_pair_is_that_of_a_suite(tasks, metric, options):
    """And all are adjusted together."""
    board = compare_suites(tasks, metric, **options)
    baseline = options.get("baseline")
    options = {name: x for name, x in options.items() if name != "baseline"}
    pairs = board.to_dict()["pairs"]
    assert len(pairs) == (2 if baseline else 3)
    assert {x["system2"] for x in pairs} == {baseline} or not baseline
    for pair in pairs:
        two = pair["system1"], pair["system2"]
        columns = {name: (*(given[0][x] for x in two), *given[1:]) for name, given in tasks.items()}
        found = compare_suite(columns, metric, **options)
        alone = found.to_dict()
        assert {x: pair[x] for x in SAME} == {x: alone[x] for x in SAME}
        for name in CLOSE:
            assert pair[name] == (alone[name] and pytest.approx(alone[name], rel=1e-9)), name
        assert (pair["score1"], pair["score2"]) == (board.scores[two[0]], board.scores[two[1]])
        assert pair["interval_method"] == alone["interval_method"]
        for end in ("stat_low", "stat_high"):
            assert pair[end] == (alone[end] and pytest.approx(alone[end], rel=1e-9))
        for k, name in enumerate(two, 1):
            scores = {x["task"]: x[f"score{k}"] for x in alone["tasks"]}
            assert scores == {x.task: pytest.approx(x.scores[name]) for x in board.tasks}
    expected = adjusted([x.pvalue for x in board.pairs.values()], board.correction)
    assert [pair["p_adjusted"] for pair in pairs] == [*board.p_adjusted.values()] == expected
    assert board.table["p_adjusted"].tolist() == expected
    assert [x.task for x in board.tasks] == [*tasks]
    is_lower = metric == "hamming_loss"
    assert [*board.scores.values()] == sorted(board.scores.values(), reverse=not is_lower)
    copied = pickle.loads(pickle.dumps(board))
    assert (copied, copied.to_dict()) == (board, board.to_dict())


def test_systems_in_any_order_and_frames():
    turned = {
        name: (dict(reversed([*systems.items()])) if name == "b" else systems, right)
        for name, (systems, right) in TASKS.items()
    }
    frames = {name: (pd.DataFrame(systems), right) for name, (systems, right) in TASKS.items()}
    whole = compare_suites(TASKS)
    for tasks in (turned, frames, [*TASKS.items()]):
        assert compare_suites(tasks) == whole


def test_tasks_of_integers_and_of_real_numbers():
    """Each example counts: a board's average is that of the suite, to the last bit."""
    whole = [1, 0, 0, 1, 1, 1, 0, 1], [0, 0, 1, 0, 0, 1, 0, 0]
    real = [math.sin(k) for k in range(8)], [math.cos(3 * k) for k in range(8)]
    suite = compare_suite({"a": whole, "b": real}, "mean_score")
    systems = ({"x": one, "y": two} for one, two in (whole, real))
    board = compare_suites({x: (y,) for x, y in zip("ab", systems, strict=True)}, "mean_score")
    (pair,), average = board.pairs.values(), suite.average
    assert (pair.pvalue, pair.score1) == (average.pvalue, average.score1)
    assert average.score1 == pytest.approx((5 / 8 + math.fsum(real[0]) / 8) / 2, rel=1e-15)
