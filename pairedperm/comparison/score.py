"""The score of one system, and how far it may be off for other examples."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pairedperm.comparison.suite import TaskWeights, read_weights
from pairedperm.errors import NoIntervalError, called
from pairedperm.inputs.columns import warn_of_repeats
from pairedperm.nulls.swaps import problem_of
from pairedperm.options import CONFIDENCE_LEVEL, Level, read_options, reads_options
from pairedperm.population.evidence import Evidence
from pairedperm.population.one import interval_of_average, standard_error
from pairedperm.results.result import words_of
from pairedperm.results.score import ScoreInterval, ScoreTable
from pairedperm.scoring import MetricName
from pairedperm.scoring.arguments import columns_in_order
from pairedperm.scoring.merging import grouped
from pairedperm.scoring.metric import Metric, metric_of_columns
from pairedperm.scoring.scores import Mean, Score


def scores_of_tasks(
    results: Mapping[str, ScoreInterval], weights: TaskWeights = "equal"
) -> ScoreTable:
    """Return the scores of one system on several tasks, and their average.

    Raises
    ------
    InputError
        If `weights` are no weights of these tasks.
    """
    each = [*results.values()]
    of_tasks = read_weights(weights, {task: x.n for task, x in results.items()})
    shares = [*of_tasks.values()]
    level, average, interval = each[0].confidence_level, None, None
    if len({(x.unit, x.lower_is_better) for x in each}) == 1:
        average = math.fsum(float(w) * x.score for w, x in zip(shares, each, strict=True))
        with suppress(NoIntervalError):
            interval = interval_of_average([x.sample for x in each], shares, level)
    named = {task: float(w) for task, w in of_tasks.items()}
    return ScoreTable(dict(results), average, interval, level, named)


_COLUMNS = "predictions1", "predictions2", "counts1", "counts2"
_ARGUMENTS = dict.fromkeys(_COLUMNS, "`predictions`")


@reads_options
def score_interval(
    predictions: Any,
    references: Any = None,
    metric: MetricName | Metric | None = None,
    *,
    groups: Any = None,
    confidence_level: Level = CONFIDENCE_LEVEL,
    largest_group: int | None = None,
    **metric_options: Any,
) -> ScoreInterval:
    """How good is one system, and how far may its score be off for other examples?

    Parameters
    ----------
    predictions : sequence, length n
        What the system predicts, in the forms that `compare` takes. Without `references` and
        `metric`: its score on each example, a number.
    references : sequence, length n, or None
        The right answers; None for scores, and for metrics without references.
    metric : str, Metric or None
        See `compare`. None: "accuracy" if there are references.
    groups : sequence of int or str, length n, or None
        An id for each example. Examples with the same id, such as the questions on a document or
        the runs of an item, are drawn together.
    confidence_level : float
        Between 0 and 1.
    largest_group : int or None
        The largest size that a group may have, for the guaranteed interval; see `compare`.
    **metric_options
        See `compare`.

    Returns
    -------
    ScoreInterval
        To print; `interval` has the ends and the method.

    Raises
    ------
    InputError
        If `compare` would refuse the columns or the options.

    Notes
    -----
    The interval is of the score in the population that the examples, or groups, are drawn from. Of
    right and wrong, and of F1, Jaccard index, precision, recall and specificity of one class, it is
    exact [1]_. Of other scores it is a studentised bootstrap [2]_, with the seed 0, if at least 30
    examples are not at the commonest score and the level is at most 0.99. Below that it is the
    guaranteed interval, where the range of the scores is known. Else there is none, and
    `no_interval` says why.

    To compare two systems, do not look whether their intervals overlap: use `compare`.

    References
    ----------
    .. [1] C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in
       the case of the binomial", Biometrika 26, 1934.
    .. [2] A. C. Davison, D. V. Hinkley, "Bootstrap Methods and their Application", 1997.

    Examples
    --------
    >>> from pairedperm import score_interval
    >>> found = score_interval([1] * 43 + [0] * 7, [1] * 50)
    >>> found.score, [round(x, 3) for x in found.interval], found.interval.method
    (0.86, [0.733, 0.942], 'exact')
    """
    chosen = read_options(largest_group=largest_group)
    spec = metric_of_columns(metric, references, metric_options)
    if groups is None:
        warn_of_repeats("predictions", predictions)
    with called(_ARGUMENTS):
        score: Score = Mean()
        if spec is not None:
            rows = spec.rows_of(spec.read((predictions, predictions, references)), groups)
            score = spec.checked_score(rows)
        else:
            rows = columns_in_order(predictions, predictions, None)
            rows = rows if groups is None else grouped(rows, groups)
    evidence = Evidence(rows, score, spec, chosen.largest_group)
    evidence.check_largest_group()
    found = ScoreInterval(
        score=problem_of(rows, score, "two-sided").score1 or 0.0,
        interval=None,
        confidence_level=confidence_level,
        no_interval="",
        standard_error=standard_error(evidence),
        n=rows.n,
        n_groups=rows.n_groups,
        sample=evidence,
        **words_of(spec),
    )
    return found.at(confidence_level)
