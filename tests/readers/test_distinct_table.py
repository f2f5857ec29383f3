"""Tables of distinct rows in any form, and what is wrong with them."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from pairedperm import InputError, paired_counts, paired_permutation_test
from pairedperm.readers import sql
from pairedperm.readers.distinct_table import DistinctTable
from pairedperm.scoring import F1, Accuracy

TABLE = {
    "predictions1": ["a", "b", "b"],
    "predictions2": ["a", "a", "b"],
    "references": ["a", "b", "a"],
    "n": [50, 6, 2],
}
COUNTED = paired_counts(
    *(
        [x for x, n in zip(TABLE[k], TABLE["n"], strict=True) for _ in range(n)]
        for k in [*TABLE][:3]
    )
)
FORMS = {
    "dict": dict,
    "tuples": lambda table: {key: tuple(column) for key, column in table.items()},
    "arrays": lambda table: {key: np.array(column) for key, column in table.items()},
    "Arrow": pa.table,
    "Arrow batch": pa.RecordBatch.from_pydict,
    "Arrow reader": lambda table: pa.table(table).to_reader(),
    "Arrow dictionary": lambda table: pa.table(
        {key: pa.array(x).dictionary_encode() for key, x in table.items()}
    ),
    "pandas": pd.DataFrame,
    "pandas with an index": lambda table: pd.DataFrame(table, index=[*"xyz"]),
    "pandas categories": lambda table: pd.DataFrame(table).astype({"references": "category"}),
    "Series": lambda table: {key: pd.Series(column) for key, column in table.items()},
    "in another order": lambda table: dict(reversed(table.items())) | {"more": [None] * 3},
    "twice": lambda table: {
        key: x + x if key != "n" else [49, 1, 1, 1, 5, 1] for key, x in table.items()
    },
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_forms_of_a_table(form):
    assert sql.from_table(form(TABLE)) == COUNTED


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.uint64, np.float32, np.float64, object])
def test_types_of_n(kind):
    assert sql.from_table(TABLE | {"n": np.array(TABLE["n"], dtype=kind)}) == COUNTED
    assert sql.from_table(TABLE | {"n": [*map(Decimal, TABLE["n"])]}) == COUNTED
    arrow = pa.array([*map(Decimal, TABLE["n"])], pa.decimal128(38, 0))
    assert sql.from_table(pa.table(TABLE).set_column(3, "n", arrow)) == COUNTED


def test_more_rows_than_memory():
    """Of 2·10^12 examples 10^6 more improve, 0.707 standard deviations: by the normal law."""
    scores = {"predictions1": [1, 1, 0], "predictions2": [1, 0, 1]}
    counts = sql.from_table(scores | {"n": [10**15, 10**12 + 10**6, 10**12]}, "mean_score")
    assert counts.n == 10**15 + 2 * 10**12 + 10**6
    assert paired_permutation_test(counts).pvalue == pytest.approx(0.4795, abs=1e-4)


def test_narrow_floats_keep_their_decimals():
    scores = {"predictions1": [0.5, 0.1], "predictions2": [0.25, 0.7], "n": [3, 4]}
    whole = sql.from_table(scores, "mean_score")
    for kind in (np.float16, np.float32):
        narrow = {key: np.array(scores[key], dtype=kind) for key in [*scores][:2]} | {"n": [3, 4]}
        for table in (narrow, pa.table(narrow), pd.DataFrame(narrow)):
            assert sql.from_table(table, "mean_score") == whole


def changed(**others):
    return {key: x for key, x in (TABLE | others).items() if x is not None}


SCORES = {key: TABLE[key] for key in ("n",)} | {
    "predictions1": [1, 2, 3],
    "predictions2": [3, 2, 0],
}
SETS = {key: [["a"]] for key in [*TABLE][:3]} | {"n": [3], "groups": [1]}
REFUSED = [  # the table, the metric, the message
    (None, "accuracy", r"`table` must be a table of columns: .* got None"),
    ("runs", "accuracy", r"`table` must be a table of columns: .* got 'runs' \(str\)"),
    ([("a", "b", "a", 3)], "accuracy", r"`table` must be a table of columns: .* \(list\)"),
    (
        changed(predictions2=None),
        "accuracy",
        "lacks the column 'predictions2': it has 'predictions1'",
    ),
    (changed(n=None), "accuracy", "lacks the column 'n': .* Run the text that `query`"),
    (SCORES, "accuracy", "lacks the column 'references': .* For scores use metric='mean_score'"),
    ({key.upper(): x for key, x in TABLE.items()}, "accuracy", "it has 'PREDICTIONS1', "),
    (TABLE, "mean_score", "`table` has references, but metric 'mean_score' takes none"),
    (TABLE, "unheard", "`metric` must be one of 'accuracy'"),
    ({key: [] for key in TABLE}, "accuracy", "no rows to count: the table is empty"),
    (pa.table(TABLE).slice(0, 0), "accuracy", "no rows to count: the table is empty"),
    (changed(n=[0, 0, 0]), "accuracy", "no rows to count: the table is empty"),
    (changed(n=[1, -2, 3]), "accuracy", r"column 'n' must be numbers of examples.* 'n'\[1\] is -2"),
    (changed(n=[1, 2, 0.5]), "accuracy", r"column 'n' must be numbers of .* 'n'\[2\] is 0.5"),
    (changed(n=[1, None, 3]), "accuracy", r"column 'n' has missing entries"),
    (changed(n=["1", "2", "3"]), "accuracy", r"column 'n'\[0\] is not a number, '1'"),
    (changed(n=[2**62] * 3), "accuracy", r"column 'n' must add up to at most 2\^63 - 1 examples"),
    (changed(references=["a", None, "a"]), "accuracy", "column 'references' in 6 of 58 rows"),
    (
        changed(predictions1=[None, "b", None], predictions2=["a", None, "b"]),
        "accuracy",
        "column 'predictions1' in 52, column 'predictions2' in 6 of 58 rows",
    ),
    (changed(groups=[1, None, None]), "accuracy", "column 'groups' in 8 of 58 rows"),
    (SETS | {"references": [["a", None]]}, "exact_match", "column 'references' in 3 of 3 rows"),
    (SCORES | {"predictions1": [1, np.nan, 2]}, "mean_score", "'predictions1' in 6 of 58 rows"),
    (
        pa.table(SCORES | {"predictions1": pa.array([0.5, None, 1], pa.float32())}),
        "mean_score",
        "'predictions1' in 6 of 58 rows",
    ),
    (changed(references=[1, 2, 3]), "accuracy", r"'references' \(distinct rows\) holds integers"),
    (changed(groups=[0.5, 1, 2]), "accuracy", r"column 'groups'\[0\] is 0.5 \(float\)"),
    (
        SCORES | {"predictions1": [1 / 3, 1, 2]},
        "mean_score",
        "cannot be counted: .* no decimal of at",
    ),
    (
        SCORES | {"groups": [1, 2, 3], "predictions1": [2**60, 1, 1]},
        "mean_score",
        r"there may be groups of 50 examples with numbers up to 1.15e\+18, whose sums exceed",
    ),
    (SETS, F1(average="samples", multilabel=True), "column 'groups': sample-averaged F1 is a mean"),
]


@pytest.mark.parametrize(("table", "metric", "message"), REFUSED)
def test_table_refused(table, metric, message):
    with pytest.raises(InputError, match=message):
        sql.from_table(table, metric)


@pytest.mark.parametrize(
    "table",
    [
        changed(n=[1, 2]),
        changed(n=[1, 2, 3, 4]),
        changed(n=5),
        changed(predictions1=["a", "b"]),
        changed(predictions2=5),
        changed(groups=[1, 2]),
        TABLE | {"references": None},
        SCORES | {"predictions1": [1, 2]},
        pa.table(
            [[1]] * 5, names=["predictions1", "predictions1", "predictions2", "references", "n"]
        ),
    ],
)
def test_columns_that_do_not_fit(table):
    with pytest.raises(InputError):
        sql.from_table(table, "accuracy" if "references" in table else "mean_score")


@pytest.mark.parametrize("others", [{"references": [None]}, {"references": ["z"]}, {"groups": [3]}])
def test_a_row_that_never_occurs(others):
    """It is as if it were left out."""
    groups = {"groups": [1, 1, 2]} if "groups" in others else {}
    row = {"predictions1": ["a"], "predictions2": ["b"], "references": ["a"], "n": [0]}
    row |= others
    table = {key: column + row[key] for key, column in (TABLE | groups).items()}
    found = sql.from_table(table, "f1", average="macro")
    assert found == sql.from_table(TABLE | groups, "f1", average="macro")


def test_rows_stay_in_their_order():
    """One for each, under the names that the caller knows."""
    names = {"predictions1": "large", "predictions2": "small", "references": "gold"}
    columns = {name: TABLE[name] for name in names}
    table = DistinctTable(columns, TABLE["n"], names)
    assert (table.n, table.how_often.tolist()) == (58, TABLE["n"])
    rows = table.rows(Accuracy())
    assert [rows.rows1.tolist(), rows.rows2.tolist()] == [[1, 1, 0], [1, 0, 0]]
    assert table.counts(Accuracy()) == COUNTED
    with pytest.raises(InputError, match="column 'large' in 50, column 'gold' in 8 of 58 rows"):
        DistinctTable(
            columns | {"predictions1": [None, "b", "b"], "references": ["a", None, None]},
            TABLE["n"],
            names,
        )
