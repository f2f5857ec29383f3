"""The rows of the benchmarks whose data are files: starting, datasets, logs, DuckDB."""

from __future__ import annotations

import compileall
import contextlib
import hashlib
import importlib
import io
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benchmark_peers import only_one_right
from benchmark_rows import Call, Inputs, Make, Peer, Row, by, equal, same_p

SYSTEMS = {"system1": 0.8, "system2": 0.799}  # accuracies
DATE = "2026-11-24T15-05-50.227925"
COLUMNS = ("large", "small", "label")


class Started(NamedTuple):
    """A folder with a compiled copy of the package, and logs; code that defines labels."""

    folder: Path
    labels: str


def compiled(inputs: Inputs) -> Started:
    """Copy the package as an installation makes it; write logs of scores 0 and 1."""
    package = importlib.import_module("pairedperm").__file__
    assert package is not None
    folder, rng = inputs.folder, inputs.rng
    shutil.copytree(Path(package).parent, folder / "pairedperm")
    compileall.compile_dir(folder / "pairedperm", quiet=1)
    right = rng.integers(0, 3, inputs.n)
    named = {"right": right.tolist()}
    for name, share in (("one", 0.8), ("two", 0.7)):
        labels = np.where(rng.random(inputs.n) < share, right, (right + 1) % 3)
        named[name] = labels.tolist()
        rows = ({"id": k, "score": int(x)} for k, x in enumerate(labels == right))
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return Started(folder, "".join(f"{name} = {values}\n" for name, values in named.items()))


def process(*arguments: str, code: str = "") -> Call:
    """Return a call that starts Python anew with these arguments, or with code after the labels."""

    def call(data: Started) -> None:
        chosen = ["-c", data.labels + code] if code else arguments
        subprocess.run(
            [sys.executable, *chosen],
            cwd=data.folder,
            env={**os.environ, "PYTHONPATH": str(data.folder)},
            stdout=subprocess.DEVNULL,
            check=True,
        )

    return call


def starting() -> Iterator[Row]:
    """Yield the rows of what people wait for before the first line."""
    compare = "from pairedperm import compare\nprint(compare(one, two, right))"
    command = "-m", "pairedperm"
    peers = {"import numpy": Peer(process("-c", "import numpy"))}
    for label, ours in {
        "`import pairedperm`": process("-c", "import pairedperm"),
        "`compare` of {n} labels, printed": process(code=compare),
        "`pairedperm compare` of two logs of {n}": process(
            *(*command, "compare", "one.jsonl", "two.jsonl")
        ),
        "`pairedperm --help`": process(*command, "--help"),
    }.items():
        yield Row("Starting", label, compiled, ours, 240, 240, peers, clock=True)


NAMES = ["negative", "neutral", "positive"]
TAGS = ["ADJ", "ADP", "ADV", "AUX", "DET", "NOUN", "NUM", "PRON", "PROPN", "PUNCT", "VERB", "X"]
PREDICTED = ["a", "b", "gold"]


def saved(kind: str, inputs: Inputs) -> Path:
    """Write a dataset, of which system 2 has a few more wrong, and return its folder."""
    import datasets

    n, rng = inputs.n, inputs.rng
    distinct, length = (TAGS, 25) if kind == "tags" else (NAMES, 1)
    gold = rng.integers(0, len(distinct), n * length)
    columns = {"gold": gold}
    for name, accuracy in (("a", 0.9), ("b", 0.899)):
        other = rng.integers(0, len(distinct), n * length)
        columns[name] = np.where(rng.random(n * length) < accuracy, gold, other)
    data: dict[str, np.ndarray] = columns
    if kind == "scores":
        data = {name: np.round(rng.random(n), 2) for name in ("a", "b")}
    elif kind != "ids":
        text = {name: np.array(distinct)[column] for name, column in columns.items()}
        data = {name: x.reshape(n, length) if length > 1 else x for name, x in text.items()}
    dataset = datasets.Dataset.from_dict({name: list(x) for name, x in data.items()})
    if kind == "ids":
        dataset = dataset.cast_column("gold", datasets.ClassLabel(names=NAMES))
    dataset.save_to_disk(inputs.folder / kind)
    return inputs.folder / kind


