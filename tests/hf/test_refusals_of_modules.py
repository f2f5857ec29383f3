"""What the `evaluate` modules refuse: no batch or option that is refused loses examples."""

import numpy as np

from corpora.small import COLUMNS, P1, REFS, SCORES
from pairedperm import load
from pairedperm.scoring import F1
from refusals import asks, refusal, refuses

MACRO, SETS = {"average": "macro"}, {"average": "micro", "multilabel": True}
BINARY = {"pos_label": 1}
OF_OTHERS = "Metrics of texts and numbers are named when loading: evaluate.load(…, 'bleu')."


def every(column):
    """The same in each column of labels."""
    return dict.fromkeys(COLUMNS, column)


def loading(metric=None, **options):
    return load("paired_perm", metric, **options)


def adding(module, *batches, **columns):
    """After batches that are accepted; the last one is not added."""
    for batch in batches:
        module.add_batch(**batch)
    n = len(module)
    try:
        module.add_batch(**columns)
    finally:
        assert len(module) == n


def computing(module, *batches, **given):
    """After batches that are accepted, which are kept."""
    for batch in batches:
        module.add_batch(**batch)
    n = len(module)
    try:
        module.compute(**given)
    finally:
        assert len(module) == n


@refuses
def test_refusals():
    # Loading
    loading("f2")
    # -> unknown configuration 'f2': it is 'scores' for numbers, or names the metric, one of …
    #    'accuracy', 'exact_match'
    loading(F1(**MACRO))
    # -> unknown configuration F1( … names the metric
    load("paired_perm", metric="f1")
    # -> TypeError: unexpected option 'metric': evaluate.load takes its own options and those of the
    #    … Name the metric as configuration, and pass options of the test to compute
    loading("f1", alternative="less")
    # -> TypeError: unexpected option 'alternative' … pass options of the test to compute
    loading("f1", averge="macro")
    # -> TypeError: unexpected option 'averge' … Did you mean average=...? Options of metric 'f1'
    loading("f1", beta=2)
    # -> `beta` is no option of metric 'f1'
    loading("scores", pos_label=1)
    # -> `pos_label` must be left out with the configuration 'scores', and without references …
    #    got 1 (int): the means of the scores are compared
    # Columns
    computing(loading())
    # -> there is nothing to compare: pass predictions1, predictions2, references to compute … or
    #    add examples with add_batch first. Dataset.map adds nothing here if it has num_proc …
    #    compare_dataset
    computing(loading("scores"))
    # -> pass predictions1, predictions2 to compute
    computing(loading(), predictions1=P1, references=REFS)
    # -> `predictions2` is missing
    computing(loading("scores"), predictions1=[1])
    # -> `predictions2` is missing: pass one score per example
    computing(loading("scores"), predictions1=[], predictions2=[])
    # -> `predictions1` is empty: at least one example is needed
    loading().add(predictions1=1, predictions2=0)
    # -> `references` is missing
    computing(loading(), **COLUMNS, predictions=P1)
    # -> unknown column 'predictions': the columns are predictions1, predictions2, references
    computing(loading("scores"), **SCORES, references=REFS)
    # -> unknown column 'references': the columns are predictions1, predictions2.
    computing(loading(), predictions1=[0.5], predictions2=[0], references=[0])
    # -> `predictions1`[0] is a float, 0.5
    # Options
    computing(loading(), COLUMNS, alternatve="less")
    # -> TypeError: alternatve
    computing(loading("scores"), **SCORES, metric="accuracy")
    # -> `metric` must be left out with the configuration 'scores' … got 'accuracy' (str)
    computing(loading(), COLUMNS, metric="f1_macro")
    # -> `metric` … Did you mean metric='f1', average='macro'
    computing(load("paired_bootstrap"), **COLUMNS, method="dp")
    # -> `method` 'dp' is for permutation tests … 'exact'
    computing(loading("f1", **MACRO, labels=[0, 1]), **COLUMNS, metric=F1())
    # -> `metric` is F1(pos_label=1), but the options from loading make it F1(average='macro',
    #    labels= … Give the object these options, or pass its name, metric='f1'
    computing(loading("f1", **SETS), every([["a"], ["b"]]), metric="accuracy")
    # -> `metric` 'accuracy' without multilabel=True takes no sets of labels … load another
    computing(loading(), every(np.tri(3, dtype=int)), metric="f1", **SETS)
    # -> `multilabel` … a matrix was added, and was read as sequences of labels … Name the …
    #    evaluate.load(…, 'f1', average='micro', multilabel=True)
    computing(loading(), every([[1], [0], [1]] * 2000), metric="f1", pos_label=2)
    # -> the examples added have been counted for 'accuracy', … not for 'f1' (pos_label=2) … Name
    #    the metric and its options when loading, evaluate.load(…, 'f1', pos_label=2)
    computing(loading(), every(["x"]), metric="squad_f1")
    # -> `metric` 'squad_f1' reads no labels from its columns: name it when loading, evaluate …
    #    load(…, 'squad_f1')
    computing(loading("squad_f1"), every(["x"]), metric="accuracy")
    # -> `metric` must be 'squad_f1', which was named when loading, got 'accuracy'. Load
    computing(loading("pass_at_k", k=1), metric="pass_at_k", k=2)
    # -> `metric` 'pass_at_k' has its options from loading. Load another module for these: …
    #    evaluate.load(…, 'pass_at_k', k=2)
    # Batches
    adding(loading(), COLUMNS, **every(["a"]))
    # -> strings … `predictions1 of an earlier batch`
    adding(loading(), COLUMNS, **every([[1]]))
    # -> sequence … `predictions1 of an earlier batch`
    adding(loading(), predictions1=[["a"]], predictions2=[[1]], references=[[]])
    # -> `predictions1` holds strings
    (
        adding(
            *(loading(), every([[]]) | {"predictions1": [["a"]]}),
            **every([[1]]) | {"predictions1": [[]]},
        )
    )
    # -> `predictions1 of an earlier batch` holds strings
    adding(loading(), COLUMNS, **COLUMNS | {"predictions1": [*P1[:-1], None]})
    # -> `predictions1`[5] is missing (None)
    (
        adding(
            *(loading("scores"), {"predictions1": [10**17], "predictions2": [0]}),
            predictions1=[0.125],
            predictions2=[0],
        )
    )
    # -> `predictions1` and `predictions2` do not fit those added before: `predictions1` has …
    #    integers up to 1e+17, and a float is an exact integer only below 2^53. Divide by a
    (computing(loading("f1", **BINARY), every([[1]]), **every([[1]]) | {"predictions2": [[1, 1]]}))
    # -> `predictions2`[0] has 2 labels … Examples added before, 1, are kept: reset() discards


test_refusals_in_rows = asks(
    refusal(
        lambda: adding(loading(), predictions1=[-1.5], predictions2=[2], references=[3]),
        *("predictions1", OF_OTHERS),
    ),
    refusal(
        lambda: adding(loading("default"), predictions1=[[1, 0]], predictions2=[[0, 0]]),
        *("references", "is missing", OF_OTHERS),
    ),
    refusal(
        lambda: adding(loading(), **every(["a"]) | {"predictions1": [["b", "a"]]}),
        *("", OF_OTHERS),
    ),
)
