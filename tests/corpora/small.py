"""Small corpora: of labels and of scores, for the module's tests, and of a suite's tasks."""

from typing import Any

from pairedperm import compare, paired_permutation_test

P1, P2, REFS = [1, 1, 0, 1, 2, 2], [1, 0, 0, 0, 2, 0], [1, 1, 1, 1, 2, 2]
COLUMNS: dict[str, Any] = {"predictions1": P1, "predictions2": P2, "references": REFS}
EXPECTED = compare(P1, P2, REFS).to_dict()

SCORES = {"predictions1": [0.5, 0.75, 1, 0.25, 0.1], "predictions2": [0.5, 0.25, 0.5, 0.5, 0]}
EXPECTED_OF_SCORES = paired_permutation_test(*SCORES.values()).to_dict()


def some_tasks(rng, n_tasks=3):
    """Two systems' labels and the right ones, of tasks of 1 to 4 examples."""
    sizes = rng.integers(1, 5, n_tasks).tolist()
    return {f"task {k}": tuple(rng.integers(0, 2, (3, n)).tolist()) for k, n in enumerate(sizes)}
