"""The command line that the reproductions share."""

from __future__ import annotations

import argparse
from pathlib import Path

from figures import require_matplotlib


def options(description: str) -> argparse.Namespace:
    """Read the command line; `output` exists then, and matplotlib is there for figures."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a small part, in seconds")
    parser.add_argument(
        "--seed", type=int, default=0, help="another draws other taggers (default: 0)"
    )
    parser.add_argument(
        "--output",
        metavar="DIR",
        type=Path,
        default=Path(),
        help="where files are written (default: the current directory)",
    )
    found = parser.parse_args()
    require_matplotlib()  # before minutes of work
    found.output.mkdir(parents=True, exist_ok=True)
    return found
