"""Tables of distinct rows in any form."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given

from pairedperm import paired_counts, paired_permutation_test
from pairedperm.inputs.labels import COLUMNS
from pairedperm.readers import sql
from pairedperm.readers.sql import DistinctTable
from pairedperm.scoring import Accuracy
from pairedperm.scoring.metric import read_metric
from properties import cases, generators

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
    table = DistinctTable(TABLE, names)
    assert (table.n, table.how_often.tolist()) == (58, TABLE["n"])
    rows = table.rows(Accuracy())
    assert [rows.rows1.tolist(), rows.rows2.tolist()] == [[1, 1, 0], [1, 0, 0]]
    assert table.counts(Accuracy()) == COUNTED


def of_distinct(metric, columns, how_often, **more):
    named = dict(zip(COLUMNS, columns, strict=True))
    return sql.from_table(named | more | {"n": how_often}, metric)


@pytest.mark.parametrize(
    ("metric", "options"),
    [("accuracy", {}), ("f1", {"average": "macro"}), ("recall", {"pos_label": "x"})],
)
@given(generators)
@cases(0.3)
def test_distinct_examples(metric, options, rng):
    """The same as of the examples themselves."""
    columns = rng.choice([*"xyz"], (3, 7)).tolist()
    how_often, groups = rng.integers(1, 4, 7), [0, 1, *rng.integers(0, 2, 5).tolist()]
    each = [np.repeat(x, how_often).tolist() for x in (*columns, groups)]
    known = read_metric(metric, **options)
    assert of_distinct(known, columns, how_often) == paired_counts(*each[:3], known)
    grouped = paired_counts(*each[:3], known, groups=each[3])
    assert of_distinct(known, columns, how_often, groups=groups) == grouped


def test_distinct_examples_without_labels():
    """Of an example that occurs thrice three labels are left out."""
    columns = [[1, 1], [0]], [[1, 0], [1]], [[1, -100], [0]]
    found = of_distinct("accuracy", columns, [3, 2])
    assert found == paired_counts(*([x[0]] * 3 + [x[1]] * 2 for x in columns))
    assert paired_permutation_test(found).n_ignored == 3


def test_distinct_items_with_runs():
    runs = [[[1, 1], [0, 1]], [[0, 0], [0, 1]]]
    found = of_distinct("accuracy", [*runs, [1, 1]], [2, 1])
    assert found == paired_counts(*([x[0], x[0], x[1]] for x in runs), [1, 1, 1])
    assert (found.n, found.n_groups) == (6, 3)
    together = of_distinct("accuracy", [*runs, [1, 1]], [2, 1], groups=[0, 0])
    assert (together.n, together.rows1.tolist(), together.rows2.tolist()) == (6, [5], [1])
