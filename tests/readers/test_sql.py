"""One query of a warehouse, here DuckDB on Parquet, read and tested: the bits of `compare`."""

import random
from decimal import Decimal

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pairedperm import compare, paired_bootstrap_test, paired_counts, paired_permutation_test
from pairedperm.readers import sql
from pairedperm.scoring import F1
from properties import one_in

N = 60
OF_EXAMPLES = ("n_wins", "n_losses", "n_ties")  # which counts of groups do not tell
TYPES = {"floats": pa.float32(), "decimals": pa.decimal128(10, 3), "bytes": pa.int8()}
ODD = {"strings1": 'the "large" one', "strings2": "small.model", "strings3": "n"}


def drawn():
    """Columns of each kind, under the kind's name and a number."""
    rng = random.Random(3)
    found = {}

    def add(kind, one):
        for number in (1, 2, 3):
            found[f"{kind}{number}"] = [one(k) for k in range(N)]

    add("strings", lambda k: rng.choice(["x", "y", "é'\n"]))
    add("integers", lambda k: rng.randrange(-1, 2))
    add("bytes", lambda k: rng.randrange(2))
    add("bools", lambda k: rng.random() < 0.6)
    add("sequences", lambda k: rng.choices(range(3), k=k % 3 + 1))
    add("sets", lambda k: sorted({rng.choice("xyz") for _ in range(k % 4)}))
    add("runs", lambda k: rng.choices(range(-1, 2), k=k % 2 + 1))
    add("doubles", lambda k: rng.randrange(-9, 9) / 10)
    add("floats", lambda k: rng.randrange(-9, 9) / 100)
    add("decimals", lambda k: Decimal(rng.randrange(9)) / 8)
    add("texts", lambda k: " ".join(rng.choices(["cat", "Sat", "mat."], k=k % 3 + 1)))
    found |= {"ids": [rng.randrange(9) for _ in range(N)]}
    found |= {"names": [f"group {rng.randrange(7)}" for _ in range(N)]}
    for row in found["sequences3"][::7]:
        row[0] = -100
    return found


