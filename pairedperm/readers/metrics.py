"""The metrics of logs: which one a name means, whether lower is better, and what it compares.

It compares examples: one entry of each system for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from pairedperm.comparison.compare import TESTS, rows_and_score
from pairedperm.comparison.several import compare_many
from pairedperm.errors import (
    InputError,
    called,
    describe,
    first_of,
    shown,
    shown_path,
    warn,
)
from pairedperm.inputs.columns import Id, is_missing
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import read_options
from pairedperm.population.evidence import leads
from pairedperm.readers.files import OnMissing
from pairedperm.readers.log import INFINITE, Run, is_unscored
from pairedperm.readers.match import Unmatched, without
from pairedperm.results.missing import MissingBounds
from pairedperm.results.result import with_interval
from pairedperm.results.several import Leaderboard
from pairedperm.scoring.metric import METRICS, Metric, read_metric, split_call
from pairedperm.scoring.scores import simplified

_OF = ("", "mean", "avg", "average", "total", "val", "valid", "validation", "eval", "test")
_EVENTS = ("error", "failure", "mistake", "hallucination")  # each is one too many
_COUNTED = ("{}", "{}s", "{} rate", "{} ratio", "{} count", "num {}s")
# names of metrics, in which hyphens join words
_LOSSES = """
mean-squared-error root-mean-squared-error mean-absolute-error median-absolute-error
mean-absolute-percentage-error max-error mean-squared-log-error root-mean-squared-log-error
mean-poisson-deviance mean-gamma-deviance log-loss brier-score negative-likelihood-ratio
"""  # scikit-learn has a scorer "neg_…" of most
_LOWER = """
err loss losses nll perplexity word-perplexity byte-perplexity token-perplexity
bits-per-character bpc distance edit-distance entropy cross-entropy cross-entropy-loss wer cer
ter char-error-rate mse rmse mae mape ece expected-calibration-error latency cost toxicity
brier hinge-loss zero-one-loss
"""
_HIGHER = """
accuracy-score acc-norm acc-bytes acc-mutual-info top-1-accuracy top-1-acc top-5-accuracy
top-5-acc em quasi-exact-match prefix-exact-match f1-score f1-macro f1-micro f1-weighted
macro-f1 micro-f1 weighted-f1 precision-macro precision-micro recall-macro recall-micro r2
rouge rouge-1 rouge-2 rouge-l rouge-lsum meteor comet bert-score bleu-1 bleu-2 bleu-3 bleu-4
bleurt sari auc roc-auc auroc map average-precision hits mrr ndcg mean-iou miou
explained-variance
"""
_RIGHT_OR_WRONG = """
acc accuracy acc-norm acc-bytes exact-match em quasi-exact-match prefix-exact-match pass@1 resolved
solved is-resolved success correct is-correct pass passed
"""  # of an example, if its scores are 0 and 1
_ALONE = (  # these say nothing beside another word: "attack success"
    *("score", "scores", "match", "correct", "success", "success_rate", "pass", "passed"),
    *("pass_rate", "reward", "win", "wins", "win_rate", "points", "rating"),
)
_TURNS = re.compile(  # words beside a name that may turn its direction
    "no|non|not|anti|without|minus|over|free|inv|(neg|inver|recipr|complement|opposite|revers"
    "|jailbreak|attack|harm(?!on)|unsafe|toxic|poison|backdoor).*"
)
_PERPLEXITY = re.compile(  # or its logarithm, which is not below 0 either
    r"perplexity|bits[\W_]*per|(?<![a-z])(?:ppl|bp[bc])(?![a-z])", re.I
)
_IS_PLAIN = re.compile(r"(\w|[ %]|(?<=[^\W_])-(?=[^\W_])|\([\w %]+\))*")  # no sign or operator


_ONE_NUMBER = (
    "A score is one number for each example, no list or text. Compute it from what is logged, and "
    "compare tables of id and score."
)


class NoMetricError(InputError):
    """The runs of a task lack the metric; those of another task may have it.

    `fact` is the part of the message that says which run lacks it.
    """

    def __init__(self, argument: str, what: str = "", *, fact: str = "", **facts: Any) -> None:
        super().__init__(argument, what, **facts)
        self.fact = fact


def metrics_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the metrics that all runs have scores of, or "accuracy" of predictions alone."""
    every = dict.fromkeys(x for run in runs for x in run.metrics)
    logged = tuple(x for x in every if all(x in run.metrics for run in runs))
    if not logged and all(run.predictions is not None for run in runs):
        return ("accuracy",)
    return logged


