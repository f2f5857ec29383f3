"""Runs of two or more systems on one task or several, matched by id and ready to be compared.

Averages of tasks stand beside those that lm-evaluation-harness reports.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from pairedperm.comparison.several import compare_suites
from pairedperm.comparison.slices import slices_of
from pairedperm.comparison.suite import TaskWeights, compare_suite
from pairedperm.errors import (
    InputError,
    called,
    counted,
    describe,
    first_of,
    shown,
    shown_path,
    warn,
)
from pairedperm.inputs.columns import Id, is_missing
from pairedperm.readers.aggregates import (
    finite_number,
    gap_to_reported,
    settled,
)
from pairedperm.readers.files import FILLED, OnMissing
from pairedperm.readers.lm_eval import reported_value
from pairedperm.readers.log import INFINITE, Run, examples_at, filled, is_unscored, no_numbers
from pairedperm.readers.match import (
    Matching,
    Unmatched,
    differing,
    first_given,
    names_of_files,
    numbers_of_runs,
)
from pairedperm.readers.metrics import (
    Direction,
    Examples,
    called_columns,
    check_direction,
    check_groups,
    compare_examples,
    direction_of_means,
    directions_of_logs,
    known_range,
    leaderboard_of,
    logged_name,
    metrics_in_words,
    metrics_of,
    name_in_logs,
    named_tasks,
    only_metric,
    two_names,
    unreported,
    warn_of_doubts,
)
from pairedperm.results.several import Leaderboard
from pairedperm.results.suite import SuiteResult
from pairedperm.results.told import Printed
from pairedperm.scoring.metric import Metric, metric_options, read_metric
from pairedperm.scoring.metrics.given import MeanScore

_WHOLE = {int, bool, str}  # types that have no missing or infinite value
_WEIGHTED = {"size": "weighted by size", "equal": "with equal weights"}
_OTHERWISE = {"size": "weights='equal'", "equal": "weights='size'"}  # of two, the other


def _notes_on_weights(
    weights: TaskWeights | None,
    scores: Mapping[str, float],
    compared: Mapping[str, Examples],
    tasks: Mapping[str, Runs],
) -> list[str]:
    """Say how the tasks are weighted, and where results report another average of their group.

    Of averages nothing is said for numbers that the caller gives, for tasks with several metrics,
    and for systems without a score, which have other names on other tasks.
    """
    weights = "equal" if weights is None else weights
    if not isinstance(weights, str):
        return ["average with the given weights"]
    notes = [f"average {_WEIGHTED[weights]}"]
    metric, *others = dict.fromkeys(x.name for x in compared.values())
    averages = {
        (name, system): finite_number(reported_value(group.reported, metric))
        for runs in tasks.values()
        for system, run in runs.systems.items()
        for name, group in run.task_groups.items()
        if {*group.tasks} == {*tasks} and not others
    }
    return notes + [
        f"group {shown(group)}: {value:.6g} is reported of {shown_path(system)}, but the average "
        f"of the compared tasks is {scores[system]:.6g} {_WEIGHTED[weights]}; weigh them "
        f"otherwise, {_OTHERWISE[weights]}"
        for (group, system), value in averages.items()
        if value is not None and gap_to_reported(scores.get(system, value), value) == math.inf
    ]


def suite_of(
    compared: Mapping[str, Examples],
    tasks: Mapping[str, Runs],
    weights: TaskWeights | None = None,
    groups: Mapping[str, Mapping[Any, Any]] | None = None,
    **options: Any,
) -> tuple[SuiteResult, list[str]]:
    """Compare two systems on several tasks by `pairedperm.compare_suite`.

    Return also a note on each average that results report otherwise.

    Parameters
    ----------
    compared : dict from str to Examples
        What is compared on each task.
    tasks : dict from str to Runs
        The runs of each task.
    weights
        See `pairedperm.compare_suite`.
    groups : dict from str to dict, or None
        The group of each id of some or all tasks. None: as the runs say.
    **options
        `correction`, `alpha`, and options of the test.

    Raises
    ------
    InputError
        If there are not two systems, or `pairedperm.compare_suite` refuses the arguments.
    """
    name1, name2 = two_names(next(iter(compared.values())))
    named, of_each = named_tasks(compared, groups)
    with called_columns((name1, name2), of_pair=True):
        suite = compare_suite(
            {task: (*x.systems.values(), x.references) for task, x in named.items()},
            **of_each,
            weights=weights,
            **options,
        )
    tests = tuple(
        replace(x, result=replace(x.result, unreported=unreported(named[x.of.task])))
        for x in suite._tests
    )
    suite = replace(suite, name1=name1, name2=name2, _tests=tests)
    if suite.average is None:
        return suite, []
    scores = {name1: suite.average.score1, name2: suite.average.score2}
    return suite, _notes_on_weights(weights, scores, compared, tasks)[1:]


def averages_of(
    compared: Mapping[str, Examples],
    tasks: Mapping[str, Runs],
    weights: TaskWeights = "equal",
    **options: Any,
) -> tuple[Leaderboard, list[str]]:
    """Rank all systems by `pairedperm.compare_suites`; return also notes, as `suite_of` does.

    Raises
    ------
    InputError
        If `pairedperm.compare_suites` refuses the arguments.
    """
    named, of_each = named_tasks(compared)
    with called_columns(next(iter(named.values())).systems, of_pair=False):
        board = compare_suites(
            {task: (x.systems, x.references) for task, x in named.items()},
            **of_each,
            weights=weights,
            **options,
        )
    return board, _notes_on_weights(weights, board.scores, compared, tasks)


@dataclass(frozen=True, eq=False, repr=False)
class Runs(Printed):
    """Runs of several systems on one task, matched by id; print them.

    Attributes
    ----------
    task : str
        The name of the task; "" if the logs do not say.
    systems : dict from str to Run
        The run of each system, by the system's name.
    matching : Matching
        The examples that are compared, and those that were left out.
    on_missing : {"error", "drop", "wrong", "bounds"}
        What to do with examples that lack a score, a prediction or a reference; see `read_runs`.
    notes : tuple of str or Part
        What was left out of the folders, such as hidden files.
    """

    task: str
    systems: Mapping[str, Run]
    matching: Matching
    on_missing: OnMissing = field(default="error")
    notes: tuple[str, ...] = ()

    @property
    def ids(self) -> list[Id]:
        """The ids of the examples that are compared, sorted."""
        return self.matching.ids

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that all runs have scores of, or "accuracy" if they have only predictions."""
        return metrics_of(self._runs)

    @property
    def _runs(self) -> list[Run]:
        return [*self.systems.values()]

    def __str__(self) -> str:
        named = ", ".join(self.systems)
        what = f"{named} on {self.task}" if self.task else named
        lines = [
            what,
            *map(str, self.notes),
            str(self.matching),
            f"metrics: {', '.join(self.metrics) or 'none'}",
        ]
        lines += [f"left out: {x}" for x in no_numbers(self.systems, self.metrics)]
        return "\n".join(lines)

    def examples(
        self,
        metric: str | Metric | Sequence[str] | None = None,
        *,
        lower_is_better: bool | None = None,
        **metric_options: Any,
    ) -> Examples:
        """Return what is compared under a metric.

        Parameters
        ----------
        metric : str, Metric, sequence of str, or None
            A logged metric, whose mean scores are compared; or a metric of predictions that
            `pairedperm.compare` takes. Of several the first that the runs have scores of, or else
            the first. None: the only metric of the runs, or the first if all are equal.
        lower_is_better : bool or None
            The direction of a logged metric. None: as the log says, or else its name.
        **metric_options
            Options of a metric of predictions; of a logged one `score_range`, the range of its
            scores.

        Returns
        -------
        `Examples`
            The arguments of `pairedperm.compare` and `pairedperm.compare_many`.

        Raises
        ------
        InputError
            If a run lacks the metric, or `metric` is None and there are several. If
            `lower_is_better` or an option does not fit the metric. If an example has no score,
            prediction or reference and `on_missing` is "error". If no example is left. If an
            example has no group.
        """
        runs = self._runs
        wanted: Any = only_metric(runs, lower_is_better) if metric is None else metric
        if isinstance(wanted, (list, tuple)) and wanted:
            wanted = next((x for x in wanted if logged_name(x, runs)), wanted[0])
        logged = name_in_logs(wanted, runs)
        if logged is None:
            return self._of_predictions(wanted, lower_is_better, metric_options)
        is_mean = not any(logged in run.aggregated for run in runs)
        score_range = metric_options.pop("score_range", None) if is_mean else None
        for option in metric_options:
            what = f"is no option of {shown(logged)}, whose scores were logged"
            raise InputError(f"`{option}` {what}", remedy="leave it out")
        if is_mean:
            return self._of_means(logged, lower_is_better, score_range)
        chosen = settled(logged, runs)
        check_direction(chosen, lower_is_better)
        columns, references = (
            [[x and x[k] for x in run.scores[logged]] for run in runs] for k in (0, 1)
        )
        if ids := differing(self.ids, references):
            what = str(Unmatched(f"have different references of {logged}", ids))
            raise InputError(f"the runs do not hold the same examples: {what}")
        direction = Direction(chosen.lower_is_better, "log")
        return self._compared(logged, columns, first_given(references), chosen, direction)

    def _of_means(self, logged: str, lower_is_better: bool | None, score_range: Any) -> Examples:
        """Return what is compared under a logged metric of which the mean is reported.

        A number that stands for no score is None; where it does so in all runs, the tool leaves
        the example out.
        """
        runs = self._runs
        columns = [run.scores[logged] for run in runs]
        direction = direction_of_means(logged, runs, lower_is_better)
        left_out = []
        for told in {run.sentinels[logged] for run in runs if logged in run.sentinels}:
            each = zip(self.ids, zip(*columns, strict=True), strict=True)
            ids = [x for x, some in each if {*some} == {told}]
            why = f"scored {told:g} in {logged}, which its reported mean leaves out"
            left_out += [Unmatched(why, ids)] * bool(ids)
            columns = [[None if x == told else x for x in column] for column in columns]
        if score_range is None:
            score_range = known_range(logged, columns, runs)
        lower = direction.lower_is_better
        mean = MeanScore(of=logged, lower_is_better=lower, score_range=score_range)
        if self.on_missing in FILLED:
            return self._filled(logged, mean, direction, left_out)
        return self._compared(logged, columns, None, mean, direction, left_out)

    def _filled(
        self, logged: str, mean: MeanScore, direction: Direction, left_out: Sequence[Unmatched]
    ) -> Examples:
        """Return what is compared with missing scores at an end of their range, or at both.

        Raises
        ------
        InputError
            If the range is not known. If only the candidate's count as wrong, and the baseline's
            are missing.
        """
        runs = self._runs
        if mean.score_range is None:
            what = f"is {self.on_missing!r}, and the range of {shown(logged)} is not known"
            raise InputError("on_missing", what, remedy="Give it, score_range=(low, high)")
        ends = [int(x) if x == int(x) else x for x in mean.score_range]
        best, worst = ends if mean.lower_is_better else ends[::-1]

        def compared(*ends: float | None) -> Examples:
            columns = [filled(run, logged, x) for run, x in zip(runs, ends, strict=False)]
            return self._compared(logged, columns, None, mean, direction, left_out)

        if self.on_missing == "wrong":
            n = counted(filled(runs[0], logged, None).count(None), "missing score")
            note = f"{n} of {next(iter(self.systems))} counted as {worst:g}"
            return compared(worst, None)._replace(notes=[note])
        one, two = corners = compared(best, worst), compared(worst, best)
        each = {x: zip(y, two.systems[x], strict=True) for x, y in one.systems.items()}
        given = {x: [y if y == z else None for y, z in pairs] for x, pairs in each.items()}
        return one._replace(systems=given, corners=corners)

    def _of_predictions(
        self, metric: str | Metric, lower_is_better: bool | None, options: Mapping[str, Any]
    ) -> Examples:
        """Return what is compared under a metric of predictions."""
        metric = read_metric(metric, **options)
        check_direction(metric, lower_is_better)
        runs, needs = self._runs, f"{shown(metric.name)} needs"
        for run in runs:
            if run.predictions is None:
                what = f"{needs} predictions, and {shown_path(run.path)} has none"
                raise InputError("metric", what, remedy=f"It has {metrics_in_words(run)}")
        right, direction = runs[0].references, Direction(metric.lower_is_better, "metric")
        if metric.has_references and right is None:
            why = f"the runs hold none, and metric {needs} them"
            remedy = why, "Give a table of ids and references."
            raise InputError("references", "is missing", remedy=remedy)
        columns = [run.predictions or [] for run in runs]
        return self._compared(metric.name, columns, right, metric, direction)

    def _compared(
        self,
        name: str,
        columns: list[list[Any]],
        right: list[Any] | None,
        metric: Metric,
        direction: Direction,
        left_out: Sequence[Unmatched] = (),
    ) -> Examples:
        """Return what is compared, without examples that are left out or lack an entry.

        Raises
        ------
        InputError
            If an entry is missing, or a score infinite, and `on_missing` is "error"; if no example
            is left; if an example has no group.
        """
        runs, systems = self._runs, dict(zip(self.systems, columns, strict=True))
        are_means = any(len({*some}) > 1 for some in numbers_of_runs(runs))
        filling = self.on_missing if self.on_missing in FILLED else ""
        if not isinstance(metric, MeanScore) and (are_means or filling):
            option, got = ("on_missing", filling) if filling else ("runs", "mean")
            what = f"is {got!r}, which is for logged scores of each example"
            none = f"{shown(name)} has none"
            raise InputError(option, what, remedy=(none, "Write tables of id and score"))
        right, groups = right if metric.has_references else None, runs[0].groups
        found = Examples(name, self.ids, systems, right, groups, metric, direction, [])
        found = found.without(left_out, "drop", "", "")
        some = runs, found.systems.values(), found.ids
        if isinstance(metric, MeanScore):  # infinite are answers that could not be parsed
            unmatched = _where(f"with an infinite {name}", INFINITE.__contains__, *some)
            unmatched += _where(f"without {name}", is_unscored, *some)
        else:
            unmatched = _where("without a prediction", is_missing, *some)
        if found.references is not None:
            ids = _ids_where(is_missing, found.references, found.ids)
            unmatched += [Unmatched("without a reference", ids)] * bool(ids)
        if self.on_missing == "wrong":
            remedy = (
                "A missing score of the second system that counts as wrong would help the first: "
                "bound what they may be, on_missing='bounds', or leave them out, "
            )
        elif isinstance(metric, MeanScore) and len(runs) < 3:
            remedy = (
                "If the system failed, count them as wrong, on_missing='wrong', or bound them, "
                "on_missing='bounds'. Otherwise leave them out, "
            )
        else:
            remedy = "Score them, as wrong if they failed, or leave them out, "
        found = found.without(unmatched, self.on_missing, "not all examples are scored", remedy)
        check_groups(found.groups, found.ids)
        doubts = [run.doubts[name] for run in runs if name in run.doubts]
        is_turned = directions_of_logs(name, runs) == {not direction.lower_is_better}
        if direction.source == "caller" and is_turned:
            which, other = direction.words
            doubt = f"a {which} {shown(name)} counts as better, as asked; the log says {other}"
            doubts.append(doubt)
        return found._replace(doubts=doubts, are_means=are_means)

    def compare(
        self,
        metric: str | Metric | Sequence[str] | None = None,
        *,
        lower_is_better: bool | None = None,
        metric_options: Mapping[str, Any] | None = None,
        groups: Mapping[Any, Any] | None = None,
        **options: Any,
    ) -> Any:
        """Compare two runs by `pairedperm.compare`.

        Parameters
        ----------
        metric, lower_is_better, metric_options
            The same as in `examples`.
        groups : dict from int or str, or None
            The group of each id: its examples are swapped together. None: as the runs say.
        **options
            Options of the test and of the metric, as `pairedperm.compare` takes them.

        Returns
        -------
        PairedResult

        Raises
        ------
        InputError
            For the reasons of `examples`; if there are more than two runs; if `groups` is no dict,
            or lacks an id; if `pairedperm.compare` refuses the arguments.
        """
        examples, options = self._examples(metric, lower_is_better, metric_options, options)
        return compare_examples(examples, groups=groups, **options)

    def leaderboard(
        self,
        metric: str | Metric | Sequence[str] | None = None,
        *,
        lower_is_better: bool | None = None,
        metric_options: Mapping[str, Any] | None = None,
        groups: Mapping[Any, Any] | None = None,
        **options: Any,
    ) -> Leaderboard:
        """Rank all runs by `pairedperm.compare_many`.

        Parameters
        ----------
        metric, lower_is_better, metric_options, groups
            The same as in `compare`.
        **options
            `baseline`, `correction`, `alpha`, and options of the test.

        Returns
        -------
        Leaderboard

        Raises
        ------
        InputError
            For the reasons of `examples`; if `groups` is no dict, or lacks an id; if
            `pairedperm.compare_many` refuses the arguments.
        """
        examples, options = self._examples(metric, lower_is_better, metric_options, options)
        return leaderboard_of(examples, groups=groups, **options)

    def suite(
        self,
        metric: str | Metric | Sequence[str] | None = None,
        *,
        lower_is_better: bool | None = None,
        metric_options: Mapping[str, Any] | None = None,
        weights: TaskWeights | None = None,
        groups: Mapping[str, Mapping[Any, Any]] | None = None,
        **options: Any,
    ) -> SuiteResult:
        """Compare two runs on all tasks together by `pairedperm.compare_suite`.

        Parameters
        ----------
        metric, lower_is_better, metric_options
            The same as in `examples`, for each task.
        weights
            The weights of the tasks, see `pairedperm.compare_suite`. None: equal, but tasks of
            different units have no average. A warning says where the results file of
            lm-evaluation-harness reports another average of the group of these tasks.
        groups : dict from task to dict, or None
            The group of each id of some or all tasks: its examples, also those of different tasks,
            are swapped together. None: as the runs say.
        **options
            `correction`, `alpha`, and options of the test.

        Returns
        -------
        SuiteResult

        Raises
        ------
        InputError
            For the reasons of `examples`; if there are more than two systems; if
            `pairedperm.compare_suite` refuses the arguments.
        """
        compared, asked = {}, (metric, lower_is_better, metric_options, options)
        for task, runs in self.tasks.items():
            with called({}, task and f"task {shown(task)}"):
                compared[task], options = runs._examples(*asked)
        result, notes = suite_of(compared, self.tasks, weights, groups, **options)
        for doubt in notes:
            warn(doubt)
        return result

    @cached_property
    def tasks(self) -> Mapping[str, Runs]:
        """The runs of each task."""
        return {self.task: self}

    def _examples(
        self, metric: Any, lower: bool | None, of_metric: Any, options: Mapping[str, Any]
    ) -> tuple[Examples, dict[str, Any]]:
        """Return what is compared, and the options of the test; those of the metric may be there.

        Warn where the log's tool reports another number than the score that is compared.
        """
        also = {name: options[name] for name in options if name in metric_options()}
        examples = self.examples(metric, lower_is_better=lower, **{**also, **(of_metric or {})})
        warn_of_doubts(examples)
        return examples, {name: x for name, x in options.items() if name not in also}


