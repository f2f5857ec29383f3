"""The comparison of many systems, on one task or on several: a board of all pairs, adjusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

from numpy.typing import NDArray

from pairedperm.comparison.compare import OF_A_PAIR
from pairedperm.comparison.suite import (
    SuiteAverage,
    TaskWeights,
    check_average,
    of_task,
    read_call,
    read_named,
    read_weights,
    turned_tasks,
)
from pairedperm.errors import (
    InputError,
    NoLatticeError,
    called,
    describe,
    first_of,
    heard_by,
    shown,
    warn,
)
from pairedperm.inputs.columns import warn_of_repeats
from pairedperm.nulls.solve import shared_patience
from pairedperm.nulls.swaps import problem_of, run, seconds_of_test
from pairedperm.options import (
    ALPHA,
    Alpha,
    Budget,
    OneOf,
    Options,
    read_options,
    reads_options,
)
from pairedperm.population.evidence import Evidence
from pairedperm.population.laws import fewest_differing
from pairedperm.results.result import WAYS_OUT, PairedResult, facts_of
from pairedperm.results.several import (
    Correction,
    Leaderboard,
    NamedTest,
    Pair,
    TaskOfBoard,
    adjusted,
    with_adjusted,
)
from pairedperm.scoring import MeanScore, MetricName
from pairedperm.scoring.arguments import (
    ScoreArgument,
    columns_in_order,
    read_score,
)
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.merging import all_classes, as_floats, grouped, in_common_unit, why_floats
from pairedperm.scoring.metric import Metric, read_metric, split_call
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

Pairing = Callable[[str, str], Evidence | SuiteAverage]  # what is compared of two systems


@dataclass(frozen=True, eq=False)
class Systems:
    """The rows of each system in the order of the examples, in the same unit and classes.

    A call returns the rows and the score of two systems, given their names.
    """

    rows: Rows
    tables: Mapping[str, NDArray[Any]]
    score: Score
    metric: Metric | None

    @classmethod
    def read(
        cls,
        named: Mapping[str, Any],
        references: Any,
        metric: Metric | None,
        score: ScoreArgument | None = None,
        groups: Any = None,
    ) -> Systems:
        """Read the columns, two by two.

        Raises
        ------
        InputError
            If `compare` or `paired_permutation_test` refuses them. If a system is a PairedCounts.
        """
        own_score, two_and_two = read_score(score), two_by_two([*named])
        pairs = [
            _read_two({x: named[x] for x in two}, references, metric, score, groups)
            for two in two_and_two
        ]
        fact = why_floats(pairs)
        if not fact:
            classes = all_classes([pair.classes for pair in pairs])
            try:
                pairs = in_common_unit("the systems", [pair.spread_to(classes) for pair in pairs])
            except NoLatticeError as error:
                fact = error.fact
        if fact:
            pairs = [as_floats(pair, fact) for pair in pairs]
        names = [name for two in two_and_two for name in two]
        tables = [table for pair in pairs for table in (pair.rows1, pair.rows2)]
        return cls(pairs[0], dict(zip(names, tables, strict=True)), own_score, metric)

    def __call__(self, one: str, two: str, *, in_order: bool = False) -> Evidence:
        """Return the rows and the score; many rows that are few distinct ones may be counted."""
        rows = self.rows.having(rows1=self.tables[one], rows2=self.tables[two])
        rows = rows if in_order else rows.counted_if_few()
        score = self.score if self.metric is None else self.metric.score(rows)
        return Evidence(rows, score, self.metric)


def two_by_two(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the first and second name, the third and fourth; an odd last one with the first."""
    ring = [*names, names[0]]
    return [(ring[k], ring[k + 1]) for k in range(0, len(names), 2)]


def _read_two(
    two: Mapping[str, Any], references: Any, metric: Metric | None, score: Any, groups: Any
) -> Rows:
    """Return the rows of two systems, in the order of the examples."""
    argument = "counts" if metric is None else "predictions"
    names, columns = [f"`systems`[{shown(name)}]" for name in two], [*two.values()]
    own_names = {f"{argument}{number}": x for number, x in enumerate(names, 1)}
    with called(own_names, f"{names[0]} and {names[1]}"):
        if metric is not None:
            rows = metric.rows_in_order(metric.read((*columns, references)), groups)
            metric.checked_score(rows)
            return rows
        for name, column in zip(names, columns, strict=True):
            if isinstance(column, PairedCounts):
                remedy = "give each system's own scores, or rows of counts"
                raise InputError(f"{name} is a PairedCounts, of two systems", remedy=remedy)
        rows = columns_in_order(columns[0], columns[1], score).owned()
        return rows if groups is None else grouped(rows, groups)


