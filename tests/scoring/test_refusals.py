"""What is no ratio or function of columns, and what rows, groups and runs do not fit."""

import math
import warnings

import numpy as np

from corpora.sum_functions import STAY, SWAP, Share, called, run, share
from pairedperm import Ratio, compare, paired_permutation_test
from pairedperm.scoring.aggregators import f_1
from refusals import refuses

RATIO = Ratio([1, 0], [0, 1])
RIGHT = np.arange(12) % 3
BITS = [np.eye(3, dtype=int)[x] for x in (RIGHT, RIGHT[::-1])]
RUNS = [["a", "b"], ["b", "a"]]


def of_ratio(one, two=None, score=RATIO):
    return paired_permutation_test(one, one if two is None else two, score=score)


def in_groups(groups, one=(1, 0, 1), two=(0, 0, 0)):
    return paired_permutation_test([*one], [*two], groups=groups)


@refuses
def test_refusals():
    # ratios
    Ratio([1], [1, 2])
    # -> `numerator` and `denominator` must have a weight for each column of the counts, got 1 and
    #    2
    Ratio(1, [1])
    # -> `numerator` must be a sequence of integers, a weight for each column of the counts, got 1
    #    (int)
    Ratio([0.5], [1])
    # -> `numerator` must hold integers below 2^31, got 0.5 (float). Multiply or divide all
    #    weights of the numerator and the denominator by a common factor
    Ratio([1, 2], [0, 0])
    # -> `denominator` must have a weight that is not 0
    Ratio([1], [1], zero_division="warn")
    # -> `zero_division` must be a number from 0 to 1, got 'warn' (str). What scikit-learn calls
    #    'warn' is 0
    # rows for them
    of_ratio([[1, 2, 3]])
    # -> `score` has 2 weights and the rows of `counts1` have 3 entries: give the ratio a weight
    #    for each
    of_ratio([1, 2])
    # -> `counts1` must have a row of counts for each example, shape (n, m), for `score`, got
    #    shape (2,)
    of_ratio([[1, 1], [1, 1]], [[0, 1], [1, -1]])
    # -> `counts2` has a negative count: row 1, [1, -1]. Give what may be negative as two columns,
    #    one of
    of_ratio([[1, 1], [1, 2]], [[0, 0], [1, 1]], Ratio([1, 0], [1, -1]))
    # -> `counts1` has a negative denominator: row 1, [1, 2], with the weights [1, -1].
    #    Denominators count something; check the counts and the weights
    of_ratio([[2**60, 2**60]] * 4, [[2**60, 2**60 - 1]] * 4)
    # -> the numerators or denominators add up to 4.61e+18, too many for int64. Give the counts in a
    #    larger unit
    of_ratio([[2**60, 2**60]] * 4, score=Ratio([4, 0], [0, 1]))
    # -> `counts1` holds 1.15e+18, which with the weights (4, 0) exceeds int64. Divide the counts
    #    by
    of_ratio([[0.5, 4e307]] * 4)
    # -> there are rows with numbers up to 4e+307: their sums must be floats, below 1e300.
    #    Divide by a common unit
    f_1(np.ones((4, 2)))
    # -> `f_1` is a score of four columns (recall numerator, recall denominator, precision
    #    numerator, precision denominator), got shape (4, 2). For two columns, numerator and
    #    denominator, use `enum_sum_div_by_denom_sum`.
    # groups
    in_groups([1, 2])
    # -> `groups` must have an id for each example: it has 2 for 3
    in_groups(["a", None, "b"])
    # -> `groups`[1] is None (NoneType). Give an example that is alone an id of its own
    in_groups([1, 1, 1], [2**61] * 3)
    # -> there are groups of 3 examples with numbers up to 2.31e+18, whose sums exceed int64. Divide
    #    by a common unit
    in_groups([1, 1, 2], [1e308, 1e308, 1])
    # -> there are groups of numbers up to 1e+308, whose sums must be floats. Divide by a common
    compare([1, 1], [0, 0], [1, 1], groups=[4, 4]).confidence_interval()
    # -> NoIntervalError: an interval needs at least two examples or groups, some dozens to be of
    #    use, got one: it does not tell how they vary
    # runs
    compare(RUNS, [["a"], ["b", "a"]], ["a", "b"])
    # -> `predictions1`[0] has 2 runs and `predictions2`[0] has 1: give both systems the same
    #    number of runs of an item. The runs of an item are swapped together
    compare(RUNS, [["a", "b"]], ["a", "b"])
    # -> `predictions2` has runs of 1 items and `references` has 2 labels: each item needs one
    #    label
    compare([["a"], []], [["a"], []], ["a", "b"])
    # -> `predictions1`[1] is empty: an item needs at least one run
    compare(RUNS, ["a", "b"], ["a", "b"])
    # -> `predictions1` holds sequences of labels and `references` holds single labels. Give all …
    #    For runs, give both systems lists of them, and all columns
    # one-hot rows
    compare(*BITS, BITS[0])
    # -> `references` look one-hot: rows of 3 numbers, all 0 or 1. Pass the labels:
    #    np.argmax(rows, -1), or np.argmax(probabilities, -1) if these are thresholded. If they are
    #    sequences of the labels 0 and 1, flatten all columns, np.ravel(...), with groups=np.repeat(
    #    … If they are indicators of sets, choose a metric with multilabel=True
    compare(*BITS, RIGHT)
    # -> `predictions1` and `predictions2` look one-hot: rows of 3 numbers, all 0 or 1. Pass the
    #    labels: … If they are 3 runs of each item, flatten them, np.ravel(...), beside
    #    np.repeat(references, 3) and groups=np.repeat(np.arange(n), 3), all in one call.


