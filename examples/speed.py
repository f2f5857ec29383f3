"""Run benchmarks, keep their figures, and write the guides' tables from them.

    python examples/speed.py [--quick] [--only NAME] [--old FILE]

Figures stay in `data/speed.json`. A table of a guide stands between
`<!-- speed: SCRIPT, TABLE -->` and `<!-- end -->`. A quick run writes nothing. `--old` prints the
ratio of each figure to that of an earlier file, new by old. Scripts run with this process's
PYTHONPATH.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from timing import as_read, markdown

import pairedperm

HERE = Path(__file__).parent
FIGURES, GUIDES = HERE / "data" / "speed.json", sorted((HERE / "guide").glob("*.md"))
SCRIPTS = (
    "benchmark",
    "bleu_benchmark",
    "bootstrap_benchmark",
    "counting_benchmark",
    "dataset_benchmark",
    "f1_benchmark",
    "labels_benchmark",
    "leaderboard_benchmark",
    "reading_benchmark",
    "real_scores_benchmark",
    "spark_benchmark",
    "sql_benchmark",
    "start_benchmark",
)
MARKED = re.compile(r"(<!-- speed: (\w+), (.+?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
Figures = dict[str, Any]


def measured(script: str, quick: bool) -> Figures:
    """Run a script; return its tables, the date, the version and the number of processors."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures.json"
        command = [sys.executable, str(HERE / f"{script}.py"), "--json", str(path)]
        subprocess.run([*command, *(["--quick"] * quick)], check=True)
        tables = json.loads(path.read_text(encoding="utf-8"))
    version, day = pairedperm.__version__, date.today().isoformat()
    return {"date": day, "version": version, "processors": os.cpu_count(), "tables": tables}


def written(text: str, figures: dict[str, Figures]) -> str:
    """Return a guide with the tables of these figures; a script without figures keeps its own."""

    def replaced(match: re.Match[str]) -> str:
        head, script, name, _, end = match.groups()
        if script not in figures:
            return match[0]
        tables = {table.name: table for table in as_read(figures[script]["tables"])}
        return "\n".join((head, *markdown(tables[name]), "", end))

    return MARKED.sub(replaced, text)


def drift(figures: dict[str, Figures], old: dict[str, Figures]) -> Iterator[str]:
    """Yield the ratio of each number to the one of the same script, table, row and column."""
    before = dict(numbers(old))
    for where, x in numbers(figures):
        if before.get(where):
            yield f"{x / before[where]:7.2f}  {', '.join(where)}"


def numbers(figures: dict[str, Figures]) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield each number and where it stands."""
    for script, found in figures.items():
        for table in as_read(found["tables"]):
            for row in table.rows:
                for column, cell in zip(table.columns, row, strict=True):
                    if isinstance(cell, float):
                        yield (script, table.name, str(row[0]), column), cell


def main() -> None:
    """Run the scripts, and write what they find."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes; nothing is written")
    parser.add_argument("--only", choices=SCRIPTS, help="run one script")
    parser.add_argument("--old", type=Path, metavar="FILE", help="print ratios to these figures")
    options = parser.parse_args()
    # read first: --old may name the file that is written anew
    old = json.loads(options.old.read_text(encoding="utf-8")) if options.old else {}
    chosen = [options.only] if options.only else SCRIPTS
    for script in chosen:
        new = {script: measured(script, options.quick)}
        if not options.quick:  # after each script: the whole takes long
            kept = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
            FIGURES.write_text(json.dumps(kept | new, indent=1) + "\n", encoding="utf-8")
            for guide in GUIDES:
                text = guide.read_text(encoding="utf-8")
                guide.write_text(written(text, new), encoding="utf-8")
        for text in drift(new, old):
            print(text)


if __name__ == "__main__":
    main()
