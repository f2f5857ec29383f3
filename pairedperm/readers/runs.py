"""Runs of two or more systems on one task, matched by id, and what compares them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pairedperm.comparison.compare import compare
from pairedperm.comparison.many import compare_many
from pairedperm.errors import InputError, first_of, shown
from pairedperm.inputs.columns import is_missing
from pairedperm.inputs.ids import Id
from pairedperm.readers.direction import Direction, direction
from pairedperm.readers.matching import Matching, OnMissing, Unmatched
from pairedperm.readers.run import Run, is_unscored
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.scoring.metric import METRICS, Metric, read_metric
from pairedperm.scoring.metrics.mean_score import MeanScore


class Examples(NamedTuple):
    """What is compared under one metric: the arguments of `compare` and `compare_many`.

    Attributes
    ----------
    name : str
        The metric, as the log calls it.
    ids : list of int or str
    systems : dict from str to list
        By system its predictions, or its scores.
    references, groups : list or None
    metric : Metric
        `MeanScore` of what was logged, or a metric of predictions.
    direction : Direction
        Which way is better.
    unmatched : list of Unmatched
        Ids that were left out, because a system has no score there.
    """

    name: str
    ids: list[Id]
    systems: dict[str, list[Any]]
    references: list[Any] | None
    groups: list[Any] | None
    metric: Metric
    direction: Direction
    unmatched: list[Unmatched]


@dataclass(frozen=True, eq=False, repr=False)
class Runs:
    """Runs of several systems on one task, an example of each in the same place; print it.

    Attributes
    ----------
    task : str
        "" where the logs do not say.
    systems : dict from str to Run
        By the name of each system.
    matching : Matching
        Which examples are compared, and which were left out.
    on_missing : {"error", "drop"}
    """

    task: str
    systems: Mapping[str, Run]
    matching: Matching
    on_missing: OnMissing = field(default="error")

    @property
    def ids(self) -> list[Id]:
        """The examples that are compared, sorted."""
        return self.matching.ids

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that all runs have scores of; of runs with predictions only "accuracy"."""
        runs = [*self.systems.values()]
        logged = [x for x in runs[0].scores if all(x in run.scores for run in runs)]
        if not logged and all(run.predictions is not None for run in runs):
            return ("accuracy",)
        return tuple(logged)

    def __str__(self) -> str:
        named = ", ".join(self.systems)
        what = f"{named} on {self.task}" if self.task else named
        lines = [what, str(self.matching), f"metrics: {', '.join(self.metrics) or 'none'}"]
        lines += [
            f"no scores: {name} of {system} is {what}"
            for system, run in self.systems.items()
            for name, what in run.left_out.items()
        ]
        return "\n".join(lines)

    __repr__ = __str__

    def examples(
        self,
        metric: str | Metric | None = None,
        *,
        lower_is_better: bool | None = None,
        **metric_options: Any,
    ) -> Examples:
        """What is compared under a metric.

        Parameters
        ----------
        metric : str, Metric or None
            A metric that was logged, of whose scores the mean is compared; or, of predictions, one
            of `compare`. None: the only one there is.
        lower_is_better : bool or None
            Of a metric that was logged. None: as the log says, or else as the name does.
        **metric_options
            Of a metric of predictions.

        Raises
        ------
        InputError
            For a metric that a run lacks, or none where there are several; for examples without a
            score, or a prediction, unless they are dropped.
        """
        if metric is None:
            metric = self._only_metric()
        logged = self._logged_name(metric)
        if logged is None:
            return self._of_predictions(metric, lower_is_better, metric_options)
        if metric_options:
            option = next(iter(metric_options))
            raise InputError(
                f"`{option}` is no option of {shown(logged)}, whose scores were logged: leave it "
                "out."
            )
        found = direction(logged, [*self.systems.values()], lower_is_better)
        columns = {name: run.scores[logged] for name, run in self.systems.items()}
        of = MeanScore(of=logged, lower_is_better=found.lower_is_better)
        return self._placed(logged, columns, of, found)

    def compare(
        self,
        metric: str | Metric | None = None,
        *,
        lower_is_better: bool | None = None,
        metric_options: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Any:
        """The result of `pairedperm.compare` of two runs.

        Parameters
        ----------
        metric, lower_is_better, metric_options
            As of `examples`.
        **options
            Of the test, as `pairedperm.compare` takes them.

        Returns
        -------
        PairedPermutationResult, or with test="bootstrap" PairedBootstrapResult

        Raises
        ------
        InputError
            As of `examples`; if there are more runs than two; what `pairedperm.compare` refuses.
        """
        found = self.examples(metric, lower_is_better=lower_is_better, **(metric_options or {}))
        return compare_examples(found, **options)

    def leaderboard(
        self,
        metric: str | Metric | None = None,
        *,
        lower_is_better: bool | None = None,
        metric_options: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Leaderboard:
        """The result of `pairedperm.compare_many` of all runs.

        Parameters
        ----------
        metric, lower_is_better, metric_options
            As of `examples`.
        **options
            `baseline`, `correction`, `alpha` and those of the test.

        Raises
        ------
        InputError
            As of `examples`, and what `pairedperm.compare_many` refuses.
        """
        found = self.examples(metric, lower_is_better=lower_is_better, **(metric_options or {}))
        return compare_many(
            found.systems, found.references, found.metric, groups=found.groups, **options
        )

    def _only_metric(self) -> str:
        """The metric, if there is one only."""
        metrics = self.metrics
        if len(metrics) == 1:
            return metrics[0]
        if not metrics:
            each = (f"{run.path} has {_listed(run)}" for run in self.systems.values())
            raise InputError(f"the runs have no metric in common: {'; '.join(each)}.")
        raise InputError(
            f"`metric` is missing, and the runs have several: {first_of([*map(shown, metrics)])}. "
            "Name one."
        )

    def _logged_name(self, metric: str | Metric) -> str | None:
        """The name under which all runs have scores of the metric; None of one of predictions.

        Raises
        ------
        InputError
            If there is none, and there are no predictions; if some runs lack it.
        """
        if isinstance(metric, Metric):
            return None
        runs = [*self.systems.values()]
        plain = metric.removesuffix(",none") if isinstance(metric, str) else metric
        for name in (metric, plain):
            if all(name in run.scores for run in runs):
                return str(name)
        if all(run.predictions is not None for run in runs) and metric in METRICS:
            return None
        for run in runs:
            if plain in run.left_out:
                raise InputError(
                    f"`metric` {shown(metric)} has no number for each example in {run.path}, but "
                    f"{run.left_out[plain]}. It has {_listed(run)}."
                )
            if plain not in run.scores:
                raise InputError(
                    f"`metric`: {run.path} lacks {shown(metric)}. It has {_listed(run)}."
                )
        return None

    def _of_predictions(
        self, metric: str | Metric, lower_is_better: bool | None, options: Mapping[str, Any]
    ) -> Examples:
        """Under a metric of predictions."""
        of = read_metric(metric, **options)
        if lower_is_better is not None and lower_is_better != of.lower_is_better:
            raise InputError(
                f"`lower_is_better` is of scores that were logged: of {of.name} it is "
                f"{of.lower_is_better}."
            )
        columns: dict[str, list[Any]] = {}
        for name, run in self.systems.items():
            if run.predictions is None:
                raise InputError(
                    f"`metric` {shown(of.name)} needs predictions, and {run.path} has none. It has "
                    f"{_listed(run)}."
                )
            columns[name] = run.predictions
        if of.has_references and all(run.references is None for run in self.systems.values()):
            raise InputError(
                f"`references` is missing: the runs hold none, and metric {shown(of.name)} needs "
                "them. Give a table of them by id."
            )
        return self._placed(of.name, columns, of, Direction(of.lower_is_better, "name"))

    def _placed(
        self, name: str, columns: Mapping[str, list[Any]], of: Metric, found: Direction
    ) -> Examples:
        """Columns in the order of the ids, without examples that lack an entry."""
        orders = [place.tolist() for place in self.matching.places]
        runs = [*self.systems.values()]
        placed = {
            system: [column[k] for k in order]
            for (system, column), order in zip(columns.items(), orders, strict=True)
        }
        references = _first_given(runs, orders, "references") if of.has_references else None
        groups = _first_given(runs, orders, "groups")
        is_score = isinstance(of, MeanScore)
        unmatched, kept = self._without_gaps(name, placed, references, is_score=is_score)
        ids = self.ids
        if unmatched:
            placed = {system: [column[k] for k in kept] for system, column in placed.items()}
            references = references and [references[k] for k in kept]
            groups = groups and [groups[k] for k in kept]
            ids = [ids[k] for k in kept]
        if groups is not None:
            _check_groups(groups, ids)
        return Examples(name, ids, placed, references, groups, of, found, unmatched)

    def _without_gaps(
        self,
        name: str,
        placed: Mapping[str, list[Any]],
        references: list[Any] | None,
        *,
        is_score: bool,
    ) -> tuple[list[Unmatched], list[int]]:
        """Examples that lack an entry, and the places of all others.

        Raises
        ------
        InputError
            If there are such, and they are not to be dropped, or no other is there.
        """
        what = f"without {name} in" if is_score else "without a prediction in"
        lacks = is_unscored if is_score else is_missing
        gaps = [
            (f"{what} {self.systems[system].path}", [k for k, x in enumerate(column) if lacks(x)])
            for system, column in placed.items()
        ]
        if references is not None:
            missing = [k for k, x in enumerate(references) if is_missing(x)]
            gaps.append(("without a reference", missing))
        found = [Unmatched(why, [self.ids[k] for k in some]) for why, some in gaps if some]
        if not found:
            return [], []
        listed = "; ".join(map(str, found))
        if self.on_missing == "error":
            raise InputError(
                f"not all examples are scored. Of the ids {listed}. Score them, as wrong if they "
                "failed, or leave them out, on_missing='drop'."
            )
        lost = {k for _, some in gaps for k in some}
        kept = [k for k in range(len(self.ids)) if k not in lost]
        if not kept:
            raise InputError(f"no example is left. Of the ids {listed}.")
        return found, kept


def compare_examples(examples: Examples, **options: Any) -> PairedPermutationResult:
    """The result of `pairedperm.compare` of two systems.

    Raises
    ------
    InputError
        If there are not two, and what `pairedperm.compare` refuses.
    """
    if len(examples.systems) != 2:
        raise InputError(
            f"a comparison is of two runs, and there are {len(examples.systems)}: use "
            "`leaderboard`."
        )
    one, two = examples.systems.values()
    found: PairedPermutationResult = compare(
        one, two, examples.references, examples.metric, groups=examples.groups, **options
    )
    return found


def _listed(run: Run) -> str:
    """What a run has, for messages."""
    some = [*map(shown, run.scores)]
    if run.predictions is not None:
        some.append("predictions")
    return first_of(some) or "no scores"


def _first_given(runs: Sequence[Run], orders: Sequence[list[int]], key: str) -> list[Any] | None:
    """A column that all runs hold alike, of the first that has it, in the order of the ids.

    Where it says nothing, the next one does.
    """
    found: list[Any] | None = None
    for run, order in zip(runs, orders, strict=True):
        column = getattr(run, key)
        if column is None:
            continue
        placed = [column[k] for k in order]
        if found is None:
            found = placed
        elif any(map(is_missing, found)):
            found = [y if is_missing(x) else x for x, y in zip(found, placed, strict=True)]
    return found


def _check_groups(groups: Sequence[Any], ids: Sequence[Id]) -> None:
    """Raise InputError if an example has no group: ids say which better than numbers do."""
    lacking = [x for x, group in zip(ids, groups, strict=True) if is_missing(group)]
    if lacking:
        raise InputError(
            f"{Unmatched('ids have no group', lacking)}. Give an example that is alone a group of "
            "its own."
        )
