"""The scripts of `examples`: imported, run, and refusing their arguments."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from interpreter import LIGHT

CHECKOUT = Path(__file__).parents[1]
EXAMPLES = CHECKOUT / "examples"


def loaded(name: str) -> Any:
    """The script as a module."""
    specification = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def done_in(
    folder: Path, name: str, *arguments: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """The script, run as a process in this folder."""
    return subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py"), *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": LIGHT, "PYTHONUTF8": "1", **variables},
    )