def opened(form: str, inputs: Inputs) -> Any:
    """Write a dataset of names and open it in this form."""
    import datasets

    dataset = datasets.load_from_disk(saved("names", inputs))
    if form in ("shuffled", "columns"):
        return dataset.shuffle(seed=0)
    if form == "generator":
        lists = dataset.to_dict()

        def rows() -> Iterator[dict[str, str]]:
            for row in zip(*lists.values(), strict=True):
                yield dict(zip(lists, row, strict=True))

        return datasets.IterableDataset.from_generator(rows)
    stream = dataset.to_iterable_dataset()
    return stream.map(lambda batch: batch, batched=True) if form == "mapped" else stream


def of_dataset(data: Any) -> Any:
    """Compare the columns of a dataset; one in a folder is opened first."""
    dataset = _at(data)
    # a stream that does not know its columns has references
    references = "gold" if "gold" in (dataset.column_names or PREDICTED) else None
    return by("hf.compare_dataset")((dataset, "a", "b", references))


def _at(data: Any) -> Any:
    """Open a dataset if its folder is given."""
    import datasets

    return datasets.load_from_disk(data) if isinstance(data, Path) else data


def of_lists(data: Any) -> Any:
    """Compare the columns as lists."""
    dataset = _at(data)
    names = [name for name in PREDICTED if name in dataset.column_names]
    test = "compare" if "gold" in names else "paired_permutation_test"
    return by(test)([dataset[name][:] for name in names])


def loop(data: Any) -> None:
    """Read the rows of a stream."""
    for _ in data:
        pass


def datasets_on_disk() -> Iterator[Row]:
    """Yield the rows of datasets on disk, and of streams."""
    row = partial(Row, "Datasets", clock=True)
    lists = {"as lists": Peer(of_lists, same_p)}
    for label, kind, n in (
        ("{n:,} ids of a ClassLabel", "ids", 10**6),
        ("{n:,} names", "names", 10**6),
        ("{n:,} scores of two decimals", "scores", 10**6),
        ("{n:,} sentences of 25 tags", "tags", 10**5),
    ):
        yield row(label, partial(saved, kind), of_dataset, n, 1_000, lists)
    yield row("{n:,} names, shuffled", partial(opened, "shuffled"), of_dataset, 10**5, 1_000, lists)
    columns = lambda data: [data[name] for name in PREDICTED]  # noqa: E731
    ours, make = by("compare", columns), partial(opened, "columns")
    yield row("{n:,} names, shuffled, columns", make, ours, 10**5, 1_000, lists)
    for form in ("stream", "mapped", "generator"):
        label = f"{{n:,}} names, {form}"
        peers = {"only read": Peer(loop)}
        yield row(label, partial(opened, form), of_dataset, 10**5, 1_000, peers)


def tables(kind: str, inputs: Inputs) -> list[Path]:
    """Write the tables of two systems, in two orders, and return their paths."""
    from pandas import DataFrame

    rng, paths = random.Random(int(inputs.rng.integers(2**32))), []
    for name, accuracy in SYSTEMS.items():
        scores = [int(rng.random() < accuracy) for _ in range(inputs.n)]
        columns = {
            "id": [f"question-{k}" for k in rng.sample(range(inputs.n), inputs.n)],
            "prediction": ["yes" if x else "no" for x in scores],
            "reference": ["yes"] * inputs.n,
            "score": scores,
        }
        table, path = DataFrame(columns), inputs.folder / f"{name}.{kind}"
        if kind == "jsonl":
            table.to_json(path, orient="records", lines=True)
        elif kind == "csv":
            table.to_csv(path, index=False)
        else:
            table.to_parquet(path, index=False)
        paths.append(path)
    return paths


