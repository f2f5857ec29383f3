"""Does the package still answer 120 calls as it did at 7918d5f7? The old package runs beside.

The first run makes build/frozen: the old source, and an environment with the versions of pins.txt.
With --installed both packages run on this interpreter's versions instead. Today's package is that
of the checkout. Each key of each answer must have the same bits, or lie within its certificate, or
stand in answers/intended.json with the row of the issue that asks for it; `--list ROW` writes what
is not there yet. A call that goes needs a row too.

Exit status: 0 if all are as they should be, 1 if not, 2 if nothing could be compared.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import takewhile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from answers.verdict import FAILS, PASSES, Asked, Difference  # noqa: E402

COMMIT = "7918d5f7"
CHECKOUT = HERE.parent
FROZEN = CHECKOUT / "build" / "frozen"
PINS, NAMES = HERE / "answers" / "pins.txt", HERE / "answers" / "names.txt"
ENVIRONMENT = {  # the same on both sides
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "HF_EVALUATE_OFFLINE": "1",
    "HF_HUB_OFFLINE": "1",
    "COLUMNS": "80",
    "NO_COLOR": "1",
}
HANGS = 300.0  # seconds after which a call is ended
SHOWN = 30  # calls whose differences are printed

Answer = Any


def unpacked() -> Path:
    """The source of the old commit, as git has it."""
    source = FROZEN / "source"
    if not (source / COMMIT).exists():
        command = ["git", "-C", str(CHECKOUT), "archive", COMMIT]
        archive = subprocess.run(command, capture_output=True, check=False)
        if archive.returncode:
            raise SystemExit(
                f"{COMMIT} is not in this clone, so nothing can be compared with it. Fetch the "
                f"whole history: git fetch --unshallow\n{archive.stderr.decode().strip()}"
            )
        shutil.rmtree(source, ignore_errors=True)
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
            tar.extractall(source, filter="data")
        (source / COMMIT).touch()
    return source


def pinned() -> str:
    """The interpreter of an environment with the pinned versions; the first call makes it."""
    folder = FROZEN / "env"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    made_of = folder / PINS.name
    if not made_of.exists() or made_of.read_bytes() != PINS.read_bytes():
        print(f"making {folder.relative_to(CHECKOUT)}, once: some minutes", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "-r", str(PINS)]
        subprocess.run(install, check=True)
        shutil.copy(PINS, made_of)
    return str(python)


class Side:
    """A process that keeps one of the two packages, and answers what its calls answer."""

    def __init__(self, side: str, source: Path, python: str, home: Path) -> None:
        self._source = source
        self._command = [python, str(HERE / "answers" / "calls.py"), side]
        self._environment = {
            **os.environ,
            **ENVIRONMENT,
            "PYTHONPATH": os.pathsep.join([str(source), str(HERE)]),
            "HF_HOME": str(home / side),
            "HF_MODULES_CACHE": str(home / side / "modules"),
        }
        self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self._command,
            cwd=self._source,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        package, self.calls = json.loads(self._line() or "[null, []]")
        if package is None:
            raise SystemExit(f"the calls cannot be imported with the package in {self._source}")
        if Path(package) != self._source.resolve() / "pairedperm":
            raise SystemExit(f"{package} was imported, not the package in {self._source}")

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def ask(self, name: str) -> dict[str, Any]:
        """What the call replies; a process that ends or hangs is told, and started anew."""
        assert self._process.stdin is not None
        timer = threading.Timer(HANGS, self._process.kill)
        timer.start()
        try:
            self._process.stdin.write(json.dumps(name) + "\n")
            self._process.stdin.flush()
            reply: dict[str, Any] = json.loads(self._line() or "null") or {}
        finally:
            timer.cancel()
        if not reply:
            code = self._process.wait()
            self._start()
            ended = {"error": "the process ended", "message": f"exit status {code}"}
            reply = {"answer": ended}
        return reply

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


Replies = dict[str, dict[str, Any]]  # by side and call


def asked(sides: Mapping[str, Side], names: Iterable[str]) -> Replies:
    """Return each side's replies by call; both work at the same time."""
    names = [*names]

    def of(side: Side) -> dict[str, Any]:
        return {name: side.ask(name) for name in names}

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(sides, pool.map(of, sides.values()), strict=True))


