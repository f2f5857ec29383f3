"""Calls of the whole public interface, whose answers a change of the code's form must keep.

As a script, which frozen.py runs, it answers requests for a side, "old" or "new": a line of JSON
for each, after one that says which package was imported, and which calls there are.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

from answers.answer import PACKAGE, Call, answer_of

FILES = sorted(Path(__file__).parent.glob("calls_of_*.py"))
CALLS: list[Call] = [
    call for path in FILES for call in importlib.import_module(f"answers.{path.stem}").CALLS
]


def replied(call: Call, is_new: bool, with_memory: bool) -> dict[str, Any]:
    """The answer with its seconds of this process, or with the most bytes that it took."""
    if with_memory:
        tracemalloc.start()  # of what was allocated before nothing counts
        answer_of(call, is_new)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return {"peak": peak}
    start = time.process_time()
    answer = answer_of(call, is_new)
    return {"answer": answer, "seconds": time.process_time() - start}


def serve(side: str) -> None:
    """Answer requests, a line of JSON each: what to measure, and the name of the call."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a call prints is no reply
    by_name = {call.name: call for call in CALLS}
    gc.collect()
    gc.freeze()  # what is imported stays: no collection of garbage looks at it
    print(json.dumps([str(PACKAGE), [*by_name]]), file=replies, flush=True)
    for line in sys.stdin:
        what, name = json.loads(line)
        found = replied(by_name[name], side == "new", what == "memory")
        print(json.dumps(found, ensure_ascii=False), file=replies, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
