"""The command line: ``pairedperm``, or ``python -m pairedperm``."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, of a gate also 1 or 3, and 2 for any error."""
    try:
        from pairedperm.commands.app import main as run
    except Exception as error:  # Python's own 1 would read as a gate's "fail"
        print(f"error: pairedperm is not installed whole: {error}", file=sys.stderr)
        return 2
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
