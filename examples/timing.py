"""Calls that take turns, the memory of a call, and tables of both: what the benchmarks share."""

from __future__ import annotations

import argparse
import json
import math
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

SHORTEST = 0.02  # seconds that are timed at once
Cell = str | float | None
Times = dict[str, list[float]]
Clock = Callable[[], float]


class Table(NamedTuple):
    """A name, the columns with their units ("", "s", "MB" or "x"), and rows of cells."""

    name: str
    columns: dict[str, str]
    rows: list[list[Cell]]


def in_turn(
    calls: Mapping[str, Callable[[], object]], rounds: int, clock: Clock = time.perf_counter
) -> Times:
    """Return the seconds of each call in each round, after a warm-up round.

    With `clock=time.process_time` other programs do not count, nor do other processes or waiting.
    """
    times: Times = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(seconds_of(call, clock))
    return times


def seconds_of(call: Callable[[], object], clock: Clock) -> float:
    """Return the seconds of a call; short ones are timed several in a row."""
    n_calls, elapsed, start = 0, 0.0, clock()
    while elapsed < SHORTEST:
        call()
        n_calls, elapsed = n_calls + 1, clock() - start
    return elapsed / n_calls


def ratio(times: Times, name: str, other: str) -> float:
    """Return the median of the rounds' ratios."""
    return median(x / y for x, y in zip(times[name], times[other], strict=False))


def megabytes(call: Callable[[], object]) -> float:
    """Return the most that a call allocates in Python and NumPy, in MB."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def apart(call: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """Return what a call returns in a new process, and the most memory of that process, in MB.

    The memory has imports and foreign libraries in it. It is nan where the system does not tell.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(with_memory, call, *arguments).result()


def with_memory(call: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """Return what a call returns, and the most memory that this process has had so far, in MB."""
    result, status = call(*arguments), Path("/proc/self/status")
    # `resource` would count the process that started this one
    lines = status.read_text("utf-8").splitlines() if status.exists() else []
    peaks = (1.024e-3 * int(x.split()[1]) for x in lines if x.startswith("VmHWM"))
    return result, next(peaks, math.nan)


def significant(x: float) -> str:
    """Write a number with at least two significant digits and no exponent."""
    return f"{x:,.{max(1 - math.floor(math.log10(x)), 0)}f}" if x > 0.0 else "0"


def seconds(x: float) -> str:
    """Write a time in a suitable unit."""
    unit, name = (1.0, "s") if x >= 1.0 else (1e-3, "ms") if x >= 1e-4 else (1e-6, "us")
    return f"{significant(x / unit)} {name}"


def shown(cell: Cell, unit: str) -> str:
    """Write a cell in its unit."""
    if cell is None or isinstance(cell, str):
        return cell or ""
    if math.isnan(cell):
        return ""
    return seconds(cell) if unit == "s" else f"{significant(cell)} {unit}".rstrip(" x")


def markdown(table: Table) -> list[str]:
    """Return the lines of a table that is aligned in plain text, too."""
    units = table.columns.values()
    body = [[shown(*each) for each in zip(row, units, strict=True)] for row in table.rows]
    texts = [[*table.columns], *body]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    first, *others = widths
    rule = "|".join(["-" * (first + 2), *("-" * (width + 1) + ":" for width in others)])
    lines = [
        f"| {' | '.join([row[0].ljust(first), *map(str.rjust, row[1:], others)])} |"
        for row in texts
    ]
    return [lines[0], f"|{rule}|", *lines[1:]]


def as_read(data: Any) -> list[Table]:
    """Return the tables of parsed JSON."""
    return [Table(**table) for table in data]


def run(tables: Callable[[bool, int], Iterator[Table]], about: str) -> None:
    """Print the tables of a script, made for `--quick` and a seed, and write them as JSON."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, one round: seconds")
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs (default: 0)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    found = []
    for table in tables(options.quick, options.seed):
        print(f"**{table.name}**", "", *markdown(table), "", sep="\n", flush=True)
        found.append(table._asdict())
    if options.json is not None:
        options.json.write_text(json.dumps(found), encoding="utf-8")
