"""Notes beside a result: what was matched, what was left out, what is assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pairedperm.commands.shell import Shell
from pairedperm.readers.direction import Direction
from pairedperm.readers.examples import Examples
from pairedperm.readers.runs import Runs
from pairedperm.wording import Words, worded


def notes_of(tasks: Mapping[str, Runs], compared: Iterable[Examples]) -> list[str]:
    """Return the notes on a comparison, one per line and each once, as a shell reads them."""
    return [*dict.fromkeys(_notes(tasks, compared))]


def _notes(tasks: Mapping[str, Runs], compared: Iterable[Examples]) -> Iterator[str]:
    for task, runs in tasks.items():
        yield from map(_told, runs.notes)
        where = f"{task}: " if task else ""
        yield from (f"{where}{line}" for line in str(runs.matching).splitlines())
        for system, run in runs.systems.items():
            for metric, what in run.left_out.items():
                if metric not in runs.metrics:
                    why = f"no number per example, but {_told(what)}"
                    yield f"{where}left out: {metric} of {system}: {why}"
    for examples in compared:
        yield from (f"left out: {_told(x)}" for x in examples.unmatched)
        yield from map(_told, examples.doubts)
        if examples.direction.source == "assumed":
            which, other = ("lower", "higher")[:: 1 if examples.direction.lower_is_better else -1]
            yield f"{examples.name}: {which} is better (assumed; or give --{other}-is-better)"
        elif examples.direction == Direction(True, "name"):
            yield f"{examples.name}: lower is better, by its name (or give --higher-is-better)"


def _told(note: Words) -> str:
    return worded(note, Shell(()))
