"""The reader of DeepEval's test runs, ``test_run_<date>.json`` in its folder of results."""

from __future__ import annotations

from collections.abc import Iterable

from pairedperm.readers.aggregates import finite_number
from pairedperm.readers.collector import Collector, LogFormat
from pairedperm.readers.run import Run
from pairedperm.readers.text_file import NoLog, Object, Signs, TextFile, list_at, list_in, value_at

_DEEPEVAL_SIGNS = Signs(
    json=r'("testRunData":\{)?("testFile"[^{\[]*,)?"testCases":\[',
    unread=[
        NoLog(
            r'\{"testRunLink":',
            "is a link to a test run of DeepEval, and has no scores",
            "Set DEEPEVAL_RESULTS_FOLDER, evaluate again, and give the file that is written there.",
        )
    ],
)


def _read_deepeval(file: TextFile) -> list[Run]:
    """Return the run of a log: the id is the name of a test case, the same again is a repeat.

    A metric that ended in an error has no score. If its threshold is a maximum, lower is better.

    Raises
    ------
    InputError
        If the log cannot be read, or has a test case without a name.
    """
    log = file.whole_object()
    log = log.get("testRunData", log)
    cases = list_at(file, log, "testCases")
    if value_at(log, "conversationalTestCases") is not None:
        cases = [*cases, *list_at(file, log, "conversationalTestCases")]
    collected, judged = Collector(file, DEEPEVAL.name), []
    for number, case in enumerate(cases, 1):
        example = file.checked_name(case.get("name"), f"has no name of test case {number}")
        asked = [case.get(x) for x in ("input", "expectedOutput", "scenario", "expectedOutcome")]
        metrics = [x for x in list_in(case, "metricsData") if isinstance(x, dict)]
        judged += metrics
        scores = [(str(x.get("name")), None if x.get("error") else x.get("score")) for x in metrics]
        collected.add(example, str(asked), scores, repeat=str(case.get("order", number)))
    run = collected.run(
        model=value_at(log, "hyperparameters", "model") or value_at(log, "identifier"),
        lower_is_better=_directions(judged),
    )
    return [run]


def _directions(judged: Iterable[Object]) -> dict[str, bool]:
    """Return the direction of each metric, by the side of its threshold where it succeeds."""
    sides: dict[str, set[bool]] = {}
    for metric in judged:
        score, threshold = (finite_number(metric.get(x)) for x in ("score", "threshold"))
        if score is not None and threshold is not None and score != threshold:
            is_lower = (score < threshold) == bool(metric.get("success"))
            sides.setdefault(str(metric.get("name")), set()).add(is_lower)
    return {x: side.pop() for x, side in sides.items() if len(side) == 1}


DEEPEVAL = LogFormat("deepeval", _DEEPEVAL_SIGNS, _read_deepeval)
