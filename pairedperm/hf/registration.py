"""Load the comparison modules, or put them where `evaluate.load` finds them by name."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairedperm.errors import InputError, describe
from pairedperm.hf.files import write_whole

if TYPE_CHECKING:
    from pairedperm.hf.comparison import PairedComparison

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
    first, *_ = _all_registered().values()
    return first


def load(name: str, config_name: str | None = None, **options: Any) -> PairedComparison:
    """Load one of the two `evaluate` modules: `register`, and `evaluate.load` of its script.

    Without the network, and without the warning of `evaluate.load` that a module of this name is
    not on the Hub, which takes seconds to find out.

    Parameters
    ----------
    name : {"paired_perm", "paired_bootstrap"}
        The exact paired-permutation test, or the paired bootstrap.
    config_name : str or None
        The metric, as of `compare`; None is "accuracy". Or "scores", for numbers.
    **options
        Of the metric, as ``pos_label=1``, and all other arguments of `evaluate.load`:
        ``num_process``, ``process_id``, ``experiment_id``, ``cache_dir``.

    Returns
    -------
    evaluate.EvaluationModule
        With the methods ``compute``, ``add``, ``add_batch`` and ``reset``.

    Raises
    ------
    InputError
        For another name, and a configuration that there is not; if the cache of `register`
        cannot be written.

    Examples
    --------
    >>> import pairedperm
    >>> paired_perm = pairedperm.load("paired_perm", "f1", pos_label="yes")
    >>> paired_perm.add_batch(
    ...     predictions1=["yes", "no"], predictions2=["no", "no"], references=["yes", "no"]
    ... )
    >>> paired_perm.compute()["p"]
    1.0
    """
    if not isinstance(name, str) or name not in _NAMES:
        raise InputError(
            f"`name` must be {' or '.join(map(repr, _NAMES))}, got {describe(name)}. A metric is "
            f"its configuration, pairedperm.load({_NAMES[0]!r}, 'f1'); other modules are loaded "
            "with evaluate.load."
        )
    import evaluate  # takes seconds

    script = _all_registered()[name]
    module: PairedComparison = evaluate.load(str(script), config_name, **options)
    return module


def _all_registered() -> dict[str, Path]:
    """Where the modules' scripts are now."""
    from evaluate import config  # takes seconds to import

    # evaluate.loading: <cache>/evaluate_modules/metrics/evaluate-<type>--<name>/<64 characters>/
    folder = Path(config.HF_MODULES_CACHE, "evaluate_modules", "metrics")
    return {name: _registered(name, folder) for name in _NAMES}


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
