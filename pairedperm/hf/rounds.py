"""Rounds in which several processes compute together, by the files of `evaluate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from evaluate import EvaluationModule
from filelock import FileLock, Timeout

from pairedperm.errors import InputError

_ROUNDS: Counter[tuple[Any, ...]] = Counter()  # that were computed, by evaluate's files
_OF_A_ROUND = ("writer", "filelock", "filelocks", "file_paths", "rendez_vous_lock")


@contextmanager
def new_round(module: EvaluationModule, experiment_id: str) -> Iterator[str]:
    """Name evaluate's files anew, so that no fast process overwrites those of the last round.

    If the processes did not meet, the round is not counted and they may try again.
    """
    key = (module.data_dir, experiment_id, module.num_process, module.process_id)
    number = _ROUNDS[key] + 1
    module.info.experiment_id = f"{experiment_id}-round{number}"
    try:
        yield str(module.info.experiment_id)
        _ROUNDS[key] = number
    except ValueError as error:
        raise InputError(
            f"the processes did not meet: {error}",
            remedy=(
                f"All must call compute equally often, and within {module.timeout} s of each other "
                "(evaluate.load(..., timeout=...))",
                "The examples added to this process are kept",
                "If a process was restarted, give all processes another experiment_id",
            ),
        ) from error
    else:
        if module.process_id == 0:  # the others need their locks no more
            for which in (*range(module.num_process), "rdv"):
                with suppress(OSError):
                    _lock_file(module, which).unlink()
    finally:
        for lock in (module.__dict__["filelock"], module.__dict__["rendez_vous_lock"]):
            if lock is not None:
                lock.release()
        for name in _OF_A_ROUND:
            setattr(module, name, None)  # evaluate would use them in the next round
        module.cache_file_name = None
        module.info.experiment_id = experiment_id


def check_the_first_waits(module: EvaluationModule) -> None:
    """Raise ValueError if the first process holds no lock, and so has given up waiting."""
    if module.process_id == 0:
        return
    lock = FileLock(_lock_file(module, 0))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return
    lock.release()
    raise ValueError("the first process has stopped waiting.")


def _lock_file(module: EvaluationModule, which: int | str) -> Path:
    """Return the file that evaluate locks for a process, or for their rendezvous."""
    ending = "lock" if which == "rdv" else "arrow.lock"
    return Path(module.data_dir, f"{module.experiment_id}-{module.num_process}-{which}.{ending}")
