"""Calls that take turns: their time and memory, and the same beside an older version.

Beside an older version, the calls of three processes take turns: the old one, the same again, and
the new one. They get orders and answer in lines of JSON.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import IO, Any

import numpy as np
from benchmark_rows import Inputs, Row
from benchmark_tables import megabytes, seconds

SHORTEST, LONG = 0.02, 2.0  # seconds that are timed at once, and of the fewest rounds
ROUNDS, LONG_ROUNDS = 9, 3  # between them, so many that a process takes some 6 s
QUICK_ROUNDS = 5
MEMORY = 1.2, 1e6  # the limit: so many times as much, and so many bytes more
SCRIPT = Path(__file__).with_name("benchmarks.py")
Clock = Callable[[], float]


def seconds_of(call: Callable[[], object], clock: Clock) -> float:
    """Return the seconds of a call; short ones are timed several in a row."""
    n_calls, elapsed, start = 0, 0.0, clock()
    while elapsed < SHORTEST:
        call()
        n_calls, elapsed = n_calls + 1, clock() - start
    return elapsed / n_calls


def memory_of(call: Callable[[], object]) -> float:
    """Return the most bytes that a call allocates in Python and NumPy."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return float(peak)


def clock_of(row: Row) -> Clock:
    """Return the clock of a row."""
    return time.perf_counter if row.clock else time.process_time


class Data:
    """The data of rows, in a folder: the last ones are kept for the next row."""

    def __init__(self, folder: Path, seed: int, is_quick: bool) -> None:
        self.folder, self.seed, self.is_quick = folder, seed, is_quick
        self._made: tuple[object, int, Any] | None = None

    def of(self, row: Row) -> Any:
        """Make the data of a row, if they are not there."""
        n = row.size(self.is_quick) or row.n
        if self._made is None or self._made[:2] != (row.make, n):
            self._made = None  # two large ones need not fit
            folder = Path(tempfile.mkdtemp(dir=self.folder))
            inputs = Inputs(n, np.random.default_rng([self.seed, n]), folder)
            self._made = row.make, n, row.make(inputs)
        return self._made[2]


def told(error: BaseException) -> str:
    """Write an error in a line."""
    return f"{type(error).__name__}: {error}".splitlines()[0]


