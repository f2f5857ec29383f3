"""What a gate says: lines, ids, the outlook, Markdown, JSON and exit codes."""

import json
import pickle
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from corpora.pilots import labels, real_pilot
from pairedperm import compare, gate, paired_permutation_test
from pairedperm.results.gate_result import EXIT_CODES
from properties import one_in


@cache
def undecided():
    return gate(compare(*labels(2, 8, 100)))


@cache
def of_a_margin():
    return gate(compare(*labels(40, 45, 1000)), margin=0.015)


def test_lines():
    assert str(undecided()).splitlines() == [
        "PASS: no significant loss of candidate against baseline was found. This does not",
        "  show that the candidate is as good: for that, set a margin.",
        "This run could detect a loss of about 11 percentage points (with a power of",
        "  80%).",
        "accuracy (higher is better): 92.00% against 98.00% on 100 examples",
        "difference: -6.00 percentage points, 95% interval -13.66 to 1.16 percentage",
        "  points (exact), p = 0.109",
        "exact two-sided paired-permutation test",
        "null: exchangeable outputs (p); no difference in the population (interval)",
        "gained: 2",
        "lost: 8",
    ]
    assert repr(undecided()) == str(undecided())


def test_lines_of_a_margin():
    """The interval is that of the margin, at the level 1 - 2 alpha."""
    verdict, metric, difference, *_ = of_a_margin().lines("new", "old")
    assert verdict == (
        "INCONCLUSIVE: new may be worse than old by 1.5 percentage points or more: these examples "
        "do not tell."
    )
    assert not [*of_a_margin().outlook()]
    assert metric == "accuracy (higher is better): 95.50% against 96.00% on 1,000 examples"
    assert difference == (
        "difference: -0.50 percentage points, 90% interval -2.12 to 1.12 percentage points "
        "(exact), p = 0.665"
    )


def test_lower_is_better():
    scores = [0.5] * 6 + [0.25], [0.25] * 7
    options = {"of": "wer", "lower_is_better": True, "constant": "system"}
    result = compare(*scores, None, "mean_score", **options)
    found = gate(result)
    assert [*found.lines()][1] == "mean wer (lower is better): 0.46 against 0.25 on 7 examples"
    assert "lost: 6" in str(found)
    assert "gained: 0" in str(found)


@one_in(2)
@pytest.mark.parametrize(
    ("flips", "options", "text"),
    [
        ((2, 8, 100), {}, "This run could detect a loss of about 11 percentage points (with a"),
        ((8, 2, 100), {}, "This run could detect a loss of about 17 percentage points (with a"),
        ((1, 1, 9), {}, "This run could not detect a loss of any size with a power of 80%."),
        ((0, 0, 9), {}, "The two do not differ on any example. That shows, at 95%, that they diff"),
        ((10, 1, 100), {}, ""),
        ((1, 10, 100), {}, ""),
        ((10, 40, 1000), {"margin": 0.05}, ""),
        ((10, 40, 1000), {"margin": 0.01}, ""),
        ((45, 40, 1000), {"margin": 0.015}, ""),
        ((40, 45, 1000), {"margin": 0.015}, ""),
        ((0, 0, 100), {"margin": 0.01}, "So few examples pass only if more are gained than lost."),
        ((2, 8, 100), {"require": "better"}, ""),
        ((10, 1, 100), {"require": "better"}, ""),
        ((8, 2, 100), {"require": "better"}, ""),
    ],
    ids=str,
)
def test_outlook(flips, options, text):
    found = gate(compare(*labels(*flips)), **options)
    outlook = [*found.outlook()]
    assert bool(outlook) == bool(text)
    assert [*found.lines()][1 : len(outlook) + 1] == outlook
    assert [*found.lines()][1].startswith(text or "accuracy (higher is better): ")
    assert [*found.lines()][-1].startswith("lost: ")


def test_more_ties_would_pass():
    (few,) = gate(compare(*labels(0, 0, 100)), margin=0.01).outlook()
    assert few == (
        "So few examples pass only if more are gained than lost. Else a margin of 1 percentage "
        "point takes at least 299 examples."
    )
    assert gate(compare(*labels(0, 0, 299)), margin=0.01).passed


