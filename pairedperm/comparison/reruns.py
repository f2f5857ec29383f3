"""Has anything changed, beside reruns of the same? And how far apart are runs of one system?

K runs of the old build and S of the new one have a score each on every item. The null hypothesis:
on each item the K + S scores are exchangeable, and items are independent given the scores. So,
given these, the sum of the new runs' scores on an item is the sum of S scores drawn without
replacement from its K + S, and the total T is a sum of independent ones. Their law is a plain
convolution, of positive terms alone: p = P(T ≤ t), or ≥ t, to 13 digits.

It does not protect where runs fail together: a fault that hits all items of a run. A second p is of
whole runs, t = (new - mean) / (s √(1/S + 1/K)), of the prediction of a normal law.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.comparison.several import Systems
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, called, describe
from pairedperm.inputs.columns import is_sequence
from pairedperm.options import N_RESAMPLES, Alternative, Seed, read_options, reads_options
from pairedperm.results.reruns import Noise, RerunGateResult, RerunResult
from pairedperm.results.result import words_of
from pairedperm.scoring import MetricName
from pairedperm.scoring.metric import Metric, metric_of_columns
from pairedperm.scoring.scores import Mean, group_sums

_MOST_CHOICES = 10**6  # tuned: choices of runs that are listed, in a second
_MOST_CELLS = 2**26  # tuned: numbers of ways for all items, half a GB
_MOST_TERMS = 2**31  # tuned: products of a convolution, some seconds
_FAR = 40.0  # proof: standard deviations beyond which a mass below 1e-300 is 0
Law = tuple[int, FloatArray]  # the least sum, and the mass of each sum from there on


def laws_of_draws(items: IntArray, n_drawn: int) -> FloatArray:
    """Return the law of the sum of so many scores of each item, drawn without replacement.

    `items` has scores of 0 and more, of shape (items, runs); the laws have the masses of the sums
    from 0 on, of shape (items, sums).
    """
    width = n_drawn * int(items.max()) + 1
    ways = np.zeros((len(items), n_drawn + 1, width))
    ways[:, 0, 0] = 1.0
    for column in items.T:
        for score in np.unique(column):
            rows = column == score
            more = ways[rows, :-1, : width - score]
            ways[rows, 1:, score:] += more
    return np.asarray(ways[:, n_drawn] / math.comb(items.shape[1], n_drawn))


def tails_of_total(items: IntArray, n_new: int) -> tuple[float, float] | None:
    """Return P(T ≤ t) and P(T ≥ t), where the first runs are new; None if it takes too long.

    `items` has integer scores, of shape (items, runs). Where no float is left, the least one is
    returned, for none of these is 0.
    """
    items = items - items.min()
    items //= int(np.gcd.reduce(items.ravel())) or 1
    distinct, counts = np.unique(np.sort(items, axis=1), axis=0, return_counts=True)
    top, deviation = n_new * int(distinct.max()), math.sqrt(n_new * counts @ distinct.var(axis=1))
    width = min(float(top * len(items)), 2.0 * _FAR * deviation)
    if width**2 > _MOST_TERMS or len(distinct) * (n_new + 1) * (top + 1) > _MOST_CELLS:
        return None
    laws = zip(laws_of_draws(distinct, n_new), counts.tolist(), strict=True)
    parts = [_power(_trimmed(0, masses), n) for masses, n in laws]
    while len(parts) > 1:
        parts.sort(key=lambda x: len(x[1]))
        halves = zip(parts[::2], parts[1::2], strict=False)
        parts = [*map(_sum, *zip(*halves, strict=True)), *parts[len(parts) & ~1 :]]
    least, masses = parts[0]
    at = min(max(int(items[:, :n_new].sum()) - least, -1), len(masses))
    tails = (math.fsum(x.tolist()) for x in (masses[: at + 1], masses[max(at, 0) :]))
    below, above = (min(max(x, math.ulp(0.0)), 1.0) for x in tails)
    return below, above


def _sum(one: Law, other: Law) -> Law:
    """Return the law of a sum, without the ends of which no float is left."""
    return _trimmed(one[0] + other[0], np.convolve(one[1], other[1]))


def _trimmed(least: int, masses: FloatArray) -> Law:
    some = np.flatnonzero(masses)
    return least + int(some[0]), masses[some[0] : some[-1] + 1]


def _power(law: Law, n: int) -> Law:
    """Return the law of the sum of n such values."""
    whole, square = None, law
    while n:
        if n & 1:
            whole = square if whole is None else _sum(whole, square)
        n >>= 1
        square = _sum(square, square) if n else square
    assert whole is not None
    return whole


class _Runs(NamedTuple):
    """The scores of items, or sums of groups, of shape (items, runs), in one unit.

    They are floats where there is no unit.
    """

    scores: NDArray[Any]
    unit: float
    n: int
    metric: Metric | None
    n_groups: int | None

    @classmethod
    def read(
        cls,
        runs: Mapping[str, Any],
        references: Any,
        metric: Any,
        groups: Any,
        options: Mapping[str, Any],
    ) -> _Runs:
        """Read the columns of all runs, by the names that messages call them."""
        spec = metric_of_columns(metric, references, options)
        with called({f"`systems`[{x!r}]": f"`{x}`" for x in runs}):
            read = Systems.read(runs, references, spec, None, groups)
        rows = read.rows
        if rows.rows1.ndim != 1 or not isinstance(read(*[*runs][:1] * 2).score, Mean):
            raise InputError(
                "metric",
                must="be a mean over items, such as 'accuracy'",
                got=repr(spec and spec.name),
                remedy="Give the score of each item, without references",
            )
        tables = [read.tables[x] for x in runs]
        if rows.groups is not None:
            tables = [group_sums(x, rows.groups) for x in tables]
        return cls(np.column_stack(tables), float(rows.unit), rows.n, spec, rows.n_groups)

    @property
    def means(self) -> FloatArray:
        """The mean score of each run."""
        return np.asarray(self.scores.sum(axis=0) / self.unit / self.n)


def cochran_p(scores: NDArray[Any], unit: float) -> float | None:
    """Return p of Cochran's Q of runs; None for one run, or scores that are not right or wrong."""
    n_runs = scores.shape[1]
    if n_runs < 2 or not np.isin(scores, (0, unit)).all():
        return None
    right = scores / unit
    of_runs, of_items = right.sum(axis=0), right.sum(axis=1)
    spread = n_runs * of_items.sum() - (of_items**2).sum()
    if not spread:
        return None
    from scipy.special import chdtrc

    q = (n_runs - 1) * (n_runs * (of_runs**2).sum() - of_runs.sum() ** 2) / spread
    return float(chdtrc(n_runs - 1, q))


