"""The reader of logs of lm-evaluation-harness, which ``--log_samples`` writes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from pairedperm.readers.aggregates import with_aggregates
from pairedperm.readers.run import Collector, Run, in_one_line
from pairedperm.readers.text_file import Object, TextFile, nested

FORMAT = "lm_eval"
NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+)\.jsonl")
_PLAIN = "none"  # the filter that does nothing
_NO_METRICS = (
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash"),
)


def is_lm_eval(line: Object) -> bool:
    """Tell whether a line is of such a log."""
    return "doc_id" in line and ("resps" in line or "filtered_resps" in line)


def tasks_of(file: TextFile) -> list[str]:
    """Return the task that the log's name tells, or none."""
    found = NAME.fullmatch(file.file.name)
    return [in_one_line(found["task"])] if found else []


def read_lm_eval(file: TextFile) -> list[Run]:
    """Return the run of a log; a metric of a filter is called ``metric,filter``, as in the harness.

    Raises
    ------
    InputError
        If the log cannot be read, or has lines of another format.
    """
    found = Collector()
    for numbers, lines in file.batches():
        for number, line in zip(numbers, lines, strict=True):
            if not is_lm_eval(line):
                raise file.other("lm-evaluation-harness", "doc_id and resps", number)
            name, document = str(line.get("filter", _PLAIN)), _document(line)
            added = "" if name == _PLAIN else f",{name}"
            scores = [(f"{x}{added}", line.get(x)) for x in _metrics(line)]
            example = file.id(line["doc_id"], "doc_id", number)
            # each filter logs a line of its own: the same document, not a repeat
            found.add(example, document, scores, line.get("prompt_hash"))
    task, results = _results(file)
    higher = {
        x: nested(results, "higher_is_better", task, x.partition(",")[0]) for x in found.metrics
    }
    version = nested(results, "versions", task)
    run = found.run(
        path=file.path,
        format=FORMAT,
        task=task,
        version="" if version is None else str(version),
        model=str(results.get("model_name") or ""),
        lower_is_better={x: not y for x, y in higher.items() if isinstance(y, bool)},
    )
    reported = {x: _reported(nested(results, "results", task), x) for x in found.metrics}
    return [with_aggregates(run, reported, found.pairs)]


def _reported(results: Any, metric: str) -> Any:
    """Return what the results of a task say of a metric; versions before 0.4 name no filter."""
    name = metric if "," in metric else f"{metric},{_PLAIN}"
    value = nested(results, name)
    return nested(results, metric) if value is None else value


def _metrics(line: Object) -> list[str]:
    """Return the metrics of a line; versions before 0.4 did not list them."""
    listed = line.get("metrics")
    if isinstance(listed, list):
        return [x for x in listed if isinstance(x, str)]
    return [x for x in line if x not in _NO_METRICS]


def _document(line: Object) -> tuple[str, str]:
    """Return the hashes of the document and of the right answer."""
    document, target = line.get("doc"), line.get("target")
    written = json.dumps(document, indent=2, ensure_ascii=False)  # as the harness writes it
    return (
        line.get("doc_hash") or _digest(written),
        line.get("target_hash") or _digest(str(target)),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _results(file: TextFile) -> tuple[str, Mapping[str, Any]]:
    """Return the task, by the log's name, and the content of the results file beside the log.

    Raises
    ------
    InputError
        If the results file is no JSON object.
    """
    found = NAME.fullmatch(file.file.name)
    if found is None:
        return "", {}
    beside = sorted(file.file.parent.glob(f"[!.]*_{found['date']}.json"))
    return found["task"], file.beside(beside[0]) if beside else {}
