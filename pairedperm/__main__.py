"""The command line: ``pairedperm``, or ``python -m pairedperm``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from signal import SIGTERM, default_int_handler, signal


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    It is 0, or 2 for any error; `gate` also returns 1 or 3.
    """
    try:
        from pairedperm.commands.app import run_command

        with suppress(ValueError):  # only the main thread has signals
            signal(SIGTERM, default_int_handler)  # an end as by Ctrl-C: copies of inputs go
        return run_command(arguments)
    except Exception as error:  # Python would exit with 1, which means that a gate fails
        print(f"error: pairedperm is not installed whole: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
