"""The gate over several tasks: its verdicts, and how often it fails a system that is as good."""

import copy
import json
import pickle
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.pilots import labels
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
    "small": [(1, 1, 20), (2, 2, 30)],
}


def suite_of(flips, **options):
    tasks = {f"task {k}": labels(*x) for k, x in enumerate(flips)}
    return compare_suite(tasks, **options)


@pytest.mark.parametrize("margin", [None, 0.1])
def test_the_level_says_which_tasks_count(margin):
    """A task with 3 differing examples can have p = 0.25: it counts at 0.3, and not at 0.05."""
    flips = [(3, 0, 20), (5, 15, 200)]
    gated = gate_suite(suite_of(flips), margin=margin, alpha=0.3)
    assert gated.suite.p_adjusted == suite_of(flips, alpha=0.3).p_adjusted
    assert gated.suite.p_adjusted["task 0"] < 1.0


@pytest.mark.parametrize(
    ("name", "options", "verdict", "reasons"),
    [
        ("as good", {}, "pass", "not shown worse"),
        ("as good", {"margin": 0.05}, "pass", "within the margin"),
        ("as good", {"margin": 0.001}, "inconclusive", "perhaps beyond the margin"),
        ("as good", {"require": "better"}, "fail", "not shown better"),
        ("as good", {"task_margin": ROOMY}, "pass", "within the margin of tasks"),
        ("as good", {"margin": 0.1, "task_margin": ROOMY}, "pass", "within the margin"),
        ("as good", {"task_margin": 0.01}, "inconclusive", "perhaps beyond the margin of tasks"),
        ("better", {}, "pass", "better"),
        ("better", {"require": "better"}, "pass", "better"),
        ("better", {"margin": 1e-6}, "pass", "better"),
        ("worse", {}, "fail", "worse on average, worse on tasks"),
        ("worse", {"margin": 0.05}, "fail", "worse on average, worse on tasks"),
        ("worse", {"task_margin": 0.05}, "fail", "worse on average, worse on tasks"),
        ("worse, by little", {"alpha": 1e-6}, "fail", "worse on average"),
        ("worse, by little", {"margin": 0.1, "alpha": 1e-6}, "pass", "within the margin"),
        ("worse, by little", {"margin": 0.1}, "fail", "worse on tasks"),
        ("worse, by little", {"margin": 0.1, "task_margin": 0.1}, "pass", "within the margin"),
        ("worse on one", {}, "fail", "worse on tasks"),
        ("worse on one", {"require": "better"}, "fail", "worse on tasks"),
        ("worse on one", {"task_margin": ROOMY}, "pass", "within the margin of tasks"),
        ("small", {"margin": 0.01}, "inconclusive", "perhaps beyond the margin"),
    ],
)
def test_verdicts(name, options, verdict, reasons):
    found = gate_suite(suite_of(WINS_AND_LOSSES[name]), **options)
    assert (found.verdict, ", ".join(found.reasons)) == (verdict, reasons)
    assert found.exit_code == {"pass": 0, "fail": 1, "inconclusive": 3}[verdict]
    assert found.passed == (verdict == "pass")
    text = " ".join(str(found).split())
    assert text.startswith(f"{verdict.upper()}: ")
    assert "no significant loss" not in text or min(found.p_worse.values()) > found.alpha
    stored = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert stored["reasons"] == reasons.split(", ")
    assert f"**{verdict.upper()}**: " in found.to_markdown()


@one_in(3)
@pytest.mark.parametrize("name", WINS_AND_LOSSES)
def test_tasks_within_their_margin(name):
    """A task is shown to be within if its own equivalence test says so, or if it is better."""
    suite = suite_of(WINS_AND_LOSSES[name])
    found = gate_suite(suite, task_margin=0.05)
    results = {x.of.task: x.result for x in suite._tests}
    shown = {
        task
        for task, x in results.items()
        if equivalence_test(x, margin=0.05).noninferior or (x.pvalue <= 0.05 and x.statistic > 0)
    }
    assert {*found.open_tasks} == {*results} - shown


