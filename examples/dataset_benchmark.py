"""Measure time and memory for datasets on disk and streams, beside only reading them.

    python examples/dataset_benchmark.py [--quick] [--seed SEED] [--json FILE]

"theirs" is `pairedperm.compare(ds["a"][:], ds["b"][:], ds["gold"][:])` of the same dataset; for a
stream, a loop over its rows that does nothing. They take turns in one process. Times are medians
over the rounds, ratios are medians of the rounds' ratios. A dataset on disk is opened each time.

"memory" is what a process of its own takes above another that only opens the dataset. Pages of the
mapped file count in it, in the end all of them, although the system may take them back. A quick run
leaves it out.

`shuffled` has an index for each row, and `columns` is
`pairedperm.compare(ds["a"], ds["b"], ds["gold"])` of it. `stream` is `to_iterable_dataset()` of the
same rows, `mapped` is `stream` after a `map` of the rows in batches, and `generator` yields dicts
from lists in memory.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import datasets
import numpy as np
from timing import Cell, Table, apart, in_turn, ratio, run

import pairedperm
from pairedperm.hf import compare_dataset

ROWS, ROUNDS = 10**6, 3
NAMES = ["negative", "neutral", "positive"]
TAGS = ["ADJ", "ADP", "ADV", "AUX", "DET", "NOUN", "NUM", "PRON", "PROPN", "PUNCT", "VERB", "X"]
NAMED = ("a", "b", "gold")
STREAMS = ("stream", "mapped", "generator")
KINDS = {
    "ids of a ClassLabel": ("ids", ""),
    "names": ("names", ""),
    "names, shuffled": ("names", "shuffled"),
    "names, shuffled, columns": ("names", "columns"),
    "names, stream": ("names", "stream"),
    "names, mapped stream": ("names", "mapped"),
    "names, generator": ("names", "generator"),
    "scores of two decimals": ("scores", ""),
    "sentences of 25 tags": ("tags", ""),
}


def make(kind: str, n: int, folder: Path, seed: int) -> None:
    """Write a dataset of n rows, of which system 2 has a few more wrong."""
    rng = np.random.default_rng(seed)
    distinct, length = (TAGS, 25) if kind == "tags" else (NAMES, 1)
    gold = rng.integers(0, len(distinct), n * length)
    columns = {"gold": gold}
    for name, accuracy in (("a", 0.9), ("b", 0.899)):
        other = rng.integers(0, len(distinct), n * length)
        columns[name] = np.where(rng.random(n * length) < accuracy, gold, other)
    if kind == "scores":
        data: dict[str, np.ndarray] = {name: np.round(rng.random(n), 2) for name in ("a", "b")}
    elif kind == "ids":
        data = columns
    else:
        text = {name: np.array(distinct)[column] for name, column in columns.items()}
        data = {name: x.reshape(n, length) if length > 1 else x for name, x in text.items()}
    dataset = datasets.Dataset.from_dict({name: list(x) for name, x in data.items()})
    if kind == "ids":
        dataset = dataset.cast_column("gold", datasets.ClassLabel(names=NAMES))
    dataset.save_to_disk(folder)


def opened(folder: Path, form: str) -> Any:
    """Open the dataset in this form."""
    dataset = datasets.load_from_disk(folder)
    if form in ("shuffled", "columns"):
        return dataset.shuffle(seed=0)
    if form == "generator":
        lists = dataset.to_dict()

        def rows() -> Iterator[dict[str, str]]:
            for row in zip(*lists.values(), strict=True):
                yield dict(zip(lists, row, strict=True))

        return datasets.IterableDataset.from_generator(rows)
    if form == "mapped":
        return dataset.to_iterable_dataset().map(lambda batch: batch, batched=True)
    return dataset.to_iterable_dataset() if form in STREAMS else dataset


def gold_of(dataset: Any) -> str | None:
    """Return the column of references; a stream that does not know its columns has it."""
    return "gold" if "gold" in (dataset.column_names or NAMED) else None


def ours(dataset: Any, form: str) -> float:
    """Return p of a dataset in this form."""
    if form == "columns":
        return pairedperm.compare(*(dataset[name] for name in NAMED)).pvalue
    result: Any = compare_dataset(dataset, "a", "b", gold_of(dataset))
    return float(result.pvalue)


def theirs(dataset: Any, form: str) -> float:
    """Return p of the columns as lists; loop over a stream."""
    if form in STREAMS:
        for _ in dataset:
            pass
        return math.nan
    if gold_of(dataset) is None:
        return pairedperm.paired_permutation_test(dataset["a"][:], dataset["b"][:]).pvalue
    return pairedperm.compare(*(dataset[name][:] for name in NAMED)).pvalue


METHODS = {"ours": ours, "theirs": theirs}


def opened_for(method: str, folder: Path, form: str) -> float:
    """Open a dataset and return p by this method, if any."""
    datasets.disable_progress_bars()
    dataset = opened(folder, form)
    return METHODS[method](dataset, form) if method else math.nan


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield the table."""
    datasets.disable_progress_bars()
    n, rounds = (1000, 1) if quick else (ROWS, ROUNDS)
    rows: list[list[Cell]] = []
    values: dict[str, float] = {}  # by kind: p, in any form the same
    with tempfile.TemporaryDirectory() as name:
        for label, (kind, form) in KINDS.items():
            folder = Path(name, kind)
            if not folder.exists():
                make(kind, n, folder, seed)
            found = [opened_for(method, folder, form) for method in METHODS]
            values.setdefault(kind, found[0])
            assert {p for p in found if not math.isnan(p)} == {values[kind]}, (label, found)
            if form:
                dataset = opened(folder, form)
                calls = {key: partial(method, dataset, form) for key, method in METHODS.items()}
            else:
                calls = {key: partial(opened_for, key, folder, form) for key in METHODS}
            times = in_turn(calls, rounds)
            memory = math.nan
            if not quick:
                memory, least = (apart(opened_for, x, folder, form)[1] for x in ("ours", ""))
                memory -= least
            rows.append([label, median(times["ours"]), ratio(times, "ours", "theirs"), memory])
    columns = {"": "", "time": "s", "time / theirs": "x", "memory": "MB"}
    yield Table(f"{n:,} rows on disk", columns, rows)


if __name__ == "__main__":
    run(tables, __doc__)