def only_metric(runs: Sequence[Run], lower_is_better: bool | None = None) -> str:
    """Return the metric of the runs if there is only one, or the first of several that are equal.

    `lower_is_better` is the direction, if the caller gives one.

    Raises
    ------
    InputError
        If there are several, or none.
    """
    metrics = [*equal_metrics(metrics_of(runs), runs, lower_is_better)]
    if not metrics:
        each = [f"{shown_path(x.path)} has {metrics_in_words(x)}" for x in runs]
        fact = f"the runs have no metric in common: {'; '.join(each)}"
        remedy = _ONE_NUMBER if any(run.left_out for run in runs) else ""
        raise NoMetricError(fact, remedy=remedy, fact=fact)
    if len(metrics) > 1:
        what = f"is missing, and the runs have several: {first_of([*map(shown, metrics)])}"
        raise InputError("metric", what, remedy="Name one.")
    return metrics[0]


def equal_metrics(
    metrics: Sequence[str], runs: Sequence[Run], lower_is_better: bool | None = None
) -> dict[str, list[str]]:
    """Return the metrics that differ, each with the others that are the same.

    They have the same scores in all examples, and the same direction.
    """
    found: dict[str, list[str]] = {}
    for x in metrics:
        same = next((y for y in found if _are_equal(y, x, runs, lower_is_better)), x)
        found.setdefault(same, []).extend([x] * (same != x))
    return found


def _are_equal(one: str, other: str, runs: Sequence[Run], given: bool | None) -> bool:
    """Tell whether two logged metrics have the same scores and the same direction."""
    for run in runs:
        if {one, other} & run.aggregated.keys() or run.scores.get(one) != run.scores.get(other):
            return False
        if run.sentinels.get(one) != run.sentinels.get(other):
            return False
    lower, also = (direction_of_means(x, runs, given).lower_is_better for x in (one, other))
    return lower == also


def logged_name(metric: str | Metric, runs: Sequence[Run]) -> str | None:
    """Return the name in the logs of a metric that all runs have scores of, or None."""
    if not isinstance(metric, str):
        return None
    # the one reducer of epochs, or the one filter, need not be named
    longer = [x for x in runs[0].metrics if x.startswith((f"{metric}[", f"{metric},"))]
    plain = metric.removesuffix(",none")  # as lm-evaluation-harness's results call it
    names = metric, plain, *(longer if len(longer) == 1 else [])
    return next((x for x in names if all(x in run.metrics for run in runs)), None)


def name_in_logs(metric: str | Metric, runs: Sequence[Run]) -> str | None:
    """Return the metric's name in the logs, or None for a metric of predictions.

    Raises
    ------
    InputError
        If a run has no scores of the metric, and a run has no predictions.
    """
    name = logged_name(metric, runs)
    has_predictions = all(run.predictions is not None for run in runs)
    if name or has_predictions or not isinstance(metric, str):
        return name
    plain = metric.removesuffix(",none")
    run = next(run for run in runs if plain not in run.metrics)
    has = f"It has {metrics_in_words(run)}"
    if plain in run.left_out:
        fact = f"{shown(metric)} is no number per example in {shown_path(run.path)}"
        remedy = has if run.metrics or run.predictions else "", _ONE_NUMBER
        raise NoMetricError(
            "metric", f"{fact}, but {run.left_out[plain]}", remedy=remedy, fact=fact
        )
    fact = f"{shown_path(run.path)} lacks {shown(metric)}"
    raise NoMetricError("metric", f": {fact}", remedy=has, fact=fact)


def metrics_in_words(run: Run) -> str:
    """List what a run has, for messages."""
    some = [*map(shown, run.metrics)]
    if run.predictions is not None:
        some.append("predictions")
    if some:
        return first_of(some)
    others = [f"{shown(name)} holds {what}" for name, what in run.left_out.items()]
    return f"no scores: {first_of(others)}" if others else "no scores"


def _letters(name: str) -> str:
    """Return a name's letters and digits, which are the same however its words are joined."""
    return "".join(x for x in name.lower() if x.isalnum())


_IS_LOWER: dict[str, bool] = {
    **{
        _letters(x): bool(kind.lower_is_better)
        for name, kind in METRICS.items()
        if name != "mean_score"
        for x in (name, *kind.aliases)
    },
    **{
        of + letters: is_lower
        for names, is_lower in (
            ([x.format(event) for event in _EVENTS for x in _COUNTED], True),
            ([*_LOSSES.split(), *_LOWER.split()], True),
            ([*_HIGHER.split(), *(f"neg {x}" for x in _LOSSES.split())], False),
        )
        for letters in map(_letters, names)
        for of in _OF
    },
}
"""Whether lower is better, by the letters of a name."""
_IS_RIGHT_OR_WRONG = {_letters(x) for x in _RIGHT_OR_WRONG.split()}

