"""Metrics, options and plans that `compare` and `plan` refuse."""

import numpy as np

from corpora.planned import labels
from corpora.ratio_rows import RATIO
from pairedperm import BudgetError, compare, plan
from pairedperm.scoring import F1
from refusals import refusal, refuses

COLUMNS = [0, 1, 1], [0, 1, 0], [0, 1, 1]


def of_metric(metric, **options):
    return compare(*COLUMNS, metric, **options)


test_refusals = refuses(
    # metrics and their options
    refusal(
        lambda: of_metric("acuracy"),
        "metric",
        "must be one of 'accuracy', 'exact_match', 'balanced_accuracy'",
        "or an object such as pairedperm.scoring.F1(average='macro'), got 'acuracy' (str).",
        "Did you mean metric='accuracy'?",
    ),
    refusal(lambda: of_metric(["f1"]), "metric", "must be one of ", "got ['f1'] (list)."),
    refusal(lambda: of_metric("f1_macro"), "metric", "mean metric='f1', average='macro'?"),
    refusal(lambda: of_metric("macro-F1"), "metric", "mean metric='f1', average='macro'?"),
    refusal(
        lambda: of_metric("precision_score_micro"),
        *("metric", "mean metric='precision', average='micro'?"),
    ),
    refusal(lambda: of_metric("accuracy_macro"), "metric", "mean metric='accuracy'?"),
    refusal(lambda: of_metric("acc"), "metric", "mean metric='accuracy'?"),
    refusal(lambda: of_metric("em"), "metric", "mean metric='exact_match'?"),
    refusal(lambda: of_metric("mcc"), "metric", "mean metric='matthews_correlation'?"),
    refusal(lambda: of_metric("wer"), "metric", "mean metric='word_error_rate'?"),
    refusal(lambda: of_metric("f-beta"), "metric", "mean metric='fbeta'?"),
    refusal(lambda: of_metric("seqeval"), "metric", "mean metric='span_f1'?"),
    refusal(
        lambda: of_metric("nDCG@10"),
        "metric",
        "It is a mean of scores of the examples: compute these",
        "evaluate.load(…, 'scores').",
    ),
    refusal(
        lambda: of_metric(F1(average="macro"), average="micro"),
        "average",
        "is an option of the metric, but `metric` is an object with its own options, F1(average=",
        "write F1(average=...), or metric='f1'.",
    ),
    refusal(
        lambda: of_metric("accuracy", zero_division=0),
        "zero_division",
        "is no option of metric 'accuracy'",
        "leave it out, or choose a metric that has it ('",
    ),
    refusal(
        lambda: of_metric("f1", averge="macro"),
        "",
        "unexpected option 'averge'. Did you mean average=...? Options of metric 'f1' and of the",
        kind=TypeError,
    ),
    refusal(lambda: of_metric("f1", seed=1), "", "Did you mean rng=...? Options", kind=TypeError),
    refusal(
        lambda: plan(*COLUMNS, "f1", max_bytes=1),
        *("", "unexpected option 'max_bytes'. Did you mean budget={'max_bytes': ...}? Options"),
        kind=TypeError,
    ),
    refusal(
        lambda: of_metric("f1", progress=True),
        *("", "Did you mean datasets.disable_progress_bars()? Options"),
        kind=TypeError,
    ),
    refusal(
        lambda: compare(*COLUMNS, zzz=1),
        *("", "unexpected option 'zzz'. Options of metric 'accuracy' and of the test: "),
        kind=TypeError,
    ),
    # options of the test, and its budget
    refusal(
        lambda: compare(*COLUMNS, ties="exclude"),
        "ties",
        "must be 'include' with test='permutation', got 'exclude'",
        "'exclude' is for test='bootstrap'",
    ),
    refusal(
        lambda: compare(*COLUMNS, test="bootstrap", method="dp"),
        "method",
        "'dp' is for permutation tests. A bootstrap accepts 'auto', 'exact', 'monte_carlo'.",
    ),
    refusal(
        lambda: compare(*labels(400, 4), "f1", average="macro", method="exact"),
        "",
        "the exact p-value needs the null distribution of the sums on a grid of 2.74e+12 points",
        "which no budget allows. Sample: method='monte_carlo'.",
        kind=BudgetError,
    ),
    refusal(
        lambda: plan(*np.random.default_rng(0).normal(size=(2, 200)).round(11), method="exact"),
        "budget",
        "the scores have 11 decimals, too many",
        "Or use method='bracket'. Or sample: method='monte_carlo'",
    ),
    # plans
    refusal(
        lambda: plan(compare, *COLUMNS),
        *("", "plan takes the arguments of a test, not the test itself"),
        kind=TypeError,
    ),
    refusal(
        lambda: plan(*COLUMNS, test="bootstrap"),
        *("", "plan is for permutation tests: leave out test='bootstrap'"),
    ),
    refusal(
        lambda: plan([[1, 2]], [[0, 1]], RATIO),
        *("", "give a Ratio by name: plan(counts1, counts2, score=Ratio(...))"),
        kind=TypeError,
    ),
    refusal(
        plan,
        "",
        "taken for the arguments of paired_permutation_test: missing a required argument: ",
        "'counts1'. It has counts1, counts2, score",
        kind=TypeError,
    ),
    refusal(
        lambda: plan([1], [0], n_samples=9),
        *("", "of paired_permutation_test: got an unexpected keyword argument 'n_samples'"),
        kind=TypeError,
    ),
    refusal(
        lambda: plan([1], [0], np.abs, alternative="less"),
        *("", "of structured_permutation_test: ", "'alternative'"),
        kind=TypeError,
    ),
    refusal(
        lambda: plan([1], statistic=np.abs),
        "",
        "of structured_permutation_test: missing a required argument: 'swap'. It has stay, swap",
        kind=TypeError,
    ),
    refusal(
        lambda: plan([1], [0], metric="f1"),
        *("", "of compare: missing a required argument: 'references'. It has predictions1, "),
        kind=TypeError,
    ),
    refusal(
        lambda: plan([1], [0], pos_label=1),
        *("", "of compare: missing a required argument: 'references'"),
        kind=TypeError,
    ),
    refusal(lambda: plan(*COLUMNS, "f1", 2), "", "of compare: too many positional", kind=TypeError),
    refusal(
        lambda: plan(*COLUMNS, score=RATIO),
        *("", "unexpected option 'score'. Options of metric 'accuracy' and of"),
        kind=TypeError,
    ),
)
