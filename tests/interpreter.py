"""Run a new interpreter, with this checkout and without the settings of Hugging Face."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[1]
# With a stand-in for transformers, which evaluate imports where it is: that takes seconds.
LIGHT = os.pathsep.join(map(str, [CHECKOUT, CHECKOUT / "tests" / "light"]))


def python(*arguments: str, cwd: Path, with_stderr: bool = False, **variables: str) -> Any:
    """Run it in a directory of its own; what it prints, or that and what it prints to stderr."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HF_")}
    environment.update({"HF_EVALUATE_OFFLINE": "1", "PYTHONPATH": LIGHT, **variables})
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return (done.stdout, done.stderr) if with_stderr else done.stdout.strip()
