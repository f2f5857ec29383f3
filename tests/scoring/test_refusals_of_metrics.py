"""What options and columns a metric refuses: those that do not go together, or do not fit."""

from dataclasses import replace

import numpy as np

from extras import needs
from pairedperm import compare, paired_counts
from pairedperm.inputs.labels import read_labels
from pairedperm.scoring import F1, CohenKappa
from pairedperm.scoring.metrics.spans import read_label_names, read_tags
from refusals import refuses

THREE = ["a", "b", "c"], ["b", "b", "c"], ["a", "b", "c"]
PAIR = ["a", "b"], ["b", "b"], ["a", "b"]
SPANS = ([["O", "B-PER"]],) * 3


def of_three(metric="f1", **options):
    return compare(*THREE, metric, **options)


def of_sets(metric="f1", **options):
    return compare(*([{"a"}],) * 3, metric, multilabel=True, **options)


def same(column, metric="f1", **options):
    return compare(column, column, column, metric, **options)


def kappa(labels, weights="linear"):
    return compare(*PAIR, "cohen_kappa", weights=weights, labels=labels)


def spans(**options):
    return compare(*SPANS, "span_f1", **options)


def bleu_with(**options):
    needs("sacrebleu", "mt")
    return compare(["a"], ["b"], ["a"], "bleu", **options)


@refuses
def test_refusals_of_options():
    # metrics
    of_three("scores")
    # -> `metric` must be one of 'accuracy', 'exact_match', … , or an object such as
    #    pairedperm.scoring.F1(average='macro'), got 'scores' (str). Did you mean
    #    metric='mean_score'?
    of_three("rouge_l")
    # -> `metric` … It is a mean of scores of the examples: compute these, and
    of_three("f1_macro")
    # -> `metric` … Did you mean metric='f1', average='macro'?
    of_three(F1(average="macro"), labels=["a"])
    # -> `labels`
    paired_counts(*PAIR, rng=1)
    # -> TypeError: unexpected option 'rng': `compare` has it, and this function has not
    of_three("accuracy", no_such_option=1)
    # -> TypeError: unexpected option 'no_such_option'. Options of metric 'accuracy' and of the
    #    test:
    of_three("accuracy", average="micro")
    # -> `average` is no option of metric 'accuracy': leave it out, or choose a metric that has it
    spans(pos_label="PER")
    # -> `pos_label` is no option of metric 'span_f1' (one type of entity: labels=['PER']): leave
    #    it out, or
    of_three("fbeta", pos_label="a")
    # -> `beta` is missing: metric 'fbeta' has no default for it
    of_three("fbeta", pos_label="a", beta=2**0.5)
    # -> `beta` must be a ratio of integers up to 1000, such as 0.5, 2 or 1/3, got
    #    1.4142135623730951 … the test counts in integers
    of_three("specificity")
    # -> `pos_label` is missing: it is 1 where all labels are 0 or 1, but `predictions1` holds 'a'
    #    (str). Say which label counts, pos_label=...
    of_sets()
    # -> `pos_label` is missing: with multilabel=True and average='binary' say which label counts.
    #    All do with average='micro' or 'macro'
    of_sets("specificity")
    # -> `pos_label` is missing: with multilabel=True say which label is positive
    of_three(average="micro", pos_label="a")
    # -> `pos_label` is for average='binary', got 'a' (str) with average='micro'. For one label:
    #    labels=['a'].
    of_three(pos_label=["a"])
    # -> `pos_label` must be a label, an integer, bool or string, got ['a'] (list)
    of_three(labels=["a"])
    # -> `labels` is for average='micro' or 'macro', got ['a'] (list) with average='binary', which
    #    counts one label. Name it, pos_label=..., or choose another average
    of_three(average="micro", labels=[])
    # -> `labels` is empty: name the labels that count, or leave it out for all
    of_three(average="micro", labels="a")
    # -> `labels` must be a list of the labels that count, such as ['a'], got 'a' (str)
    compare(*PAIR, "hamming_loss", labels=["a"])
    # -> `labels` names the labels that sets may have: give sets, with multilabel=True, or leave
    #    it out
    same([{1}], "jaccard", average="samples")
    # -> `average` is 'samples', which averages over examples with sets of labels: give sets with
    #    multilabel=True, or choose another average, such as 'micro'
    # labels that do not occur
    same(["pos", "neg"], pos_label="Pos")
    # -> `pos_label`: 'Pos' occurs neither in the predictions nor in the references, which have
    #    'neg', 'pos'. Name labels that occur
    same([1, 0, 1], average="micro", labels=["1"])
    # -> `labels`: '1' occurs neither … which have 0, 1. Those are integers: labels=[1].
    # types of entities, and schemes
    spans(labels=["B-PER"])
    # -> `labels`: 'B-PER' occurs neither in the predictions nor in the references, which have
    #    'PER'. These are types of entities: 'PER', not 'B-PER'.
    spans(labels=[1])
    # -> `labels` must be types of entities, such as 'PER', got 1.
    spans(mode="strict")
    # -> `scheme` is missing: mode='strict' counts the spans of one scheme, 'IOB1', 'IOB2', …
    #    (seqeval uses its default mode then).
    spans(scheme="IOB2")
    # -> `scheme` is for mode='strict', got 'IOB2' without it: add mode='strict', or leave
    #    `scheme` out, as the default mode has none (seqeval ignores it then).
    # kappa
    kappa(["a", "b"], None)
    # -> `labels` is the order of all labels, for weights='linear' or 'quadratic': leave it out
    kappa({"a", "b"})
    # -> `labels` must be a list of all labels in their order, got {
    kappa(["a", "b", "a"])
    # -> `labels` has 'a' twice: name each label once, in order
    kappa(["a"])
    # -> `labels` lacks 'b', which `predictions1` holds: name all labels in their order, this one
    #    too
    # BLEU
    bleu_with(smooth_value=0.1)
    # -> `smooth_value` is for smooth_method='floor' or 'add-k', got 0.1 (float) with
    #    smooth_method='exp': leave
    bleu_with(smooth_method="floor", smooth_value=-1)
    # -> `smooth_value` must be a number from 0 to 1 with smooth_method='floor', or None, got -1
    #    (int)
    # the labels that count