# Functions of the sums


RNG = np.random.default_rng(2)


def scored(function):
    return run("score", function)


def of_numbers(function):
    return called("statistic", STAY[:, 0], SWAP[:, 0], function)


def of_one_row(row):
    """As one would write it at first."""
    tp, fp, fn = row
    return tp / (tp + fp + fn)


@refuses
def test_refusals_of_functions():
    # no functions
    scored("f1")
    # -> `score` must be a pairedperm.Ratio, a function of column sums (…, m) → (…), or None for
    #    the mean, got 'f1' (str)
    run("statistic", None)
    # -> `statistic` must be a function of the sums, (…, m) → (…), got None (NoneType)
    scored(Share)
    # -> `score` is the class Share: pass a function, or an instance that can be called
    # no finite numbers
    scored(lambda s: share(s) + 0j)
    # -> `score` must return real numbers, got … j) (complex) of dtype complex128
    scored(lambda s: [None] * len(s))
    # -> `score` must return finite numbers, got nan
    scored(lambda s: warnings.warn("odd", stacklevel=1))
    # -> `score` … UserWarning: o
    scored(lambda s: share(s) * (1 + 1e-6 * RNG.random(len(s))))
    # -> `score` … and always the same, but scored
    # functions that return another shape
    scored(lambda s: s)
    # -> `score` must return a score for each row of sums: for shape (66, 3) it returned shape
    #    (66, 3), not shape (66,). It gets sums of shape (…, m) and returns (…): sums[..., 0] is the
    #    first column. Or wrap a function of one row: np.vectorize(f, otypes=[float],
    #    signature='(m)->()').
    scored(lambda s: s.mean())
    # -> `score` must return … it returned one value, 3 … (float) … of one row: np.vectorize(
    scored(lambda s: None)
    # -> `score` must return … it returned None (is a `return` missing?), not shape
    of_numbers(lambda s: s.sum())
    # -> `statistic` … for shape (66,) it returned one value, … It gets an array of sums, (…), and
    #    returns one of the same shape. Or wrap a function of one number: np.vectorize(f,
    #    otypes=[float]).
    # exceptions
    scored(of_one_row)
    # -> `score` failed on 66 sums at once, float64 of shape (66, 3): ValueError: too many values …
    #    It must be vectorised. It gets sums of … of one row: np.vectorize(
    scored(lambda s: [1 / (int(x) - int(x)) for x in s[:, 0]])
    # -> `score` … ZeroDivisionError: division by zero. Say what the score is … np.where. It must be
    #    vectorised. It gets sums of
    of_numbers(lambda s: math.sqrt(s))
    # -> `statistic` failed on 66 sums at once, float64 of shape (66,): TypeError: … of one number
    # rows that are not by themselves
    scored(lambda s: share(s) - share(s).mean())
    # -> `score` must score each row of sums by itself, and always the same, but scored [41, 39, 32]
    #    0 … among others. It gets sums of … of one row: np.vectorize(
