"""Time a comparison of string labels beside the least work that any program must do.

    python examples/labels_benchmark.py [--quick] [--seed SEED] [--json FILE]

There are a million labels of 2, 5 and 50 classes; two systems predict nine in ten of them. All
calls take turns on one thread. A time is the processor's, a median over the rounds; a ratio is the
median of the rounds' ratios.

factorize  `pandas.factorize` of the three columns, which are arrays of objects already
accuracy   `pairedperm.compare(predictions1, predictions2, references)`, the whole call
f1         the same with metric="f1" and pos_label=; "micro" and "macro" with average=. With more
           than two classes macro-averages need random swaps, which are not timed here

The first table is of lists. The second has two classes in other forms; in "list of one's own" each
label is a separate string object. In the third, "reading" is the time to turn lists of strings into
labels, and "p" is the time of all the rest, which integer arrays need as well. Sentences have ten
tags each; there are as many tags as labels in the other rows.

It needs pandas (pip install ".[test]").
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from time import process_time
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
from timing import Cell, Table, in_turn, megabytes, ratio, run

import pairedperm
from pairedperm.scoring.metric import read_metric

N, ROUNDS = 10**6, 9
CLASSES = {2: ["negative", "positive"], 5: [f"{k} stars" for k in range(1, 6)]}
CLASSES[50] = [f"intent_{k}" for k in range(50)]
ACCURACIES = (0.9, 0.899)
TAGS, LENGTH = ["O", "B-PER", "I-PER", "B-LOC"], 10
METRICS: dict[str, dict[str, Any]] = {
    "accuracy": {"metric": "accuracy"},
    "f1": {"metric": "f1", "pos_label": "positive"},
    "micro": {"metric": "f1", "average": "micro"},
    "macro": {"metric": "f1", "average": "macro"},
}
OTHERS: dict[str, dict[str, Any]] = {
    "recall": {"metric": "recall", "pos_label": "positive"},
    "precision": {"metric": "precision", "pos_label": "positive"},
    "span_f1": {"metric": "span_f1"},
}
FORMS: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "list of one's own": lambda labels: ["".join([*label]) for label in labels],
    "array of objects": partial(np.array, dtype=object),
    "array of strings": np.array,
    "Series of objects": partial(pd.Series, dtype=object),
    "Series in Arrow": partial(pd.Series, dtype="string[pyarrow]"),
    "Arrow array": pa.array,
    "dataset column": lambda labels: datasets.Dataset.from_dict({"labels": labels})["labels"],
}
Columns = Sequence[Any]


def drawn(n: int, names: list[str], seed: int) -> list[list[str]]:
    """Draw two systems' predictions and the references."""
    rng = np.random.default_rng([seed, n, len(names)])
    gold = rng.integers(0, len(names), n)
    ids = [np.where(rng.random(n) < a, gold, rng.integers(0, len(names), n)) for a in ACCURACIES]
    of_numbers = np.array(names, dtype=object)
    return [of_numbers[column].tolist() for column in (*ids, gold)]


def sentences(labels: list[str]) -> list[list[str]]:
    """Cut the labels into sentences."""
    return [labels[start : start + LENGTH] for start in range(0, len(labels), LENGTH)]


def factorize(objects: Columns) -> list[Any]:
    """Factorize the columns, the least work of any reading."""
    return [pd.factorize(column) for column in objects]


def beside_factorize(columns: Columns, lists: list[list[str]], rounds: int) -> list[Cell]:
    """Return times, ratios and memory of the metrics for columns with the labels of these lists."""
    names = sorted(set(lists[2]))
    calls: dict[str, Callable[[], object]] = {}
    calls["factorize"] = partial(factorize, [np.array(x, dtype=object) for x in lists])
    for name, options in METRICS.items():
        if name != "macro" or len(names) == 2:
            given = options | ({"pos_label": names[-1]} if "pos_label" in options else {})
            calls[name] = partial(pairedperm.compare, *columns, **given)
    times = in_turn(calls, rounds, process_time)
    medians = [median(times[name]) if name in times else None for name in ("factorize", *METRICS)]
    ratios = [ratio(times, name, "factorize") if name in times else None for name in METRICS]
    return [*medians, *ratios, megabytes(calls["accuracy"])]


def apart(columns: Columns, options: dict[str, Any], rounds: int) -> list[Cell]:
    """Return the times of reading the columns and of the rest."""
    of_metric = {**options}
    metric = read_metric(of_metric.pop("metric"), **of_metric)
    read = metric.read(columns)
    calls = {
        "reading": partial(metric.read, columns),
        "p": partial(pairedperm.compare, *read, **options),
    }
    return [median(some) for some in in_turn(calls, rounds, process_time).values()]


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield the three tables."""
    n, rounds = (2000, 1) if quick else (N, ROUNDS)
    columns = dict.fromkeys(("factorize", *METRICS), "s")
    columns |= dict.fromkeys((f"{name} / f." for name in METRICS), "x") | {"memory": "MB"}
    rows: list[list[Cell]] = []
    for n_classes, names in CLASSES.items():
        lists = drawn(n, names, seed)
        rows.append([str(n_classes), *beside_factorize(lists, lists, rounds)])
    yield Table("classes", {"classes": ""} | columns, rows)
    rows, lists = [], drawn(n, CLASSES[2], seed)
    for name, made in FORMS.items():
        rows.append([name, *beside_factorize([made(x) for x in lists], lists, rounds)])
    yield Table("forms", {"form": ""} | columns, rows)
    sizes = n // 100, n
    rows = []
    for name, given in (METRICS | OTHERS).items():
        row: list[Cell] = [name]
        for size in sizes:
            read: Columns = drawn(size, TAGS if name == "span_f1" else CLASSES[2], seed)
            if name == "span_f1":
                read = [sentences(labels) for labels in read]
            row += apart(read, given, rounds)
        rows.append(row)
    both = [f"{name}, {size:,}" for size in sizes for name in ("reading", "p")]
    yield Table("reading", {"metric": ""} | dict.fromkeys(both, "s"), rows)


if __name__ == "__main__":
    run(tables, __doc__)
