"""The reader of promptfoo's results, which ``promptfoo eval -o results.json`` writes."""

from __future__ import annotations

import json
from typing import Any

from pairedperm.readers.run import Collector, Run
from pairedperm.readers.task_groups import no_tasks
from pairedperm.readers.text_file import Object, TextFile, value_at

name = "promptfoo"
tasks = no_tasks


def sniff(file: TextFile) -> bool:
    """Tell whether a file is such a log, by its first keys."""
    return file.is_json(r'"evalId"\s*:[^{]*"results"\s*:\s*\{')


def read(file: TextFile) -> list[Run]:
    """Return the run of each provider and prompt; the id of a test is its ``testIdx``.

    The same test again is a repeat of the first, as ``--repeat`` makes them. A test that ended in
    an error has no scores.

    Raises
    ------
    InputError
        If the log cannot be read, or has rows without ``testIdx`` and a provider.
    """
    systems: dict[tuple[str, Any], Collector] = {}
    first: dict[str, int] = {}  # the index of each test
    for number, row in enumerate(file.list_at("results", "results"), 1):
        provider, index = _provider(row), row.get("testIdx")
        if not provider or type(index) is not int:
            what = f"has no testIdx and provider in row {number} of its results"
            raise file.error(what, remedy="Give the file as promptfoo wrote it.")
        test = _test(row)
        run = systems.setdefault((provider, row.get("promptIdx")), Collector())
        run.add(first.setdefault(test, index), test, _scores(row), repeat=index)
    order = sorted(systems, key=lambda x: (x[0], str(x[1]).zfill(9)))
    return [
        systems[x].run(
            path=file.path,
            format=name,
            model=_named(x, order),
            lower_is_better=dict.fromkeys(systems[x].metrics, False),
        )
        for x in order
    ]


def _provider(row: Object) -> str:
    """Return the label of a row's provider, or else its id."""
    provider = row.get("provider")
    if isinstance(provider, str):
        return provider
    return str(value_at(provider, "label") or value_at(provider, "id") or "")


def _test(row: Object) -> str:
    """Return what makes a row's test: its variables and assertions."""
    test = row.get("testCase")
    kept = [value_at(test, x) for x in ("description", "vars", "assert")]
    return json.dumps(kept if isinstance(test, dict) else row.get("vars"), sort_keys=True)


def _scores(row: Object) -> list[tuple[str, Any]]:
    """Return the scores of a row; none if it ended in an error."""
    reason = row.get("failureReason")
    has_error = row.get("error") and not row.get("gradingResult")  # versions without a reason
    if reason == 2 or (reason is None and has_error):  # 1 is a failed assertion
        return []
    named = row.get("namedScores")
    others = named.items() if isinstance(named, dict) else ()
    return [("success", row.get("success")), ("score", row.get("score")), *others]


def _named(system: tuple[str, Any], systems: list[tuple[str, Any]]) -> str:
    """Return a provider's name, with the number of the prompt if it was given several."""
    provider, _ = system
    own = [x for x in systems if x[0] == provider]
    return provider if len(own) == 1 else f"{provider}, prompt {own.index(system) + 1}"
