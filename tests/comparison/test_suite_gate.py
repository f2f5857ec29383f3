"""The gate over several tasks: its verdicts, and how often it fails a system that is as good."""

import warnings
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.pilots import labels
from corpora.results import result
from oracles import discrete as oracle
from pairedperm import compare_suite, equivalence_test, gate, gate_suite
from pairedperm.scoring import MeanScore
from properties import one_in

ROOMY = 0.2  # a margin that each of the tasks below shows
WINS_AND_LOSSES = {  # of each task, and its examples
    "as good": [(5, 5, 200), (3, 4, 300)],
    "better": [(30, 5, 200), (3, 4, 300)],
    "worse": [(5, 40, 200), (4, 4, 300)],
    "worse, by little": [(30, 75, 2000), (30, 60, 2000)],
    "worse on one": [(0, 9, 200), (19, 9, 300)],
}


def suite_of(flips, **options):
    tasks = {f"task {k}": labels(*x) for k, x in enumerate(flips)}
    return compare_suite(tasks, **options)


@pytest.mark.parametrize(
    ("name", "options", "verdict", "reasons"),
    [
        ("as good", {}, "pass", "not shown worse"),
        ("as good", {"margin": 0.05}, "pass", "within the margin"),
        ("as good", {"margin": 0.001}, "inconclusive", "perhaps beyond the margin"),
        ("as good", {"require": "better"}, "fail", "not shown better"),
        ("as good", {"task_margin": ROOMY}, "pass", "within the margin of tasks"),
        ("as good", {"task_margin": 0.01}, "inconclusive", "perhaps beyond the margin of tasks"),
        ("better", {}, "pass", "better"),
        ("worse", {}, "fail", "worse on average, worse on tasks"),
        ("worse, by little", {"alpha": 1e-6}, "fail", "worse on average"),
        ("worse, by little", {"margin": 0.1, "alpha": 1e-6}, "pass", "within the margin"),
        ("worse, by little", {"margin": 0.1}, "fail", "worse on tasks"),
        ("worse, by little", {"margin": 0.1, "task_margin": 0.1}, "pass", "within the margin"),
        ("worse on one", {"require": "better"}, "fail", "worse on tasks"),
    ],
)
def test_verdicts(name, options, verdict, reasons):
    found = gate_suite(suite_of(WINS_AND_LOSSES[name]), **options)
    assert (found.verdict, ", ".join(found.reasons)) == (verdict, reasons)
    level = 1.0 - 2.0 * found.alpha if {"margin", "task_margin"} & {*options} else 0.95
    assert found.suite.results["task 0"].to_dict()["confidence_level"] in (level, None)
    assert found.suite.average.figures().level == level
    assert "no significant loss" not in str(found) or min(found.p_worse.values()) > found.alpha


@one_in(3)
@pytest.mark.parametrize("name", WINS_AND_LOSSES)
def test_tasks_within_their_margin(name):
    """A task is shown to be within if its own equivalence test says so, or if it is better."""
    suite = suite_of(WINS_AND_LOSSES[name])
    found = gate_suite(suite, task_margin=0.05)
    results = suite.results
    shown = {
        task
        for task, x in results.items()
        if equivalence_test(x, margin=0.05).noninferior or (x.pvalue <= 0.05 and x.statistic > 0)
    }
    assert {*found.open_tasks} == {*results} - shown


SIGNED = st.lists(st.integers(-3, 3), min_size=1, max_size=5)


def gate_of(tasks, alpha):
    """Of tasks of differences."""
    columns = {str(k): ([3 + x for x in d], [3] * len(d)) for k, d in enumerate(tasks)}
    return gate_suite(compare_suite(columns, "mean_score", constant="system"), alpha=alpha)


@given(tasks=st.lists(SIGNED, min_size=1, max_size=4), alpha=st.sampled_from([0.05, 0.1, 0.3]))
def test_pvalues_of_losses(tasks, alpha):
    """Twice those of a one-sided Holm procedure at half the level, of tasks that can reach it."""
    pvalues = [oracle.pvalue(d, "less") for d in tasks]
    least = [min(oracle.law_of_pvalue(d, "less")) for d in tasks]
    adjusted = oracle.holm_of_some(pvalues, least, Fraction(alpha) / 2)
    expected = [min(2 * x, 1) for x in adjusted]
    found = gate_of(tasks, alpha)
    assert [*found.p_worse.values()] == pytest.approx([*map(float, expected)], rel=1e-9)
    cells = [x.value for *_, x in found.told().rows]
    assert cells[: len(tasks)] == [*found.p_worse.values()]


