"""Series and DataFrames are paired by position, with a warning where their indexes differ."""

import warnings

import evaluate
import numpy as np
import pandas as pd
import pytest

from choices import plan
from doors import NAMES, in_batches, in_one
from pairedperm import (
    PairedCounts,
    Ratio,
    compare,
    paired_bootstrap_test,
    paired_permutation_test,
    structured_permutation_test,
)

P1, P2, GOLD = (pd.Series(x) for x in ([0, 1, 1, 0], [1, 1, 0, 0], [0, 1, 1, 1]))
OTHER = [3, 1, 0, 2]
TEXTS = [pd.Series(x) for x in (["a b", "c"], ["a", "c"], ["a b", "d"])]
SCORES1, SCORES2 = pd.Series([0.5, 2.0, 3.0, 1.0]), pd.Series([1.0, 2.5, 1.0, 0.0])


def reindexed(column, index=OTHER):
    return column.set_axis(index)


def warned(call, *arguments, **options):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = call(*arguments, **options)
    return result, [str(x.message) for x in found], {x.filename for x in found}


def test_the_warning_says_what_to_do():
    result, found, files = warned(compare, reindexed(P1), P2, GOLD)
    assert found == [
        "`predictions1` and `references` are Series with different indexes: they are paired by "
        "position. Align them first (predictions1.loc[references.index]), or "
        "reset_index(drop=True)."
    ]
    assert files == {__file__}
    assert result == compare([*P1], [*P2], [*GOLD])


@pytest.mark.parametrize("door", [in_one, in_batches])
def test_each_column_is_compared_with_the_references(door):
    _, found, _ = warned(door, P1, P2, reindexed(GOLD))
    pairs = [f"`{name}` and `references` are Series" for name in NAMES[:2]]
    assert all(any(pair in x for x in found) for pair in pairs)
    _, found, _ = warned(door, reindexed(P1), P2, np.array(GOLD))
    assert "`predictions1` and `predictions2` are Series" in found[0]


def test_columns_that_have_no_two_indexes():
    for columns in (
        (P1, P2, GOLD),
        (reindexed(P1), [*P2], [*GOLD]),
        (reindexed(P1), P2.array, np.array(GOLD)),
        tuple(map(reindexed, (P1, P2, GOLD))),
        (P1.astype("category"), P2.astype("Int64"), GOLD.rename("gold")),
        (P1, P2.set_axis([0.0, 1.0, 2.0, 3.0]), GOLD),
    ):
        assert warned(compare, *columns)[1] == []


def test_texts_and_tables():
    _, found, _ = warned(compare, TEXTS[0].set_axis([1, 0]), *TEXTS[1:], "word_error_rate")
    assert ["predictions1" in x for x in found] == [True]
    one, two, gold = (pd.DataFrame({"a": x, "b": 1 - x}) for x in (P1, P2, GOLD))
    options = {"metric": "f1", "average": "micro", "multilabel": True}
    assert warned(compare, one, two, gold, **options)[1] == []
    _, found, _ = warned(compare, reindexed(one), two, gold, **options)
    assert found[0].startswith("`predictions1` and `references` are DataFrames with different")
    _, found, _ = warned(plan, one, reindexed(two), score=Ratio([1, 0], [0, 1]))
    assert found[0].startswith("`counts1` and `counts2` are DataFrames")


@pytest.mark.parametrize(
    "call",
    [
        paired_permutation_test,
        paired_bootstrap_test,
        plan,
        PairedCounts.from_rows,
        lambda one, two: structured_permutation_test(one, two, lambda sums: sums[..., 0]),
        lambda one, two: evaluate.load("paired_perm", "scores").compute(
            predictions1=one, predictions2=two
        ),
    ],
)
def test_scores(call, registered):
    assert warned(call, SCORES1, SCORES2)[1] == []
    result, found, _ = warned(call, SCORES1, reindexed(SCORES2))
    assert len(found) == 1
    assert "are Series with different indexes" in found[0]
    assert result == call(SCORES1.tolist(), SCORES2.tolist())
