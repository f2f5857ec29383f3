"""What each method takes, and the p-value by it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import (
    BRACKET_BYTES,
    LEAST_FREQUENCIES,
    LISTED,
    TOO_MANY,
    Budget,
    CertifiedProbability,
    Part,
    WholeEngine,
    WholeLaw,
)
from pairedperm.errors import BudgetError, InputError, NoLatticeError
from pairedperm.options import Options
from pairedperm.permutation.additive import Additive, bracketed, enumerated, enumeration_cost
from pairedperm.permutation.listing import SUM_BYTES, n_extreme_swaps, n_sums_of
from pairedperm.permutation.points import probability_of
from pairedperm.permutation.problem import Problem, Size, known
from pairedperm.results.sampled import SampledProbability, sampled_pvalue

__all__ = ["Answer", "answer", "needs_lattice", "size_of"]

_WHOLE: tuple[WholeEngine, ...] = ("dp", "fft", "rational")
_HOW = {
    "dp": "all sums, one example after the other (Algorithm 3)",
    "fft": "all sums, halves of the examples convolved by Fourier transform (Algorithm 4)",
    "rational": "all sums, in big integers",
    "enumeration": "all swaps are counted in two halves",
    "bracket": "a proven interval from the characteristic function",
}
_NOISE = 2.0**-50  # what Algorithm 4 cannot tell from 0
_CELLS = 2**18  # numbers of points that are looked at together


class Answer(NamedTuple):
    """A p-value, and the same as a fraction where that is known."""

    p: CertifiedProbability | SampledProbability
    fraction: Fraction | None = None


def size_of(problem: Problem, method: str, budget: Budget) -> Size:
    """What a method takes; its `excess` says why that is too much, if it is.

    Raises
    ------
    InputError
        If the method cannot be used for this problem at all.
    """
    if method in _WHOLE:
        return _whole_size(problem, method, budget)
    if method == "enumeration":
        return _enumeration_size(problem, budget)
    if method == "bracket":
        return _bracket_size(problem, budget)
    return problem.size(budget)


def answer(problem: Problem, method: str, options: Options) -> Answer:
    """The p-value by one method.

    Raises
    ------
    BudgetError
        If it would take too much.
    InputError
        If the method cannot be used for this problem at all.
    """
    if method == "exact":
        return Answer(problem.exact(options.budget))
    if method == "monte_carlo":
        return Answer(sampled_pvalue(problem, options))
    size = size_of(problem, method, options.budget)
    if size.excess:
        raise BudgetError(size.excess)
    if method == "bracket":
        return Answer(bracketed(_additive_of(problem), options.budget))
    if not problem.n_differing:
        is_fraction = method in ("rational", "enumeration")
        return Answer(CertifiedProbability.exactly(1.0), Fraction(1) if is_fraction else None)
    if method == "enumeration":
        if problem.additive is not None:
            return Answer(*enumerated(problem.additive))
        return _ratio(n_extreme_swaps(problem), problem.n_differing)
    law = WholeLaw(problem.vectors, problem.multiplicities)
    if method == "rational":
        points = law.points()
        n_extreme = law.n_assignments(points.numbers[_extreme(problem, points)])
        return _ratio(n_extreme, problem.n_differing)
    return Answer(_of_masses(problem, law.masses(method), method))


def needs_lattice(method: str, problem: Problem) -> NoLatticeError:
    """The error for real scores."""
    fact = problem.no_lattice or ""
    if problem.additive is not None:
        remedy = (
            "method='auto', 'enumeration' (up to 44 differing examples) or 'bracket'; or multiply "
            "both systems' scores by a common denominator, or round them to the digits that they "
            "mean (np.round(scores, 4))."
        )
    else:
        remedy = (
            "method='auto', 'enumeration' (some 22 differing examples) or 'monte_carlo'; or round "
            "both systems' rows to the digits that they mean (np.round(rows, 4))."
        )
    return NoLatticeError(
        f"method={method!r} needs scores on a lattice, integers or decimals: {fact}. Use {remedy}",
        fact,
    )


def _whole_size(problem: Problem, engine: WholeEngine, budget: Budget) -> Size:
    if problem.no_lattice:
        raise needs_lattice(engine, problem)
    if not problem.n_differing:
        return known(0)
    law, excess = WholeLaw(problem.vectors, problem.multiplicities), None
    try:
        law.check(engine, budget)
    except BudgetError as error:
        excess = str(error)
    n_bytes = law.n_bytes(engine)
    return Size(law.rank, law.grid, law.n_points, n_bytes, _HOW[engine], excess)


def _enumeration_size(problem: Problem, budget: Budget) -> Size:
    if not problem.n_differing:
        return known(0)
    if problem.additive is not None:
        n_sums, n_bytes = enumeration_cost(problem.additive)
        rank, how = 1, _HOW["enumeration"]
        what = f"up to {n_sums:,} sums of half of the examples"
    else:
        n_sums, n_bytes = n_sums_of(problem)
        rank, how = problem.size(budget).rank, "all swaps are listed"
        what = f"{n_sums:.3g} sums"
    excess = None
    if n_sums >= TOO_MANY:
        excess = (
            f"method='enumeration' needs the sums of all swaps of {problem.n_differing} differing "
            "examples, which no budget allows."
        )
    elif n_sums > budget.max_frequencies:
        excess = (
            f"method='enumeration' needs {what}; `max_frequencies` allows "
            f"{budget.max_frequencies:.3g}. Raise it."
        )
    elif n_bytes > budget.max_bytes:
        excess = (
            f"method='enumeration' needs {what}, {n_bytes:.3g} bytes; `max_bytes` allows "
            f"{budget.max_bytes:.3g}. Raise it."
        )
    return Size(rank, None if n_sums >= TOO_MANY else (n_sums,), n_sums, n_bytes, how, excess)


def _additive_of(problem: Problem) -> Additive:
    if problem.additive is None:
        raise InputError(
            "method='bracket' is for means, sums over the examples: this score is another "
            "function of sums. Use method='auto', or 'monte_carlo'."
        )
    return problem.additive


def _bracket_size(problem: Problem, budget: Budget) -> Size:
    additive = _additive_of(problem)
    if additive.sides == "all" or not problem.n_differing:
        return known(min(problem.n_differing, 1))
    grid, n_points, n_bytes = None, LEAST_FREQUENCIES, BRACKET_BYTES
    how, excess = _HOW["bracket"], None
    if problem.n_differing <= LISTED:
        n_points, how = 1 << (problem.n_differing + 1) // 2, _HOW["enumeration"]
        grid, n_bytes = (n_points,), SUM_BYTES * n_points
    elif budget.max_frequencies < LEAST_FREQUENCIES:
        excess = (
            f"method='bracket' needs at least {LEAST_FREQUENCIES:,} frequencies; "
            f"`max_frequencies` allows {budget.max_frequencies:,}. Raise it."
        )
    if n_bytes > budget.max_bytes and excess is None:
        excess = (
            f"method='bracket' needs {n_bytes:.3g} bytes; `max_bytes` allows "
            f"{budget.max_bytes:.3g}. Raise it."
        )
    return Size(1, grid, n_points, n_bytes, how, excess)


def _of_masses(problem: Problem, part: Part, method: str) -> CertifiedProbability:
    """The sum of the masses of what is extreme."""
    flags = _extreme(problem, part)
    p = probability_of(part, flags, problem.n_differing, is_upper_end=method == "dp")
    if method == "fft" and p.value < _NOISE:
        value = min(_NOISE, p.high)
        p = CertifiedProbability(value, p.low, p.high, math.log(value), p.log_low, p.log_high)
    return p


def _ratio(n_extreme: int, n: int) -> Answer:
    p = CertifiedProbability.from_ratio(n_extreme, 1 << n)
    return Answer(p, Fraction(n_extreme, 1 << n))


def _extreme(problem: Problem, part: Part) -> NDArray[np.bool_]:
    """Which points of the law are at least as extreme as observed."""
    found = []
    total = np.asarray(problem.total, dtype=np.int64)
    step = max(_CELLS // part.basis.shape[1], 1)
    for start in range(0, part.numbers.size, step):
        points = part.points(slice(start, start + step))
        found.append(problem.extreme(total - 2 * points.astype(np.int64)))
    return np.concatenate(found)
