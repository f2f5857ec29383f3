"""A test that you may look at after every example."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

import numpy as np

from pairedperm.comparison.example_reader import ExampleReader
from pairedperm.comparison.wealth import (
    BATCH,
    ConfidenceSequence,
    Wealth,
    exchangeable_factors,
    factors_at_0,
    pvalue_of,
)
from pairedperm.convolution.law import FloatArray
from pairedperm.errors import NoIntervalError, warn
from pairedperm.errors.wording import Name
from pairedperm.options import ALPHA, Alpha, Range
from pairedperm.options.constraints import Interval, Whole, reads_options
from pairedperm.population.intervals import ConfidenceInterval
from pairedperm.results.figures import beside, fitting
from pairedperm.results.sentence import p_beside
from pairedperm.results.table import Number, Table, Tabular

SEQUENCE = "confidence sequence"  # the method of its interval
_NEXT_TO_0 = math.ulp(0.0)  # proof: next to 0
Decision = Literal["better", "worse", "differ"] | None
_Scale = Annotated[
    float,
    Interval(
        0.0,
        math.inf,
        "neither",
        words="a positive number, by how much scores that differ typically differ",
    ),
]


class SequentialTest(Tabular):
    """Do two systems differ? Look after every example, and stop once it is decided.

    Examples come one after the other, with the score of each system. The null hypothesis is that of
    `compare`: on every example the two systems' outputs are exchangeable. With `score_range` it is
    that the mean difference is 0. If it is true, it is rejected with a probability of at most α,
    however often you look and whenever you stop. Which system is better is said of right and wrong,
    scores of 0 and 1, and with `score_range` of any scores.

    Parameters
    ----------
    alpha : float
        The level, between 0 and 1.
    scale : float
        The typical absolute difference of the scores on an example where they differ; 1 for right
        and wrong. It is positive and chosen before the first example. The test is valid with any
        scale, but slow if it is off by more than a factor of ten. Not with `score_range`.
    score_range : (float, float) or None
        The least and the greatest score that there may be, if you know them beforehand. Then the
        test is of the mean, and has a `confidence_interval`.
    largest_group : int or None
        With `score_range`: the number of examples of the largest group that may come. None if all
        groups have as many examples as the first, or examples have no groups.

    Attributes
    ----------
    alpha, scale, score_range, largest_group : float, float, (float, float) or None, int or None
        The parameters.
    evidence : float
        The current evidence against the null hypothesis, whichever system leads: the wealth of a
        bet that started with 1, rounded down. Infinite if it exceeds floats.
    pvalue : float
        1 over the largest evidence so far, at most 1, rounded up: rounding never makes it too
        small. It is valid at every look.
    decision : {"better", "worse", "differ", None}
        "better": system 1 scores higher; "worse": system 1 scores lower; "differ": the systems
        differ, and which is better is not shown. None until the evidence first reaches 1 / α; the
        decision stays then. Without `score_range` a direction is claimed only if all scores so far
        are 0 or 1, and each example counts by itself; see the notes. If lower is better, pass 1
        minus the scores.
    n_decided : int or None
        The number of examples at the decision; None before.
    n, n_differing : int
        The number of examples so far, and of examples (or groups) on which the scores differ.
    statistic : float
        The mean difference of the scores so far; NaN before the first example.

    Raises
    ------
    InputError
        If `alpha` is not between 0 and 1. If `scale` is not positive and finite. If `score_range`
        is no pair, the smaller number first, or stands beside `scale`. If `largest_group` is no
        positive integer, or stands alone.

    Notes
    -----
    Under the null hypothesis a difference d is as likely as -d. So for each λ, the product of
    exp(λ d) / cosh(λ d) over the examples is a martingale of mean 1. The evidence is the mean of
    these products for λ = ±0.05, ±0.1, …, ±3.2, each divided by the scale. By Ville's inequality
    [1]_ it ever reaches 1 / α with a probability of at most α. The test is for means; it cannot
    test F1.

    Differences of -1, 0 and 1 with the mean 0 are symmetric, so a rejection shows on which side of
    0 the mean is. Differences of several sizes may be asymmetric with any mean. A system that gains
    0.05 on 90 % of the examples and loses 0.95 on the others is worse by 0.05, and leads after the
    first 8 in 43 % of all runs.

    With a range of the width R, a bet b = ±tanh λ on the mean Δ has the factors
    1 + b (d - Δ) / (R ± Δ), with the sign of b. They are at least 1 - |b| > 0. If Δ is the true
    mean, their expectation is 1, and Ville's inequality holds [2]_. The evidence is that against
    Δ = 0. The confidence sequence has all Δ against which it never reached 1 / α. So p ≤ α exactly
    if 0 is excluded, and the decision is the side on which all other means lie. It is right with a
    probability of at least 1 - α, whatever the sizes of the differences. Of right and wrong, p is
    the same as without the range, but for rounding. It is rounded up: of each product, n units in
    the last place and few for each factor are taken off. `comparison/wealth.py` has the proofs.

    References
    ----------
    .. [1] J. Ville, "Étude critique de la notion de collectif", 1939.
    .. [2] I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting",
       Journal of the Royal Statistical Society B 86, 2024.

    Examples
    --------
    >>> from pairedperm import SequentialTest
    >>> test = SequentialTest()
    >>> for right1, right2 in [(1, 0), (1, 1), (1, 0), (0, 0), (1, 0), (1, 0), (1, 0), (1, 0)]:
    ...     if test.update(right1, right2):
    ...         break
    >>> print(test)
    undecided after 8 examples: evidence 10.7, of 20 for α = 0.05; p = 0.0936

    Scores from 0 to 1, such as those of a judge:

    >>> test = SequentialTest(score_range=(0, 1))
    >>> test.update([0.9, 0.7, 0.8, 1.0] * 10, [0.4, 0.5, 0.1, 0.6] * 10)
    'better'
    >>> low, high = test.confidence_interval()
    >>> round(low, 3), round(high, 3)
    (0.272, 0.538)
    """

    @reads_options
    def __init__(
        self,
        alpha: Alpha = ALPHA,
        scale: _Scale = 1.0,
        score_range: Annotated[tuple[float, float] | None, Range()] = None,
        largest_group: Annotated[int | None, Whole()] = None,
    ) -> None:
        self.alpha, self.scale = alpha, scale
        self.score_range, self.largest_group = score_range, largest_group
        self._width = 0.0 if score_range is None else score_range[1] - score_range[0]
        self._reader = ExampleReader(scale, score_range, largest_group)
        self._means = None if score_range is None else ConfidenceSequence(alpha)
        self.n = 0
        self.n_differing = 0
        self.n_decided: int | None = None
        self._leader: Literal["better", "worse"] | None = None
        self._is_binary = True
        self._total = 0.0
        self._log_evidence = self._log_largest = self._log_decided = 0.0
        self._wealth = Wealth()

    @property
    def decision(self) -> Decision:
        """What is decided: which system is better, or only that they differ; None before."""
        has_direction = self._is_binary or self._means is not None
        return self._leader if self._leader is None or has_direction else "differ"

    @property
    def statistic(self) -> float:
        """The mean difference of the scores so far; NaN before the first example."""
        return self._total / self.n if self.n else math.nan

    @property
    def evidence(self) -> float:
        """The current evidence against the null hypothesis, 1 at the start."""
        return math.exp(self._log_evidence) if self._log_evidence < 709.0 else math.inf

    @property
    def pvalue(self) -> float:
        """The p-value, valid at every look: 1 over the largest evidence so far."""
        return pvalue_of(self._log_largest)

    def confidence_interval(self) -> ConfidenceInterval:
        """Return the means that no look so far excludes, at the level 1 - α.

        With a probability of at least 1 - α, the intervals of all looks hold the true mean
        difference. Each lies within those of earlier looks. The ends do not belong to it.

        Returns
        -------
        ConfidenceInterval
            Both ends. NaN, with a warning, if no mean is left: one of two looks was wrong, which
            happens with a probability of at most α, or the mean has changed between them.

        Raises
        ------
        NoIntervalError
            Without `score_range`.
        """
        if self._means is None:
            raise NoIntervalError(
                *(Name("score_range"), " is missing, which an interval needs"),
                remedy="Give it before the first example, such as score_range=(0, 1)",
            )
        low, high = self._limits(self._means)
        if low >= high:
            why = "The mean has changed between examples, or this is a rare run with a wrong look"
            warn("the confidence sequence has no mean left", remedy=why)
            low = high = math.nan
        return ConfidenceInterval(low, high, SEQUENCE)

    def update(self, score1: Any, score2: Any, groups: Any = None) -> Decision:
        """Add one example, or several in their order, and return the decision.

        Parameters
        ----------
        score1, score2 : number, or sequence of numbers, length n
            The scores of the two systems on the example, or on each example.
        groups : sequence of int or str, length n, or None
            An id for each example. Examples with the same id, such as runs of an item, count as
            one: their differences are added. All examples of a group must come in one call.

        Returns
        -------
        {"better", "worse", "differ", None}
            The attribute `decision`, also if it was made earlier.

        Raises
        ------
        InputError
            If a score is missing, no finite number, or outside of `score_range`. If lengths
            differ. If an earlier call had examples of a group, or a group has another size than is
            said of `largest_group`. Then no example is added.
        """
        batch = self._reader.read(score1, score2, groups)
        self._is_binary = self._is_binary and batch.is_binary
        for start in range(0, batch.ends.size, BATCH):
            part = slice(start, start + BATCH)
            self._bet(batch.differences[part], batch.sizes[part], batch.ends[part])
        self._total += math.fsum(batch.differences.tolist()) * self.scale
        self.n += batch.n
        return self.decision

    def _bet(self, differences: FloatArray, sizes: FloatArray, ends: Any) -> None:
        """Multiply the factors of the differences one after the other."""
        if self._means is not None:
            largest = self._reader.size
            sizes = sizes / largest
            differences = np.clip(differences / largest / self._width, -sizes, sizes)
            self._means.add(differences, sizes)
        differs = differences != 0.0
        differences, ends = differences[differs], ends[differs]
        if not differences.size:
            return
        self.n_differing += differences.size
        if self.score_range is None:
            factors = exchangeable_factors(differences)
        else:
            factors = factors_at_0(differences, max(map(abs, self.score_range)) / self._width)
        sides, evidence = self._wealth.after(factors)
        self._log_evidence = float(evidence[-1])
        self._log_largest = max(self._log_largest, float(evidence.max()))
        if self._leader is None and self.pvalue <= self.alpha:
            first = next(k for k, x in enumerate(evidence) if pvalue_of(x) <= self.alpha)
            self._log_decided = float(evidence[first])
            self._leader = "better" if sides[0, first] > sides[1, first] else "worse"
            self.n_decided = self.n + int(ends[first])

    def _limits(self, means: ConfidenceSequence) -> tuple[float, float]:
        """Return both limits; p, whose bets are the same, decides on which side of 0 they are."""
        low, high = (self._width * x for x in means.limits())
        if self._leader is None:
            return min(low, -_NEXT_TO_0), max(high, _NEXT_TO_0)
        return (max(low, 0.0), high) if self._leader == "better" else (low, min(high, 0.0))

    def _table(self) -> Table:
        cells = {
            "examples": Number(f"{self.n:,}", self.n),
            "differ": Number(f"{self.n_differing:,}", self.n_differing),
            "difference": Number(f"{self.statistic:.3g}", self.statistic),
            "evidence": Number(f"{self.evidence:.3g}", self.evidence),
            "p": p_beside(self.alpha, self.pvalue, -self._log_largest),
            "decision": self.decision or "undecided",
        }
        return Table([*cells], [[*cells.values()]], str(self))

    def __str__(self) -> str:
        n = f"{self.n:,} example{'' if self.n == 1 else 's'}"
        level = f"α = {self.alpha:g}"  # noqa: RUF001
        log = self._log_largest if self.decision is None else self._log_decided
        p = p_beside(self.alpha, pvalue_of(log), -log)
        if self.decision is None:
            most = 1.0 / self.alpha
            evidence = beside(-most, -self.evidence, 3).removeprefix("-")
            evidence = f"evidence {evidence}, of {most:.3g} for {level}; p = {p}"
            return f"undecided after {n}: {evidence}{self._means_in_words()}"
        finding = f"system 1 is {self.decision}"
        if self.decision == "differ":
            finding = "the outputs are not exchangeable (direction not shown)"
        decided = f"decided after {self.n_decided:,} of {n} at {level}; p was {p} then"
        return f"{finding}, {decided}{self._means_in_words()}"

    def _means_in_words(self) -> str:
        """Return what the confidence sequence says; "" without a range."""
        if self._means is None:
            return ""
        low, high = self._limits(self._means)
        ends = "no mean difference is left"
        if low < high:
            printed = fitting((low, high), (0.0,), self.statistic if self.n else None)
            ends = f"mean difference {' to '.join(printed)}"
        return f"; {ends} ({100 - 100 * self.alpha:g}% {SEQUENCE})"

    def __repr__(self) -> str:
        options = {"score_range": self.score_range, "largest_group": self.largest_group}
        known = "".join(f", {x}={y}" for x, y in options.items() if y is not None)
        return (
            f"SequentialTest(alpha={self.alpha:g}, scale={self.scale:g}{known}): n={self.n}, "
            f"evidence={self.evidence:.6g}, pvalue={self.pvalue:.6g}, decision={self.decision!r}"
        )