def test_lower_is_better():
    """Errors in the place of right answers turn the verdict."""
    columns = {"one": ([0, 1] * 20, [1, 1] * 20), "two": ([1, 0] * 20, [0, 0] * 20)}
    for lower, verdict in ((True, "pass"), (False, "fail")):
        metric = MeanScore(lower_is_better=lower)
        found = gate_suite(compare_suite({"a": columns["one"]}, metric))
        assert found.verdict == verdict
        found = gate_suite(compare_suite({"a": columns["two"]}, metric))
        assert found.verdict == {"pass": "fail", "fail": "pass"}[verdict]
    with_range = MeanScore(lower_is_better=True, score_range=(0, 1))
    same = {"a": ([0, 1] * 200, [0, 1] * 200)}
    assert gate_suite(compare_suite(same, with_range), margin=0.1).reasons == ("within the margin",)


SIGNED = st.lists(st.integers(-3, 3), min_size=1, max_size=5)


@given(tasks=st.lists(SIGNED, min_size=1, max_size=4), alpha=st.sampled_from([0.05, 0.1, 0.3]))
def test_pvalues_of_losses(tasks, alpha):
    """Twice those of a one-sided Holm procedure at half the level, of tasks that can reach it."""
    columns = {str(k): ([3 + x for x in d], [3] * len(d)) for k, d in enumerate(tasks)}
    found = gate_suite(compare_suite(columns, "mean_score", constant="system"), alpha=alpha)
    pvalues = [oracle.pvalue(d, "less") for d in tasks]
    least = [min(oracle.law_of_pvalue(d, "less")) for d in tasks]
    adjusted = oracle.holm_of_some(pvalues, least, Fraction(alpha) / 2)
    expected = [min(2 * x, 1) for x in adjusted]
    assert [*found.p_worse.values()] == pytest.approx([*map(float, expected)], rel=1e-9)


@one_in(3)
@pytest.mark.parametrize("alpha", [0.125, 0.3, 0.5])
def test_false_failures_by_enumeration(alpha):
    """Of all swaps of two small tasks at most the level fail, and half of it by a task."""
    sizes = [(1, 1, 2), (1, 2, 2, 3)]
    failed, by_tasks = 0, 0
    swaps = [*product((1, -1), repeat=sum(map(len, sizes)))]
    for signs in swaps:
        left = iter(signs)
        columns = {
            str(k): ([3 + x * next(left) for x in task], [3] * len(task))
            for k, task in enumerate(sizes)
        }
        found = gate_suite(compare_suite(columns, "mean_score", constant="system"), alpha=alpha)
        assert found.verdict in ("pass", "fail")
        failed += found.verdict == "fail"
        by_tasks += "worse on tasks" in found.reasons
    assert 0 < Fraction(failed, len(swaps)) <= Fraction(alpha)
    assert Fraction(by_tasks, len(swaps)) <= Fraction(alpha) / 2


def test_losses_that_tasks_could_detect():
    """Those of the gate of one task, at the level that the adjusted p surely finds."""
    suite = suite_of([(5, 5, 200), (0, 0, 50), (8, 9, 300)])
    found = gate_suite(suite)
    expected = [gate(x, alpha=0.05 / 3).detectable for x in suite.results.values()]
    assert [*found.detectable.values()] == expected
    assert [x["detectable"] for x in found.to_dict()["tasks"]] == expected
    assert expected[1] is None
    said = (
        "With p adjusted and a power of 80%, this run could detect a loss of about 8.5 percentage "
        "points on 'task 0', 6.5 percentage points on 'task 2'; of no size on 1 task ('task 1')."
    )
    assert said in " ".join(str(found).split())
    assert "could detect" not in str(gate_suite(suite, task_margin=ROOMY))


def test_other_levels_than_that_of_the_suite():
    """The words and the intervals of the result are those that decide."""
    suite = suite_of(WINS_AND_LOSSES["worse"], alpha=1e-9)
    assert "no significant difference at α = 1e-09" in str(suite)
    found = gate_suite(suite, alpha=0.1, margin=0.01)
    assert "a significant difference at α = 0.1." in str(found)
    assert "80% interval of its difference" in str(found)
    assert {x["confidence_level"] for x in found.to_dict()["tasks"]} == {0.8}
    assert found.suite.average_interval == suite.confidence_interval(0.8)


