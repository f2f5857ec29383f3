"""What decisions and plans of studies refuse: equivalence, the gate, power, sequential tests."""

import numpy as np

from corpora.pilots import f1_pilot, labels
from corpora.results import result
from pairedperm import (
    PairedCounts,
    SequentialTest,
    compare,
    compare_suite,
    equivalence_test,
    examples_needed,
    gate,
    gate_suite,
    paired_permutation_test,
    power,
    structured_permutation_test,
)
from refusals import refuses

FEW = labels(5, 2, 50)
LESS = compare(*FEW, alternative="less")
RESULT = compare(*FEW)
ROWS = PairedCounts([[1, 2]], [[2, 2]], [3])


def of_statistic():
    return structured_permutation_test([1, 2], [2, 1], lambda sums: sums)


def equivalent(*arguments, **options):
    return equivalence_test(*arguments, **{"margin": 0.1} | options)


def of_two_units(**options):
    return gate_suite(result("suite without an average"), **options)


def rounded(sums):
    """Without derivatives."""
    return np.floor(sums[..., 0] / 4.0 + 0.3)


def pilot_without_derivatives():
    one, two = [[1, 2], [1, 3], [2, 2]] * 3, [[1, 2], [0, 3], [1, 1]] * 3
    return paired_permutation_test(one, two, score=rounded)


