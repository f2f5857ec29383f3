"""Runs of two or more systems on one task, matched by id and ready to be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pairedperm.comparison.suite import TaskWeights
from pairedperm.errors import File, InputError, Name, Parts, Words, called, shown, warn
from pairedperm.inputs.columns import Id
from pairedperm.readers.aggregates import doubt_of_unscored, settled, takes_options
from pairedperm.readers.examples import (
    Examples,
    compare_examples,
    leaderboard_of,
    options_of_metric,
    placed,
    warn_of_doubts,
)
from pairedperm.readers.logged_metrics import (
    Direction,
    check_direction,
    direction_of_means,
    first_in_logs,
    known_range,
    metrics_in_words,
    metrics_of,
    name_in_logs,
    only_metric,
)
from pairedperm.readers.matching import Matching, Unmatched, affected
from pairedperm.readers.read_options import OnMissing
from pairedperm.readers.run import Run, no_numbers
from pairedperm.readers.suites import suite_of
from pairedperm.results.several import Leaderboard
from pairedperm.results.suite import SuiteResult
from pairedperm.results.table import Printed
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.metrics.given import MeanScore


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
    on_missing : {"error", "drop"}
        What to do with examples that lack a score, a prediction or a reference.
    notes : tuple of str or Part
        What was left out of the folders, such as hidden files.
    """

    task: str
    systems: Mapping[str, Run]
    matching: Matching
    on_missing: OnMissing = field(default="error")
    notes: tuple[Words, ...] = ()
    _asked: ClassVar[str | None] = None  # the group, or the pattern, of several tasks

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
            scores. Those of `F1` for the f1 of logged labels, such as its `average`.

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
        wanted: Any = only_metric(self._runs, lower_is_better) if metric is None else metric
        if isinstance(wanted, (list, tuple)) and wanted:
            wanted = first_in_logs(wanted, self._runs)
        logged = name_in_logs(wanted, self._runs, has_options=bool(metric_options))
        if logged is None:
            return self._of_predictions(wanted, lower_is_better, metric_options)
        is_mean = not any(logged in run.aggregated for run in self._runs)
        score_range = metric_options.pop("score_range", None) if is_mean else None
        if metric_options and not takes_options(logged, self._runs):
            option = next(iter(metric_options))
            what = f" is no option of {shown(logged)}, whose scores were logged"
            raise InputError(Name(option), what, remedy="leave it out")
        doubts = [run.doubts[logged] for run in self._runs if logged in run.doubts]
        if not is_mean:
            return self._aggregated(logged, lower_is_better, metric_options, doubts)
        doubts += doubt_of_unscored(logged, self._runs)
        direction = direction_of_means(logged, self._runs, lower_is_better)
        columns, matching = self._scored(logged)
        known = known_range(logged, columns, self._runs)
        mean = MeanScore(
            of=logged,
            lower_is_better=direction.lower_is_better,
            score_range=known if score_range is None else score_range,
        )
        found = replace(self, matching=matching)._placed(logged, columns, mean, direction)
        unmatched = [*matching.unmatched[len(self.matching.unmatched) :], *found.unmatched]
        return found._replace(doubts=doubts, is_reported=not doubts, unmatched=unmatched)

    def _scored(self, logged: str) -> tuple[list[list[Any]], Matching]:
        """Return the scores of each run, and the matching without the examples that have none.

        A number that stands for no score is None; where it does so in all runs, the tool leaves
        the example out.
        """
        columns, matching = [run.scores[logged] for run in self._runs], self.matching
        told = [run.sentinels[logged] for run in self._runs if logged in run.sentinels]
        if not told:
            return columns, matching
        pairs = zip(matching.ids, zip(*matching.in_order(columns), strict=True), strict=True)
        ids = [example for example, scores in pairs if {*scores} == {told[0]}]
        what = Unmatched(f"scored {told[0]:g} in {logged}, which its reported mean leaves out", ids)
        matching = matching.without([what] * bool(ids), "drop", "", "")
        return [[None if x == told[0] else x for x in column] for column in columns], matching

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
            Options of the test, as `pairedperm.compare` takes them.

        Returns
        -------
        PairedPermutationResult, or with test="bootstrap" PairedBootstrapResult

        Raises
        ------
        InputError
            For the reasons of `examples`; if there are more than two runs; if `groups` is no dict,
            or lacks an id; if `pairedperm.compare` refuses the arguments.
        """
        examples = self._examples(metric, lower_is_better, metric_options, options)
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
        examples = self._examples(metric, lower_is_better, metric_options, options)
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
        compared = {}
        for task, runs in self.tasks.items():
            with called({}, task and f"task {shown(task)}"):
                of_metric = metric, lower_is_better, metric_options
                compared[task] = runs._examples(*of_metric, options)
        systems = {task: x.systems for task, x in self.tasks.items()}
        result, _, doubts = suite_of(compared, systems, self._asked, weights, groups, **options)
        for doubt in doubts:
            warn(doubt)
        return result

    @property
    def tasks(self) -> Mapping[str, Runs]:
        """The runs of each task."""
        return {self.task: self}

    def _examples(self, metric: Any, lower: bool | None, of_metric: Any, others: Any) -> Examples:
        """Return what is compared; raise InputError for an option of the metric among others."""
        options = options_of_metric(of_metric, others)
        examples = self.examples(metric, lower_is_better=lower, **options)
        warn_of_doubts(examples)
        return examples

    def _aggregated(
        self,
        logged: str,
        lower_is_better: bool | None,
        options: Mapping[str, Any],
        doubts: Sequence[Words],
    ) -> Examples:
        """Return what is compared under a logged metric that is no mean.

        Raises
        ------
        InputError
            If the runs make different scores of it, or have different references.
        """
        metric, of_runs, more_doubts = settled(logged, self._runs, options)
        check_direction(metric, lower_is_better)
        columns, references = ([[x and x[k] for x in column] for column in of_runs] for k in (0, 1))
        systems = {
            name: replace(run, references=right)
            for name, run, right in zip(self.systems, self._runs, references, strict=True)
        }
        ids = self.matching.differing([*systems.values()], "references")
        if ids:
            some = Unmatched(f"have different references of {logged}", ids)
            raise InputError("the runs do not hold the same examples", remedy=affected([some]))
        examples = replace(self, systems=systems)._placed(
            logged, columns, metric, Direction(metric.lower_is_better, "log")
        )
        is_reported = not doubts and not (options and more_doubts)
        return examples._replace(doubts=[*doubts, *more_doubts], is_reported=is_reported)

    def _of_predictions(
        self, metric: str | Metric, lower_is_better: bool | None, options: Mapping[str, Any]
    ) -> Examples:
        """Return what is compared under a metric of predictions."""
        metric = read_metric(metric, **options)
        check_direction(metric, lower_is_better)
        columns = []
        for run in self._runs:
            if run.predictions is None:
                raise InputError(
                    *(Name("metric"), f" {shown(metric.name)} needs predictions, and "),
                    *(File(run.path), " has none"),
                    remedy=Parts("It has ", metrics_in_words(run)),
                )
            columns.append(run.predictions)
        if metric.has_references and all(run.references is None for run in self._runs):
            why = f"the runs hold none, and metric {shown(metric.name)} needs them"
            remedy = why, "Give a table of ids and references."
            raise InputError(Name("references"), " is missing", remedy=remedy)
        direction = Direction(metric.lower_is_better, "metric")
        return self._placed(metric.name, columns, metric, direction)

    def _placed(
        self, name: str, columns: list[list[Any]], metric: Metric, direction: Direction
    ) -> Examples:
        return placed(
            self.systems, self.matching, self.on_missing, columns, name, metric, direction
        )
