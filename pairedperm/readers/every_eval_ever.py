"""The reader of logs of Every Eval Ever 0.3, ``<id>_samples.jsonl``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from pairedperm.inputs.columns import Id
from pairedperm.readers.aggregates import with_aggregates
from pairedperm.readers.collector import Collector, Document, LogFormat
from pairedperm.readers.run import Run, TaskGroup, in_one_line
from pairedperm.readers.text_file import NoLog, Object, Signs, TextFile, list_in, value_at

_EVERY_EVAL_EVER_SIGNS = Signs(
    keys=[{"schema_version", "sample_id", "evaluation"}],
    unread=[
        NoLog(
            r'\{"schema_version":"[^"]*","evaluation_id":"[^"]*","(evaluation|retrieved)_timestamp":',
            "has averages of Every Eval Ever, and no scores of examples",
            "Give the …_samples.jsonl beside it.",
        )
    ],
)
_ENDING = "_samples.jsonl"
_ByEvaluation = Mapping[tuple[str, str], Any]  # and by metric, which stands first
_SCORE = "score"  # the metric of an evaluation result without an id


def _evaluations(file: TextFile) -> Iterator[tuple[Id, Object]]:
    """Yield the id and the object of each line."""
    lacks = "Every Eval Ever, schema_version, sample_id and evaluation"
    return file.rows("sample_id", _EVERY_EVAL_EVER_SIGNS.keys, lacks)


def _tasks_of_every_eval_ever(file: TextFile) -> dict[str, dict[str, TaskGroup]]:
    """Return the tasks in the results file beside a log; none if its first line has another.

    They are in no groups.
    """
    listed: dict[str, dict[str, TaskGroup]] = {in_one_line(x): {} for _, x in _results(file)}
    _, task = _model_and_task(file.first_object)
    return listed if in_one_line(task) in listed else {}


def _read_every_eval_ever(file: TextFile) -> list[Run]:
    """Return the runs of a log, one for each model and evaluation; each result is a metric.

    Raises
    ------
    InputError
        If the log cannot be read, or has lines of another format.
    """
    collected: dict[tuple[str, str], Collector] = {}
    documents: dict[tuple[str, str, Id], Document] = {}
    for example, line in _evaluations(file):
        key = _model_and_task(line)
        metric, score = _metric_and_score(line)
        epoch = str(value_at(line, "metadata", "epoch"))  # converted logs of inspect_ai have it
        scores = [(metric, score)]
        if line.get("error"):  # a failed sample is logged with score 0
            scores = []
        document = _hashes_by_name(line, metric)
        before = documents.setdefault((*key, example), document)
        if before.keys().isdisjoint(document):  # another metric may be of another prompt
            before.update(document)
        run = collected.setdefault(key, Collector(file, EVERY_EVAL_EVER.name))
        prompt = line.get("sample_hash") if "doc_hash" in document else None
        run.add(example, document, scores, prompt, repeat=epoch)
    results = _results(file)
    return [_run(file, key, run, results) for key, run in collected.items()]


def _model_and_task(line: Object) -> tuple[str, str]:
    return str(line.get("model_id") or ""), str(line.get("evaluation_name") or "")


def _metric_and_score(line: Object) -> tuple[str, Any]:
    """Return the metric that a line's result names, and its score.

    Converted logs of lm-evaluation-harness have no such name. There the score is the first number
    among the metrics, or 0 if they have none.
    """
    named, score = line.get("evaluation_result_id"), value_at(line, "evaluation", "score")
    told = value_at(line, "metadata", "lm_eval_metrics")
    metrics = {}
    if not named and isinstance(told, str):
        with suppress(ValueError, RecursionError):
            metrics = json.loads(told)
    if not (isinstance(metrics, dict) and metrics):
        return str(named or _SCORE), score
    numbers = (x for x, y in metrics.items() if isinstance(y, (int, float)))
    first = next(iter(metrics))
    return next(((x, score) for x in numbers), (first, metrics[first]))


def _hashes_by_name(line: Object, metric: str) -> Document:
    """Return the hashes that tell a document.

    That of a sample is of its prompt, which differs between templates, and may between metrics.
    """
    hashes = {x: value_at(line, "metadata", x) for x in ("doc_hash", "target_hash")}
    if not hashes["doc_hash"]:
        hashes = {metric: line.get("sample_hash")}
    return Document({x: y for x, y in hashes.items() if y})


def _run(file: TextFile, key: tuple[str, str], collected: Collector, results: _ByEvaluation) -> Run:
    """Return the run of one model and evaluation, with what its results say."""
    model, task = key
    of_task = {x: results.get((x, task)) for x in collected.metrics}
    lower = {x: value_at(y, "metric_config", "lower_is_better") for x, y in of_task.items()}
    run = collected.run(
        task=task,
        model=model,
        lower_is_better={x: y for x, y in lower.items() if isinstance(y, bool)},
    )
    return with_aggregates(
        run, {x: value_at(y, "score_details", "score") for x, y in of_task.items()}
    )


def _results(file: TextFile) -> _ByEvaluation:
    """Return each result in the file beside the log, if there is one, by metric and evaluation.

    One without an id is also known by its description, as converters of lm-evaluation-harness write
    it. Of several by one name none is returned.
    """
    results = file.beside(f"{file.file_name.removesuffix(_ENDING)}.json")
    by_name: dict[tuple[str, str], Any] = {}
    for x in list_in(results, "evaluation_results"):
        described = str(value_at(x, "metric_config", "evaluation_description"))
        named = value_at(x, "evaluation_result_id")
        names = [str(named)] if named else [_SCORE, described.partition(" (filter: ")[0]]
        for key in ((name, str(value_at(x, "evaluation_name") or "")) for name in {*names}):
            by_name[key] = None if key in by_name else x
    return by_name


EVERY_EVAL_EVER = LogFormat(
    "every_eval_ever", _EVERY_EVAL_EVER_SIGNS, _read_every_eval_ever, _tasks_of_every_eval_ever
)
