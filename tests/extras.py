"""What tests need beyond the test extra: they skip without it, but fail in CI."""

import importlib
import os

import pytest


def needs(module, extra):
    if os.environ.get("CI"):
        return importlib.import_module(module)
    return pytest.importorskip(module, reason=f"needs the extra [{extra}]", exc_type=ImportError)
