"""The reader of logs of lm-evaluation-harness, which ``--log_samples`` writes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Generator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from pairedperm.inputs.columns import Id
from pairedperm.readers.aggregates import with_aggregates
from pairedperm.readers.files import Object, TextFile, list_in, value_at
from pairedperm.readers.log import (
    Finish,
    LogFormat,
    Row,
    Run,
    TaskGroup,
    groups_with,
    in_one_line,
)

_FILE_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+)\.jsonl?")
_OF_LMMS_EVAL = re.compile(r"(?P<date>\d[\dT_.:-]+)_samples_(?P<task>.+)\.jsonl")
_RESULTS = re.compile(  # without a date before 0.4.3
    r"(results(_[\dT.:-]+)?|.+_\d{4}-\d\d-\d\dT[\d.:-]+)\.json"
)
_SAMPLES = "samples_"  # the start of the names that scripts give to logs, followed by the task
_OLD_NAME = re.compile("/|=")  # what "__" stands for in their names of logs
_MODELS = ("peft", "delta", "pretrained", "model", "path", "engine")  # arguments, in this order
_PLAIN = "none"  # the filter that does nothing
_BYPASS = "a stand-in for answers that were generated and not scored (--predict_only)"
_NO_METRICS = (
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash", "input"),  # the last of lmms-eval
)


def _tasks_of_lm_eval(file: TextFile) -> dict[str, dict[str, TaskGroup]]:
    """Return the task that the log's name tells, or none, and its groups in the results file."""
    task, results = _task_and_results(file)
    return {in_one_line(task): groups_with(task, results)} if task else {}


def _rows(file: TextFile) -> Generator[Row, None, Finish]:
    """Yield the lines; a metric of a filter is called ``metric,filter``, as in the harness."""
    n_lines: dict[Id, int] = {}
    task, results = _task_and_results(file)
    model = str(results.get("model_name") or _model_in_arguments(results))
    listed = list_in(results, "configs", task, "filter_list")
    filters = [str(value_at(x, "name")) for x in listed] or [_PLAIN]
    for _, line in file.objects():
        # each filter logs a line of its own: the same document, not a repeat; before 0.4.7 in this
        # order, without its name
        example = line["doc_id"]
        before = n_lines.get(example, 0)
        n_lines[example] = before + 1
        of_filter = line.get("filter", filters[min(before, len(filters) - 1)])
        suffix = "" if of_filter == _PLAIN else f",{of_filter}"
        scores = [(f"{x}{suffix}", line.get(x)) for x in _logged_metrics(line)]
        prompt, document = line.get("prompt_hash"), line.get("doc")
        yield Row(example, scores, model, task, _hashes(line), prompt=prompt, about=document)
    return partial(_with_results, task, results)


def _with_results(
    task: str, results: Mapping[str, Any], run: Run, pairs: Mapping[str, list[Any]]
) -> Run:
    """Return a run with what the results file says of it, and without a stand-in for scores.

    It is the metric of tasks that only generate answers, 999 whatever these are.
    """
    metrics = *run.scores, *run.left_out
    higher, reported = _higher_is_better(results, task), value_at(results, "results", task)
    is_higher = {x: value_at(higher, x.partition(",")[0]) for x in metrics}
    version = value_at(results, "versions", task)
    stand_ins = dict.fromkeys((x for x in run.scores if x.partition(",")[0] == "bypass"), _BYPASS)
    run = replace(
        run,
        version="" if version is None else in_one_line(version),
        lower_is_better={x: not y for x, y in is_higher.items() if isinstance(y, bool)},
        task_groups=groups_with(task, results),
        scores={x: y for x, y in run.scores.items() if x not in stand_ins},
        left_out={**run.left_out, **stand_ins},
    )
    return with_aggregates(run, {x: reported_value(reported, x) for x in metrics}, pairs)


def _higher_is_better(results: Mapping[str, Any], task: str) -> Any:
    """Return which metrics of a task are better if higher; before 0.4.3 its config told."""
    of_config = {
        str(value_at(x, "metric")): value_at(x, "higher_is_better")
        for x in list_in(results, "configs", task, "metric_list")
    }
    return value_at(results, "higher_is_better", task) or of_config


def _model_in_arguments(results: Mapping[str, Any]) -> str:
    """Return the model that the arguments of versions before 0.4.3 name, or ""."""
    given = str(value_at(results, "config", "model_args") or "").split(",")
    named = dict(x.partition("=")[::2] for x in given)
    return next((named[x] for x in _MODELS if x in named), "")


def reported_value(results: Any, metric: str) -> Any:
    """Return what the results of a task or group say of a metric.

    Versions before 0.4 name no filter.
    """
    value = value_at(results, metric if "," in metric else f"{metric},{_PLAIN}")
    return value_at(results, metric) if value is None else value


def _logged_metrics(line: Object) -> list[str]:
    """Return the metrics of a line; versions before 0.4 did not list them."""
    listed = line.get("metrics")
    if isinstance(listed, list):
        return [x for x in listed if isinstance(x, str)]
    return [x for x in line if x not in _NO_METRICS]


def _hashes(line: Object) -> tuple[str, str]:
    """Return the hashes of the document and of the right answer."""
    document, target = line.get("doc_hash"), line.get("target_hash")
    if not document:
        document = _digest(json.dumps(line.get("doc"), indent=2, ensure_ascii=False))
    return document, target or _digest(str(line.get("target")))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _task_and_results(file: TextFile) -> tuple[str, Mapping[str, Any]]:
    """Return the task, by the log's name, and the results file beside the log.

    Raises
    ------
    InputError
        If the results file is no JSON object.
    """
    told = _FILE_NAME.fullmatch(file.file_name)
    if told is not None:
        ending = f"_{told['date']}.json"  # of NAME_<date>.json, by `--output_path NAME.json`
        return told["task"], file.beside(f"results{ending}", ending)
    told = _OF_LMMS_EVAL.fullmatch(file.file_name)
    if told is not None:
        return told["task"], file.beside(f"{told['date']}_results.json")
    stem = file.stem
    if "__" not in stem and not stem.startswith(_SAMPLES):
        return "", {}
    results = file.beside("results.json")
    arguments = _OLD_NAME.sub("__", str(value_at(results, "config", "model_args")))
    for start in (_SAMPLES, f"{arguments}_"):
        task = stem.removeprefix(start)
        if task != stem and value_at(results, "configs", task):
            return task, results
    return "", {}


def has_averages(file: TextFile) -> bool:
    """Tell whether a file is one of results, beside which ``--log_samples`` writes logs."""
    named = _RESULTS.fullmatch(file.file_name)
    return named is not None and file.is_object(r'"results":\{')


LM_EVAL = LogFormat(
    "lm_eval",
    "lm-evaluation-harness",
    _rows,
    _tasks_of_lm_eval,
    keys=[{"doc_id", "resps"}, {"doc_id", "filtered_resps"}],
)
