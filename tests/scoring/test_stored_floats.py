"""Scores on no lattice, stored as they are; nothing is added to them."""

import math
from dataclasses import FrozenInstanceError

import pytest

from pairedperm import InputError, PairedCounts, paired_permutation_test
from pairedperm.scoring.arguments import read_arguments

ROOTS = [2**0.5, 3**0.5, 0.25], [1.0, 2**0.5, 0.5]


def of_floats(**changes):
    """The stored form, of version 2."""
    rows = read_arguments(*ROOTS, None)[0]
    return PairedCounts.of(rows).to_dict() | {"sha256": None} | changes


def test_there_and_back():
    counts = PairedCounts.from_dict(of_floats())
    found = PairedCounts.from_json(counts.to_json())
    assert found == counts == PairedCounts.from_dict(counts.to_dict())
    assert (found.rows1.tolist(), found.rows2.tolist(), found.multiplicities) == (*ROOTS, None)
    assert (found.n, found.provenance.rounding, found.to_dict()["version"]) == (3, 2.0**-51, 2)
    assert paired_permutation_test(found) == paired_permutation_test(*ROOTS)
    assert "no decimal" in counts.to_json()
    assert "no decimal" not in counts.to_json(labels=False)  # it would tell an example's score


DAMAGED = {
    "rows1": [[1.5, math.nan, 0.0], [1.5, math.inf, 0.0], ["1", 2, 3], [True] * 3, [0.5], None],
    "rounding": [None, "0", True, 2.0**-54, 0.5],
    "no_lattice": [None, "", 3],
    "rows2": [[2**53 + 1, 0.5, 1.0]],
    "multiplicities": [[1, 1, 1]],
    "sizes": [[1, 1, 1]],
    "unit": [10],
    "decimals": [1],
}


@pytest.mark.parametrize(
    ("key", "value"), [(x, y) for x, several in DAMAGED.items() for y in several], ids=repr
)
def test_damaged(key, value):
    with pytest.raises(InputError, match=r"`counts`.*Write them anew"):
        PairedCounts.from_dict(of_floats(**{key: value}))


def test_nothing_is_added():
    """Nor to integers; no number is lost, or rounded, without a word."""
    counts = PairedCounts.from_dict(of_floats())
    for other in (counts, PairedCounts.from_rows([1], [0])):
        with pytest.raises(InputError, match=r"cannot add counts of scores that lie on no lattice"):
            counts + other
    with pytest.raises(FrozenInstanceError):
        counts.metrics = "f1"


def test_they_count_no_labels():
    """Nor does a table of them say so."""
    counts = PairedCounts.from_dict(of_floats(metric="accuracy"))
    with pytest.raises(InputError, match=r"numbers that cannot count labels\). Was it altered"):
        paired_permutation_test(counts)