def test_copies_of_a_suite_have_a_verdict():
    suite = suite_of(WINS_AND_LOSSES["as good"])
    expected = gate_suite(suite, margin=0.05, task_margin=ROOMY)
    for copied in (copy.deepcopy(suite), pickle.loads(pickle.dumps(suite))):
        assert gate_suite(copied, margin=0.05, task_margin=ROOMY) == expected


def test_without_a_standard_error():
    """A task of one example has none."""
    found = gate_suite(suite_of([(0, 0, 200), (1, 0, 1)]), task_margin=0.5)
    assert found.open_tasks == ("task 1",)


def test_all_tasks_that_are_worse():
    """The text names all, the largest loss first, and the table marks them."""
    losses = {"a": 20, "b": 60, "c": 30, "d": 50, "e": 40, "f": 25, "fine": 1}
    tasks = {task: labels(1, x, 200) for task, x in losses.items()}
    found = gate_suite(compare_suite(tasks))
    assert found.worse_tasks == ("b", "d", "e", "c", "f", "a")
    text = " ".join(str(found).split())
    assert "on 6 tasks ('b': 60 lost, 1 gained, 'd': 50 lost," in text
    assert "'a': 20 lost, 1 gained)" in text
    cells = {row[0]: row[-1] for row in found._table().rows}
    assert {x for x, cell in cells.items() if cell.endswith(" *")} == {*"abcdef"}
    assert "* significantly worse." in text
    assert found.to_pandas()["p of a loss"].tolist()[:7] == [*found.p_worse.values()]


def test_names_in_the_text():
    found = gate_suite(suite_of(WINS_AND_LOSSES["worse"]))
    verdict = " ".join(str(found).split("\n\n")[0].split())
    assert verdict == (
        "FAIL: system 1 is significantly worse than system 2 on average. system 1 is "
        "significantly worse than system 2 on 1 task ('task 0': 40 lost, 5 gained)."
    )
    assert found.to_pandas()["p of a loss"].tolist()[:2] == [*found.p_worse.values()]


def test_other_scores_have_an_asymptotic_interval():
    """It shows a margin if 30 examples differ, at a level up to 99 %."""
    many, few = (labels(*x) for x in ((60, 60, 600), (5, 5, 600)))
    margin = {"margin": 0.2}
    of_many = compare_suite({"a": many, "b": many}, "f1", pos_label=1, rng=1)
    assert of_many.average_interval.method == "studentised bootstrap"
    assert gate_suite(of_many, **margin).reasons == ("within the margin",)
    doubtful = "perhaps beyond the margin"
    assert gate_suite(of_many, **margin, alpha=0.001).reasons == (doubtful,)
    of_few = compare_suite({"a": few, "b": few}, "f1", pos_label=1, rng=1)
    assert of_few.confidence_interval(0.9).low > -0.2
    assert gate_suite(of_few, **margin).reasons == (doubtful,)
    ids = {name: range(600) for name in "ab"}
    shared = compare_suite({"a": many, "b": many}, groups=ids)
    assert gate_suite(shared, **margin).reasons == (doubtful,)


def test_with_a_margin_the_interval_decides():
    """All gain, or lose, 0.05 of a range of 1: p is small, and the interval includes 0."""
    one, two = [1.0] * 8, [0.95] * 8
    options = {"metric": "mean_score", "score_range": (0, 1), "constant": "system"}
    for columns in ((one, two), (two, one)):
        suite = compare_suite({"a": columns, "b": columns}, **options)
        assert suite.pvalue == 2.0**-15
        found = gate_suite(suite, margin=0.04, task_margin=0.04)
        assert found.verdict == "inconclusive"
        assert found.worse_tasks == ()
        told = " ".join(str(found).split())
        assert "The outputs differ; the interval of the difference includes 0." in told
        assert "The outputs differ on 2 tasks ('a', 'b'); the interval of the difference" in told
    assert gate_suite(suite).reasons == ("worse on average", "worse on tasks")  # p alone
