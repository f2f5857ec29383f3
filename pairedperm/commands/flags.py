"""The flags of a command: declared once, read into a typed record, and named in messages.

Those that say which logs are read, and how, are here; standard input, which `-` names, among them.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import click

from pairedperm.errors import QUOTED, advised, called
from pairedperm.inputs.files import DASH
from pairedperm.options import OneOf, Options, declared, did_you_mean
from pairedperm.readers.files import FORMATS, ReadOptions
from pairedperm.readers.metrics import Examples
from pairedperm.readers.read import compare_all, read_each, read_systems, read_tasks
from pairedperm.readers.tasks import Runs
from pairedperm.scoring.metric import metric_options

_Record = TypeVar("_Record", bound="Flags")
_TYPES: dict[Any, tuple[str, Any]] = {  # what stands for a value in the help, and its type of click
    int: ("N", int),
    float: ("LEVEL", float),
    Path: ("FILE", click.Path(path_type=Path)),
    str: ("NAME", None),
}
_OTHER_NAMES = {  # arguments that have another name on the command line
    "rng": "seed",
    "path": "card",
    "groups": "group",
    "pilot": "the pilot",
    "names": "name",
    "reference": "verdict",
}


@dataclass(frozen=True, kw_only=True)
class Flags:
    """What a command was given: a field is declared by its option, or is a record itself.

    seed: int = flag("The seed of p.", default=0)
    """

    @classmethod
    def parameters(cls) -> Iterator[click.Parameter]:
        """Yield the parameters of click that are these flags, in their order."""
        kinds = get_type_hints(cls)
        for x in fields(cls):
            if x.metadata:
                yield _parameter(x.name, kinds[x.name], {**x.metadata})
            elif hasattr(kinds[x.name], "parameters"):
                yield from kinds[x.name].parameters()

    @classmethod
    def of(cls: type[_Record], given: Mapping[str, Any]) -> _Record:
        """Make the record of the values that click has read; another record makes itself."""
        records = {x: kind for x, kind in get_type_hints(cls).items() if hasattr(kind, "of")}
        values = {x.name: given[x.name] for x in fields(cls) if x.name in given}
        return cls(**values, **{x: kind.of(given) for x, kind in records.items()})


LOG = click.Path(readable=False)  # of logs, or their URL: its reader says what is wrong


def argument(**attributes: Any) -> Any:
    """Return a field of `Flags` that is an argument of a command, as of `click.Argument`."""
    return field(metadata={"nargs": 1, **attributes})


def flag(words: str, *names: str, of: Any = None, **attributes: Any) -> Any:
    """Return a field of `Flags` that is an option of a command, as of `click.Option`.

    Its flag has the name of the field, beside other `names`. Its type is that of the field; if it
    is an option `of` a function or a class, its choices and its default are those declared there.
    """
    return field(metadata={"names": names, "of": of, "help": words, **attributes})


def constant_option() -> Any:
    """Return the field of the option that says that a constant column is a system."""
    words = "With system: a log whose scores are all one number is that of a system."
    return flag(words, of=Options)


def largest_group_option() -> Any:
    """Return the field of the largest size that a group may have."""
    words = "The largest size that a group may have, fixed beforehand: the interval is guaranteed."
    return flag(words, of=Options)


def _parameter(name: str, kind: Any, given: dict[str, Any]) -> click.Parameter:
    """Return the parameter of click that is a field of this name and type."""
    names, of = given.pop("names", None), given.pop("of", None)
    if names is None:
        return click.Argument([name], **given)
    if not any("/" in x for x in names):
        names = (*names, f"--{name.replace('_', '-')}")
    kinds = {kind, *get_args(kind)}
    metavar, kept = next((y for x, y in _TYPES.items() if x in kinds), (None, None))
    follows: dict[str, Any] = {"metavar": metavar, "type": kept, "is_flag": bool in kinds or None}
    follows["multiple"] = get_origin(kind) is tuple
    return click.Option(names, **follows | (_declared(of, name) if of else {}) | given)


def _declared(of: Any, name: str) -> dict[str, Any]:
    """Return what click is to know of an option that a function or a class declares."""
    constraint = declared(getattr(of, "__wrapped__", of))[name]
    default = signature(of).parameters[name].default
    given: dict[str, Any] = {"default": default, "show_default": default not in (None, False)}
    if isinstance(constraint, OneOf):
        given |= {"type": click.Choice(constraint.choices), "metavar": None}
        if constraint.or_none and default is not None:
            given["type"] = click.Choice([*constraint.choices, "none"])
            given["callback"] = lambda _, __, word: None if word == "none" else word
    return given


_ASKED = re.compile(  # what is quoted or called stays; an argument; an option and its value; a type
    rf"""{QUOTED}|\w\([^()]*\)|`(\w+)`|(?<![^\s(])(\w+)="""
    r"""('[^']*'|\([^)]*\)|\[[^\]]*\]|\.\.\.|[^\s;()]*[^\s,.;()](?![\w(]|\.\w))"""
    r"""| (\((?:int|float|str|bool|list|tuple|dict|NoneType)\))"""
)