def of_tables(data: Sequence[Path]) -> Any:
    """Compare two tables, matched by id."""
    return by("readers.read_runs")(data).compare("score")


def by_pandas(data: Sequence[Path]) -> float:
    """Return p of McNemar's test of two tables, merged by pandas."""
    import pandas as pd

    readers: dict[str, Callable[[Path], Any]] = {
        ".jsonl": partial(pd.read_json, lines=True),
        ".csv": pd.read_csv,
        ".parquet": pd.read_parquet,
    }
    one, two = (readers[path.suffix](path) for path in data)
    both = one.merge(two, on="id", suffixes=("1", "2"), validate="one_to_one")
    wins, losses = (both.score1 > both.score2).sum(), (both.score1 < both.score2).sum()
    return only_one_right(int(wins), int(losses))


def digest(text: str) -> str:
    """Return the hash of a text, as lm-evaluation-harness writes it."""
    return hashlib.sha256(text.encode()).hexdigest()


def write_log(
    folder: Path, task: str, scores: list[float], n_words: int, is_hashed: bool = True
) -> None:
    """Write a log of lm-evaluation-harness; those of older versions hold no hashes."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for k, score in enumerate(scores):
        question = f"{task}, question {k}: " + "some words " * n_words
        line = {
            "doc_id": k,
            "doc": {"question": question, "choices": [*"abcd"], "answer": k % 4},
            "target": k % 4,
            "arguments": [[question, x] for x in "abcd"[: n_words // 10]],
            "resps": [[[f"-{k}.{j}", "False"]] for j in range(n_words // 10)],
            "filter": "none",
            "metrics": ["acc"],
            "acc": score,
        }
        if is_hashed:
            line["doc_hash"] = digest(json.dumps(line["doc"], indent=2, ensure_ascii=False))
            line |= {"prompt_hash": digest(question), "target_hash": digest(str(line["target"]))}
        lines.append(json.dumps(line))
    (folder / f"samples_{task}_{DATE}.jsonl").write_text("\n".join(lines), "utf-8")


def suite(n_tasks: int, is_hashed: bool, inputs: Inputs) -> Path:
    """Write the logs of two systems, of so many lines in all tasks together."""
    rng = random.Random(int(inputs.rng.integers(2**32)))
    for system, accuracy in SYSTEMS.items():
        for task in range(n_tasks):
            scores = [float(rng.random() < accuracy) for _ in range(task, inputs.n, n_tasks)]
            write_log(inputs.folder / system, f"task-{task}", scores, 40, is_hashed)
    return inputs.folder


def board(n_systems: int, inputs: Inputs) -> Path:
    """Write the logs of many systems on one task."""
    rng = random.Random(int(inputs.rng.integers(2**32)))
    for system in range(n_systems):
        scores = [float(rng.random() < 0.5 + 0.3 * system / n_systems) for _ in range(inputs.n)]
        write_log(inputs.folder / f"system{system}", "task", scores, 9)
    return inputs.folder


def lines_parsed(data: Path) -> int:
    """Return the number of lines that `json.loads` parses."""
    n = 0
    for path in sorted(data.rglob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            n += sum(json.loads(line) is not None for line in lines)
    return n


def command(name: str, *options: str) -> Call:
    """Return a command on the logs of two systems, in this process; what it prints is parsed."""

    def call(data: Path) -> int:
        main = importlib.import_module("pairedperm.__main__").main
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            status = main([name, *(str(data / x) for x in SYSTEMS), "--json", *options])
        if status:
            raise RuntimeError(f"pairedperm {name} ends with {status}")
        found = json.loads(printed.getvalue())
        return sum(2 * test["n"] for test in found.get("tests", found.get("tasks")))

    return call


def all_read(data: Path) -> int:
    """Read all systems and what is compared; return the number of lines."""
    runs = by("readers.read_folder")([data])
    return sum(map(len, runs.examples("acc").systems.values()))


def one_by_one(n_tasks: int) -> Call:
    """Return a call that reads each task alone, and returns the number of lines."""

    def call(data: Path) -> int:
        tasks = (f"task-{k}" for k in range(n_tasks))
        logs = [data / x for x in SYSTEMS]
        return sum(2 * len(by("readers.read_runs", task=x)(logs).ids) for x in tasks)

    return call


def reading() -> Iterator[Row]:
    """Yield the rows of tables and logs that are read and matched by id."""
    row = partial(Row, "Reading of logs and tables", clock=True)
    pandas = {"pandas": Peer(by_pandas, same_p)}
    for kind in ("jsonl", "csv", "parquet"):
        make: Make = partial(tables, kind)
        yield row(f"two tables of {{n:,}}, {kind}", make, of_tables, 100_000, 1_000, pandas)
    parsed = {"json.loads": Peer(lines_parsed, equal)}
    label = "logs of 20 systems, {n:,} lines each"
    yield row(label, partial(board, 20), all_read, 5_000, 50, parsed)
    label, make = "20 tasks of two logs of {n:,}, one by one", partial(suite, 20, True)
    yield row(label, make, one_by_one(20), 5_000, 100, parsed)


def suites() -> Iterator[Row]:
    """Yield the rows of the logs of two systems on many tasks, by the command."""
    row = partial(Row, "Suites", clock=True)
    parsed = {"json.loads": Peer(lines_parsed, equal)}
    make = partial(suite, 57, True)
    label = "logs of 57 tasks, {n:,} lines, `pairedperm"
    yield row(f"{label} compare`", make, command("compare"), 14_842, 570, parsed)
    yield row(f"{label} suite`", make, command("suite"), 14_842, 570, parsed)
    label, make = "the same without hashes, `pairedperm compare`", partial(suite, 57, False)
    yield row(label, make, command("compare"), 14_842, 570, parsed)


WRITTEN = """
COPY (
    SELECT
        'label-' || if(hash(i, 1) % 1000 < 900, hash(i) % 10, hash(i, 2) % 10) AS large,
        'label-' || if(hash(i, 3) % 1000 < 899, hash(i) % 10, hash(i, 4) % 10) AS small,
        'label-' || hash(i) % 10 AS label
    FROM range({start}, {stop}) AS of_rows(i)
) TO '{path}' (FORMAT parquet)
"""


def connected() -> Any:
    """Open a database in memory of at most 1 GB."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET memory_limit = '1GB'")
    return connection


