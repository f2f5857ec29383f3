"""``pairedperm power`` says how many examples a test needs, and what it can detect."""

from __future__ import annotations

from typing import Any

import click

from pairedperm.commands.option import declared_option, option
from pairedperm.commands.output import Output, as_json
from pairedperm.commands.reading import Asked, reading_options
from pairedperm.comparison.power import examples_needed, minimum_detectable_difference
from pairedperm.comparison.power import power as power_of
from pairedperm.errors import warn
from pairedperm.readers.examples import compare_examples, warn_of_doubts


@click.command()
@click.argument("a", required=False)
@click.argument("b", required=False)
@option("--wins", type=float, metavar="SHARE", help="The share of examples that only A gets right.")
@option(
    "--losses", type=float, metavar="SHARE", help="The share of examples that only B gets right."
)
@declared_option(
    minimum_detectable_difference,
    "n_examples",
    "-n",
    default=None,
    metavar="N",
    help="The number of examples of the test.",
)
@declared_option(examples_needed, "power", help="The power to reach.")
@option("--json", "json_", is_flag=True, help="Print the full result as JSON.")
@reading_options
def power(**given: Any) -> Output:
    """Say how many examples a test needs.

    With -n, say what a test of that many examples can detect. The logs A and B are a pilot of a few
    dozen examples. Of several metrics or tasks, name one: --metric, --task. Without a pilot, give
    the shares of examples that only one system gets right.

    \b
    pairedperm power new.jsonl old.jsonl
    pairedperm power --wins 0.06 --losses 0.03
    pairedperm power --wins 0.06 --losses 0.03 -n 1000
    """  # noqa: D301, click reads the control character
    one, two = given.pop("a"), given.pop("b")
    wins, losses = given.pop("wins"), given.pop("losses")
    n, target, is_json = given.pop("n_examples"), given.pop("power"), given.pop("json_")
    asked = Asked.of(given)
    has_shares, is_half = wins is not None, (wins is None) != (losses is None)
    if is_half or has_shares == (one is not None) or (one is None) != (two is None):
        raise click.UsageError("give two logs, A and B, or --wins and --losses.")
    pilot = (wins, losses) if has_shares else _compared(one, two, asked, given["seed"])
    alpha, rng = given["alpha"], given["seed"]
    if n is None:
        found = [examples_needed(pilot, target, alpha, rng=rng)]
    else:
        found = [
            power_of(pilot, n, alpha, rng=rng),
            minimum_detectable_difference(pilot, n, target, alpha, rng=rng),
        ]
    if is_json:
        return Output(as_json([x.to_dict() for x in found]))
    return Output("\n\n".join(map(str, found)))


def _compared(one: str, two: str, asked: Asked, seed: int) -> Any:
    """Return the result of the pilot."""
    runs, examples = asked.one(one, two, {"path1": "A", "path2": "B"})
    for note in runs.notes:
        warn(note)
    warn_of_doubts(examples)
    return compare_examples(examples, rng=seed)