@reads_options
def rerun_test(
    new: Any,
    reruns: Any,
    references: Any = None,
    metric: MetricName | Metric | None = None,
    *,
    groups: Any = None,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = None,
    rng: Seed = None,
    **metric_options: Any,
) -> RerunResult:
    """Has anything changed, beside reruns of the same build?

    Parameters
    ----------
    new : list of sequences, S ≥ 1 runs of length n
        What each run of the new build predicts, in the forms that `compare` takes; without
        `references` and `metric` its score on each item.
    reruns : list of sequences, K ≥ 1 runs of length n
        The same of the old build, on the same items in the same order.
    references, metric, **metric_options
        See `compare`. The metric must be a mean over items.
    groups : sequence of int or str, length n, or None
        An id for each item. Items with the same id share what happens to them in a run.
    alternative : {"two-sided", "less", "greater"}
        "less": the new runs score lower.
    n_resamples : int or None
        The number of random choices where p of items is sampled; None is 9999.
    rng : int, Generator or None
        Their seed.

    Returns
    -------
    RerunResult
        To print.

    Raises
    ------
    InputError
        If `compare` would refuse a run; if the metric is no mean over items.

    Notes
    -----
    p of items is exact: given the scores of all K + S runs on an item, those of the new runs are
    drawn from them without replacement, independently for each item. It is sampled where scores
    have no common unit, or the sums are too many. It is small too where something hits whole runs;
    p of runs, of the prediction of their mean, is not. With K ≤ 2, or old runs that all have one
    score, there is none.

    A small p says nothing about other items: for these `compare` the two builds.

    Examples
    --------
    >>> from pairedperm import rerun_test
    >>> old = [[1, 1, 1, 1, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 1, 1, 1]]
    >>> rerun_test([[0, 1, 0, 0, 0, 1, 0, 1]], old, alternative="less").p_items
    0.0029296875
    """
    runs = _named("new", new) | _named("reruns", reruns)
    chosen = read_options(n_resamples=n_resamples, rng=rng, alternative=alternative)
    read = _Runs.read(runs, references, metric, groups, metric_options)
    n_new, means = len(new), read.means
    old = means[n_new:]
    m = seed = tails = None
    if read.scores.dtype.kind == "i":
        tails = tails_of_total(read.scores, n_new)
    if tails is None:
        m, seed = chosen.n_resamples or N_RESAMPLES, chosen.drawn_seed(read.scores)
        tails = _sampled_tails(read.scores, n_new, m, np.random.default_rng(seed))
    difference = float(means[:n_new].mean() - old.mean())
    return RerunResult(
        score_new=float(means[:n_new].mean()),
        score_old=float(old.mean()),
        difference=difference,
        p_items=_on_side(*tails, alternative),
        p_runs=_p_of_runs(means[:n_new], old, alternative),
        p_rank=_p_of_rank(means, n_new, alternative),
        alternative=alternative,
        cochran_p=cochran_p(read.scores[:, n_new:], read.unit),
        n=read.n,
        n_new=n_new,
        n_old=len(old),
        n_groups=read.n_groups,
        n_resamples=m,
        seed=seed,
        **words_of(read.metric),
    )


