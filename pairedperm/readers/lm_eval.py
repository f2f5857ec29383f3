"""The reader of logs of lm-evaluation-harness, which ``--log_samples`` writes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import Any

from pairedperm.readers.aggregates import with_aggregates
from pairedperm.readers.run import Collector, Run, in_one_line
from pairedperm.readers.task_groups import TaskGroup, groups_with
from pairedperm.readers.text_file import Object, TextFile, value_at

name = "lm_eval"
_FILE_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+)\.jsonl")
_DEEP = 64  # tuned: characters of indentation; Python limits how deep functions may call themselves
_PLAIN = "none"  # the filter that does nothing
_NO_METRICS = (
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash"),
)


def sniff(file: TextFile) -> bool:
    """Tell whether a file is such a log, by its first line."""
    return _is_sample(file.first_object)


def _is_sample(line: Object) -> bool:
    return "doc_id" in line and ("resps" in line or "filtered_resps" in line)


def tasks(file: TextFile) -> dict[str, dict[str, TaskGroup]]:
    """Return the task that the log's name tells, or none, and its groups in the results file."""
    task, results, path = _task_and_results(file)
    return {in_one_line(task): groups_with(task, results, path)} if task else {}


def read(file: TextFile) -> list[Run]:
    """Return the run of a log; a metric of a filter is called ``metric,filter``, as in the harness.

    Raises
    ------
    InputError
        If the log cannot be read, or has lines of another format.
    """
    collected = Collector()
    lacks = "lm-evaluation-harness, doc_id and resps"
    for example, line in file.rows("doc_id", _is_sample, lacks):
        suffix = "" if line.get("filter", _PLAIN) == _PLAIN else f",{line['filter']}"
        scores = [(f"{x}{suffix}", line.get(x)) for x in _logged_metrics(line)]
        # each filter logs a line of its own: the same document, not a repeat
        collected.add(example, _hashes(line), scores, line.get("prompt_hash"))
    task, results, path = _task_and_results(file)
    higher, reported = (value_at(results, key, task) for key in ("higher_is_better", "results"))
    is_higher = {x: value_at(higher, x.partition(",")[0]) for x in collected.metrics}
    version = value_at(results, "versions", task)
    run = collected.run(
        path=file.path,
        format=name,
        task=task,
        version="" if version is None else str(version),
        model=str(results.get("model_name") or ""),
        lower_is_better={x: not y for x, y in is_higher.items() if isinstance(y, bool)},
        task_groups=groups_with(task, results, path),
    )
    told = {x: reported_value(reported, x) for x in collected.metrics}
    return [with_aggregates(run, told, collected.pairs)]


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
        document = _digest(_indented(line.get("doc")))
    return document, target or _digest(str(line.get("target")))


def _indented(value: Any, start: str = "\n") -> str:
    """Return `json.dumps(value, indent=2, ensure_ascii=False)`, as the harness hashes it.

    It takes a third of the time. Each line begins with `start`.
    """
    if isinstance(value, str):
        return encode_basestring(value)
    if not (isinstance(value, (dict, list)) and value):
        return repr(value) if type(value) is int else json.dumps(value)
    if len(start) > _DEEP:
        return json.dumps(value, indent=2, ensure_ascii=False).replace("\n", start)
    inner = f"{start}  "
    if isinstance(value, list):
        return f"[{inner}{f',{inner}'.join([_indented(x, inner) for x in value])}{start}]"
    pairs = [f"{encode_basestring(x)}: {_indented(y, inner)}" for x, y in value.items()]
    return f"{{{inner}{f',{inner}'.join(pairs)}{start}}}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _task_and_results(file: TextFile) -> tuple[str, Mapping[str, Any], str]:
    """Return the task, by the log's name, and the results file beside the log: content and path.

    Raises
    ------
    InputError
        If the results file is no JSON object.
    """
    told = _FILE_NAME.fullmatch(file.file_name)
    if told is None:
        return "", {}, ""
    return told["task"], *file.beside(f"[!.]*_{told['date']}.json")
