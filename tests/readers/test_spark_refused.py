"""What Spark holds and cannot be counted, on a real local session."""

import pandas as pd
import pytest

from pairedperm import InputError, paired_permutation_test
from pairedperm.readers import spark
from spark_session import WARNED

pytestmark = [pytest.mark.thorough, pytest.mark.filterwarnings(WARNED)]


@pytest.fixture(scope="module")
def small(spark_session):
    rows = "cast(id % 3 AS string) a", "cast(id % 2 AS string) b", "id % 7 g", "id / 8D x"
    return spark_session.range(60).selectExpr(*rows).cache()


def asked(small, expressions, *names, **options):
    return spark.paired_counts(small.selectExpr("*", *expressions), *names, **options)


SCORES = {"metric": "mean_score"}
REFUSED = [  # expressions beside the columns a, b, g and x; names; options; the message
    ([], ("a", "b"), {}, "`references` is missing: name the column of right answers"),
    (
        [],
        ("a", "b", "c"),
        {},
        "`references`: there is no column 'c'. The columns are 'a', 'b', 'g'",
    ),
    ([], ("a", "b", "B"), {}, "there is no column 'B'"),
    ([], ("a", "b", ["b"]), {}, r"`references` must be a column's name, got \['b'\] \(list\)"),
    ([], (None, "b", "b"), {}, "`predictions1` is missing"),
    (["a"], ("a", "b", "b"), {}, "`predictions1`: several columns are called 'a'"),
    (["g"], ("a", "b", "b"), {"groups": "g"}, "`groups`: several columns are called 'g'"),
    ([], ("x", "x", "b"), SCORES, "`references` must be left out, got 'b': metric 'mean_score'"),
    ([], ("a", "b", "b"), {"metric": "unheard"}, "`metric` must be one of 'accuracy'"),
    ([], ("a", "b", "b"), {"max_distinct": 0}, r"must be a positive integer, got 0 \(int\)"),
    ([], ("a", "b", "b"), {"max_distinct": 2.5}, r"a positive integer, got 2.5 \(float\)"),
    (
        [],
        ("a", "b", "b"),
        {"max_distinct": 5},
        "more than 5 distinct rows, the limit `max_distinct`",
    ),
    (
        [],
        ("a", "b", "g"),
        {},
        r"column 'a' \(distinct rows\) holds strings .* 'g' .* holds integers",
    ),
    ([], ("g", "g", "b"), {}, r"column 'g' \(distinct rows\) holds integers"),
    ([], ("x", "x", "g"), {}, r"column 'x' \(distinct rows\)\[0\] is a float"),
    ([], ("a", "b", "b"), {"groups": "x"}, "`groups` must be ids, .*column 'x' is of type double"),
    (["g = 1 m"], ("a", "b", "b"), {"groups": "m"}, "'m' is of type boolean"),
    (["null m"], ("a", "b", "b"), {"groups": "m"}, "'m' is of type void"),
    (["map('k', a) m"], ("m", "b", "b"), {}, "`predictions1`: column 'm' is of type map<"),
    (["array(map('k', a)) m"], ("m", "m", "m"), {}, "is of type array<map<"),
    (["struct(a) m"], ("m", "m", "m"), {}, r"is no label: \{'a': '\d'\} \(dict\)"),
    (["cast(a AS binary) m"], ("m", "m", "m"), {}, "is of type binary. Labels are"),
    (["date '2020-01-01' m"], ("m", "m", "m"), {}, "'m' is of type date."),
    (["timestamp '2020-01-01' m"], ("m", "m", "m"), {}, "'m' is of type timestamp."),
    (["array(a) m", "array(a, b) o"], ("m", "o", "o"), {}, "has 1 labels and column 'o'"),
    (["int(-100) m"], ("g", "g", "m"), {}, "is -100, which stands for no label"),
    (["x / 3 m"], ("m", "x"), SCORES, r"column 'm' \(distinct rows\)\[0\] is 0.041.*, no decimal"),
    (["x / 3 m"], ("x", "m"), SCORES | {"groups": "g"}, "cannot be counted: column 'm'"),
    (["double('inf') m"], ("m", "x"), SCORES, r"'m' \(distinct rows\) must be finite"),
    (
        ["bigint(1e18) m"],
        ("m", "g"),
        SCORES | {"groups": "g"},
        r"groups of \d .* exceed int64. Divide",
    ),
    (
        ["array(a) m"],
        ("m", "m", "m"),
        {"metric": "f1", "average": "samples", "multilabel": True, "groups": "g"},
        "`groups`: sample-averaged F1 is a mean of ratios",
    ),
]


