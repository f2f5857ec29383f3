"""One answer of the page, in a process of its own, which can be ended; and the page's limits."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import matplotlib.backends.backend_agg  # noqa: F401  # so that drawing need not import it

from pairedperm import BudgetError, InputError
from pairedperm.errors import called
from pairedperm.model_card import significance_section
from pairedperm.plots import plot_leaderboard, plot_null_distribution
from pairedperm.readers import read_runs

MAX_BYTES = 100 * 2**20  # of an upload: a million ids and labels take half of that
MAX_EXPANDED = 2**28  # bytes that are read of a file, once it is decompressed
MAX_MEMORY = 2**32  # bytes of an answer: a free Space has 16 GB in all
MAX_PASTED = 2**20  # characters of a text box: more belongs in a file
MAX_SHOWN = 20_000  # characters of an answer: a log can have a hundred thousand metrics
MAX_WAITING = 20  # answers in the queue: each takes seconds
MAX_ASKED = 3  # of these, answers of one session
MAX_SESSIONS = 1_000  # whose answers are kept in memory
DEADLINE = 60  # seconds for an answer
KEPT_FOR = 600  # seconds: time to choose another metric and ask again
SWEPT_EVERY = 10  # seconds between two searches for older uploads
MAX_KEPT = 2**34  # bytes of all uploads: a free Space has 50 GB
MAX_POINTS = 2**22  # for p: some seconds, an eighth of the default
MAX_ARRAYS = 2**28  # bytes
MAX_DRAWN = 2**20  # points of a picture: nobody sees a million

BOXES = ("A", "B", "references")
OPTIONS = ("metric", "average", "pos_label", "lower_is_better", "on_missing")
READING = ("task", "system", "id", "prediction", "reference", "score", "group")  # of files
_OF_METRIC = ("average", "pos_label")
_BETTER = {"True": True, "False": False}
_LATE = (
    f"The answer takes more than {DEADLINE} seconds. `pairedperm compare` on a machine of your own "
    "has no deadline."
)
_ENDED = "The comparison ended without an answer, or needs more memory than it may have here."
idle: list[subprocess.Popen[str]] = []


def ask(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `answer` tells in another process, or why it told nothing.

    `section` is the card's; `null` and `interval` are pictures, as PNG. An error is a `text` alone.
    """
    for name in BOXES:
        given = asked[name] or ""
        is_text = isinstance(given, str)
        if name != "references" and not (given.strip() if is_text else given):
            return {"text": f"{name} is missing."}
        if not is_text and not all(map(os.path.isfile, given)):
            return {"text": f"{name} is missing: uploads are kept for {KEPT_FOR // 60} minutes."}
        if len(given) > MAX_PASTED:
            return {"text": f"{name} has more than {MAX_PASTED:,} characters: upload files."}
    process = idle.pop() if idle else started()
    with tempfile.TemporaryDirectory() as folder:
        try:
            process.communicate(json.dumps({**asked, "folder": folder}), timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            return {"text": _LATE}
        finally:
            process.kill()
            process.wait()
            make_ready()
        told = Path(folder, "answer.json")
        if not told.is_file():
            return {"text": _ENDED}
        pictures = {x.stem: x.read_bytes() for x in Path(folder).glob("*.png")}
        return {**json.loads(told.read_text("utf-8")), **pictures}


def make_ready() -> None:
    """Start the process of the next answer, so that nobody waits for its imports."""
    idle.append(started())


def started() -> subprocess.Popen[str]:
    """Start a process that reads a question and answers it."""
    own = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}  # with the wheel of a Space
    command = [sys.executable, __file__]
    return subprocess.Popen(command, stdin=subprocess.PIPE, encoding="utf-8", env=own)


def answer(asked: Mapping[str, Any]) -> dict[str, str]:
    """Return what is printed of a comparison, and the section for a card; write its pictures.

    Files are put into the current folder, so that messages name no other one.

    Raises
    ------
    InputError, BudgetError, ImportError
        If the files cannot be read or compared.
    """
    given = {x: asked[x] or "" for x in BOXES}
    path1, path2, references = _tables(given) if isinstance(given["A"], str) else _files(given)
    reading = {x: asked[x] for x in (*READING, "on_missing") if asked.get(x)}
    with called({"path1": "A", "path2": "B"}), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", UserWarning)
        runs = read_runs(path1, path2, references=references, max_bytes=MAX_EXPANDED, **reading)
        options: dict[str, Any] = {
            "metric": asked["metric"] or None,
            "lower_is_better": _BETTER.get(asked["lower_is_better"]),
            "metric_options": {x: asked[x] for x in _OF_METRIC if asked[x]},
            "rng": 0,  # the default of the command line: the same files get the same answer
            "budget": {"max_points": MAX_POINTS, "max_bytes": MAX_ARRAYS},
        }
        result = runs.compare(**options)
        name1, name2 = runs.systems
        section = significance_section(result, name1=name1, name2=name2, dataset=runs.task or None)
        notes = dict.fromkeys(str(x.message) for x in said)  # without those of the pictures
        _draw("null.png", lambda: plot_null_distribution(result, budget={"max_points": MAX_DRAWN}))
        _draw("interval.png", lambda: plot_leaderboard(runs.leaderboard(**options)))
    said = result.told([*runs.systems]).sentences
    return {"text": "\n".join([str(runs), *said, *notes]), "section": section}


def _files(given: Mapping[str, Sequence[str]]) -> list[str | None]:
    """Place uploads under their own names, in a folder for each box; return where they are."""
    found: list[str | None] = []
    for name, paths in given.items():
        places = [Path(name, Path(x).name) for x in paths]
        if len({*places}) < len(places):  # of a run that has a folder for each example
            places = [Path(name, f"{k}", x.name) for k, x in enumerate(places)]
        for path, place in zip(paths, places, strict=True):
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
        found.append(name if len(places) > 1 else next(map(str, places), None))
    return found


def _tables(given: Mapping[str, str]) -> list[str | None]:
    """Write the lines of each box into a table, whose ids are their numbers."""
    column = "prediction" if given["references"].strip() else "score"
    found: list[str | None] = []
    for name, text in given.items():
        lines = [x.strip() for x in text.rstrip().split("\n")]
        with open(f"{name}.csv", "w", encoding="utf-8", newline="") as opened:
            header = "id", "reference" if name == "references" else column
            csv.writer(opened).writerows([header, *enumerate(lines, 1)])
        found.append(f"{name}.csv" if text.strip() else None)
    return found


def _draw(name: str, plot: Callable[[], Any]) -> None:
    """Write a picture, or none of what is too large to draw."""
    with suppress(BudgetError):
        plot().savefig(name, dpi=200)


def _limit_memory() -> None:
    """Limit what this process may take, where the system can."""
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))


def main() -> None:
    """Answer the one question on standard input."""
    asked = json.loads(sys.stdin.read() or "null")
    if asked is None:  # the server has ended
        return
    tempfile.tempdir = asked["folder"]
    os.chdir(asked["folder"])
    _limit_memory()
    try:
        told = answer(asked)
    except (InputError, BudgetError, ImportError) as error:
        told = {"text": str(error)}
    Path("answer.json").write_text(json.dumps({**told, "text": told["text"][:MAX_SHOWN]}))


if __name__ == "__main__":
    main()
