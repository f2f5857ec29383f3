"""The power of a planned test, the examples that it needs, and what it can detect.

A pilot gives the law of its examples, and the power to show what they promise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Any, overload

import numpy as np

from pairedperm.comparison.decide import LEAST_ALPHA, POWER, THRESHOLD, Margin, check_margin
from pairedperm.comparison.threshold import plan_beside
from pairedperm.errors import InputError, describe
from pairedperm.options import (
    ALPHA,
    CONFIDENCE_LEVEL,
    Alpha,
    Alternative,
    Interval,
    Whole,
    is_number,
    reads_options,
)
from pairedperm.population.evidence import Evidence
from pairedperm.population.intervals import (
    EXACT_INTERVAL,
    FEWEST_DIFFERING,
    GUARANTEED,
    MOST_MEASURED,
    IntervalKind,
)
from pairedperm.population.laws import (
    NORMAL,
    SHARES,
    EstimatedPower,
    OutcomesLaw,
    ScoresLaw,
    edge_of,
    fewest_differing,
    growth_needed,
    least_sufficient,
    upper_tails,
)
from pairedperm.population.shares import MOST_NEEDED, fewest_without_loss
from pairedperm.results.power import DRAWS, PowerResult, Question, ThresholdPower
from pairedperm.results.result import PairedResult
from pairedperm.results.words import sampling_unit
from pairedperm.scoring.arguments import read_counts
from pairedperm.scoring.counts import PairedCounts

_TOO_MUCH = 1e-12  # proof: rounding lets two shares exceed 1 by less


def read_pilot(pilot: Any, alpha: float) -> Plan:
    """Read the pilot.

    Raises
    ------
    InputError
        If it is no pilot, has only one example, or has no example that differs.
    """
    if isinstance(pilot, PairedResult):
        if pilot.score1 is None:
            must, remedy = "be a comparison of scores", "a statistic has none"
            raise InputError("pilot", must=must, remedy=remedy)
        evidence = pilot.evidence_for("pilot")
        return Plan(_law_of(evidence), alpha, evidence, pilot)
    if isinstance(pilot, PairedCounts):
        if pilot.metric is None and pilot.rows1.ndim != 1:
            must, why = "count one number per example", "rows have no score of their own"
            instead = "Pass the result of `paired_permutation_test` with its `score`"
            raise InputError("pilot", must=must, got=repr(pilot), remedy=(why, instead))
        evidence = Evidence(*read_counts("pilot", pilot))
        return Plan(_law_of(evidence), alpha, evidence)
    return Plan(_read_shares(pilot), alpha)


def _law_of(evidence: Evidence) -> OutcomesLaw | ScoresLaw:
    """Return the law of a pilot's examples if they tell how they vary and differ."""
    rows = evidence.drawn[0]
    what = f"{sampling_unit(evidence.rows)}s"
    if rows.n < 2:
        remedy = "it does not tell how they vary", "Some dozens do"
        raise InputError(f"`pilot` has only one of the {what}", remedy=remedy)
    if not rows.n_differing:
        raise no_difference(
            f"on all of its {rows.n:,} {what} both systems score the same",
            "Say which shares you expect to differ, such as ",
        )
    return evidence.law or ScoresLaw.of(*evidence.drawn)


def _read_shares(pilot: Any) -> OutcomesLaw:
    """Return the law of the shares of wins and losses."""
    must = (
        "be a result of `compare` or `paired_permutation_test`, a PairedCounts, or the shares of "
        "examples that speak for system 1 and for system 2, such as (0.06, 0.03)"
    )
    is_pair = isinstance(pilot, (tuple, list)) and len(pilot) == 2
    if is_pair and all(map(is_number, pilot)):
        must = (
            "be two shares of at least 0 and together at most 1, such as (0.06, 0.03) for 6 % and "
            "3 % of all examples"
        )
        are_shares = all(0.0 <= x <= 1.0 + _TOO_MUCH for x in pilot)
        if are_shares and sum(map(float, pilot)) <= 1.0 + _TOO_MUCH:
            better, worse = map(float, pilot)
            if better + worse == 0.0:
                raise no_difference("both of its shares are 0")
            return OutcomesLaw(better, worse)
    raise InputError("pilot", must=must, got=describe(pilot))


