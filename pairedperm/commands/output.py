"""Commands: what they print of their results, and the files that it is written to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from json import dumps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from pairedperm.commands.flags import Flags, flag, in_flags
from pairedperm.errors import InputError, counted, printable
from pairedperm.inputs.files import why, write_whole
from pairedperm.readers.log import no_numbers
from pairedperm.readers.metrics import Direction, Examples
from pairedperm.readers.tasks import Runs
from pairedperm.results.told import Told, escaped, markdown, text, wrapped

_Asked = TypeVar("_Asked", bound=Flags)


class Output(NamedTuple):
    """The text that a command prints, and its exit code."""

    text: str
    code: int = 0


def command(flags: type[_Asked]) -> Callable[[Callable[[_Asked], Output]], click.Command]:
    """Return a decorator that makes a command of a function of such a record."""

    def decorated(run: Callable[[_Asked], Output]) -> click.Command:
        @wraps(run)
        def callback(**given: Any) -> Output:
            return run(flags.of(given))

        return click.command(params=[*flags.parameters()])(callback)

    return decorated


@dataclass(frozen=True, kw_only=True)
class JsonOrMarkdown(Flags):
    """Whether a command prints JSON or Markdown, and not text."""

    json: bool = flag("Print the full result as JSON.")
    markdown: bool = flag("Print the result as Markdown.")

    def __post_init__(self) -> None:
        if self.json and self.markdown:
            raise click.UsageError("--json and --markdown: choose one.")


@dataclass(frozen=True)
class Page:
    """A result, and what a command says beside it in each form."""

    result: Any
    title: str = ""
    notes: Sequence[str] | None = None
    """None for a result of no logs."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """The keys that stand in JSON before those of the result."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    """The arguments of what the result tells: the names, and for a pair the level and the data."""

    def told(self) -> Told:
        """Return what the result tells."""
        told: Told = self.result.told(**self.asked)
        return told

    def json(self) -> dict[str, Any]:
        """Return what stands in JSON."""
        facts = dict(self.facts)
        if self.notes is not None:
            facts.setdefault("matching", [*self.notes])
        return {**facts, **self.result.to_dict()}

    @property
    def above(self) -> list[str]:
        """The title, if there is one, and the notes."""
        return [*filter(None, (self.title, *(self.notes or ())))]

    def text(self) -> str:
        """Return the title and the notes, and the result below a blank line."""
        above = f"{wrapped(self.above)}\n\n" if self.above else ""
        return f"{above}{text(self.told())}"

    def markdown(self) -> str:
        """Return the result, and the notes as a list below it."""
        return f"{markdown(self.told())}\n{as_list(self.notes or ())}"


def present(
    shown: Page | Sequence[Page],
    *above: str,
    json: bool = False,
    markdown: bool = False,
    code: int = 0,
) -> Output:
    """Return what a command prints: one result, or several, below notes that concern them all."""
    pages = [shown] if isinstance(shown, Page) else shown
    if json:
        stored = [page.json() for page in pages]
        told = stored[0] if isinstance(shown, Page) else stored
        return Output(dumps(told, indent=2, allow_nan=False), code)  # NaN is no JSON
    texts = [page.markdown() if markdown else page.text() for page in pages]
    if above:
        texts.insert(0, as_list(above) if markdown else "\n".join(above))
    return Output("\n\n".join(texts), code)


def as_list(notes: Iterable[str]) -> str:
    """Return the notes as a Markdown list."""
    return "\n".join(f"- {escaped(' '.join(note.split()))}" for note in notes)


def write_text(path: Path, text: str, inputs: Iterable[str | Path | None] = ()) -> None:
    """Write a whole file, or nothing.

    Raises
    ------
    InputError
        If the path is an input, is inside an input, is a folder, or cannot be written.
    """
    shown = check_place(path, inputs)
    try:
        write_whole(path, text.encode("utf-8", "replace"))
    except OSError as error:
        what, remedy = f"{shown} cannot be written: {why(error)}", "Name another file"
        raise InputError(what, remedy=remedy) from error


def check_place(path: Path, inputs: Iterable[str | Path | None]) -> str:
    """Return the path as messages show it, if a file may be written there.

    Raises
    ------
    InputError
        If the path is an input, is inside an input, or is a folder, a pipe, a socket or a device.
    """
    shown = printable(str(path))
    real = Path(os.path.realpath(path))
    for given in inputs:
        if given is not None and real.is_relative_to(os.path.realpath(given)):
            raise InputError(
                f"{shown} is an input, or in an input folder", remedy="Name another file"
            )
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "a pipe, a socket or a device"
        raise InputError(f"{shown} is {what}", remedy="name a file to write")
    return shown


def notes_of(tasks: Mapping[str, Runs], compared: Iterable[tuple[str, Examples]]) -> list[str]:
    """Return the notes on a comparison, one per line and each once, as a shell reads them.

    `compared` has the task of each of the examples.
    """
    return [*dict.fromkeys(_lines_of(tasks, compared))]


def notes_together(
    tasks: Mapping[str, Runs], compared: Iterable[tuple[str, Examples]]
) -> list[str]:
    """Return the notes on several tasks; those of which all examples match by id share one."""
    named = ((f"{task}: {x.matching}" if task else str(x.matching), x) for task, x in tasks.items())
    whole = {line: x for line, x in named if "\n" not in line and x.matching.by == "id"}
    notes = [x for x in notes_of(tasks, compared) if x not in whole]
    if whole:
        n = sum(len(runs.ids) for runs in whole.values())
        together = f"{counted(len(whole), 'task')}: {counted(n, 'example')} matched by id"
        notes.insert(0, together)
    return notes


def _lines_of(tasks: Mapping[str, Runs], compared: Iterable[tuple[str, Examples]]) -> Iterator[str]:
    for task, runs in tasks.items():
        yield from map(in_shell, runs.notes)
        where = f"{task}: " if task else ""
        yield from (f"{where}{line}" for line in str(runs.matching).splitlines())
        yield from (
            f"{where}left out: {in_shell(x)}" for x in no_numbers(runs.systems, runs.metrics)
        )
    for task, examples in compared:
        where = f"{task}: " if task else ""
        yield from (f"{where}left out: {in_shell(x)}" for x in examples.unmatched)
        yield from (f"{where}{in_shell(x)}" for x in examples.notes)
        yield from map(in_shell, examples.doubts)
        if examples.direction.source == "assumed":
            which, other = examples.direction.words
            yield f"{examples.name}: {which} is better (assumed; or give --{other}-is-better)"
        elif examples.direction == Direction(True, "name"):
            yield f"{examples.name}: lower is better, by its name (or give --higher-is-better)"


def in_shell(note: object) -> str:
    """Return a note in the words of a shell."""
    return in_flags(str(note), ("weights",))