DirectionSource = Literal["caller", "log", "metric", "name", "assumed"]


class Direction(NamedTuple):
    """The direction of a metric, and its source; "metric" is one of predictions."""

    lower_is_better: bool
    source: DirectionSource

    @property
    def words(self) -> tuple[str, str]:
        """What is better, and the other: "lower" and "higher", or turned."""
        return ("lower", "higher") if self.lower_is_better else ("higher", "lower")


def directions_of_logs(metric: str, runs: Sequence[Run]) -> set[bool]:
    """Return what the logs say of a metric, whether lower is better; empty if they say nothing."""
    return {x for run in runs if (x := run.lower_is_better.get(metric)) is not None}


def direction(metric: str, runs: Sequence[Run], given: bool | None) -> Direction:
    """Return the direction of a metric: as it is given, as the logs say, or as its name is known.

    Raises
    ------
    InputError
        If the logs contradict each other.
    """
    if given is not None:
        return Direction(given, "caller")
    of_logs = directions_of_logs(metric, runs)
    if len(of_logs) > 1:
        yes, no = (f"lower_is_better={x}" for x in ("True", "False"))
        what = f"the logs differ on whether a lower {shown(metric)} is better"
        raise InputError(what, remedy=f"say {yes} or {no}")
    if of_logs:
        return Direction(of_logs.pop(), "log")
    lower = _by_name(metric)
    return Direction(bool(lower), "assumed" if lower is None else "name")


def _by_name(metric: str) -> bool | None:
    """Tell whether lower is better from a name that is known as a whole; None: it is unknown.

    A filter and a path may stand beside it, unless they hold a sign or a word that may turn it.
    """
    name, *filters = re.split(r"[,@\[\]]", metric.lower())
    *path, last = re.split(r"[/.:]+", name)
    words = re.findall("[a-z]+", " ".join([*path, *filters]))
    if (
        any(map(_TURNS.fullmatch, words))
        or any(map(_ends_in_number, path))
        or not all(map(_IS_PLAIN.fullmatch, [*path, last, *filters]))
    ):
        return None
    if not path and last in _ALONE:
        return False
    return _IS_LOWER.get(_letters(last))


def known_range(
    logged: str, columns: Sequence[Sequence[Any]], runs: Sequence[Run] = ()
) -> tuple[float, float] | None:
    """Return the range of logged scores, if they are right or wrong, and all are 0 or 1.

    The name says so, or the log, which has truth values. Those of inspect_ai's letters may be ½.
    Infinite scores are never compared.
    """
    scores = {x for x in set().union(*columns) if not is_unscored(x) and x not in INFINITE}
    if any(run.format == "inspect" and logged in run.lower_is_better for run in runs):
        return (0.0, 1.0) if all(0 <= x <= 1 for x in scores) else None
    name = logged.lower().partition(",")[0].rpartition(".")[2]  # in an object; a filter follows
    if _letters(name) not in _IS_RIGHT_OR_WRONG and not any(bool in map(type, x) for x in columns):
        return None
    return (0.0, 1.0) if scores <= {0, 1} else None


def _ends_in_number(part: str) -> bool:
    """Tell whether the last word of a path's part is a number, as in 1/error and mean 1/error."""
    words = [letters for word in part.split() if (letters := _letters(word))]
    return bool(words) and words[-1].isdigit()


def direction_of_means(logged: str, runs: Sequence[Run], given: bool | None) -> Direction:
    """Return the direction of logged scores; it is assumed if the tool reports another number.

    The log's direction is that of the number. Scores below 0 may be its logarithms or negatives,
    and are no perplexities.

    Raises
    ------
    InputError
        If the logs contradict each other.
    """
    stated = direction(logged, runs, given)
    if stated.source == "caller":
        return stated
    is_doubted = any(logged in run.doubts for run in runs)
    if stated.lower_is_better and (is_doubted or _PERPLEXITY.search(logged)):
        scores = (x for run in runs for x in run.scores[logged])
        if any(x < 0 for x in scores if not is_unscored(x)):
            return Direction(False, "assumed")
    return stated._replace(source="assumed") if is_doubted else stated


def check_direction(metric: Metric, lower_is_better: bool | None) -> None:
    """Raise InputError if the caller gives a metric the other direction."""
    if lower_is_better is not None and lower_is_better != metric.lower_is_better:
        better = "lower" if metric.lower_is_better else "higher"
        raise InputError(
            "lower_is_better",
            "is for scores that were logged",
            remedy=(f"for {metric.name} {better} is better", "Leave it out"),
        )


