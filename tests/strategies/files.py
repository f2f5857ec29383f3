"""Files as people hold them: tables and logs of two systems, with the scores that they tell."""

from __future__ import annotations

import csv
import gzip
import io
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp
from pathlib import Path
from statistics import fmean
from typing import Any, TypeAlias

import pyarrow as pa
from hypothesis import strategies as st
from pyarrow import parquet

from corpora.logs import as_lines, lm_eval_files
from strategies import numbers

Files: TypeAlias = "dict[str, str | bytes]"
_TEXTS = (  # a quote that opens in one cell may close in another
    *("a", '"a', 'a"', '"a"', '"', '"b, c', 'd"', '""', 'a "b" c', "a,b", '"a, b"', "é", "01"),
)
_HIDDEN = ("._{0}", ".ipynb_checkpoints/{0}", ".trash/{0}", ".~{0}")  # copies of other systems


@dataclass(frozen=True)
class Written:
    """Files of two systems by their paths in a folder, and what is true of them."""

    files: Files
    paths: list[str]
    scores: list[list[Fraction]]
    metric: str | None = None
    is_read: bool = True  # else it may be refused as well
    reported: list[float] | None = None  # scores that are no means

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Write the files; those of the two systems, or their folders."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        one, two = (folder / path for path in self.paths)
        return one, two


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
def tables(draw: Any) -> Written:
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
    paths = [f"one/a.{ending}", f"two/a.{ending}"]
    files = {
        path: write([["id", *names], *x]) for path, x in zip(paths, (rows[0], order), strict=True)
    }
    is_read = kind in _SAFE or (kind == "tsv" and told == "score")
    metric = "accuracy" if told == "texts" else None
    return _with_hidden(draw, Written(files, paths, scores, metric, is_read))


@st.composite
def logs(draw: Any) -> Written:
    """Of lm-evaluation-harness, with or without its results beside, or of Every Eval Ever."""
    name = draw(st.sampled_from(["acc", "exact_match", "brier_score", "perplexity", "mine"]))
    if name == "perplexity":  # log-likelihoods, of which exp(-mean) is reported
        values = st.floats(-9, 0).map(lambda x: round(x, 3))
    else:
        values = st.sampled_from([0.0, 1.0] if name != "brier_score" else [0.25, 0.5, 0.125])
    listed = draw(st.lists(st.tuples(values, values), min_size=3, max_size=10))
    has_results, is_converted, paths = draw(st.booleans()), draw(st.booleans()), []
    files: Files = {}
    columns = list(zip(*listed, strict=True))
    reported = [fmean(x) for x in columns]
    if name == "perplexity":
        reported = [exp(-x) for x in reported]
    for folder, column, score in zip("ab", columns, reported, strict=True):
        if is_converted and name != "perplexity":
            head = {"schema_version": "0.3.0", "model_id": folder, "evaluation_name": name}
            lines = [
                head | {"sample_id": f"{n}", "sample_hash": f"{n}", "evaluation": {"score": x}}
                for n, x in enumerate(column)
            ]
            written = {"x_samples.jsonl": as_lines(lines)}
        else:
            lower = ("brier_score", "perplexity")
            written = lm_eval_files({name: column}, {name: score} if has_results else None, lower)
        paths.append(f"{folder}/{next(iter(written))}")
        files |= {f"{folder}/{path}": content for path, content in written.items()}
    scores = [[Fraction(str(x)) for x in column] for column in columns]
    found = Written(files, paths, scores)
    if name == "perplexity":
        found = replace(found, reported=reported)
    return _with_hidden(draw, found)


def _with_hidden(draw: Any, written: Written) -> Written:
    """The same, given as folders, which may hold hidden copies of the other system's files."""
    if not draw(st.booleans()):
        return written
    files = dict(written.files)
    hidden = draw(st.sampled_from(["", *_HIDDEN]))
    for path, other in zip(written.paths, written.paths[::-1], strict=True):
        folder, _, name = path.rpartition("/")
        if hidden:
            files[f"{folder}/{hidden.format(name)}"] = written.files[other]
    return replace(written, files=files, paths=[x.partition("/")[0] for x in written.paths])
