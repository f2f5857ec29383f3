"""Series and DataFrames are paired by position, with a warning where their indexes differ."""

import warnings

import evaluate
import numpy as np
import pandas as pd
import pytest

from pairedperm import (
    PairedCounts,
    compare,
    paired_permutation_test,
    structured_permutation_test,
)

P1, P2, GOLD = (pd.Series(x) for x in ([0, 1, 1, 0], [1, 1, 0, 0], [0, 1, 1, 1]))
TEXTS = [pd.Series(x) for x in (["a b", "c"], ["a", "c"], ["a b", "d"])]
SCORES1, SCORES2 = pd.Series([0.5, 2.0, 3.0, 1.0]), pd.Series([1.0, 2.5, 1.0, 0.0])


def reindexed(column):
    return column.set_axis([*range(len(column) - 1, -1, -1)])


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


@pytest.mark.parametrize(
    ("columns", "options", "pairs"),
    [
        ((P1, P2, reindexed(GOLD)), {}, "12"),
        ((reindexed(P1), P2, np.array(GOLD)), {}, "p"),
        ((reindexed(TEXTS[0]), *TEXTS[1:]), {"metric": "word_error_rate"}, "1"),
        ((reindexed(P1), [*P2], [*GOLD]), {}, ""),
        ((*map(reindexed, (P1, P2, GOLD)),), {}, ""),
        ((P1, P2.set_axis([0.0, 1.0, 2.0, 3.0]), GOLD), {}, ""),
    ],
)
def test_columns(columns, options, pairs):
    """Each prediction's index is compared with the references', or both with each other."""
    _, found, _ = warned(compare, *columns, **options)
    others = {"1": ("1", "references"), "2": ("2", "references"), "p": ("1", "predictions2")}
    for pair in pairs:
        first, second = others[pair]
        assert any(f"`predictions{first}` and `{second}` are" in x for x in found)
    assert len(found) == len(pairs)


@pytest.mark.parametrize(
    "call",
    [
        paired_permutation_test,
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
    assert ["are Series with different indexes" in x for x in found] == [True]
    assert result == call(SCORES1.tolist(), SCORES2.tolist())