def _where(
    why: str,
    is_so: Callable[[Any], bool],
    runs: Sequence[Run],
    columns: Iterable[list[Any]],
    ids: Sequence[Id],
) -> list[Unmatched]:
    """Return the ids whose entries in a column are so, for each run that has some."""
    some = [
        Unmatched(f"{why} in {file}", _ids_where(is_so, column, ids))
        for file, column in zip(names_of_files(runs), columns, strict=True)
    ]
    return [x for x in some if x.ids]


def _ids_where(is_so: Callable[[Any], bool], column: Sequence[Any], ids: Sequence[Id]) -> list[Id]:
    """Return the ids whose entries in a column are so: missing or infinite."""
    kinds = {*map(type, column)}
    if kinds <= _WHOLE or (kinds == {float} and math.isfinite(sum(column))):
        return []
    return [example for example, x in zip(ids, column, strict=True) if is_so(x)]


_FIRST = 10  # tuned: tasks in a text
_OF_A_TASK = {x.name for x in fields(Runs)}


class RunsOfTasks(Runs):
    """Runs of several systems on several tasks; compare them by `suite`.

    Whatever is of one task, such as `ids` or `compare`, raises InputError, which names the tasks.

    Attributes
    ----------
    tasks : dict from str to Runs
        The runs of each task.
    """

    def __init__(self, tasks: Mapping[str, Runs]) -> None:
        vars(self).update(tasks={**tasks})

    def __getattr__(self, name: str) -> Any:
        if name in _OF_A_TASK:
            only_task(self.tasks)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __str__(self) -> str:
        each = [f"{task}: {counted(len(runs.ids), 'example')}" for task, runs in self.tasks.items()]
        systems = dict.fromkeys(x for runs in self.tasks.values() for x in runs.systems)
        return f"{', '.join(systems)} on {counted(len(each), 'task')}\n{first_of(each, _FIRST)}"


