"""``pairedperm compare`` and ``pairedperm bootstrap`` compare the logs of two systems."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, get_args

import click

from pairedperm.commands.option import Choice, Command, declared_option, option
from pairedperm.commands.output import (
    Output,
    as_json,
    as_lines,
    as_list,
    check_place,
    notes_of,
    write_text,
)
from pairedperm.commands.reading import Asked, reading_options, with_options
from pairedperm.commands.scorers import SCORERS, compare_scorers
from pairedperm.comparison.publish import publish
from pairedperm.errors.wording import called
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import BootstrapMethod, Method, Options
from pairedperm.readers.comparisons import Comparisons, compare_all
from pairedperm.readers.formats import FORMATS
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import PairedResult, versioned
from pairedperm.results.table import filled, wrapped

_WORDS = {"path1": "A", "path2": "B"}

_COUNTS = (
    option(
        "--counts",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Also write the table of counts that p follows from. `pairedperm verify` checks it.",
    ),
)
_OUTPUT = (
    option(
        "--name1", metavar="NAME", help="The name of A in reports. By default, its model or file."
    ),
    option("--name2", metavar="NAME", help="The name of B in reports."),
    option(
        "--dataset", metavar="NAME", help="The name of the data in reports. By default, the task."
    ),
    option("--json", "json_", is_flag=True, help="Print the full result as JSON."),
    option(
        "--markdown",
        is_flag=True,
        help="Print the result as Markdown. For a file, end with > FILE.",
    ),
    option(
        "--card",
        type=click.Path(path_type=Path),
        metavar="README.md",
        help="Also write the result into this file, the model card of A.",
    ),
)


def _test_options(methods: tuple[str, ...]) -> tuple[Command, ...]:
    return (
        declared_option(
            Options,
            "alternative",
            help="The alternative hypothesis: greater means that A scores higher.",
        ),
        declared_option(
            Options,
            "method",
            type=Choice(methods),
            metavar="NAME",
            help=f"How p is computed: {', '.join(methods)}.",
        ),
        declared_option(
            Options,
            "n_resamples",
            metavar="N",
            help="The number of random samples, if p is sampled.",
        ),
        declared_option(
            Options,
            "confidence_level",
            metavar="LEVEL",
            help="The level of the interval of the difference.  [default: 0.95]",
        ),
        declared_option(
            compare_all, "correction", help="How p is adjusted for the number of metrics and tasks."
        ),
    )


@click.command()
@click.argument("a")
@click.argument("b", required=False)
@reading_options
@with_options(_test_options(get_args(Method)), _OUTPUT, _COUNTS)
def compare(**given: Any) -> Output:
    """Compare the logs A and B by the exact permutation test.

    A and B are files, or folders that each hold the logs of one system. If they hold several
    metrics or tasks, all are compared, and each p is adjusted. --metric and --task choose one.

    \b
    pairedperm compare new.jsonl old.jsonl
    pairedperm compare out/new out/old --task gsm8k --metric acc
    pairedperm compare new.csv old.csv --metric f1 -o average=macro
    pairedperm compare muc.new.txt muc.old.txt --format conll
    """  # noqa: D301, click reads the control character
    return _compared("permutation", given)


@click.command()
@click.argument("a")
@click.argument("b", required=False)
@reading_options
@with_options(_test_options(get_args(BootstrapMethod)), _OUTPUT)
def bootstrap(**given: Any) -> Output:
    """Compare the logs A and B by the paired bootstrap.

    It works like `compare`, but draws examples with replacement. p is exact for means; for other
    metrics it is sampled.
    """
    return _compared("bootstrap", given)


# both also take score files of scorers, whose examples have no ids
for _command in (compare, bootstrap):
    _format = next(x for x in _command.params if x.name == "format")
    assert isinstance(_format, click.Option)
    _format.type = Choice([*FORMATS, *SCORERS])
    _format.help = f"{_format.help} Formats of score files: {', '.join(SCORERS)}."


class _Named(TypedDict):
    """The names of the systems and of the data in reports."""

    name1: str | None
    name2: str | None
    dataset: str | None


class _Shown(NamedTuple):
    """The values of the output options."""

    alpha: float
    as_json: bool
    as_markdown: bool
    card: Path | None
    counts: Path | None
    inputs: tuple[str, ...]


def _compared(test: str, given: dict[str, Any]) -> Output:
    one, two = given.pop("a"), given.pop("b")
    named: _Named = {
        "name1": given.pop("name1"),
        "name2": given.pop("name2"),
        "dataset": given.pop("dataset"),
    }
    paths = given["references"], one, two
    inputs = tuple(str(x) for x in paths if x is not None)
    shown = _Shown(
        alpha=given.pop("alpha"),
        as_json=given.pop("json_"),
        as_markdown=given.pop("markdown"),
        card=given.pop("card"),
        counts=given.pop("counts", None),
        inputs=inputs,
    )
    if shown.as_json and shown.as_markdown:
        raise click.UsageError("--json and --markdown: choose one.")
    correction = given.pop("correction")
    kind = given["format"]
    asked = Asked.of(given)
    options = {"test": test, "rng": given.pop("seed"), **given}
    if kind in SCORERS:
        if shown.counts is not None:
            raise click.UsageError(
                f"--counts is not for --format {kind}, whose files are the counts themselves."
            )
        asked.refuse_for_scorers(kind, options.pop("confidence_level"))
        found = compare_scorers(kind, one, two, asked.metric, **options)
        return _single(found, [], {}, named, shown)
    if two is None:
        raise click.UsageError("Missing argument 'B'.")
    tasks = asked.two(one, two, _WORDS)
    with called(asked.words):
        results, compared = compare_all(
            [*tasks.values()],
            metrics=() if asked.metric is None else (asked.metric,),
            correction=None if correction == "none" else correction,
            alpha=shown.alpha,
            lower_is_better=asked.lower_is_better,
            metric_options=asked.of_metric(next(iter(tasks.values()))),
            **options,
        )
    tasks = {task: tasks[task] for task, _ in results.results}
    notes = [*notes_of(tasks, compared), *map(str, results.left_out)]
    said = {"system1": results.name1, "system2": results.name2, "matching": notes}
    results = replace(
        results, name1=named["name1"] or results.name1, name2=named["name2"] or results.name2
    )
    if len(results.results) > 1:
        return _several(results, notes, shown)
    (result,) = results.results.values()
    said |= {key: results.tests[0][key] for key in ("task", "logged")}
    named["name1"] = named["name1"] or results.name1
    named["name2"] = named["name2"] or results.name2
    named["dataset"] = named["dataset"] or next(iter(tasks)) or None
    return _single(result, notes, said, named, shown)


def _single(
    result: PairedResult, notes: list[str], said: dict[str, Any], named: _Named, shown: _Shown
) -> Output:
    """Return the output of one comparison: the result and its sentence."""
    sha256 = None
    if shown.counts is not None:
        assert isinstance(result, PairedPermutationResult)
        columns = (f"the column of {x}" for x in (named["name1"] or "A", named["name2"] or "B"))
        words = dict(zip(COLUMNS[:2], columns, strict=True))
        with called({"result": "`--counts`: the result", **words}):
            published = publish(result)
        sha256 = published["sha256"]
        inputs = shown.inputs if shown.card is None else (*shown.inputs, *_files_of(shown.card))
        check_place(shown.counts, inputs)
    if shown.card is not None:
        from pairedperm.model_card.card import update

        update(shown.card, result, **named, sha256=sha256)
    if shown.counts is not None:
        write_text(shown.counts, as_lines(published))
    if shown.as_json:
        return Output(as_json(said | result.to_dict()))
    if shown.as_markdown:
        from pairedperm.model_card.section import significance_section

        section = significance_section(result, **named, sha256=sha256)
        return Output(f"{section.rstrip()}\n\n{as_list(notes)}".rstrip())
    sentence = result.summary(**named, alpha=shown.alpha)
    one, two = named["name1"], named["name2"]
    who = [wrapped(f"{one} against {two}")] if one and two else []
    return Output("\n".join([*who, *notes, str(result), "", filled([sentence], "")]))


def _files_of(card: Path) -> tuple[str, ...]:
    """Return the file of the card, which is README.md if a folder is given."""
    return (str(card / "README.md"),) if card.is_dir() else (str(card),)


def _several(found: Comparisons, notes: list[str], shown: _Shown) -> Output:
    """Return the output of several comparisons: a table."""
    if shown.card is not None:
        raise click.UsageError("--card takes one comparison: name a --metric and a --task.")
    if shown.counts is not None:
        raise click.UsageError("--counts takes one comparison: name a --metric and a --task.")
    if shown.as_json:
        return Output(as_json(versioned(found.to_dict() | {"matching": notes})))
    if shown.as_markdown:
        return Output(f"{found.to_markdown()}\n{as_list(notes)}")
    who = wrapped(f"{found.name1} against {found.name2}")
    return Output("\n".join([who, *notes, "", str(found)]))
