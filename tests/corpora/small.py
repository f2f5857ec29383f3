"""A small corpus of labels and one of scores, for the module's tests."""

from typing import Any

from pairedperm import compare, paired_permutation_test

P1, P2, REFS = [1, 1, 0, 1, 2, 2], [1, 0, 0, 0, 2, 0], [1, 1, 1, 1, 2, 2]
COLUMNS: dict[str, Any] = {"predictions1": P1, "predictions2": P2, "references": REFS}
EXPECTED = compare(P1, P2, REFS).to_dict()

SCORES = {"predictions1": [0.5, 0.75, 1, 0.25, 0.1], "predictions2": [0.5, 0.25, 0.5, 0.5, 0]}
EXPECTED_OF_SCORES = paired_permutation_test(*SCORES.values()).to_dict()
