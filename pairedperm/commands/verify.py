"""``pairedperm verify``: does a published p-value follow from its table?"""

from __future__ import annotations

from pathlib import Path

import click

from pairedperm.commands.output import Output, as_json
from pairedperm.comparison.verify import verify as recompute
from pairedperm.inputs.named import called


@click.command()
@click.argument("table", type=click.Path(path_type=Path))
@click.option("--sha256", metavar="HEX", help="Of the table, as a model card states it.")
@click.option("--json", "json_", is_flag=True, help="Print all of it as JSON.")
def verify(table: Path, sha256: str | None, json_: bool) -> Output:
    """Recompute a published p-value, by another engine.

    TABLE is what `pairedperm compare --counts` wrote: how often each distinct pair of the two
    systems' counts occurs, and the result. Where it is feasible p is recomputed in big integers.

    Exit codes: 0 the stated interval holds, or is not contradicted; 1 it does not hold, or a score
    is another; 2 an error, such as a table that was altered.

    \b
    pairedperm verify counts.json
    pairedperm verify counts.json --json
    """  # noqa: D301, click reads the control character
    with called({"published": "TABLE", "counts": "the counts of TABLE"}):
        found = recompute(table, sha256=sha256)
    return Output(as_json(found.to_dict()) if json_ else str(found), found.exit_code)
