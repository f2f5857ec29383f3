"""The patience of a call of many tests: one estimated time, of which each test has its share."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import NamedTuple

from pairedperm.errors.wording import during

_ALL = 60.0  # tuned: seconds of all tests of a call, estimated; beyond, each has its share of them


class Share(NamedTuple):
    """What "auto" may take for a test.

    `seconds` are estimated by counts of work. So many `n_samples` may be drawn in any case.
    `is_of_many` tells whether the test is one of many, which have one bar.
    """

    seconds: float = math.inf
    n_samples: int = 0
    is_of_many: bool = False


class NoBar(AbstractContextManager["NoBar"]):
    """A progress bar that nobody sees: tqdm's takes as long to import as a small test."""

    def __exit__(self, *_: object) -> None:
        """Close nothing."""

    def update(self, n: float = 1) -> None:
        """Count nothing."""


_ALONE = Share()
_OWN_SHARE: ContextVar[Share] = ContextVar("share", default=_ALONE)


def share() -> Share:
    """Return what "auto" may take for the test that runs."""
    return _OWN_SHARE.get()


def sharing(n_tests: int, seconds: float, alpha: float) -> AbstractContextManager[None]:
    """Run so many tests, of so many seconds in all, with one patience and no bars of their own.

    If they take too long, each has the same share. It may draw n / α samples all the same: the
    sampled p-values of n tests can be at most α after a correction for their number.
    """
    if seconds <= _ALL:
        return during(_OWN_SHARE, Share(is_of_many=True))
    return during(_OWN_SHARE, Share(_ALL / n_tests, math.ceil(n_tests / alpha), is_of_many=True))
