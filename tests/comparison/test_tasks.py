"""Tasks whose metrics differ in direction or unit, in suites, boards and gates."""

import json
import math
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given

from corpora.pilots import labels
from oracles.discrete import pvalue as all_swaps
from pairedperm import InputError, compare, compare_suite, compare_suites, gate_suite
from pairedperm.comparison.tasks import why_no_average
from pairedperm.results.correction import adjusted
from pairedperm.scoring import (
    F1,
    Accuracy,
    CohenKappa,
    HammingLoss,
    LogLikelihood,
    MeanScore,
    Perplexity,
)
from properties import cases, generators, one_in

WORST = 3
SCORE = MeanScore(score_range=(0, WORST))
LOSS = MeanScore(score_range=(0, WORST), lower_is_better=True)
TURNED = MeanScore(score_range=(-WORST, 0))  # of losses below 0
ALTERNATIVES = ("two-sided", "greater", "less")
OF_AVERAGE = (
    *("statistic", "pvalue", "pvalue_interval", "score1", "score2", "alternative", "n_groups"),
    *("n_wins", "n_losses", "n_ties", "standard_error", "p_adjusted"),
    *("average_interval", "n", "n_differing"),
)


def drawn(rng, n_systems=2):
    """Three tasks of small scores, of which the last ones count errors, and groups of some."""
    sizes = rng.integers(1, 5, 3).tolist()
    scores = {
        name: rng.integers(0, WORST + 1, (n_systems, n)).tolist()
        for name, n in zip("abc", sizes, strict=True)
    }
    lower = {"b", "c"} if rng.random() < 0.5 else {"c"}
    groups = {x: rng.integers(0, 5, len(y[0])).tolist() for x, y in scores.items()}
    return scores, lower, groups if rng.random() < 0.5 else None


def with_losses(scores, lower):
    """The tasks and their metrics, first as they are, then with each loss below 0."""
    yield scores, {name: LOSS if name in lower else SCORE for name in scores}
    yield (
        {x: [[-z for z in y] for y in ys] if x in lower else ys for x, ys in scores.items()},
        {name: TURNED if name in lower else SCORE for name in scores},
    )


@given(generators)
@cases(0.5)
def test_losses_count_as_scores_below_0(rng):
    """They are the same in all but the task's own scores."""
    scores, lower, groups = drawn(rng)
    asked = {
        "alternative": str(rng.choice(ALTERNATIVES)),
        "correction": "holm",
        "groups": groups,
        "alpha": 0.3,
    }
    mixed, plain = (compare_suite(*x, **asked) for x in with_losses(scores, lower))
    for name in OF_AVERAGE:
        assert getattr(mixed, name) == getattr(plain, name), name
    assert mixed.lead() == mixed.statistic
    for one, other in zip(mixed.tasks, plain.tasks, strict=True):
        assert one["turned"] == (one["task"] in lower)
        assert one["stat"] == (-1 if one["turned"] else 1) * other["stat"]
        assert one["p"] == other["p"]
    if asked["alternative"] == "two-sided":
        one, other = (gate_suite(x, alpha=0.3) for x in (mixed, plain))
        assert (one.verdict, one.reasons, one.p_worse) == (
            other.verdict,
            other.reasons,
            other.p_worse,
        )