@refuses
def test_refusals():
    # equivalence and the gate
    equivalent(*FEW, margin=2)
    # -> `margin` must be below 1, which no difference of accuracy exceeds, got 2.0 (float). … A
    #    percentage point of a share is 0.01.
    equivalent(["a"], ["b"], [["a"]], "bleu", margin=101.0)
    # -> `margin` must be below 100, which no difference of bleu exceeds, got 101.0 (float).
    equivalent(RESULT, average="macro")
    # -> give a result alone: it has its
    equivalent(RESULT, ignore_label=0)
    # -> give a result alone
    equivalent(RESULT, method="exact")
    # -> give a result alone
    equivalent(RESULT, [1])
    # -> give a result alone
    equivalent(LESS)
    # -> `predictions1` must be predictions, or the result of a two-sided permutation test, got
    equivalent(of_statistic())
    # -> a result of `structured_permutation_test` has no scores to compare
    equivalent([1, 2])
    # -> `predictions2` is missing
    equivalent(*FEW, "f1", groups=[1, 2] * 25)
    # -> NoIntervalError: only 2 of 2 groups differ, too few for an asymptotic interval … Collect
    #    more groups.
    equivalent([0.5, 1, 2], [1, 2, 4.5])
    # -> NoIntervalError: only 3 of 3 examples differ, too few … which needs 30. Collect more
    #    examples.
    (
        equivalent(
            [0.5] * 40 + [0.25, 1.5] * 20,
            [0.25] * 40 + [0.0, 1.25] * 20,
            score=lambda sums: np.floor(sums[..., 0] / 1e9),
        )
    )
    # -> NoIntervalError: the difference has no standard error, or it is 0: all examples say the
    #    same
    compare(*FEW, groups=[1, 2] * 25, largest_group=24)
    # -> `largest_group` must be the largest size that a group may have, got 24: one that was
    #    drawn has the size 25.
    compare(*FEW, "f1", largest_group=3)
    # -> `largest_group` is for the guaranteed interval, of the mean of scores in a known range.
    #    Leave it out
    compare(*FEW, largest_group=3, test="bootstrap")
    # -> `largest_group` is for the guaranteed interval of test='permutation'. Leave it out.
    power(compare(*FEW, groups=[*range(25)] * 2, largest_group=3), 100, margin=0.2)
    # -> `pilot` has the guaranteed interval, and its power with a margin is not known
    equivalent(*FEW, alternative="less")
    # -> TypeError: unexpected option 'alternative': `compare` has it, and this function has not
    gate([1, 0])
    # -> `result` must be that of a two-sided permutation test of the candidate and the baseline …
    #    such as compare(new, old, references), got [1, 0] (list).
    gate(LESS)
    # -> `result` … a two-sided permutation test
    gate(RESULT, require="better", margin=0.1)
    # -> `margin` is for a candidate that may be as good: leave it out with require='better'
    gate_suite(compare_suite({"a": FEW}), margin=0.1, alpha=0.6)
    # -> `alpha` must be a number from 1e-12 to below 0.5, got 0.6 (float).
    of_two_units(margin=0.1)
    # -> `margin` is of the average, and there is none: 'accuracy' of task
    of_two_units(require="better")
    # -> require='better' is of the average, and there is none
    of_two_units(task_margin=0.1)
    # -> `task_margin` must be one for each task, a dict from task to
    of_two_units(task_margin={"right": 0.1})
    # -> `task_margin` lacks task 'seconds'
    of_two_units(task_margin={"right": 0.1, "seconds": -1})
    # -> `task_margin`['seconds'] must be a pos
    of_two_units(task_margin={"right": 2, "seconds": 1})
    # -> `task_margin` of task 'right' must be below 1
    gate(RESULT, 0.1)
    # -> TypeError: takes 1 positional argument
    # pilots and numbers of examples
    power((0.6, 0.5), 100)
    # -> `pilot` must be two shares of at least 0 and together at most 1, such as (0.06, 0.03)
    power((10**5000, 0.5), 100)
    # -> `pilot` must be two shares of at least 0 and together at most 1 … got a very large integer
    power((-0.1, 0.5), 100)
    # -> `pilot` must be two shares of at least 0
    power((float("nan"), 0.5), 100)
    # -> `pilot` must be two shares of at least 0
    power((0.0, 0.0), 100)
    # -> `pilot` has no difference: both of its shares are 0
    power((True, 0.1), 100)
    # -> `pilot` must be a result of `compare` or `paired_permutation_test`, a PairedCounts, or
    #    the shares … got (True, 0.1) (tuple).
    power(compare([1, 1], [1, 1], [1, 0]), 100)
    # -> `pilot` has no difference: on all of its 2 examples both systems score the same … such as
    #    pilot=(0.06, 0.03)
    power(compare([1], [0], [1]), 100)
    # -> `pilot` has only one of the examples
    power(compare([1, 1], [0, 1], [1, 1], groups=[3, 3]), 100)
    # -> `pilot` has only one of the groups: it does not tell how they vary
    power(ROWS, 100)
    # -> `pilot` must count one number per example, got PairedCounts(n=3 … Pass the result of
    #    `paired_permutation_test` with its `score`.
    power(of_statistic(), 100)
    # -> `pilot` must be a comparison of scores
    examples_needed((0.1, 0.1))
    # -> `pilot` has no difference: as many examples speak for either system. Say by how much
    power(pilot_without_derivatives(), 100)
    # -> `pilot` has a score without derivatives … Say which shares of examples you expect to
    #    differ, such as pilot=(0.06, 0.03)
    power((0.1, 0.05), 10**10)
    # -> `n_examples` must be an integer from 1 to 100,000,000, got 10
    examples_needed((0.1, 0.05), 0.05)
    # -> `power` must be above `alpha`, 0.05, got 0.05 (float).
    power((0.1, 0.1), 100, margin=1.0)
    # -> `margin` must be below 1, which no difference of right and wrong exceeds, got 1.0 (float).
    power((0.1, 0.1), 100, 0.5, margin=0.1)
    # -> `alpha` must be from 1e-12 to below 0.5 with a margin of such scores, got 0.5 (float).
    power((0.1, 0.1), 100, 1e-13, margin=0.1)
    # -> `alpha` must be from 1e-12 to below 0.5 with a margin of such scores, got 1e-13 (float).
    power(f1_pilot(), 100, 0.001, margin=0.1)
    # -> `alpha` must be from 0.005 to below 0.5 with a margin of such scores, got 0.001
    examples_needed((0.03, 0.06), margin=0.03)
    # -> `margin` must be above the supposed loss, 0.03, got 0.03 (float). No number of examples
    #    shows
    # a sequential test
    SequentialTest().update([1, 0], 1)
    # -> `score1` and `score2` must have the same
    SequentialTest().update([0.5, 1.5], [0, 0])
    # -> `score1` must be from 0 to 1, got 1.5. Divide the scores of both systems by their range.
    SequentialTest().update(0, -1)
    # -> `score2` must be from 0 to 1, got -1.0