def shown(word: str, found: Difference) -> str:
    """Say what differs, of long texts where it begins."""
    before, after = (
        x if isinstance(x, str) else json.dumps(x, ensure_ascii=False)
        for x in (found.old, found.new)
    )
    same = takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))
    start = max(sum(1 for _ in same) - 40, 0) if max(len(before), len(after)) > 160 else 0
    cut = [f"{'…' * (start > 0)}{x[start : start + 160]!r}" for x in (before, after)]
    return f"  {word}: {found.key}\n    old {cut[0]}\n    new {cut[1]}"


def judged(replies: Replies, names: Iterable[str], row: str | None) -> tuple[Counter[str], int]:
    """Print what is not the same, and count words; with a row, take it into the table."""
    table, words, n_shown = Asked.read(), Counter[str](), 0
    for name in names:
        both = [replies[side].get(name, {}).get("answer") for side in ("old", "new")]
        found = [*table.judged(name, *both)]
        words.update({word for word, _ in found} or {"the same"})
        bad = [(word, x) for word, x in found if word in FAILS]
        if bad and row is not None:
            for word, x in bad:
                table.take(name, word, x, row)
        elif bad:
            n_shown += 1
            if n_shown <= SHOWN:
                print(f"\n{name}", *(shown(*x) for x in bad), sep="\n")
    if row is not None:
        table.write()
        return words, 0
    if n_shown > SHOWN:
        print(f"\nand {n_shown - SHOWN} calls more")
    return words, n_shown


def compare(given: argparse.Namespace) -> int:
    """Ask all calls on both sides, and say what is not the same."""
    start = time.perf_counter()
    source = unpacked()
    python = sys.executable if given.installed else pinned()
    with tempfile.TemporaryDirectory(prefix="pairedperm-frozen-") as home:
        sources = {"old": source, "new": CHECKOUT}
        with ThreadPoolExecutor(2) as pool:
            make = (pool.submit(Side, x, sources[x], python, Path(home)) for x in sources)
            sides = dict(zip(sources, [x.result() for x in [*make]], strict=True))
        kept = NAMES.read_text(encoding="utf-8").splitlines()
        calls = sides["old"].calls
        unknown = sorted({*calls} - {*kept})
        chosen = [x for x in kept if re.search(given.only, x)]
        replies = asked(sides, (x for x in chosen if x in {*calls}))
        words, n_bad = judged(replies, chosen, given.list)
        for side in sides.values():
            side.close()
    skipped = [f"{x}: {y['answer']['skipped']}" for x, y in replies["new"].items() if _skips(y)]
    faults = {
        "calls that names.txt has not": unknown,
        "calls that were skipped, though the versions are not pinned": skipped[
            : 9 * given.installed
        ],
    }
    for title, lines in faults.items():
        if lines:
            print(f"\n{title}:", *lines, sep="\n  ")
    told = ", ".join(f"{words[x]} {x}" for x in ("the same", *PASSES, *FAILS) if words[x])
    more = f"; {len(skipped)} were skipped, for a module is missing" if skipped else ""
    print(f"\n{len(chosen)} calls: {told}{more}; {time.perf_counter() - start:.0f} s")
    return int(bool(n_bad or any(faults.values())))


def _skips(reply: dict[str, Any]) -> bool:
    return "skipped" in reply["answer"]


def main() -> int:
    """The command line."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--installed", action="store_true", help="on this interpreter's versions")
    parser.add_argument("--only", default="", metavar="PATTERN", help="calls with such names")
    parser.add_argument("--list", metavar="ROW", help="write what differs, asked for by this row")
    return compare(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
