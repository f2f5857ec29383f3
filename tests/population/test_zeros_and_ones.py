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
DOUBT = "may hold less often"
ONE, TWO = [True] * 20, [True] * 12 + [False] * 8
RIGHT = compare(ONE, TWO, ONE)  # the same of labels
A_FEW = [1] * 6 + [0] * 6 + [1] * 388, [0] * 6 + [1] * 6 + [1] * 388  # 12 of 400 differ


def test_it_is_the_interval_of_accuracy():
    """8 to 0 of 20, as the documents have it; 0.64 is that of Clopper and Pearson for 8 of 20."""
    low, high = RIGHT.confidence_interval()
    assert (round(low, 3), round(high, 3)) == (0.084, 0.639)


@pytest.mark.parametrize("kind", [bool, int, float, Fraction, Decimal, np.bool_, np.int8, "array"])
def test_every_type(kind):
    as_array = kind == "array"
    columns = [np.array(x) if as_array else [kind(y) for y in x] for x in (ONE, TWO)]
    for found in (
        paired_permutation_test(*columns),
        compare(*columns, None, "mean_score"),
        compare(*columns, None, "mean_score", lower_is_better=True),
    ):
        assert found.confidence_interval() == RIGHT.confidence_interval()
        assert found.confidence_interval().method == "exact"
        assert SAID in str(found)
        assert SAID in found.summary()
        assert DOUBT not in str(found) + found.summary()


def results():
    """Other ways in."""
    yield paired_permutation_test(PairedCounts.from_rows(ONE, TWO))
    yield paired_permutation_test(paired_counts(ONE, TWO, None, "mean_score"))
    dataset = Dataset.from_dict({"one": ONE, "two": TWO})
    yield compare_dataset(dataset, "one", "two", None)
    yield compare_dataset(dataset, "one", "two", None, "mean_score")
    yield compare_suite({"a": (ONE, TWO)}, "mean_score").results["a"]


def test_every_way_in():
    for result in results():
        assert result.confidence_interval() == RIGHT.confidence_interval()
        assert result.confidence_interval().method == "exact"
        assert SAID in significance_section(result)
    assert SAID not in significance_section(RIGHT)


def test_cards_of_results_and_of_their_dicts_are_the_same():
    likert = [1, 2, 3] * 4, [2, 1, 1] * 4
    for columns, score_range in (
        *(((ONE, TWO), None), ((ONE, TWO), (0, 1)), ((ONE, TWO), (0, 5))),
        *((likert, None), (likert, (0, 5))),
    ):
        options = {"score_range": score_range, "confidence_level": 0.95}
        found = compare(*columns, None, "mean_score", **options)
        section = significance_section(found)
        assert section == significance_section(found.to_dict())
        assert (SAID in section) is (columns[0] == ONE and score_range is None)


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
    assert planned.n_examples == examples_needed(compare(*A_FEW, [1] * 400), margin=0.05).n_examples


def test_suites_and_boards():
    suite = compare_suite({"a": A_FEW, "b": (A_FEW[0], A_FEW[0])}, "mean_score")
    labels = {"a": (*A_FEW, [1] * 400), "b": (A_FEW[0], A_FEW[0], [1] * 400)}
    assert suite.average_interval == compare_suite(labels).average_interval
    assert SAID in " ".join(str(suite).split())
    assert SAID not in " ".join(str(compare_suite(labels)).split())
    assert gate_suite(suite, margin=0.05).reasons == ("within the margin",)
    board = compare_many({"one": ONE, "two": TWO}, baseline="two")
    assert SAID in str(board)
    assert board.pairs[0]["stat_interval"] == "exact"


def test_what_is_not_taken_so():
    for columns, options in (
        (([2] * 20, [2] * 12 + [0] * 8), {}),  # one size, which might be another
        (([1] * 20, [1] * 12 + [-1] * 8), {}),
        (([1.0] * 19 + [0.5], [1] * 12 + [0] * 8), {}),
        ((ONE, TWO), {"score_range": (0, 5)}),  # the caller knows of others
        ((ONE, TWO), {"score_range": (-1, 1)}),
    ):
        found = compare(*columns, None, "mean_score", **options, constant="system")
        assert found.confidence_interval().method == "studentised bootstrap"
        assert SAID not in str(found)


def test_groups_have_the_known_range():
    """As those of accuracy."""
    groups = [*range(10)] * 2
    options = {"kind": "guaranteed"}
    found = paired_permutation_test(ONE, TWO, groups=groups)
    labels = compare(ONE, TWO, ONE, groups=groups)
    assert found.confidence_interval() == labels.confidence_interval()
    assert found.confidence_interval(**options) == labels.confidence_interval(**options)
    assert SAID not in str(found)


def test_commands(tmp_path, monkeypatch, capsys):
    """Under any name; a name such as acc says it already."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("flag", "acc"):
        for system, column in zip(("new", "old"), A_FEW, strict=True):
            save(tmp_path / f"{system}.jsonl", [{"id": k, name: x} for k, x in enumerate(column)])
        margin = ["--margin", "0.05", "--higher-is-better"]
        for command in (
            ["compare", "new.jsonl", "old.jsonl"],
            ["compare", "new.jsonl", "old.jsonl", "--markdown"],
            ["gate", "new.jsonl", "--baseline", "old.jsonl", *margin],
        ):
            assert main([*command, "--score", name]) == 0
            assert (SAID in " ".join(capsys.readouterr().out.split())) is (name == "flag")


def test_no_loss_is_detected_that_there_cannot_be():
    """The baseline has 1 of 20 right; 0.05 is no loss that 20 examples find."""
    for metric in (None, "mean_score"):
        result = paired_permutation_test(TWO, [1] + [0] * 19)
        if metric is not None:
            result = compare(TWO, [1] + [0] * 19, None, metric)
        assert gate(result).detectable is None
