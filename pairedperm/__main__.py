"""The command line: ``python -m pairedperm register``."""

from __future__ import annotations

import argparse
import sys

from pairedperm import InputError, __version__, register


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is 0, or 1 with the error on stderr."""
    parser = argparse.ArgumentParser(
        prog="python -m pairedperm",
        description="Does one model really beat another? Exact paired tests.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser(
        "register",
        help='make evaluate.load("paired_perm") work on this machine',
        description='Make evaluate.load("paired_perm") and evaluate.load("paired_bootstrap") work '
        "on this machine, from any directory, offline too. Needed once; prints where the first was "
        "put, which the other is beside.",
    )
    parser.parse_args(arguments)
    try:
        print(register())
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
