"""A test that you may look at after every example.

Differences d of scores in [0, 1] come one after the other. For each λ, somebody bets the shares
b = tanh λ and b = -tanh λ of a capital on every d: it is multiplied by 1 + b d. The wealth K is the
mean of these products over all b.

Why it is valid. As -1 ≤ d ≤ 1, a factor is at least 1 - |b| > 0. If the mean of d is 0, given what
came before, every factor has the expectation 1. So K is a martingale that starts with 1 and is
never negative. By Ville's inequality [1]_ it ever reaches 1 / α with a probability of at most α.

Why the direction is right. Let the mean be Δ, and replace 1 + b d by 1 + b (d - Δ) / (1 + Δ) for
b > 0, and by 1 + b (d - Δ) / (1 - Δ) for b < 0. These factors have the expectation 1 too [2]_, and
K(Δ) ever reaches 1 / α with a probability of at most α. The first is 1 - b plus
b (1 + d) / (1 + Δ), and neither is negative. So a product is a polynomial in 1 / (1 + Δ) without
negative coefficients, which is convex and falls in Δ. The others are its mirror images. So K(Δ) is
convex. At the mean m of the differences so far the factors of each b have the mean 1, so their
product is at most 1, and K(m) ≤ 1. Let K(0) ≥ 1 / α and m > 0. Products of b < 0 are at most 1 at
m, and rise in Δ, so they are at most 1 at 0: the bets b > 0 have more of the wealth. If Δ ≤ 0 is
the true mean, convexity and K(m) < 1 / α ≤ K(0) say that K(Δ) ≥ 1 / α. So "better" is wrong with a
probability of at most α.

Rounding of K, with the unit u = 2^-53. It is rounded down, so that p is never too small.

- A difference is wrong by at most e = 12 u: two scores and their difference are rounded.
  log(1 + b d) is then wrong by at most |b| e / (1 + b d).
- numpy's log1p and logaddexp err by at most 4 units in the last place, 8 u |x|.
- The factors are added one after the other. An addition errs by u |S|, S being its result. So after
  n factors the error is at most the sum of all errors of factors and of all u |S|. That sum has n
  roundings itself; twice as much is allowed for, enough for n < 2^50.
- Each bet's logarithm is lowered by this. The mean of the bets takes 14 additions of logarithms,
  each wrong by 8 u (1 + |log K|): 2^-46 (1 + |log K|) is subtracted.

References
----------
.. [1] J. Ville, "Étude critique de la notion de collectif", 1939.
.. [2] I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting",
   Journal of the Royal Statistical Society B 86, 2024.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import InputError, shown
from pairedperm.inputs.numbers import read_pair
from pairedperm.options import ALPHA, Alpha, reads_options
from pairedperm.results.told import GivenNames, Number, Telling, Told, refuse_own
from pairedperm.results.words import beside, p_beside
from pairedperm.scoring.merging import float_column

_LAMBDAS = 0.05 * 2.0 ** np.arange(7)  # tuned: 0.05 to 3.2, for 52 % to 100 % wins
_BETS = np.tanh(np.stack([_LAMBDAS, -_LAMBDAS]))
_BATCH = 2**16  # tuned: differences that are bet on in one call
_UNIT = 2.0**-52  # proof: twice the unit of rounding
_OF_SCORES = 12.0 * _UNIT  # proof: two scores and their difference are rounded
_INEXACT = 2.0**-46  # proof: 14 additions of logarithms
Decision = Literal["better", "worse"] | None


class SequentialTest(Telling):
    """Do two systems differ? Look after every example, and stop once it is decided.

    Examples come one after the other, with the score of each system, from 0 to 1, such as right and
    wrong. The null hypothesis is that the mean difference of the scores is 0; so it is if the two
    systems' outputs are exchangeable. If it is true, it is rejected with a probability of at most
    α, however often you look and whenever you stop.

    Parameters
    ----------
    alpha : float
        The level, between 0 and 1.

    Attributes
    ----------
    alpha : float
        The parameter.
    evidence : float
        The current evidence against the null hypothesis, whichever system leads: the wealth of a
        bet that started with 1, rounded down. Infinite if it exceeds floats. But for rounding it
        does not depend on the order of the examples.
    pvalue : float
        1 over the largest evidence so far, at most 1, rounded up: rounding never makes it too
        small. It is valid at every look.
    decision : {"better", "worse", None}
        "better": system 1 scores higher; "worse": system 1 scores lower. None until the evidence
        first reaches 1 / α; the decision stays then. If lower is better, pass 1 minus the scores.
    n_decided : int or None
        The number of examples at the decision; None before.
    n, n_differing : int
        The number of examples so far, and of examples on which the scores differ.
    statistic : float
        The mean difference of the scores so far; NaN before the first example.

    Raises
    ------
    InputError
        If `alpha` is not between 0 and 1.

    Notes
    -----
    The evidence is the mean of the products of 1 + b d over the differences d of the examples, for
    the bets b = ±tanh 0.05, ±tanh 0.1, …, ±tanh 3.2. By Ville's inequality [1]_ it ever reaches
    1 / α with a probability of at most α if the mean of d is 0. The direction is wrong with a
    probability of at most α, whatever the sizes of the differences, if the mean stays the same:
    shuffle the examples. `comparison/sequential.py` has the proofs. The test is for means; it
    cannot test F1.

    References
    ----------
    .. [1] J. Ville, "Étude critique de la notion de collectif", 1939.

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

    >>> test = SequentialTest()
    >>> test.update([0.9, 0.7, 0.8, 1.0] * 10, [0.4, 0.5, 0.1, 0.6] * 10)
    'better'
    """

    @reads_options
    def __init__(self, alpha: Alpha = ALPHA) -> None:
        self.alpha = alpha
        self.n = 0
        self.n_differing = 0
        self.n_decided: int | None = None
        self._leader: Decision = None
        self._total = 0.0
        self._log_evidence = self._log_largest = self._log_decided = 0.0
        self._wealth = _Wealth()

    @property
    def decision(self) -> Decision:
        """What is decided: which system is better; None before."""
        return self._leader

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
        return _pvalue_of(self._log_largest)

    def update(self, score1: Any, score2: Any) -> Decision:
        """Add one example, or several in their order, and return the decision.

        Parameters
        ----------
        score1, score2 : number, or sequence of numbers, length n
            The scores of the two systems on the example, or on each example; from 0 to 1.

        Returns
        -------
        {"better", "worse", None}
            The attribute `decision`, also if it was made earlier.

        Raises
        ------
        InputError
            If a score is missing, no number, or not from 0 to 1. If lengths differ. Then no example
            is added.
        """
        one, two = _read(score1, score2)
        differences = one - two
        for start in range(0, differences.size, _BATCH):
            self._bet(differences[start : start + _BATCH], self.n + start)
        self._total += math.fsum(differences.tolist())
        self.n += differences.size
        return self.decision

    def _bet(self, differences: FloatArray, n_before: int) -> None:
        """Multiply the factors of the differences one after the other."""
        places = np.flatnonzero(differences)
        if not places.size:
            return
        self.n_differing += places.size
        sides, evidence = self._wealth.after(differences[places])
        self._log_evidence = float(evidence[-1])
        self._log_largest = max(self._log_largest, float(evidence.max()))
        if self._leader is None and self.pvalue <= self.alpha:
            first = next(k for k, x in enumerate(evidence) if _pvalue_of(x) <= self.alpha)
            self._log_decided = float(evidence[first])
            self._leader = "better" if sides[0, first] > sides[1, first] else "worse"
            self.n_decided = n_before + int(places[first]) + 1

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; the level is its own, and there are no names."""
        refuse_own(names=names, alpha=alpha)
        cells = {
            "examples": Number(f"{self.n:,}", self.n),
            "differ": Number(f"{self.n_differing:,}", self.n_differing),
            "difference": Number(f"{self.statistic:.3g}" if self.n else "", self.statistic),
            "evidence": Number(f"{self.evidence:.3g}", self.evidence),
            "p": p_beside(self.alpha, self.pvalue, -self._log_largest),
            "decision": self.decision or "undecided",
        }
        return Told([*cells], [[*cells.values()]], [self._sentence()])

    def _sentence(self) -> str:
        n = f"{self.n:,} example{'' if self.n == 1 else 's'}"
        level = f"α = {self.alpha:g}"  # noqa: RUF001
        log = self._log_largest if self.decision is None else self._log_decided
        p = p_beside(self.alpha, _pvalue_of(log), -log)
        if self.decision is None:
            most = 1.0 / self.alpha
            evidence = beside(-most, -self.evidence, 3).removeprefix("-")
            evidence = f"evidence {evidence}, of {most:.3g} for {level}; p = {p}"
            return f"undecided after {n}: {evidence}"
        decided = f"decided after {self.n_decided:,} of {n} at {level}; p was {p} then"
        return f"system 1 is {self.decision}, {decided}"

    def __repr__(self) -> str:
        return (
            f"SequentialTest(alpha={self.alpha:g}): n={self.n}, "
            f"evidence={self.evidence:.6g}, pvalue={self.pvalue:.6g}, decision={self.decision!r}"
        )


