"""The comparison of many systems by their predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations
from typing import Any

from numpy.typing import NDArray

from pairedperm.comparison.compare import OF_A_PAIR, metric_or_counts
from pairedperm.errors import InputError, NoLatticeError, heard_by, warn
from pairedperm.errors.wording import (
    Advice,
    Name,
    Parts,
    Python,
    Setting,
    called,
    describe,
    first_of,
    shown,
)
from pairedperm.inputs.ids import read_named, warn_of_repeats
from pairedperm.options import CONFIDENCE_LEVEL, Alpha, read_options
from pairedperm.options.constraints import did_you_mean, printed_fraction, reads_options
from pairedperm.permutation.choose import problem_of, run
from pairedperm.permutation.shared import shared_patience
from pairedperm.population.evidence import Evidence
from pairedperm.results.correction import Correction, with_adjusted
from pairedperm.results.leaderboard import Leaderboard, Pair, PairTest
from pairedperm.results.permutation_result import in_a_table
from pairedperm.results.sentence import ALPHA
from pairedperm.scoring import MetricName
from pairedperm.scoring.arguments import ScoreArgument, columns_in_order, read_score
from pairedperm.scoring.call_options import CallOptions, Unpack, lists_options, split_call
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.groups import grouped
from pairedperm.scoring.merging import all_classes, as_floats, in_common_unit, why_floats
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score


@lists_options(without=OF_A_PAIR)
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
    simultaneous: bool = False,
    groups: Any = None,
    **options: Unpack[CallOptions],
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
    correction : {"holm", "bonferroni", "bh", "by", "discrete"} or None
        How the p-values are adjusted. With "holm" [1]_ and "bonferroni", the probability that any
        two equal systems are told apart is at most α, however the tests depend on each other.
        "holm" never finds less. With "bh" [2]_ and "by" [3]_, the expected share of equal pairs
        among those told apart is at most α. "bh" is proven for independent or positively dependent
        tests, which pairs of the same systems need not be; "by" always holds. "discrete" is for two
        systems only, see `compare_suite`. None: no adjustment.
    alpha : float
        The level of `tiers` and `letters`, between 0 and 1.
    simultaneous : bool
        Whether all intervals hold at once with the probability `confidence_level`. Each of k pairs
        has the level 1 - (1 - confidence_level) / k then (Bonferroni). A pair that is told apart by
        "holm" may have an interval with 0. Not with "bh" and "by".
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
        different lengths. If `baseline` is no system. If a test is one-sided without a baseline. If
        "discrete" is used for more than two systems. If a system is a `PairedCounts`. Also as
        `compare`.
    BudgetError
        If the method asked for would exceed the budget.

    Warns
    -----
    UserWarning
        If p-values are sampled. If ids repeat in the index of a Series or DataFrame, without
        `groups`.

    Notes
    -----
    Cost: each system is read once, and each pair takes the time of one test. The 1,225 pairs of 50
    systems with 10,000 labels each take about 1 s for accuracy, and 10 s for F1. Intervals are
    computed when a dict, a table, a picture or a pickle says them, or at once if `confidence_level`
    is given. All tests have one patience, a minute: if they should take longer, estimated by counts
    of work, "auto" takes an equal share for each pair, or as many samples as a correction for their
    number needs, n_pairs / alpha.

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
    named = read_named("systems", systems, "predictions", 2)
    if groups is None:
        first = next(iter(named))
        warn_of_repeats(f"systems[{shown(first)}]", named[first])
    _check_baseline(baseline, named)
    if correction == "discrete" and len(named) > 2:
        what = " 'discrete' is not for pairs of the same systems"
        why = "which of them can be significant depends on which others are alike"
        remedy = why, "Use 'holm', which always holds"
        raise InputError(Name("correction"), what, remedy=remedy)
    if simultaneous and correction in ("bh", "by"):
        why = "those control the share of false findings, and have no intervals that hold at once"
        raise InputError(
            Name("simultaneous"),
            must=Parts("be False with ", Setting("correction", f"{correction!r}")),
            remedy=why,
        )
    metric_options, of_test = split_call(options, without=OF_A_PAIR)
    chosen = read_options(**of_test)
    if baseline is None and chosen.alternative != "two-sided":
        must = "be 'two-sided' where every pair is compared, which has no first system"
        advice = Parts("Name a ", Setting("baseline"))
        raise InputError(Name("alternative"), must=must, remedy=advice)
    of_counts = read_score(score)
    of_metric = metric_or_counts(references, metric, score, metric_options)
    two_by_two = _two_by_two(named)
    systems_read = [_read_two(two, references, of_metric, score, groups) for two in two_by_two]
    rows, number = Systems(systems_read), {name: k for k, name in enumerate(named)}

    def pair(names: tuple[str, str]) -> tuple[Rows, Score]:
        of_pair = rows.pair(*map(number.__getitem__, names))
        return of_pair, of_counts if of_metric is None else of_metric.score(of_pair)

    @lru_cache(maxsize=1)  # of the pair that is being told
    def evidence(names: tuple[str, str]) -> Evidence:
        return Evidence(*pair(names), of_metric)

    scores: dict[str, Any] = {}
    for one, two in two_by_two:
        problem = problem_of(*pair((one, two)), "two-sided")
        scores |= {two: problem.score2, one: problem.score1}
    is_lower = of_metric is not None and of_metric.lower_is_better
    best_first = sorted(named, key=scores.__getitem__, reverse=not is_lower)
    pairs = [*combinations(best_first, 2)]
    if baseline is not None:
        pairs = [(name, baseline) for name in best_first if name != baseline]
    if simultaneous:
        level = printed_fraction(chosen.confidence_level or CONFIDENCE_LEVEL)
        chosen = replace(chosen, confidence_level=float(1 - (1 - level) / len(pairs)))
    results, ignore = [], heard_by(lambda _: None)  # one warning for all pairs follows
    with ignore, shared_patience(pairs, pair, chosen, alpha, "pairs") as bar:
        for names in pairs:
            with called({}, _against(*names)):
                result = run(*pair(names), of_metric, chosen)
            results.append((Pair(*names), in_a_table(result, partial(evidence, names))))
            bar.update()
    tests = with_adjusted(results, correction)
    _warn_of_samples(tests)
    return Leaderboard(
        systems=tuple(best_first),
        scores={name: scores[name] for name in best_first},
        _tests=tests,
        baseline=baseline,
        correction=correction,
        alpha=alpha,
        simultaneous=simultaneous,
    )


def _check_baseline(baseline: Any, named: dict[str, Any]) -> None:
    """Raise InputError unless the baseline is a system, or None."""
    if baseline is not None and not (isinstance(baseline, str) and baseline in named):
        raise InputError(
            Name("baseline"),
            must=f"be one of the systems, {first_of([*map(shown, named)])}",
            got=describe(baseline),
            remedy=did_you_mean("baseline", baseline, named),
        )


def _two_by_two(named: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the first and second system, the third and fourth; an odd last one with the first."""
    names = [*named, next(iter(named))]
    return [{name: named[name] for name in names[k : k + 2]} for k in range(0, len(named), 2)]


