"""How many rows come at once, and how many are held before they are counted."""

import pytest

from pairedperm.hf import accumulator
from pairedperm.inputs import dataset_columns


@pytest.fixture(params=[7, 10_000], ids=["batches", "one batch"])
def batches(request, monkeypatch):
    """Datasets are read in small batches, then in one go."""
    monkeypatch.setattr(dataset_columns, "STORED_ROWS", request.param)
    monkeypatch.setattr(dataset_columns, "STREAMED_ROWS", request.param)


@pytest.fixture
def hold(monkeypatch):
    """Set how many labels, or distinct scores, streams hold before they count them."""

    def set_to(n):
        for limit in ("UNCOUNTED_LABELS", "UNMERGED_ROWS"):
            monkeypatch.setattr(accumulator, limit, n)

    return set_to