def in_flags(text: str, options: Iterable[str]) -> str:
    """Return a message with the flags of a command, which has these options, or of a metric.

    What stands in quotes is data, and stays.
    """
    flags = {name: f"--{name.replace('_', '-')}" for name in options}
    flags |= {x: flags[y] for x, y in _OTHER_NAMES.items() if x not in flags and y in flags}
    flags = {name: f"-o {name}" for name in metric_options()} | flags

    def in_shell(found: re.Match[str]) -> str:
        name, option, value, kind = found.groups()
        if name:
            return f"`{flags[name]}`" if name in flags else _OTHER_NAMES.get(name, found[0])
        return _given(flags[option], value) if option in flags else found[0] * (not kind)

    return _ASKED.sub(in_shell, text)


def _given(flag: str, value: str) -> str:
    """Return how a shell gives a flag the value that Python writes so."""
    if flag == "--lower-is-better":
        return flag if value == "True" else "--higher-is-better"
    if value == "True" and flag.startswith("--"):
        return flag
    if value[0] == value[-1] == "'" and " " not in value:
        value = value[1:-1]
    elif value[0] == "(":  # which a shell would read
        value = f"[{value[1:-1].replace(' ', '')}]"
    return f"{flag}{'=' if flag.startswith('-o') else ' '}{value}"


_OF_LABELS = ("pos_label", "labels")  # options whose values are labels, of the references' type
_OF_JSON = {"true": True, "false": False, "null": None}  # words that Python spells otherwise


def _column(what: str) -> Any:
    return flag(f"The table column of {what}.", of=ReadOptions, metavar="COLUMN")


