"""``pairedperm preference`` says which of two systems a judge prefers."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import click

from pairedperm.commands.flags import LOG, Flags, argument, flag
from pairedperm.commands.output import JsonOrMarkdown, Output, Page, command, present
from pairedperm.comparison.preference import preference as preference_of
from pairedperm.errors import InputError, called, shown
from pairedperm.options import Alternative
from pairedperm.readers.files import ReadOptions
from pairedperm.readers.formats import read_references
from pairedperm.readers.read import compare_all
from pairedperm.results.preference import Order

_FIRST = "first"  # a column that need not be there


def _column_of(what: str, default: str) -> str:
    column: str = flag(what, default=default, show_default=True, metavar="COLUMN")
    return column


@dataclass(frozen=True, kw_only=True)
class _PreferenceFlags(Flags):
    table: str = argument(type=LOG)
    verdict: str = _column_of("The column of who wins: a system, tie; or first, second.", "verdict")
    first: str = _column_of(
        "The column of the system that was shown first, if there is one.", _FIRST
    )
    id: str = _column_of("The column of the items: both orders of a pair have one id.", "id")
    name: tuple[str, ...] = flag(
        "A system, as the table names it; give it twice, system 1 first. By default A and B."
    )
    order: Order | None = flag(
        "How the places were chosen: both orders of each item, random by a coin, balanced by "
        "a random half, or unknown; also if one system is always first.",
        of=preference_of,
    )
    alternative: Alternative = flag("greater: system 1 is preferred.", of=preference_of)
    confidence_level: float | None = flag(
        "The level of the intervals.  [default: 0.95]", of=preference_of
    )
    alpha: float = flag("The significance level.", of=compare_all)
    max_bytes: int = flag("The most that is read of the table.", of=ReadOptions)
    form: JsonOrMarkdown


@command(_PreferenceFlags)
def preference(flags: _PreferenceFlags) -> Output:
    """Say which of two systems a judge prefers.

    TABLE has a verdict a line. Without a column that shows both orders of each item, --order says
    how the order was chosen.

    \b
    pairedperm preference verdicts.jsonl --verdict winner --order random
    pairedperm preference verdicts.csv --name new --name old --id question
    """  # noqa: D301, click reads the control character
    if len(flags.name) not in (0, 2):
        raise click.UsageError("--name is given twice, once for each system.")
    options = ReadOptions(
        id=flags.id, reference=flags.verdict, group=flags.first, max_bytes=flags.max_bytes
    )
    with called({"references": "TABLE", "verdicts": "the verdict", "items": "the id"}):
        run = read_references(flags.table, options)
        if run.groups is None and flags.first != _FIRST:
            raise InputError("first", f"names no column with entries, {shown(flags.first)}")
        found = preference_of(
            run.predictions,
            items=run.ids,
            first=run.groups,
            order=flags.order,
            names=flags.name or ("A", "B"),
            alternative=flags.alternative,
            confidence_level=flags.confidence_level,
        )
    return present(Page(found, asked={"alpha": flags.alpha}), **asdict(flags.form))
