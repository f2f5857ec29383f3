"""``pairedperm power`` says how many examples a test needs, and what it can detect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from pairedperm.commands.flags import LOG, Flags, ReadingFlags, argument, flag
from pairedperm.commands.output import Output, Page, command, present
from pairedperm.comparison.power import examples_needed, minimum_detectable_difference
from pairedperm.comparison.power import power as power_of
from pairedperm.errors import warn
from pairedperm.readers.metrics import compare_examples, warn_of_doubts
from pairedperm.readers.tasks import only_task


@dataclass(frozen=True, kw_only=True)
class _PowerFlags(Flags):
    a: str | None = argument(type=LOG, required=False)
    b: str | None = argument(type=LOG, required=False)
    wins: float | None = flag("The share of examples that only A gets right.", metavar="SHARE")
    losses: float | None = flag("The share of examples that only B gets right.", metavar="SHARE")
    margin: float | None = flag(
        "Plan to show that A is less than SIZE worse than B, such as 0.02 for 2 points of "
        "accuracy.",
        of=power_of,
        metavar="SIZE",
    )
    n: int | None = flag(
        "The number of examples of the test.",
        "-n",
        of=minimum_detectable_difference,
        default=None,
    )
    power: float = flag(
        "The power to reach: the chance that the test finds the difference.",
        of=examples_needed,
        metavar="SHARE",
    )
    json: bool = flag("Print the full result as JSON.")
    reading: ReadingFlags


@command(_PowerFlags)
def power(flags: _PowerFlags) -> Output:
    """Say how many examples a test needs.

    A and B are the logs of a pilot, of a few dozen examples. Of several metrics or tasks, name one:
    --metric, --task. Without a pilot, give --wins and --losses, the shares of examples that only
    one system gets right. With -n, say what a test of that many examples can detect. With --margin,
    say how many it takes to show that A is not worse by the margin, and with -n also how likely
    that many show it; --wins alone are then as many losses.

    \b
    pairedperm power new.jsonl old.jsonl
    pairedperm power --wins 0.06 --losses 0.03
    pairedperm power --wins 0.06 --losses 0.03 -n 1000
    pairedperm power --margin 0.02 --wins 0.05
    """  # noqa: D301, click reads the control character
    pilot, n, margin = _pilot(flags), flags.n, flags.margin
    alpha = flags.reading.alpha
    results = [] if n is None else [power_of(pilot, n, alpha, margin=margin)]
    if n is None or margin is not None:
        results.append(examples_needed(pilot, flags.power, alpha, margin=margin))
    else:
        results.append(minimum_detectable_difference(pilot, n, flags.power, alpha))
    return present([*map(Page, results)], json=flags.json)


def _pilot(flags: _PowerFlags) -> Any:
    """Return the shares that were given, or the result of the pilot."""
    losses = flags.wins if flags.losses is None and flags.margin is not None else flags.losses
    shares, logs = (flags.wins, losses), (flags.a, flags.b)
    if sorted((shares.count(None), logs.count(None))) != [0, 2]:
        raise click.UsageError("give two logs, A and B, or --wins and --losses.")
    if None not in shares:
        return shares
    runs = only_task(flags.reading.two(*logs, {"path1": "A", "path2": "B"}))
    examples = flags.reading.examples(runs)
    for note in runs.notes:
        warn(note)
    warn_of_doubts(examples)
    return compare_examples(examples, rng=flags.reading.seed)
