"""One system beside a number: may it pass, and how many examples tell?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.convolution.root import find_root
from pairedperm.errors import InputError, describe
from pairedperm.options import Alternative, is_number
from pairedperm.population.laws import NORMAL
from pairedperm.population.one import PvaluesBeside, pvalues_beside, trials_of
from pairedperm.population.shares import MOST_NEEDED
from pairedperm.results.decisions import (
    AnyRequirement,
    NumberRequirement,
    Verdict,
)
from pairedperm.results.power import Question, ThresholdPower
from pairedperm.results.score import NumberGateResult, NumberReason, ScoreInterval

_OF_REASONS: dict[NumberReason, Verdict] = {  # of other reasons: "pass"
    "below": "fail",
    "not shown above": "fail",
    "perhaps beyond the margin": "inconclusive",
    "no interval": "inconclusive",
}


def gate_score(
    score: ScoreInterval,
    threshold: float | None,
    margin: float | str | None,
    require: AnyRequirement,
    alpha: float,
) -> NumberGateResult:
    """Decide on a score beside a number, as `gate` does."""
    if threshold is None:
        raise InputError("threshold", "is missing", remedy="Give the number, such as 0.86")
    if isinstance(margin, str):
        remedy = "Give it in units of the score"
        raise InputError("margin", "is a share of a baseline's score", remedy=remedy)
    if require == "better":
        raise InputError("require", must="be 'not worse' or 'above' a number", got="'better'")
    if margin is not None and require == "above":
        raise InputError("margin", "says what is enough below", remedy="leave out require='above'")
    sample, sign = score.sample, -1.0 if score.lower_is_better else 1.0
    best_first = sample.limits[:: -1 if sign > 0.0 else 1]
    shown = threshold - sign * (margin or 0.0)
    _check_number(threshold, shown, margin, require, best_first, sign)
    asked = pvalues_beside(sample, shown, alpha)
    at_number = asked if margin is None else pvalues_beside(sample, threshold, alpha)
    reason, pvalue = _reason_of_number(asked, at_number, margin, require, alpha, sign)
    trials, to_pass, to_fail = trials_of(sample), None, None
    if trials is not None and trials.m:
        is_to_fail = require == "not worse" and margin is None
        n = trials.fewest(shown, alpha, is_best=(sign > 0.0) is not is_to_fail)
        if n > trials.m:
            to_pass, to_fail = (None, n) if is_to_fail else (n, None)
    return NumberGateResult(
        verdict=_OF_REASONS.get(reason, "pass"),
        reason=reason,
        score=score.at(1.0 - 2.0 * alpha),
        threshold=threshold,
        margin=margin,
        require=require,
        alpha=alpha,
        pvalue=pvalue,
        fewest_to_pass=to_pass,
        fewest_to_fail=to_fail,
    )


def _check_number(
    threshold: float,
    shown: float,
    margin: float | None,
    require: NumberRequirement,
    best_first: Sequence[float],
    sign: float,
) -> None:
    """Raise InputError if the number is no score, no score could pass, or none could fail."""
    low, high = sorted(best_first)
    if not low <= threshold <= high:
        must = f"lie between {low:g} and {high:g}, as the score does"
        raise InputError("threshold", must=must, got=describe(threshold))
    best, worst = (sign * x for x in best_first)
    if require == "above" and sign * threshold >= best:
        raise InputError("threshold", "is the best score", remedy="No score is shown to be better")
    if margin is None and require == "not worse" and sign * threshold <= worst:
        raise InputError("threshold", "is the worst score", remedy="No score is worse")
    if margin is not None and sign * shown <= worst:
        must = f"be below {abs(threshold - best_first[1]):g}, the distance to the worst score"
        raise InputError("margin", must=must, got=describe(margin))


def _reason_of_number(
    asked: PvaluesBeside | None,
    at_number: PvaluesBeside | None,
    margin: float | None,
    require: NumberRequirement,
    alpha: float,
    sign: float,
) -> tuple[NumberReason, float | None]:
    """Return what decides, and its p."""
    if asked is None or at_number is None:
        return "no interval", None
    better, worse = (x[:: int(sign)] for x in (asked, at_number))
    of_better, of_worse = better[0], worse[1]
    if margin is None and require == "not worse":
        return ("below" if of_worse <= alpha else "not shown below"), of_worse
    if margin is None:
        return ("above" if of_better <= alpha else "not shown above"), of_better
    if of_better <= alpha:
        return ("above" if worse[0] <= alpha else "within the margin"), of_better
    return ("below" if of_worse <= alpha else "perhaps beyond the margin"), of_better


_AROUND = 400  # tuned: as many more or fewer examples than a normal law needs are tried


def _tail(k: FloatArray, n: FloatArray, share: float) -> FloatArray:
    """Return P(Bin(n, share) ≤ k)."""
    from scipy.special import betainc

    few = np.clip(k, 0.0, n - 1.0)
    tail = betainc(n - few, few + 1.0, 1.0 - share)
    return np.where(k < 0.0, 0.0, np.where(k < n, tail, 1.0))


@dataclass(frozen=True)
class _Plan:
    """Examples of one system with a supposed score, to be shown on one side of a number.

    `deviation` is √n times the standard error; None if every example is right or wrong.
    """

    score: float
    deviation: float | None
    number: float
    side: int
    alpha: float

    def powers(self, n: FloatArray) -> FloatArray:
        """Return how often so many examples show it: exactly, or by the normal approximation.

        k of n are right, k ~ Bin(n, J). They show that J is below t if P(Bin(n, t) ≤ k) ≤ α.
        """
        if self.deviation is not None:
            far = self.side * (self.score - self.number) * np.sqrt(n) / (self.deviation or 1e-300)
            from scipy.special import ndtr

            return np.asarray(ndtr(far + NORMAL.inv_cdf(self.alpha)))
        from scipy.special import bdtrik

        shares = self.score, self.number
        share, number = shares if self.side < 0 else (1.0 - x for x in shares)  # of the wrong ones
        near = np.nan_to_num(np.floor(bdtrik(self.alpha, n, number)), nan=-1.0)
        most = near - (_tail(near, n, number) > self.alpha)
        most = most + (_tail(most + 1.0, n, number) <= self.alpha)
        return _tail(most, n, share)

    def n_needed(self, power: float) -> int | None:
        """Return the least n such that n to 1.1 n have this power; None if there is none."""
        of_number, of_score = (
            math.sqrt(x * (1.0 - x)) if self.deviation is None else self.deviation
            for x in (self.number, self.score)
        )
        spread = NORMAL.inv_cdf(power) * of_score - NORMAL.inv_cdf(self.alpha) * of_number
        guess = (spread / (self.score - self.number)) ** 2
        if guess > 1.2 * MOST_NEEDED:
            return None
        first, last = max(int(0.8 * guess) - _AROUND, 0), int(1.4 * guess) + _AROUND
        n = np.arange(first + 1.0, last + 1.0)
        few = np.append(first, np.flatnonzero(self.powers(n) < power) + first + 1)
        enough = few[11 * (few + 1) // 10 < np.append(few[1:], last + 1)] + 1
        return int(enough[0]) if enough.size and enough[0] <= MOST_NEEDED else None

    def detectable(self, n: int, power: float) -> float | None:
        """Return the score nearest to the number that n examples show with this power, if any."""
        end = self.number + self.side * 100.0 * (self.deviation or 0.0)
        if self.deviation is None:
            end = float(self.side > 0)

        def excess(score: float) -> float:
            return float(replace(self, score=score).powers(np.array([n]))[0]) - power

        if excess(end) < 0.0:
            return None
        return find_root(excess, self.number, end)


def plan_beside(
    question: Question,
    pilot: Any,
    threshold: float,
    *,
    alpha: float,
    alternative: Alternative,
    margin: float | None = None,
    n: int | None = None,
    power: float | None = None,
) -> ThresholdPower:
    """Answer a question of planning for one system beside a number.

    Raises
    ------
    InputError
        If the pilot is neither a share of right answers nor a score with a standard error; if no
        number of examples shows the supposed score on its side of the number.
    """
    score, deviation, is_lower = _read_pilot(pilot)
    shown: float | None = score
    number = threshold + (margin or 0.0) * (1.0 if is_lower else -1.0)
    side = {"less": -1, "greater": 1, "two-sided": 1 if score > number else -1}[alternative]
    if margin is not None:
        side = -1 if is_lower else 1
    plan = _Plan(score, deviation, number, side, alpha)
    if deviation is None and not 0.0 < number < 1.0:
        must = "lie between 0 and 1, less a margin too"
        raise InputError("threshold", must=must, got=describe(threshold))
    if question == "minimum_detectable_difference":
        assert n is not None
        assert power is not None
        shown = plan.detectable(n, power)
    elif question == "examples_needed":
        if side * (score - number) <= 0.0:
            where = "below" if side < 0 else "above"
            what = f"is {score:g}: no number of examples shows it {where} {number:g}"
            raise InputError("pilot", what, remedy="Suppose another score")
        assert power is not None
        n = plan.n_needed(power)
    found = None
    if n is not None and shown is not None:
        found = float(replace(plan, score=shown).powers(np.array([n]))[0])
    return ThresholdPower(
        question=question,
        power=found,
        n=n,
        score=shown,
        threshold=threshold,
        margin=margin,
        alternative="less" if side < 0 else "greater",
        alpha=alpha,
        target=power,
        n_pilot=pilot.n if isinstance(pilot, ScoreInterval) else None,
        method="exact" if deviation is None else "normal approximation",
    )


def _read_pilot(pilot: Any) -> tuple[float, float | None, bool]:
    """Return the supposed score, √n times its standard error, and whether lower is better."""
    if is_number(pilot) and 0.0 <= pilot <= 1.0:
        return float(pilot), None, False
    if not isinstance(pilot, ScoreInterval):
        must = "be the supposed share of right answers, between 0 and 1, or a score_interval"
        raise InputError("pilot", must=must, got=describe(pilot))
    trials, error = trials_of(pilot.sample), pilot.standard_error
    if trials is not None and not trials.is_f1 and trials.m == pilot.n:
        return pilot.score, None, pilot.lower_is_better
    if not error:
        raise InputError("pilot", "has a score without a standard error", remedy="Give a share")
    return pilot.score, error * math.sqrt(pilot.n_groups or pilot.n), pilot.lower_is_better
