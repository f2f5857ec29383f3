"""``pairedperm verify`` checks whether a published p-value follows from its table."""

from __future__ import annotations

from pathlib import Path

import click

from pairedperm.commands.option import option
from pairedperm.commands.output import Output, as_json
from pairedperm.comparison.verify import verify as recompute
from pairedperm.wording import called


@click.command()
@click.argument("table", type=click.Path(path_type=Path))
@option("--sha256", metavar="HEX", help="The digest of the table that a model card states.")
@option("--json", "json_", is_flag=True, help="Print the full result as JSON.")
def verify(table: Path, sha256: str | None, json_: bool) -> Output:
    """Recompute a published p-value with another engine.

    TABLE is a file that `pairedperm compare --counts` wrote. It holds the result, and how often
    each distinct pair of the two systems' counts occurs. p is recomputed in big integers where that
    is feasible.

    Exit codes: 0 the stated interval holds, or is not contradicted; 1 it does not hold, or a score
    differs; 2 an error, such as an altered table.

    \b
    pairedperm verify counts.json
    pairedperm verify counts.json --json
    """  # noqa: D301, click reads the control character
    with called({"published": "TABLE", "counts": "the counts of TABLE"}):
        found = recompute(table, sha256=sha256)
    return Output(as_json(found.to_dict()) if json_ else str(found), found.exit_code)