# Columns of scores, log-likelihoods, labels and runs

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
def test_refusals_of_columns():
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
    compare([0.5], [0.0], None, "mean_score", score_range=(1, 0))
    # -> `score_range` must be a pair of numbers, the smaller first, such as (0, 1), … got (1, 0)
    compare([0.5], [0.0], None, "mean_score", score_range=1)
    # -> `score_range` must be a pair of numbers
    compare([0.5], [0.0], None, "mean_score", score_range=np.array([0, 10**400], dtype=object))
    # -> `score_range` must be a pair of numbers
    # log-likelihoods and tokens
    likelihoods([1.0], [-1.0], [2])
    # -> `predictions1`[0] is 1.0, and the log-likelihood of a text is never above 0. For losses,
    #    negative log-likelihoods, pass the opposite, summed over the text's tokens
    likelihoods([-1.0], [-1.0], None)
    # -> `references` is missing: pass the number of tokens of each text, or of its words or bytes
    #    where
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
    compare([[0]], [[0]], [["O"]], "span_f1")
    # -> `predictions1` holds integers (0) and `references` holds strings ('O'). Give all
    #    columns and batches in one form, with labels of one type. … ClassLabel's int2str
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
    # rankings
    top_k([1])
    # -> `predictions1` must hold a list of labels per example, the best first, got single labels
    #    (1). For scores of classes 0, 1, ..., pass np.argsort(-scores, axis=1).
    top_k([{1}])
    # -> `predictions1` … the best first, got a set, which has no order. For scores of classes
    top_k(np.eye(3, dtype=int), [[0, 1]] * 3, [0, 1, 2])
    # -> `predictions1` … the best first, and looks one-hot: 3 numbers, a single 1 among zeros. For
    #    scores of classes
    # columns of other lengths, and too many labels
    many_kappas()
    # -> `references` holds 4.29e+09 labels, too many for kappa in int64. Compare a part of them


# Answers, texts, words and tags


def squad(one, two=("x",), right=("x",)):
    return compare(one, two, right, "squad_f1")


def answered(*ids):
    return [{"id": key, "prediction_text": "x"} for key in ids]


def right(*ids):
    return [{"id": key, "answers": {"text": ["x"]}} for key in ids]


def words(one, two, right, metric="word_error_rate"):
    needs("rapidfuzz", "wer")
    return compare(one, two, right, metric)


