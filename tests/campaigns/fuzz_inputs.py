"""A campaign of hostile values over every public function, module, reader and card.

``python tests/campaigns/fuzz_inputs.py --calls 200000``: each call is a function of the seed and
its number. The calls are made in a process of their own, in a temporary directory, offline.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom
from typing import Any

if __name__ == "__main__":
    tests = Path(__file__).resolve().parents[1]
    sys.path[:0] = [str(tests), str(tests.parent)]  # this checkout's package

_GRACE = 15.0  # seconds beyond a call's limit, after which its process is ended
_OWN_FAULT = "a traceback"
_START = 120.0  # seconds a process may take to begin


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign; the exit status is 1 if there is a new finding, or a mended one."""
    options = _parsed(arguments)
    if options.journal:  # the process that makes the calls
        from campaigns.inputs.fuzz_run import batches

        batches(options, sys.stdout)
        return 0
    if options.here:
        return _here(options)
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="pairedperm-fuzz-", ignore_cleanup_errors=True) as home:
        environment = _environment(Path(home))
        command = [sys.executable, __file__, *(arguments or sys.argv[1:]), f"--seed={options.seed}"]
        run: dict[str, Any] = {"env": environment, "cwd": Path(home, "here")}
        if options.only is not None or options.check_findings:
            return subprocess.run([*command, "--here"], check=False, **run).returncode
        return _campaign(options, command, run)


def _here(options: argparse.Namespace) -> int:
    """What is asked for in this process, which is in its temporary directory."""
    from campaigns.inputs.fuzz_run import check_findings, prepare, show_only

    if options.only is not None:
        return show_only(options.seed, options.only, options.limit)
    prepare()
    stale = check_findings()
    print("\n".join(stale) or "Every finding still shows.")
    return int(bool(stale))


def _campaign(options: argparse.Namespace, command: list[str], run: dict) -> int:
    from campaigns.inputs.fuzz_report import Report

    report, begin = Report(options.seed), time.time()
    until = begin + options.seconds if options.seconds else float("inf")
    calls = options.calls or (10**9 if options.seconds else 200_000)
    command = [*command, f"--until={until}", f"--calls={calls}"]
    watch(command, run, report, calls, until, options.limit)
    seconds = time.time() - begin
    found = subprocess.run(
        [*command, "--check-findings", "--here"],
        check=False,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        **run,
    )
    if found.returncode:
        report.stale += found.stdout.splitlines() or ["the findings could not be checked"]
    print(report.summary(seconds))
    return int(report.fails)


def watch(
    command: list[str],
    run: dict,
    report,
    calls: int,
    until: float,
    limit: float,
) -> None:
    """Run the command that makes the calls again and again, behind each call that ends it."""
    start = 0
    skip: list[int] = []
    while start < calls and time.time() < until:
        journal = Path(run["cwd"]).parent / "journal"
        journal.unlink(missing_ok=True)
        more = [f"--journal={journal}", f"--first={start}", *(f"--skip={x}" for x in skip)]
        process = subprocess.Popen(
            [*command, *more], stdout=subprocess.PIPE, encoding="utf-8", **run
        )
        start, how = _followed(process, journal, report, start, limit)
        if not how:
            return
        if how == _OWN_FAULT:
            raise RuntimeError("the campaign itself fails: see above.")
        if not journal.exists():
            raise RuntimeError(f"the process that makes the calls does not start: {how}")
        index, function, source = journal.read_text("utf-8").strip().split("\t", 2)
        report.add_dead(int(index), function, source, how)
        skip.append(int(index))


def _followed(process, journal: Path, report, start: int, limit: float) -> tuple[int, str]:
    """Read batches until the process ends; the next index, and how the process ended."""
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        with process.stdout:
            for line in process.stdout:
                lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    at, since = "", time.time()
    while True:
        try:
            line = lines.get(timeout=0.5)
        except queue.Empty:
            now = journal.read_text("utf-8") if journal.exists() else ""
            if now != at:
                at, since = now, time.time()
            if time.time() - since > (limit * 4 + _GRACE if at else _START):
                process.kill()
                process.wait()
                return start, "hangs, and cannot be interrupted"
            continue
        if line is None:
            code = process.wait()
            how = f"ends its process with status {code}" if code else ""
            return start, _OWN_FAULT if code == 1 else how
        batch = json.loads(line)
        start = batch["next"]
        report.add(batch)


def _environment(home: Path) -> dict[str, str]:
    """The environment variables of an offline process that writes only below `home`."""
    for name in ("here", "tmp", "hub"):
        (home / name).mkdir()
    environment = {k: x for k, x in os.environ.items() if k != "HF_MODULES_CACHE"}
    return environment | {
        "HF_HOME": str(home / "hub"),
        "TMPDIR": str(home / "tmp"),
        "HOME": str(home),
        "HF_EVALUATE_OFFLINE": "1",
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
    }


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, help="how many calls; 200,000")
    parser.add_argument("--seconds", type=float, help="stop after these instead")
    parser.add_argument("--seed", type=int, help="a fresh one unless given")
    parser.add_argument("--only", type=int, metavar="INDEX", help="make this call alone, in full")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds that a call may take")
    parser.add_argument("--memory", type=int, default=2**33, help="bytes of address space")
    parser.add_argument("--check-findings", action="store_true", help="do the known ones show?")
    for name in ("--here", "--journal", "--first", "--until"):  # between the two processes
        kind: dict[str, Any] = {"action": "store_true"} if name == "--here" else {}
        kind |= (
            {"type": {"--first": int, "--until": float}[name]}
            if name in ("--first", "--until")
            else {}
        )
        parser.add_argument(name, help=argparse.SUPPRESS, **kind)
    parser.add_argument("--skip", type=int, action="append", default=[], help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.seed is None:
        options.seed = SystemRandom().randrange(2**32)
    return options


if __name__ == "__main__":
    assert isinstance(sys.stdout, io.TextIOWrapper)
    sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main())