def _read(score1: Any, score2: Any) -> FloatArray:
    """Read the scores of one example, or of several in their order; shape (2, n)."""
    columns = [[x] if _is_one(x) else x for x in (score1, score2)]
    pair = read_pair("score1", columns[0], "score2", columns[1])
    scores = np.stack([float_column(f"score{k}", x) for k, x in enumerate(pair, 1)])
    for k, column in enumerate(scores, 1):
        is_wrong = (column < 0.0) | (column > 1.0)
        if is_wrong.any():
            raise InputError(
                f"`score{k}`",
                must="be from 0 to 1",
                got=shown(float(column[is_wrong.argmax()])),
                remedy="Divide the scores of both systems by their range",
            )
    return scores


def _is_one(scores: Any) -> bool:
    """Return True for the score of one example."""
    has_no_items = isinstance(scores, (str, bytes)) or not hasattr(scores, "__iter__")
    return has_no_items or getattr(scores, "shape", None) == ()


class _Wealth:
    """The wealth of all bets together, rounded down."""

    def __init__(self) -> None:
        self._logs, self._errors = np.zeros((2, 2, _LAMBDAS.size))

    def after(self, differences: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Multiply the factors of the differences one after the other.

        Returns
        -------
        tuple of float array, shapes (2, n) and (n,)
            After each factor: the logarithms of what the bets of both signs add to the wealth, and
            that of the wealth.
        """
        logs = np.log1p(np.multiply.outer(_BETS, differences))
        errors = _OF_SCORES * np.abs(_BETS)[..., None] * np.exp(-logs)
        errors += 8.0 * _UNIT * np.abs(logs)
        logs[..., 0] += self._logs
        logs = np.cumsum(logs, axis=-1)
        errors += _UNIT * np.abs(logs)
        errors[..., 0] += self._errors
        errors = np.cumsum(errors, axis=-1)
        self._logs, self._errors = logs[..., -1], errors[..., -1]
        sides = np.logaddexp.reduce(logs - errors, axis=1) - math.log(_BETS.size)
        wealth = np.logaddexp(*sides)
        return sides, np.asarray(wealth - _INEXACT * (1.0 + np.abs(wealth)))


def _pvalue_of(log_wealth: float) -> float:
    """Return 1 / wealth, at most 1, rounded up; exp is right to a unit in the last place."""
    p = math.exp(min(-log_wealth, 0.0))
    return min(math.nextafter(math.nextafter(p, 1.0), 1.0), 1.0)
