"""Parts of speech that real taggers predict for sentences of a treebank."""

import json
from pathlib import Path

import numpy as np

from oracles.label_averages import there

PATH = Path(__file__).parents[2] / "examples" / "data" / "ewt_pos_test.jsonl"


def sentences(systems=("logreg", "linearsvc"), n=None):
    """The first n sentences: predictions of both systems and references, as lists of tags."""
    lines = PATH.read_text(encoding="utf-8").splitlines()[:n]
    found = [json.loads(line) for line in lines]
    return tuple([sentence[name] for sentence in found] for name in (*systems, "references"))


def confusions(columns):
    """Of each system's sentences how often a right tag is predicted as another: (n, K, K)."""
    place = {tag: k for k, tag in enumerate(there(columns))}
    tables = []
    for predictions in columns[:2]:
        table = np.zeros((len(predictions), len(place), len(place)), dtype=np.int64)
        for n, pair in enumerate(zip(predictions, columns[2], strict=True)):
            for found, right in zip(*pair, strict=True):
                table[n, place[right], place[found]] += 1
        tables.append(table)
    return tables
