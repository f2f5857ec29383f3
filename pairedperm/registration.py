"""Put the comparison module where `evaluate.load` finds it by name."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from pairedperm.errors import InputError
from pairedperm.files import write_whole

__all__ = ["register"]

_NAME = "paired_perm"


def register() -> Path:
    """Make ``evaluate.load("paired_perm")`` work on this machine, from any directory, offline.

    Copies the module's script into evaluate's module cache, as evaluate does with a script
    from the Hub, and removes versions that were registered before. The script is a thin shell
    around the installed `pairedperm`. Calling it again changes nothing.

    The cache is where evaluate looks: ``HF_MODULES_CACHE``, or ``modules`` in ``HF_HOME``, as
    they were when `evaluate` was imported.

    Returns
    -------
    pathlib.Path
        The registered script.

    Raises
    ------
    InputError
        If the cache cannot be written.
    """
    from evaluate import config  # takes seconds to import

    script = _script().read_bytes()
    # evaluate.loading: <cache>/evaluate_modules/metrics/evaluate-<type>--<name>/<64 characters>/
    versions = Path(config.HF_MODULES_CACHE, "evaluate_modules", "metrics")
    versions = versions / f"evaluate-comparison--{_NAME}"
    version = versions / hashlib.sha256(script).hexdigest()
    target = version / f"{_NAME}.py"
    try:
        if not (target.is_file() and target.read_bytes() == script):
            version.mkdir(parents=True, exist_ok=True)
            write_whole({target: script})
        for other in versions.iterdir():
            if other.is_dir() and len(other.name) == 64 and other != version:
                shutil.rmtree(other, ignore_errors=True)  # another process may be at it
    except OSError as error:
        raise InputError(
            f"cannot register {_NAME!r} in evaluate's module cache: {error}. Set HF_HOME or "
            "HF_MODULES_CACHE to a directory that can be written, before importing evaluate."
        ) from error
    return target


def _script() -> Path:
    """The module's script: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).parent
    for metrics in (package / "metrics", package.parent / "metrics"):
        script = metrics / _NAME / f"{_NAME}.py"
        if script.is_file():
            return script
    raise FileNotFoundError(f"{_NAME}.py is missing from this installation of pairedperm")
