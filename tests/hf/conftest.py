"""How many rows come at once."""

import pytest

from pairedperm.hf import dataset_columns


@pytest.fixture(params=[7, 10_000], ids=["batches", "one batch"])
def batches(request, monkeypatch):
    """Datasets are read in small batches, then in one go."""
    monkeypatch.setattr(dataset_columns, "STORED_ROWS", request.param)
    monkeypatch.setattr(dataset_columns, "STREAMED_ROWS", request.param)
