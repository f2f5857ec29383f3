"""Files and folders in, matched runs out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pairedperm.errors import InputError, describe
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
    r"""Two systems' logs, their examples matched by id.

    Parameters
    ----------
    path1, path2 : str, os.PathLike or datasets.Dataset
        The log of each system: a file, a folder with the logs of one system, or a dataset. See
        Notes for the formats.
    task : str or None
        Which of the tasks in the logs; None: the only one.
    format : str or None
        "jsonl", "csv", "tsv", "parquet", "lm_eval", "every_eval_ever" or "inspect"; None: as the
        file's name and first line tell.
    references : str, os.PathLike, datasets.Dataset or None
        A table with `id` and `reference`, where the logs hold no references.
    on_missing : {"error", "drop"}
        What to do with ids that one log lacks or holds twice, that stand for different documents,
        or that have no score. "drop" leaves them out, and `matching` lists them.
    repeats : bool
        Whether lines of a table with the same id are repeated runs of an example. Their scores are
        averaged; both systems need as many. Epochs of inspect_ai always are.
    id, prediction, reference, group : str
        The columns of a table. Those that it lacks may be missing, but for the id.
    score : str or sequence of str
        The columns of a table that hold scores.

    Returns
    -------
    Runs
        To print; `compare` tests them.

    Raises
    ------
    InputError
        If a log cannot be read, is of no known format, or has another one than the other log; if
        the logs are of different tasks, versions or examples; if there are several tasks.
    ImportError
        If a log of inspect_ai is read without it (``pip install ".[inspect]"``).

    Notes
    -----
    Tables are JSON Lines, CSV, TSV and Parquet files. Cells of CSV and TSV are texts; those of
    scores are numbers, and integers are read as such where the other log has integers. Logs are
    ``samples_….jsonl`` of lm-evaluation-harness (a metric of a filter is called
    "exact_match,strict-match" as there), ``.eval`` and ``.json`` of inspect_ai (a metric is a
    scorer), and ``…_samples.jsonl`` of Every Eval Ever 0.3. Where they hold hashes of documents,
    these must agree.

    Examples are sorted by id, so that the order of lines does not matter. Cost: two tables of a
    million lines take some seconds.

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
    """Many systems' logs, their examples matched by id: for a leaderboard.

    Parameters
    ----------
    *paths : str, os.PathLike or datasets.Dataset
        A folder with the logs of all systems, or several files and folders.
    task, format, references, on_missing, repeats, id, prediction, reference, score, group
        As of `read_runs`.

    Returns
    -------
    Runs
        To print; `leaderboard` tests them.

    Raises
    ------
    InputError, ImportError
        As `read_runs`.
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
    """The names of a table's columns.

    Raises
    ------
    InputError
        If one is no text, or there is none for the scores.
    """
    scores = (score,) if isinstance(score, str) else score
    if not isinstance(scores, (list, tuple)) or not scores:
        raise InputError(f"`score` must name one or more columns, got {describe(score)}.")
    given = {"id": id, "prediction": prediction, "reference": reference, "group": group}
    for name, value in (*given.items(), *(("score", x) for x in scores)):
        if not isinstance(value, str) or not value:
            raise InputError(f"`{name}` must be the name of a column, got {describe(value)}.")
    return Names(id, prediction, reference, tuple(scores), group)
