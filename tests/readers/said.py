"""What the logs of `tests/logs` say, and how runs and their comparisons are printed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from corpora.logs import GATE, LOGS, SYSTEMS, every_eval_ever, inspect, lm_eval, log
from extras import needs
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.read import compare_all

FOLDERS = [next(LOGS.glob(f"lm_eval/*{x}")) for x in SYSTEMS]


def _lines(runs: Any) -> Iterator[str]:
    yield str(runs)
    for of_task in runs.tasks.values():
        for name, run in of_task.systems.items():
            yield f"\n{name}: {run.format}, task {run.task!r}, version {run.version!r}"
            yield f"better: {run.lower_is_better}, repeats: {run.n_repeats}"
            yield f"left out: { {x: str(y) for x, y in run.left_out.items()} }"
            yield f"ids: {run.ids}"
            yield from (f"{x}: {' '.join(map(str, y))}" for x, y in run.scores.items())


def told(*paths: Path, **options: Any) -> str:
    """The runs, and all that is read of each."""
    if "inspect" in paths[0].parts:
        needs("inspect_ai.log", "inspect")
    read = read_runs if len(paths) == 2 else read_folder
    text = "\n".join(_lines(read(*paths, on_missing="drop", **options)))
    return text.replace(str(LOGS), "logs").replace(os.sep, "/")


def compared(*paths: Path) -> str:
    """All metrics of all tasks, as text and as Markdown."""
    found, _ = compare_all([*read_runs(*paths).tasks.values()])
    return f"{found}\n\n{found.to_markdown()}"


def log_of(pattern: str) -> partial[str]:
    """What a log says beside itself."""
    return partial(told, log(pattern), log(pattern))


EVAL = {
    f"{task} by {tool}": partial(told, *(every_eval_ever(x, tool, task) for x in SYSTEMS[:2]))
    for tool, task in (("lm_eval", "tumors"), ("inspect", "tumors"), ("inspect", "tumors_sampled"))
}
FAILED = "decision_tree", "naive_bayes"
SAID = {
    "lm_eval": partial(told, *FOLDERS[:2]),
    "lm_eval, half": partial(told, *(lm_eval(x) for x in ("decision_tree", "qdpv68r5"))),
    "lm_eval, published": log_of("published/lm_eval/samples_*"),
    **{f"every_eval_ever, {x}": y for x, y in EVAL.items()},
    "every_eval_ever, a folder": partial(
        told, *(LOGS / "every_eval_ever/lm_eval/findings/scikit-learn" / x for x in SYSTEMS[:2])
    ),
    "every_eval_ever, errors": partial(told, *(every_eval_ever(x, "inspect") for x in FAILED)),
    "every_eval_ever, published": log_of("published/every_eval_ever/*_samples.jsonl"),
    "inspect, errors": partial(told, *map(inspect, FAILED)),
    "inspect, JSON": partial(told, *(inspect(x, ending="json") for x in SYSTEMS[:2])),
    "inspect, epochs": partial(told, *(inspect(x, "tumors-sampled") for x in SYSTEMS[:2])),
    "promptfoo": partial(told, LOGS / "promptfoo"),
    "deepeval": log_of("deepeval/*"),
    "harbor": log_of("harbor/*"),
    "trec_eval": partial(told, LOGS / "trec_eval"),
    "swe_bench": partial(told, LOGS / "swe_bench"),
    "comparisons": partial(compared, GATE / "baseline", GATE / "worse"),
    "comparisons without a task": partial(compared, *sorted(LOGS.glob("trec_eval/*"))),
    "comparisons of tasks": partial(compared, *FOLDERS[:2]),
}
