"""Predictions in Spark, on a real local session: the bits of `compare` on all rows."""

import random
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from extras import needs
from pairedperm import InputError, compare, paired_bootstrap_test, paired_permutation_test
from pairedperm.readers import spark
from pairedperm.scoring import F1
from spark_session import WARNED

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.filterwarnings(WARNED),
]
N, FILES = 240, 3
OF_EXAMPLES = ("n_wins", "n_losses", "n_ties")  # which counts of groups do not tell
LABELS = ("large model", "small.model", "`label`")
ODD = {"strings1": LABELS[0], "strings2": LABELS[1], "strings3": LABELS[2]}
TYPES = {
    "floats": pa.float32(),
    "decimals": pa.decimal128(10, 3),
    "bytes": pa.int8(),
    "short": pa.int16(),
}


def drawn():
    """Columns of each kind, under the kind's name and a number."""
    rng = random.Random(5)
    lengths = [k % 3 + 1 for k in range(N)]

    def three(kind, one):
        columns = [[one(k) for k in range(N)] for _ in range(3)]
        return {f"{kind}{number}": column for number, column in enumerate(columns, 1)}

    def sequence(k):
        return [rng.randrange(3) for _ in range(lengths[k])]

    found = {
        **three("strings", lambda k: rng.choice(["x", "y", "é’\n"])),
        **three("integers", lambda k: rng.randrange(-1, 2)),
        **three("bytes", lambda k: rng.randrange(2)),
        **three("bools", lambda k: rng.random() < 0.6),
        **three("sequences", sequence),
        **three("sets", lambda k: sorted({rng.choice("xyz") for _ in range(k % 4)})),
        **three("ranked", lambda k: rng.sample(range(3), 3)),
        **three("runs", lambda k: rng.choices(range(-1, 2), k=k % 2 + 1)),
        **three("trials", lambda k: rng.choices(range(2), k=3)),
        **three("doubles", lambda k: rng.randrange(-9, 9) / 10),
        **three("floats", lambda k: rng.randrange(-9, 9) / 100),
        **three("decimals", lambda k: Decimal(rng.randrange(9)) / 8),
        **three("texts", lambda k: " ".join(rng.choices(["cat", "Sat", "mat."], k=k % 3 + 1))),
        **three("words", lambda k: rng.choices(["cat", "sat", "mat"], k=k % 3 + 1)),
        **three("tags", lambda k: rng.choices(["O", "B-A", "I-A"], k=lengths[k])),
        "short": [rng.randrange(30) for _ in range(N)],
        "long": [rng.randrange(20) - 2**62 for _ in range(N)],
        "names": [f"group {rng.randrange(25)}" for _ in range(N)],
    }
    for row in found["sequences3"][::7]:
        row[0] = -100
    return found


COLUMNS = drawn()


def on_this_machine(name):
    """A column as `compare` takes it."""
    kind = TYPES.get(name[:-1])
    return np.array(COLUMNS[name], dtype=np.float32) if kind == pa.float32() else COLUMNS[name]


