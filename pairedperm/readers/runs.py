"""Runs of two or more systems on one task, matched by id and ready to be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import File, Name, Parts, Setting, Words, first_of, joined, shown
from pairedperm.inputs.ids import Id
from pairedperm.readers.aggregates import settled
from pairedperm.readers.direction import Direction, check_direction
from pairedperm.readers.examples import (
    Examples,
    compare_examples,
    direction_of_means,
    leaderboard_of,
    placed,
    warn_of_doubts,
)
from pairedperm.readers.matching import Matching, OnMissing, Unmatched, affected, differing
from pairedperm.readers.run import NoMetricError, Run, Scores, listed
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.results.table import Printed
from pairedperm.scoring.call_options import metric_options
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.metrics.mean_score import MeanScore


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

    @property
    def ids(self) -> list[Id]:
        """The ids of the examples that are compared, sorted."""
        return self.matching.ids

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that all runs have scores of, or "accuracy" if they have only predictions."""
        runs = [*self.systems.values()]
        logged = [
            x for x in dict.fromkeys(x for run in runs for x in run.metrics) if _have(x, runs)
        ]
        if not logged and all(run.predictions is not None for run in runs):
            return ("accuracy",)
        return tuple(logged)

    def __str__(self) -> str:
        named = ", ".join(self.systems)
        what = f"{named} on {self.task}" if self.task else named
        lines = [
            what,
            *map(str, self.notes),
            str(self.matching),
            f"metrics: {', '.join(self.metrics) or 'none'}",
        ]
        lines += [
            f"left out: {name} of {system}: no number per example, but {what}"
            for system, run in self.systems.items()
            for name, what in run.left_out.items()
            if name not in self.metrics
        ]
        return "\n".join(lines)

    def examples(
        self,
        metric: str | Metric | None = None,
        *,
        lower_is_better: bool | None = None,
        **metric_options: Any,
    ) -> Examples:
        """Return what is compared under a metric.

        Parameters
        ----------
        metric : str, Metric or None
            A logged metric, whose mean scores are compared; or a metric of predictions that
            `pairedperm.compare` takes. None: the only metric of the runs.
        lower_is_better : bool or None
            The direction of a logged metric. None: as the log says, or else its name.
        **metric_options
            Options of a metric of predictions.

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
        if metric is None:
            metric = self._only_metric()
        logged = self._logged_name(metric)
        if logged is None:
            return self._of_predictions(metric, lower_is_better, metric_options)
        if metric_options:
            option = next(iter(metric_options))
            what = f" is no option of {shown(logged)}, whose scores were logged"
            raise InputError(Name(option), what, remedy="leave it out")
        runs = [*self.systems.values()]
        doubts = [run.doubts[logged] for run in runs if logged in run.doubts]
        if any(logged in run.aggregated for run in runs):
            return self._aggregated(logged, lower_is_better, doubts)
        found = direction_of_means(logged, runs, lower_is_better)
        of = MeanScore(of=logged, lower_is_better=found.lower_is_better)
        columns = [run.scores[logged] for run in runs]
        return self._placed(logged, columns, of, found)._replace(doubts=doubts)

    def compare(
        self,
        metric: str | Metric | None = None,
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
        of_metric = _of_metric(metric_options, options)
        found = self.examples(metric, lower_is_better=lower_is_better, **of_metric)
        warn_of_doubts(found)
        return compare_examples(found, groups=groups, **options)

    def leaderboard(
        self,
        metric: str | Metric | None = None,
        *,
        lower_is_better: bool | None = None,
        metric_options: Mapping[str, Any] | None = None,
        groups: Mapping[Any, Any] | None = None,
        **options: Any,
    ) -> Leaderboard:
        """Rank all runs by `pairedperm.compare_many`.

        Parameters
        ----------
        metric, lower_is_better, metric_options
            The same as in `examples`.
        groups : dict from int or str, or None
            The group of each id: its examples are swapped together. None: as the runs say.
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
        of_metric = _of_metric(metric_options, options)
        found = self.examples(metric, lower_is_better=lower_is_better, **of_metric)
        warn_of_doubts(found)
        return leaderboard_of(found, groups=groups, **options)

    def _only_metric(self) -> str:
        """Return the metric of the runs if there is only one."""
        metrics = self.metrics
        if len(metrics) == 1:
            return metrics[0]
        if not metrics:
            each = [Parts(File(x.path), " has ", listed(x)) for x in self.systems.values()]
            fact = Parts("the runs have no metric in common: ", joined(each, "; "))
            raise NoMetricError(fact, remedy=self._reduced(), fact=fact)
        what = f" is missing, and the runs have several: {first_of([*map(shown, metrics)])}"
        raise InputError(Name("metric"), what, remedy="Name one.")

    def _logged_name(self, metric: str | Metric) -> str | None:
        """Return the metric's name in the logs, or None for a metric of predictions.

        Raises
        ------
        InputError
            If a run has no scores of the metric, and a run has no predictions.
        """
        if not isinstance(metric, str):
            return None
        runs = [*self.systems.values()]
        plain = metric.removesuffix(",none")  # as lm-evaluation-harness's results call it
        reduced = [x for x in runs[0].metrics if x.startswith(f"{metric}[")]
        names = [metric, plain, *(reduced if len(reduced) == 1 else [])]
        for name in names:
            if _have(name, runs):
                return name
        if all(run.predictions is not None for run in runs):
            return None
        run = next(run for run in runs if plain not in run.metrics)
        has = Parts("It has ", listed(run))
        if plain in run.left_out:
            fact = Parts(f"{shown(metric)} is no number per example in ", File(run.path))
            what, also = run.left_out[plain], has if run.metrics or run.predictions else ""
            raise NoMetricError(Name("metric"), " ", fact, ", but ", what, remedy=also, fact=fact)
        fact = Parts(File(run.path), f" lacks {shown(metric)}")
        raise NoMetricError(Name("metric"), ": ", fact, remedy=(has, self._reduced()), fact=fact)

    def _reduced(self) -> str:
        """Return what to do if the runs reduce the epochs of a metric differently; "" if not."""
        found = [{*run.metrics} for run in self.systems.values()]
        plain = [{x.partition("[")[0] for x in names} for names in found]
        if set.intersection(*plain) == {x.partition("[")[0] for x in set.intersection(*found)}:
            return ""
        return (
            "Scores of epochs that are reduced differently are not compared: score one log again "
            "with the reducer of the other, inspect_ai.score(…, epochs_reducer=…)."
        )

    def _aggregated(
        self, logged: str, lower_is_better: bool | None, said: Sequence[Words]
    ) -> Examples:
        """Return what is compared under a logged metric that is no mean.

        Raises
        ------
        InputError
            If the runs make different scores of it, or have different references.
        """
        runs = [*self.systems.values()]
        found, doubts = settled(logged, runs)
        of = found[0].metric
        check_direction(of, lower_is_better)
        columns, references = ([[y and y[k] for y in x.entries] for x in found] for k in (0, 1))
        systems = {
            name: replace(run, references=right)
            for name, run, right in zip(self.systems, runs, references, strict=True)
        }
        other = differing([*systems.values()], self.matching.places, "references")
        if other:
            some = Unmatched(f"have different references of {logged}", [self.ids[k] for k in other])
            raise InputError("the runs do not hold the same examples", remedy=affected([some]))
        same = replace(self, systems=systems)
        of_log = Direction(of.lower_is_better, "log")
        return same._placed(logged, columns, of, of_log)._replace(doubts=[*said, *doubts])

    def _of_predictions(
        self, metric: str | Metric, lower_is_better: bool | None, options: Mapping[str, Any]
    ) -> Examples:
        """Return what is compared under a metric of predictions."""
        of = read_metric(metric, **options)
        check_direction(of, lower_is_better)
        columns: list[Scores] = []
        for run in self.systems.values():
            if run.predictions is None:
                raise InputError(
                    *(Name("metric"), f" {shown(of.name)} needs predictions, and "),
                    *(File(run.path), " has none"),
                    remedy=Parts("It has ", listed(run)),
                )
            columns.append(run.predictions)
        if of.has_references and all(run.references is None for run in self.systems.values()):
            why = f"the runs hold none, and metric {shown(of.name)} needs them"
            remedy = why, "Give a table of ids and references."
            raise InputError(Name("references"), " is missing", remedy=remedy)
        return self._placed(of.name, columns, of, Direction(of.lower_is_better, "name"))

    def _placed(
        self, name: str, columns: list[Scores], metric: Metric, found: Direction
    ) -> Examples:
        return placed(self.systems, self.matching, self.on_missing, columns, name, metric, found)


def _have(name: str, runs: Sequence[Run]) -> bool:
    """Tell whether all runs have scores of a metric, or pairs of which another run tells it."""
    is_told = any(name in run.aggregated for run in runs)
    return all(name in run.metrics or (is_told and name in run.alternatives) for run in runs)


def _of_metric(of_metric: Mapping[str, Any] | None, others: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options of the metric; raise InputError for one among the others."""
    misplaced = [name for name in others if name in metric_options()]
    if misplaced:
        name = misplaced[0]
        written = Setting("metric_options", f"{{{name!r}: {shown(others[name])}}}")
        raise InputError(Name(name), " is an option of the metric", remedy=Parts("write ", written))
    return of_metric or {}
