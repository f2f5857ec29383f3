"""Boards of averages over tasks: each pair as `compare_suite` says, adjusted, in order."""

import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from oracles.discrete import pvalue as all_swaps
from pairedperm import InputError, compare_many, compare_suite, compare_suites
from pairedperm.results.correction import adjusted
from pairedperm.scoring import F1, Accuracy, MeanScore
from properties import cases, generators, one_in

RNG = np.random.default_rng(5)
NAMES = ("fair", "good", "poor", "best")
SKILLS = dict(zip(NAMES, (0.6, 0.7, 0.4, 0.85), strict=True))


def task(n, n_labels=2):
    """Labels of four systems, of different skill, and the right ones."""
    right = RNG.integers(0, n_labels, n)
    systems = {
        name: np.where(RNG.random(n) < skill, right, RNG.integers(0, n_labels, n))
        for name, skill in SKILLS.items()
    }
    return systems, right


TASKS = {"a": task(40), "b": task(25), "c": task(60)}
IDS = {name: RNG.integers(0, 12, len(right)).tolist() for name, (_, right) in TASKS.items()}
SCORES = {
    name: ({x: RNG.integers(0, 100, n) / 100 for x in NAMES},)
    for name, n in (("first", 12), ("second", 9))
}
REALS = {name: ({x: RNG.random(7) / 3 for x in NAMES},) for name in ("first", "second")}
SAME = ("score1", "score2", "stat", "p", "n", "n_groups", "n_differing", "method", "seed")
CLOSE = ("n_wins", "n_losses", "n_ties", "standard_error")


def check_pairs(board, tasks, metric, **options):
    """Each pair is the average of `compare_suite`, and all are adjusted together."""
    for pair in board.pairs:
        two = pair["system1"], pair["system2"]
        columns = {name: (*(given[0][x] for x in two), *given[1:]) for name, given in tasks.items()}
        found = compare_suite(columns, metric, **options)
        alone = found.to_dict()
        assert {x: pair[x] for x in SAME} == {x: alone[x] for x in SAME}
        for name in CLOSE:
            assert pair[name] == (alone[name] and pytest.approx(alone[name], rel=1e-9)), name
        assert pair["score1"] == board.scores[two[0]]
        assert pair["score2"] == board.scores[two[1]]
        if found.average_interval is None:
            assert "stat_low" not in pair
        else:
            ends = pair["stat_low"], pair["stat_high"]
            assert ends == pytest.approx([*found.average_interval], rel=1e-9)
            assert pair["stat_interval"] == found.average_interval.method
        for k, name in enumerate(two, 1):
            scores = {x["task"]: x[f"score{k}"] for x in found.tasks}
            assert scores == {x.task: pytest.approx(x.scores[name]) for x in board.tasks}
    expected = adjusted([pair["p"] for pair in board.pairs], board.correction)
    assert [pair["p_adjusted"] for pair in board.pairs] == expected


@one_in(4)
@pytest.mark.filterwarnings("ignore:6 of 6 p-values")
@pytest.mark.parametrize(
    ("tasks", "metric", "options"),
    [
        (TASKS, "accuracy", {}),
        (TASKS, "accuracy", {"weights": "size"}),
        (TASKS, Accuracy(), {"weights": {"a": 2, "b": 0, "c": 0.5}}),
        (TASKS, "accuracy", {"groups": IDS}),
        (TASKS, "accuracy", {"groups": {"b": IDS["b"]}}),
        (TASKS, "hamming_loss", {}),
        (TASKS, "f1", {"average": "macro", "rng": 1, "n_resamples": 400, "method": "monte_carlo"}),
        (TASKS, {"a": "accuracy", "b": F1(pos_label=1), "c": "accuracy"}, {"rng": 3}),
        (SCORES, "mean_score", {}),
        (SCORES, "mean_score", {"score_range": (0, 1)}),
        (REALS, "mean_score", {}),
    ],
)
def test_each_pair_is_that_of_a_suite(tasks, metric, options):
    given = {"n_resamples": 400, "method": "monte_carlo"} if "rng" in options else {}
    board = compare_suites(tasks, metric, **given | options)
    check_pairs(board, tasks, metric, **given | options)
    assert len(board.pairs) == 6
    assert [x.task for x in board.tasks] == [*tasks]
    is_lower = metric == "hamming_loss"
    assert [*board.scores.values()] == sorted(board.scores.values(), reverse=not is_lower)


