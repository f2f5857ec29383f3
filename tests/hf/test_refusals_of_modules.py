"""What the `evaluate` modules refuse: no batch or option that is refused loses examples."""

from pathlib import Path

import numpy as np

from corpora.small import COLUMNS, P1, REFS, SCORES
from pairedperm import load
from pairedperm.scoring import F1, ChrF
from refusals import refuses

MACRO, SETS = {"average": "macro"}, {"average": "micro", "multilabel": True}
BINARY = {"pos_label": 1}
ONE = {"predictions1": [10**17], "predictions2": [0]}


def every(column):
    """The same in each column of labels."""
    return dict.fromkeys(COLUMNS, column)


FIRST = every([[]]) | {"predictions1": [["a"]]}
SECOND = every([[1]]) | {"predictions1": [[]]}
UNEVEN = every([[1]]) | {"predictions2": [[1, 1]]}
OF_TWO = {"num_process": 2, "process_id": 0, "experiment_id": "x"}


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
    computing(loading("chrf", whitespace=True), every(["x"]), metric=ChrF())
    # -> `metric` is ChrF(), but the options from loading make it ChrF(whitespace=True). Give
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
    adding(loading(), FIRST, **SECOND)
    # -> `predictions1 of an earlier batch` holds strings
    adding(loading(), COLUMNS, **COLUMNS | {"predictions1": [*P1[:-1], None]})
    # -> `predictions1`[5] is missing (None)
    adding(loading("scores"), ONE, predictions1=[0.125], predictions2=[0])
    # -> `predictions1` and `predictions2` do not fit those added before: `predictions1` has …
    #    integers up to 1e+17, and a float is an exact integer only below 2^53. Divide by a
    adding(loading("scores"), SCORES, predictions1=[None], predictions2=[1])
    # -> `predictions1` must hold one number per example: `predictions1`[0] is missing, None
    adding(loading("f1", **SETS), every([["a"], ["b"]]), **every([["a", "a"]]))
    # -> `predictions1`[0][1] is in its set twice: give each label once
    adding(loading("span_f1"), **every([[1, 2]]))
    # -> `predictions1` holds integers (1): spans need tags such as 'B-PER'
    adding(loading("span_f1", label_names=["O", "B-X"]), every([[0]]), **every([[0, 9]]))
    # -> `predictions1`[0][1] is 9, which `label_names` lacks: its ids are 0 to 1
    adding(loading("squad_f1"), every(["x"]), **every(["x"]) | {"references": [[]]})
    # -> `references`[0] has no answer
    computing(loading("f1", **BINARY), every([[1]]), **UNEVEN)
    # -> `predictions2`[0] has 2 labels … Examples added before, 1, are kept: reset() discards
    computing(loading("scores"), {"predictions1": [1 / 3], "predictions2": [2**0.5]}, method="dp")
    # -> method='dp' needs scores on a lattice … Examples added before, 1, are kept
    computing(loading(), every([1]), confidence_level=0.9)
    # -> an interval needs at least two examples or groups … Examples added before, 1, are kept
    computing(loading(), COLUMNS, confidence_level=0.9, alternative="less")
    # -> `alternative` must be 'two-sided', got 'less': a confidence interval has two ends
    # Metrics of texts and numbers
    adding(loading(), predictions1=[-1.5], predictions2=[2], references=[3])
    # -> `predictions1` … Metrics of texts and numbers are named when loading: evaluate.load(…
    #    , 'bleu').
    adding(loading("default"), predictions1=[[1, 0]], predictions2=[[0, 0]])
    # -> `references` is missing … Metrics of texts and numbers are named when loading
    # Groups
    computing(loading(), COLUMNS, groups=REFS)
    # -> `groups` needs all columns in one call of compute: the examples added before have been
    computing(loading(), **COLUMNS, groups=[1, 2, 3])
    # -> `groups` must have an id for each example: it has 3
    computing(loading(**OF_TWO, cache_dir=str(Path.cwd())), **COLUMNS, groups=REFS)
    # -> `groups` is not for several processes: compute in