_OF_MEANS = "the systems ran some examples differently often, and means of their runs are swapped"
_WITHOUT_NAME = "(without a name)"  # the task of logs that tell none


class Examples(NamedTuple):
    """The data that one metric compares: arguments of `compare` and `compare_many`.

    Attributes
    ----------
    name : str
        The name of the metric, as in the log.
    ids : list of int or str
        The ids of the examples, sorted.
    systems : dict from str to list
        The predictions or the scores of each system.
    references, groups : list or None
        The right answers; ids of groups that are swapped together.
    metric : Metric
        `MeanScore` for a logged metric, or a metric of predictions.
    direction : Direction
        Whether lower or higher scores are better.
    unmatched : list of Unmatched
        Ids that were left out because a score, prediction or reference is missing, or a score is
        infinite.
    doubts : list of str or Part
        Where the log's tool reports another number than the score that is compared, or none.
    notes : list of str
        What was filled in for scores that are missing, or none.
    corners : tuple of Examples
        With ``on_missing="bounds"``: the same with all missing scores in favour of the first
        system, and in favour of the second. In `systems` they are None.
    are_means : bool
        The systems ran an example differently often, and the means of their runs are compared.
    """

    name: str
    ids: list[Id]
    systems: dict[str, list[Any]]
    references: list[Any] | None
    groups: list[Any] | None
    metric: Metric
    direction: Direction
    unmatched: list[Unmatched]
    doubts: Sequence[str] = ()
    notes: Sequence[str] = ()
    corners: tuple[Examples, ...] = ()
    are_means: bool = False

    def without(
        self, unmatched: Sequence[Unmatched], on_missing: OnMissing, *words: str
    ) -> Examples:
        """Leave out the ids that cannot be compared; raise InputError as the function does."""
        if not unmatched:
            return self
        places = without(self.ids, unmatched, on_missing, *words)

        def some(column: Any) -> Any:
            return column and [column[k] for k in places]

        return self._replace(
            ids=some(self.ids),
            systems={name: some(x) for name, x in self.systems.items()},
            references=some(self.references),
            groups=some(self.groups),
            unmatched=[*self.unmatched, *unmatched],
        )


def at_corners(examples: Examples, found: Callable[[Examples], Any]) -> MissingBounds:
    """Return what is found with missing scores at both ends of what they may be."""
    one, two = examples.corners
    n_missing = {x: sum(map(is_missing, y)) for x, y in examples.systems.items()}
    return MissingBounds(found(one), found(two), n_missing, len(examples.ids))


def check_filled(examples: Examples) -> None:
    """Raise InputError for what only the comparison of a pair on one task can tell of."""
    if examples.corners or examples.are_means:
        option, got = ("on_missing", "bounds") if examples.corners else ("runs", "mean")
        what = f"is {got!r}, which only tells of one comparison of two systems, or of one score"
        raise InputError(option, what, remedy="Name one metric of one task")


def metric_columns(examples: Examples) -> Any:
    """Return the columns of two systems and the references, as the metric reads them.

    Raises
    ------
    InputError
        If the metric refuses them.
    """
    with called_columns(examples.systems, of_pair=True):
        return examples.metric.read((*examples.systems.values(), examples.references))


def called_columns(systems: Iterable[str], *, of_pair: bool) -> AbstractContextManager[None]:
    """Call the predictions in messages, of a pair or of many, the columns of their systems."""
    arguments: Sequence[Any] = (
        COLUMNS[:2] if of_pair else [f"`systems`[{shown(x)}]" for x in systems]
    )
    words = (f"the column of {shown_path(x)}" for x in systems)
    return called(dict(zip(arguments, words, strict=True)))


def compare_examples(
    examples: Examples, *, groups: Any = None, columns: Any = None, **options: Any
) -> Any:
    """Compare two systems as `pairedperm.compare` does; `to_dict` of the result has an interval.

    `columns` are those of `metric_columns`, if they have been read. If missing scores shall be
    bounded, return `MissingBounds`.

    Raises
    ------
    InputError
        If there are not two systems, if missing scores shall be bounded under a bootstrap, if
        `groups` is no mapping from all ids, or if `pairedperm.compare` refuses the arguments.
    """
    two_names(examples)
    if examples.corners:
        if options.get("test") == "bootstrap":
            what = "is 'bounds', and p of a bootstrap may be largest between its ends"
            raise InputError("on_missing", what, remedy="Use the permutation test")
        return at_corners(examples, lambda x: compare_examples(x, groups=groups, **options))
    groups = _by_id(groups, examples)
    of_metric, of_test = split_call(options)
    with called_columns(examples.systems, of_pair=True):
        chosen, metric = read_options(**of_test), read_metric(examples.metric, **of_metric)
        columns = metric_columns(examples) if columns is None else columns
        rows, score = rows_and_score(metric, columns, groups)
        result = TESTS[chosen.test](rows.noting(paired_by="id"), score, metric, chosen)
    if examples.are_means:
        result = replace(result, method="approximate", reason=_OF_MEANS)
    return with_interval(replace(result, unreported=unreported(examples)))


