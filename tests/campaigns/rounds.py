"""A campaign: the properties of Hypothesis that are chosen, and a clock.

`python -m pytest tests/campaigns --campaign 30` asks each property in rounds, each with a new seed,
until the minutes are used; any property of the suite can be named in place of `tests/campaigns`.
`--campaign 0 --hypothesis-seed S` asks one round, that of seed S, again. A call that does not end
within its limit is a finding: the process is ended, with a traceback of where it was.
"""

from __future__ import annotations

import faulthandler
import os
import tempfile
import time
from collections import Counter
from contextlib import suppress
from functools import wraps
from inspect import signature
from pathlib import Path
from random import SystemRandom
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, seed
from hypothesis.errors import UnsatisfiedAssumption

LIMIT = 180.0  # seconds that a call may take on a slow machine
_FOLDER = "PAIREDPERM_CAMPAIGN"  # an environment variable, for what the processes write
_LONGEST = 4000  # characters of a call that are written


class Rounds:
    """The plugin of `--campaign`."""

    def __init__(self, config: Any) -> None:
        self.minutes: float = config.getoption("campaign")
        given = config.getoption("--hypothesis-seed")
        self.seed = None if given is None else int(given)
        self.seconds: dict[str, float] = {}
        if _FOLDER not in os.environ:  # the process that starts the others
            self._home = tempfile.TemporaryDirectory(prefix="pairedperm-campaign-")
            os.environ[_FOLDER] = self._home.name
        self.folder = Path(os.environ[_FOLDER])

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
        """Ask the property until its time is used."""
        names = {*signature(pyfuncitem.obj).parameters} - {"ask"}
        given = {x: pyfuncitem.funcargs[x] for x in names}
        path = self.folder / f"{time.time_ns()} {os.getpid()}"
        with path.open("w", encoding="utf-8") as file:
            _Rounds(pyfuncitem, self.seconds[pyfuncitem.nodeid], file).run(given, self.seed)
        return True

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print what the processes have written."""
        terminalreporter.section("campaign")
        for path in sorted(self.folder.iterdir()):
            terminalreporter.write_line(path.read_text("utf-8", "replace").strip())

    def pytest_unconfigure(self) -> None:
        if hasattr(self, "_home"):
            self._home.cleanup()


class _TimeIsUsed(KeyboardInterrupt):
    """What is left of the last round is not asked: Hypothesis ends it as if by Ctrl-C."""


class _Rounds:
    """The rounds of one property, and the file that tells of them."""

    def __init__(self, item: Any, seconds: float, file: Any) -> None:
        self.item, self.file = item, file
        self.until = time.monotonic() + seconds
        self.is_whole = not seconds  # a round that is asked to its end
        self.n_calls = self.failed_at = 0  # the number of the call that failed first
        self.head = ""

    def run(self, given: dict[str, Any], first: int | None) -> None:
        property_ = _property_of(self.item)
        handle, inner = property_.hypothesis, property_.hypothesis.inner_test
        start, number, is_held = time.monotonic(), 0, False
        first = SystemRandom().randrange(2**32) if first is None else first
        handle.inner_test = self._watched(inner)
        try:
            while not number or time.monotonic() < self.until:
                more = f" to {first + number}" if number else ""
                self.head = f"{self.item.name}: seed {first}{more}"
                with suppress(_TimeIsUsed):
                    seed(first + number)(property_)(**given)
                number += 1
            is_held = True
        finally:
            handle.inner_test = inner
            faulthandler.cancel_dump_traceback_later()
            a_minute = 60.0 * self.n_calls / (time.monotonic() - start)
            how = f"{self.head}, {self.n_calls} calls, {a_minute:.0f} a minute"
            if not is_held:
                how += f": call {self.failed_at} failed; again:\n  python -m pytest "
                how += f"'{self.item.nodeid}' --campaign 0 --hypothesis-seed {first + number}"
            self._write(how)

    def _watched(self, test: Any) -> Any:
        @wraps(test)
        def call(*arguments: Any, **options: Any) -> Any:
            is_over = self.n_calls and time.monotonic() > self.until
            if is_over and not self.is_whole and not self.failed_at:
                raise _TimeIsUsed
            self.n_calls += 1
            shown = repr([*arguments, *options.values()])[:_LONGEST]
            self._write(f"{self.head}: a call did not end: {shown}")
            faulthandler.dump_traceback_later(LIMIT, exit=True, file=self.file)
            try:
                return test(*arguments, **options)
            except UnsatisfiedAssumption:
                raise
            except Exception:
                self.failed_at = self.failed_at or self.n_calls
                raise

        return call

    def _write(self, text: str) -> None:
        self.file.seek(0)
        self.file.truncate()
        self.file.write(text + "\n")
        self.file.flush()


def _property_of(item: Any) -> Any:
    """The property that an item is, or the one that its parameter `ask` is; None if it has none."""
    if not isinstance(item, pytest.Function):
        return None
    asked = item.callspec.params.get("ask") if hasattr(item, "callspec") else None
    return next((x for x in (item.obj, asked) if is_hypothesis_test(x)), None)


def _weight(item: Any) -> float:
    marker = item.get_closest_marker("weight")
    return marker.args[0] if marker else 1.0
