"""The reader of promptfoo's results, which ``promptfoo eval -o results.json`` writes."""

from __future__ import annotations

import json
from operator import itemgetter
from typing import Any

from pairedperm.readers.collector import Collector, LogFormat
from pairedperm.readers.named_file import AS_WRITTEN
from pairedperm.readers.run import Run
from pairedperm.readers.text_file import NoLog, Object, Signs, TextFile, items_in, list_at, value_at

_PROMPTFOO_SIGNS = Signs(
    json=r'"evalId":[^{]*"results":\{',
    unread=[
        NoLog(
            r'\{("results":\{)?"version":[12],"(results|prompts)":',
            "is of an old version of promptfoo, which wrote no indices of tests",
            "Evaluate again with a newer promptfoo.",
        )
    ],
)
_INDICES = ("testIdx", "promptIdx")


def _read_promptfoo(file: TextFile) -> list[Run]:
    """Return the run of each provider and prompt; the id of a test is its ``testIdx``.

    The same test again is a repeat of the first, as ``--repeat`` makes them. A test that ended in
    an error has no scores.

    Raises
    ------
    InputError
        If the log cannot be read, or has rows without a provider or an index.
    """
    rows = list_at(file, file.whole_object(), "results", "results")
    for number, row in enumerate(rows, 1):
        if not _provider(row) or any(type(row.get(x)) is not int for x in _INDICES):
            what = f"has no provider, testIdx and promptIdx in row {number} of its results"
            raise file.error(what, remedy=AS_WRITTEN)
    systems: dict[tuple[str, int], Collector] = {}
    first: dict[str, int] = {}  # the index of each test
    for row in sorted(rows, key=itemgetter(*_INDICES)):  # the file has them as they ended
        run = systems.setdefault(
            (_provider(row), row["promptIdx"]), Collector(file, PROMPTFOO.name)
        )
        test, index = _test(row), row["testIdx"]
        run.add(first.setdefault(test, index), test, _scores(row), repeat=index)
    return [_of_system(file, x, sorted(systems), systems[x]) for x in sorted(systems)]


def _of_system(
    file: TextFile, system: tuple[str, int], systems: list[tuple[str, int]], collected: Collector
) -> Run:
    """Return the run of a system, named by its provider, and its prompt if that has several."""
    own = [x for x in systems if x[0] == system[0]]
    prompt = f", prompt {own.index(system) + 1}" if len(own) > 1 else ""
    return collected.run(
        model=f"{system[0]}{prompt}",
        lower_is_better=dict.fromkeys(collected.metrics, False),
    )


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
    scores = [(x, row.get(x)) for x in ("success", "score")]
    return [*scores, *items_in(row, "namedScores")]


PROMPTFOO = LogFormat("promptfoo", _PROMPTFOO_SIGNS, _read_promptfoo)