def _read_two(
    two: dict[str, Any], references: Any, metric: Metric | None, score: Any, groups: Any
) -> Rows:
    """Return the rows of two systems, in the order of the examples."""
    argument = "counts" if metric is None else "predictions"
    names, columns = [Name("systems", (name,)) for name in two], [*two.values()]
    own_names = {f"{argument}{number}": x for number, x in enumerate(names, 1)}
    with called(own_names, Parts(names[0], " and ", names[1])):
        if metric is not None:
            rows = metric.rows_in_order(metric.read((*columns, references)), groups)
            metric.checked_score(rows)
            return rows
        for name, column in zip(names, columns, strict=True):
            if isinstance(column, PairedCounts):
                remedy = "give each system's own scores, or rows of counts"
                raise InputError(name, " is a PairedCounts, of two systems", remedy=remedy)
        rows = columns_in_order(columns[0], columns[1], score).owned()
        return rows if groups is None else grouped(rows, groups)


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
                Parts("exact ones would take too much", Python(" (`pairedperm.plan` says why)")),
                Parts("Set ", Setting("rng"), " for other samples", more),
            ),
        )


class Systems:
    """The rows of each system in the order of the examples, in the same unit and classes.

    Each element of `pairs` holds two systems: the first and the second, the third and the fourth,
    and so on.
    """

    def __init__(self, pairs: Sequence[Rows]) -> None:
        fact = why_floats(pairs)
        if not fact:
            classes = all_classes([pair.classes for pair in pairs])
            try:
                pairs = in_common_unit("the systems", [pair.spread_to(classes) for pair in pairs])
            except NoLatticeError as error:
                fact = error.fact
        if fact:
            pairs = [as_floats(pair, fact) for pair in pairs]
        self._tables: list[NDArray[Any]] = [x for pair in pairs for x in (pair.rows1, pair.rows2)]
        self._first = pairs[0]

    def pair(self, i: int, j: int) -> Rows:
        """Return the rows of two systems."""
        rows = self._first.having(rows1=self._tables[i], rows2=self._tables[j])
        return rows.counted_if_few()
