"""The power of a planned test, the examples that it needs, and what it can detect."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated, Any

from pairedperm.comparison.equivalence import Margin
from pairedperm.comparison.pilot import Pilot, ScoresLaw, WithinMargin, no_difference, read_pilot
from pairedperm.errors import InputError, Name, Parts, describe
from pairedperm.options import ALPHA, Alpha, Interval, Whole, reads_options
from pairedperm.population.shares import FlipsLaw
from pairedperm.results.power import DRAWS, PowerResult, Question

POWER = 0.8  # proof: the power that is customary
_Planned = Annotated[int, Whole(most=10**8)]  # tuned: the power of so many takes some seconds
_Law = FlipsLaw | ScoresLaw | WithinMargin
_Power = Annotated[
    float, Interval(0.0, 1.0, "neither", words=Parts("above ", Name("alpha"), " and below 1"))
]


@reads_options
def power(
    pilot: Any,
    n_examples: _Planned,
    alpha: Alpha = ALPHA,
    *,
    margin: Margin | None = None,
) -> PowerResult:
    """How likely is it that a test of so many examples finds a significant difference?

    Parameters
    ----------
    pilot : PairedPermutationResult, PairedBootstrapResult, PairedCounts, or (float, float)
        A pilot: the comparison of some dozens of examples, or their counts. Or two shares of all
        examples, at least 0 and together at most 1: those that speak for system 1, and for
        system 2.
    n_examples : int
        The number of examples of the test, or of groups if the pilot has groups; at most 10^8.
    alpha : float
        The level of the two-sided test, between 0 and 1. With a margin: of the one statement, below
        0.5.
    margin : float or None
        The smallest loss that matters, in units of the score. Then the power is the probability
        that `equivalence_test` and `gate` show system 1 to be less than that worse. Shares such as
        (0.05, 0.05) say that both systems are equally good.

    Returns
    -------
    PowerResult
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
    to first order. A draw is significant if |Σ d| - u / 2 > z √Σ d², u the smallest |d|, and if so
    many examples differ that p can reach α. The power is within 5 percentage points of that of
    whole tests if n (E d²)² / E d⁴ ≥ 4. Below that a few examples decide, and it may be 30 points
    too small; `approximation_error` says so.

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
    >>> found = power((0.06, 0.03), n_examples=1000)
    >>> round(found.power, 3)
    0.873
    """
    known = read_pilot(pilot)
    law = known.law if margin is None else WithinMargin.of(known, margin, alpha)
    return _result("power", known, law, n_examples, alpha)


@reads_options
def examples_needed(
    pilot: Any,
    power: _Power = POWER,
    alpha: Alpha = ALPHA,
    *,
    margin: Margin | None = None,
) -> PowerResult:
    """How many examples does a test need to find a difference like the pilot's?

    The power of an exact test may fall when examples are added. The answer n is the least number
    such that n to 1.1 n examples all have the power.

    Parameters
    ----------
    pilot, alpha, margin
        See `power`.
    power : float
        The power that is asked for, above `alpha` and below 1.

    Returns
    -------
    PowerResult
        To print. `n_examples` is the number, or None if it is more than a million. `n_at_ends` are
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
    >>> examples_needed((0.06, 0.03)).n_examples
    830
    >>> examples_needed((0.05, 0.05), margin=0.02).n_examples
    1647
    """
    known = read_pilot(pilot)
    _check_power(power, alpha)
    law: _Law = known.law
    if margin is not None:
        law = within = WithinMargin.of(known, margin, alpha)
        within.check_distance()
    elif known.law.difference == 0.0:
        raise no_difference(
            "as many examples speak for either system",
            "Say by how much they should differ, such as ",
        )
    result = _result("examples_needed", known, law, law.n_needed(power, alpha), alpha)
    return replace(result, target=power, **_at_ends(known, law, power, alpha))


@reads_options
def minimum_detectable_difference(
    pilot: Any,
    n_examples: _Planned,
    power: _Power = POWER,
    alpha: Alpha = ALPHA,
) -> PowerResult:
    """Which difference is so large that a test of so many examples finds it?

    As many examples are supposed to differ as in the pilot, and by as much. Each of them speaks for
    the better system with the same probability. The answer belongs to the least such probability
    that gives the power.

    Parameters
    ----------
    pilot, n_examples, alpha
        See `power`.
    power : float
        The power that is asked for, above `alpha` and below 1.

    Returns
    -------
    PowerResult
        To print. `difference` is the least difference; the same with the other sign is found as
        well. None if the power is less even if all differing examples speak for one system.

    Raises
    ------
    InputError
        As `power`. If `power` is out of range.

    Examples
    --------
    >>> from pairedperm import minimum_detectable_difference
    >>> found = minimum_detectable_difference((0.06, 0.03), n_examples=1000)
    >>> round(found.difference, 4)
    0.0273
    """
    known = read_pilot(pilot)
    _check_power(power, alpha)
    least = known.law.detectable(n_examples, power, alpha)
    law = known.law.led(1.0) if least is None else least
    result = _result("minimum_detectable_difference", known, law, n_examples, alpha)
    return replace(result, target=power, difference=None if least is None else result.difference)


def _check_power(power: float, alpha: float) -> None:
    """Raise InputError unless the power is above the level."""
    if not alpha < power:
        above = Parts("be above ", Name("alpha"), f", {alpha:g}")
        raise InputError(Name("power"), must=above, got=describe(power))


def _result(
    question: Question, pilot: Pilot, law: _Law, n: int | None, alpha: float
) -> PowerResult:
    """Return the result with the power of n examples of this population, if n is not None."""
    of_n: dict[str, Any] = {} if n is None else law.power(n, alpha)._asdict()
    off = of_n.get("approximation_error")
    within = law if isinstance(law, WithinMargin) else None
    examples = law.examples if isinstance(law, WithinMargin) else law
    method = DRAWS if within is None else "normal approximation"
    if isinstance(examples, FlipsLaw) and off is None and (within is None or within.is_exact):
        method = "exact"
    evidence = pilot.evidence
    metric = None if evidence is None else evidence.metric
    has_direction = within is None and examples.difference and of_n.get("power")
    return PowerResult(
        question=question,
        power=of_n.get("power"),
        wrong_sign=of_n["wrong"] / of_n["power"] if has_direction else None,
        n_examples=n,
        difference=examples.difference,
        shares=examples.shares if isinstance(examples, FlipsLaw) else None,
        share_differing=examples.share_differing,
        alpha=alpha,
        target=None,
        pilot_interval=None,
        n_at_ends=None,
        n_pilot=None if evidence is None else evidence.drawn[0].n,
        in_groups=evidence is not None and evidence.rows.n_groups is not None,
        metric=None if metric is None else metric.name,
        method=method,
        approximation_error=off,
        margin=None if within is None else within.margin,
        n_without_loss=None if within is None else within.n_without_loss,
    )


def _at_ends(pilot: Pilot, law: _Law, power: float, alpha: float) -> dict[str, Any]:
    """Return the pilot's interval and the examples needed at its ends.

    The first end is the one nearer to 0, or to a loss of the margin.
    """
    if (interval := pilot.interval()) is None:
        return {}
    low, high = interval
    needed: list[int | None] = []
    nothing = law.threshold if isinstance(law, WithinMargin) else 0.0
    distance = (law.examples if isinstance(law, WithinMargin) else law).difference - nothing
    for end in (low, high) if distance > 0.0 else (high, low):
        is_other_side = (end - nothing) * distance <= 0.0
        there = None if is_other_side or not math.isfinite(end) else law.at(end)
        needed.append(None if there is None else there.n_needed(power, alpha))
    return {"pilot_interval": interval, "n_at_ends": tuple(needed)}
