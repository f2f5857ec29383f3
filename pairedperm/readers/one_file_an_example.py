"""Runs of which each example is a file of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pairedperm.readers.repeats import with_repeats
from pairedperm.readers.run import Run
from pairedperm.readers.text_file import TextFile


def folder_of_run(file: TextFile) -> TextFile:
    """Return the folder of the run that a file holds an example of, ``<run>/<example>/<file>``."""
    return file.within(file.source.parent.parent)


def whole_runs(runs: Iterable[Run]) -> list[Run]:
    """Bring the examples of a run together: their files tell its folder as their path."""
    parts: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        parts.setdefault((run.path, run.format, run.task, run.model), []).append(run)
    return [_joined(some) if len(some) > 1 else some[0] for some in parts.values()]


def _joined(runs: Sequence[Run]) -> Run:
    """Return the run of all examples; those that share an id are repeats."""
    metrics = dict.fromkeys(x for run in runs for x in run.scores)
    joined = replace(
        runs[0],
        ids=[x for run in runs for x in run.ids],
        scores={
            name: [x for run in runs for x in run.scores.get(name, [None] * len(run.ids))]
            for name in metrics
        },
        documents=[x for run in runs for x in run.documents or [None] * len(run.ids)],
        prompts=None,
        left_out={name: what for run in runs for name, what in run.left_out.items()},
        lower_is_better={x: y for run in runs for x, y in run.lower_is_better.items()},
    )
    return with_repeats(joined)
