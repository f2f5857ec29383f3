"""Metrics and options that `compare` refuses."""

import numpy as np

from corpora.planned import labels
from pairedperm import compare, paired_permutation_test
from pairedperm.scoring import F1
from refusals import refuses

COLUMNS = [0, 1, 1], [0, 1, 0], [0, 1, 1]
DECIMALS = np.random.default_rng(0).normal(size=(2, 200)).round(11)


def of_metric(metric, **options):
    return compare(*COLUMNS, metric, **options)


@refuses
def test_refusals():
    # metrics and their options
    of_metric("acuracy")
    # -> `metric` must be one of 'accuracy', 'exact_match', 'balanced_accuracy' … or an object
    #    such as pairedperm.scoring.F1(average='macro'), got 'acuracy' (str). … Did you mean
    #    metric='accuracy'?
    of_metric(["f1"])
    # -> `metric` must be one of … got ['f1'] (list).
    of_metric("f1_macro")
    # -> `metric` … mean metric='f1', average='macro'?
    of_metric("macro-F1")
    # -> `metric` … mean metric='f1', average='macro'?
    of_metric("precision_score_micro")
    # -> `metric` … mean metric='precision', average='micro'?
    of_metric("accuracy_macro")
    # -> `metric` … mean metric='accuracy'?
    of_metric("acc")
    # -> `metric` … mean metric='accuracy'?
    of_metric("em")
    # -> `metric` … mean metric='exact_match'?
    of_metric("mcc")
    # -> `metric` … mean metric='matthews_correlation'?
    of_metric("wer")
    # -> `metric` … mean metric='word_error_rate'?
    of_metric("f-beta")
    # -> `metric` … mean metric='fbeta'?
    of_metric("seqeval")
    # -> `metric` … mean metric='span_f1'?
    of_metric("nDCG@10")
    # -> `metric` … It is a mean of scores of the examples: compute these … evaluate.load(…,
    #    'scores').
    of_metric(F1(average="macro"), average="micro")
    # -> `average` is an option of the metric, but `metric` is an object with its own options,
    #    F1(average= … write F1(average=...), or metric='f1'.
    of_metric("accuracy", zero_division=0)
    # -> `zero_division` is no option of metric 'accuracy' … leave it out, or choose a metric that
    #    has it ('
    of_metric("f1", averge="macro")
    # -> TypeError: unexpected option 'averge'. Did you mean average=...? Options of metric 'f1' and
    #    of the
    of_metric("f1", seed=1)
    # -> TypeError: Did you mean rng=...? Options
    of_metric("f1", max_bytes=1)
    # -> TypeError: unexpected option 'max_bytes'. Did you mean budget={'max_bytes': ...}? Options
    of_metric("f1", progress=True)
    # -> TypeError: Did you mean datasets.disable_progress_bars()? Options
    compare(*COLUMNS, zzz=1)
    # -> TypeError: unexpected option 'zzz'. Options of metric 'accuracy' and of the test:
    # options of the test, and its budget
    compare(*COLUMNS, ties="exclude")
    # -> `ties` must be 'include' with test='permutation', got 'exclude' … 'exclude' is for
    #    test='bootstrap'
    compare(*COLUMNS, test="bootstrap", method="dp")
    # -> `method` 'dp' is for permutation tests. A bootstrap accepts 'auto', 'exact',
    #    'monte_carlo'.
    compare(*labels(400, 4), "f1", average="macro", method="exact")
    # -> BudgetError: the exact p-value needs the null distribution of the sums on a grid of
    #    2.74e+12 points … which no budget allows. Sample: method='monte_carlo'.
    paired_permutation_test(*DECIMALS, method="exact")
    # -> the scores have 11 decimals, too many … `budget` … Or use method='bracket'. Or sample:
    #    method='monte_carlo'