COLUMNS = drawn()


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """What stands after FROM: two files of several row groups."""
    folder = tmp_path_factory.mktemp("rows")
    types = [TYPES.get(name.rstrip("123")) for name in COLUMNS]
    arrays = [pa.array(x, type=kind) for x, kind in zip(COLUMNS.values(), types, strict=True)]
    table = pa.table(arrays, names=[ODD.get(name, name) for name in COLUMNS])
    for number in range(2):
        part = table.slice(number * N // 2, N // 2)
        pq.write_table(part, folder / f"{number}.parquet", row_group_size=8)
    return f"read_parquet('{folder.as_posix()}/*.parquet')"


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


def three(kind):
    return tuple(f"{kind}{number}" for number in (1, 2, 3))


def two(kind):
    return (*three(kind)[:2], None)


CALLS = [  # the columns, the metric, its options
    (three("strings"), "accuracy", {}),
    (three("strings"), F1(average="macro"), {}),
    (three("strings"), "f1", {"pos_label": "x"}),
    (three("integers"), "f1", {"average": "micro", "labels": [0, 1]}),
    (three("bytes"), "f1", {}),
    (three("bools"), "matthews_correlation", {}),
    (three("sequences"), "accuracy", {}),
    (three("sequences"), "exact_match", {"ignore_label": None}),
    (three("sets"), "f1", {"average": "macro", "multilabel": True}),
    (("runs1", "runs2", "integers3"), "accuracy", {}),
    (two("doubles"), "mean_score", {}),
    (two("floats"), "mean_score", {"lower_is_better": True}),
    (two("decimals"), "mean_score", {}),
    (("integers1", "doubles2", None), "mean_score", {}),
    (three("texts"), "squad_exact_match", {}),
]
quiet = pytest.mark.filterwarnings("ignore::UserWarning")


def answer(connection, rows, columns, groups=None):
    """The relation of the query."""
    names = [None if x is None else ODD.get(x, x) for x in columns]
    return connection.sql(sql.query(rows, *names, groups=groups))


def given(columns):
    """Columns as `compare` takes them."""
    kinds = dict.fromkeys(("floats1", "floats2"), np.float32)
    return [
        None if x is None else np.array(COLUMNS[x], dtype=kinds[x]) if x in kinds else COLUMNS[x]
        for x in columns
    ]


def results(counts):
    """Of both tests, all that they say."""
    tests = paired_permutation_test, paired_bootstrap_test
    return [test(counts, n_resamples=99, rng=0).to_dict() for test in tests]


def without(found, names):
    return [{key: x for key, x in result.items() if key not in names} for result in found]


@one_in(11)
@quiet
@pytest.mark.parametrize("groups", [None, "ids", "names"])
@pytest.mark.parametrize(("columns", "metric", "options"), CALLS)
def test_as_compare(connection, rows, columns, metric, options, groups):
    counts = sql.from_table(answer(connection, rows, columns, groups), metric, **options)
    others = options | {"groups": groups and COLUMNS[groups]}
    assert counts == paired_counts(*given(columns), metric, **others)
    others |= {"n_resamples": 99, "rng": 0}
    tests = "permutation", "bootstrap"
    truth = [compare(*given(columns), metric, test=x, **others).to_dict() for x in tests]
    found = results(counts)
    if counts.n_groups is not None:
        assert all(result.get(name) is None for result in found for name in OF_EXAMPLES)
        found, truth = without(found, OF_EXAMPLES), without(truth, OF_EXAMPLES)
    assert found == truth


def repeated_labels():
    """Runs of which the second system has the same labels in another order."""
    rng = random.Random(1)
    references = [rng.randrange(4) for _ in range(12)]
    runs = [[rng.randrange(4), rng.randrange(4)] for _ in range(12)]
    return [runs, [x[::-1] for x in runs], references], None


def labels_in_groups():
    rng = random.Random(0)
    runs = [[rng.choices(range(4), k=3) for _ in range(20)] for _ in range(2)]
    return [*runs, rng.choices(range(4), k=20)], rng.choices(range(9), k=20)


rounded = pytest.mark.xfail(reason="equal sums of groups are averaged exactly, others in floats")


@quiet
@pytest.mark.parametrize("drawn", [pytest.param(repeated_labels, marks=rounded), labels_in_groups])
def test_last_bits_of_class_averages(drawn):
    columns, groups = drawn()
    table = dict(zip([*TABLE][:3], columns, strict=True)) | {"n": [1] * len(columns[2])}
    table |= {"groups": groups} if groups else {}
    counts = sql.from_table(table, "f1", average="macro")
    options = {"method": "monte_carlo", "n_resamples": 9, "rng": 0}
    found = [paired_permutation_test(counts, **options).to_dict()]
    truth = [compare(*columns, "f1", average="macro", groups=groups, **options).to_dict()]
    assert without(found, OF_EXAMPLES) == without(truth, OF_EXAMPLES)


def test_query_of_scores_in_groups():
    text = sql.query("  runs AS r ", "a", "b", groups="document")
    assert text == (
        'SELECT\n    "a" AS "predictions1",\n    "b" AS "predictions2",\n'
        '    "document" AS "groups",\n    COUNT(*) AS "n"\n'
        'FROM runs AS r\nGROUP BY "a", "b", "document"'
    )


@pytest.mark.parametrize("quote", ['"', "`"])
def test_query_quotes_what_stands_in_names(quote):
    doubled = 2 * quote
    text = sql.query("t", f"a{quote}b", "c", "c; DROP TABLE t", quote=quote)
    assert f"{quote}a{doubled}b{quote} AS {quote}predictions1{quote}" in text
    assert text.endswith(
        f"GROUP BY {quote}a{doubled}b{quote}, {quote}c{quote}, {quote}c; DROP TABLE t{quote}"
    )


@pytest.mark.parametrize("names", [("large",) * 3, ("large", "large", "label")])
def test_query_of_a_column_twice(connection, names):
    connection.execute("CREATE TABLE t AS SELECT 1 AS large, 2 AS label FROM range(5)")
    text = sql.query("t", *names, groups="label")
    assert text.endswith('GROUP BY "large", "label"')
    assert sql.from_table(connection.sql(text)).n == 5


def test_query_of_a_table_with_its_own_columns_of_these_names(connection):
    """GROUP BY means the columns of the table, not the names that the query gives."""
    connection.execute(
        "CREATE TABLE t AS SELECT * FROM (VALUES (1, 2, 3, 4), (1, 2, 3, 4), (5, 6, 7, 8)) AS "
        'v("references", "predictions1", "groups", "n")'
    )
    text = sql.query("t", "references", "predictions1", "n", groups="groups")
    assert sorted(connection.sql(text).fetchall()) == [(1, 2, 4, 3, 2), (5, 6, 8, 7, 1)]


def test_query_of_a_subquery(connection):
    connection.execute("CREATE TABLE t AS SELECT i % 2 AS a, i AS b FROM range(6) AS r(i)")
    text = sql.query("(SELECT a, b % 3 AS b FROM t WHERE b < 4) AS part", "a", "b", "a")
    assert sql.from_table(connection.sql(text)) == paired_counts(
        [0, 1, 0, 1], [0, 1, 2, 0], [0, 1] * 2
    )


TABLE = {
    "predictions1": ["a", "b", "b"],
    "predictions2": ["a", "a", "b"],
    "references": ["a", "b", "a"],
    "n": [50, 6, 2],
}


def test_a_relation(connection):
    connection.execute("CREATE TABLE t AS SELECT 'a' AS large, 'b' AS small, 'a' AS label")
    relation = connection.sql(sql.query("t", "large", "small", "label"))
    expected = paired_counts(["a"], ["b"], ["a"])
    for table in (relation, relation.to_arrow_table(), relation.df()):
        assert sql.from_table(table) == expected


def test_answers_of_several_shards(connection):
    """Their counts are added by another query, a sum of the database's widest integers."""
    connection.register("answers", pa.table(TABLE | {"n": [40, 6, 1]}))
    connection.register(
        "others", pa.table({key: column[:1] * 2 for key, column in TABLE.items()} | {"n": [10, 1]})
    )
    columns = 'predictions1, predictions2, "references"'
    both = "(FROM answers UNION ALL FROM others)"
    whole = connection.sql(f"SELECT {columns}, sum(n) AS n FROM {both} GROUP BY {columns}")
    assert [*map(type, whole.fetchall()[0])][-1] is int
    added = sql.from_table(whole)
    assert added == sql.from_table(connection.table("answers")) + sql.from_table(
        connection.table("others")
    )
    assert added.n == 58
