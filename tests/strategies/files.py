"""Files as people hold them: tables of two systems, with the scores that they tell."""

from __future__ import annotations

import csv
import gzip
import io
from fractions import Fraction
from typing import Any, NamedTuple

import pyarrow as pa
from hypothesis import strategies as st
from pyarrow import parquet

from corpora.logs import as_lines
from strategies import numbers

_TEXTS = (  # a quote that opens in one cell may close in another
    *("a", '"a', 'a"', '"a"', '"', '"b, c', 'd"', '""', 'a "b" c', "a,b", '"a, b"', "é", "01"),
)


class Tables(NamedTuple):
    """What two systems' files hold, and what is true of them."""

    ending: str
    contents: list[str | bytes]
    scores: list[list[Fraction]]
    metric: str | None
    is_read: bool  # else it may be refused as well


def _csv(rows: list[list[Any]], **layout: Any) -> str:
    file = io.StringIO()
    csv.writer(file, **layout).writerows(rows)
    return file.getvalue()


def _jsonl(rows: list[list[Any]]) -> str:
    names, *others = rows
    return as_lines(dict(zip(names, row, strict=True)) for row in others)


def _parquet(rows: list[list[Any]]) -> bytes:
    names, *others = rows
    columns = dict(zip(names, zip(*others, strict=True), strict=True))
    file = io.BytesIO()
    parquet.write_table(pa.table({name: list(x) for name, x in columns.items()}), file)
    return file.getvalue()


_TABLES: dict[str, Any] = {  # an ending, and how rows of cells are written; the first is a header
    "jsonl": ("jsonl", _jsonl),
    "csv": ("csv", _csv),
    "csv, all quoted": ("csv", lambda x: "\ufeff" + _csv(x, quoting=csv.QUOTE_ALL)),
    "parquet": ("parquet", _parquet),
    "tsv": ("tsv", lambda x: "".join("\t".join(map(str, row)) + "\n" for row in x)),
    "tsv, quoted as csv": ("tsv", lambda x: _csv(x, delimiter="\t")),
    "csv, compressed": ("csv.gz", lambda x: gzip.compress(_csv(x).encode(), mtime=0)),
}
_SAFE = ("jsonl", "parquet", "csv", "csv, all quoted")


@st.composite
def tables(draw: Any) -> Tables:
    """Of scores, with a question or not, or of predictions and references that are texts."""
    kind = draw(st.sampled_from([*_TABLES]))
    told = draw(st.sampled_from(["score", "question and score", "texts"]))
    ending, write = _TABLES[kind]
    cells = st.sampled_from(_TEXTS)
    if told == "texts":
        listed = draw(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=10))
        columns = [[[x[0], x[2]] for x in listed], [[x[1], x[2]] for x in listed]]
        scores = [[Fraction(x == right) for x, right in column] for column in columns]
        names = ["prediction", "reference"]
    else:
        pair = draw(numbers.pairs(max_size=10, kinds=numbers.PLAIN))
        columns = [[[x] for x in column] for column in (pair.one, pair.two)]
        scores, names = [pair.exact1, pair.exact2], ["score"]
        if told == "question and score":
            asked = draw(st.lists(cells, min_size=len(pair.one), max_size=len(pair.one)))
            columns = [[[x, *y] for x, y in zip(asked, z, strict=True)] for z in columns]
            names = ["question", "score"]
    rows = [[[k, *row] for k, row in enumerate(column)] for column in columns]
    order = draw(st.permutations(rows[1]))
    contents = [write([["id", *names], *x]) for x in (rows[0], order)]
    is_read = kind in _SAFE or (kind == "tsv" and told == "score")
    metric = "accuracy" if told == "texts" else None
    return Tables(ending, contents, scores, metric, is_read)
