"""Scores that are missing, and unequal numbers of runs, beside all that they may be, enumerated."""

from fractions import Fraction
from itertools import permutations, product

import datasets
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.vectors import EXTREME
from pairedperm import gate
from pairedperm.readers import read_runs
from pairedperm.readers.files import ReadOptions
from pairedperm.readers.log import Run
from pairedperm.readers.match import match_task
from pairedperm.readers.tasks import Runs
from properties import cases

RANGE = (0, 1)
GRID = (Fraction(0), Fraction(1, 4), Fraction(1))  # of what a missing score may be


def table(ids, scores, **columns):
    return datasets.Dataset.from_dict({"id": [*ids], "score": [*scores], **columns})


def pvalue(one, two, groups, alternative):
    """By all swaps of whole groups, in fractions."""
    sums = dict.fromkeys(groups, Fraction(0))
    for x, y, group in zip(one, two, groups, strict=True):
        sums[group] += Fraction(x) - Fraction(y)
    each = [sum(x) for x in product(*((x, -x) for x in sums.values()))]
    return Fraction(sum(EXTREME[alternative](x, sum(sums.values())) for x in each), len(each))


def completions(column, values):
    return product(*((values if x is None else [x]) for x in column))


scores = st.one_of(st.sampled_from([0, 0.5, 1]), st.sampled_from([0, 1]), st.none())
pairs = st.lists(st.tuples(scores, scores, st.sampled_from("abcd")), min_size=2, max_size=6)
few = pairs.filter(
    lambda x: (
        0 < sum(y is None for row in x for y in row) <= 4
        and all(any(row[k] is not None for row in x) for k in (0, 1))
    )
)


@given(few, st.booleans(), st.booleans())
@settings(cases(0.4))
def test_the_corners_bound_all_completions(rows, is_lower, in_groups):
    """Of p on each side, and of the difference; a two-sided p may be 1 between them."""
    one, two, groups = zip(*rows, strict=True)
    groups = groups if in_groups else range(len(rows))
    named = {"group": [*map(str, groups)]}
    tables = (table(range(len(rows)), x, **named) for x in (one, two))
    runs = read_runs(*tables, on_missing="bounds")
    every = [(x, y) for x in completions(one, GRID) for y in completions(two, GRID)]
    leads = [sum(x) - sum(y) for x, y in every]
    for alternative in EXTREME:
        found = runs.compare(lower_is_better=is_lower, score_range=RANGE, alternative=alternative)
        least, greatest = found.pvalue_bounds
        wanted = [float(pvalue(x, y, groups, alternative)) for x, y in every]
        assert min(wanted) == pytest.approx(least, rel=1e-12)
        changes = alternative == "two-sided" and min(leads) <= 0 <= max(leads)
        assert greatest == (1.0 if changes else pytest.approx(max(wanted), rel=1e-12))
        ends = sorted((found.best.statistic, found.worst.statistic), reverse=not is_lower)
        assert [found.best.statistic, found.worst.statistic] == ends
        assert ends == pytest.approx(
            [x(leads) / len(rows) for x in ((min, max) if is_lower else (max, min))]
        )
    assert found.n_missing == {
        x: y.count(None) for x, y in zip(runs.systems, (one, two), strict=True)
    }


right = st.lists(st.tuples(*[st.sampled_from([0, 1, 1, None])] * 2), min_size=2, max_size=7)


some_missing = right.filter(
    lambda rows: (
        0 < sum(row.count(None) for row in rows) <= 4
        and all(any(row[k] is not None for row in rows) for k in (0, 1))
    )
)
ASKED = {}, {"require": "better"}, {"margin": 0.3}, {"margin": 0.7}


