"""Several processes that compute together, in rounds, by the files of `evaluate`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from evaluate import EvaluationModule
from filelock import FileLock, Timeout

from pairedperm.errors import InputError

_ROUNDS: Counter[tuple[Any, ...]] = Counter()  # that were computed, by evaluate's files
_OF_A_ROUND = ("writer", "filelock", "filelocks", "file_paths", "rendez_vous_lock")


def gathered(
    module: EvaluationModule, experiment_id: str, state: Mapping[str, Any]
) -> list[dict[str, Any]] | None:
    """Return the states of all processes in the first of them, and None in the others."""
    with _new_round(module, experiment_id) as round_id:
        text = json.dumps({"round": round_id, **state})
        columns = {name: [""] for name in module.info.features}
        EvaluationModule.add_batch(module, **columns | {"predictions1": [text]})
        _check_the_first_waits(module)
        states = EvaluationModule.compute(module)
    return None if states is None else [json.loads(text) for text in states["predictions1"]]


def check_states(states: Sequence[Mapping[str, Any]]) -> None:
    """Raise InputError if a process failed, if their options differ, or if none has examples."""
    errors = [state["error"] for state in states if "error" in state]
    if errors:
        raise InputError(" ".join(errors))
    options = [{"round": state["round"], **state["options"]} for state in states]
    for option in dict.fromkeys(name for each in options for name in each):
        values = list(dict.fromkeys(str(each.get(option)) for each in options))
        if len(values) > 1:
            differ = f"the processes compute different things: {option} {' and '.join(values)}"
            same = "All must call compute equally often, with the same options"
            raise InputError(differ, remedy=same)
    if not any(state["n"] for state in states):
        raise InputError("there is nothing to compare", remedy="no process has added examples")


@contextmanager
def _new_round(module: EvaluationModule, experiment_id: str) -> Iterator[str]:
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


def _check_the_first_waits(module: EvaluationModule) -> None:
    """Raise ValueError if the first process holds no lock, and so has given up waiting."""
    if module.process_id == 0:
        return
    with suppress(Timeout), FileLock(_lock_file(module, 0), timeout=0):
        raise ValueError("the first process has stopped waiting.")


def _lock_file(module: EvaluationModule, which: int | str) -> Path:
    """Return the file that evaluate locks for a process, or for their rendezvous."""
    ending = "lock" if which == "rdv" else "arrow.lock"
    return Path(module.data_dir, f"{module.experiment_id}-{module.num_process}-{which}.{ending}")
