"""Put the comparison modules where `evaluate.load` finds it by name."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from pairedperm.errors import InputError
from pairedperm.hf.files import write_whole

_NAMES = ("paired_perm", "paired_bootstrap")


def register() -> Path:
    """Make ``evaluate.load("paired_perm")`` and ``("paired_bootstrap")`` work on this machine.

    From any directory, offline. Copies the modules' scripts into evaluate's module cache, as
    evaluate does with a script from the Hub, and removes versions that were registered before. The
    scripts are thin shells around the installed `pairedperm`. Calling it again changes nothing.

    The cache is where evaluate looks: ``HF_MODULES_CACHE``, or ``modules`` in ``HF_HOME``, as
    they were when `evaluate` was imported.

    Returns
    -------
    pathlib.Path
        The registered script of paired_perm; that of paired_bootstrap stands in a directory beside.

    Raises
    ------
    InputError
        If the cache cannot be written.
    """
    from evaluate import config  # takes seconds to import

    # evaluate.loading: <cache>/evaluate_modules/metrics/evaluate-<type>--<name>/<64 characters>/
    folder = Path(config.HF_MODULES_CACHE, "evaluate_modules", "metrics")
    first, *_ = [_registered(name, folder) for name in _NAMES]
    return first


def _registered(name: str, folder: Path) -> Path:
    """Where the module's script is now, and no other version of it."""
    script = _script(name).read_bytes()
    versions = folder / f"evaluate-comparison--{name}"
    version = versions / hashlib.sha256(script).hexdigest()
    target = version / f"{name}.py"
    try:
        if not (target.is_file() and target.read_bytes() == script):
            version.mkdir(parents=True, exist_ok=True)
            write_whole({target: script})
        for other in versions.iterdir():
            if other.is_dir() and len(other.name) == 64 and other != version:
                shutil.rmtree(other, ignore_errors=True)  # another process may be at it
    except OSError as error:
        raise InputError(
            f"cannot register {name!r} in evaluate's module cache: {error}. Set HF_HOME or "
            "HF_MODULES_CACHE to a directory that can be written, before importing evaluate."
        ) from error
    return target


def _script(name: str) -> Path:
    """The module's script: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).parent.parent
    for metrics in (package / "metrics", package.parent / "metrics"):
        script = metrics / name / f"{name}.py"
        if script.is_file():
            return script
    raise FileNotFoundError(f"{name}.py is missing from this installation of pairedperm")
