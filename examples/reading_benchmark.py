"""Time two logs that are read, matched by id and tested, here and with pandas.

    python -m pip install ".[test]"  # for pandas
    python examples/reading_benchmark.py [--rows N] [--repeat R]

Two systems answered the same N questions, in two different orders. A row of a log has the id of the
question, the prediction, the right answer, and a score, 0 or 1.

pairedperm  `readers.read_runs(log1, log2).compare()`: it also checks that references agree, that no
            id is missing or repeated, and that each example has a score
pandas      `read_json(lines=True)`, `read_csv` or `read_parquet`, `merge` on the id, and McNemar's
            exact test by `scipy.stats.binomtest`, which gives the same p-value

The methods take turns in one process. A time is a median over the rounds; a ratio is the median of
the rounds' ratios to pandas. A million rows take half a minute a round.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import pandas as pd
from datasets import disable_progress_bars
from scipy import stats

from pairedperm.readers import read_runs

ACCURACIES = {"system1": 0.8, "system2": 0.799}
ROW = "{:<8}  {:>10}  {:>7}  {:>5}"
READERS: dict[str, Any] = {
    "jsonl": lambda path: pd.read_json(path, lines=True),
    "csv": pd.read_csv,
    "parquet": pd.read_parquet,
}


def written(folder: Path, n: int) -> None:
    """Write both logs in each format."""
    rng = random.Random(0)
    for name, accuracy in ACCURACIES.items():
        scores = [int(rng.random() < accuracy) for _ in range(n)]
        table = pd.DataFrame(
            {
                "id": [f"question-{k}" for k in rng.sample(range(n), n)],
                "prediction": ["yes" if x else "no" for x in scores],
                "reference": ["yes"] * n,
                "score": scores,
            }
        )
        table.to_json(folder / f"{name}.jsonl", orient="records", lines=True)
        table.to_csv(folder / f"{name}.csv", index=False)
        table.to_parquet(folder / f"{name}.parquet", index=False)


def by_pairedperm(paths: list[Path], kind: str) -> float:
    """Return the p-value of pairedperm."""
    return float(read_runs(*paths).compare("score").pvalue)


def by_pandas(paths: list[Path], kind: str) -> float:
    """Return the p-value of pandas and SciPy."""
    one, two = (READERS[kind](path) for path in paths)
    both = one.merge(two, on="id", suffixes=("1", "2"), validate="one_to_one")
    wins, losses = (both.score1 > both.score2).sum(), (both.score1 < both.score2).sum()
    return float(stats.binomtest(int(wins), int(wins + losses)).pvalue)


def main() -> None:
    """Print a row for each format."""
    parser = argparse.ArgumentParser(description="Time the readers beside pandas.")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    disable_progress_bars()
    print(ROW.format("format", "pairedperm", "pandas", "ratio"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written(folder, arguments.rows)
        for kind in READERS:
            paths = [folder / f"{system}.{kind}" for system in ACCURACIES]
            times: list[list[float]] = []
            for _ in range(arguments.repeat):
                seconds, pvalues = [], []
                for method in (by_pairedperm, by_pandas):
                    start = time.perf_counter()
                    pvalues.append(method(paths, kind))
                    seconds.append(time.perf_counter() - start)
                assert abs(pvalues[0] - pvalues[1]) <= 1e-9 * pvalues[1]
                times.append(seconds)
            ours, theirs = (median(x) for x in zip(*times, strict=True))
            ratio = median(x / y for x, y in times)
            print(ROW.format(kind, f"{ours:.2f} s", f"{theirs:.2f} s", f"{ratio:.2f}"))


if __name__ == "__main__":
    main()
