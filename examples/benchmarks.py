"""Time our calls beside others, or beside an older version of the package.

    python examples/benchmarks.py [--quick] [--only SECTION] [--write]
    python examples/benchmarks.py --against FOLDER [--quick] [--only SECTION]

Our call, samples and peers take turns in one process, in 5 rounds, or 3 if our call takes more than
2 s. A time is a median over the rounds, a ratio the median of the rounds' ratios to ours. Times are
the processor's; for calls with several threads or processes they are read from a clock. Short calls
are repeated for 0.02 s. A peer that takes more than 5 s is timed once. "memory" is the most that
our call allocates in Python and NumPy besides its data. Where a peer has no time, it would need
more than 20 s, or does not fit. Peers with * do a part of the work, and their time is scaled. †
marks a p that is off by more than a tenth. It is an error if a peer that should agree does not.

`--write` writes the tables into the guides, between `<!-- benchmarks: SECTION -->` and
`<!-- end -->`. A section with a row that fails keeps its table.

With `--against`, FOLDER/source holds `pairedperm` and `metrics` of an older version. Three
processes take turns: the old one, the same again, and this version. Both sides run with
FOLDER/env/bin/python if it exists. There are 9 rounds; from 0.7 s on there are fewer, and 3 from
2 s on; a quick run has at most 5. The spread s is how far the old one is from itself. The exit
code is 1 if a row takes more than 1.1 + s times as long as before, or more than 1.2 times the
memory and 1 MB, or if this version lacks it. A row may have another limit, with a reason. A row
over a limit is measured once more.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: small matrices lose by more

import benchmark_boards as of_boards
import benchmark_files as of_files
import benchmark_scores as of_scores
import benchmark_texts as of_texts
from benchmark_rows import Row, p_of
from benchmark_tables import markdown, megabytes, seconds, significant, written
from benchmark_turns import LONG, Data, against, clock_of, memory_of, seconds_of, serve, told

CHECKOUT = Path(__file__).parents[1]
GUIDES = sorted((Path(__file__).parent / "guide").glob("*.md"))
ROWS: list[Row] = [
    *of_files.starting(),
    *of_scores.accuracy(),
    *of_scores.many_digits(),
    *of_scores.real_scores(),
    *of_scores.f1(),
    *of_scores.macro_f1_and_samples(),
    *of_scores.counting(),
    *of_texts.bootstraps_and_bleu(),
    *of_texts.reading_strings(),
    *of_texts.metrics_of_strings(),
    *of_files.datasets_on_disk(),
    *of_boards.boards(),
    *of_boards.intervals(),
    *of_files.reading(),
    *of_boards.suites(),
    *of_files.suites(),
    *of_files.databases(),
]
WITH_P = {  # sections whose p says something, and whether the width of its interval does
    "Accuracy": False,
    "Scores with many digits": True,
    "Real scores": True,
    "F1": True,
    "Macro-F1 and samples": True,
    "Bootstraps and BLEU": False,
}
OURS = "pairedperm"
ONCE, QUICK_ONCE = 5.0, 0.3  # seconds of a peer that is timed once
ROUNDS, LONG_ROUNDS = 5, 3


class Figures(NamedTuple):
    """What is measured of a row: answers and times by method, the bytes of our call."""

    answers: dict[str, Any]
    times: dict[str, list[float]]
    memory: float

    def ratio(self, name: str) -> float:
        """Return the median of the rounds' ratios to ours; of a time alone, to our median."""
        times, ours = self.times[name], self.times[OURS]
        if len(times) < len(ours):
            return times[0] / median(ours)
        return median(x / y for x, y in zip(times, ours, strict=True))


def measured(row: Row, data: Any, is_quick: bool) -> Figures:
    """Time our call and its peers in turn.

    Raises
    ------
    ArithmeticError
        If a peer disagrees.
    """
    clock = clock_of(row)
    calls: dict[str, partial[Any]] = {OURS: partial(row.ours, data)}
    calls |= {name: partial(peer.call, data) for name, peer in row.peers.items()}
    answers, times, missing = {}, {}, []
    for name, call in calls.items():
        start = clock()
        try:
            answers[name] = call()
        except ImportError:
            if name == OURS:
                raise
            missing.append(name)  # a peer that is not installed
            continue
        times[name] = [clock() - start]
    for name, peer in row.peers.items():
        if name in answers and not peer.agrees(data, answers[OURS], answers[name]):
            raise ArithmeticError(f"{name} finds {answers[name]}, {OURS} {answers[OURS]}")
    n_rounds = 1 if is_quick else LONG_ROUNDS if times[OURS][0] > LONG else ROUNDS
    most = QUICK_ONCE if is_quick else ONCE
    repeated = [name for name, (once,) in times.items() if name == OURS or once <= most]
    times |= {name: [] for name in repeated}
    for _ in range(n_rounds):
        for name in repeated:
            times[name].append(seconds_of(calls[name], clock))
    for name, peer in row.peers.items():
        if name in times:
            times[name] = [x * peer.scale for x in times[name]]
    return Figures(answers, times, memory_of(calls[OURS]))