def flips(examples: Examples, columns: Any = None) -> tuple[tuple[Id, ...], tuple[Id, ...]] | None:
    """Return the ids on which the first system is better, and those on which the second is.

    `columns` are those of `metric_columns`, if they have been read. Return None if an example has
    several predictions (repeated runs).
    """
    metric = examples.metric
    rows = metric.rows_in_order(metric_columns(examples) if columns is None else columns)
    if rows.n != len(examples.ids):
        return None
    alone = rows.having(groups=np.arange(rows.n))  # one group per row keeps equal rows apart
    signs = leads(*simplified(alone, metric.score(rows), "draws"), metric)
    for_first, for_second = (
        tuple(x for x, sign in zip(examples.ids, signs.tolist(), strict=True) if sign == wanted)
        for wanted in (1, -1)
    )
    return for_first, for_second


def leaderboard_of(examples: Examples, *, groups: Any = None, **options: Any) -> Leaderboard:
    """Compare all systems by `pairedperm.compare_many`.

    Raises
    ------
    InputError
        If `groups` is no mapping from all ids, or `pairedperm.compare_many` refuses the arguments.
    """
    check_filled(examples)
    groups = _by_id(groups, examples)
    with called_columns(examples.systems, of_pair=False):
        return compare_many(
            examples.systems, examples.references, examples.metric, groups=groups, **options
        )


def named_tasks(
    compared: Mapping[str, Examples], groups: Mapping[str, Mapping[Any, Any]] | None = None
) -> tuple[dict[str, Examples], dict[str, Any]]:
    """Return what is compared by the names of the tasks, and each task's metric and groups.

    `groups` has those of some or all tasks, by id; of others it is as the runs say.

    Raises
    ------
    InputError
        If an example has no group.
    """
    for x in compared.values():
        check_filled(x)
    named = {
        task or _WITHOUT_NAME: x._replace(groups=_by_id((groups or {}).get(task), x))
        for task, x in compared.items()
    }
    metrics = {task: x.metric for task, x in named.items()}
    grouped = {task: x.groups for task, x in named.items() if x.groups is not None}
    return named, {"metric": metrics, "groups": grouped}


def two_names(examples: Examples) -> tuple[str, str]:
    """Return the names of the two systems.

    Raises
    ------
    InputError
        If there are not two.
    """
    if len(examples.systems) != 2:
        what = f"a comparison takes two runs, but there are {len(examples.systems)}"
        raise InputError(what, remedy="use `leaderboard`")
    name1, name2 = examples.systems
    return name1, name2


def unreported(examples: Examples) -> str:
    """Say what the log's tool reports instead of the score that is compared; "" if nothing else."""
    return ". ".join(examples.doubts)


def warn_of_doubts(examples: Examples) -> None:
    """Warn where the log's tool reports another number than the score that is compared."""
    for doubt in examples.doubts:
        warn(doubt)


def _by_id(groups: Any, examples: Examples) -> list[Any] | None:
    """Return the group of each example, by the caller's mapping or as the runs say.

    Raises
    ------
    InputError
        If `groups` is no mapping, or an example has no group.
    """
    if groups is None:
        return examples.groups
    if not isinstance(groups, Mapping):
        what = "be a dict from the id of each example to its group"
        why = "because examples are matched by id"
        raise InputError("groups", must=f"{what}, {why}", got=describe(groups))
    column = [groups.get(x) for x in examples.ids]
    check_groups(column, examples.ids)
    return column


def check_groups(groups: Sequence[Any] | None, ids: Sequence[Id]) -> None:
    """Raise InputError, with the ids, if an example has no group."""
    if groups is None:
        return
    lacking = [x for x, group in zip(ids, groups, strict=True) if is_missing(group)]
    if lacking:
        remedy = "Give an example without a group one of its own."
        raise InputError(str(Unmatched("ids have no group", lacking)), remedy=remedy)