def no_difference(why: str, before_shares: str = "") -> InputError:
    """Return the error for a pilot whose two systems score the same."""
    advice = f"{before_shares}{SHARES}" if before_shares else ""
    return InputError("pilot", "has no difference", remedy=(why, advice))


_NEXT_TO_NO_MARGIN = 1e-300  # tuned: no larger numbers are printed than of this margin
_LEVEL_ROUNDING = 1e-12  # proof: relative; (1 - 0.99) / 2 is above 0.005 in floats
_FEWEST = 2  # proof: one example has no interval


@dataclass(frozen=True, eq=False)
class Plan:
    """What examples like a pilot's are to show: a p of at most alpha, or a loss below a margin.

    Attributes
    ----------
    law : OutcomesLaw or ScoresLaw
    alpha : float
    evidence : Evidence or None
        Of the pilot; None of shares that were given.
    result : PairedResult or None
        The pilot, if it is one.
    nothing : float
        The difference that shows nothing: 0, or a loss as large as the margin.
    n_without_loss : int or None
        The fewest examples, at least 2, that show a loss below the margin if none differs. None if
        the interval is asymptotic, not exact.
    side : {0, 1, -1}
        Which system is to score higher, 1 the first; 0 of a two-sided test.
    """

    law: OutcomesLaw | ScoresLaw
    alpha: float
    evidence: Evidence | None = None
    result: PairedResult | None = None
    nothing: float = 0.0
    n_without_loss: int | None = None
    side: int = 0

    def on(self, alternative: Alternative) -> Plan:
        """Return the plan of a test of this alternative."""
        side = {"two-sided": 0, "greater": 1, "less": -1}[alternative]
        if side and self.alpha >= 0.5:
            raise InputError("alpha", must="be below 0.5 of one side", got=describe(self.alpha))
        return replace(self, side=side)

    def shifted(self, margin: float | None) -> Plan:
        """Return the plan to show a loss below the margin, if there is one.

        Raises
        ------
        InputError
            If no interval tests the margin at this level.
        """
        if margin is None:
            return self
        if self.side:
            remedy = "a margin is of one side already"
            raise InputError("alternative", "is given with a margin", remedy=remedy)
        metric = sample = None
        if self.evidence is not None:
            metric, sample = self.evidence.metric, self.evidence.sample
        kind = EXACT_INTERVAL if sample is None else sample.own_kind
        if kind == GUARANTEED:
            raise InputError(
                "pilot",
                "has the guaranteed interval, and its power with a margin is not known",
                remedy="Give a pilot without `largest_group`, whose examples do not all differ "
                "alike",
            )
        is_exact = kind == EXACT_INTERVAL
        least = LEAST_ALPHA if is_exact else (1.0 - MOST_MEASURED) / 2.0
        if not least * (1.0 - _LEVEL_ROUNDING) <= self.alpha < 0.5:
            raise InputError(
                "alpha",
                must=f"be from {least:g} to below 0.5 with a margin of such scores",
                got=describe(self.alpha),
                remedy="" if is_exact else "Their interval is asymptotic, and measured up to there",
            )
        bound, what = 1.0, "right and wrong"
        if sample is not None:
            bound, what = sample.bound, "scores 0 or 1" if metric is None else metric.name
        check_margin(margin, bound, what)
        nothing = margin if metric is not None and metric.lower_is_better else -margin
        if not isinstance(self.law, OutcomesLaw) or not is_exact:
            return replace(self, nothing=nothing)
        find = fewest_without_loss if sample is None else sample.fewest_without_loss
        fewest = find(margin, self.alpha)
        if fewest is None:  # about the n with 1 - α^(1/n) = margin
            share = max(margin / bound * self.law.share_counted, _NEXT_TO_NO_MARGIN)
            fewest = math.ceil(-math.log(self.alpha) / share)
        return replace(self, nothing=nothing, n_without_loss=max(fewest, _FEWEST))

    @property
    def margin(self) -> float | None:
        """The loss that is to be excluded, in units of the score."""
        return abs(self.nothing) or None

    @property
    def is_exact(self) -> bool:
        """Whether an exact test or interval decides."""
        flips = isinstance(self.law, OutcomesLaw)
        return flips if self.margin is None else self.n_without_loss is not None

    @property
    def distance(self) -> float:
        """By how much the supposed difference is better than one that shows nothing."""
        return (self.law.difference - self.nothing) * (-1.0 if self.nothing > 0.0 else 1.0)

    def _pilot_interval(self) -> tuple[float, float] | None:
        """Return the 95 % interval of the difference; wins, losses and ties have the exact one."""
        result, evidence = self.result, self.evidence
        if evidence is None:
            return None
        is_exact = isinstance(self.law, OutcomesLaw) and evidence.sample.own_kind != GUARANTEED
        kind: IntervalKind = "exact" if is_exact else "auto"
        if result and (result.test, result.alternative) == ("permutation", "two-sided"):
            low, high = result.confidence_interval(CONFIDENCE_LEVEL, kind=kind)
        else:
            low, high = evidence.interval(CONFIDENCE_LEVEL, kind=kind)
        return low, high

    def power(self, n: int) -> EstimatedPower:
        """Return how often n examples show it.

        A margin is shown if the interval lies on one side of it. The score counts K of the
        examples, all or K ~ Bin(n, c), such as those with the label of a recall. M of them differ,
        M ~ Bin(K, p + q), and W of these are wins, W ~ Bin(M, p / (p + q)). The interval shows it
        if W is large enough for M and K. Otherwise it is the normal approximation: for scores that
        are not right or wrong, and where K or M may be any of too many numbers. Of the former fewer
        than 30 differing examples count as not enough.

        The error of that is about the term of its Edgeworth series with the skewness of the
        influences, and one share of the examples that differ.
        """
        if self.margin is None:
            return self.law.power(n, self.alpha, self.side)
        if n < _FEWEST:
            return EstimatedPower(0.0, 0.0)
        law, step = self.law, 0.0
        if isinstance(law, OutcomesLaw) and self.is_exact:
            if (shown := law.shown(n, self.nothing, self.alpha)) is not None:
                return EstimatedPower(shown, 0.0)
            step = law.size
        (deviation, _, skewness), share = law.moments, law.share_differing
        distance, edge = self.distance - step / n, edge_of(2.0 * self.alpha)
        far, of_null = abs(distance) * math.sqrt(n), edge * deviation
        right, wrong = (
            (x - of_null) / deviation if deviation else math.copysign(40.0, x) for x in (far, -far)
        )
        shown = NORMAL.cdf(right if distance > 0.0 else wrong)
        size = abs(skewness) / (6.0 * math.sqrt(n))
        error = size * (2.0 * right**2 + 1.0) * NORMAL.pdf(right) + 1.0 / max(n * share, 1.0)
        if not self.is_exact:
            fewest = np.array([FEWEST_DIFFERING])
            shown *= float(upper_tails(np.array([n]), fewest, min(share, 1.0))[0])
        return EstimatedPower(shown, 0.0, min(error, 1.0))

    def n_needed(self, power: float) -> int | None:
        """Return about the least n with this power; None if there is none up to `MOST_NEEDED`.

        Exact powers suffice for n to 1.1 n; of a margin's every hundredth is asked. The search
        starts at the n of the normal approximation, (distance - step / n) √n = z₁ σ₁ + z₂ σ₂.
        """
        has_margin, law, distance = self.margin is not None, self.law, abs(self.distance)
        if isinstance(law, OutcomesLaw) and not has_margin:
            return law.n_needed(power, self.alpha, self.side)
        if distance == 0.0:
            return None
        deviation, of_swaps, _ = law.moments
        level = 2.0 * self.alpha if has_margin or self.side else self.alpha
        edge = edge_of(level)
        step = law.size if isinstance(law, OutcomesLaw) and self.is_exact else 0.0
        of_null = edge * (deviation if has_margin else of_swaps)
        spread = max(of_null + NORMAL.inv_cdf(power) * deviation, 0.0)
        root = math.sqrt(spread**2 + 4.0 * distance * step)
        fewest = FEWEST_DIFFERING if has_margin else fewest_differing(level)
        floor = self.n_without_loss or fewest / law.share_differing  # with wins fewer may do
        guess = max(((spread + root) / (2.0 * distance)) ** 2, floor)
        if guess > MOST_NEEDED:
            return None

        def lack(n: int) -> float:
            return growth_needed(self.power(n).power, power, edge)

        least = _FEWEST if self.is_exact or not has_margin else math.ceil(floor)
        n = least_sufficient(lack, math.ceil(guess), least, 2)
        while has_margin and n is not None and n <= MOST_NEEDED:
            some = range(n, 11 * n // 10 + 1, max(n // 100, 1))
            few = next((x for x in some if self.power(x).power < power), None)
            if few is None:
                return n
            n = few + 1
        return None if has_margin else n

    def at_ends(self, power: float) -> dict[str, Any]:
        """Return the pilot's interval and the examples needed at its ends.

        The first end is the one nearer to 0, or to a loss of the margin.
        """
        if (interval := self._pilot_interval()) is None:
            return {}
        distance, needed = self.law.difference - self.nothing, []
        for end in interval if distance > 0.0 else interval[::-1]:
            is_other_side = (end - self.nothing) * distance <= 0.0
            law = None if is_other_side or not math.isfinite(end) else self.law.at(end)
            needed.append(None if law is None else replace(self, law=law).n_needed(power))
        return {"pilot_interval": interval, "n_at_ends": tuple(needed)}


_Planned = Annotated[int, Whole(most=10**8)]  # tuned: the power of so many takes some seconds
_Power = Annotated[float, Interval(0.0, 1.0, "neither", words="above `alpha` and below 1")]


@overload
def power(
    pilot: Any,
    n: _Planned,
    alpha: Alpha = ...,
    *,
    margin: Margin | None = ...,
    alternative: Alternative = ...,
    threshold: None = ...,
) -> PowerResult: ...


@overload
def power(
    pilot: Any,
    n: _Planned,
    alpha: Alpha = ...,
    *,
    margin: Margin | None = ...,
    alternative: Alternative = ...,
    threshold: float,
) -> ThresholdPower: ...


@reads_options
def power(
    pilot: Any,
    n: _Planned,
    alpha: Alpha = ALPHA,
    *,
    margin: Margin | None = None,
    alternative: Alternative = "two-sided",
    threshold: Annotated[float, THRESHOLD] | None = None,
) -> PowerResult | ThresholdPower:
    """How likely is it that a test of so many examples finds a significant difference?

    Parameters
    ----------
    pilot : PairedResult, PairedCounts, or (float, float)
        A pilot: the comparison of some dozens of examples, or their counts. Or two shares of all
        examples, at least 0 and together at most 1: those that speak for system 1, and for
        system 2.
    n : int
        The number of examples of the test, or of groups if the pilot has groups; at most 10^8.
    alpha : float
        The level of the two-sided test, between 0 and 1. With a margin: of the one statement, below
        0.5.
    margin : float or None
        The smallest loss that matters, in units of the score. Then the power is the probability
        that `equivalence_test` and `gate` show system 1 to be less than that worse. Shares such as
        (0.05, 0.05) say that both systems are equally good.
    alternative : {"two-sided", "greater", "less"}
        "greater": the test is to show that system 1 scores higher. With a threshold "two-sided" is
        the side on which the pilot's score lies.
    threshold : float or None
        A number that one system is to be shown above or below, see `gate`. The pilot is its
        supposed share of right answers, such as 0.8, or a `score_interval`. With a margin it is to
        be shown better than the number less the margin.

    Returns
    -------
    PowerResult or ThresholdPower
        To print; `summary` is a paragraph for a preregistration.

    Raises
    ------
    InputError
        If the pilot has only one example or group, or none that differs. If it has no scores, or
        counts rows without a metric. If it was pickled without its score function. If the shares
        are invalid. If a number or a level is out of range. If the score is no mean and has no
        derivatives. If a margin is not below the largest difference of the metric, or scores that
        are not right or wrong are tested at a level below 0.005.

    Notes
    -----
    If every example is a win, a loss or a tie, as with labels, the power is exact [1]_. M of the n
    examples differ, M ~ Bin(n, p₊ + p₋), and W of these are wins, W ~ Bin(M, p₊ / (p₊ + p₋)). The
    test rejects if min(1, 2 P(Bin(M, ½) ≥ max(W, M - W))) ≤ α.

    Otherwise n of the pilot's examples, or groups, are drawn 4,000 times, with a fixed seed. Let d
    be by how much an example speaks for system 1: half of what its swap takes from the difference,
    to first order. A draw is significant if ``|Σ d| - u / 2 > z √Σ d²``, u the smallest ``|d|``,
    and if so many examples differ that p can reach α. The power is within 5 percentage points of
    that of whole tests if n (E d²)² / E d⁴ ≥ 4. Below that a few examples decide, and it may be 30
    points too small; `approximation_error` says so.

    With a margin, the power of the exact interval of right and wrong is summed over the numbers of
    wins and losses, and of the examples that the score counts, as recall counts those with its
    label. Of other scores it is the normal approximation of the studentised interval, and
    fewer than 30 differing examples count as not enough. `gate` may show it with fewer, where the
    range of the scores is known. The approximation also takes over where more than about 6,000
    examples differ, or the score may count any of more than 100 numbers of examples.

    The difference of a pilot is uncertain. It tends to be too large if it was the reason to go on.
    `examples_needed` also uses the ends of its interval.

    References
    ----------
    .. [1] S. W. Duffy, "Asymptotic and exact power for the McNemar test and its analogue with R
       controls per case", Biometrics 40, 1984.

    Examples
    --------
    >>> from pairedperm import power
    >>> found = power((0.06, 0.03), n=1000)
    >>> round(found.power, 3)
    0.873
    """
    if threshold is not None:
        how: dict[str, Any] = {"alpha": alpha, "alternative": alternative, "margin": margin}
        return plan_beside("power", pilot, threshold, n=n, **how)
    return _result("power", read_pilot(pilot, alpha).on(alternative).shifted(margin), n)


@overload
def examples_needed(
    pilot: Any,
    power: _Power = ...,
    alpha: Alpha = ...,
    *,
    margin: Margin | None = ...,
    alternative: Alternative = ...,
    threshold: None = ...,
) -> PowerResult: ...


@overload
def examples_needed(
    pilot: Any,
    power: _Power = ...,
    alpha: Alpha = ...,
    *,
    margin: Margin | None = ...,
    alternative: Alternative = ...,
    threshold: float,
) -> ThresholdPower: ...


@reads_options
def examples_needed(
    pilot: Any,
    power: _Power = POWER,
    alpha: Alpha = ALPHA,
    *,
    margin: Margin | None = None,
    alternative: Alternative = "two-sided",
    threshold: Annotated[float, THRESHOLD] | None = None,
) -> PowerResult | ThresholdPower:
    """How many examples does a test need to find a difference like the pilot's?

    The power of an exact test may fall when examples are added. The answer n is the least number
    such that n to 1.1 n examples all have the power.

    Parameters
    ----------
    pilot, alpha, margin, alternative, threshold
        See `power`.
    power : float
        The power that is asked for, above `alpha` and below 1.

    Returns
    -------
    PowerResult or ThresholdPower
        To print. `n` is the number, or None if it is more than a million. `n_at_ends` are
        the numbers for the ends of the pilot's 95 % interval.

    Raises
    ------
    InputError
        As `power`. If `power` is out of range. Without a margin: if both systems of the pilot score
        the same. With one: if system 1 of the pilot is worse by the margin or more.

    Notes
    -----
    For wins, losses and ties the number is exact. At an end of the pilot's interval, the exact one,
    the shares are the likeliest ones with that difference.

    Otherwise the number is approximate, and uncertain by some percent: it is about the least whose
    power, by draws, suffices. At an end, the pilot's examples have the weights exp(λ v), where v is
    the influence of an example on the difference. Cost: some 20 powers, of up to 0.1 s each, and
    the pilot's interval.

    With a margin the answer suffices, and so do those up to 1.1 times as large, of which every
    hundredth is asked. Below it only about that many are too few: with few examples a smaller one
    may do. `n_at_ends` begins with the end that is nearer to a loss of the margin.

    Examples
    --------
    >>> from pairedperm import examples_needed
    >>> examples_needed((0.06, 0.03)).n
    830
    >>> examples_needed((0.05, 0.05), margin=0.02).n
    1647
    """
    _check_power(power, alpha)
    if threshold is not None:
        how: dict[str, Any] = {"alpha": alpha, "alternative": alternative, "margin": margin}
        return plan_beside("examples_needed", pilot, threshold, power=power, **how)
    plan = read_pilot(pilot, alpha).on(alternative).shifted(margin)
    if margin is None and plan.distance == 0.0:
        raise no_difference(
            "as many examples speak for either system",
            "Say by how much they should differ, such as ",
        )
    if plan.side * plan.distance < 0.0:
        what = f"has a difference of {plan.distance:.3g}, which is on the other side"
        raise InputError("pilot", what, remedy="Ask for the other alternative")
    if margin is not None and plan.distance <= 0.0:
        raise InputError(
            "margin",
            must=f"be above the supposed loss, {abs(plan.law.difference):.3g}",
            got=describe(margin),
            remedy="No number of examples shows that such a loss is below it",
        )
    n = plan.n_needed(power)
    return _result("examples_needed", plan, n, target=power, **plan.at_ends(power))


@overload
def minimum_detectable_difference(
    pilot: Any,
    n: _Planned,
    power: _Power = ...,
    alpha: Alpha = ...,
    *,
    alternative: Alternative = ...,
    threshold: None = ...,
) -> PowerResult: ...


@overload
def minimum_detectable_difference(
    pilot: Any,
    n: _Planned,
    power: _Power = ...,
    alpha: Alpha = ...,
    *,
    alternative: Alternative = ...,
    threshold: float,
) -> ThresholdPower: ...


@reads_options
def minimum_detectable_difference(
    pilot: Any,
    n: _Planned,
    power: _Power = POWER,
    alpha: Alpha = ALPHA,
    *,
    alternative: Alternative = "two-sided",
    threshold: Annotated[float, THRESHOLD] | None = None,
) -> PowerResult | ThresholdPower:
    """Which difference is so large that a test of so many examples finds it?

    As many examples are supposed to differ as in the pilot, and by as much. Each of them speaks for
    the better system with the same probability. The answer belongs to the least such probability
    that gives the power.

    Parameters
    ----------
    pilot, n, alpha, alternative, threshold
        See `power`. With a threshold, the score nearest to it that is shown is asked for.
    power : float
        The power that is asked for, above `alpha` and below 1.

    Returns
    -------
    PowerResult or ThresholdPower
        To print. `difference` is the least difference; the same with the other sign is found as
        well. None if the power is less even if all differing examples speak for one system.

    Raises
    ------
    InputError
        As `power`. If `power` is out of range.

    Examples
    --------
    >>> from pairedperm import minimum_detectable_difference
    >>> found = minimum_detectable_difference((0.06, 0.03), n=1000)
    >>> round(found.difference, 4)
    0.0273
    """
    _check_power(power, alpha)
    question: Question = "minimum_detectable_difference"
    if threshold is not None:
        how: dict[str, Any] = {"alpha": alpha, "alternative": alternative}
        return plan_beside(question, pilot, threshold, n=n, power=power, **how)
    plan = read_pilot(pilot, alpha).on(alternative)
    least = plan.law.detectable(n, power, alpha, plan.side)
    plan = replace(plan, law=plan.law.led(plan.side or 1.0) if least is None else least)
    result = _result(question, plan, n, target=power)
    return replace(result, difference=None) if least is None else result


def _check_power(power: float, alpha: float) -> None:
    """Raise InputError unless the power is above the level."""
    if not alpha < power:
        above = f"be above `alpha`, {alpha:g}"
        raise InputError("power", must=above, got=describe(power))


def _result(question: Question, plan: Plan, n: int | None, **more: Any) -> PowerResult:
    """Return the result with the power of n examples of this population, if n is not None."""
    law, evidence, has_margin = plan.law, plan.evidence, plan.margin is not None
    power, wrong, off = (None, 0.0, None) if n is None else plan.power(n)
    is_of_both = not has_margin and not plan.side
    metric = None if evidence is None else evidence.metric
    method = "normal approximation" if has_margin else DRAWS
    return PowerResult(
        question=question,
        power=power,
        wrong_sign=wrong / power if is_of_both and power and law.difference else None,
        n=n,
        difference=law.difference,
        shares=law.shares if isinstance(law, OutcomesLaw) else None,
        share_differing=law.share_differing,
        alpha=plan.alpha,
        n_pilot=None if evidence is None else evidence.drawn[0].n,
        in_groups=evidence is not None and evidence.rows.n_groups is not None,
        metric=None if metric is None else metric.name,
        method="exact" if plan.is_exact and off is None else method,
        approximation_error=off,
        margin=plan.margin,
        n_without_loss=plan.n_without_loss,
        alternative={0: "two-sided", 1: "greater", -1: "less"}[plan.side],
        **more,
    )
