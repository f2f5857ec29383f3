"""The paired-permutation test of a score of two whole columns: ROC AUC, a median, a correlation.

Such a score is no function of sums over the examples, so nothing is convolved: a function of the
caller gets the swapped columns. All swaps of a few differing examples are listed; a swap and its
mirror image, which swaps the others, take two calls together. Of more examples p is sampled.

Real numbers of two systems may have two scales, and swapping them raw tells little then. If ranking
each column changes neither score, mid-ranks are swapped. If subtracting the mean and dividing by
the standard deviation changes neither, such standardised numbers are. They depend on the whole
column: as a test of exchangeable outputs, p is approximate then.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Cost, Engine
from pairedperm.convolution.integers import TOO_MANY
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.sampling import SamplingCost
from pairedperm.errors import BudgetError, InputError, describe, other_ways
from pairedperm.inputs.columns import entry, is_missing, materialise
from pairedperm.nulls.solve import SAMPLE, NullModel, Sampler, sampled_pvalue, sampling_cost, solve
from pairedperm.options import Budget, Options, raised, unknown_option
from pairedperm.results.result import PairedResult
from pairedperm.scoring.merging import read_groups

ColumnScore = Callable[[Any, Any], Any]
FEW_CALLS = Budget(max_points=2**12)  # tuned: calls of a function without a `budget`
_CALL = 5e-4  # tuned: seconds of a call, such as an AUC of some thousand examples
_BLOCK = 32  # tuned: swaps that are drawn together
_TYING = 1e-12  # proof: relative to the largest score; rounding moves a difference less
_SAME = 1e-9  # proof: relative; rounding of ranks and standardised numbers moves a score less
_METHODS = "auto", "exact", "enumeration", "monte_carlo"


@dataclass(frozen=True)
class ColumnSwaps:
    """Two columns of predictions, of which the units are swapped: examples or groups.

    `unit` has the number of each example's unit, from 0; -1 where its unit does not differ.
    """

    predictions1: NDArray[Any]
    predictions2: NDArray[Any]
    references: Any
    function: ColumnScore
    unit: IntArray
    alternative: str
    score1: float
    score2: float
    why_not_exact = ""

    @property
    def statistic(self) -> float:
        """The observed difference."""
        return self.score1 - self.score2

    @property
    def n_differing(self) -> int:
        """The number of units that differ."""
        return int(self.unit.max(initial=-1)) + 1

    def extreme(self, swaps: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Tell which swaps of units, shape (m, units), are extreme, and whose mirror images are."""
        stays = np.zeros((len(swaps), 1), dtype=bool)
        pairs = [self._scores(x) for x in np.hstack((swaps, stays))[:, self.unit]]
        one, two = np.array(pairs).T
        largest = np.maximum(np.abs(one), np.abs(two))
        least = max(abs(self.score1), abs(self.score2))
        slack = _TYING * np.maximum(largest, least)
        return self._is_extreme(one - two, slack), self._is_extreme(two - one, slack)

    def _scores(self, is_swapped: NDArray[np.bool_]) -> tuple[float, float]:
        swapped = is_swapped.reshape(-1, *[1] * (self.predictions1.ndim - 1))
        one = np.where(swapped, self.predictions2, self.predictions1)
        two = np.where(swapped, self.predictions1, self.predictions2)
        score1, score2 = (_finite_score(self.function, x, self.references) for x in (one, two))
        return score1, score2

    def _is_extreme(self, differences: FloatArray, slack: FloatArray) -> NDArray[np.bool_]:
        observed = self.statistic
        if self.alternative == "two-sided":
            return np.asarray(np.abs(differences) >= abs(observed) - slack)
        sign = 1.0 if self.alternative == "greater" else -1.0
        return np.asarray(sign * differences >= sign * observed - slack)


def _finite_score(function: ColumnScore, predictions: Any, references: Any) -> float:
    """Return the score of a column.

    Raises
    ------
    InputError
        If the function gives anything but one finite number.
    """
    columns = predictions, references
    given = (x.tolist() if _is_of_objects(x) else x for x in columns)
    with np.errstate(all="ignore"):
        found = function(*given)
    with suppress(TypeError, ValueError):
        if np.ndim(found) == 0 and math.isfinite(score := float(found)):
            return score
    must = "return one finite number of two columns, also where some examples are swapped"
    raise InputError("metric", must=must, got=describe(found))


