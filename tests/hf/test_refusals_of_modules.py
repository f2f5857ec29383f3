"""What the `evaluate` modules refuse: no batch or option that is refused loses examples."""

from corpora.small import COLUMNS, P1, REFS, SCORES
from pairedperm import load
from refusals import refuses

MACRO, SETS = {"average": "macro"}, {"average": "micro", "multilabel": True}
BINARY = {"pos_label": 1}
ONE = {"predictions1": [10**17], "predictions2": [0]}


def every(column):
    """The same in each column of labels."""
    return dict.fromkeys(COLUMNS, column)


FIRST = every([[]]) | {"predictions1": [["a"]]}
UNEVEN = every([[1]]) | {"predictions2": [[1, 1]]}
RUNS = {"predictions1": [[1]], "predictions2": [[0]]}


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
    # -> TypeError: unexpected option 'metric'
    loading("f1", beta=2)
    # -> `beta` is no option of metric 'f1'
    loading("scores", pos_label=1)
    # -> `pos_label` must be left out where means of scores are compared, got 1 (int)
    # Columns
    computing(loading())
    # -> there is nothing to compare: pass columns to compute, or add examples with add_batch …
    #    first. Dataset.map adds nothing here if it has num_proc … compare_dataset
    computing(loading(), predictions1=P1, references=REFS)
    # -> `predictions2` is missing
    loading().add(predictions1=1, predictions2=0)
    # -> each batch needs the columns `predictions1`, `predictions2`, `references`, and no other
    computing(loading(), **COLUMNS, predictions=P1)
    # -> unknown column 'predictions': the columns are predictions1, predictions2, references
    computing(loading("scores"), **SCORES, references=REFS)
    # -> unknown column 'references': the columns are predictions1, predictions2.
    # Options
    computing(loading("scores"), **SCORES, metric="accuracy")
    # -> `metric` must be left out where means of scores are compared, got 'accuracy' (str)
    computing(load("paired_bootstrap"), **COLUMNS, method="dp")
    # -> `method` 'dp' is for permutation tests … 'exact'
    computing(loading("f1", **BINARY), COLUMNS, **MACRO)
    # -> `pos_label` is for average='binary', got 1 (int) with average='macro'
    computing(loading("f1", **SETS), every([["a"], ["b"]]), metric="accuracy", labels=["a"])
    # -> `labels` is no option of metric 'accuracy'
    # Batches
    adding(loading(), COLUMNS, **every(["a"]))
    # -> `predictions1` holds strings, but those added before hold numbers. Give all in one type.
    adding(loading(), FIRST, **every([[[1]]]))
    # -> `predictions1` holds numbers, but those added before hold strings
    adding(loading(), **COLUMNS | {"predictions1": P1[:-1]})
    # -> columns must have the same length: `predictions1` 5, `predictions2` 6, `references` 6
    adding(loading("pass_at_k", k=1), RUNS, **RUNS | {"references": [1]})
    # -> each batch needs the columns `predictions1`, `predictions2`, and no other
    computing(loading(), COLUMNS, every([[1]]))
    # -> `predictions1`[6] is no label: [1] (list)
    computing(loading(), COLUMNS, **COLUMNS | {"predictions1": [*P1[:-1], None]})
    # -> `predictions1`[11] is missing (None)
    computing(loading("scores"), ONE, predictions1=[0.125], predictions2=[0])
    # -> `predictions1`[0] is 100000000000000000
    computing(loading("f1", **BINARY), every([[1]]), **UNEVEN)
    # -> `predictions2`[1] has 2 labels
    # Groups
    computing(loading(), COLUMNS, **COLUMNS, groups=REFS)
    # -> `groups` must have an id for each example: it has 6 for 12 examples
