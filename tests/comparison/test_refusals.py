"""Metrics, options and plans that `compare` and `plan` refuse."""

import numpy as np

from corpora.planned import labels
from corpora.ratio_rows import RATIO
from pairedperm import compare, plan
from pairedperm.scoring import F1
from refusals import asks, refusal, refuses

COLUMNS = [0, 1, 1], [0, 1, 0], [0, 1, 1]


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
    plan(*COLUMNS, "f1", max_bytes=1)
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
    plan(*np.random.default_rng(0).normal(size=(2, 200)).round(11), method="exact")
    # -> the scores have 11 decimals, too many … `budget` … Or use method='bracket'. Or sample:
    #    method='monte_carlo'
    # plans
    plan(compare, *COLUMNS)
    # -> TypeError: plan takes the arguments of a test, not the test itself
    plan(*COLUMNS, test="bootstrap")
    # -> plan is for permutation tests: leave out test='bootstrap'
    plan([[1, 2]], [[0, 1]], RATIO)
    # -> TypeError: give a Ratio by name: plan(counts1, counts2, score=Ratio(...))
    plan([1], [0], n_samples=9)
    # -> TypeError: of paired_permutation_test: got an unexpected keyword argument 'n_samples'
    plan([1], [0], np.abs, alternative="less")
    # -> TypeError: of structured_permutation_test: … 'alternative'
    plan([1], statistic=np.abs)
    # -> TypeError: of structured_permutation_test: missing a required argument: 'swap'. It has
    #    stay, swap
    plan([1], [0], metric="f1")
    # -> TypeError: of compare: missing a required argument: 'references'. It has predictions1,
    plan([1], [0], pos_label=1)
    # -> TypeError: of compare: missing a required argument: 'references'
    plan(*COLUMNS, "f1", 2)
    # -> TypeError: of compare: too many positional
    plan(*COLUMNS, score=RATIO)
    # -> TypeError: unexpected option 'score'. Options of metric 'accuracy' and of


test_refusals_in_rows = asks(
    refusal(
        plan,
        "",
        "taken for the arguments of paired_permutation_test: missing a required argument: ",
        "'counts1'. It has counts1, counts2, score",
        kind=TypeError,
    ),
)
