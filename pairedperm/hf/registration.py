"""Load the comparison modules, or register them so that `evaluate.load` finds their names."""

from __future__ import annotations

import hashlib
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pairedperm.errors import File, InputError, Parts, Python
from pairedperm.inputs.files import why, write_whole
from pairedperm.options import OneOf, reads_options

if TYPE_CHECKING:
    from pairedperm.hf.module import PairedComparison

_NAMES = ("paired_perm", "paired_bootstrap")
_NAME = OneOf(
    _NAMES,
    remedy=f"A metric is the configuration, pairedperm.load({_NAMES[0]!r}, 'f1'). Load other "
    "modules with evaluate.load.",
)


def register() -> Path:
    """Make ``evaluate.load("paired_perm")`` and ``("paired_bootstrap")`` work on this machine.

    Afterwards they load from any directory, offline. The modules' scripts are copied into
    evaluate's module cache, like scripts from the Hub. Those of other releases stay for these, and
    `evaluate` takes the ones that were registered last. The scripts call the installed
    `pairedperm`. A second call changes nothing.

    The cache is ``HF_MODULES_CACHE``, or ``modules`` in ``HF_HOME``, as set when `evaluate` was
    imported.

    Returns
    -------
    pathlib.Path
        The registered script of paired_perm. That of paired_bootstrap is in a directory beside it.

    Raises
    ------
    InputError
        If the cache cannot be written.
    """
    first, *others = _all_registered().values()
    for script in (first, *others):
        _make_newest(script)
    return first


@reads_options
def load(
    name: Annotated[str, _NAME], config_name: str | None = None, **options: Any
) -> PairedComparison:
    """Load one of the two `evaluate` modules.

    It calls `register`, then `evaluate.load` with the script's path. So no network is needed, and
    `evaluate` does not search the Hub for seconds, and then warn.

    Parameters
    ----------
    name : {"paired_perm", "paired_bootstrap"}
        The exact paired-permutation test, or the paired bootstrap.
    config_name : str or None
        The metric's name, as in `compare`, or "scores" for a number per example. None is
        "accuracy".
    **options
        Of the metric, as ``pos_label=1``, and all other arguments of `evaluate.load`:
        ``num_process``, ``process_id``, ``experiment_id``, ``cache_dir``.

    Returns
    -------
    pairedperm.hf.PairedComparison
        An `evaluate.EvaluationModule` with the methods ``compute``, ``add``, ``add_batch`` and
        ``reset``.

    Raises
    ------
    InputError
        For another name, an unknown configuration, or an option that its metric has not; if the
        cache of `register` cannot be written.
    TypeError
        For an option that no metric has, and for one that belongs to ``compute``.

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
    import evaluate  # takes seconds

    script = _all_registered()[name]
    module: PairedComparison = evaluate.load(str(script), config_name, **options)
    return module


def _all_registered() -> dict[str, Path]:
    """Register both modules and return their scripts' paths."""
    from evaluate import config  # takes seconds to import

    # evaluate.loading: <cache>/evaluate_modules/metrics/evaluate-<type>--<name>/<64 characters>/
    folder = Path(config.HF_MODULES_CACHE, "evaluate_modules", "metrics")
    return {name: _registered(name, folder) for name in _NAMES}


def _registered(name: str, folder: Path) -> Path:
    """Copy the module's script to a folder of its version in the cache, and return its path."""
    script = _script(name).read_bytes()
    version = folder / f"evaluate-comparison--{name}" / hashlib.sha256(script).hexdigest()
    target = version / f"{name}.py"
    with _changing(name, folder):
        if not (target.is_file() and target.read_bytes() == script):
            made = version.with_name(f".{uuid.uuid4().hex}.tmp")
            made.mkdir(parents=True)
            (made / target.name).write_bytes(script)
            with suppress(OSError):  # it is there: another process made it, or damaged it
                made.rename(version)
            shutil.rmtree(made, ignore_errors=True)
            if target.read_bytes() != script:
                write_whole({target: script})
    return target


def _make_newest(script: Path) -> None:
    """Let `evaluate` prefer a script to those of other releases, and remove what has none."""
    latest, modules = 0.0, script.parent.parent
    for other in modules.glob("?" * 64):
        with suppress(OSError):  # another process may remove it
            if other != script.parent and (other / script.name).is_file():
                latest = max(latest, (other / script.name).stat().st_mtime)
            elif other != script.parent:
                shutil.rmtree(other)
    with _changing(script.stem, modules.parent):
        if latest >= script.stat().st_mtime:
            os.utime(script, (latest + 1.0, latest + 1.0))


@contextmanager
def _changing(name: str, folder: Path) -> Iterator[None]:
    """Raise InputError if what is done here fails to change the cache."""
    try:
        yield
    except OSError as error:
        variables = " HF_HOME or HF_MODULES_CACHE to a directory that can be written"
        raise InputError(
            f"cannot register {name!r} in evaluate's module cache, ",
            File(str(folder)),
            f": {why(error)}",
            remedy=Parts(Python("Before importing evaluate, set", "Set"), variables),
        ) from error


def _script(name: str) -> Path:
    """Find the module's script: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).parent.parent
    for metrics in (package / "metrics", package.parent / "metrics"):
        script = metrics / name / f"{name}.py"
        if script.is_file():
            return script
    raise FileNotFoundError(f"{name}.py is missing from this installation of pairedperm")
