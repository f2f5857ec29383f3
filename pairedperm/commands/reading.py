"""The options that say which logs are read and how."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import click

from pairedperm.commands.option import Command, declared_option, option
from pairedperm.errors.wording import called
from pairedperm.readers.comparisons import compare_all
from pairedperm.readers.examples import Examples
from pairedperm.readers.formats import FORMATS
from pairedperm.readers.read import read_names
from pairedperm.readers.runs import Runs
from pairedperm.readers.table import Names
from pairedperm.readers.tasks import Reading, only_task, read_systems, read_tasks
from pairedperm.scoring.call_options import metric_options

_OF_LABELS = ("pos_label", "labels")  # options whose values are labels, of the references' type

_METRIC = (
    option(
        "--metric",
        metavar="NAME",
        help="A metric in the logs; or, for predictions, one such as accuracy or f1.",
    ),
    option(
        "-o",
        "--option",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of a metric of predictions, such as average=macro.",
    ),
    option(
        "--lower-is-better/--higher-is-better",
        default=None,
        help="Which scores of a logged metric are better. By default, the log or its name tells.",
    ),
)
_READING = (
    declared_option(
        Reading, "task", metavar="NAME", help="The task to compare, if the logs hold several."
    ),
    declared_option(
        Reading,
        "format",
        metavar="NAME",
        help=(
            f"The format of the logs: {', '.join(FORMATS)}. By default, file names and first "
            "lines tell."
        ),
    ),
    option(
        "--references",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="A table of ids and references, for logs without references.",
    ),
    declared_option(
        Reading,
        "on_missing",
        help=(
            "What to do with ids that a log lacks or that do not match: stop, or drop and list "
            "them."
        ),
    ),
    declared_option(Reading, "repeats", help="Average the lines of a table that share an id."),
    *(
        option(
            f"--{name}",
            default=name,
            show_default=True,
            metavar="COLUMN",
            help=f"The table column of {what}.",
        )
        for name, what in (
            ("id", "the example ids"),
            ("prediction", "the predictions"),
            ("reference", "the references (right answers)"),
            ("group", "the groups, which are swapped as a whole. Only tables have it"),
        )
    ),
    option(
        "--score",
        multiple=True,
        default=["score"],
        show_default=True,
        metavar="COLUMN",
        help="The table column of the scores. Give it once for each such column.",
    ),
)
_TEST = (
    declared_option(compare_all, "alpha", metavar="LEVEL", help="The significance level."),
    option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        metavar="N",
        help="The seed of the random samples, if p or an interval is sampled.",
    ),
)


def with_options(*groups: Sequence[Command]) -> Callable[[Command], Command]:
    """Return a decorator that gives a command these options, in this order."""

    def decorated(command: Command) -> Command:
        for decorate in reversed([x for group in groups for x in group]):
            command = decorate(command)
        return command

    return decorated


reading_options = with_options(_METRIC, _READING, _TEST)
"""The options for the logs, the metric and the significance level."""


class Asked(NamedTuple):
    """The values of the options for the logs and the metric."""

    reading: dict[str, Any]
    metric: str | None
    options: tuple[str, ...]
    lower_is_better: bool | None

    @classmethod
    def of(cls, given: dict[str, Any]) -> Asked:
        """Take the values out of a command's arguments."""
        names = ("id", "prediction", "reference", "score", "group")
        columns = {name: given.pop(name) for name in names}
        reading = {x.name: given.pop(x.name) for x in fields(Reading)}
        reading["names"] = read_names(**{**columns, "score": [*columns["score"]]})
        return cls(reading, given.pop("metric"), given.pop("option"), given.pop("lower_is_better"))

    def refuse_for_scorers(self, kind: str, confidence_level: float | None) -> None:
        """Raise click.UsageError for options that need ids, which files of scorers lack."""
        others = [
            x.name
            for x in fields(Reading)
            if x.name != "format" and self.reading[x.name] != x.default
        ]
        columns = self.reading["names"]
        others += [x for x, y in Names._field_defaults.items() if getattr(columns, x) != y]
        others += ["confidence_level"] * (confidence_level is not None)
        others += ["option"] * bool(self.options) + ["lower_is_better"] * (
            self.lower_is_better is not None
        )
        if others:
            raise click.UsageError(
                f"--{others[0].replace('_', '-')} is not for --format {kind}: leave it out."
            )

    def two(self, one: Any, two: Any, words: Mapping[str, str]) -> dict[str, Runs]:
        """Return the runs of two systems by task; `words` name the arguments in messages."""
        with called({"path1": words["path1"], "path2": words["path2"]}):
            return read_tasks(one, two, **self.reading)

    def many(self, paths: Sequence[Any]) -> dict[str, Runs]:
        """Return the runs of many systems by task."""
        each = {f"paths[{number}]": "LOGS" for number in range(len(paths))}
        with called({"paths": "LOGS", **each}):
            return read_systems(paths, **self.reading)

    def examples(self, runs: Runs) -> Examples:
        """Return what is compared on one task under one metric.

        Raises
        ------
        InputError
            For the reasons of `Runs.examples`.
        """
        options = self.of_metric(runs)
        with called(self.words):
            return runs.examples(self.metric, lower_is_better=self.lower_is_better, **options)

    @property
    def words(self) -> dict[str, str]:
        """The flag of the direction, as it was given."""
        which = "lower" if self.lower_is_better else "higher"
        return {"lower_is_better": f"`--{which}-is-better`"}

    def one(self, one: Any, two: Any, words: Mapping[str, str]) -> tuple[Runs, Examples]:
        """Return the runs of two systems on one task, and what one metric compares.

        Raises
        ------
        InputError
            If there are several tasks or metrics and none was named.
        """
        runs = only_task(self.two(one, two, words))
        return runs, self.examples(runs)

    def of_metric(self, runs: Runs) -> dict[str, Any]:
        """Return the options of the metric, with labels of the references' type.

        Raises
        ------
        click.UsageError
            If a text is not NAME=VALUE, or NAME is no option of a metric, or is given twice.
        """
        first = next((run.references[0] for run in runs.systems.values() if run.references), None)
        while isinstance(first, (list, tuple)) and first:
            first = first[0]
        found = {}
        for text in self.options:
            name, equals, value = text.partition("=")
            name = name.strip().replace("-", "_")
            if not equals or name not in metric_options():
                like = [x for x in get_close_matches(name, metric_options(), 1) if x != name]
                hint = f" Did you mean {like[0]}?" if like else ""
                raise click.UsageError(
                    f"-o {text}: write NAME=VALUE, where NAME is an option of a metric.{hint}"
                )
            if name in found:
                raise click.UsageError(
                    f"`-o {name}` is given again: -o {text}. Give one, or run the command once for "
                    "each."
                )
            found[name] = _value(value, is_text=name in _OF_LABELS and isinstance(first, str))
            if name == "labels" and not isinstance(found[name], list):
                found[name] = [_value(x, is_text=isinstance(first, str)) for x in value.split(",")]
        return found


def _value(text: str, *, is_text: bool) -> Any:
    """Return the value that the text spells in JSON or Python, or the text itself."""
    try:
        found = json.loads(text)
    except ValueError:
        found = {"None": None, "True": True, "False": False}.get(text, text)
    return text if is_text and not isinstance(found, list) else found
