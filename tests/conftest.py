"""Every test runs offline, in a Hugging Face home of its own."""

import os
import tempfile

import pytest

# Before evaluate is imported: it reads these once.
_HOME = tempfile.TemporaryDirectory(prefix="pairedperm-tests-", ignore_cleanup_errors=True)
os.environ.pop("HF_MODULES_CACHE", None)
os.environ.update(HF_HOME=_HOME.name, HF_EVALUATE_OFFLINE="1", HF_HUB_OFFLINE="1")


@pytest.fixture(scope="session")
def registered():
    """The registered comparison module's script."""
    import pairedperm

    return pairedperm.register()


@pytest.fixture
def paired_perm(registered):
    """The module as users load it."""
    import evaluate

    return evaluate.load("paired_perm")


@pytest.fixture(params=[7, 10_000], ids=["batches", "one batch"])
def batches(request, monkeypatch):
    """Datasets are read in small batches, then in one go."""
    from pairedperm.hf import dataset

    monkeypatch.setattr(dataset, "_ROWS", request.param)
    monkeypatch.setattr(dataset, "_STREAMED_ROWS", request.param)
