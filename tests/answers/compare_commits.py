"""Do two commits answer alike? All calls on both, compared bit for bit.

``python tests/answers/compare_commits.py BEFORE [AFTER]`` compares two git revisions, or one with
the working tree; the calls are the working tree's. It prints each call whose answer differs, and
fails if one does that `CHANGED` does not list. ``--store [REVISION]`` writes answers.json.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from answers.difference import first_difference, stored_form

# What was changed on purpose: the name of a call, or the tag of several, and why.
CHANGED: dict[str, str] = {}

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
STORED = HERE / "answers.json"
FOLDERS = ("pairedperm", "metrics")
ENVIRONMENT = {  # the same on both sides
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "HF_EVALUATE_OFFLINE": "1",
    "HF_HUB_OFFLINE": "1",
}

Answers = dict[str, Any]


def answers_of(revision: str | None) -> Answers:
    """The answers to all calls by name, of a revision or, if it is None, of the working tree."""
    with tempfile.TemporaryDirectory(prefix="pairedperm-answers-") as name:
        folder = Path(name).resolve() / "checkout"
        folder.mkdir()
        _export(revision, folder)
        home = Path(name, "home")
        own = {
            "PYTHONPATH": os.pathsep.join([str(folder), str(HERE.parent)]),
            "HF_HOME": str(home),
            "HF_MODULES_CACHE": str(home / "m"),
        }
        printed = subprocess.run(
            [sys.executable, str(HERE / "calls.py")],
            env={**os.environ, **ENVIRONMENT, **own},
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            check=False,
        )
        package, *lines = map(json.loads, printed.stdout.splitlines() or ["null"])
        if package is not None and Path(package) != folder / "pairedperm":
            raise SystemExit(f"{package} was imported instead of the package in {folder}.")
        if printed.returncode:
            raise SystemExit(
                f"the calls on {_spelled(revision)} failed after {len(lines)} answers."
            )
    return dict(lines)


def compared(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    changed: Mapping[str, str],
    tags: Mapping[str, str],
) -> Iterator[tuple[str, str, str | None]]:
    """Of each call whose answers differ its name, how they do, and why they may; None if not."""
    for name, answer in before.items():
        difference = first_difference(answer, after[name])
        if difference is not None:
            key, one, other = difference
            if ("error" in answer) is not ("error" in after[name]):
                key, one, other = "value or error", answer, after[name]
            how = f"{key}\n    before {json.dumps(one)}\n    after  {json.dumps(other)}"
            yield name, how, changed.get(name, changed.get(tags.get(name, "")))


def _export(revision: str | None, folder: Path) -> None:
    """The package and the modules' scripts as they are there."""
    if revision is None:
        for name in FOLDERS:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(CHECKOUT / name, folder / name, ignore=ignored)
        return
    command = ["git", "-C", str(CHECKOUT), "archive", revision, *FOLDERS]
    archive = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if archive.returncode:
        raise SystemExit(archive.returncode)
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as tar:
        tar.extractall(folder, filter="data")


def _spelled(revision: str | None) -> str:
    return "the working tree" if revision is None else revision


def _store(answers: Answers) -> str:
    """Write what holds on any machine, a line a call; what was skipped stays as it is."""
    from answers.calls import CALLS

    before = json.loads(STORED.read_text(encoding="utf-8"))
    kept = {call.name: stored_form(answers[call.name]) for call in CALLS if call.is_kept}
    skipped = [name for name, answer in kept.items() if "skipped" in answer]
    for name in skipped:
        if name not in before:
            raise SystemExit(f"not stored: {name!r} {kept[name]['skipped']}.")
        kept[name] = before[name]
    lines = (
        f"{json.dumps(name)}: {json.dumps(answer, ensure_ascii=False)}"
        for name, answer in kept.items()
    )
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    stay = f", {len(skipped)} of them as they were, for a module is missing" if skipped else ""
    return f"{len(kept)} of {len(answers)} answers stored in {STORED.name}{stay}."


def main() -> int:
    """The command line; the exit status is 1 if a call differs that may not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", nargs="?", help="a git revision")
    parser.add_argument("after", nargs="?", help="another; without it the working tree")
    parser.add_argument("--store", action="store_true", help="write answers.json")
    given = parser.parse_args()
    if given.store:
        print(_store(answers_of(given.before)))
        return 0
    if given.before is None:
        parser.error("name a revision to compare with.")
    sides = []
    for revision in (given.before, given.after):
        start = time.perf_counter()
        sides.append(answers_of(revision))
        print(
            f"{_spelled(revision)}: {len(sides[-1])} calls in {time.perf_counter() - start:.1f} s"
        )
    from answers.calls import CALLS

    found = list(compared(sides[0], sides[1], CHANGED, {call.name: call.tag for call in CALLS}))
    unlisted = f"NOT ON PURPOSE; if it is, say why in CHANGED of {Path(__file__).name}"
    for name, how, why in found:
        print(f"\n{name}: {how}\n    " + (f"on purpose: {why}" if why else unlisted))
    n, n_skipped = len(sides[0]), sum("skipped" in answer for answer in sides[0].values())
    n_bad = sum(why is None for _, _, why in found)
    listed = f"{n_bad} of them not listed" if n_bad else "all listed as changed on purpose"
    print(
        f"\n{n} calls, {n - len(found)} the same, {len(found)} differ"
        + (f" ({listed})" if found else "")
        + (f"; {n_skipped} were skipped, for a module is missing" if n_skipped else "")
    )
    return int(n_bad > 0)


if __name__ == "__main__":
    sys.exit(main())
