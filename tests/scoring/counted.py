"""Counts of every kind, which several tests store, alter and add."""

from fractions import Fraction
from typing import Any

from pairedperm import PairedCounts, paired_bootstrap_test, paired_counts, paired_permutation_test

TESTS = (paired_permutation_test, paired_bootstrap_test)
SIX = [*"xyxzxy"], [*"yyzzyy"], [*"xyxxzz"]
COUNTS = {
    "accuracy": paired_counts(*SIX),
    "f1": paired_counts(*SIX, "f1", pos_label="x"),
    "macro": paired_counts(*SIX, "f1", average="macro"),
    "kappa": paired_counts(*SIX, "cohen_kappa"),
    "named": paired_counts(*SIX, "f1", average="macro", labels=["x", "q"]),
    "weighted": paired_counts(*SIX, "cohen_kappa", weights="linear"),
    "items": paired_counts([[1, 0], [0, 1, 1]], [[0, 0], [0, 1, 0]], None, "pass_at_k", k=2),
    "fractions": paired_counts([Fraction(1, 3), Fraction(2, 7)], [0, 1], None, "mean_score"),
    "groups": paired_counts(*SIX, groups=[*"aabbbc"]),
    "ignored": paired_counts([[1, 2], [0]], [[0, 1], [1]], [[1, -100], [0]]),
    "integers": PairedCounts.from_rows([3, 1, 1, 1], [0, 1, 1, 2]),
    "decimals": PairedCounts.from_rows([0.5, 1.25, -2], [0, 1, 1]),
    "rows": PairedCounts.from_rows([[1, 2], [3, 4], [3, 4]], [[0, 2], [1, 4], [1, 4]]),
    "none": PairedCounts.from_rows([], []),
    "largest": PairedCounts([2**63 - 1, -(2**63)], [0, 0], [2**61, 2**61 - 1]),
}


def altered(kind: str, /, **entries: Any) -> PairedCounts:
    """What is read of stored counts with other entries, whose digest is gone."""
    return PairedCounts.from_dict(COUNTS[kind].to_dict() | {"sha256": None} | entries)
