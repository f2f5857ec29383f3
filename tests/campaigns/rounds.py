"""A campaign: the properties of Hypothesis that are chosen, and a clock.

`python -m pytest tests/campaigns --campaign 30` asks each property in rounds, each with a new seed,
until the minutes are used; any property of the suite can be named in place of `tests/campaigns`.
`--campaign 0 --hypothesis-seed S` asks one round, that of seed S, again. A call that does not end
within its limit is a finding: the process is ended, with a traceback of where it was.
"""

from __future__ import annotations

import faulthandler
import os
import time
from collections import Counter
from functools import wraps
from inspect import signature
from random import SystemRandom
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, seed

LIMIT = 180.0  # seconds that a call may take on a slow machine


class Rounds:
    """The plugin of `--campaign`."""

    def __init__(self, config: Any) -> None:
        self.minutes: float = config.getoption("campaign")
        given = config.getoption("--hypothesis-seed")
        self.seed = None if given is None else int(given)
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: Any, items: list) -> None:
        """Keep the properties; each file has its share of the minutes of all processes."""
        others = [x for x in items if _property_of(x) is None]
        items[:] = [x for x in items if _property_of(x) is not None]
        config.hook.pytest_deselected(items=others)
        n_of_file = Counter(x.path for x in items)
        weights = {x.nodeid: _weight(x) / n_of_file[x.path] for x in items}
        n_processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        most = 60.0 * self.minutes
        unit = most * n_processes / sum(weights.values()) if items else 0.0
        self.seconds = {name: min(unit * weight, most) for name, weight in weights.items()}
        items.sort(key=lambda x: -weights[x.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: Any) -> bool:
        """Ask the property until its time is used; what fails tells the seed of its round."""
        property_ = _property_of(pyfuncitem)
        names = {*signature(pyfuncitem.obj).parameters} - {"ask"}
        given = {x: pyfuncitem.funcargs[x] for x in names}
        until = time.monotonic() + self.seconds[pyfuncitem.nodeid]
        number = SystemRandom().randrange(2**32) if self.seed is None else self.seed
        handle, inner = property_.hypothesis, property_.hypothesis.inner_test
        handle.inner_test = _watched(inner)
        try:
            while True:
                print(f"'{pyfuncitem.nodeid}' --campaign 0 --hypothesis-seed {number}")
                seed(number)(property_)(**given)
                number += 1
                if time.monotonic() > until:
                    return True
        finally:
            handle.inner_test = inner
            faulthandler.cancel_dump_traceback_later()


def _watched(test: Any) -> Any:
    """The test, whose process ends if a call does not."""

    @wraps(test)
    def call(*arguments: Any, **options: Any) -> Any:
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        return test(*arguments, **options)

    return call


def _property_of(item: Any) -> Any:
    """The property that an item is, or the one that its parameter `ask` is; None if it has none."""
    if not isinstance(item, pytest.Function):
        return None
    asked = item.callspec.params.get("ask") if hasattr(item, "callspec") else None
    return next((x for x in (item.obj, asked) if is_hypothesis_test(x)), None)


def _weight(item: Any) -> float:
    marker = item.get_closest_marker("weight")
    return marker.args[0] if marker else 1.0
