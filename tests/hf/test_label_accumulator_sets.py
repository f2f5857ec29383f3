"""Sets of labels that were added before it was known that they are sets."""

import evaluate
import numpy as np
import pytest

from corpora.small import COLUMNS
from pairedperm import InputError


@pytest.mark.parametrize("n_columns", [1, 3])
def test_matrices_are_sequences_unless_sets_were_named(registered, n_columns):
    """Of one column they could be sets of 0 or 1."""
    matrices = {name: np.tri(3, dtype=int)[:, :n_columns] for name in COLUMNS}
    sets = {"metric": "f1", "average": "micro", "multilabel": True}
    module = evaluate.load("paired_perm")
    module.add_batch(**matrices)
    with pytest.raises(InputError, match="`multilabel`: a matrix was added"):
        module.compute(**sets)
    assert module.compute()["score1"] == 1.0  # sequences
    module.add_batch(**{name: [[0, 1], [2]] for name in COLUMNS})
    assert module.compute(**sets)["score1"] == 1.0  # lists may be sets
    module = evaluate.load("paired_perm", "f1", average="micro", multilabel=True)
    module.add_batch(**matrices)
    assert module.compute()["score1"] == 1.0
