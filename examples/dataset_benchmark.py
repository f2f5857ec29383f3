"""Measure time and memory for datasets on disk and streams, beside only reading them.

    python examples/dataset_benchmark.py [--quick]

Each case runs in a process of its own, which loads the dataset from disk and compares it. Memory is
the growth of the process's largest resident size since the imports. Pages of the mapped file count
in it, in the end all of them, although the system may take them back.

The reference is timed in another process right after. For datasets it is
`pairedperm.compare(ds["a"][:], ds["b"][:], ds["gold"][:])`; for a stream, a loop over its rows that
does nothing. Times are medians over the rounds, ratios are medians of the rounds' ratios.

`shuffled` has an index for each row, and `columns` is
`pairedperm.compare(ds["a"], ds["b"], ds["gold"])` of it. `stream` is `to_iterable_dataset()` of the
same rows, `mapped` is `stream` after a `map` of the rows in batches, and `generator` yields dicts
from lists in memory.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import datasets
import numpy as np

import pairedperm
from pairedperm.hf import compare_dataset

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


def make(kind: str, n: int, folder: Path) -> None:
    """Write a dataset of n rows, of which system 2 has a few more wrong."""
    rng = np.random.default_rng(0)
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


def opened(folder: str, form: str) -> Any:
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


def run(folder: str, form: str, method: str) -> tuple[float, float, float]:
    """Run one comparison in this process; return seconds, megabytes and p."""

    def high_water() -> float:
        """Return the largest resident size in MB; `resource` would count the parent, too."""
        status = Path("/proc/self/status")
        lines = status.read_text("utf-8").splitlines() if status.exists() else []
        return next((int(x.split()[1]) / 1e3 for x in lines if x.startswith("VmHWM")), math.nan)

    before, start = high_water(), time.perf_counter()
    dataset = opened(folder, form)
    if form:
        before, start = high_water(), time.perf_counter()
    references = None if folder.endswith("scores") else "gold"
    p = math.nan
    if method == "ours" and form != "columns":
        result: Any = compare_dataset(dataset, "a", "b", references)
        p = result.pvalue
    elif form in STREAMS:
        for _ in dataset:
            pass
    elif references is None:
        p = pairedperm.paired_permutation_test(dataset["a"][:], dataset["b"][:]).pvalue
    else:
        one, two, gold = (
            dataset[name][:] if method == "lists" else dataset[name] for name in NAMED
        )
        p = pairedperm.compare(one, two, gold).pvalue
    return time.perf_counter() - start, high_water() - before, p


def run_apart(folder: str, form: str, method: str) -> tuple[float, float, float]:
    """Run one comparison in a new process."""
    command = [sys.executable, __file__, "--run", folder, form, method]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, megabytes, p = json.loads(done.stdout)
    return seconds, megabytes, p


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="1,000 rows, one round, one process")
    parser.add_argument("--run", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    datasets.disable_progress_bars()
    if arguments.run:
        print(json.dumps(run(*arguments.run)))
        return
    n, rounds = (1000, 1) if arguments.quick else (10**6, 3)
    print(f"{n:,} rows on disk".ljust(24) + " |    seconds | MB above import | time / theirs")
    values: dict[str, float] = {}  # by kind: p, in any form the same
    with tempfile.TemporaryDirectory() as folder:
        for label, (kind, form) in KINDS.items():
            path = Path(folder, kind)
            if not path.exists():
                make(kind, n, path)
            found = []
            for _ in range(rounds):
                one_run = run if arguments.quick else run_apart
                seconds, megabytes, p = one_run(str(path), form, "ours")
                reference, _, expected = one_run(str(path), form, "lists")
                expected = p if form in STREAMS else expected
                assert p == expected == values.setdefault(kind, p), (p, expected, values)
                found.append((seconds, megabytes, seconds / reference))
            seconds, megabytes, ratio = map(median, zip(*found, strict=True))
            print(f"{label:<24} | {seconds:10.2f} | {megabytes:15.0f} | {ratio:13.3g}", flush=True)


if __name__ == "__main__":
    main()
