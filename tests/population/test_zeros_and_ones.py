"""Given scores that are all 0 or 1 are right and wrong: the exact interval, in every door."""

import pytest

from pairedperm import (
    PairedCounts,
    compare,
    compare_many,
    compare_suite,
    equivalence_test,
    examples_needed,
    gate,
    gate_suite,
    paired_permutation_test,
)
from pairedperm.model_card import significance_section

SAID = "The interval is of scores 0 or 1: it holds if no others can occur."
ONE, TWO = [True] * 20, [True] * 12 + [False] * 8
RIGHT = compare(ONE, TWO, ONE)  # the same of labels
A_FEW = [1] * 6 + [0] * 6 + [1] * 388, [0] * 6 + [1] * 6 + [1] * 388  # 12 of 400 differ


@pytest.mark.parametrize(
    "found",
    [
        paired_permutation_test(ONE, TWO),
        compare(ONE, TWO, None, "mean_score", lower_is_better=True),
        paired_permutation_test(PairedCounts.from_rows(ONE, TWO)),
    ],
    ids=["scores", "losses", "counts"],
)
def test_the_interval_is_that_of_accuracy(found):
    """Texts say on what condition."""
    assert found.confidence_interval() == RIGHT.confidence_interval()
    assert found.confidence_interval().method == "exact"
    for text in (str(found), found.summary(), significance_section(found)):
        assert SAID in text
    assert SAID not in significance_section(RIGHT)


LIKERT = [1, 2, 3] * 4, [2, 1, 1] * 4


@pytest.mark.parametrize(
    ("columns", "score_range", "is_right"),
    [
        *(((ONE, TWO), x, x != (-1, 1)) for x in (None, (0, 1), (-1, 1))),
        *(
            (x, (0.1, 0.9), x[1][0] == 0.1)
            for x in (([0.9] * 9, [0.1] * 9), ([0.9, 0.2], [0.5, 0.2]))
        ),
        (([2**0.5, 1.0], [1.0, 1.0]), (1, 2**0.5), True),
        (LIKERT, None, False),
        (([2] * 20, [2] * 12 + [0] * 8), None, False),  # one size, which might be another
        (([1.0] * 19 + [0.5], [1] * 12 + [0] * 8), None, False),
    ],
)
def test_what_is_taken_so(columns, score_range, is_right):
    """Not if the caller knows of other scores; cards of results and of their dicts are the same."""
    options = {"score_range": score_range, "constant": "system", "confidence_level": 0.95}
    found = compare(*columns, None, "mean_score", **options)
    method = "exact" if is_right else "studentised bootstrap"
    assert found.confidence_interval().method == method
    section = significance_section(found)
    assert section == significance_section(found.to_dict())
    for text in (str(found), section):
        assert (SAID in text) is (is_right and score_range is None)


def test_a_margin_is_decided_below_30_that_differ():
    """By the interval of accuracy; an asymptotic one needed 30, and the gate was inconclusive."""
    of_scores, of_labels = paired_permutation_test(*A_FEW), compare(*A_FEW, [1] * 400)
    labels = equivalence_test(of_labels, margin=0.05)
    found = equivalence_test(of_scores, margin=0.05)
    assert (found.interval, found.interval.method) == (labels.interval, "exact")
    assert SAID in found.summary()
    decided = gate(of_scores, margin=0.05)
    assert (decided.verdict, decided.reason) == ("pass", "within the margin")
    assert SAID in str(decided)
    too_few = gate(paired_permutation_test(ONE, ONE), margin=0.05)
    assert (too_few.verdict, too_few.fewest_to_pass) == ("inconclusive", 59)
    with pytest.raises(ValueError, match="below 1, which no difference of scores 0 or 1 exceeds"):
        equivalence_test(of_scores, margin=1)
    planned = examples_needed(of_scores, margin=0.2)
    of_labels = examples_needed(of_labels, margin=0.2)
    assert planned.n == of_labels.n


def test_suites_boards_and_groups():
    suite = compare_suite({"a": A_FEW, "b": (A_FEW[0], A_FEW[0])}, "mean_score")
    labels = {"a": (*A_FEW, [1] * 400), "b": (A_FEW[0], A_FEW[0], [1] * 400)}
    expected = compare_suite(labels).average.confidence_interval()
    assert suite.average.confidence_interval() == expected
    assert SAID in " ".join(str(suite).split())
    assert gate_suite(suite, margin=0.05).reasons == ("within the margin",)
    assert SAID in str(compare_many({"one": ONE, "two": TWO}, baseline="two"))
    groups = [*range(10)] * 2  # which have the known range, as those of accuracy
    found = paired_permutation_test(ONE, TWO, groups=groups)
    grouped = compare(ONE, TWO, ONE, groups=groups)
    assert found.confidence_interval() == grouped.confidence_interval()