def _is_of_objects(column: Any) -> bool:
    return isinstance(column, np.ndarray) and column.dtype.kind == "O"


class _Listed(Engine[ColumnSwaps, Options]):
    """The engine that calls the function for all swaps."""

    name = "enumeration"

    def cost(self, problem: ColumnSwaps, limits: Options) -> Cost:
        k = problem.n_differing
        n = 2**k if 2**k < TOO_MANY else TOO_MANY
        what = f"all swaps of {k:,} that differ take {f'{n:,}' if n < 2**40 else f'2^{k}'} calls"
        what = f"{what} of the function"
        excess = limits.budget.excess(what, n_points=n, remedy=raised(n * _CALL))
        return Cost(min(k, 1), "all swaps are listed", (n,), n, 0, n * _CALL, excess)

    def run(self, problem: ColumnSwaps, limits: Options, cost: Cost) -> Answer:
        k, n_extreme = problem.n_differing, 0
        if not k:
            return Answer(CertifiedProbability.exactly(1.0), Fraction(1))
        for start in range(0, 2 ** (k - 1), _BLOCK):  # the last unit stays: the rest are mirrored
            numbers = np.arange(start, min(start + _BLOCK, 2 ** (k - 1)))
            swaps = (numbers[:, None] >> np.arange(k)) & 1 == 1
            n_extreme += sum(int(x.sum()) for x in problem.extreme(swaps))
        p = CertifiedProbability.from_ratio(n_extreme, 2**k)
        return Answer(p, Fraction(n_extreme, 2**k))


class _Exact(_Listed):
    """The same, by the name of what it gives."""

    name = "exact"


class _Drawn(Sampler[ColumnSwaps]):
    """The engine that calls the function for random swaps."""

    def cost(self, problem: ColumnSwaps, limits: Options) -> Cost:
        each = SamplingCost(2e9 * _CALL, 64.0 * problem.predictions1.nbytes)
        return sampling_cost(1, 1, limits, each)

    def run(self, problem: ColumnSwaps, limits: Options, cost: Cost) -> Answer:
        columns = problem.predictions1, problem.predictions2
        seed, m = limits.drawn_seed(*map(_as_bytes, columns)), limits.n_first
        p = sampled_pvalue(self._blocks(problem, m, seed), m, m, 2.0 * _CALL, seed)
        return Answer(p)

    @staticmethod
    def _blocks(problem: ColumnSwaps, m: int, seed: int) -> Iterator[NDArray[np.bool_]]:
        rng = np.random.default_rng(seed)
        for start in range(0, m, _BLOCK):
            shape = min(_BLOCK, m - start), problem.n_differing
            yield problem.extreme(rng.integers(0, 2, shape).astype(bool))[0]


def _as_bytes(column: NDArray[Any]) -> NDArray[Any]:
    """Return a column of whose bytes the seed is made."""
    return np.array([*map(repr, column.tolist())]) if _is_of_objects(column) else column


_LISTING, _DRAWN = _Listed(), _Drawn()
_SWAPPED = NullModel(
    engines={x.name: x for x in (_Exact(), _LISTING, _DRAWN)},
    auto=(_LISTING, _DRAWN),
    is_quick=lambda *_: True,
    refusal=lambda _, why: BudgetError(other_ways(why, SAMPLE)),
    samples="swaps",
)


