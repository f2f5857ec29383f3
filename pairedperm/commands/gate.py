"""``pairedperm gate`` decides whether a candidate may replace a baseline."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pairedperm.commands.option import declared_option, option
from pairedperm.commands.output import Output, as_json, as_list, notes_of, write_text
from pairedperm.commands.reading import Asked, reading_options
from pairedperm.comparison.gate import gate as decide
from pairedperm.errors import warn
from pairedperm.errors.wording import printable
from pairedperm.readers.examples import compare_examples, flips, metric_columns
from pairedperm.results.table import escaped, filled

_LONGEST = 2000  # tuned: characters of a command in a report
_SUMMARY = "GITHUB_STEP_SUMMARY"  # a file whose Markdown GitHub shows


@click.command()
@click.argument("candidate")
@option(
    "--baseline", required=True, metavar="LOG", help="The log or folder of the system to replace."
)
@declared_option(
    decide,
    "margin",
    metavar="SIZE",
    help="Pass only if the loss is shown to be below this: 0.01 is one point of accuracy.",
)
@declared_option(
    decide, "require", help="With better: pass only if the candidate is significantly better."
)
@option(
    "--markdown",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=(
        "Write the report to this file as Markdown. In GitHub Actions it always goes to "
        f"${_SUMMARY}."
    ),
)
@option("--json", "json_", is_flag=True, help="Print the full result as JSON.")
@reading_options
def gate(**given: Any) -> Output:
    """Decide whether CANDIDATE may replace the baseline.

    CANDIDATE is the log or folder of one system. It passes unless it is significantly worse. A pass
    does not show that it is as good: the report says which loss this run could detect. With
    --margin it passes only if its loss is shown to be below the margin, or if it is significantly
    better. Of several metrics or tasks, name one: --metric, --task.

    Exit codes: 0 pass, 1 fail, 2 error, 3 inconclusive (only with --margin).

    \b
    pairedperm gate new.jsonl --baseline old.jsonl
    pairedperm gate out/new --baseline out/old --metric acc --margin 0.01
    pairedperm gate new.jsonl --baseline old.jsonl --require better
    """  # noqa: D301, click reads the control character
    candidate, baseline = given.pop("candidate"), given.pop("baseline")
    markdown, is_json = given.pop("markdown"), given.pop("json_")
    references = [] if given["references"] is None else [given["references"]]
    asked = Asked.of(given)
    words = {"path1": "CANDIDATE", "path2": "`--baseline`"}
    runs, examples = asked.one(candidate, baseline, words)
    if examples.direction.source == "assumed":
        why = "".join(f"{x}. " for x in examples.doubts)
        raise click.UsageError(
            f"{why}it is not known whether a higher {examples.name!r} is better: give "
            "--higher-is-better or --lower-is-better."
        )
    columns = metric_columns(examples)
    result = compare_examples(examples, columns=columns, rng=given["seed"])
    asked_of_gate = {name: given[name] for name in ("margin", "require", "alpha")}
    found = decide(result, **asked_of_gate)
    if (both := flips(examples, columns)) is not None:
        found = replace(found, gained=both[0], lost=both[1])
    one, two = runs.systems
    names, notes = (one, two), notes_of({runs.task: runs}, [examples])
    if markdown is not None or os.environ.get(_SUMMARY):
        what = ", ".join(x for x in (runs.task, examples.name) if x)
        report = _markdown(what, f"{found.to_markdown(*names)}{as_list(notes)}")
        if markdown is not None:
            write_text(markdown, report, (candidate, baseline, *references))
        if unwritten := _summarise(report):
            warn(unwritten)
    if is_json:
        said: dict[str, Any] = {"candidate": names[0], "baseline": names[1], "task": runs.task}
        said |= {"logged": examples.name, "matching": notes}
        return Output(as_json(said | found.to_dict()), found.exit_code)
    text = filled([*found.lines(*names), *notes], at_hyphens=False)
    return Output(text, found.exit_code)


def summarise_error(message: str, given: Sequence[str]) -> str:
    """Say in the summary of a GitHub step why there is no verdict; return why it is not written."""
    text = f"**ERROR**: there is no verdict on the candidate. {escaped(message)}"
    command = escaped(printable(shlex.join(["pairedperm", *given]), _LONGEST))
    return _summarise(_markdown("", f"{text}\n\n- command: {command}"))


def _markdown(what: str, text: str) -> str:
    heading = f"Gate: {escaped(' '.join(what.split()))}" if what else "Gate"
    return f"## {heading}\n\n{text}\n"


def _summarise(report: str) -> str:
    """Append the report to the summary of a GitHub step, if there is one; return why it is not."""
    path = os.environ.get(_SUMMARY)
    if not path:
        return ""
    try:
        with open(path, "a", encoding="utf-8", errors="replace") as opened:
            opened.write(f"{report}\n")
    except OSError as error:  # the verdict stands, wherever it is read
        return f"the report was not written to ${_SUMMARY}: {error.strerror or error}."
    return ""
