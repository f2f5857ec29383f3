"""The entity spans in sequences of tags, as seqeval finds them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.law import IntArray
from pairedperm.inputs.labels import Labels
from pairedperm.scoring.schemes import DEFAULT, Reading


class Spans(NamedTuple):
    """The spans of a column. Tags are numbered; one number is left out after each example."""

    examples: IntArray
    starts: IntArray
    ends: IntArray  # the last tags, ascending: no two spans end at the same tag
    types: IntArray


def read_spans(column: Labels, types: dict[str, int], reading: Reading = DEFAULT) -> Spans:
    """Return the spans of a column that `read_tags` gave, as seqeval finds them in each example.

    `types` holds the numbers of the entity types; new types are added.
    """
    lengths = np.asarray(column.lengths)
    names = column.names or ()
    tags = [str.__str__(name) if isinstance(name, str) else str(name) for name in names]
    tags = [*tags, "O"]  # this tag follows each example, to end its last span
    codes = np.insert(np.asarray(column.flat), np.cumsum(lengths), len(tags) - 1)
    prefixes = np.array([*map(reading.prefix_of, tags)], dtype=np.uint8)[codes]
    numbers = [types.setdefault(reading.type_of(tag), len(types)) for tag in tags]
    of_type = np.array(numbers, dtype=np.int32)[codes]
    borders = np.cumsum(lengths + 1)
    starts, ends = reading.spans(prefixes, of_type, borders - lengths - 1)
    rows = np.searchsorted(borders, ends, side="right")
    return Spans(rows, starts, ends, of_type[ends].astype(np.int64))


def span_counts(
    predictions: Labels,
    references: Labels,
    selected: Collection[str] | None = None,
    reading: Reading = DEFAULT,
) -> tuple[IntArray, tuple[frozenset[str], frozenset[str]]]:
    """Count the correct, the predicted and the right spans of each example, shape (n, 3).

    A span is correct if the reference has one with the same start, end and entity type. No span
    crosses examples. `selected` limits the counts to some types.

    The columns are those of `read_tags`, with the same number of tags in each example. The second
    result has all entity types of each column, selected or not.
    """
    types: dict[str, int] = {}
    found, gold = (read_spans(x, types, reading) for x in (predictions, references))
    names = list(types)
    counted = np.array([selected is None or name in selected for name in names])
    # Match by ends, which are distinct: after malformed tags starts may repeat.
    _, i, j = np.intersect1d(found.ends, gold.ends, assume_unique=True, return_indices=True)
    correct = (found.starts[i] == gold.starts[j]) & (found.types[i] == gold.types[j])
    columns = (
        gold.examples[j[correct & counted[gold.types[j]]]],
        found.examples[counted[found.types]],
        gold.examples[counted[gold.types]],
    )
    rows = np.array([np.bincount(examples, minlength=references.n) for examples in columns]).T
    of_found, of_gold = (frozenset(names[k] for k in np.unique(x.types)) for x in (found, gold))
    return rows, (of_found, of_gold)
