"""What metrics there are not, and which of their options do not go together."""

import doors
from extras import needs
from pairedperm import compare, paired_counts
from refusals import refuses

THREE = ["a", "b", "c"], ["b", "b", "c"], ["a", "b", "c"]
TWO = ["a", "b"], ["b", "b"], ["a", "b"]
SPANS = ([["O", "B-PER"]],) * 3


def of_three(metric="f1", **options):
    return compare(*THREE, metric, **options)


def of_sets(metric="f1", **options):
    return compare(*([{"a"}],) * 3, metric, multilabel=True, **options)


def same(column, metric="f1", **options):
    return compare(column, column, column, metric, **options)


def kappa(labels, weights="linear"):
    return compare(*TWO, "cohen_kappa", weights=weights, labels=labels)


def spans(**options):
    return compare(*SPANS, "span_f1", **options)


def bleu(**options):
    needs("sacrebleu", "mt")
    return compare(["a"], ["b"], ["a"], "bleu", **options)


@refuses
def test_refusals():
    # metrics
    of_three("scores")
    # -> `metric` must be one of 'accuracy', 'exact_match', … , or an object such as
    #    pairedperm.scoring.F1(average='macro'), got 'scores' (str). Did you mean
    #    metric='mean_score'?
    of_three("subset_acc")
    # -> `metric` … Did you mean metric='subset_accuracy'?
    of_three("rouge_l")
    # -> `metric` … It is a mean of scores of the examples: compute these, and
    of_three("f1_macro")
    # -> `metric` … Did you mean metric='f1', average='macro'?
    paired_counts(*TWO, rng=1)
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
    compare(*TWO, "hamming_loss", labels=["a"])
    # -> `labels` names the labels that sets may have: give sets, with multilabel=True, or leave
    #    it out
    same([{1}], "jaccard", average="samples")
    # -> `average` is 'samples', which averages over examples with sets of labels: give sets with
    #    multilabel=True, or choose another average, such as 'micro'
    # labels that do not occur
    same(["pos", "neg"], pos_label="Pos")
    # -> `pos_label`: 'Pos' occurs neither in the predictions nor in the references, which have
    #    'neg', 'pos'. Name labels that occur
    same(["1", "0", "1"], pos_label=1)
    # -> `pos_label`: 1 occurs neither … which have '0', '1'. Those are strings: pos_label='1'.
    same([1, 0, 1], average="micro", labels=["1"])
    # -> `labels`: '1' occurs neither … which have 0, 1. Those are integers: labels=[1].
    doors.in_batches(*THREE, metric="f1", pos_label="z")
    # -> `pos_label`: 'z' occurs neither
    # types of entities, and schemes
    spans(labels=["B-PER"])
    # -> `labels`: 'B-PER' occurs neither in the predictions nor in the references, which have
    #    'PER'. These are types of entities: 'PER', not 'B-PER'.
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
    bleu(smooth_value=0.1)
    # -> `smooth_value` is for smooth_method='floor' or 'add-k', got 0.1 (float) with
    #    smooth_method='exp': leave
    bleu(smooth_method="floor", smooth_value=-1)
    # -> `smooth_value` must be a number from 0 to 1 with smooth_method='floor', or None, got -1
    #    (int)
    bleu(smooth_method="add-k", smooth_value=1e9)
    # -> `smooth_value` must be a number from 0 to 1000 with smooth_method='add-k', or None, got
    #    1000000000.0
    # the labels that count
    of_three()
    # -> `pos_label` is missing: with average='binary' it is 1 where all labels are 0 or 1, but
    #    `predictions1` holds 'a' (str). Say which label counts, pos_label=..., or count all,
    #    average='micro' or 'macro'
    same(["0", "1", "1"])
    # -> `pos_label` is missing … holds '0' (str)
