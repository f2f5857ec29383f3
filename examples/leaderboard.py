"""Rank real systems on leaderboards: which are told apart, and which are not?

    python -m pip install ".[test]"  # for scikit-learn
    python examples/leaderboard.py

Each leaderboard is printed as a plain table and as Markdown.

Digits: seven classifiers of scikit-learn learn from one half of its images of digits. They are
compared on the other half, by accuracy. Each classifier is tested against each other one.

Taggers: three part-of-speech taggers on the 2,077 sentences of `data/ewt_pos_test.jsonl` (see
`data/README.md`), by the accuracy of tokens. An example is a sentence, whose tokens are swapped
together. Each tagger is tested against each other one, then only against the simplest one.

All p-values are exact. Holm's correction adjusts them for the number of tests, so that the chance
of any false claim in a leaderboard is at most 5 %. The tier of a system is 1 + the number of
systems that are significantly better. Systems that share a letter are not told apart.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pairedperm import Leaderboard, compare_many

DATA = Path(__file__).parent / "data" / "ewt_pos_test.jsonl"
TAGGERS = ("logreg", "linearsvc", "mostfreq")
BASELINE = "mostfreq"  # each word has its most frequent tag


def digits() -> tuple[dict[str, Any], Any]:
    """Return each classifier's predictions for the second half of the images, and the digits."""
    from sklearn.datasets import load_digits
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neural_network import MLPClassifier
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    classifiers = (
        LogisticRegression(max_iter=1_000),
        SVC(),
        KNeighborsClassifier(),
        RandomForestClassifier(random_state=0),
        MLPClassifier(max_iter=1_000, random_state=0),
        GaussianNB(),
        DecisionTreeClassifier(random_state=0),
    )
    images, labels = load_digits(return_X_y=True)
    images = images / 16.0  # shades from 0 to 1
    half = len(labels) // 2
    predictions = {
        type(x).__name__: x.fit(images[:half], labels[:half]).predict(images[half:])
        for x in classifiers
    }
    return predictions, labels[half:]


def taggers() -> tuple[dict[str, list[list[str]]], list[list[str]]]:
    """Return each tagger's tags, a list for each sentence, and the right tags."""
    sentences = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    predictions = {name: [sentence[name] for sentence in sentences] for name in TAGGERS}
    return predictions, [sentence["references"] for sentence in sentences]


def show(title: str, board: Leaderboard) -> None:
    """Print a leaderboard, for a terminal and for a page in Markdown."""
    print(f"{title}\n{'=' * len(title)}\n\n{board}\n\nThe same in Markdown:\n")
    print(board.to_markdown())


def main() -> None:
    """Print the leaderboards."""
    systems, labels = digits()
    show("Classifiers of digits", compare_many(systems, labels, "accuracy"))
    tags, right_tags = taggers()
    show("Taggers, every pair", compare_many(tags, right_tags))
    title = f"Taggers against {BASELINE}"
    show(title, compare_many(tags, right_tags, baseline=BASELINE))


if __name__ == "__main__":
    main()