@reads_options
def compare_many(
    systems: Any,
    references: Any = None,
    metric: MetricName | Metric | None = None,
    *,
    score: ScoreArgument | None = None,
    baseline: str | None = None,
    correction: Correction | None = "holm",
    alpha: Alpha = ALPHA,
    groups: Any = None,
    **options: Any,
) -> Leaderboard:
    """Which of many systems are told apart? Tests every pair, or each system against a baseline.

    Each pair is tested as by `compare`, and the p-values are adjusted for their number. Systems
    that are not told apart need not be equally good: more examples might tell them apart.

    Parameters
    ----------
    systems : dict from str to sequence, list of (str, sequence), or DataFrame, at least 2 systems
        The predictions of each system for n examples by its name, see `compare`. Without
        `references` and `metric`: its scores or rows of counts, see `paired_permutation_test`. A
        DataFrame has a column for each system.
    references : sequence, length n, or None
        The right answers; None for scores and counts, and for metrics without references.
    metric : str, Metric or None
        See `compare`. None: "accuracy" if there are references.
    score : Ratio, callable or None
        The score of the sums of rows of counts, see `paired_permutation_test`.
    baseline : str or None
        The name of the system that all others are compared with. None: every pair is compared.
    correction : {"holm", "bonferroni", "bh", "by"} or None
        How the p-values are adjusted. With "holm" [1]_ and "bonferroni", the probability that any
        two equal systems are told apart is at most α, however the tests depend on each other.
        "holm" never finds less. With "bh" [2]_ and "by" [3]_, the expected share of equal pairs
        among those told apart is at most α. "bh" is proven for independent or positively dependent
        tests, which pairs of the same systems need not be; "by" always holds. None: no adjustment.
    alpha : float
        The level of `tiers` and `letters`, between 0 and 1.
    groups
        See `compare`.
    **options
        Of the test: `alternative`; "greater" means that the system scores higher than the baseline,
        and one-sided tests need a baseline. `method`, `n_resamples`, `rng` and `budget` apply to
        each pair. `confidence_level` is that of the intervals of the differences; None: 0.95 for
        two-sided tests; one-sided tests have no interval. Of the metric: see `compare`.

    Returns
    -------
    Leaderboard
        To print; `table`, `tiers`, `letters`, `to_markdown` and `to_dict` say more.

    Raises
    ------
    InputError
        If there are fewer than two systems. If a name occurs twice or is no text. If columns have
        different lengths. If `baseline` is no system. If a test is one-sided without a baseline.
        Also as `compare`.
    BudgetError
        If the method asked for would exceed the budget.

    Warns
    -----
    UserWarning
        If p-values are sampled. If a column of scores is one number throughout, see
        `paired_permutation_test`. If ids repeat in the index of a Series or DataFrame, without
        `groups`.

    Notes
    -----
    Cost: each system is read once, and each pair takes the time of one test. The 1,225 pairs of 50
    systems with 10,000 labels each take about 1 s for accuracy, and 10 s for F1. Intervals are
    computed when a dict, a table, a picture or a pickle says them, or at once if `confidence_level`
    is given. Those of graded scores share their resamples, and take some 10 ms for a pair of 5,000.
    All tests have one patience, a minute: if they should take longer, estimated by counts of work,
    "auto" takes an equal share for each pair, or as many samples as a correction for their number
    needs, n_pairs / alpha.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", 1979.
    .. [2] Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", 1995.
    .. [3] Y. Benjamini, D. Yekutieli, "The control of the false discovery rate in multiple testing
       under dependency", 2001.

    Examples
    --------
    >>> from pairedperm import compare_many
    >>> systems = {
    ...     "small": [1, 0, 0, 0, 0, 1, 0, 0, 1, 0],
    ...     "large": [1, 1, 1, 1, 1, 1, 1, 1, 1, 0],
    ...     "medium": [1, 1, 0, 1, 0, 1, 1, 0, 1, 0],
    ... }
    >>> print(compare_many(systems, references=[1] * 10, alpha=0.1))
    system  score  tier  letters
    large   90.0%     1  a
    medium  60.0%     1  ab
    small   30.0%     2  b
    <BLANKLINE>
    Accuracy of 3 systems, 10 examples.
    Told apart: 1 of 3 pairs (Holm, α = 0.1).
    """
    metric_options, of_test = split_call(options, without=OF_A_PAIR)
    of_metric = None
    if references is not None or metric is not None:
        if score is not None:
            remedy = "leave it out with `references` or a `metric`"
            raise InputError("score", "is of counts", remedy=remedy)
        of_metric = read_metric("accuracy" if metric is None else metric, **metric_options)
    elif metric_options:
        what = f"`{next(iter(metric_options))}` is an option of a metric, and `metric` is missing"
        raise InputError(what, remedy="Name the metric, or leave the option out")
    named = read_named("systems", systems, "predictions", 2)
    if groups is None:
        first = next(iter(named))
        warn_of_repeats(f"systems[{shown(first)}]", named[first])
    chosen = read_options(**of_test)
    _check_board([*named], baseline, chosen)
    read = Systems.read(named, references, of_metric, score, groups)
    return ranked([*named], read, of_metric, baseline, correction, alpha, chosen)


