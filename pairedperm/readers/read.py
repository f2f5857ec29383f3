"""The doors of this room: files and folders become the matched runs of two or more systems.

Two systems are compared under several metrics, or on several tasks, with adjusted p-values.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from pairedperm.errors import (
    InputError,
    called,
    describe,
    first_of,
    shown,
    shown_path,
    warn,
)
from pairedperm.options import ALPHA, Alpha, did_you_mean, reads_options
from pairedperm.readers.files import DROP, FILLED, ReadOptions, is_path
from pairedperm.readers.formats import read_logs, read_references
from pairedperm.readers.log import Run, asked_tasks, by_system, without_unscored
from pairedperm.readers.match import check_formats, match_task, names_of_files
from pairedperm.readers.metrics import Examples, NoMetricError, compare_examples, equal_metrics
from pairedperm.readers.tasks import Runs, of_tasks, only_task, partly_scored, sliced
from pairedperm.results.result import PairedResult, versioned
from pairedperm.results.several import Correction, TableOfTests, rows_of_tests, with_adjusted
from pairedperm.results.told import GivenNames, Told, refuse_own
from pairedperm.results.words import (
    adjusted_in_words,
    figures_of,
    headings,
    pair_of_names,
)

_NAMES = "path1", "path2"  # the arguments of `read_runs`
_TASK = "task=…"
_ONE_RUN = "Name the file of one run, or put them into folders of their own."


def read_runs(path1: Any, path2: Any = None, **options: Any) -> Runs:
    r"""Read the logs of two systems and match their examples by id.

    Parameters
    ----------
    path1, path2 : str, os.PathLike, datasets.Dataset, DataFrame or Arrow table
        The log of each system: a file, a folder with the logs of one system, a dataset, or a frame
        of pandas or another library that Arrow reads; the index of pandas may be the ids. Notes
        list the formats. Hidden files in a folder are left out. fsspec reads URLs: "hf://…".
        Without `path2` the first holds all systems, such as a wide table.
    task : str, sequence of str, or None
        The task to read, a group such as "mmlu", a pattern such as "mmlu*", or several of these.
        None: all tasks. Groups are those of lm-evaluation-harness, in the results file of a log.
    system : str, sequence of str, or None
        The system to read where a file or folder has several, such as a provider of promptfoo; or
        two, that of each path. It is the model that the log names.
    format : str or None
        "jsonl", "csv", "tsv", "parquet", "lm_eval", "every_eval_ever", "inspect", "lighteval",
        "lerobot", "promptfoo", "deepeval", "swe_bench", "harbor", "skills" or "trec_eval". None:
        told from the file's name and start. It also chooses among the files of a folder.
    references : str, os.PathLike, datasets.Dataset, DataFrame, Arrow table or None
        A table with the columns `id` and `reference`, for logs that hold no references.
    on_missing : {"error", "drop", "wrong", "bounds"}
        What to do with ids that one log lacks or holds twice, that stand for different documents,
        or have no finite score. "error" raises; "drop" leaves them out, and `matching` lists them.
        For scores with a known range that are missing, "wrong" counts those of the first system as
        the worst end of the range. "bounds" compares twice: all of them favour one system, then the
        other; see `pairedperm.results.missing.MissingBounds`.
    same_documents : {"content", "id"}
        What tells that examples of one id are the same: also their documents, as far as the logs
        hold them, or the ids alone, for options that are shuffled.
    repeats : bool
        Whether lines of a table that share an id are repeated runs of one example. Their scores are
        averaged. Epochs of inspect_ai are reduced as the log says.
    runs : {"drawn", "mean"}
        What is compared of an example that one system ran more often: of each system as many runs
        as the poorer one has, drawn at random; or the means of all, which is approximate, and
        refused beyond 2 runs for 1.
    seed : int
        The seed of that draw.
    id, prediction, reference, group : str
        The names of a table's columns, by default "id", "prediction", "reference" and "group". Only
        the id must be there, and a prediction or a score.
    score : str or sequence of str
        The names of a table's columns of scores, by default "score". Each is a metric. "a.b" is b
        in the object a.
    by : str or None
        The name of a column whose values split the examples into slices, such as a domain; each
        slice is a task. In a log of lm-evaluation-harness, a key of its documents; "a.b" is b in a.
        All logs that have it must agree. The table of `references` may have it instead.
    wide : bool
        Whether each column of a table has the scores of a system, which is called by the column's
        name. These are all columns but the id, the group and `by`; or those that `score` names.
    max_bytes : int
        The most that is read of a file, once it is decompressed: 2^34 bytes by default. Columns of
        Parquet count as they are in memory.

    Returns
    -------
    Runs
        The matched runs. Print them, or test them by `compare`. Runs of several tasks are compared
        by `suite`; what is of one task raises InputError there.

    Raises
    ------
    InputError
        If a log cannot be read or has no known format. If it lacks a column that was named; only
        tables have columns. If a file is larger than `max_bytes`. If the logs are of different
        formats, versions or examples. If they have no task in common.
    ImportError
        If a log of inspect_ai is read and inspect_ai is missing (extra ``inspect``).

    Notes
    -----
    Tables are JSON Lines or a JSON list, CSV, TSV (without quotes) and Parquet. Cells of CSV
    and TSV are texts, of scores numbers; ids, labels and groups are integers if the other log has
    such there.

    Logs are ``samples_….jsonl`` of lm-evaluation-harness, ``.eval`` and ``.json`` of inspect_ai,
    and ``…_samples.jsonl`` of Every Eval Ever 0.3. A metric of a filter of lm-evaluation-harness
    keeps its name, such as "exact_match,strict-match"; a scorer of inspect_ai is a metric. If the
    logs hold hashes of documents, these must agree. Compressed files are read, too.

    Also read are ``details_….parquet`` of lighteval, ``eval_info.json`` of LeRobot, results of
    promptfoo (each provider and prompt is a system), test runs of DeepEval, reports of SWE-bench, a
    folder of trials of Harbor, ``results.json`` of Terminal-Bench, ``benchmark.json`` of agent
    skills (each configuration is a system), and what ``trec_eval -q`` prints. What SWE-bench and
    Terminal-Bench could not evaluate counts as not resolved, as there. In the others, an example
    that ended in an error has no score.

    Examples are sorted by id. Cost: two tables of a million lines take some seconds.

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
    chosen = ReadOptions.of(options)
    if path2 is not None:
        return of_tasks(read_tasks(path1, path2, chosen))
    with called({"paths": "`path1`"}):
        return of_tasks(read_systems((path1,), chosen))