@given(generators)
@cases(0.3)
def test_mixed_directions_by_all_swaps(rng):
    scores, lower, _ = drawn(rng)
    alternative = str(rng.choice(ALTERNATIVES))
    (tasks, metrics), _ = with_losses(scores, lower)
    found = compare_suite(tasks, metrics, alternative=alternative)
    common = math.lcm(*(len(x[0]) for x in scores.values()))
    moves = [
        (y - x if name in lower else x - y) * (common // len(one))
        for name, (one, two) in scores.items()
        for x, y in zip(one, two, strict=True)
    ]
    assert found.pvalue == pytest.approx(float(all_swaps(moves, alternative)))
    assert found.statistic == pytest.approx(sum(moves) / common / 3)
    for name, (one, two) in scores.items():
        own = [y - x if name in lower else x - y for x, y in zip(one, two, strict=True)]
        assert found.results[name].pvalue == pytest.approx(float(all_swaps(own, alternative)))


@pytest.mark.parametrize("seed", range(3))
def test_bootstrap_intervals_of_mixed_directions(seed):
    rng = np.random.default_rng(seed)
    scores = {x: rng.integers(0, WORST + 1, (2, 40)).tolist() for x in "abc"}
    ends = [
        compare_suite(*x).confidence_interval(kind="studentised bootstrap")
        for x in with_losses(scores, {"a", "c"})
    ]
    assert [*ends[0]] == pytest.approx([*ends[1]], abs=0.03)  # other draws


@given(generators)
@cases(0.2)
def test_boards_of_mixed_directions(rng):
    scores, lower, groups = drawn(rng, 3)
    boards = [
        compare_suites(
            {task: (dict(zip("xyz", y, strict=True)),) for task, y in tasks.items()},
            metrics,
            groups=groups,
        )
        for tasks, metrics in with_losses(scores, lower)
    ]
    mixed, plain = boards
    assert (mixed.systems, mixed.scores) == (plain.systems, plain.scores)
    assert [x["p"] for x in mixed.pairs] == [x["p"] for x in plain.pairs]
    assert {x.task for x in mixed.tasks if x.turned} == lower
    assert "as negative in the average." in " ".join(str(mixed).split())
    assert json.dumps(mixed.to_dict(), allow_nan=False)


RIGHT = [1] * 12
BETTER = ([1] * 12, [0] * 10 + [1] * 2)
MIXED = {"right": (*BETTER, RIGHT), "seconds": BETTER}
SECONDS = MeanScore(of="seconds", lower_is_better=True)
UNITS = {"right": "accuracy", "seconds": SECONDS}


def test_what_it_says_of_directions():
    tasks = {"right": MIXED["right"], "wrong": (BETTER[1], BETTER[0], RIGHT)}
    text = " ".join(
        str(compare_suite(tasks, {"right": Accuracy(), "wrong": HammingLoss()})).split()
    )
    assert "wrong 12 83.33% 0.00% 83.33%" in text
    assert "average 24 8.33% 8.33% 0.00%" in text
    assert "Lower is better on 1 task ('wrong'), whose score counts as negative in" in text


def test_different_units_have_no_average():
    found = compare_suite(MIXED, UNITS)
    alone = compare(*MIXED["right"]), compare(*MIXED["seconds"], None, SECONDS)
    assert [x["p"] for x in found.tasks] == [x.pvalue for x in alone]
    assert [*found.p_adjusted.values()] == adjusted([x.pvalue for x in alone])
    assert (found.statistic, found.pvalue, found.score1, found.standard_error) == (None,) * 4
    assert (found.n, found.n_wins, found.n_losses, found.alternative) == (24, 10, 10, "two-sided")
    assert found.average_interval is found.confidence_level is found.tasks[0]["weight"] is None
    assert json.dumps(found.to_dict(), allow_nan=False)
    text = " ".join(str(found).split())
    assert (
        "Lower is better on 1 task ('seconds'). No average: 'accuracy' of task 'right' and" in text
    )
    assert "'seconds' of task 'seconds' differ in their unit." in text
    assert "average 24" not in text
    assert pickle.loads(pickle.dumps(found)) == found
    one_sided = compare_suite(MIXED, UNITS, alternative="greater")
    assert one_sided.alternative == "greater"
    assert [x["alternative"] for x in one_sided.tasks] == ["greater", "less"]


@pytest.mark.parametrize(
    ("metrics", "apart"),
    [
        ((Accuracy(), HammingLoss()), ""),
        ((Accuracy(), F1()), ""),
        ((Accuracy(), CohenKappa()), "unit"),
        ((SCORE, LOSS), ""),
        ((SCORE, TURNED), ""),
        ((SCORE, MeanScore(score_range=(0, 1))), "range"),
        ((SCORE, MeanScore()), ""),
        ((SCORE, SECONDS), "direction, and not both have a known range"),
        ((LogLikelihood(), Perplexity()), "direction, and not both have a known range"),
        ((MeanScore(), SCORE, MeanScore(score_range=(0, 1))), "range"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ".join(y.name for y in x),
)
def test_which_metrics_have_an_average(metrics, apart):
    named = {f"{k}": x for k, x in enumerate(metrics)}
    assert apart in why_no_average(named)
    assert bool(apart) == bool(why_no_average(named))


UNEVEN = MeanScore(of="points", score_range=(0, 100))
POINTS = {"right": "accuracy", "points": UNEVEN}


def points(wins, losses, n):
    """As many examples with 100 and 0 points."""
    return tuple([100 * x for x in column] for column in labels(wins, losses, n)[:2])


@one_in(2)
@pytest.mark.parametrize(
    ("flips", "task_margin", "verdict", "reason"),
    [
        ((5, 5), None, "inconclusive", "no average"),
        ((40, 5), None, "inconclusive", "no average"),
        ((5, 40), None, "fail", "worse on tasks"),
        ((5, 5), {"right": 0.2, "points": 20}, "pass", "within the margin of tasks"),
        ((5, 5), {"right": 0.2, "points": 1}, "inconclusive", "perhaps beyond the margin of tasks"),
        ((5, 40), {"right": 0.2, "points": 1}, "fail", "worse on tasks"),
    ],
)
def test_gates_without_an_average(flips, task_margin, verdict, reason):
    tasks = {"right": labels(5, 5, 200), "points": points(*flips, 200)}
    found = gate_suite(compare_suite(tasks, POINTS), task_margin=task_margin)
    assert (found.verdict, found.reasons) == (verdict, (reason,))
    stored = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [x["task_margin"] for x in stored["tasks"]] == [
        *(task_margin or {"a": None, "b": None}).values()
    ]
    text = " ".join(str(found).split())
    if verdict == "pass":
        assert "is shown to be less than the task's margin worse than" in text


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"margin": 0.1}, "`margin` is of the average, and there is none: 'accuracy' of task"),
        ({"require": "better"}, "require='better' is of the average, and there is none"),
        ({"task_margin": 0.1}, "`task_margin` must be one for each task, a dict from task to"),
        ({"task_margin": {"right": 0.1}}, "`task_margin` lacks task 'seconds'"),
        ({"task_margin": {"right": 0.1, "seconds": -1}}, "`task_margin`['seconds'] must be a pos"),
        (
            {"task_margin": {"right": 2, "seconds": 1}},
            "`task_margin` of task 'right' must be below 1",
        ),
    ],
)
def test_margins_that_fit_no_average(asked, message):
    with pytest.raises(InputError) as refused:
        gate_suite(compare_suite(MIXED, UNITS), **asked)
    assert message in str(refused.value)


def test_margins_of_each_task():
    """A dict of equal margins is the margin of all; scores within theirs are doubted once."""
    tasks = {x: labels(5, 5, 200) for x in "ab"}
    suite = compare_suite(tasks)
    one, each = (gate_suite(suite, task_margin=x) for x in (0.1, {"a": 0.1, "b": 0.1}))
    assert (one.verdict, one.task_margins) == (each.verdict, each.task_margins)
    numbers = {x: ([0.1, 0.3] * 40, [0.2, 0.1] * 40) for x in "abc"}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        gate_suite(compare_suite(numbers, "mean_score"), task_margin=5)
    assert [str(x.message) for x in told] == [
        "`task_margin` of task 'a' is 5, and both scores are at most 0.2. Is it in units of the "
        "score? The same holds for 2 more tasks."
    ]


def test_a_task_called_average():
    found = str(compare_suite({"average": MIXED["right"]}))
    assert [x.split("  ")[0] for x in found.splitlines()[1:3]] == [
        "average",
        "average of all tasks",
    ]