@given(some_missing, st.sampled_from(ASKED))
@settings(cases(0.2))
def test_a_verdict_of_both_is_that_of_all(rows, asked):
    """Pass, fail or inconclusive; where they differ, the verdict is "inconclusive"."""
    asked = asked | {"alpha": 0.3}
    one, two = zip(*rows, strict=True)
    ids = range(len(rows))
    runs = read_runs(table(ids, one), table(ids, two), on_missing="bounds")
    found = gate(runs.compare(score_range=RANGE), **asked)
    verdicts = set()
    for x, y in product(completions(one, (0, 1)), completions(two, (0, 1))):
        whole = read_runs(table(ids, x), table(ids, y))
        verdicts.add(gate(whole.compare(score_range=RANGE), **asked).verdict)
    assert {found.best.verdict, found.worst.verdict} <= verdicts
    if found.best.verdict == found.worst.verdict:
        assert verdicts == {found.verdict}
    else:
        assert found.verdict == "inconclusive"
    assert found.passed == (verdicts == {"pass"})


def test_eight_wins_and_four_that_are_missing():
    """Of both: 12 to 0, or 8 to 4. Of the candidate alone, whose rival is known."""
    new = [1] * 8 + [None] * 4
    for old, ends in (
        ([0] * 8 + [None] * 4, (2 / 2**12, 1588 / 2**12)),
        ([0] * 8 + [1] * 4, (2 / 2**8, 1588 / 2**12)),
        ([0] * 12, (2 / 2**12, 2 / 2**8)),
        ([0] * 8 + [1] * 2 + [0] * 2, (2 / 2**10, 112 / 2**10)),
    ):
        runs = read_runs(table(range(12), new), table(range(12), old), on_missing="bounds")
        assert runs.compare(score_range=RANGE).pvalue_bounds == pytest.approx(ends, rel=1e-12)
        lacking = read_runs(table(range(8), new[:8]), table(range(12), old), on_missing="bounds")
        assert lacking.compare(score_range=RANGE).pvalue_bounds == pytest.approx(ends, rel=1e-12)


def test_what_is_missing_counts_as_wrong():
    """Of the candidate, at the worst end of the range; of repeated runs those that lack one."""
    runs = read_runs(table([1, 2], [9, 5]), table([1, 2, 3], [5, 5, 5]), on_missing="wrong")
    for lower, mean in ((True, 8), (False, 14 / 3)):
        asked = {"lower_is_better": lower, "score_range": (0, 10)}
        assert runs.compare(**asked).score1 == pytest.approx(mean)
        assert runs.examples(**asked).notes == [
            f"1 missing score of the dataset path1 counted as {10 * lower}"
        ]
    again = table([1, 1, 1, 2, 2, 2], [1, None, 1, 1, 1, 1]), table([1, 1, 1, 2, 2, 2], [0] * 6)
    of_runs = read_runs(*again, on_missing="wrong", repeats=True).compare(score_range=RANGE)
    assert of_runs.score1 == pytest.approx(5 / 6)
    bounds = read_runs(*again, on_missing="bounds", repeats=True).compare(score_range=RANGE)
    assert (bounds.best.score1, bounds.worst.score1) == pytest.approx((1, 5 / 6))


POOLS = (1, 0, 0), (1, 1, 0), (1, 0, 0.5)  # the three runs of each item, two of A and one of B


def drawn(one, two, seed):
    """What is compared of two runs, each of ids and scores."""
    runs = {
        x: Run(path=x, format="jsonl", ids=[*ids], scores={"score": [*column]})
        for x, (ids, column) in (("a", one), ("b", two))
    }
    return Runs("", *match_task("", runs, None, ReadOptions(repeats=True, seed=seed)))


@pytest.mark.parametrize("seed", [0, 1])
def test_drawn_runs_have_an_exact_p(seed):
    """In all orders of the pooled runs, with one draw: P(p ≤ u) is at most u."""
    found = []
    for orders in product(*(permutations(x) for x in POOLS)):
        one = (0, 0, 1, 1, 2, 2), [x for y in orders for x in y[:2]]
        runs = drawn(one, (range(3), [y[2] for y in orders]), seed)
        found.append(runs.compare(alternative="greater").pvalue)
    for u in {*found}:
        assert sum(x <= u for x in found) <= u * len(found)


