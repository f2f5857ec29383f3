"""``pairedperm bounds`` says what p can be, given only the accuracies of systems."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

import click

from pairedperm.commands.option import Flags, argument, declared_option, option
from pairedperm.commands.output import JsonOrMarkdown, Output, Page, command, present
from pairedperm.comparison.bounds import neighbour_bounds, pvalue_bounds
from pairedperm.errors.wording import called
from pairedperm.options import Alternative


@dataclass(frozen=True, kw_only=True)
class _BoundsFlags(Flags):
    scores: tuple[str, ...] = argument("scores", nargs=-1, required=True)
    n: int | None = declared_option(
        pvalue_bounds,
        "n",
        "-n",
        default=None,
        metavar="N",
        help="The number of examples, the same ones for all systems.",
    )
    accuracies: bool = declared_option(
        pvalue_bounds,
        "accuracies",
        help="The scores are accuracies, as printed, and not numbers of right answers.",
    )
    agreement: str | None = option(
        "--agreement",
        metavar="SHARE",
        help="The share of examples that both systems have right or both have wrong.",
    )
    alternative: Alternative = declared_option(
        pvalue_bounds, "alternative", help="greater: the first is better."
    )
    alpha: float = declared_option(
        pvalue_bounds, "alpha", metavar="LEVEL", help="The significance level."
    )
    form: JsonOrMarkdown


@command(_BoundsFlags)
def bounds(flags: _BoundsFlags) -> Output:
    """Say what p can be, given only the accuracies of systems.

    SCORES are two systems' numbers of right answers on the same examples, or their accuracies. p
    depends on how many examples only one system has right. An accuracy stands for each number that
    rounds to it. Of several systems, in any order, each is compared with the next best one; they
    may have names. Only for plain accuracies: not for averages over tasks or runs.

    \b
    pairedperm bounds 396 378 --n 500
    pairedperm bounds --accuracies 0.792 0.756 --n 500 --agreement 0.9
    pairedperm bounds large=396 medium=378 small=310 --n 500
    """  # noqa: D301, click reads the control character
    if flags.n is None:
        raise click.UsageError("give the number of examples: --n.")
    systems, has_names = _systems(flags.scores), any("=" in x for x in flags.scores)
    result: Any
    if len(systems) == 2 and not has_names:
        with called({"correct1": "the first score", "correct2": "the second score"}):
            (_, correct1), (_, correct2) = systems
            result = pvalue_bounds(
                correct1,
                correct2,
                flags.n,
                accuracies=flags.accuracies,
                agreement=flags.agreement,
                alternative=flags.alternative,
                alpha=flags.alpha,
            )
    elif flags.agreement is not None or flags.alternative != "two-sided":
        raise click.UsageError(
            "--agreement and --alternative are for two scores without names: leave them out."
        )
    else:
        with called({"systems": "SCORES"}):
            result = neighbour_bounds(
                systems, flags.n, accuracies=flags.accuracies, alpha=flags.alpha
            )
    return present(Page(result), **asdict(flags.form))


def _systems(scores: Sequence[str]) -> list[tuple[str, Any]]:
    """Return names and scores; integers are read, and what is none stays text."""
    systems: list[tuple[str, Any]] = []
    for k, text in enumerate(scores, 1):
        name, equals, score = text.rpartition("=")
        right: Any = score
        with suppress(ValueError):
            right = int(score)
        systems.append((name if equals else f"system {k}", right))
    return systems