def test_losses_that_tasks_could_detect():
    """Those of the gate of one task, at the level that the adjusted p surely finds."""
    found = result("gate of losses it could detect")
    results = found.suite.results.values()
    expected = [gate(x, alpha=0.05 / 3).detectable for x in results]
    assert [*found.detectable.values()] == expected
    assert [x["detectable"] for x in found.to_dict()["tasks"]] == expected


def test_other_levels_than_that_of_the_suite():
    """The intervals of the result are those that decide, and the level says which tasks count.

    A task with 3 differing examples can have p = 0.25: it counts at 0.3, and not at 0.05.
    """
    flips = [(3, 0, 20), (5, 15, 200)]
    for margin in (None, 0.1):
        gated = gate_suite(suite_of(flips), margin=margin, alpha=0.3)
        assert gated.suite.p_adjusted == suite_of(flips, alpha=0.3).p_adjusted
        assert gated.suite.p_adjusted["task 0"] < 1.0


def test_other_scores_have_an_asymptotic_interval():
    """It shows a margin if 30 examples differ, at a level up to 99 %."""
    many, few = (labels(*x) for x in ((60, 60, 600), (5, 5, 600)))
    margin, doubtful = {"margin": 0.2}, ("perhaps beyond the margin",)
    of_many = compare_suite({"a": many, "b": many}, "f1", pos_label=1, rng=1)
    assert of_many.average.confidence_interval().method == "studentised bootstrap"
    assert gate_suite(of_many, **margin).reasons == ("within the margin",)
    assert gate_suite(of_many, **margin, alpha=0.001).reasons == doubtful
    of_few = compare_suite({"a": few, "b": few}, "f1", pos_label=1, rng=1)
    assert of_few.average.confidence_interval(0.9).low > -0.2
    assert gate_suite(of_few, **margin).reasons == doubtful
    shared = compare_suite({"a": many, "b": many}, groups={name: range(600) for name in "ab"})
    assert gate_suite(shared, **margin).reasons == doubtful


@pytest.mark.parametrize(
    ("flips", "margin", "verdict", "reason"),
    [
        ((40, 5), None, "inconclusive", "no average"),
        ((5, 40), None, "fail", "worse on tasks"),
        ((5, 5), 1, "inconclusive", "perhaps beyond the margin of tasks"),
        ((5, 5), 20, "pass", "within the margin of tasks"),
        ((5, 40), 1, "fail", "worse on tasks"),
    ],
)
def test_tasks_without_an_average(flips, margin, verdict, reason):
    """Right and wrong, and as many examples with 100 and 0 points: each has a margin."""
    points = tuple([100 * x for x in column] for column in labels(*flips, 200)[:2])
    metrics = {"right": "accuracy", "points": MeanScore(of="points", score_range=(0, 100))}
    suite = compare_suite({"right": labels(5, 5, 200), "points": points}, metrics)
    margins = {"right": 0.2, "points": margin} if margin else None
    found = gate_suite(suite, task_margin=margins)
    assert (found.verdict, found.reasons) == (verdict, (reason,))


def test_margins_of_each_task():
    """A dict of equal margins is the margin of all; scores within theirs are doubted once."""
    suite = suite_of(WINS_AND_LOSSES["as good"])
    one, each = (gate_suite(suite, task_margin=x) for x in (0.1, {"task 0": 0.1, "task 1": 0.1}))
    assert (one.verdict, one.task_margins) == (each.verdict, each.task_margins)
    numbers = {x: ([0.1, 0.3] * 40, [0.2, 0.1] * 40) for x in "abc"}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        gate_suite(compare_suite(numbers, "mean_score"), task_margin=5)
    assert [str(x.message) for x in told] == [
        "`task_margin` of task 'a' is 5, and both scores are at most 0.2. Is it in units of the "
        "score? The same holds for 2 more tasks."
    ]