@pytest.fixture(scope="module")
def df(spark_session, tmp_path_factory):
    """All columns, of several files, one of them empty, in partitions, some of them empty."""
    folder = tmp_path_factory.mktemp("rows")
    types = [TYPES.get(name.rstrip("123")) for name in COLUMNS]
    arrays = [pa.array(x, type=kind) for x, kind in zip(COLUMNS.values(), types, strict=True)]
    table = pa.table(arrays, names=[ODD.get(name, name) for name in COLUMNS])
    for number in range(FILES):
        part = table.slice(number * N // FILES, N // FILES)
        pq.write_table(part, folder / f"{number}.parquet", row_group_size=30)
    pq.write_table(table.slice(0, 0), folder / "empty.parquet")
    return spark_session.read.parquet(str(folder)).repartition(7, "bools1").cache()


def test_some_partitions_are_empty(df):
    held = df.selectExpr("spark_partition_id()").distinct().count()
    assert held < df.rdd.getNumPartitions() == 7


def results(counts):
    """Of both tests, all that they say."""
    options = {"n_resamples": 99, "rng": 0}
    tests = paired_permutation_test, paired_bootstrap_test
    return [test(counts, **options).to_dict() for test in tests]


def expected(columns, metric, options, groups=None):
    """The same of `compare` on all rows."""
    given = [None if x is None else on_this_machine(x) for x in columns]
    options = options | {"groups": groups and COLUMNS[groups], "n_resamples": 99, "rng": 0}
    tests = "permutation", "bootstrap"
    return [compare(*given, metric, test=test, **options).to_dict() for test in tests]


def without(found, names):
    return [{key: x for key, x in result.items() if key not in names} for result in found]


def three(kind):
    return tuple(f"{kind}{number}" for number in (1, 2, 3))


def two(kind):
    return (*three(kind)[:2], None)


RUNS = ("runs1", "runs2", "integers3")
CALLS = [  # the columns, the metric, its options
    (three("strings"), "accuracy", {}),
    (three("strings"), "f1", {"average": "macro"}),
    (three("strings"), "f1", {"average": "micro", "labels": ["x", "y"]}),
    (three("strings"), "f1", {"pos_label": "x"}),
    (three("strings"), "cohen_kappa", {}),
    (three("integers"), "accuracy", {}),
    (three("integers"), F1(average="macro"), {}),
    (three("bytes"), "f1", {}),
    (three("bools"), "matthews_correlation", {}),
    (three("sequences"), "accuracy", {}),
    (three("sequences"), "exact_match", {"ignore_label": None}),
    (three("sets"), "f1", {"average": "macro", "multilabel": True}),
    (three("tags"), "span_f1", {}),
    (("ranked1", "ranked2", "bytes3"), "top_k_accuracy", {"k": 2}),
    (RUNS, "accuracy", {}),
    (RUNS, "f1", {"average": "macro"}),
    (two("doubles"), "mean_score", {}),
    (two("floats"), "mean_score", {"lower_is_better": True}),
    (two("decimals"), "mean_score", {}),
    (two("integers"), "mean_score", {}),
    (("floats1", "doubles2", None), "mean_score", {}),
    (three("texts"), "exact_match", {}),
    (three("texts"), "squad_exact_match", {}),
    (three("texts"), "word_error_rate", {}),
    (three("words"), "word_error_rate", {}),
]
OF_RATIOS = [
    (three("texts"), "squad_f1", {}),
    (three("sets"), "f1", {"average": "samples", "multilabel": True}),
    (two("trials"), "pass_at_k", {"k": 2}),
]
quiet = pytest.mark.filterwarnings("ignore::UserWarning")


def counted(df, columns, metric, options, **others):
    names = [None if x is None else ODD.get(x, x) for x in columns]
    return spark.paired_counts(df, *names, metric=metric, **options, **others)


@quiet
@pytest.mark.parametrize(("columns", "metric", "options"), CALLS + OF_RATIOS)
def test_as_compare(df, columns, metric, options):
    if metric == "word_error_rate":
        needs("rapidfuzz", "wer")
    found, truth = (
        results(counted(df, columns, metric, options)),
        expected(columns, metric, options),
    )
    if columns is RUNS:  # an item is a group of them
        found, truth = without(found, OF_EXAMPLES), without(truth, OF_EXAMPLES)
    assert found == truth


@quiet
@pytest.mark.parametrize(
    ("columns", "metric", "options", "groups"),
    [(*call, ("short", "names", "long")[k % 3]) for k, call in enumerate(CALLS[::2])],
)
def test_groups_as_compare(df, columns, metric, options, groups):
    found = results(counted(df, columns, metric, options, groups=groups))
    assert all(result[name] is None for result in found for name in OF_EXAMPLES if name in result)
    truth = expected(columns, metric, options, groups)
    assert without(found, OF_EXAMPLES) == without(truth, OF_EXAMPLES)


@quiet
@pytest.mark.parametrize(("columns", "metric", "options"), CALLS[1::12])
def test_many_rows_are_not_broadcast(df, columns, metric, options, monkeypatch):
    monkeypatch.setattr(spark, "_BROADCAST", 1)
    found = results(counted(df, columns, metric, options, groups="names"))
    truth = expected(columns, metric, options, "names")
    assert without(found, OF_EXAMPLES) == without(truth, OF_EXAMPLES)


@pytest.fixture
def received(monkeypatch):
    """How many rows came to this machine, table by table."""
    numbers = []
    frame = needs("pyspark.sql.classic.dataframe", "spark").DataFrame
    to_arrow = frame.toArrow

    def spied(self):
        table = to_arrow(self)
        numbers.append(table.num_rows)
        return table

    def refused(self, *_):
        raise AssertionError("all rows come to this machine")

    monkeypatch.setattr(frame, "toArrow", spied)
    for name in ("collect", "toPandas", "toLocalIterator", "take", "head"):
        monkeypatch.setattr(frame, name, refused)
    return numbers


def test_only_distinct_rows_come_back(df, received):
    columns = three("bytes")
    distinct = len({*zip(*(COLUMNS[name] for name in columns), strict=True)})
    counted(df, columns, "accuracy", {})
    assert received == [distinct]
    assert distinct <= 8
    received.clear()
    counts = counted(df, columns, "accuracy", {}, groups="short")
    assert received == [distinct, counts.multiplicities.size]
    assert counts.n == N


@pytest.mark.parametrize("groups", [None, "names"])
def test_as_many_distinct_rows_as_are_allowed(df, groups):
    columns = two("bytes") if groups is None else three("bytes")
    metric = "mean_score" if groups is None else "accuracy"
    counts = counted(df, columns, metric, {}, groups=groups)
    most = 4 if groups is None else counts.multiplicities.size
    assert counted(df, columns, metric, {}, groups=groups, max_distinct=most) == counts
    with pytest.raises(InputError, match=f"more than {most - 1} distinct rows"):
        counted(df, columns, metric, {}, groups=groups, max_distinct=most - 1)


NAMES = ["count", "n", "groups", "references", "predictions2", "x0", "sum(x0)", "a.b", "a`b", "Ä b"]


@pytest.mark.parametrize("start", range(0, len(NAMES), 3))
@pytest.mark.parametrize("groups", [False, True])
def test_any_column_names(df, start, groups):
    names = [*NAMES[start:], *NAMES[:start]][:4]
    frame = df.select("`large model`", "`small.model`", "```label```", "short").toDF(*names)
    found = spark.paired_counts(frame, *names[:3], groups=names[3] if groups else None)
    columns = three("strings")
    assert found == counted(df, columns, "accuracy", {}, groups="short" if groups else None)


@quiet
@pytest.mark.parametrize("groups", [None, "strings3", "integers3", "short"])
@pytest.mark.parametrize("columns", [("strings1", "strings1", "strings3"), ("integers2",) * 3])
def test_a_column_twice(df, columns, groups):
    found = results(counted(df, columns, "accuracy", {}, groups=ODD.get(groups, groups)))
    truth = expected(columns, "accuracy", {}, groups)
    assert without(found, OF_EXAMPLES) == without(truth, OF_EXAMPLES)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_texts_of_a_collation_are_compared_as_they_are(spark_session):
    """X against x is wrong, in 9 of 60 rows; columns of the collation itself are refused."""
    texts = "collate(collate(if(id % 7 = 0, 'X', 'x'), 'UTF8_LCASE'), 'UTF8_BINARY') m"
    frame = spark_session.range(60).selectExpr(texts, "'x' o", "id % 7 g")
    for groups in (None, "g"):
        found = spark.paired_counts(frame, "m", "o", "o", groups=groups)
        assert paired_permutation_test(found).score1 == 51 / 60