def test_groups():
    result = compare(*labels(8, 2, 100), groups=np.arange(100) // 2)
    assert " on 100 examples in 50 groups" in str(gate(result))


def test_ids():
    """The first ten, and how many more; none where they are not known."""
    found = replace(undecided(), gained=("a", 7), lost=tuple(range(12)))
    assert "gained: 2 ('a', 7)\n" in str(found)
    assert "lost: 8 (0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more)" in str(found)
    assert "gained: 2\n" in str(replace(undecided(), gained=(), lost=()))


def test_a_function_that_is_lost():
    """Without the caller's score nobody knows which example speaks for whom."""
    rows = np.arange(24).reshape(12, 2) % 5 + 1
    result = paired_permutation_test(rows, rows[::-1], score=lambda x: x[..., 0] / x[..., 1])
    whole, part = gate(result), pickle.loads(pickle.dumps(gate(result)))
    assert "\ngained: " in str(whole)
    assert "gained" not in str(part)
    assert part.exit_code == whole.exit_code
    assert (part.to_dict()["n_wins"], whole.to_dict()["n_wins"]) == (None, result.n_wins)


LINES = {
    "open": undecided,
    "margin": of_a_margin,
    "scores": lambda: gate(real_pilot(), margin=0.1),
    "ids": lambda: replace(undecided(), gained=tuple(f"id {k} of the document" for k in range(30))),
    "sizes": lambda: gate(paired_permutation_test([1e6, 2.5e6], [1e-6, 0.0])),
    "options": lambda: gate(compare(*labels(2, 8, 100), "f1", average="macro", labels=[0, 1])),
}


@pytest.mark.parametrize("asked", LINES.values(), ids=LINES)
def test_lines_fit_a_terminal(asked):
    assert max(map(len, str(asked()).splitlines())) <= 80


def test_exit_codes():
    """2 is for errors, in Python and in a shell."""
    assert EXIT_CODES == {"pass": 0, "fail": 1, "inconclusive": 3}
    for verdict, code in EXIT_CODES.items():
        found = replace(undecided(), verdict=verdict)
        assert (found.exit_code, found.passed) == (code, verdict == "pass")


@pytest.mark.parametrize(
    "asked",
    [undecided, of_a_margin, lambda: replace(undecided(), gained=("a",), lost=(3, 4))],
    ids=["", "margin", "ids"],
)
def test_json(asked):
    found = asked()
    as_dict = found.to_dict()
    assert json.loads(json.dumps(as_dict, allow_nan=False)) == as_dict
    kept = ("verdict", "reason", "require", "margin", "alpha", "power", "detectable")
    kept += ("fewest_to_pass",)
    assert {key: as_dict[key] for key in kept} == {key: getattr(found, key) for key in kept}
    assert as_dict["gained"] == (found.gained and [*found.gained])
    assert as_dict["lost"] == (found.lost and [*found.lost])
    assert as_dict.items() >= {"p": found.test.pvalue, "stat": found.test.statistic}.items()


def test_json_of_an_interval_without_ends():
    found = gate(paired_permutation_test([0.5, 1.25, 3.0], [0.25, 1.5, 7.0]), margin=0.5)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["verdict"] == "inconclusive"


def test_json_of_a_margin():
    found = of_a_margin().to_dict()
    assert found["verdict"] == "inconclusive"
    assert (found["noninferior"], found["worse"]) == (False, False)
    assert found["stat_low"] == of_a_margin().equivalence.low


def test_markdown():
    found = replace(gate(compare(*labels(1, 10, 100))), lost=(3, 4))
    assert found.to_markdown("new", "old") == (
        "**FAIL**: new is significantly worse than old.\n\n"
        "| metric | new | old | difference | p |\n"
        "| :-- | --: | --: | --: | --: |\n"
        "| accuracy | 90.00% | 99.00% | -9.00 percentage points | 0.0117 |\n\n"
        "- difference: -9.00 percentage points, 95% interval -16.88 to -1.64 percentage points "
        "(exact), p = 0.0117\n"
        "- exact two-sided paired-permutation test\n"
        "- null: exchangeable outputs (p); no difference in the population (interval)\n"
        "- gained: 1\n"
        "- lost: 10 (3, 4)\n"
    )


def of_few():
    return gate(compare(*labels(0, 0, 100)), margin=0.01)


@pytest.mark.parametrize("asked", [undecided, of_few], ids=["open", "few"])
def test_markdown_of_an_outlook(asked):
    """It follows the verdict; what the lines say after the metric is in the list."""
    found = asked()
    report, lines = found.to_markdown("new", "old"), [*found.lines("new", "old")]
    outlook = [*found.outlook()]
    assert outlook
    assert report.split("\n\n")[1 : len(outlook) + 1] == outlook
    others = lines[len(outlook) + 2 :]
    assert [x for x in report.splitlines() if x.startswith("- ")] == [f"- {x}" for x in others]