@dataclass(frozen=True, kw_only=True)
class ReadingFlags(Flags):
    """The flags for the logs and the metric."""

    metric: tuple[str, ...] = flag(
        "A metric in the logs; or, for predictions, one such as accuracy or f1. If given "
        "several times, each task takes the first that it has; compare takes all.",
    )
    lower_is_better: bool | None = flag(
        "Which scores of a logged metric are better. By default, the log or its name tells.",
        "--lower-is-better/--higher-is-better",
        default=None,
    )
    option: tuple[str, ...] = flag(
        "An option of a metric of predictions, such as average=macro; of logged scores "
        "score_range=[0,1].",
        "-o",
        metavar="NAME=VALUE",
    )

    task: tuple[str, ...] = flag(
        "The task to compare, a group of tasks such as mmlu, or a pattern such as 'mmlu*'. "
        "Give it once for each.",
    )
    system: tuple[str, ...] = flag(
        "The system to read where a file has several, such as a provider of promptfoo. Of two"
        " logs, give it once, or twice for one of each.",
    )
    format: str | None = flag(
        f"The format of the logs: {', '.join(FORMATS)}. By default, file names and first "
        "lines tell.",
        of=ReadOptions,
        metavar="NAME",
    )
    references: str | None = flag(
        "A table of ids and references, for logs without references.", type=LOG, metavar="FILE"
    )
    on_missing: str = flag(
        "What to do with ids that a log lacks or that do not match: stop, or drop and list them. "
        "Scores that are missing: count those of A or CANDIDATE as wrong, or give the bounds of p.",
        of=ReadOptions,
    )
    same_documents: str = flag(
        "What tells that examples are the same: also what their documents hold, or the id "
        "alone, for options that are shuffled.",
        of=ReadOptions,
    )
    repeats: bool = flag("Average the lines of a table that share an id.", of=ReadOptions)
    runs: str = flag(
        "Of an example that one system ran more often: draw as many runs as the other has, by "
        "--seed, or take the mean of all, which makes p approximate.",
        of=ReadOptions,
    )
    id: str = _column("the example ids")
    prediction: str = _column("the predictions")
    reference: str = _column("the references (right answers)")
    group: str = _column("the groups, which are swapped as a whole. Only tables have it")
    by: str | None = flag(
        "Split the examples by this column of tables, or key of the documents of "
        "lm-evaluation-harness: each slice is a task.",
        of=ReadOptions,
        metavar="COLUMN",
    )
    wide: bool = flag(
        "Each column of a table has the scores of a system: all but the id, the group and --by, or "
        "those that --score names.",
        of=ReadOptions,
    )
    score: tuple[str, ...] = flag(
        "The table column of the scores. Give it once for each such column.",
        default=["score"],
        show_default=True,
        metavar="COLUMN",
    )
    max_bytes: int = flag(
        "The most that is read of a file, once it is decompressed.", of=ReadOptions
    )

    def _given(self, *paths: Any) -> tuple[list[Any], ReadOptions]:
        """Return the logs, what to read of them, and how."""
        given = [*paths, self.references]
        if [*map(str, given)].count(DASH) > 1:
            raise click.UsageError("`-` is standard input, which is read once: save one as a file.")
        options = {x.name: getattr(self, x.name) for x in fields(ReadOptions) if x.name != "seed"}
        options["seed"] = getattr(self, "seed", None) or 0  # that of p may follow from the data
        options |= {"task": self.task or None, "system": self.system or None}
        return [*paths], ReadOptions(**options)

    def two(self, one: Any, two: Any, words: Mapping[str, str]) -> dict[str, Runs]:
        """Return the runs of two systems by task; `words` name the arguments in messages."""
        (one, two), options = self._given(one, two)
        with called(words):
            return read_tasks(one, two, options)

    def many(self, paths: Sequence[Any], *, on_all_tasks: bool = False) -> dict[str, Runs]:
        """Return the runs of many systems by task; or those of systems that have all tasks."""
        each = {f"paths[{number}]": "LOGS" for number in range(len(paths))}
        logs, options = self._given(*paths)
        with called({"paths": "LOGS", **each}):
            return read_systems(logs, options, on_all_tasks=on_all_tasks)

    def each(self, paths: Mapping[str, Any]) -> dict[str, Runs]:
        """Return the runs by task, of which each path holds one; paths are named in messages."""
        logs, options = self._given(*paths.values())
        named = {f"paths[{k}]": log for k, log in enumerate(logs)}
        with called(dict(zip(named, paths, strict=True))):
            return read_each(named, options)

    def examples(self, runs: Runs) -> Examples:
        """Return what is compared on one task under one metric.

        Raises
        ------
        InputError
            For the reasons of `Runs.examples`.
        """
        options = self.of_metric(runs)
        with called(self.words):
            metric = self.metric or None
            return runs.examples(metric, lower_is_better=self.lower_is_better, **options)

    @property
    def words(self) -> dict[str, str]:
        """The flag of the direction, as it was given."""
        which = "lower" if self.lower_is_better else "higher"
        return {"lower_is_better": f"`--{which}-is-better`"}

    def of_metric(self, runs: Runs) -> dict[str, Any]:
        """Return the options of the metric, with labels of the references' type.

        Raises
        ------
        click.UsageError
            If a text is not NAME=VALUE, or NAME is no option of a metric.
        """
        first = next((run.references[0] for run in runs.systems.values() if run.references), None)
        while isinstance(first, (list, tuple)) and first:
            first = first[0]
        options: dict[str, Any] = {}
        for text in self.option:
            name, equals, value = text.partition("=")
            name = name.strip().replace("-", "_")
            if not equals or name not in metric_options():
                what = f"-o {text}: write NAME=VALUE, where NAME is an option of a metric"
                hint = did_you_mean("option", name, metric_options()) if equals else ""
                raise click.UsageError(advised(what, hint))
            options[name] = _value(value, is_text=name in _OF_LABELS and isinstance(first, str))
            if name == "labels" and not isinstance(options[name], list):
                each = value.split(",")
                options[name] = [_value(x, is_text=isinstance(first, str)) for x in each]
        return options


@dataclass(frozen=True, kw_only=True)
class ComparingFlags(ReadingFlags):
    """The flags for the logs, the metric and the significance level."""

    alpha: float = flag("The significance level.", of=compare_all)
    seed: int | None = flag(
        "The seed of the random samples of p. By default it follows from the data.",
        type=click.IntRange(min=0),
    )


def _value(text: str, *, is_text: bool) -> Any:
    """Return the value that the text spells in Python or JSON, or the text itself."""
    try:
        value = _OF_JSON[text] if text in _OF_JSON else literal_eval(text)
    except (SyntaxError, ValueError):
        return text
    if is_text and not isinstance(value, list):
        return text
    return [*value] if isinstance(value, tuple) else value
