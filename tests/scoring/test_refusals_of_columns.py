"""What columns of scores, log-likelihoods, labels and runs a metric refuses."""

from dataclasses import replace

import numpy as np

from doors import in_batches
from pairedperm import compare
from pairedperm.scoring import CohenKappa
from refusals import refuses

ONE, TWO = [0.5, 0.75, 1, 0.25, 0.1], [0.5, 0.25, 0.5, 0.5, 0]


def top_k(one, two=([1, 2],), right=(1,), **options):
    return compare(one, two, right, "top_k_accuracy", **options)


def pass_at_k(one, two=([1],), right=None, k=1):
    return compare(one, two, right, "pass_at_k", k=k)


def likelihoods(one, two, right, metric="log_likelihood"):
    return compare(one, two, right, metric)


def many_kappas():
    columns = ["a", "b"], ["b", "b"], ["a", "b"]
    metric = CohenKappa()
    rows = metric.rows(*metric.read(columns)).counted()
    many = replace(rows, multiplicities=rows.multiplicities * 2**31)
    return metric.score(rows).simplify(many, "swaps")


@refuses
def test_refusals():
    # scores
    compare(ONE, TWO, ONE, "mean_score")
    # -> `references` must be None for metric 'mean_score', whose predictions are scores: they say
    #    already how
    compare(None, TWO, None, "mean_score")
    # -> `predictions1` is missing: pass a score for each example
    compare([], [], None, "mean_score")
    # -> `predictions1` is empty: at least one
    compare([[1]], [[1]], None, "mean_score")
    # -> `predictions1` must hold one number per example: `predictions1`[0] is not a number, [1]
    #    (list).
    compare([0.3001, 0.0], [0.0, 0.1], None, "mean_score", score_range=(0, 0.1 + 0.2))
    # -> `score_range` must hold all scores; it is 0 to 0.3
    # log-likelihoods and tokens
    likelihoods([1.0], [-1.0], [2])
    # -> `predictions1`[0] is 1.0, and the log-likelihood of a text is never above 0. For losses,
    #    negative log-likelihoods, pass the opposite, summed over the text's tokens
    likelihoods([-1.0], None, [2])
    # -> `predictions2` is missing: pass the log-likelihood of each text
    likelihoods([-1.0], [-1.0], None)
    # -> `references` is missing: pass the number of tokens of each text, or of its words or bytes
    #    where
    likelihoods([], [], [])
    # -> `predictions1` is empty: at least one text is needed
    likelihoods([-1.0], [-1.0], [-2])
    # -> `references`[0] is -2: it must be the number of tokens of the text, an integer from 0 to
    #    2^53
    likelihoods([-1.0], [-1.0], [0])
    # -> `references` must count tokens, and all counts are 0
    likelihoods([-1000.0], [-2.0], [1], "perplexity")
    # -> a log-likelihood of -1e+03 per token is a perplexity beyond floats: compare
    #    log-likelihoods, metric='log_likelihood'
    compare([-1e3, -1.0], [-2.0, -1.0], [1, 9], "perplexity", test="bootstrap")
    # -> a log-likelihood of -1e+03 per token is a perplexity beyond floats
    likelihoods([-1e308] * 4, [-1e307] * 4, [1] * 4, "bits_per_byte")
    # -> there are numbers up to 1e+308: their sums must be floats. Divide by a common unit
    # labels
    compare([[]], [[]], [[]], "cohen_kappa")
    # -> `references` holds no label: every sequence is empty
    compare([1, 0], [1, 1], [1, 0], "subset_accuracy")
    # -> `references` must hold a set of labels per example, got single labels (1). Give sets or
    #    lists, also of one label.
    in_batches([[1], [0]], [[1], [0]], [1, 0])
    # -> `predictions1` has a sequence of labels per example, `references` has single labels. Each
    #    sequence holds one label: pass np.ravel of it
    compare([[0]], [[0]], [["O"]], "span_f1")
    # -> `predictions1` holds integers (0) and `references` holds strings ('O'): no label could
    #    match. Convert all columns and batches to one type, for instance with ClassLabel's int2str
    # ranked labels
    top_k([[1, 2]], [[1]])
    # -> `k` is 2, and `predictions2`[0] has 1 labels: give at least k, or a smaller k
    top_k([[1, 2]], right=[[1]])
    # -> `references` must hold one label per example, got a list of them
    top_k([[1, 2]] * 2, [[1, 2]] * 2, [1, -100])
    # -> `references`[1] is -100, which stands for no label: leave such examples out of all
    #    columns
    # runs that pass
    pass_at_k(None)
    # -> `predictions1` is missing: pass one label, or label sequence
    pass_at_k([[1, 0]], k=2)
    # -> `k` is 2, and item 0 of `predictions2` has 1 runs: run each at least k times, or choose a
    pass_at_k([[1, np.nan]])
    # -> `predictions1`[0][1] is missing (nan). Give the runs of each item as a list of 0 and 1
    pass_at_k([[[1]]])
    # -> `predictions1`[0][0] is no label: [1] (list). Give the runs of each item as a list of 0
    pass_at_k([1], [1])
    # -> `predictions1` must hold the runs of each item, got 1 (int). Give the runs of each item as
    #    a list of 0 and 1, such as [0, 1, 1].
    pass_at_k([1], [1], [2])
    # -> `references` must be None for metrics of runs, whose predictions say what passed. Give the
    #    runs of each item as a list of 0 and 1, such as [0, 1, 1].
    pass_at_k([{0, 1}])
    # -> `predictions1`[0] is a set, {0, 1} (set). Give the runs of each item as a list of 0 and 1
    pass_at_k([[1, 2]])
    # -> `predictions1`[0][1] is 2: a run has passed, 1, or not, 0.
    pass_at_k(np.array([[1.0, 0.0]]))
    # -> `predictions1`[0][0] is a float, 1.0 (float). Give the runs of each item as a list of 0
    #    and 1, such as [0, 1, 1].
    # rankings
    top_k([1])
    # -> `predictions1` must hold a list of labels per example, the best first, got single labels
    #    (1). For scores of classes 0, 1, ..., pass np.argsort(-scores, axis=1).
    top_k([[0.1, 0.2]])
    # -> `predictions1` … the best first, got floats, 0.1 (float). For scores of classes
    top_k([{1}])
    # -> `predictions1` … the best first, got a set, which has no order. For scores of classes
    top_k(np.eye(3, dtype=int), [[0, 1]] * 3, [0, 1, 2])
    # -> `predictions1` … the best first, and looks one-hot: 3 numbers, a single 1 among zeros. For
    #    scores of classes
    # columns of other lengths, and too many labels
    compare([1], [1, 2], None, "mean_score")
    # -> `predictions1` has 1 examples and `predictions2` has 2: all columns must have the same
    #    length. Pair the examples
    many_kappas()
    # -> `references` holds 4.29e+09 labels, too many for kappa in int64. Compare a part of them