def in_parquet(inputs: Inputs) -> Path:
    """Write rows of labels by DuckDB; two systems have about nine in ten right."""
    path, start = inputs.folder / "rows.parquet", int(inputs.rng.integers(100)) * inputs.n
    with connected() as connection:
        connection.execute(WRITTEN.format(start=start, stop=start + inputs.n, path=path))
    return path


GROUPED = f"SELECT {', '.join(COLUMNS)}, count(*) AS n FROM '{{data}}' GROUP BY ALL"


def grouped_by_duckdb(data: Path) -> int:
    """Count the rows by a plain GROUP BY."""
    with connected() as connection:
        return sum(row[-1] for row in connection.execute(GROUPED.format(data=data)).fetchall())


def tested_by_duckdb(data: Path) -> int:
    """Count the rows by the test's result."""
    with connected() as connection:
        answer = connection.execute(GROUPED.format(data=data)).fetchnumpy()
        columns = [answer[name] for name in COLUMNS]
        counts = by("paired_counts", multiplicities=answer["n"])(columns)
        return int(by("paired_permutation_test")([counts]).n)


def databases() -> Iterator[Row]:
    """Yield the row of counting in DuckDB."""
    peers = {"GROUP BY": Peer(grouped_by_duckdb, equal)}
    label = "{n:,} rows in DuckDB"
    yield Row("DuckDB", label, in_parquet, tested_by_duckdb, 5 * 10**7, 5_000, peers, clock=True)