def test_each_draw_is_as_likely():
    """One of three runs, and two of three, by the seed alone."""

    def scores(seed):
        one = (1, 1, 1, 2, 2, 2), [0.1, 0.2, 0.4, 5, 6, 7]
        runs = drawn(one, ((1, 2, 2), [0, 0, 1]), seed)
        return tuple(map(float, runs.systems["a"].scores["score"]))

    every = [scores(seed) for seed in range(450)]
    wanted = {*product((0.1, 0.2, 0.4), (5.5, 6.0, 6.5))}
    assert {*every} == wanted
    assert all(30 <= every.count(x) <= 75 for x in wanted)
    assert scores(7) == every[7]


def test_predictions_of_drawn_runs():
    """The runs whose scores are drawn are those whose predictions are."""
    asked = {"repeats": True, "seed": 3}
    for n in (1, 2):
        answers = [*"abc", *"abb"]
        one = table(
            [1, 1, 1, 2, 2, 2], [0, 1, 2, 0, 1, 1], prediction=answers, reference=[*"bbbbbb"]
        )
        again = [k for k in (1, 2) for _ in range(n)]
        two = table(again, [1] * 2 * n, prediction=["b"] * 2 * n, reference=["b"] * 2 * n)
        runs = read_runs(one, two, **asked)
        right = runs.systems["the dataset path1"].runs["score"]
        result = runs.compare("accuracy")
        assert result.score1 == sum(x == 1 for y in right for x in y) / (2 * n)


def test_means_of_unequally_many_runs():
    """They are swapped as they are, and the text says that p is approximate."""
    one = table([1, 1, 2, 2, 3, 4], [1, 0, 1, 1, 1, 1])
    runs = read_runs(one, table(range(1, 5), [0, 0, 1, 0]), repeats=True, runs="mean")
    result = runs.compare(alternative="greater")
    wanted = pvalue([Fraction(1, 2), 1, 1, 1], [0, 0, 1, 0], range(4), "greater")
    assert (result.pvalue, result.method) == (float(wanted), "approximate")
    assert "The approximate one-sided (greater) paired-permutation test" in str(result)
    assert "2 examples run more often by one system" in str(runs)


def test_runs_are_drawn_beside_missing_examples():
    """An example that one system lacks has no number of runs there."""
    one = table([1, 1, 1, 2, 2], [1, 1, 1, 0, None], prediction=[*"aaaaa"], reference=[*"aaaaa"])
    two = table([1, 2, 2, 3, 3], [0, 0, 0, 1, 0], prediction=[*"aaaab"], reference=[*"aaaaa"])
    runs = read_runs(one, two, repeats=True, on_missing="bounds")
    assert "1 example run more often by one system" in str(runs)
    found = runs.compare("score", score_range=RANGE)
    assert (found.best.score1, found.worst.score1) == pytest.approx((2.5 / 3, 1 / 3))
    assert found.n_missing == {"the dataset path1": 2, "the dataset path2": 0}
    alone = table([1, 1, 1], [1, 1, 1], prediction=[*"aab"], reference=[*"aaa"])
    once = table([1, 4], [0, 0], prediction=[*"ab"], reference=[*"aa"])
    runs = read_runs(alone, once, repeats=True, on_missing="bounds")
    assert runs.systems["the dataset path1"].predictions[1] is None


def test_a_name_of_several_blanks():
    one, two = (datasets.Dataset.from_dict({"id": [1, 2], "a  b": x}) for x in ([1, None], [0, 0]))
    runs = read_runs(one, two, score="a  b", on_missing="bounds")
    assert runs.compare(score_range=RANGE).pvalue_bounds == (0.5, 1.0)