def _check_board(systems: Sequence[str], baseline: str | None, options: Options) -> None:
    """Raise InputError if the baseline is no system, or pairs are compared on one side."""
    if baseline is not None:
        words = f"one of the systems, {first_of([*map(shown, systems)])}"
        OneOf(tuple(systems), words=words).read("baseline", baseline)
    elif options.alternative != "two-sided":
        must = "be 'two-sided' where every pair is compared, which has no first system"
        raise InputError("alternative", must=must, remedy="Name a `baseline`")


def ranked(
    systems: Sequence[str],
    evidence: Pairing,
    metric: Metric | None,
    baseline: str | None,
    correction: Correction | None,
    alpha: float,
    options: Options,
) -> Leaderboard:
    """Rank the systems and test the pairs: every two, or each with the baseline."""
    scores = scores_of(systems, evidence)
    is_lower = metric is not None and metric.lower_is_better
    best_first = sorted(systems, key=scores.__getitem__, reverse=not is_lower)
    pairs = [*combinations(best_first, 2)]
    if baseline is not None:
        pairs = [(name, baseline) for name in best_first if name != baseline]
    of_test = replace(options, confidence_level=None)

    def seconds(names: tuple[str, str]) -> float:
        return seconds_of_test(*evidence(*names).tested, options)

    results, ignore = [], heard_by(lambda _: None)  # one warning for all pairs follows
    with ignore, shared_patience(pairs, seconds, alpha, "pairs") as bar:
        for names in pairs:
            with called({}, _against(*names)):
                result = _test(evidence(*names), metric, of_test)
            results.append((Pair(*names), replace(result, sample=None, law=None)))
            bar.update()
    tests = with_adjusted(results, correction)
    if options.method != "monte_carlo":
        _warn_of_samples(tests)
    of_board = tuple(best_first), {name: scores[name] for name in best_first}, baseline, evidence
    board = Leaderboard(tests, correction, alpha, *of_board)
    if (level := options.confidence_level) is not None:
        told = []
        for test in tests:
            with called({}, _against(*test.of)):
                result = board._whole(test, level).at(level)
            told.append(replace(test, result=replace(result, sample=None)))
        board = replace(board, _tests=tuple(told))
    for said in board._doubts():
        warn(said, remedy=WAYS_OUT)
    return board


def scores_of(systems: Sequence[str], evidence: Pairing) -> dict[str, Any]:
    """Return the score of each system."""
    scores: dict[str, Any] = {}
    for names in two_by_two(systems):
        problem = problem_of(*evidence(*names).tested, "two-sided")
        scores |= zip(names, (problem.score1, problem.score2), strict=True)
    return scores


def _test(
    evidence: Evidence | SuiteAverage, metric: Metric | None, options: Options
) -> PairedResult:
    """Test two systems. An average is told by the metric of all tasks, and doubted by each."""
    if isinstance(evidence, Evidence):
        return run(*evidence.tested, metric, options)
    tasks = evidence.tasks.values()
    doubted = [x for x in tasks if x.constant is not None and not options.constant]
    least = fewest_differing(ALPHA)  # as of `doubt`, on the task alone
    numbers = (x.constant for x in doubted if x.drawn[0].n_differing >= least)
    return evidence.run(options, **facts_of(metric), constant=next(numbers, None))


