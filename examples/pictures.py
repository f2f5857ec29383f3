"""The pictures of the guide, of real systems: `guide/pictures.md` says how to read them.

    python -m pip install ".[plot]"
    python examples/pictures.py [FOLDER]

Three files go into FOLDER, by default `guide` beside this script. The data are in `data`: taggers
of sentences for the null distribution, classifiers of digits for the others.
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from leaderboard import taggers
from PIL import Image

from pairedperm import compare, compare_many
from pairedperm.plots import (
    plot_leaderboard,
    plot_null_distribution,
    plot_p_matrix,
)

HERE = Path(__file__).parent
WIDTH = 800  # pixels
COLOURS = 64  # enough for flat colours and the edges of letters, in a third of the bytes


def digits() -> tuple[dict[str, list[str]], list[str]]:
    """The digits that each classifier reads in 899 images, and the right ones."""
    with (HERE / "data" / "digits.csv").open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    right, *read = (list(column) for column in zip(*rows, strict=True))
    return dict(zip(header[1:], read, strict=True)), right


def pictures() -> Iterator[tuple[str, Any]]:
    """The name of each picture, and its axes."""
    tags, right_tags = taggers()
    result = compare(tags["linearsvc"], tags["logreg"], right_tags)
    yield "null_distribution", plot_null_distribution(result)
    systems, right = digits()
    board = compare_many(systems, right)
    yield "leaderboard", plot_leaderboard(board)
    yield "p_matrix", plot_p_matrix(board)


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description="Write the pictures of the guide.")
    parser.add_argument("folder", nargs="?", type=Path, default=HERE / "guide")
    folder = parser.parse_args().folder
    for name, ax in pictures():
        drawn = io.BytesIO()
        ax.figure.savefig(drawn, dpi=WIDTH / ax.figure.get_figwidth())
        picture = Image.open(drawn).convert("RGB").quantize(COLOURS)
        picture.save(folder / f"{name}.png", optimize=True)  # without matplotlib's version


if __name__ == "__main__":
    main()
