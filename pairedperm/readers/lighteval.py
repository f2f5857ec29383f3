"""The reader of lighteval's details, ``details_<task>_<date>.parquet``."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from pairedperm.readers.collector import Collector, LogFormat
from pairedperm.readers.parquet import columns_in_parts
from pairedperm.readers.run import Run
from pairedperm.readers.text_file import Signs, TextFile, items_in, value_at

_LIGHTEVAL_SIGNS = Signs(columns=[{"doc", "metric", "model_response"}])
_FIELDS = ("id", "task_name", "query", "choices", "gold_index")


def _read_lighteval(file: TextFile) -> list[Run]:
    """Return the run of each task of a log; the id is that of the document.

    Raises
    ------
    InputError
        If the log cannot be read, or has a document without an id.
    """
    collected: dict[str, Collector] = {}
    for number, row in enumerate(_details(file), 1):
        example, task, *document = (value_at(row, "doc", x) for x in _FIELDS)
        file.checked_name(example, f"has no id of document {number}", "Evaluate the task again.")
        run = collected.setdefault(task or "", Collector(file, LIGHTEVAL.name))
        run.add(example, str(document), items_in(row, "metric"))
    model = _model_in_path(file)
    return [run.run(task=task, model=model) for task, run in collected.items()]


def _details(file: TextFile) -> list[dict[str, Any]]:
    """Return the documents and scores, without the answers, which are large."""
    with file.parquet() as opened:
        columns = [*(f"doc.{x}" for x in _FIELDS), "metric"]
        parts = columns_in_parts(file, opened, columns)
        return [row for part in parts for row in part.to_pylist()]


def _model_in_path(file: TextFile) -> str:
    """Return the model that the path tells: ``details/<model>/<date>/<file>``."""
    parts = PurePath(file.path).parts[:-2]
    is_told = "details" in parts
    return "/".join(parts[len(parts) - parts[::-1].index("details") :]) if is_told else ""


LIGHTEVAL = LogFormat("lighteval", _LIGHTEVAL_SIGNS, _read_lighteval)
