"""Functions that read files and folders and return matched runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, describe
from pairedperm.options import COLUMN
from pairedperm.readers.formats import Format
from pairedperm.readers.matching import OnMissing
from pairedperm.readers.runs import Runs
from pairedperm.readers.table import Names
from pairedperm.readers.tasks import only_task, read_systems, read_tasks


def read_runs(
    path1: Any,
    path2: Any,
    *,
    task: str | None = None,
    format: Format | None = None,
    references: Any = None,
    on_missing: OnMissing = "error",
    repeats: bool = False,
    id: str = "id",
    prediction: str = "prediction",
    reference: str = "reference",
    score: str | Sequence[str] = "score",
    group: str = "group",
) -> Runs:
    r"""Read the logs of two systems and match their examples by id.

    Parameters
    ----------
    path1, path2 : str, os.PathLike or datasets.Dataset
        The log of each system: a file, a folder with the logs of one system, or a dataset. Notes
        list the formats. Hidden files in a folder are left out.
    task : str or None
        The task to read. None: the only task in the logs.
    format : str or None
        "jsonl", "csv", "tsv", "parquet", "lm_eval", "every_eval_ever" or "inspect". None: told from
        the file's name and first line.
    references : str, os.PathLike, datasets.Dataset or None
        A table with the columns `id` and `reference`, for logs that hold no references.
    on_missing : {"error", "drop"}
        What to do with ids that one log lacks or holds twice, that stand for different documents,
        or that have no score. "error" raises; "drop" leaves them out, and `matching` lists them.
    repeats : bool
        Whether lines of a table that share an id are repeated runs of one example. Their scores are
        averaged; all systems need equally many. Epochs of inspect_ai are reduced as the log says.
    id, prediction, reference, group : str
        The names of a table's columns. Only the id must be there, and a prediction or a score.
    score : str or sequence of str
        The names of a table's columns of scores. Each is a metric.

    Returns
    -------
    Runs
        The matched runs. Print them, or test them by `compare`.

    Raises
    ------
    InputError
        If a log cannot be read or has no known format. If it lacks a column that was named; only
        tables have columns. If the logs are of different formats, versions or examples. If they
        have no task in common, or several and `task` is None.
    ImportError
        If a log of inspect_ai is read and inspect_ai is missing (extra ``inspect``).

    Notes
    -----
    Tables are JSON Lines, CSV, TSV and Parquet files. A cell of CSV or TSV is a text. Cells of
    scores are read as numbers; ids, labels and groups are read as integers if the other log has
    integers there. TSV has no quotes: every line is a row, and a quote is a character.

    Logs are ``samples_….jsonl`` of lm-evaluation-harness, ``.eval`` and ``.json`` of inspect_ai,
    and ``…_samples.jsonl`` of Every Eval Ever 0.3. A metric of a filter of lm-evaluation-harness
    keeps its name, such as "exact_match,strict-match"; a scorer of inspect_ai is a metric. If the
    logs hold hashes of documents, these must agree.

    Examples are sorted by id, so the order of lines does not matter. Cost: two tables of a million
    lines take some seconds.

    Examples
    --------
    >>> import json, tempfile
    >>> from pathlib import Path
    >>> from pairedperm.readers import read_runs
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name, scores in {"large": [1, 1, 1, 1], "small": [0, 1, 0, 0]}.items():
    ...     lines = [json.dumps({"id": k, "score": x}) for k, x in enumerate(scores)]
    ...     _ = (folder / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    >>> runs = read_runs(folder / "large.jsonl", folder / "small.jsonl")
    >>> runs.ids, runs.metrics
    ([0, 1, 2, 3], ('score',))
    >>> runs.compare().pvalue
    0.25
    """
    found = read_tasks(
        path1,
        path2,
        task=task,
        format=format,
        references=references,
        on_missing=on_missing,
        repeats=repeats,
        names=read_names(id, prediction, reference, score, group),
    )
    return only_task(found)


def read_folder(
    *paths: Any,
    task: str | None = None,
    format: Format | None = None,
    references: Any = None,
    on_missing: OnMissing = "error",
    repeats: bool = False,
    id: str = "id",
    prediction: str = "prediction",
    reference: str = "reference",
    score: str | Sequence[str] = "score",
    group: str = "group",
) -> Runs:
    """Read the logs of many systems and match their examples by id, for a leaderboard.

    Parameters
    ----------
    *paths : str, os.PathLike or datasets.Dataset
        A folder with the logs of all systems, or several files and folders. Hidden files in a
        folder are left out.
    task, format, references, on_missing, repeats, id, prediction, reference, score, group
        The same as in `read_runs`.

    Returns
    -------
    Runs
        The matched runs. Print them, or rank them by `leaderboard`.

    Raises
    ------
    InputError
        If a log cannot be read or has no known format. If it lacks a column that was named; only
        tables have columns. If the logs are of different formats, versions or examples. If a task
        has fewer than two systems. If the tasks have different systems. If one folder holds two
        runs of a model. If there are several tasks and `task` is None.
    ImportError
        If a log of inspect_ai is read and inspect_ai is missing (extra ``inspect``).
    """
    found = read_systems(
        paths,
        task=task,
        format=format,
        references=references,
        on_missing=on_missing,
        repeats=repeats,
        names=read_names(id, prediction, reference, score, group),
    )
    return only_task(found)


def read_names(id: Any, prediction: Any, reference: Any, score: Any, group: Any) -> Names:
    """Return the names of a table's columns.

    Raises
    ------
    InputError
        If a name is no text or is empty, or `score` has no name.
    """
    scores = (score,) if isinstance(score, str) else score
    if not isinstance(scores, (list, tuple)) or not scores:
        raise InputError(Name("score"), must="name one or more columns", got=describe(score))
    given = {"id": id, "prediction": prediction, "reference": reference, "group": group}
    for name, value in (*given.items(), *(("score", x) for x in scores)):
        COLUMN.read(name, value)
    return Names(id, prediction, reference, tuple(scores), group)
