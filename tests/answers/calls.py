"""Calls of the whole public interface, whose answers a change of the code's form must keep.

As a script, which frozen.py runs, it answers requests for a side, "old" or "new": a line of JSON
for each, after one that says which package was imported, and which calls there are.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path

from answers.answer import PACKAGE, Call, answer_of

FILES = sorted(Path(__file__).parent.glob("calls_of_*.py"))
CALLS: list[Call] = [
    call for path in FILES for call in importlib.import_module(f"answers.{path.stem}").CALLS
]


def serve(side: str) -> None:
    """Answer requests, a line of JSON each: the name of a call."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a call prints is no reply
    by_name = {call.name: call for call in CALLS}
    print(json.dumps([str(PACKAGE), [*by_name]]), file=replies, flush=True)
    for line in sys.stdin:
        found = {"answer": answer_of(by_name[json.loads(line)], side == "new")}
        print(json.dumps(found, ensure_ascii=False), file=replies, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