def serve(rows: Sequence[Row], seed: int, is_quick: bool) -> None:
    """Measure rows as standard input asks, and answer in JSON; what calls print goes elsewhere."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        data = Data(Path(folder), seed, is_quick)
        call: Callable[[], object] = object
        clock: Clock = time.perf_counter
        for line in sys.stdin:
            asked = json.loads(line)
            answer: dict[str, Any] = {}
            if asked["do"] == "source":
                import pairedperm

                answer["file"] = pairedperm.__file__
            elif asked["do"] == "prepare":
                row = rows[asked["row"]]
                clock = clock_of(row)
                try:
                    call = partial(row.ours, data.of(row))
                    call()
                    answer["seconds"] = seconds_of(call, clock)
                    answer["memory"] = memory_of(call) if asked["memory"] else math.nan
                except Exception as error:
                    answer = {"gone": told(error)}
            else:
                answer["seconds"] = seconds_of(call, clock)
            print(json.dumps(answer), file=answers, flush=True)


class Worker:
    """A process that measures rows with the package in a folder."""

    def __init__(self, source: Path, python: Path, options: Sequence[str], home: Path) -> None:
        self.source, self._errors = source, home.with_suffix(".txt")
        with self._errors.open("w", encoding="utf-8") as errors:
            self._process = subprocess.Popen(
                [python, "-W", "ignore", SCRIPT, "--serve", *options],
                env={**os.environ, "PYTHONPATH": str(source), **offline(home)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                encoding="utf-8",
            )

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream("stdin").close()
        self._process.wait()
        self._stream("stdout").close()

    def check(self) -> None:
        """Raise RuntimeError if it measures another package than the one in its folder."""
        self.ask(do="source")
        file = Path(self.answer()["file"]).resolve()
        if not file.is_relative_to(self.source.resolve()):
            raise RuntimeError(f"{file} is measured, and not {self.source}")

    def ask(self, **asked: object) -> None:
        """Ask for something; `answer` waits for it."""
        print(json.dumps(asked), file=self._stream("stdin"), flush=True)

    def answer(self) -> dict[str, Any]:
        """Return the answer to what was asked."""
        line = self._stream("stdout").readline()
        if not line:
            errors = self._errors.read_text(encoding="utf-8")[-2000:]
            raise RuntimeError(f"the process of {self.source} ended: {errors}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _stream(self, name: str) -> IO[str]:
        stream: IO[str] = getattr(self._process, name)
        return stream


def offline(home: Path) -> dict[str, str]:
    """Return variables of a process that has a Hugging Face home of its own."""
    names = ("HF_HUB_OFFLINE", "HF_EVALUATE_OFFLINE", "HF_DATASETS_DISABLE_PROGRESS_BARS")
    home.mkdir()
    return {"HF_HOME": str(home), **dict.fromkeys(names, "1")}


@dataclass(frozen=True)
class Verdict:
    """A row beside an older version.

    Attributes
    ----------
    old, new : float
        Seconds, medians.
    ratio, spread : float
        How many times as long the new one takes; what the old one differs from itself, of 1.
    n_rounds : int
        Number of rounds.
    old_memory, new_memory : float
        The most bytes of a call.
    old_gone, new_gone : str
        Why the row cannot be measured, if so.
    """

    old: float = math.nan
    new: float = math.nan
    ratio: float = math.nan
    spread: float = math.nan
    n_rounds: int = 0
    old_memory: float = math.nan
    new_memory: float = math.nan
    old_gone: str = ""
    new_gone: str = ""

    def faults(self, row: Row) -> list[str]:
        """Return what is worse than allowed, in words."""
        if self.new_gone and not self.old_gone and not row.gone:
            return [f"gone: {self.new_gone}"]
        found = []
        if self.ratio > row.limit + self.spread:
            found.append(f"{self.ratio:.2f} times as long, over {row.limit + self.spread:.2f}")
        times, more = MEMORY
        if self.new_memory > times * self.old_memory + more:
            found.append(f"{megabytes(self.new_memory)} after {megabytes(self.old_memory)}")
        return found

    def line(self, row: Row) -> str:
        """Return the cells of a line, and notes."""
        gone = {"old": self.old_gone, "new": self.new_gone}
        notes = [f"gone ({side}): {why}" for side, why in gone.items() if why]
        notes += [row.gone] * bool(self.new_gone)
        if not notes:
            notes = self.faults(row) or ["" if self.ratio <= row.limit else "within the spread"]
            notes += [f"limit {row.limit:g}: {row.reason}"] * bool(row.reason)
            cells = [seconds(self.old), seconds(self.new), f"{self.ratio:.2f}"]
            cells += [f"{self.spread:.2f}", f"{self.n_rounds}"]
            cells += [megabytes(self.old_memory), megabytes(self.new_memory)]
        else:
            cells = [""] * 7
        return " | ".join((*(x.rjust(8) for x in cells), "; ".join(filter(None, notes))))


def beside(number: int, workers: Sequence[Worker], most: int) -> Verdict:
    """Measure the row of this number in the old process, in the same again, and in the new one."""
    for k, worker in enumerate(workers):
        worker.ask(do="prepare", row=number, memory=k != 1)
    first = [worker.answer() for worker in workers]
    old, again, new = first
    if any("gone" in x for x in first):
        old_gone = old.get("gone", again.get("gone", ""))
        return Verdict(old_gone=old_gone, new_gone=new.get("gone", ""))
    slowest = max(x["seconds"] for x in first)
    n_rounds = min(max(round(LONG * LONG_ROUNDS / slowest), LONG_ROUNDS), most)
    times: list[list[float]] = [[] for _ in workers]
    for k in range(n_rounds):
        for j in range(len(workers)):  # each is the first in a third of the rounds
            one = (j + k) % len(workers)
            workers[one].ask(do="time")
            times[one].append(workers[one].answer()["seconds"])
    itself, ratio = (median(x / y for x, y in zip(one, times[0], strict=True)) for one in times[1:])
    return Verdict(
        median(times[0]),
        median(times[2]),
        ratio,
        abs(itself - 1.0),
        n_rounds,
        old["memory"],
        new["memory"],
    )


def against(
    rows: Mapping[int, Row], old: Path, new: Path, python: Path, options: Sequence[str]
) -> int:
    """Print each row beside an older version, and return 1 if one is worse than allowed."""
    is_quick, worse = "--quick" in options, []
    titles = {k: row.title(is_quick) for k, row in rows.items()}
    width = max(map(len, titles.values()))
    names = ("old", "new", "ratio", "spread", "rounds", "old mem.", "new mem.")
    print("row".ljust(width), *(x.rjust(8) for x in names), sep=" | ", flush=True)
    with ExitStack() as stack:
        place = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        workers = [
            stack.enter_context(Worker(source, python, options, Path(place, f"{k}")))
            for k, source in enumerate((old, old, new))
        ]
        for worker in workers:
            worker.check()
        for k, row in rows.items():
            verdict = beside(k, workers, QUICK_ROUNDS if is_quick else ROUNDS)
            if verdict.faults(row) and not verdict.new_gone:
                verdict = beside(k, workers, QUICK_ROUNDS if is_quick else ROUNDS)
            print(f"{titles[k].ljust(width)} | {verdict.line(row)}", flush=True)
            worse += [f"{titles[k]}: {fault}" for fault in verdict.faults(row)]
    print("", *(worse or ["No row is worse than allowed."]), sep="\n")
    return 1 if worse else 0
