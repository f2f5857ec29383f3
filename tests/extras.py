"""What tests need beyond the test extra: they are skipped without it, with the remedy."""

import os

import pytest

on_posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes, links or alarms")


def needs(module, extra):
    """The imported module; without it the test is skipped, and fails with --thorough."""
    install = f'python -m pip install ".[{extra}]"'
    reason = f"needs {module.partition('.')[0]}: {install}"
    return pytest.importorskip(module, reason=reason, exc_type=ImportError)
