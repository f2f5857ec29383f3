"""``pairedperm power`` says how many examples a test needs, and what it can detect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from pairedperm.commands.flags import LOG, ComparingFlags, Flags, argument, flag
from pairedperm.commands.gate import score_of
from pairedperm.commands.output import Output, Page, command, present
from pairedperm.comparison.power import examples_needed, minimum_detectable_difference
from pairedperm.comparison.power import power as power_of
from pairedperm.errors import warn
from pairedperm.options import Alternative
from pairedperm.readers.metrics import check_filled, compare_examples, warn_of_doubts
from pairedperm.readers.tasks import only_task


@dataclass(frozen=True, kw_only=True)
class _PowerFlags(Flags):
    a: str | None = argument(type=LOG, required=False)
    b: str | None = argument(type=LOG, required=False)
    wins: float | None = flag("The share of examples that only A gets right.", metavar="SHARE")
    losses: float | None = flag("The share of examples that only B gets right.", metavar="SHARE")
    threshold: float | None = flag(
        "Plan for one system beside this number: A, or --supposed.", of=power_of, metavar="NUMBER"
    )
    supposed: float | None = flag(
        "With --threshold: the share of right answers that the system is supposed to have.",
        metavar="SHARE",
    )
    alternative: Alternative = flag(
        "Plan a test of one side: greater, that A scores higher, or above the number.", of=power_of
    )
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
    reading: ComparingFlags


@command(_PowerFlags)
def power(flags: _PowerFlags) -> Output:
    """Say how many examples a test needs.

    A and B are the logs of a pilot, of a few dozen examples. Of several metrics or tasks, name one:
    --metric, --task. Without a pilot, give --wins and --losses, the shares of examples that only
    one system gets right. With -n, say what a test of that many examples can detect. With --margin,
    say how many it takes to show that A is not worse by the margin, and with -n also how likely
    that many show it; --wins alone are then as many losses. With --threshold, one system is
    planned beside a number: A is its pilot, or --supposed the share that it gets right.

    \b
    pairedperm power new.jsonl old.jsonl
    pairedperm power --wins 0.06 --losses 0.03
    pairedperm power --wins 0.06 --losses 0.03 -n 1000
    pairedperm power --margin 0.02 --wins 0.05
    pairedperm power --threshold 0.86 --supposed 0.80 -n 50
    """  # noqa: D301, click reads the control character
    pilot, n = _pilot(flags), flags.n
    asked: dict[str, Any] = {"alpha": flags.reading.alpha, "alternative": flags.alternative}
    asked["threshold"] = flags.threshold
    results: list[Any] = []
    if n is not None:
        results.append(power_of(pilot, n, margin=flags.margin, **asked))
    if n is None or flags.margin is not None:
        results.append(examples_needed(pilot, flags.power, margin=flags.margin, **asked))
    else:
        results.append(minimum_detectable_difference(pilot, n, flags.power, **asked))
    return present([*map(Page, results)], json=flags.json)


def _pilot(flags: _PowerFlags) -> Any:
    """Return the shares that were given, or the result of the pilot."""
    if flags.threshold is not None:
        return _pilot_of_one(flags)
    if flags.supposed is not None:
        raise click.UsageError("--supposed is for --threshold.")
    losses = flags.wins if flags.losses is None and flags.margin is not None else flags.losses
    shares, logs = (flags.wins, losses), (flags.a, flags.b)
    if sorted((shares.count(None), logs.count(None))) != [0, 2]:
        raise click.UsageError("give two logs, A and B, or --wins and --losses.")
    if None not in shares:
        return shares
    runs = only_task(flags.reading.two(*logs, {"path1": "A", "path2": "B"}))
    examples = flags.reading.examples(runs)
    check_filled(examples)
    for note in runs.notes:
        warn(note)
    warn_of_doubts(examples)
    return compare_examples(examples, rng=flags.reading.seed)


def _pilot_of_one(flags: _PowerFlags) -> Any:
    """Return the supposed share of one system, or the score in its log."""
    if (flags.a is None) == (flags.supposed is None) or (flags.b, flags.wins) != (None, None):
        raise click.UsageError("with --threshold give one log, A, or --supposed.")
    if flags.a is None:
        return flags.supposed
    return score_of(flags.reading.examples(only_task(flags.reading.each({"A": flags.a}))))