def _against(one: str, two: str) -> str:
    return f"{shown(one)} against {shown(two)}"


def _warn_of_samples(tests: Sequence[NamedTest]) -> None:
    sampled = [_against(*x.of) for x in tests if x.result.pvalue_kind == "confidence"]
    if sampled:
        what = f"{len(sampled):,} of {len(tests):,} p-values are estimated from random swaps"
        remedy = "Set `rng` for other samples, `n_resamples` for more"
        warn(f"{what} ({first_of(sampled, 3)})", remedy=("exact ones would take too much", remedy))


@reads_options
def adjust(results: Sequence[PairedResult], correction: Correction | None = "holm") -> list[float]:
    """Adjust the p-values of several results for their number.

    A test is significant at level α if its adjusted p-value is at most α.

    Parameters
    ----------
    results : list or tuple of results, length m
        Of `compare`, `paired_permutation_test` or `paired_bootstrap_test`.
    correction : {"holm", "bonferroni", "bh", "by"} or None
        See `compare_many`.

    Returns
    -------
    list of float, length m
        The adjusted p-values, at most 1, in the order of `results`.

    Raises
    ------
    InputError
        If `results` is no list or tuple of results.

    Notes
    -----
    Give all results that you looked at, also those without a finding.

    Examples
    --------
    >>> from pairedperm import adjust, compare
    >>> right = [1] * 8
    >>> small = compare([1, 1, 1, 0, 0, 0, 0, 0], [0] * 8, right)
    >>> large = compare([1] * 8, [0] * 8, right)
    >>> small.pvalue, large.pvalue
    (0.25, 0.0078125)
    >>> adjust([small, large])
    [0.25, 0.015625]
    """
    given: Any = results
    is_list = isinstance(given, (list, tuple))
    wrong = [x for x in given if not isinstance(x, PairedResult)] if is_list else [given]
    if wrong:
        must = "be a list of results, such as [compare(...), compare(...)]"
        raise InputError("results", must=must, got=describe(wrong[0]))
    return adjusted([x.pvalue for x in results], correction)