def cells_of(row: Row, figures: Figures) -> dict[str, str]:
    """Return the cells of a row by column."""
    p = p_of(figures.answers[OURS])
    cells = {OURS: seconds(median(figures.times[OURS]))}
    for name in row.peers:
        if name in figures.times:
            other = p_of(figures.answers[name])
            is_off = p and other is not None and abs(other / p - 1.0) > 0.1
            time = seconds(median(figures.times[name]))
            ratio = significant(figures.ratio(name))
            cells[name] = f"{time} ({ratio}x){' †' if is_off else ''}"
    if row.section != "Starting":  # the memory is another process's
        cells["memory"] = megabytes(figures.memory)
    if row.section in WITH_P and p is not None:
        result = figures.answers[OURS]
        cells["p"] = written_p(p, result)
        if WITH_P[row.section]:
            low, high = result.log_pvalue_interval
            cells["width"] = f"{high - low:.0e}"
    return cells


def written_p(p: float, result: Any) -> str:
    """Write p, by its logarithm if it underflows."""
    if p > 1e-300:
        return f"{p:.4g}"
    exponent, mantissa = divmod(result.log_pvalue / math.log(10.0), 1.0)
    return f"{10.0**mantissa:.3f}e{exponent:.0f}"


def table_of(found: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return the lines of a table of cells by row and column; empty columns are left out."""
    names = list(dict.fromkeys(name for cells in found.values() for name in cells))
    last = ("memory", "p", "width")
    names = [x for x in names if x not in last] + [x for x in last if x in names]
    rows = [[label, *(cells.get(name, "") for name in names)] for label, cells in found.items()]
    return markdown([["", *names], *rows])


def chosen(only: str, is_quick: bool) -> dict[int, Row]:
    """Return the rows of these sections that a run has, by their number."""
    names = re.compile(only, re.IGNORECASE)
    of_run = {k: row for k, row in enumerate(ROWS) if row.size(is_quick) is not None}
    return {k: row for k, row in of_run.items() if names.search(row.title(is_quick))}


def run(rows: Sequence[Row], seed: int, is_quick: bool, does_write: bool) -> int:
    """Print a table of each section, write it if asked for, and return the exit code."""
    status = 0
    for section in dict.fromkeys(row.section for row in rows):
        found, is_whole = {}, True
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            data = Data(Path(folder), seed, is_quick)
            for row in (row for row in rows if row.section == section):
                print(row.title(is_quick), file=sys.stderr, flush=True)
                try:
                    figures = measured(row, data.of(row), is_quick)
                except Exception as error:  # other rows go on
                    print(f"{row.title(is_quick)}: {told(error)}", flush=True)
                    is_whole, status = False, 1
                else:
                    found[row.name(is_quick)] = cells_of(row, figures)
        lines = table_of(found)
        print(f"## {section}", "", *lines, "", sep="\n", flush=True)
        if does_write and is_whole:
            for guide in GUIDES:
                text = guide.read_text(encoding="utf-8")
                guide.write_text(written(text, {section: lines}), encoding="utf-8")
    return status


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, one round: a minute")
    parser.add_argument("--only", default="", metavar="SECTION", help="a regular expression")
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs (default: 0)")
    parser.add_argument("--write", action="store_true", help="write the tables into the guides")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="an older version")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.write and (asked.quick or asked.against):
        parser.error("--write needs the whole sizes, of this version alone")
    options = ["--seed", str(asked.seed), *(["--quick"] * asked.quick)]
    if asked.serve:
        serve(ROWS, asked.seed, asked.quick)
        return 0
    rows = chosen(asked.only, asked.quick)
    if not rows:
        parser.error(f"no section has {asked.only}")
    if asked.against:
        own = asked.against / "env" / "bin" / "python"
        python = own if own.exists() else Path(sys.executable)
        return against(rows, asked.against / "source", CHECKOUT, python, options)
    os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"
    warnings.simplefilter("ignore")  # that p is sampled
    return run([*rows.values()], asked.seed, asked.quick, asked.write)


if __name__ == "__main__":
    sys.exit(main())
