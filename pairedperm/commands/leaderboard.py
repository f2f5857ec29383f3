"""``pairedperm leaderboard`` ranks many systems by their logs."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from pairedperm.commands.option import declared_option, option
from pairedperm.commands.output import Output, as_json, as_list, notes_of
from pairedperm.commands.reading import Asked, reading_options
from pairedperm.comparison.many import compare_many
from pairedperm.errors.wording import called
from pairedperm.readers.comparisons import those_with_metric
from pairedperm.readers.examples import leaderboard_of
from pairedperm.results.table import escaped


@click.command()
@click.argument("logs", nargs=-1, required=True)
@reading_options
@option("--baseline", metavar="NAME", help="Compare each system only with this one.")
@declared_option(compare_many, "correction", help="How p is adjusted for the number of pairs.")
@option("--json", "json_", is_flag=True, help="Print the full result as JSON.")
@option(
    "--markdown", is_flag=True, help="Print the result as Markdown. For a file, end with > FILE."
)
def leaderboard(**given: Any) -> Output:
    """Rank many systems and say which differ significantly.

    LOGS is a folder with the logs of all systems, or several files and folders. Each pair gets an
    exact p-value, adjusted for the number of pairs. Systems that differ significantly are called
    told apart: they share no letter. A system's tier is 1 + the number of significantly better
    systems. Of several metrics, name one: --metric. Each task has a table of its own.

    \b
    pairedperm leaderboard out --metric acc
    pairedperm leaderboard *.jsonl --baseline old
    """  # noqa: D301, click reads the control character
    if given["json_"] and given["markdown"]:
        raise click.UsageError("--json and --markdown: choose one.")
    logs, baseline, is_json = given.pop("logs"), given.pop("baseline"), given.pop("json_")
    is_markdown, correction = given.pop("markdown"), given.pop("correction")
    asked = Asked.of(given)
    tasks = asked.many(logs)
    found: list[dict[str, Any]] = []
    where = {task: task if len(tasks) > 1 else "" for task in tasks}
    ranked, lacking = those_with_metric(
        (runs, where[task], partial(asked.examples, runs)) for task, runs in tasks.items()
    )
    # what concerns no table stands before all, once
    left_out = [*map(str, (*ranked[0][0].notes, *lacking))] if len(tasks) > 1 else []
    before = as_list(left_out) if is_markdown else "\n".join(left_out)
    texts = [before] * bool(before)
    for runs, examples in ranked:
        task = runs.task
        with called({}, where[task]):
            board = leaderboard_of(
                examples,
                baseline=baseline,
                correction=None if correction == "none" else correction,
                alpha=given["alpha"],
                rng=given["seed"],
            )
        notes = [x for x in notes_of({task: runs}, [examples]) if x not in left_out]
        matching = notes if found else [*left_out, *notes]
        said = {"task": task, "logged": examples.name, "matching": matching}
        found.append(said | board.to_dict())
        if is_markdown:
            heading = [f"## {escaped(task)}\n"] if len(tasks) > 1 else []
            texts.append("\n".join([*heading, board.to_markdown(), as_list(notes)]))
        else:
            heading = [task] if len(tasks) > 1 else []
            texts.append("\n".join([*heading, *notes, "", str(board)]))
    return Output(as_json(found) if is_json else "\n\n".join(texts))