def bleu(one, two, right, door=compare):
    needs("sacrebleu", "mt")
    return door(one, two, right, metric="bleu")


def tagged(rows, scheme=None, names=None):
    """Examples from number 5 on."""
    return read_tags(read_labels("references", rows, 5), scheme, names)


@refuses
def test_refusals_of_texts():
    # answers
    squad(answered(1, 1), answered(1, 2), right(1, 2))
    # -> `predictions1` has the id 1 twice
    squad(answered(1, 7, 2), answered(1, 2, 3), right(3, 2, 1))
    # -> `predictions1` has no prediction for 1 of 3 ids, such as 3. Give every question an
    #    answer, '' for none
    squad(answered([1]), answered(1), right(1))
    # -> `predictions1`[0] has the id [1] (list): it must be a string or an integer
    squad(answered(1, 2), answered(1, 2), [*right(1), "x"])
    # -> `references` has an 'id' in 1 of 2 examples: give all, or none
    squad(["x"], right=None)
    # -> `references` is missing: pass a text, a list of texts, or a dict with the key 'answers'
    #    or 'text' per
    squad(["x"], right=[["x", 5]])
    # -> `references`[0] must be a text, a list of texts, or a dict with the key 'answers' or
    #    'text', got
    squad(["x", "y"], ["x", "y"], ["x", {"answers": {"text": []}}])
    # -> `references`[1] has no answer. Leave unanswerable questions out of all columns
    # words and characters
    words([1, 2], ["a", "b"], ["a", "b"])
    # -> `predictions1` must hold a text, or a sequence of tokens, per example, got single
    #    integers (1)
    words([["a"], None], ["a"] * 2, ["a"] * 2)
    # -> `predictions1`[1] is missing
    words([["a"]], [["b"]], [[3]])
    # -> `predictions1` holds the token 'a' (str) and `references` 3 (int): no token could match.
    #    Convert all
    words([["a"], []], [["b"], []], [[], []])
    # -> `references` holds no word: a rate needs one
    words([1], ["a"], ["a"], "character_error_rate")
    # -> `predictions1` must hold a text per example, got integers
    bleu(["a"] * 3, ["b"] * 3, [["a", "b", "c"], ["d", "e", "f"]])
    # -> `references` has 2 lists of 3 texts, and `predictions1` has 3 texts. Give a list for each
    #    sentence; sacrebleu takes a list for each of its references. list(zip(*references)) turns
    #    them
    # tags
    tagged(["B-X"])
    # -> `references` has single labels ('B-X'): spans need a list of tags per example, such as
    #    ['B-PER'
    tagged([[1]])
    # -> `references` holds integers (1): spans need tags such as 'B-PER'. Say which tag each id
    #    is, label_names=['O', 'B-PER', ...], or convert ids to tag names, for instance with
    tagged([["O"], ["O", "I-Y"]], names=("O", "B-X"))
    # -> `references`[6][1] is 'I-Y', which `label_names` lacks, got 'O', 'B-X'. `label_names`
    #    gives the tags of ids: leave it out if columns hold tags
    tagged([[0], [1, 2, 5]], names=("O", "B-X"))
    # -> `references`[6][1] is 2, which `label_names` lacks: its ids are 0 to 1
    tagged([["O"], ["O", ""]])
    # -> `references`[6][1] is an empty tag: write 'O' outside of spans
    tagged([["O", "E-X"]], "IOB1")
    # -> `references`[5][1] is 'E-X', which is no tag of scheme 'IOB1': its tags begin with I, O
    #    or B. Name the scheme that all tags are in, or leave out `mode` and `scheme`
    # names of tags
    read_label_names("O")
    # -> `label_names` must be a list of tags, each at its id, such as ['O', 'B-PER'], or a dict
    #    {0: 'O', 1: 'B-PER'}, got 'O' (str)
    read_label_names({"O": 0, "B-X": 1})
    # -> `label_names` must have the ids from 0, without gaps, as its keys, like the id2label of
    #    transformers
    read_label_names(["O", 1])
    # -> `label_names`[1] must be a tag, such as 'B-PER', got 1 (int)
    # columns of other lengths
    squad(["x"], ["x", "y"], ["x", "y"])
    # -> `predictions1` has 1 examples and `references` has 2: all columns must have the same
    #    length. Pair the examples by id first
