"""Given scores that are all 0 or 1 are right and wrong: the exact interval, in every door."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from datasets import Dataset

from corpora.logs import save
from pairedperm import (
    PairedCounts,
    compare,
    compare_many,
    compare_suite,
    equivalence_test,
    examples_needed,
    gate,
    gate_suite,
    paired_counts,
    paired_permutation_test,
)
from pairedperm.__main__ import main
from pairedperm.hf import compare_dataset
from pairedperm.model_card import significance_section

SAID = "The interval is of scores 0 or 1: it holds if no others can occur."
ONE, TWO = [True] * 20, [True] * 12 + [False] * 8
RIGHT = compare(ONE, TWO, ONE)  # the same of labels
A_FEW = [1] * 6 + [0] * 6 + [1] * 388, [0] * 6 + [1] * 6 + [1] * 388  # 12 of 400 differ
DATA = Dataset.from_dict({"one": ONE, "two": TWO})
DOORS = {
    "test": lambda: paired_permutation_test(ONE, TWO),
    "lower": lambda: compare(ONE, TWO, None, "mean_score", lower_is_better=True),
    "rows": lambda: paired_permutation_test(PairedCounts.from_rows(ONE, TWO)),
    "counts": lambda: paired_permutation_test(paired_counts(ONE, TWO, None, "mean_score")),
    "dataset": lambda: compare_dataset(DATA, "one", "two", None),
    "dataset's metric": lambda: compare_dataset(DATA, "one", "two", None, "mean_score"),
    "suite": lambda: compare_suite({"a": (ONE, TWO)}, "mean_score").results["a"],
}
TYPES = bool, int, float, Fraction, Decimal, np.bool_, np.int8, np.array


@pytest.mark.parametrize("door", [*DOORS, *TYPES])
def test_every_door_and_type(door):
    """It is the interval of accuracy, and texts say on what condition."""
    if door in DOORS:
        found = DOORS[door]()
    elif door is np.array:
        found = compare(np.array(ONE), np.array(TWO), None, "mean_score")
    else:
        found = compare(*([door(y) for y in x] for x in (ONE, TWO)), None, "mean_score")
    assert found.confidence_interval() == RIGHT.confidence_interval()
    assert found.confidence_interval().method == "exact"
    for text in (str(found), found.summary(), significance_section(found)):
        assert SAID in text
    assert "may hold less often" not in str(found) + found.summary()
    assert SAID not in significance_section(RIGHT)


LIKERT = [1, 2, 3] * 4, [2, 1, 1] * 4


@pytest.mark.parametrize(
    ("columns", "score_range"),
    [
        *(((ONE, TWO), None), ((ONE, TWO), (0, 1)), ((ONE, TWO), (0, 5)), ((ONE, TWO), (-1, 1))),
        *((LIKERT, None), (LIKERT, (0, 5))),
        (([2] * 20, [2] * 12 + [0] * 8), None),  # one size, which might be another
        (([1] * 20, [1] * 12 + [-1] * 8), None),
        (([1.0] * 19 + [0.5], [1] * 12 + [0] * 8), None),
    ],
)
def test_what_is_taken_so(columns, score_range):
    """Not if the caller knows of other scores; cards of results and of their dicts are the same."""
    options = {"score_range": score_range, "constant": "system", "confidence_level": 0.95}
    found = compare(*columns, None, "mean_score", **options)
    is_right = columns[0] is ONE and score_range in (None, (0, 1))
    method = "exact" if is_right else "studentised bootstrap"
    assert found.confidence_interval().method == method
    section = significance_section(found)
    assert section == significance_section(found.to_dict())
    for text in (str(found), section):
        assert (SAID in text) is (is_right and score_range is None)


def test_a_margin_is_decided_below_30_that_differ():
    """By the interval of accuracy; an asymptotic one needed 30, and the gate was inconclusive."""
    labels = equivalence_test(*A_FEW, [1] * 400, margin=0.05)
    for found in (
        equivalence_test(*A_FEW, margin=0.05),
        equivalence_test(*A_FEW, None, "mean_score", margin=0.05),
    ):
        assert (found.interval, found.interval_method) == (labels.interval, "exact")
        assert found.verdict == "equivalent"
        assert SAID in found.summary()
    decided = gate(paired_permutation_test(*A_FEW), margin=0.05)
    assert (decided.verdict, decided.reason) == ("pass", "within the margin")
    assert SAID in str(decided)
    too_few = gate(paired_permutation_test(ONE, ONE), margin=0.05)
    assert (too_few.verdict, too_few.fewest_to_pass) == ("inconclusive", 59)
    with pytest.raises(ValueError, match="below 1, which no difference of scores 0 or 1 exceeds"):
        equivalence_test(*A_FEW, margin=1)
    planned = examples_needed(paired_permutation_test(*A_FEW), margin=0.05)
    of_labels = examples_needed(compare(*A_FEW, [1] * 400), margin=0.05)
    assert planned.n_examples == of_labels.n_examples


def test_suites_boards_and_groups():
    suite = compare_suite({"a": A_FEW, "b": (A_FEW[0], A_FEW[0])}, "mean_score")
    labels = {"a": (*A_FEW, [1] * 400), "b": (A_FEW[0], A_FEW[0], [1] * 400)}
    assert suite.average_interval == compare_suite(labels).average_interval
    assert SAID in " ".join(str(suite).split())
    assert SAID not in " ".join(str(compare_suite(labels)).split())
    assert gate_suite(suite, margin=0.05).reasons == ("within the margin",)
    board = compare_many({"one": ONE, "two": TWO}, baseline="two")
    assert SAID in str(board)
    assert board.pairs[0]["stat_interval"] == "exact"
    groups = [*range(10)] * 2  # which have the known range, as those of accuracy
    found = paired_permutation_test(ONE, TWO, groups=groups)
    grouped = compare(ONE, TWO, ONE, groups=groups)
    for options in ({}, {"kind": "guaranteed"}):
        assert found.confidence_interval(**options) == grouped.confidence_interval(**options)
    assert SAID not in str(found)


@pytest.mark.parametrize("name", ["flag", "acc"])
def test_commands(name, tmp_path, monkeypatch, capsys):
    """Under any name; a name such as acc says it already."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for system, column in zip(("new", "old"), A_FEW, strict=True):
        save(tmp_path / f"{system}.jsonl", [{"id": k, name: x} for k, x in enumerate(column)])
    for command in (
        "compare new.jsonl old.jsonl",
        "compare new.jsonl old.jsonl --markdown",
        "gate new.jsonl --baseline old.jsonl --margin 0.05 --higher-is-better",
    ):
        assert main([*command.split(), "--score", name]) == 0
        assert (SAID in " ".join(capsys.readouterr().out.split())) is (name == "flag")
