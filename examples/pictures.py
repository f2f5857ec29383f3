"""The pictures of the guide, of real systems: `guide/pictures.md` says how to read them.

    python -m pip install ".[test]"  # for matplotlib and scikit-learn
    python examples/pictures.py [FOLDER]

Four files go into FOLDER, by default `guide` beside this script. The data are those of
`leaderboard.py`: taggers of sentences for the null distribution, classifiers of digits for the
others.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from leaderboard import digits, taggers

from pairedperm import compare, compare_many
from pairedperm.plots import (
    plot_agreement,
    plot_leaderboard,
    plot_null_distribution,
    plot_p_matrix,
)

GUIDE = Path(__file__).parent / "guide"
WIDTH = 800  # pixels
UNSIGNED = {"Software": None}  # else matplotlib writes its version


def pictures() -> Iterator[tuple[str, Any]]:
    """The name of each picture, and its axes."""
    tags, right_tags = taggers()
    result = compare(tags["linearsvc"], tags["logreg"], right_tags)
    yield "null_distribution", plot_null_distribution(result)
    classes, right_classes = digits()
    names = {"name1": "GaussianNB", "name2": "DecisionTreeClassifier"}
    result = compare(*(classes[name] for name in names.values()), right_classes)
    yield "agreement", plot_agreement(result, **names)
    board = compare_many(classes, right_classes, "accuracy")
    yield "leaderboard", plot_leaderboard(board)
    yield "p_matrix", plot_p_matrix(board)


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description="Write the pictures of the guide.")
    parser.add_argument("folder", nargs="?", type=Path, default=GUIDE)
    folder = parser.parse_args().folder
    for name, ax in pictures():
        dpi = WIDTH / ax.figure.get_figwidth()
        ax.figure.savefig(folder / f"{name}.png", dpi=dpi, metadata=UNSIGNED)


if __name__ == "__main__":
    main()
