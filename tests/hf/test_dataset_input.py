"""compare_dataset: places of missing values, and columns of empty sequences."""

import numpy as np
import pytest
from datasets import Dataset, Features, IterableDataset, Sequence, Value

from corpora.small import COLUMNS
from pairedperm import InputError
from pairedperm.hf import compare_dataset
from properties import one_in

pytestmark = pytest.mark.usefixtures("batches")


@one_in(7)
@pytest.mark.parametrize("place", [0, 12, 33])
@pytest.mark.parametrize("kind", ["stored", "streamed", "without features"])
def test_missing_values_are_placed(kind, place):
    labels = ["a", "b"] * 20

    def of(**columns):
        stored = Dataset.from_dict(columns)
        if kind == "streamed":
            return stored.to_iterable_dataset()
        if kind == "without features":
            return IterableDataset.from_generator(lambda: iter(stored))
        return stored

    with_none = [*labels[:place], None, *labels[place + 1 :]]
    sequences = [[label, "c"] for label in labels]
    nested = [*sequences[:place], ["a", None], *sequences[place + 1 :]]
    no_row = [*sequences[:place], None, *sequences[place + 1 :]]
    for good, bad, where in (
        (labels, with_none, rf"\[{place}\]"),
        (sequences, nested, rf"\[{place}\]\[1\]"),
        (sequences, no_row, rf"\[{place}\]"),
    ):
        columns = {"predictions1": good, "predictions2": good, "references": good}
        for name in columns:
            with pytest.raises(InputError, match=rf"`{name}`{where} is missing \(None\)"):
                compare_dataset(of(**columns | {name: bad}))
    scores = [0.5] * 40
    columns = {"predictions1": scores, "predictions2": scores}
    for bad, what in ((None, "is missing"), (np.nan, "is nan"), (2**-0.5, "no decimal")):
        column = [*scores[:place], bad, *scores[place + 1 :]]
        with pytest.raises(InputError, match=rf"`predictions2`\[{place}\].*{what}"):
            compare_dataset(
                of(**columns | {"predictions2": column}), references=None, method="exact"
            )


@one_in(5)
@pytest.mark.parametrize("metric", ["span_f1", "accuracy", "exact_match"])
def test_columns_of_empty_sequences(metric):
    """Of one column, and of all; the other's labels are none of its own."""
    tags = Features(dict.fromkeys(COLUMNS, Sequence(Value("string"))))
    for one in ([["O"]], [[]]):
        columns = {"predictions1": [[]], "predictions2": one, "references": [[]]}
        stored = Dataset.from_dict(columns, features=tags)
        if metric == "accuracy" or (metric == "span_f1" and one == [["O"]]):
            with pytest.raises(InputError):
                compare_dataset(stored, metric=metric)
        else:
            assert compare_dataset(stored, metric=metric).n == 1
    ids = Features(dict.fromkeys(COLUMNS, Sequence(Value("int64"))))
    columns = {"predictions1": [[]], "predictions2": [[]], "references": [[1]]}
    with pytest.raises(InputError):
        compare_dataset(Dataset.from_dict(columns, features=ids), metric="span_f1")
