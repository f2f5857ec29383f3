"""What tests need beyond the test extra: they are skipped without it, with the remedy."""

import os
import shutil

import pytest

PROGRAM = "needs the program "  # how the reason of a skip begins, of which only `.ci/run` fails

on_posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes, links or alarms")


def needs(module, extra):
    """The imported module; without it the test is skipped, and fails with --thorough."""
    install = f'python -m pip install ".[{extra}]"'
    reason = f"needs {module.partition('.')[0]}: {install}"
    return pytest.importorskip(module, reason=reason, exc_type=ImportError)


def needs_program(*names, install):
    """The path of one of them; without any the test is skipped, but fails in .ci/run."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip(f"{PROGRAM}{names[0]}: {install}")
    return found
