"""The clock of a campaign: new seeds until the minutes are used, and calls that do not end."""

import os
import re
import subprocess
import sys

import pytest

from interpreter import CHECKOUT

PROPERTIES = """
import time
from campaigns import rounds
from hypothesis import assume, given, strategies as st

rounds.LIMIT = 0.5

@given(st.integers(0, 1000))
def test_holds(n):
    assume(n != 7)

@given(n=st.lists(st.integers(0, 9)))
def test_fails(n):
    assert sum(n) < 20

@given(st.integers(0, 99))
def test_hangs(n):
    while n > 50:
        time.sleep(1)

def test_no_property():
    raise AssertionError
"""


def ask(folder, *options):
    """What a campaign on these properties prints; some fail."""
    (folder / "test_x.py").write_text(PROPERTIES, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "test_x.py", "--rootdir", "."]
    found = subprocess.run(
        [*command, "-c", CHECKOUT / "pyproject.toml", *options],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": str(CHECKOUT / "tests")},
        cwd=folder,
    )
    assert found.returncode == 1
    return found.stdout


@pytest.mark.thorough
def test_new_seeds_until_the_time_is_used_and_a_call_that_does_not_end(tmp_path):
    out = ask(tmp_path, "--campaign", "0.02")
    (first, last) = map(int, re.search(r"test_holds: seed (\d+) to (\d+)", out).groups())
    assert last > first
    assert re.search(r"test_holds: .*, \d+ calls, \d+ a minute\n", out)
    assert "n=[2, 9, 9]" in out  # as Hypothesis shrinks it
    assert re.search(r"worker 'gw\d' crashed while running '.*test_hangs'", out)
    ended = r"test_hangs: seed .*: a call did not end: \[\d+\]\nTimeout .*\n.* in test_hangs"
    assert re.search(ended, out, re.S)
    again = re.search(r"call \d+ failed; again:\n  python -m pytest '.*?' (.*)", out)[1]
    out = ask(tmp_path, *again.split(), "-k", "fails")
    assert f"test_fails: seed {again.split()[-1]}, " in out
    assert "no_property" not in out
