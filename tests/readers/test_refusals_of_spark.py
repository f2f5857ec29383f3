"""What Spark holds and cannot be counted, on a real local session."""

from functools import cache

import pandas as pd
import pytest

from pairedperm.readers import spark
from refusals import asks, refusal, refuses
from spark_session import WARNED

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.filterwarnings(WARNED),
    pytest.mark.usefixtures("spark_session"),
]


def session():
    from pyspark.sql import SparkSession

    return SparkSession.active()


@cache
def small():
    rows = "cast(id % 3 AS string) a", "cast(id % 2 AS string) b", "id % 7 g", "id / 8D x"
    return session().range(60).selectExpr(*rows).cache()


def asked(expressions, *names, **options):
    """Expressions beside the columns a, b, g and x; the names of columns; options."""
    return spark.paired_counts(small().selectExpr("*", *expressions), *names, **options)


def scores(expressions, *names, **options):
    return asked(expressions, *names, metric="mean_score", **options)


def of_all(expression):
    return asked([expression], "m", "m", "m")


def by(expression, name="m"):
    return asked([expression], "a", "b", "b", groups=name)


def stream():
    found = session().readStream.format("rate").load().selectExpr("value a")
    return spark.paired_counts(found, "a", "a", "a")


def shards():
    """Spark fills what a shard lacks with NULL."""
    both = small().unionByName(small().drop("b"), allowMissingColumns=True)
    return spark.paired_counts(both, "a", "a", "b")


FRAME = "must be a DataFrame of pyspark 4, got "
SEVERAL = ["array(a) m", "array(a, b) o"]


@refuses
def test_frames_and_names():
    spark.paired_counts(small().limit(0), "a", "b", "b")
    # -> there are no rows to count: the table is empty
    spark.paired_counts(small().limit(0), "a", "b", "b", groups="g")
    # -> there are no rows to count: the table is empty
    asked([], "a", "b")
    # -> `references` is missing: name the column of right answers, or compare the means of …
    #    scores, metric='mean_score'.
    scores([], "x", "x", "b")
    # -> `references` must be left out, got 'b': metric 'mean_score' takes none.
    asked([], "a", "b", "c")
    # -> `references` … there is no column 'c'. The columns are 'a', 'b', 'g', 'x'.
    asked([], "a", "b", "B")
    # -> `references` … there is no column 'B'
    asked([], "a", "b", ["b"])
    # -> `references` must be a column's name, got ['b'] (list
    asked([], None, "b", "b")
    # -> `predictions1` is missing
    asked(["a"], "a", "b", "b")
    # -> `predictions1` … several columns are called 'a'
    asked(["a A"], "A", "A", "A")
    # -> `predictions1` … several columns are called
    by("g", "g")
    # -> `groups` … several columns are called 'g'
    asked([], "a", "b", "b", metric="unheard")
    # -> `metric` must be one of


test_frames_and_names_in_rows = asks(
    refusal(lambda: spark.paired_counts(None, "a", "b", "c"), "df", f"{FRAME}None"),
    refusal(lambda: spark.paired_counts(pd.DataFrame({"a": [1]}), "a", "b", "b"), "df", FRAME),
    refusal(lambda: spark.paired_counts(small().groupBy("a"), "a", "b", "b"), "df", FRAME),
    refusal(stream, "df", "is a stream, which has no end: count a DataFrame that is stored."),
)


