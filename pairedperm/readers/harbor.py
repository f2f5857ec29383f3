"""The reader of results of Harbor, a ``result.json`` a trial, and of Terminal-Bench before it."""

from __future__ import annotations

from typing import Any

from pairedperm.errors import File, Parts, counted
from pairedperm.readers.collector import Collector, LogFormat, folder_of_run
from pairedperm.readers.run import Run
from pairedperm.readers.text_file import (
    NoLog,
    Object,
    Signs,
    TextFile,
    items_in,
    list_at,
    value_at,
)

_ID = r'"id":"[^"]*",'
_TRIALS = r'"results":\[\{'  # of Terminal-Bench
_HARBOR_SIGNS = Signs(
    json=(
        rf'{_ID}("task_name":|{_TRIALS}[^{{}}]*"(trial_name|task_id)":)'
        rf'|{_TRIALS}"trial_name":'
    ),
    unread=[
        NoLog(
            rf'\{{{_ID}"started_at":[^{{]*"(n_total_trials|stats)":',
            "has averages of a run of Harbor, and no scores of examples",
            "Give its folder, in which each trial has a folder.",
        ),
        NoLog(
            rf'\{{({_ID})?"trial_name":',
            "is one trial of Terminal-Bench",
            "Give the results.json of the whole run.",
        ),
    ],
)
_LACKS = "has a trial without a task"


def _read_harbor(file: TextFile) -> list[Run]:
    """Return the run of Terminal-Bench's ``results.json``, or one trial of a run of Harbor.

    A trial tells the folder of its run as its path. The attempts at a task are its repeats. A trial
    that ended without a reward has no score.

    Raises
    ------
    InputError
        If the log cannot be read, or has a trial without a task.
    """
    trial, collected = file.whole_object(), Collector(file, HARBOR.name)
    if "results" in trial:
        return [_of_terminal_bench(file, list_at(file, trial, "results"))]
    rewards = items_in(trial, "verifier_result", "rewards")
    example = file.checked_name(trial.get("task_name"), _LACKS)
    collected.add(example, str(trial.get("task_checksum")), rewards)
    run = collected.run(
        path=folder_of_run(file).path,
        task=trial.get("source"),
        model=_agent(
            value_at(trial, "agent_info", "name"),
            value_at(trial, "agent_info", "model_info", "name"),
        ),
        lower_is_better=dict.fromkeys(collected.metrics, False),
    )
    return [run]


def _of_terminal_bench(file: TextFile, trials: list[Object]) -> Run:
    """Return the run of all trials, with what the file beside it says of the run.

    Terminal-Bench counts a trial that it could not judge as not resolved, and it is read so.
    """
    collected, n_unjudged = Collector(file, HARBOR.name), 0
    for number, trial in enumerate(trials, 1):
        is_resolved = trial.get("is_resolved")
        if is_resolved is None and "is_resolved" in trial:
            is_resolved, n_unjudged = False, n_unjudged + 1
        scores = [("is_resolved", is_resolved)]
        example = file.checked_name(trial.get("task_id"), _LACKS)
        collected.add(example, None, scores, repeat=number)
    not_judged = f"{counted(n_unjudged, 'trial')} of ", File(file.path), " could not be judged"
    note = Parts(*not_judged, ": counted as not resolved, as Terminal-Bench does")
    of_run = file.beside("run_metadata.json")
    return collected.run(
        task=of_run.get("dataset_name"),
        version=of_run.get("dataset_version"),
        model=_agent(of_run.get("agent_name"), of_run.get("model_name")),
        lower_is_better={"is_resolved": False},
        notes=(note,) * bool(n_unjudged),
    )


def _agent(agent: Any, model: Any) -> str:
    """Return the names of an agent and its model in one."""
    return ", ".join(str(x) for x in (agent, model) if x)


HARBOR = LogFormat("harbor", _HARBOR_SIGNS, _read_harbor)