def read_folder(*paths: Any, **options: Any) -> Runs:
    """Read the logs of many systems and match their examples by id, for a leaderboard.

    Parameters
    ----------
    *paths : str, os.PathLike, datasets.Dataset, DataFrame or Arrow table
        A folder with the logs of all systems, or several files and folders. Hidden files in a
        folder are left out.
    task, system, format, references, on_missing, same_documents, repeats, runs, seed, id,
    prediction, reference, score, group, by, wide, max_bytes
        The same as in `read_runs`; a missing score stops, or is dropped.

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
    return only_task(read_systems(paths, ReadOptions.of(options)))


def read_tasks(path1: Any, path2: Any, options: ReadOptions) -> dict[str, Runs]:
    """Return the runs of two systems on each task that both have; see `read_runs`."""
    paths = path1, path2
    wanted = options.system or ()
    if len(wanted) > 2:
        raise InputError("system", must="be one name, or two", got=describe([*wanted]))
    if len(wanted) < 2:
        _warn_of_one_file(paths)
    logs = [read_logs(name, path, options) for name, path in zip(_NAMES, paths, strict=True)]
    if wanted:
        each = (wanted[:1], wanted[-1:])
        logs = [_runs_of_systems(*x) for x in zip(_NAMES, logs, each, strict=True)]
    check_formats([run for runs in logs for run in runs])
    notes: tuple[str, ...] = ()
    one, two = (
        _of_one_system(name, runs, options) for name, runs in zip(_NAMES, logs, strict=True)
    )
    if not options.task and len(one) == len(two) == 1 and "" in (*one, *two):
        (task1, run1), (task2, run2) = *one.items(), *two.items()
        task = task1 or task2
        return sliced({task: _matched(task, by_system(run1, run2), options)}, options.by)
    for name, own, other in (("path1", one, two), ("path2", two, one)):
        lacking = [task for task in other if task not in own]
        if lacking and (options.on_missing != "drop" or not one.keys() & two.keys()):
            what = f"has no run of {_listed(lacking)}, only of {_listed(own)}"
            remedy = f"Compare runs of the same tasks, or name one, {_TASK}"
            raise InputError(f"`{name}` {what}", remedy=remedy)
    common = [task for task in one if task in two]
    if lost := [task for task in (*one, *two) if not (task in one and task in two)]:
        left_out = f"left out, because one system has no run: {_listed(lost)}"
        warn(left_out)
        notes = (left_out,)
    matched = {
        task: _matched(task, by_system(one[task], two[task]), options, notes) for task in common
    }
    return sliced(matched, options.by)


def read_systems(
    paths: Sequence[Any], options: ReadOptions, *, on_all_tasks: bool = False
) -> dict[str, Runs]:
    """Return the runs of many systems on each task, see `read_folder`; or of those with all tasks.

    Raises
    ------
    InputError
        For the reasons of `read_folder`.
    """
    _check_not_filled(options)
    if not paths:
        logs = "name a folder with the logs of all systems, or logs"
        raise InputError("paths", "is missing", remedy=logs)
    each = {"paths" if len(paths) == 1 else f"paths[{k}]": x for k, x in enumerate(paths)}
    _warn_of_one_file(paths)
    every = [run for name, path in each.items() for run in read_logs(name, path, options)]
    every = _runs_of_systems("paths", every, options.system or ())
    by_task = _by_task("paths", every, options)
    alone = [task for task, runs in by_task.items() if len(runs) < 2]
    if alone and (options.on_missing == "error" or len(alone) == len(by_task)):
        raise InputError(
            "paths",
            "must hold two or more systems for each task, but holds only one for "
            f"{_listed(alone)}: {shown_path(by_task[alone[0]][0].path)}",
            remedy=f"Add logs, or name a task, {_TASK}",
        )
    for task, runs in by_task.items():
        _check_reruns(task, runs)
    tasks = {task: by_system(*runs) for task, runs in by_task.items()}
    notes: tuple[str, ...] = ()
    if on_all_tasks:
        tasks, notes = _with_all_tasks(tasks, options)
    elif len({len(runs) for runs in by_task.values()}) > 1:
        n_of_each = ", ".join(f"{len(x)} of {_listed([task])}" for task, x in by_task.items())
        if options.on_missing == "error":
            raise InputError(
                "paths",
                f"does not hold all systems for all tasks: {n_of_each}",
                remedy=f"Name a task, {_TASK}, or rank the systems that each task has, {DROP}",
            )
        warn(f"not all tasks have all systems: {n_of_each}")
    some = {task: systems for task, systems in tasks.items() if len(systems) > 1}
    matched = {task: _matched(task, x, options, notes) for task, x in some.items()}
    return sliced(matched, options.by)


def read_each(paths: Mapping[str, Any], options: ReadOptions) -> dict[str, Runs]:
    """Return the runs of each task, of which each path holds one: of one system, or reruns.

    `paths` has the name of each argument. The systems are called by their models or paths.

    Raises
    ------
    InputError
        If a path lacks a task that another has. For the other reasons of `read_runs`.
    """
    if len(paths) > 1:
        _check_not_filled(options)
    each = {}
    for name, path in paths.items():
        runs = _runs_of_systems(name, read_logs(name, path, options), options.system or ())
        each[name] = _of_one_system(name, runs, options)
    tasks = dict.fromkeys(task for own in each.values() for task in own)
    for name, own in each.items():
        lacking = [task for task in tasks if task not in own]
        if lacking:
            raise InputError(f"`{name}`", f" has no run of {_listed(lacking)}")
    matched = {}
    for task in tasks:
        matched[task] = _matched(task, by_system(*(x[task] for x in each.values())), options, ())
    return sliced(matched, options.by)


def _check_not_filled(options: ReadOptions) -> None:
    """Raise InputError if scores of runs shall be filled in that have no candidate."""
    if options.on_missing in FILLED:
        must = "be 'error' or 'drop' for a leaderboard and for reruns"
        remedy = "If a run broke, score it as wrong"
        raise InputError("on_missing", must=must, got=repr(options.on_missing), remedy=remedy)


def _with_all_tasks(
    tasks: Mapping[str, Mapping[str, Run]], options: ReadOptions
) -> tuple[dict[str, dict[str, Run]], tuple[str, ...]]:
    """Return the runs of the systems that all tasks have, and a note on each that is left out.

    Raises
    ------
    InputError
        If a system lacks a task and none shall be left out, or if fewer than two have all tasks.
    """
    every = dict.fromkeys(x for systems in tasks.values() for x in systems)
    lacking = {x: [task for task, systems in tasks.items() if x not in systems] for x in every}
    missing = [
        f"{shown(x)} has no run of {_listed(those)}" for x, those in lacking.items() if those
    ]
    complete = [x for x in every if not lacking[x]]
    if missing and (options.on_missing == "error" or len(complete) < 2):
        or_drop = f", or leave these systems out, {DROP}" if options.on_missing == "error" else ""
        what = f"does not hold all systems for all tasks: {'; '.join(missing)}"
        raise InputError("paths", what, remedy=f"Name a task, {_TASK}{or_drop}")
    whole = {task: {x: systems[x] for x in complete} for task, systems in tasks.items()}
    return whole, tuple(f"left out: {x}" for x in missing)


def _warn_of_one_file(paths: Sequence[Any]) -> None:
    """Warn if two paths are the same file: a system is compared with itself then."""
    for one, two in combinations(filter(is_path, paths), 2):
        with suppress(ValueError, OSError):  # files that cannot be opened
            if os.path.samefile(one, two):
                what = f"two paths are one file, {shown_path(os.fsdecode(two))}"
                warn(what, remedy="a system is compared with itself")


def _of_one_system(name: str, runs: Sequence[Run], options: ReadOptions) -> dict[str, Run]:
    """Return the run of each task in one system's logs.

    Raises
    ------
    InputError
        If a task has several runs.
    """
    by_task = _by_task(name, runs, options)
    for task, some in by_task.items():
        if len(some) > 1:
            of = f" of task {shown(task)}" if task else ""
            models = {x.model for x in some} - {""}
            by_name = f"Or name the system, system={shown(some[0].model)}"
            raise InputError(
                f"`{name}` holds {len(some)} runs{of}: {first_of(names_of_files(some), 3)}",
                remedy=(_ONE_RUN, by_name if len(models) == len(some) else ""),
            )
    return {task: some[0] for task, some in by_task.items()}


def _runs_of_systems(name: str, runs: list[Run], systems: Sequence[str]) -> list[Run]:
    """Return the runs of these systems, or all if none is named; a run that was not read has none.

    Raises
    ------
    InputError
        If there is no run of a system.
    """
    models = dict.fromkeys(run.model for run in runs if run.ids)
    unknown = next((x for x in systems if x not in models), None)
    if unknown is not None:
        raise InputError(
            "system",
            must=f"be one of those in `{name}`, {first_of([*map(shown, models)])}",
            got=describe(unknown),
            remedy=did_you_mean("system", unknown, [*models]),
        )
    if not systems:
        return runs
    named = [run for x in systems for run in runs if run.model == x]
    return [*named, *(run for run in runs if not run.ids and run.model not in systems)]


def _listed(tasks: Iterable[str]) -> str:
    """List tasks for a message; the name of a task may be empty."""
    return first_of([f"task {shown(x)}" if x else "a task without a name" for x in tasks])


def _by_task(name: str, runs: Sequence[Run], options: ReadOptions) -> dict[str, list[Run]]:
    """Return the runs of each task, or of those that are asked for.

    Runs without a task are those of the one that is asked for, if there are no others.
    """
    by_task: dict[str, list[Run]] = {}
    for run in runs:
        by_task.setdefault(run.task, []).append(run)
    if not options.task:
        return by_task
    groups_of = {
        task: dict.fromkeys(group for run in some for group in run.task_groups)
        for task, some in by_task.items()
    }
    tasks_of = {asked: asked_tasks(asked, groups_of) for asked in options.task or ()}
    asked = next((x for x, tasks in tasks_of.items() if not tasks), None)
    if asked is None:
        return {
            task: by_task[task] for task in by_task if any(task in x for x in tasks_of.values())
        }
    if [*by_task] == [""] and len(tasks_of) == 1:
        return {asked: by_task[""]}
    groups = dict.fromkeys(group for some in groups_of.values() for group in some)
    or_group = f", or a group, {first_of([*map(shown, groups)])}" if groups else ""
    listed = f", {first_of([*map(shown, by_task)])}{or_group}"
    raise InputError(
        "task",
        must=f"be one of those in `{name}`{listed}",
        got=describe(asked),
        remedy=did_you_mean("task", asked, [*by_task, *groups]),
    )


def _check_reruns(task: str, runs: Sequence[Run]) -> None:
    """Raise InputError if one folder has two runs of one model, which are not two systems."""
    seen: dict[tuple[str, str], str] = {}
    for run in runs:
        key = run.model, os.path.dirname(run.path)
        if run.model and key in seen:
            raise InputError(
                f"there are two runs of {shown_path(run.model)} on {_listed([task])}, "
                f"{shown_path(seen[key])} and {shown_path(run.path)}",
                remedy=_ONE_RUN,
            )
        seen[key] = run.path


def _matched(
    task: str, systems: Mapping[str, Run], options: ReadOptions, notes: tuple[str, ...] = ()
) -> Runs:
    """Match the runs of one task, with the given references if there are some."""
    given = options.references
    references = None if given is None else read_references(given, options)
    notes = (*notes, *dict.fromkeys(x for run in systems.values() for x in run.notes))
    runs = without_unscored([*systems.values()])
    matched = match_task(task, dict(zip(systems, runs, strict=True)), references, options)
    return Runs(task, *matched, options.on_missing, notes)


class Logged(NamedTuple):
    """The name of a task, and that of a metric in its log."""

    task: str
    logged: str


@dataclass(frozen=True, repr=False)
class Comparisons(TableOfTests):
    """Results of two systems under several metrics or on several tasks; print them.

    Attributes
    ----------
    name1, name2 : str
        The names of the systems.
    results : dict from (str, str) to result
        The result of `compare` for each task and metric.
    tests : tuple of dict
        `to_dict` of each result, with "task", "logged" (the metric's name in the log) and
        "p_adjusted".
    correction : str or None
        How the p-values were adjusted for their number.
    alpha : float
        The significance level, between 0 and 1.
    left_out : tuple of str or Part
        A line for each task that lacks the metric, for each metric that is the same as another,
        and for each that not all examples have.
    """

    name1: str
    name2: str
    left_out: tuple[str, ...] = ()

    @property
    def results(self) -> dict[tuple[str, str], PairedResult]:
        """The result of each task and metric."""
        return {(x.of.task, x.of.logged): x.result for x in self._tests}

    @property
    def tests(self) -> tuple[dict[str, Any], ...]:
        """The test of each task and metric, see above."""
        return tuple(x.to_dict() for x in self._tests)

    def to_dict(self) -> dict[str, Any]:
        """Return the names, tests, correction and alpha as builtins, ready for JSON."""
        return versioned(
            {
                "system1": self.name1,
                "system2": self.name2,
                "tests": [*self.tests],
                "correction": self.correction,
                "alpha": self.alpha,
            }
        )

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; the level is its own."""
        refuse_own(alpha=alpha)
        systems, which = headings(*pair_of_names(names, (self.name1, self.name2)))
        each = [
            (x.result, figures_of(x.result, None, 0.0), adjusted_in_words(x.p_adjusted, self.alpha))
            for x in self._tests
        ]
        header, cells = rows_of_tests(each, systems, "adjusted p", self.alpha)
        header = ["task", "metric", *header]
        rows = [[*x.of, *row] for x, row in zip(self._tests, cells, strict=True)]
        n_significant = sum(x.p_adjusted <= self.alpha for x in self._tests)
        how = f"Significant: {n_significant:,} of {len(rows):,} ({self._level})."
        if not any(x.of.task for x in self._tests):
            header, rows = header[1:], [row[1:] for row in rows]
        return Told(header, rows, [*which, how, *self._doubts()])


@reads_options
def compare_all(
    tasks: Sequence[Runs],
    *,
    metrics: Sequence[str] = (),
    correction: Correction | None = "holm",
    alpha: Alpha = ALPHA,
    lower_is_better: bool | None = None,
    metric_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> tuple[Comparisons, list[Examples]]:
    """Compare two systems under each metric of each task; return also the compared examples.

    Metrics that are not named, and are the same as another in all examples, are one test.

    Raises
    ------
    InputError
        For the reasons of `Runs.compare`; if `correction` or `alpha` is wrong.
    """
    wanted: list[tuple[Runs, str | None]] = []
    not_whole, doubles = [], []
    for runs in tasks:
        partly = {} if metrics else partly_scored(runs)
        whole = [x for x in runs.metrics if x not in partly]
        equal = {} if metrics else equal_metrics(whole, [*runs.systems.values()], lower_is_better)
        wanted += [(runs, x) for x in metrics or equal or (None,)]
        not_whole += [
            f"left out: {', '.join(filter(None, (runs.task, name)))}: {'; '.join(map(str, ids))}"
            for name, ids in partly.items()
        ]
        doubles += [
            f"left out: {f'{runs.task}: ' if runs.task else ''}{x}: the same as {name} in all "
            "examples, and no test of its own"
            for name, others in equal.items()
            for x in others
        ]

    if len(wanted) > 1 and any(runs.on_missing == "bounds" for runs in tasks):
        must = "be 'error', 'drop' or 'wrong' for several metrics or tasks"
        remedy = "Name a metric and a task"
        raise InputError("on_missing", must=must, got="'bounds'", remedy=remedy)

    def compared(runs: Runs, metric: str | None) -> tuple[Examples, PairedResult]:
        # of several, those that are no means have a direction of their own
        is_own = not metrics and any(metric in x.aggregated for x in runs.systems.values())
        lower = None if is_own and len(wanted) > 1 else lower_is_better
        examples = runs.examples(metric, lower_is_better=lower, **(metric_options or {}))
        return examples, compare_examples(examples, **options)

    pairs, lacking = those_with_metric(wanted, compared)
    found = {Logged(runs.task, x[0].name): x for runs, x in pairs}
    tests = with_adjusted([(key, result) for key, (_, result) in found.items()], correction)
    name1, name2 = pairs[0][0].systems
    left_out = *not_whole, *lacking, *doubles
    board = Comparisons(tests, correction, alpha, name1, name2, left_out)
    return board, [examples for examples, _ in found.values()]


_Compared = TypeVar("_Compared")


def those_with_metric(
    wanted: Sequence[tuple[Runs, str | None]], compared: Callable[[Runs, str | None], _Compared]
) -> tuple[list[tuple[Runs, _Compared]], list[str]]:
    """Compare the runs of each task; return also a note on each that lacks the metric.

    Raises
    ------
    InputError
        If all lack it; for the reasons of `compared`.
    """
    found: list[tuple[Runs, _Compared]] = []
    lacking: list[tuple[Runs, NoMetricError]] = []
    for runs, metric in wanted:
        where = ", ".join(shown_path(x) for x in (runs.task, metric) if x)
        with called({}, where if len(wanted) > 1 else ""):
            try:
                found.append((runs, compared(runs, metric)))
            except NoMetricError as error:
                lacking.append((runs, error))
    if not found:
        raise lacking[0][1]
    return found, [f"left out: task {shown(runs.task)}: {x.fact}" for runs, x in lacking]
