"""All that is read of logs, as text: the runs, their columns, and what is compared of each metric.

A case is a generator without arguments. It writes files into the current folder, a new one, and
yields what `read` says of them. Its name and docstring say what is particular about them.
"""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from corpora.logs import LOGS
from extras import needs
from folders import inside
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.metrics import compare_examples, flips
from pairedperm.readers.read import compare_all


def _metric(of_task: Any, name: str | None) -> Iterator[str]:
    try:
        found = of_task.examples(name)
        lower, source = found.direction
        better = f"{'lower' if lower else 'higher'} is better ({source})"
        yield f"{name}: {found.metric}, {better}, {len(found.ids)} examples"
        yield from (f"  {x}" for x in (*found.unmatched, *found.doubts))
        if len(found.systems) == 2:
            result = compare_examples(found)
            better = f"{result.n_wins} : {result.n_losses}, of ids {flips(found)}"
            yield f"  {better}, p = {result.pvalue:.6g}"
        yield f"  ranked: {', '.join(of_task.leaderboard(name).scores)}"
    except InputError as error:
        yield f"{name}: {type(error).__name__}: {error}"


def _run(name: str, run: Any) -> Iterator[str]:
    """What is read of a run; nothing of what it does not have."""
    facts = {x: getattr(run, x) for x in ("task", "version", "model", "n_repeats")}
    yield ", ".join([f"\n{name}: {run.format}", *(f"{x} {y}" for x, y in facts.items() if y)])
    facts = {"lower is better": run.lower_is_better, "ids": run.ids}
    facts |= {x: getattr(run, x) for x in ("predictions", "references", "groups")}
    facts["left out"] = {x: str(y) for x, y in run.left_out.items()}
    yield from (f"{x}: {y}" for x, y in facts.items() if y)
    yield from (f"{x}: {' '.join(map(str, y))}" for x, y in run.scores.items())


def _lines(runs: Any, also: Sequence[str | None]) -> Iterator[str]:
    yield str(runs)
    for of_task in runs.tasks.values():
        for name, run in of_task.systems.items():
            yield from _run(name, run)
        yield ""
        are_labels = any(run.predictions for run in of_task.systems.values())
        for metric in dict.fromkeys((*of_task.metrics, *["accuracy"] * are_labels, *also)):
            yield from _metric(of_task, metric)


def read(*paths: Any, door: Any = None, also: Sequence[str | None] = (), **options: Any) -> str:
    """What is read of two logs, or of a folder or several; warnings and a refusal, too.

    `also` are names of metrics beside those that the runs tell; None is any.
    """
    door = door or (read_runs if len(paths) == 2 else read_folder)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            lines = [*_lines(door(*paths, **options), also)]
        except InputError as error:
            lines = [f"{type(error).__name__}: {error}"]
    text = "\n".join([*(f"warning: {x.message}" for x in warned), *lines])
    text = text.replace(str(LOGS), "logs").replace(f"{Path.cwd()}{os.sep}", "")
    return text.replace(os.sep, "/")


def told(*paths: Any, **options: Any) -> str:
    """What is read of logs of `tests/logs`."""
    if "inspect" in paths[0].parts:
        needs("inspect_ai.log", "inspect")
    return read(*paths, on_missing="drop", **options)


def compared(*paths: Any) -> str:
    """All metrics of all tasks, as text and as Markdown."""
    found, _ = compare_all([*read_runs(*paths).tasks.values()])
    return f"{found}\n\n{found.to_markdown()}"


def _in_a_new_folder(case: Callable[[], Iterator[str]]) -> str:
    with TemporaryDirectory() as folder:
        here = Path(folder, "here")
        here.mkdir()
        with inside(here):
            return "\n\n".join(case())


def cases_of(*modules: ModuleType) -> dict[str, Callable[[], str]]:
    """What the cases of these files say, by their names."""
    return {
        name.replace("_", " "): partial(_in_a_new_folder, case)
        for module in modules
        for name, case in vars(module).items()
        if inspect.isgeneratorfunction(case) and case.__module__ == module.__name__
    }
