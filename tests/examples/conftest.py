"""What scripts leave behind when they run in the process of the tests."""

import datasets
import pytest


@pytest.fixture(autouse=True)
def progress_bars():
    """Scripts hide them: the tests after them want them shown."""
    yield
    datasets.enable_progress_bars()