@refuses
def test_types():
    by("x m")
    # -> `groups` must be ids, integers or strings: column 'm' is of type double
    by("g = 1 m")
    # -> `groups` … 'm' is of type boolean.
    by("null m")
    # -> `groups` … 'm' is of type void.
    asked(["map('k', a) m"], "m", "b", "b")
    # -> `predictions1` … column 'm' is of type map< … . Labels are integers, booleans or … strings;
    #    scores are numbers. Convert the column.
    of_all("array(map('k', a)) m")
    # -> `predictions1` … is of type array<map<
    of_all("cast(a AS binary) m")
    # -> `predictions1` … is of type binary. Labels are
    of_all("date '2020-01-01' m")
    # -> `predictions1` … 'm' is of type date.
    of_all("timestamp '2020-01-01' m")
    # -> `predictions1` … is of type timestamp.
    of_all("parse_json(a) m")
    # -> `predictions1` … is of type variant
    of_all("interval 1 month m")
    # -> `predictions1` … is of type interval
    of_all("make_interval(1) m")
    # -> `predictions1` … is of type interval
    of_all("collate(a, 'UTF8_LCASE') m")
    # -> `predictions1` … has a collation,
    by("collate(a, 'UTF8_LCASE') m")
    # -> `groups` … column 'm' has a collation, under which different texts may be equal. Use …
    #    collate(column, 'UTF8_BINARY')


@refuses
def test_entries():
    of_all("struct(a) m")
    # -> is no label: {'a': ' … '} (dict)
    asked([], "a", "b", "g")
    # -> column 'a' (distinct rows) holds strings … column 'g' (distinct … holds integers
    asked([], "x", "x", "g")
    # -> column 'x' (distinct rows)[0] is a float
    asked(SEVERAL, "m", "o", "o")
    # -> has 1 labels and column 'o'
    asked(["int(-100) m"], "g", "g", "m")
    # -> is -100, which stands for no label
    scores(["sqrt(x) m"], "m", "x")
    # -> column 'm' (distinct rows)[0] is 0.353 … , no decimal
    scores(["sqrt(x) m"], "x", "m", groups="g")
    # -> cannot be counted: column 'm'
    scores(["double('inf') m"], "m", "x")
    # -> 'm' (distinct rows) must be finite
    scores(["bigint(1e18) m"], "m", "g", groups="g")
    # -> groups of … exceed int64. Divide
    (asked(["array(a) m"], *"mmm", metric="f1", average="samples", multilabel=True, groups="g"))
    # -> `groups` … sample-averaged F1 is a mean of ratios
    asked([], "a", "b", "b", max_distinct=5)
    # -> there are more than 5 distinct rows, the limit `max_distinct`. Score each row in …
    #    metric='mean_score'. Or raise the limit.
    asked(["unix_micros(now()) + g m"], "m", "m", "g", groups="g")
    # -> `df` has other rows each time that it is computed: first 60, then 0 in groups. Write


@refuses
def test_missing():
    of_all("array(a, if(g = 0, null, b)) m")
    # -> column 'm' in 9
    of_all("array(array(a), array(if(g = 0, null, b))) m")
    # -> 'm' in 9
    asked(["if(g = 0, null, a) m", "null o"], "m", "o", "b")
    # -> column 'm' in 9, column 'o' in 60 of 60 rows
    by("if(g = 0, null, g) m")
    # -> `groups` … column 'm' is NULL in 9 rows. Give an example without a group an id of its


test_missing_in_rows = asks(
    *(
        refusal(
            lambda x=x, names=names, options=options: asked(
                [f"if(g = 0, {x}) m"], *names, **options
            ),
            *("", "entries are missing, NULL or NaN: column 'm' in 9", " of 60 rows. Leave these"),
        )
        for x, names, options in (
            ("null, a", "mbb", {}),
            ("null, a", "bmb", {}),
            ("null, a", "bbm", {"groups": "g"}),
            ("null, array(a, b)", "mmm", {}),
        )
    ),
    *(
        refusal(
            lambda x=x, names=names, groups=groups: scores(
                [f"if(g = 0, {x}) m"], *names, groups=groups
            ),
            *("", "column 'm' in 9", " of 60 rows"),
        )
        for x, names, groups in (
            ("double('nan'), x", "mx", None),
            ("float('nan'), float(x)", "xm", None),
            ("null, float(x)", "xm", "g"),
            ("null, cast(x AS decimal(10, 3))", "mx", None),
            ("null, g", "mg", None),
        )
    ),
    refusal(shards, "", "column 'b' in 60 of 120 rows"),
)
