"""The pictures of the guide, of real systems: `guide/boards.md` says how to read them.

    python -m pip install ".[plot]"
    python examples/pictures.py [FOLDER]

Four files go into FOLDER, by default `guide` beside this script. The data are in `data`: taggers
of sentences for the null distribution and the suite, classifiers of digits for the others.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
from pathlib import Path
from typing import Any

from leaderboard import DATA, taggers
from PIL import Image

from pairedperm import compare, compare_many, compare_suite
from pairedperm.plots import (
    plot_leaderboard,
    plot_null_distribution,
    plot_p_matrix,
    plot_suite,
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


def kinds_and_documents() -> tuple[list[str], list[str]]:
    """The kind of text, and the document, of each sentence of the taggers."""
    lines = DATA.read_text(encoding="utf-8").splitlines()
    ids = [json.loads(line)["id"] for line in lines]
    return [x.partition("-")[0] for x in ids], [x.rpartition("-")[0] for x in ids]


def pictures() -> dict[str, Any]:
    """Return the figure of each picture, by its name."""
    tags, right_tags = taggers()
    two = tags["linearsvc"], tags["logreg"], right_tags
    kinds, documents = kinds_and_documents()
    result = compare(*two, groups=documents)
    null_distribution = plot_null_distribution(result)

    systems, right = digits()
    board = compare_many(systems, right)
    leaderboard = plot_leaderboard(board)
    p_matrix = plot_p_matrix(board)

    of_kinds = compare_suite(two, by=kinds, groups=documents)
    suite = plot_suite(of_kinds, name1="linearsvc", name2="logreg")
    return {
        "null_distribution": null_distribution,
        "leaderboard": leaderboard,
        "p_matrix": p_matrix,
        "suite": suite,
    }


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description="Write the pictures of the guide.")
    parser.add_argument("folder", nargs="?", type=Path, default=HERE / "guide")
    folder = parser.parse_args().folder
    for name, figure in pictures().items():
        drawn = io.BytesIO()
        figure.savefig(drawn, dpi=WIDTH / figure.get_figwidth())
        picture = Image.open(drawn).convert("RGB").quantize(COLOURS)
        picture.save(folder / f"{name}.png", optimize=True)  # without matplotlib's version


if __name__ == "__main__":
    main()