@pytest.mark.parametrize(("expressions", "names", "options", "message"), REFUSED)
def test_refused(small, expressions, names, options, message):
    with pytest.raises(InputError, match=message):
        asked(small, expressions, *names, **options)


MISSING = [
    ("if(g = 0, null, a) m", ("m", "b", "b"), {}),
    ("if(g = 0, null, a) m", ("b", "m", "b"), {}),
    ("if(g = 0, null, a) m", ("b", "b", "m"), {"groups": "g"}),
    ("if(g = 0, null, array(a, b)) m", ("m", "m", "m"), {}),
    ("array(a, if(g = 0, null, b)) m", ("m", "m", "m"), {}),
    ("array(array(a), array(if(g = 0, null, b))) m", ("m", "m", "m"), {}),
    ("if(g = 0, double('nan'), x) m", ("m", "x"), SCORES),
    ("if(g = 0, float('nan'), float(x)) m", ("x", "m"), SCORES),
    ("if(g = 0, null, float(x)) m", ("x", "m"), SCORES | {"groups": "g"}),
    ("if(g = 0, null, cast(x AS decimal(10, 3))) m", ("m", "x"), SCORES),
    ("if(g = 0, null, g) m", ("m", "g"), SCORES),
]


@pytest.mark.parametrize(("expression", "names", "options"), MISSING)
def test_missing_entries_are_counted(small, expression, names, options):
    with pytest.raises(
        InputError, match=r"entries are missing, NULL or NaN: column 'm' in 9.* of 60"
    ):
        asked(small, [expression], *names, **options)


def test_missing_entries_of_all_columns(small):
    expressions = "if(g = 0, null, a) m", "null o"
    with pytest.raises(InputError, match=r"column 'm' in 9, column 'o' in 60 of 60 rows"):
        asked(small, expressions, "m", "o", "b")
    with pytest.raises(InputError, match=r"`groups`: column 'm' is NULL in 9 rows"):
        asked(small, ["if(g = 0, null, g) m"], "a", "b", "b", groups="m")


def test_shards_of_different_columns(small):
    """Spark fills what a shard lacks with NULL."""
    both = small.unionByName(small.drop("b"), allowMissingColumns=True)
    with pytest.raises(InputError, match="column 'b' in 60 of 120 rows"):
        spark.paired_counts(both, "a", "a", "b")


@pytest.mark.parametrize("groups", [None, "g"])
def test_no_rows(small, groups):
    with pytest.raises(InputError, match="there are no rows to count: the table is empty"):
        spark.paired_counts(small.limit(0), "a", "b", "b", groups=groups)


@pytest.mark.parametrize("given", [None, "runs", {"a": ["x"]}])
def test_no_data_frame(given):
    with pytest.raises(InputError, match="`df` must be a DataFrame of pyspark 4, got "):
        spark.paired_counts(given, "a", "b", "c")


def test_other_data_frames(small):
    for other in (pd.DataFrame({"a": [1]}), small.groupBy("a")):
        with pytest.raises(InputError, match="`df` must be a DataFrame of pyspark 4, got "):
            spark.paired_counts(other, "a", "b", "b")


@pytest.mark.parametrize(
    "expression",
    ["a A", "parse_json(a) m", "interval 1 month m", "make_interval(1) m"],
)
def test_types_and_names_that_spark_refuses(small, expression):
    name = "A" if expression == "a A" else "m"
    with pytest.raises(InputError):
        asked(small, [expression], name, name, name)


def test_a_stream(spark_session):
    stream = spark_session.readStream.format("rate").load().selectExpr("value a")
    with pytest.raises(InputError):
        spark.paired_counts(stream, "a", "a", "a")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("groups", [None, "g"])
def test_a_collation_that_ignores_case(small, groups):
    """X against x is wrong, in 9 of 60 rows."""
    expressions = "collate(if(g = 0, 'X', 'x'), 'UTF8_LCASE') m", "'x' o"
    with pytest.raises(InputError, match=r"column 'm' has a collation.*'UTF8_BINARY'"):
        asked(small, expressions, "m", "o", "o", groups=groups)
    found = asked(
        small, [*expressions, "collate(m, 'UTF8_BINARY') p"], "p", "o", "o", groups=groups
    )
    assert paired_permutation_test(found).score1 == 51 / 60


def test_rows_that_change_between_the_passes(small):
    with pytest.raises(
        InputError, match=r"other rows each time .* first 60, then 0 in groups\. Wr"
    ):
        asked(small, ["unix_micros(now()) + g m"], "m", "m", "g", groups="g")