def gate_reruns(result: RerunResult, alpha: float) -> RerunGateResult:
    """Decide on new runs beside reruns, as `gate` does.

    Raises
    ------
    InputError
        If the test is not two-sided.
    """
    if result.alternative != "two-sided":
        raise InputError("result", must="be two-sided", got=repr(result.alternative))
    lead = -result.difference if result.lower_is_better else result.difference
    reason = "not shown"
    if result.pvalue <= alpha:
        reason = "worse" if lead < 0.0 else "better"
    return RerunGateResult("fail" if reason == "worse" else "pass", reason, result, alpha)


def _named(argument: str, runs: Any) -> dict[str, Any]:
    """Return the runs by the names that messages call them."""
    if not isinstance(runs, (list, tuple)) or not runs or not all(map(is_sequence, runs)):
        must = "be a list of runs, each a sequence with one entry per item"
        raise InputError(argument, must=must, got=describe(runs))
    return {f"{argument}[{k}]": run for k, run in enumerate(runs)}


def _on_side(below: float, above: float, alternative: str) -> float:
    """Return the p-value of an alternative, from P(T ≤ t) and P(T ≥ t)."""
    if alternative == "two-sided":
        return min(2.0 * min(below, above), 1.0)
    return below if alternative == "less" else above


def _sampled_tails(
    scores: NDArray[Any], n_new: int, m: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Return (k + 1) / (m + 1) of both tails, by random choices of the new runs on each item."""
    observed, slack = float(scores[:, :n_new].sum()), 1e-12 * float(np.abs(scores).sum())
    at_most = at_least = 0
    for _ in range(m):
        total = float(np.take_along_axis(scores, _choices(scores.shape, n_new, rng), 1).sum())
        at_most += total <= observed + slack
        at_least += total >= observed - slack
    return (at_most + 1) / (m + 1), (at_least + 1) / (m + 1)


def _choices(shape: tuple[int, ...], n_new: int, rng: np.random.Generator) -> IntArray:
    """Return so many distinct runs for each item, by Floyd's algorithm."""
    n_items, n_runs = shape
    chosen = np.full((n_items, n_new), -1)
    for k, last in enumerate(range(n_runs - n_new, n_runs)):
        run = rng.integers(0, last + 1, n_items)
        chosen[:, k] = np.where((chosen == run[:, None]).any(axis=1), last, run)
    return chosen


def _p_of_runs(new: FloatArray, old: FloatArray, alternative: str) -> float | None:
    """Return p of the new runs' mean, predicted by a normal law; None if the old ones tell none."""
    if old.size < 3 or not np.ptp(old):
        return None
    from scipy.special import stdtr

    size = max(float(np.abs(x).max()) for x in (new, old))  # no square overflows
    new, old = new / size, old / size
    parts = [old, *([new] if new.size > 1 else [])]
    freedom = sum(x.size - 1 for x in parts)
    spread = math.sqrt(sum(float(((x - x.mean()) ** 2).sum()) for x in parts) / freedom)
    error = spread * math.sqrt(1.0 / new.size + 1.0 / old.size)
    t = float(new.mean() - old.mean()) / error
    return _on_side(float(stdtr(freedom, t)), float(stdtr(freedom, -t)), alternative)


def _p_of_rank(means: FloatArray, n_new: int, alternative: str) -> float:
    """Return p of the new runs' sum among all choices of as many runs."""
    if math.comb(means.size, n_new) > _MOST_CHOICES:
        return 1.0
    totals = np.array([x.sum() for x in map(np.array, combinations(means, n_new))])
    observed, slack = means[:n_new].sum(), 1e-12 * np.abs(means).sum()
    below, above = (totals <= observed + slack).mean(), (totals >= observed - slack).mean()
    return _on_side(float(below), float(above), alternative)


_FEWEST_FLIPS = 10  # tuned: with fewer, two runs exceed the floor in up to 21 % of all cases


@reads_options
def noise(
    runs: Any,
    references: Any = None,
    metric: MetricName | Metric | None = None,
    *,
    groups: Any = None,
    **metric_options: Any,
) -> Noise:
    """How far are runs of one system apart?

    Parameters
    ----------
    runs : list of sequences, R ≥ 2 runs of length n
        What each run predicts on the same items, or its score on each; see `rerun_test`.
    references, metric, groups, **metric_options
        See `rerun_test`.

    Returns
    -------
    Noise
        To print.

    Raises
    ------
    InputError
        If there is only one run. Also as `rerun_test`.

    Notes
    -----
    The flip rate is the mean over items of 2 k (R - k) / (R (R - 1)), where k runs are right; of
    other scores it is the share of pairs of runs that differ. The floor is 1.96 s √2 of two single
    runs, with s² from the variances within items; of means of R₁ and R₂ runs it is
    1.96 s √(1/R₁ + 1/R₂).

    Examples
    --------
    >>> from pairedperm import noise
    >>> found = noise([[1, 1, 0, 1], [1, 0, 0, 1], [1, 1, 0, 1]])
    >>> round(found.flip_rate, 3), found.share_agreeing
    (0.167, 0.75)
    """
    named = _named("runs", runs)
    if len(named) < 2:
        raise InputError("runs", must="be two or more", got="one", remedy="One tells no noise")
    read = _Runs.read(named, references, metric, groups, metric_options)
    scores, n_runs = read.scores, len(named)
    n_items = len(scores)
    ordered = np.sort(scores, axis=1)
    alike = [np.unique(row, return_counts=True)[1] for row in ordered[np.ptp(ordered, axis=1) > 0]]
    pairs = n_runs * (n_runs - 1)
    flips = [1.0 - float((x * (x - 1)).sum()) / pairs for x in alike]
    size = float(np.abs(scores).max()) or 1.0  # no square overflows
    spread = size * math.sqrt((scores / size).var(axis=1, ddof=1).sum()) / (read.unit * read.n)
    is_told = n_runs >= 3 and len(alike) >= _FEWEST_FLIPS
    return Noise(
        score=float(read.means.mean()),
        flip_rate=math.fsum(flips) / n_items,
        share_agreeing=1.0 - len(alike) / n_items,
        floor=1.96 * math.sqrt(2.0) * spread if is_told else None,
        most_unseen=None if is_told else 1.0 - 0.05 ** (1.0 / n_items),
        cochran_p=cochran_p(scores, read.unit),
        n=read.n,
        n_runs=n_runs,
        n_flipping=len(alike),
        **words_of(read.metric),
    )