def partly_scored(runs: Runs) -> dict[str, list[Unmatched]]:
    """Return the metrics that not all examples have, with these, unless they are dropped.

    There are none if no metric is whole: then examples failed.
    """
    some = runs._runs
    logged = [x for x in runs.metrics if all(x in run.metrics for run in some)]
    partly: dict[str, list[Unmatched]] = {}
    for x in logged if runs.on_missing == "error" else ():
        columns = [run.scores[x] for run in some]
        if ids := _where("without a score", is_unscored, some, columns, runs.ids):
            partly[x] = ids
    return partly if len(partly) < len(logged) else {}


def only_task(tasks: Mapping[str, Runs]) -> Runs:
    """Return the runs of the only task.

    Raises
    ------
    InputError
        If there are several tasks.
    """
    runs, *others = tasks.values()
    listed = first_of([*map(shown, tasks)])
    if others and any(run.slices for run in runs._runs):
        remedy = "Leave it out, or compare the slices by suite"
        raise InputError("by", f"makes several tasks: {listed}", remedy=remedy)
    if others:
        what = f"is missing, and the logs have several: {listed}"
        raise InputError("task", what, remedy="Name one.")
    return runs


def sliced(tasks: Mapping[str, Runs], by: str | None) -> dict[str, Runs]:
    """Return the slices of the only task as tasks, by the values of a column; or all tasks.

    Raises
    ------
    InputError
        If there are several tasks. If no log has the column. If an example has no slice, or one
        that `slices_of` refuses.
    """
    if by is None:
        return {**tasks}
    (task, runs), *others = tasks.items()
    if others:
        what = f"splits one task, and the logs have several: {first_of([*map(shown, tasks)])}"
        raise InputError("by", what, remedy="Name one, task=…")
    column, matching = runs._runs[0].slices, runs.matching
    if column is None or all(map(is_missing, column)):
        where = "a column of tables, or a key of the documents of lm-evaluation-harness"
        raise InputError("by", must=f"name {where}", got=describe(by))
    if lacking := _ids_where(is_missing, column, runs.ids):
        what, remedy = f"have no {shown(by)}", "Write a name for these too, such as 'other'."
        raise InputError(f"ids {Unmatched(what, lacking)}", remedy=remedy)
    of_task = f" of task {shown(task)}" if task else ""
    left_out = (f"left out: {x}" for x in matching.unmatched)
    notes = *runs.notes, f"tasks are the slices by {shown(by)}{of_task}", *left_out, *matching.notes
    found = {}
    for name, places in slices_of(column).items():
        systems = {x: examples_at(run, places) for x, run in runs.systems.items()}
        own = Matching(next(iter(systems.values())).ids, [], [], matching.by)
        found[name] = replace(runs, task=name, systems=systems, matching=own, notes=notes)
    return found


def of_tasks(tasks: Mapping[str, Runs]) -> Runs:
    """Return the runs of all tasks as one object."""
    return RunsOfTasks(tasks) if len(tasks) > 1 else only_task(tasks)
