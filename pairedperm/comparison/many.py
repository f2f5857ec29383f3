"""Many systems: which pairs are tested, how they rank, and p-values adjusted for their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from pairedperm.comparison.compare import OF_A_PAIR, metric_or_counts
from pairedperm.comparison.systems import (
    Contest,
    Names,
    Systems,
    scores_of,
    tested_pairs,
)
from pairedperm.errors import (
    Advice,
    InputError,
    Name,
    Parts,
    Setting,
    called,
    describe,
    first_of,
    heard_by,
    shown,
    warn,
)
from pairedperm.inputs.columns import read_named, warn_of_repeats
from pairedperm.nulls.swaps import shared_patience
from pairedperm.options import ALPHA, Alpha, Options, did_you_mean, read_options, reads_options
from pairedperm.population.evidence import Evidence
from pairedperm.population.intervals import ConfidenceInterval, intervals_of_many
from pairedperm.results.result import IF_SYSTEM, PairedResult
from pairedperm.results.several import (
    Correction,
    Leaderboard,
    Pair,
    PairTest,
    adjusted,
    with_adjusted,
)
from pairedperm.scoring import MetricName
from pairedperm.scoring.arguments import ScoreArgument
from pairedperm.scoring.metric import Metric, split_call
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

_AT_ONCE = 256  # tuned: the most pairs whose intervals are computed together


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
    system   score  tier  letters
    large   90.00%     1        a
    medium  60.00%     1       ab
    small   30.00%     2        b
    <BLANKLINE>
    Accuracy of 3 systems, 10 examples.
    Told apart: 1 of 3 pairs (Holm, α = 0.1).
    """
    metric_options, of_test = split_call(options, without=OF_A_PAIR)
    of_metric = metric_or_counts(references, metric, score, metric_options)
    named = read_named("systems", systems, "predictions", 2)
    if groups is None:
        first = next(iter(named))
        warn_of_repeats(f"systems[{shown(first)}]", named[first])
    board = Board([*named], baseline, correction, alpha, read_options(**of_test))
    return board.ranked(Systems(named, references, of_metric, score, groups))


@dataclass(frozen=True)
class Board:
    """Which pairs of systems are tested, how, and how their p-values are adjusted.

    Raises
    ------
    InputError
        If the baseline is no system, or the options do not go together.
    """

    systems: Sequence[str]
    baseline: str | None
    correction: Correction | None
    alpha: float
    options: Options

    def __post_init__(self) -> None:
        one = self.baseline
        if one is not None and not (isinstance(one, str) and one in self.systems):
            raise InputError(
                Name("baseline"),
                must=f"be one of the systems, {first_of([*map(shown, self.systems)])}",
                got=describe(self.baseline),
                remedy=did_you_mean("baseline", self.baseline, self.systems),
            )
        if self.baseline is None and self.options.alternative != "two-sided":
            must = "be 'two-sided' where every pair is compared, which has no first system"
            advice = Parts("Name a ", Setting("baseline"))
            raise InputError(Name("alternative"), must=must, remedy=advice)

    def ranked(self, contest: Contest) -> Leaderboard:
        """Rank the systems and test the pairs."""
        scores = scores_of(contest.pairs, contest.evidence)
        is_lower = contest.metric is not None and contest.metric.lower_is_better
        best_first = sorted(self.systems, key=scores.__getitem__, reverse=not is_lower)
        pairs = tested_pairs(best_first, self.baseline)

        def tested(names: Names) -> tuple[Rows, Score]:
            return contest.evidence(names).tested

        evidence = lru_cache(maxsize=1)(_Told(contest, pairs))  # of the pair that is being told
        level, of_test = self.options.confidence_level, replace(self.options, confidence_level=None)
        results, ignore = [], heard_by(lambda _: None)  # one warning for all pairs follows
        with ignore, shared_patience(pairs, tested, self.options, self.alpha, "pairs") as bar:
            for names in pairs:
                with called({}, _against(*names)):
                    result = contest.test(names, of_test)
                told = partial(evidence, names)
                result = replace(result, _evidence=told, _problem=None, confidence_level=level)
                results.append((Pair(*names), result))
                bar.update()
        tests = with_adjusted(results, self.correction)
        if self.options.method != "monte_carlo":
            _warn_of_samples(tests)
        board = Leaderboard(
            systems=tuple(best_first),
            scores={name: scores[name] for name in best_first},
            _tests=tests,
            baseline=self.baseline,
            correction=self.correction,
            alpha=self.alpha,
        )
        for x in board._told() if level is not None else ():
            with called({}, _against(*x.of)):
                x.result.confidence_interval()  # errors come now, not in `to_dict`
        for said in board._doubts():
            warn(said, remedy=IF_SYSTEM)
        return board


class _Told:
    """What is told of a pair later. Intervals of means share their resamples, some at a time."""

    def __init__(self, contest: Contest, pairs: Sequence[Names]) -> None:
        self._contest, self._pairs = contest, pairs
        self._places = {names: k for k, names in enumerate(pairs)}
        self._found: dict[tuple[Names, float, int], ConfidenceInterval | None] = {}

    def __call__(self, names: Names) -> Evidence:
        """Return the rows and the score of a pair."""
        evidence = self._contest.evidence(names)
        if type(evidence) is Evidence:  # and no average over tasks
            evidence = replace(evidence, of_many=partial(self._interval, names))
        return evidence

    def _interval(self, names: Names, level: float, seed: int) -> ConfidenceInterval | None:
        """Return the interval of a pair, computed with those of pairs beside it."""
        if (names, level, seed) not in self._found:
            n = len(self._pairs)
            n_each = -(-n // -(-n // _AT_ONCE))
            start = self._places[names] // n_each * n_each
            some = self._pairs[start : start + n_each]
            samples = [self._contest.evidence(x).sample for x in some]
            keys = [(x, level, seed) for x in some]
            self._found |= zip(keys, intervals_of_many(samples, level, seed), strict=True)
        return self._found.pop((names, level, seed))  # the result keeps it


def _against(one: str, two: str) -> str:
    return f"{shown(one)} against {shown(two)}"


def _warn_of_samples(tests: Sequence[PairTest]) -> None:
    sampled = [_against(*x.of) for x in tests if x.result.interval == "confidence"]
    if sampled:
        more = Advice(", ", Setting("n_resamples"), " for more")
        warn(
            f"{len(sampled):,} of {len(tests):,} p-values are estimated from random swaps "
            f"({first_of(sampled, 3)})",
            remedy=(
                "exact ones would take too much",
                Parts("Set ", Setting("rng"), " for other samples", more),
            ),
        )


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
        raise InputError(Name("results"), must=must, got=describe(wrong[0]))
    return adjusted([x.pvalue for x in results], correction)