@reads_options
def compare_suites(
    tasks: Any,
    metric: MetricName | Metric | Mapping[str, MetricName | Metric] = "accuracy",
    *,
    weights: TaskWeights = "equal",
    baseline: str | None = None,
    correction: Correction | None = "holm",
    alpha: Alpha = ALPHA,
    groups: Mapping[str, Any] | None = None,
    **options: Any,
) -> Leaderboard:
    """Which of many systems are told apart by their weighted averages over several tasks?

    Each pair is tested as by `compare_suite`: p of the difference of the averages is over all swaps
    of the systems' outputs on the examples of all tasks. The p-values are adjusted for the number
    of pairs. They are of these tasks, not of tasks in general.

    Parameters
    ----------
    tasks : dict from str to (systems, references), or list of such pairs
        The columns of each task by its name: `systems` and `references` as in `compare_many`;
        without references if the metric has none. All tasks must have the same systems.
    metric : str, Metric, or dict from task to one of these
        See `compare_suite`. All must have one unit. If only some count errors, their scores count
        as negative in the averages, which are better if higher then.
    weights : {"equal", "size"} or dict from task to number
        See `compare_suite`.
    baseline : str or None
        The name of the system that all others are compared with. None: every pair is compared.
    correction : {"holm", "bonferroni", "bh", "by"} or None
        How the p-values are adjusted for the number of pairs; see `compare_many`.
    alpha : float
        The level of `tiers` and `letters`, between 0 and 1.
    groups : dict from task to sequence of int or str, or None
        The ids of the examples of some or all tasks; see `compare_suite`.
    **options
        Of the test, for each pair; see `compare_many`. The interval of a pair is that of
        `compare_suite`. Of the one metric that is named for all tasks: see `compare`.

    Returns
    -------
    Leaderboard
        Its scores are the averages; `tasks` has the weight of each task, and the systems' scores on
        it.

    Raises
    ------
    InputError
        If there is no task, or fewer than two systems. If a task lacks a system. If tasks, metrics
        or weights are refused by `compare_suite`, or the other arguments by `compare_many`. If an
        interval is asked for, by `confidence_level`, and the average has none.
    BudgetError
        If the method asked for would exceed the budget.

    Warns
    -----
    UserWarning
        If p-values are sampled.

    Notes
    -----
    Cost: each system is read once, and each pair takes the time of one test of an average; see
    `compare_suite` for how p is found. The metric of the pairs is that of the tasks; if tasks have
    different ones, it is "mean_score".

    Examples
    --------
    >>> from pairedperm import compare_suites
    >>> right = [1] * 10
    >>> tasks = {
    ...     "arithmetic": ({"small": [1, 0] * 5, "large": [1] * 10, "tiny": [0] * 10}, right),
    ...     "logic": ({"small": [1, 0] * 5, "large": [1] * 9 + [0], "tiny": [0] * 10}, right),
    ... }
    >>> print(compare_suites(tasks))
    system  score  tier  letters
    large   95.0%     1  a
    small   50.0%     2  b
    tiny     0.0%     3  c
    <BLANKLINE>
    Average accuracy of 3 systems on 2 tasks, 20 examples.
    Told apart: 3 of 3 pairs (Holm, α = 0.05).
    """
    named = _read_columns(tasks)
    systems = [*next(iter(named.values()))[0]]
    chosen, metrics, ids = read_call([*named], metric, groups, options)
    _check_board(systems, baseline, chosen)
    check_average(metrics, "Compare these tasks apart")
    read = {}
    for name, (columns, references) in named.items():
        with of_task(name, systems):
            read[name] = Systems.read(columns, references, metrics[name], None, ids.get(name))
    weight = read_weights(weights, {name: x.rows.n for name, x in read.items()})
    turned = turned_tasks(metrics)
    signed = [-x if name in turned else x for name, x in weight.items()]
    average, of_all = partial(_average, read, signed, ids, chosen.budget), _metric_of_all(metrics)
    board = ranked(systems, average, of_all, baseline, correction, alpha, chosen)
    of_tasks = (
        TaskOfBoard(name, float(weight[name]), scores_of(board.systems, x), name in turned)
        for name, x in read.items()
    )
    return replace(board, tasks=tuple(of_tasks))


def _average(
    systems: Mapping[str, Systems],
    weights: Sequence[Fraction],
    ids: Mapping[str, Any],
    budget: Budget,
    one: str,
    two: str,
) -> SuiteAverage:
    """Return the weighted average of two of the systems over the tasks."""
    in_order = any(x.rows.groups is not None for x in systems.values())
    tasks = {name: x(one, two, in_order=in_order) for name, x in systems.items()}
    return SuiteAverage(tasks, weights, ids, budget)


def _metric_of_all(metrics: Mapping[str, Metric]) -> Metric:
    """Return the metric of all tasks, or the mean score if they have several."""
    one, *others = metrics.values()
    if all(x == one for x in others):
        return one
    return MeanScore(lower_is_better=all(x.lower_is_better for x in metrics.values()))


def _read_columns(tasks: Any) -> dict[str, tuple[dict[str, Any], Any]]:
    """Return the systems' columns and the references of each task, the systems in one order.

    Raises
    ------
    InputError
        If a task is not (systems, references), or tasks have different systems.
    """
    read: dict[str, tuple[dict[str, Any], Any]] = {}
    for name, given in read_named("tasks", tasks, "(systems, references)", 1).items():
        if not isinstance(given, (tuple, list)) or len(given) not in (1, 2):
            must = "be (systems, references)"
            raise InputError(f"`tasks`[{shown(name)}]", must=must, got=describe(given))
        with called({"systems": f"`systems` of task {shown(name)}"}):
            read[name] = read_named("systems", given[0], "predictions", 2), (*given, None)[1]
    every = dict.fromkeys(system for systems, _ in read.values() for system in systems)
    for name, (systems, _) in read.items():
        if lacking := [shown(x) for x in every if x not in systems]:
            remedy = "all tasks must have the same systems. Leave the others out"
            raise InputError(f"`tasks`[{shown(name)}] lacks {first_of(lacking)}", remedy=remedy)
    return {name: ({x: y[x] for x in every}, right) for name, (y, right) in read.items()}