def run_columns(
    predictions: tuple[Any, Any],
    references: Any,
    function: ColumnScore,
    groups: Any,
    options: Options,
    **of_metric: Any,
) -> PairedResult:
    """Test two columns under a function of (predictions, references); see `compare`.

    Raises
    ------
    InputError
        If the columns do not fit, or the function gives no finite number. If an option is for
        scores that are functions of sums.
    TypeError
        If an option of the metric is another than `lower_is_better`.
    """
    for name in ("test", "confidence_level", "ties", "constant", "largest_group"):
        if getattr(options, name) != getattr(Options(), name):
            raise InputError(name, "is not for a metric that is a function", remedy="Leave it out")
    for name in {*of_metric} - {"lower_is_better"}:
        raise unknown_option(name, ("lower_is_better",), "a metric that is a function")
    lower_is_better = of_metric.get("lower_is_better", False)
    if not isinstance(lower_is_better, bool):
        raise InputError("lower_is_better", must="be True or False", got=describe(lower_is_better))
    if options.method not in _METHODS:
        must = f"be {', '.join(map(repr, _METHODS))} for a metric that is a function"
        raise InputError("method", must=must, got=repr(options.method))
    named = {"predictions1": predictions[0], "predictions2": predictions[1]}
    one, two = (_column(x, y) for x, y in named.items())
    if references is not None:
        references = _column("references", references)
    n = len(one)
    units = np.arange(n) if groups is None else read_groups(groups)
    for name, column in {"predictions2": two, "references": references, "groups": units}.items():
        if column is not None and len(column) != n:
            must = f"have one entry per example, {n:,} as `predictions1`"
            raise InputError(name, must=must, got=f"{len(column):,}")
    if one.shape != two.shape:
        must = f"have entries of one shape, {one.shape[1:]} as `predictions1`"
        raise InputError("predictions2", must=must, got=str(two.shape[1:]))
    scores = [_finite_score(function, x, references) for x in (one, two)]
    (one, two), swapped = _on_one_scale((one, two), references, function, scores)
    differing = np.unique(units[(one != two).reshape(n, -1).any(axis=1)])
    unit = np.where(np.isin(units, differing), np.searchsorted(differing, units), -1)
    problem = ColumnSwaps(one, two, references, function, unit, options.alternative, *scores)
    name = getattr(function, "__name__", type(function).__name__)
    name = "score" if name == "<lambda>" else name
    fields: Mapping[str, Any] = {
        "metric": name,
        "metric_options": {"swapped": swapped},
        "metric_words": " ".join(name.replace("_", " ").split()),
        "lower_is_better": lower_is_better,
        "n": n,
        "n_groups": None if groups is None else int(units.max()) + 1,
    }
    _, answer, of_test = solve(problem, _SWAPPED, options, fields)
    return PairedResult("permutation", **of_test, fraction=answer.fraction)


def _column(name: str, column: Any) -> NDArray[Any]:
    """Return a column as an array: of numbers, or of objects, which the function gets as a list."""
    values = materialise(name, column)
    if not len(values):
        raise InputError(name, "is empty")
    array = np.empty(len(values), dtype=object)
    with suppress(ValueError):  # ragged rows
        array = np.asarray(values)
    if array.dtype.kind in "biuf":
        is_gone = np.isnan(array.reshape(len(array), -1)).any(axis=1)
    else:
        array = np.empty(len(values), dtype=object)
        for k, value in enumerate(values):
            array[k] = value.tolist() if hasattr(value, "tolist") else value
        is_gone = np.array([*map(is_missing, array)])
    if is_gone.any():
        raise InputError(entry(name, (int(np.argmax(is_gone)),)), " is missing")
    return array


def _standardised(column: NDArray[Any]) -> NDArray[Any]:
    return np.asarray((column - column.mean()) / column.std())


def _on_one_scale(
    columns: tuple[NDArray[Any], NDArray[Any]],
    references: Any,
    function: ColumnScore,
    scores: Sequence[float],
) -> tuple[tuple[NDArray[Any], NDArray[Any]], str]:
    """Return what is swapped of two columns, and what it is called."""
    from scipy.stats import rankdata

    if any(x.ndim > 1 or x.dtype.kind != "f" for x in columns):
        return columns, "outputs"
    for change, called in ((rankdata, "mid-ranks"), (_standardised, "standardised outputs")):
        with suppress(Exception), np.errstate(all="ignore"):  # not all functions take such numbers
            one, two = (np.asarray(change(x)) for x in columns)
            found = [_finite_score(function, x, references) for x in (one, two)]
            if all(math.isclose(x, y, rel_tol=_SAME) for x, y in zip(found, scores, strict=True)):
                return (one, two), called
    return columns, "outputs"
