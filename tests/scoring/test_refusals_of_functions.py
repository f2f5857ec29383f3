"""What is no function of the sums, or no score of each row of them."""

import datetime
import math
import warnings

import numpy as np

from corpora.sum_functions import STAY, SWAP, Share, called, raising, run, share
from refusals import refuses

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
def test_refusals():
    # no functions
    scored("f1")
    # -> `score` must be a pairedperm.Ratio, a function of column sums (…, m) → (…), or None for
    #    the mean, got 'f1' (str)
    run("statistic", None)
    # -> `statistic` must be a function of the sums, (…, m) → (…), got None (NoneType)
    scored(Share)
    # -> `score` is the class Share: pass a function, or an instance that can be called
    called("statistic", STAY[:, :1], SWAP[:, :1], lambda s: s**2)
    # -> `statistic` … for shape (66, 1) it returned shape (66, 1)
    # no finite numbers
    scored(lambda s: share(s) + 0j)
    # -> `score` must return real numbers, got … j) (complex) of dtype complex128
    scored(lambda s: [datetime.date(2022, 7, 10)] * len(s))
    # -> `score` … real numbers, got
    scored(lambda s: [None] * len(s))
    # -> `score` must return finite numbers, got nan
    of_numbers(lambda s: s / 0.0)
    # -> `statistic` … got inf for the sums 41, which
    scored(raising(StopIteration()))
    # -> `score` failed on … StopIteration:
    scored(lambda s: warnings.warn("odd", stacklevel=1))
    # -> `score` … UserWarning: o
    scored(lambda tp, fp: tp / fp)
    # -> `score` … TypeError: … missing 1 required
    scored(lambda s: share(s) * (1 + 1e-6 * RNG.random(len(s))))
    # -> `score` … and always the same, but scored
    # functions that return another shape
    scored(lambda s: s)
    # -> `score` must return a score for each row of sums: for shape (66, 3) it returned shape
    #    (66, 3), not shape (66,). It gets sums of shape (…, m) and returns (…): sums[..., 0] is the
    #    first column. Or wrap a function of one row: np.vectorize(f, otypes=[float],
    #    signature='(m)->()').
    run("statistic", lambda s: s[0])
    # -> `statistic` … it returned shape (3,) … of one row: np.vectorize(
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
    of_numbers(lambda s: s - s.mean())
    # -> `statistic` must score … the same, but scored 41 0 alone and … of one number: np.vectorize(
