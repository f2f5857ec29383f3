"""The progress bar of a long exact computation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pairedperm.convolution.progress import watched
from pairedperm.results.sampled import PATIENCE

_SHAPE = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"


@contextmanager
def computing(seconds: float) -> Iterator[None]:
    """Show a progress bar inside the block, unless `datasets` has disabled all bars."""
    from datasets.utils import tqdm as switched  # takes a second to import

    shown = {"desc": "Computing p", "bar_format": _SHAPE, "delay": PATIENCE, "leave": False}
    with (
        switched(total=seconds, **shown) as bar,
        watched(lambda done: bar.update(min(1e-9 * done, max(seconds - bar.n, 0.0)))),
    ):
        yield
