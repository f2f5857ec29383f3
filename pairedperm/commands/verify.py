"""``pairedperm verify`` recomputes a published p-value."""

from __future__ import annotations

from dataclasses import dataclass

from pairedperm.commands.option import LOG, Flags, argument, option
from pairedperm.commands.output import Output, Page, command, json_option, present
from pairedperm.commands.reading import without_dash
from pairedperm.comparison.verify import verify as recompute
from pairedperm.errors.wording import called


@dataclass(frozen=True, kw_only=True)
class _VerifyFlags(Flags):
    table: str = argument("table", type=LOG)
    sha256: str | None = option(
        "--sha256", metavar="HEX", help="The digest of the table that a model card states."
    )
    json: bool = json_option()


@command(_VerifyFlags)
def verify(flags: _VerifyFlags) -> Output:
    """Recompute a published p-value with another engine.

    TABLE is what `pairedperm compare --counts` wrote: a file, its URL, or - for standard input. It
    holds the result, and how often each distinct pair of the two systems' counts occurs. p is
    recomputed in big integers where that is feasible.

    Exit codes: 0 the stated interval holds, or is not contradicted; 1 it does not hold, or a score
    differs; 2 an error, such as an altered table.

    \b
    pairedperm verify counts.json
    pairedperm verify counts.json --json
    """  # noqa: D301, click reads the control character
    (table,) = without_dash(flags.table)
    with called({"published": "TABLE", "counts": "the counts of TABLE"}):
        verification = recompute(table, sha256=flags.sha256)
    return present(Page(verification), json=flags.json, code=verification.exit_code)
