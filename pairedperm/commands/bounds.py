"""``pairedperm bounds`` says what p can be, given only the accuracies of two systems."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass

import click

from pairedperm.commands.flags import Flags, argument, flag
from pairedperm.commands.output import JsonOrMarkdown, Output, Page, command, present
from pairedperm.comparison.bounds import pvalue_bounds
from pairedperm.errors import called
from pairedperm.options import Alternative


@dataclass(frozen=True, kw_only=True)
class _BoundsFlags(Flags):
    score1: str = argument()
    score2: str = argument()
    n: int | None = flag(
        "The number of examples, the same ones for both systems.",
        "-n",
        of=pvalue_bounds,
        default=None,
    )
    accuracies: bool = flag(
        "The scores are accuracies, as printed, and not numbers of right answers. Numbers in "
        "percent or with a decimal point are.",
        of=pvalue_bounds,
    )
    alternative: Alternative = flag("greater: the first is better.", of=pvalue_bounds)
    alpha: float = flag("The significance level.", of=pvalue_bounds)
    form: JsonOrMarkdown


@command(_BoundsFlags)
def bounds(flags: _BoundsFlags) -> Output:
    """Say what p can be, given only the accuracies of systems.

    SCORE1 and SCORE2 are the numbers of right answers on the same examples, or the accuracies. p
    depends on how many examples only one system has right. An accuracy stands for each number that
    rounds to it. Only for plain accuracies: not for averages over tasks or runs.

    \b
    pairedperm bounds 396 378 --n 500
    pairedperm bounds 79.2% 75.6% --n 500
    """  # noqa: D301, click reads the control character
    if flags.n is None:
        raise click.UsageError("give the number of examples: --n.")
    with called({"correct1": "the first score", "correct2": "the second score"}):
        result = pvalue_bounds(
            _score(flags.score1),
            _score(flags.score2),
            flags.n,
            accuracies=flags.accuracies,
            alternative=flags.alternative,
            alpha=flags.alpha,
        )
    return present(Page(result), **asdict(flags.form))


def _score(text: str) -> int | str:
    """Read an integer; what is none stays text."""
    with suppress(ValueError):
        return int(text)
    return text
