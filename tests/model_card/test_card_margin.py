"""Cards of an equivalence test, and what was planned."""

import math
import re
from functools import cache

import pytest

from corpora.cards import RESULT, unmarked, write
from pairedperm import (
    equivalence_test,
    examples_needed,
)
from pairedperm.model_card import update

NAMES = {"name1": "small|x", "name2": "large", "dataset": "dev"}


@cache
def equivalence():
    labels = [1] * 95 + [0] * 5, [1] * 93 + [0] * 2 + [1] * 5, [1] * 100
    return equivalence_test(*labels, margin=0.1)


@cache
def plan():
    return examples_needed((0.06, 0.03))


def test_section_in_full():
    title, text, table, null = unmarked(equivalence(), **NAMES).split("\n\n")[1:]
    assert title == "### Against large: accuracy on dev"
    assert text == equivalence().summary("small|x", "large", dataset="dev").replace("|", "\\|")
    rows = dict(re.findall(r"^\| (.+) \| ([^|]+) \|$", table, re.M))
    assert rows["margin"] == "10 percentage points"
    assert rows["90% interval of the difference"] == "-8.71 to 2.45 percentage points"
    assert rows["p"] == "0.453"
    assert "Null hypothesis: on each example, the outputs of the two systems are exc" in null
    assert null.endswith(
        "is exact, and excludes 0 where p is at most 0.1. Statements on the margin are two "
        "one-sided tests at α = 0.05. They ask whether the confidence interval lies within the "
        "margin, or on one side of it."
    )


def test_results_and_their_dicts():
    assert unmarked(equivalence().to_dict(), **NAMES) == unmarked(equivalence(), **NAMES)


@pytest.mark.parametrize("asked", [equivalence, lambda: RESULT], ids=["equivalence", "permutation"])
def test_planned_beforehand(asked):
    result = asked()
    section = unmarked(result, planned=plan())
    assert section.removeprefix(unmarked(result)) == (f"\n\nPlanned beforehand. {plan().summary()}")


def test_update(tmp_path):
    path = write(tmp_path, "# small\n")
    update(path, equivalence(), **NAMES, planned=plan())
    text = path.read_text(encoding="utf-8")
    for part in unmarked(equivalence(), **NAMES, planned=plan()).split("\n\n"):
        assert part in text
    update(path, equivalence(), **NAMES, planned=plan())
    assert path.read_text(encoding="utf-8") == text


def test_statements_follow_from_the_numbers():
    """Whoever edits them in a file does not change what a card says."""
    edited = equivalence().to_dict() | {"better": True, "worse": True, "equivalent": False}
    assert unmarked(edited, **NAMES) == unmarked(equivalence(), **NAMES)


def test_worse_by_less_than_the_margin():
    """Where one end of the interval is infinite, the two need not be equivalent."""
    found = equivalence().to_dict() | {"stat_high": None, "p": 0.01, "log_p": math.log(0.01)}
    found |= {"stat": -0.01, "score2": found["score1"] + 0.01}
    text = unmarked(found, **NAMES)
    assert "significantly worse than that of large, yet not by 10 percentage points or more" in text
