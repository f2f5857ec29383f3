"""The reader of logs of Every Eval Ever 0.3, ``<id>_samples.jsonl``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairedperm.readers.aggregates import with_aggregates
from pairedperm.readers.run import Collector, Run, in_one_line
from pairedperm.readers.text_file import Object, TextFile, nested

FORMAT = "every_eval_ever"
ENDING = "_samples.jsonl"
_SCORE = "score"  # the metric of an evaluation result without an id


def is_every_eval_ever(line: Object) -> bool:
    """Tell whether a line is of such a log."""
    return {"schema_version", "sample_id", "evaluation"} <= line.keys()


def tasks_of(file: TextFile) -> list[str]:
    """Return the tasks in the results file beside a log; none if its first line has another."""
    found = [*dict.fromkeys(map(_task_of, _results(file)))]
    return found if _task_of(file.first_object()) in found else []


def _task_of(line: Any) -> str:
    return in_one_line(nested(line, "evaluation_name") or "")


def read_every_eval_ever(file: TextFile) -> list[Run]:
    """Return the runs of a log, one for each model and evaluation; each result is a metric.

    Raises
    ------
    InputError
        If the log cannot be read, or has lines of another format.
    """
    found: dict[tuple[str, str], Collector] = {}
    for number, line in file.objects():
        if not is_every_eval_ever(line):
            raise file.other("Every Eval Ever", "schema_version, sample_id and evaluation", number)
        example = file.id(line["sample_id"], "sample_id", number)
        key = str(line.get("model_id") or ""), str(line.get("evaluation_name") or "")
        metric = str(line.get("evaluation_result_id") or _SCORE)
        epoch = str(nested(line, "metadata", "epoch"))  # converted logs of inspect_ai have it
        scores = [(metric, nested(line, "evaluation", "score"))]
        if line.get("error"):  # a failed sample is logged with score 0
            scores = []
        run = found.setdefault(key, Collector())
        run.add(example, line.get("sample_hash"), scores, repeat=epoch)
    results = _by_metric(_results(file))
    return [_run(file, task, model, run, results) for (model, task), run in found.items()]


def _run(
    file: TextFile, task: str, model: str, found: Collector, results: Mapping[tuple[str, str], Any]
) -> Run:
    """Return the run of one model and evaluation, with what its results say."""
    of_task = {x: results.get((x, task)) for x in found.metrics}
    lower = {x: nested(y, "metric_config", "lower_is_better") for x, y in of_task.items()}
    run = found.run(
        path=file.path,
        format=FORMAT,
        task=task,
        model=model,
        lower_is_better={x: y for x, y in lower.items() if isinstance(y, bool)},
    )
    return with_aggregates(
        run, {x: nested(y, "score_details", "score") for x, y in of_task.items()}
    )


def _by_metric(results: list[Any]) -> Mapping[tuple[str, str], Any]:
    """Return each result by its metric and evaluation."""
    return {
        (
            str(nested(result, "evaluation_result_id") or _SCORE),
            str(nested(result, "evaluation_name") or ""),
        ): result
        for result in results
    }


def _results(file: TextFile) -> list[Any]:
    """Return the evaluation results in the file beside the log, if there is one."""
    path = file.file.with_name(file.file.name.removesuffix(ENDING) + ".json")
    found = file.beside(path).get("evaluation_results") if path.is_file() else None
    return found if isinstance(found, list) else []