@given(generators)
@cases(0.3)
def test_two_tasks_by_all_swaps(rng):
    """Accuracy: each difference counts for its task's weight."""
    sizes = rng.integers(1, 6, 2).tolist()
    tasks = {
        f"{n} of {k}": ({x: rng.integers(0, 2, n).tolist() for x in "xyz"}, [1] * n)
        for k, n in enumerate(sizes)
    }
    board = compare_suites(tasks, correction=None)
    for pair in board.pairs:
        one, two = pair["system1"], pair["system2"]
        moves = [
            (a - b) * (sizes[0] * sizes[1] // len(right))
            for systems, right in tasks.values()
            for a, b in zip(systems[one], systems[two], strict=True)
        ]
        assert pair["p"] == pytest.approx(float(all_swaps(moves)))
    for name, score in board.scores.items():
        shares = (Fraction(sum(x[name]), len(right)) for x, right in tasks.values())
        assert score == pytest.approx(float(sum(shares) / 2))


def test_one_task_is_a_board_of_it():
    systems, right = TASKS["a"]
    alone = compare_many(systems, right).to_dict()
    board = compare_suites({"a": (systems, right)}).to_dict()
    told = ("system1", "system2", "score1", "score2", "p", "p_adjusted", "n_wins", "metric")
    for one, two in zip(board["pairs"], alone["pairs"], strict=True):
        assert [one[x] for x in told] == [two[x] for x in told]
    assert board["systems"] == alone["systems"]
    scores = [{key: x[key] for key in ("system", "score")} for x in alone["systems"]]
    assert board["tasks"] == [{"task": "a", "weight": 1.0, "systems": scores, "turned": False}]
    assert "tasks" not in alone


@pytest.mark.parametrize("n", [30, 5000])
def test_groups_of_one_task_alone(n):
    """Many examples without groups stay in their order beside those with some."""
    tasks = {"large": task(n), "b": TASKS["b"]}
    groups = {"b": IDS["b"]}
    check_pairs(compare_suites(tasks, groups=groups), tasks, "accuracy", groups=groups)


def test_runs_of_items_in_one_task():
    right = RNG.integers(0, 2, 9).tolist()
    runs = {name: RNG.integers(0, 2, (9, 3)).tolist() for name in NAMES}
    tasks = {"runs": (runs, right), "b": TASKS["b"]}
    board = compare_suites(tasks)
    check_pairs(board, tasks, "accuracy")
    assert board.pairs[0]["n_groups"] == 9 + 25


def test_a_baseline():
    board = compare_suites(TASKS, baseline="fair", alternative="greater", weights="size")
    check_pairs(board, TASKS, "accuracy", alternative="greater", weights="size")
    assert {x["system2"] for x in board.pairs} == {"fair"}
    two_sided = compare_suites(TASKS, baseline="fair")
    assert "95% interval" in str(two_sided)
    assert str(two_sided).splitlines()[0].startswith("system   score  difference (points)")


def test_intervals_that_were_asked_for():
    """They are those of the suite at this level."""
    board = compare_suites(TASKS, confidence_level=0.8)
    check_pairs(board, TASKS, "accuracy", confidence_level=0.8)
    with pytest.raises(InputError, match="tasks that share groups have no interval of their"):
        compare_suites(TASKS, groups=IDS, confidence_level=0.9)
    board = compare_suites(SCORES, "mean_score", confidence_level=0.9)
    check_pairs(board, SCORES, "mean_score", confidence_level=0.9)


def test_what_it_says():
    board = compare_suites(TASKS, weights="size")
    lines = str(board).splitlines()
    assert lines[0].split() == ["system", "score", "tier", "letters"]
    assert "Average accuracy of 4 systems on 3 tasks, 125 examples." in lines
    assert lines[1].split()[1].endswith("%")
    stored = board.to_dict()
    assert json.loads(json.dumps(stored, allow_nan=False)) == stored
    assert [x["weight"] for x in stored["tasks"]] == [0.32, 0.2, 0.48]
    assert stored["pairs"][0]["metric"] == "accuracy"
    assert [x["system"] for x in stored["tasks"][0]["systems"]] == [*board.systems]
    copied = pickle.loads(pickle.dumps(board))
    assert copied.to_dict() == stored
    assert copied == board
    assert len(board.table) == 6
    grouped = str(compare_suites(TASKS, groups=IDS))
    assert "on 3 tasks, 125 examples in 12 groups." in grouped


@pytest.mark.filterwarnings("ignore:6 of 6 p-values")
def test_tasks_of_different_metrics():
    """The average is a mean score; errors are better if lower."""
    metrics = {"a": "accuracy", "b": F1(pos_label=1), "c": "accuracy"}
    board = compare_suites(TASKS, metrics, method="monte_carlo", n_resamples=100, rng=0)
    assert "Average mean score of 4 systems on 3 tasks" in str(board)
    assert {x["metric"] for x in board.pairs} == {"mean_score"}
    losses = {name: MeanScore(of=f"loss {name}", lower_is_better=True) for name in SCORES}
    board = compare_suites(SCORES, losses)
    assert [*board.scores.values()] == sorted(board.scores.values())
    assert board.pairs[0]["metric_options"] == {"lower_is_better": True}


def test_systems_in_any_order_and_frames():
    turned = {
        name: (dict(reversed([*systems.items()])) if name == "b" else systems, right)
        for name, (systems, right) in TASKS.items()
    }
    frames = {name: (pd.DataFrame(systems), right) for name, (systems, right) in TASKS.items()}
    whole = compare_suites(TASKS)
    assert compare_suites(turned) == whole
    assert compare_suites(frames) == whole
    assert compare_suites([*TASKS.items()]) == whole


def test_samples_are_warned_of_once():
    rng = np.random.default_rng(1)
    tasks = {
        name: ({x: rng.integers(0, 9, 60) for x in "xyz"}, rng.integers(0, 9, 60)) for name in "ab"
    }
    with pytest.warns(UserWarning, match="3 of 3 p-values are estimated") as caught:
        compare_suites(tasks, "f1", average="macro", rng=0)
    assert len(caught) == 1


def test_tasks_of_integers_and_of_real_numbers():
    """Each example counts: a board's average is that of the suite, to the last bit."""
    whole = [1, 0, 0, 1, 1, 1, 0, 1], [0, 0, 1, 0, 0, 1, 0, 0]
    real = [math.sin(k) for k in range(8)], [math.cos(3 * k) for k in range(8)]
    suite = compare_suite({"a": whole, "b": real}, "mean_score")
    systems = ({"x": one, "y": two} for one, two in (whole, real))
    board = compare_suites({x: (y,) for x, y in zip("ab", systems, strict=True)}, "mean_score")
    (pair,) = board.pairs
    assert (pair["p"], pair["score1"]) == (suite.pvalue, suite.score1)
    assert suite.score1 == pytest.approx((5 / 8 + math.fsum(real[0]) / 8) / 2, rel=1e-15)
