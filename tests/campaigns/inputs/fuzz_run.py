"""The process that makes the calls: in batches, each reported in a line of JSON."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import datasets
import evaluate

import pairedperm
from campaigns.inputs import findings
from campaigns.inputs.fuzz_attempt import attempt, of_index
from campaigns.inputs.fuzz_call import Call, Failure

_BATCH = 50


def prepare(max_bytes: int | None = None) -> None:
    """Limit this process, register the modules and hide progress bars."""
    if max_bytes:
        with contextlib.suppress(ImportError, ValueError, OSError):
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
    pairedperm.register()
    datasets.disable_progress_bars()
    evaluate.logging.set_verbosity_error()
    datasets.logging.set_verbosity_error()
    logging.getLogger("filelock").setLevel(logging.ERROR)


def run_here(
    seed: int,
    start: int,
    end: int,
    *,
    skip: tuple[int, ...] = (),
    journal: Path | None = None,
    limit: float = 20.0,
    until: float = float("inf"),
) -> Iterator[dict[str, Any]]:
    """Make the calls from `start` to `end`: after each batch, what there is to report."""
    seen: set[tuple[str, ...]] = set()
    counts: Counter[str] = Counter()
    failed: list[dict[str, Any]] = []
    with _written(journal) as note:
        for index in range(start, end):
            if index in skip:
                continue
            call = of_index(seed, index)
            note(index, call)
            outcome = attempt(call, limit)
            if isinstance(outcome, Failure):
                finding = findings.recognised(outcome)
                outcome_name = "known" if finding else "new"
                if finding:
                    counts[f"finding|{finding.name}"] += 1
                else:
                    if outcome.group not in seen and "too long" not in outcome.kind:
                        outcome = minimised(outcome, limit)
                    seen.add(outcome.group)
                    failed.append(described(outcome, index))
                outcome = outcome_name
            counts[f"{call.function}|{outcome}"] += 1
            if (index + 1 - start) % _BATCH == 0 or index + 1 == end or time.time() > until:
                yield {"next": index + 1, "counts": dict(counts), "failures": failed}
                counts, failed = Counter(), []
                if time.time() > until:
                    return


def minimised(failure: Failure, limit: float) -> Failure:
    """The failure with as few hostile arguments as show it."""
    smaller = True
    while smaller:
        smaller = False
        for call in failure.call.simplified():
            found = attempt(call, limit)
            if isinstance(found, Failure) and found.group == failure.group:
                failure, smaller = found, True
                break
    return failure


def described(failure: Failure, index: int) -> dict[str, Any]:
    """A failure in plain data."""
    lines = [x.strip()[:160] for x in failure.trace.splitlines()]
    frames = [x for x in lines if x.startswith("File") and "/pairedperm/" in x]
    return {
        "index": index,
        "group": list(failure.group),
        "call": failure.call.shortened(),
        "message": failure.message,
        "frames": frames[-3:],
    }


def batches(arguments: Any, output: TextIO) -> None:
    """As `run_here` in a process that is watched."""
    prepare(arguments.memory)
    for report in run_here(
        arguments.seed,
        arguments.first,
        arguments.calls,
        skip=tuple(arguments.skip),
        journal=Path(arguments.journal),
        limit=arguments.limit,
        until=arguments.until,
    ):
        print(json.dumps(report), file=output, flush=True)


@contextlib.contextmanager
def _written(journal: Path | None) -> Iterator[Any]:
    """A function that writes which call is being made."""
    if journal is None:
        yield lambda index, call: None
        return
    descriptor = os.open(journal, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        yield lambda index, call: os.pwrite(descriptor, _noted(index, call), 0)
    finally:
        os.close(descriptor)


def _noted(index: int, call: Call) -> bytes:
    """The call's number, its function and its source, of a fixed length."""
    text = "\t".join((str(index), call.function, str(call)[:2000]))
    return text.encode("ascii", "backslashreplace")[:4000].ljust(4000)


def show_only(seed: int, index: int, limit: float) -> int:
    """Make one call, and print all there is to see of it."""
    prepare()
    call = of_index(seed, index)
    print(call)
    outcome = attempt(call, limit)
    if not isinstance(outcome, Failure):
        print(f"The call is {outcome}.")
        return 0
    print(outcome.trace)
    smallest = minimised(outcome, limit)
    print(f"{outcome.kind} in {outcome.place}. Smaller: {smallest.call.shortened()}")
    finding = findings.recognised(outcome)
    print(f"This is the known finding {finding.name!r}." if finding else "This is a new finding.")
    return 0 if finding else 1


def check_findings() -> list[str]:
    """What to say of the findings whose reproducer does not show the fault any more."""
    stale = []
    for finding in findings.FINDINGS:
        if finding.kind.startswith("ends its process"):
            if not _ends_its_process(finding.reproducer):
                stale.append(f"finding {finding.name!r} is mended: delete it")
            continue
        outcome = attempt(finding.reproducer, finding.seconds)
        if not isinstance(outcome, Failure):
            stale.append(f"finding {finding.name!r} is mended ({outcome}): delete it")
        elif findings.recognised(outcome) is not finding:
            stale.append(f"finding {finding.name!r} shows as another: {outcome.said()}")
    return stale


def _ends_its_process(call: Call) -> bool:
    child = os.fork()
    if not child:
        attempt(call)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return status != 0
