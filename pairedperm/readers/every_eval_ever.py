"""Logs of Every Eval Ever 0.3, ``<id>_samples.jsonl``, which converters of other tools write."""

from __future__ import annotations

from collections.abc import Mapping

from pairedperm.readers.collector import Collector
from pairedperm.readers.log_file import LogFile, Object, nested
from pairedperm.readers.run import Run

FORMAT = "every_eval_ever"
ENDING = "_samples.jsonl"
_SCORE = "score"  # of an evaluation whose result has no id


def is_every_eval_ever(line: Object) -> bool:
    """Whether it is a line of such a log."""
    return {"schema_version", "sample_id", "evaluation"} <= line.keys()


def read_every_eval_ever(file: LogFile) -> list[Run]:
    """The runs of a log, one for each model and evaluation; each result is a metric.

    Raises
    ------
    InputError
        If it cannot be read, or has lines of another format.
    """
    found: dict[tuple[str, str], Collector] = {}
    for number, line in file.objects():
        if not is_every_eval_ever(line):
            raise file.other("Every Eval Ever", "schema_version, sample_id and evaluation", number)
        example = file.id(line["sample_id"], "sample_id", number)
        key = str(line.get("model_id") or ""), str(line.get("evaluation_name") or "")
        metric = str(line.get("evaluation_result_id") or _SCORE)
        epoch = str(nested(line, "metadata", "epoch"))  # of inspect_ai
        run = found.setdefault(key, Collector())
        place = run.example(example, line.get("sample_hash"), repeat=epoch)
        if not line.get("error"):  # else the score is 0, whatever went wrong
            run.score(example, place, metric, nested(line, "evaluation", "score"), epoch)
    lower = _directions(file)
    return [
        run.run(
            path=file.path,
            format=FORMAT,
            task=task,
            model=model,
            lower_is_better={x: lower[x, task] for x in run.metrics if (x, task) in lower},
        )
        for (model, task), run in found.items()
    ]


def _directions(file: LogFile) -> Mapping[tuple[str, str], bool]:
    """Whether less is better, of each result and evaluation in the file of results beside it."""
    path = file.file.with_name(file.file.name.removesuffix(ENDING) + ".json")
    results = file.beside(path).get("evaluation_results") if path.is_file() else None
    found = {}
    for result in results if isinstance(results, list) else ():
        lower = nested(result, "metric_config", "lower_is_better")
        if isinstance(lower, bool):
            metric = str(nested(result, "evaluation_result_id") or _SCORE)
            found[metric, str(nested(result, "evaluation_name") or "")] = lower
    return found
