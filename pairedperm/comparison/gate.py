"""The gate: may a candidate replace a baseline, by the test of the two?"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pairedperm.comparison.equivalence import Margin, equivalence_test
from pairedperm.comparison.power import POWER
from pairedperm.errors import InputError, Name, NoIntervalError, Parts, Setting, describe
from pairedperm.options import ALPHA, Alpha, reads_options
from pairedperm.population.intervals import EXACT_INTERVAL
from pairedperm.population.shares import FlipsLaw
from pairedperm.results.decisions import EquivalenceResult, GateResult, Reason, Requirement, Verdict
from pairedperm.results.result import PairedPermutationResult, about_constant, known
from pairedperm.results.words import fewest_differing, n_sampling_units

_DIGITS = 0.01  # tuned: relative error of a loss that is detected
_VERDICTS: dict[Reason, Verdict] = {  # of other reasons: "pass"
    "worse": "fail",
    "not shown better": "fail",
    "worse, perhaps beyond the margin": "fail",
    "perhaps beyond the margin": "inconclusive",
}


@reads_options
def gate(
    result: PairedPermutationResult,
    *,
    margin: Margin | None = None,
    require: Requirement = "not worse",
    alpha: Alpha = ALPHA,
) -> GateResult:
    """May the candidate replace the baseline?

    Without a margin, the candidate passes unless it is significantly worse. This does not show that
    it is as good; `detectable` says which loss the examples would have shown. With a margin, it
    passes only if its loss is shown to be below the margin, by a confidence interval.

    Parameters
    ----------
    result : PairedPermutationResult
        A two-sided result of `compare`: system 1 is the candidate, system 2 the baseline.
    margin : float or None
        The smallest loss that matters, positive, in units of the score. None: no margin.
    require : {"not worse", "better"}
        "better": the candidate passes only if it is significantly better.
    alpha : float
        The level of each statement, between 0 and 1; with a margin below 0.5.

    Returns
    -------
    GateResult
        To print; `passed`, `verdict` and `exit_code` are for programs.

    Raises
    ------
    InputError
        If `result` is not of a two-sided permutation test of scores. If it was pickled without its
        score function. If one of its systems may be a number, its `constant`, and p can be at most
        alpha. If `margin` comes with ``require="better"``, or the result is of logs whose tool
        reports another number. If `require` or `alpha` has no accepted value. If
        `equivalence_test` refuses the margin.

    Notes
    -----
    "worse" and "better" come from the exact two-sided test: p is at most alpha. Its null hypothesis
    is that the outputs are exchangeable. Scores that are not right or wrong may differ in other
    ways than in their mean, and then p may be small although the means are the same.

    So with a margin the interval decides, of the level 1 - 2 alpha: "better" and "worse" are then
    said only if it excludes 0 as well. A worse candidate fails unless its loss is shown to be below
    the margin. Otherwise the verdict is "inconclusive", also if there is no interval. It is exact
    where examples are right or wrong; see `equivalence_test`. `detectable` uses the exact power for
    wins, losses and ties, and the normal approximation for other scores.

    Examples
    --------
    >>> from pairedperm import compare, gate
    >>> old = [1] * 90 + [0] * 10
    >>> new = [0] * 8 + [1] * 82 + [1] * 2 + [0] * 8
    >>> print(gate(compare(new, old, [1] * 100)))
    PASS: no significant loss of candidate against baseline was found. This does not
      show that the candidate is as good: for that, set a margin.
    This run could detect a loss of about 11 percentage points (with a power of
      80%).
    accuracy (higher is better): 84.00% against 90.00% on 100 examples
    difference: -6.00 percentage points, 95% interval -13.66 to 1.16 percentage
      points (exact), p = 0.109
    exact two-sided paired-permutation test
    null: exchangeable outputs (p); no difference in the population (interval)
    gained: 2
    lost: 8
    """
    _check(result)
    check_constant(result, alpha)
    check_asked(margin, require)
    if margin is not None:
        check_reported(result)
    equivalence = None
    if margin is not None:
        with suppress(NoIntervalError):
            equivalence = equivalence_test(result, margin=margin, alpha=alpha)
    case = _Case(result, alpha, margin, equivalence)
    reason = case.reason(require)
    verdict = _VERDICTS.get(reason, "pass")
    return GateResult(
        verdict=verdict,
        reason=reason,
        test=result,
        equivalence=equivalence,
        require=require,
        margin=margin,
        alpha=alpha,
        power=POWER,
        detectable=case.detectable(),
        fewest_to_pass=None if verdict == "pass" else case.fewest_to_pass(),
    )


def detectable_loss(result: PairedPermutationResult, alpha: float) -> float | None:
    """Return the loss that a two-sided test at this level would have found, as of `GateResult`."""
    return _Case(result, alpha).detectable()


def check_asked(margin: float | None, require: Requirement) -> None:
    """Raise InputError if a candidate that must be better has a margin."""
    if margin is not None and require == "better":
        what = " is for a candidate that may be as good"
        remedy = Parts("leave it out with ", Setting("require", "'better'"))
        raise InputError(Name("margin"), what, remedy=remedy)


def _check(result: Any) -> None:
    """Raise InputError unless the result is of a two-sided permutation test with its score."""
    is_one = isinstance(result, PairedPermutationResult) and result.score1 is not None
    if not is_one or result.alternative != "two-sided":
        raise InputError(
            Name("result"),
            must="be that of a two-sided permutation test of the candidate and the baseline, such "
            "as compare(new, old, references)",
            got=describe(result),
        )
    result.evidence_for("gate")


def check_constant(result: PairedPermutationResult, alpha: float) -> None:
    """Raise InputError if a system may be a number, about which p says little."""
    if about := about_constant(result, alpha):
        raise InputError(about)


def check_reported(result: PairedPermutationResult) -> None:
    """Raise InputError if the log's tool reports other numbers, which a margin is of."""
    if result._unreported:
        other = "decide without one, or write tables of id and score whose mean is that number"
        raise InputError(result._unreported, remedy=f"A margin is of the reported number: {other}.")


@dataclass(frozen=True)
class _Case:
    """A candidate's test: what it decides, and what more examples like its own would show.

    With a margin there is an equivalence test, unless the examples are too few for one.
    """

    result: PairedPermutationResult
    alpha: float
    margin: float | None = None
    equivalence: EquivalenceResult | None = None

    def reason(self, require: Requirement) -> Reason:
        """Return what decides."""
        is_significant, lead = self.result.pvalue <= self.alpha, self.result.lead()
        shown = self.equivalence
        if self.margin is not None:  # the interval decides
            is_significant &= shown is not None and not shown.interval.includes_0
        is_better, is_worse = (is_significant and x > 0.0 for x in (lead, -lead))
        if self.margin is not None and not (shown and shown.noninferior):
            return "worse, perhaps beyond the margin" if is_worse else "perhaps beyond the margin"
        if is_better:
            return "better"
        if self.margin is not None:
            return "worse within the margin" if is_worse else "within the margin"
        if require == "better":
            return "not shown better"
        return "worse" if is_worse else "not shown worse"

    @property
    def n(self) -> int:
        """The number of examples, or of groups."""
        return n_sampling_units(self.result)

    @property
    def error(self) -> float:
        """The standard error of the difference; 0 if it is not known."""
        return known(self.result, "standard_error") or 0.0

    @property
    def flips(self) -> FlipsLaw | None:
        """The shares of wins and losses, which have an exact power; None for other scores."""
        return self.result.evidence_for("gate").flips if self.n > 1 else None

    @property
    def both_quantiles(self) -> float:
        """The normal quantiles of the test and of its power, added up."""
        from scipy.special import ndtri

        return float(ndtri(1.0 - self.alpha / 2.0)) + float(ndtri(POWER))

    def has_power(self, flips: FlipsLaw) -> bool:
        """Tell whether as many examples with these shares of wins and losses have the power."""
        return flips.power(self.n, self.alpha).power >= POWER

    def detectable(self) -> float | None:
        """Return the loss that this test finds; None if no score is so bad."""
        loss, limits = self._detected(), self.result.evidence_for("gate").limits
        if loss is None or self.result.score2 is None:
            return loss
        worst = limits[self.result.lower_is_better()]
        return loss if loss <= abs(worst - self.result.score2) else None

    def _detected(self) -> float | None:
        """Return the loss that this test finds if as many examples are gained as observed."""
        flips = self.flips
        if flips is None:
            if not self.error or self.result.n_differing < fewest_differing(self.alpha):
                return None
            return float(self.both_quantiles * self.error)
        gained = flips.worse if self.result.lower_is_better() else flips.better
        low, high = 0.0, 1.0 - 2.0 * gained
        if high <= 0.0 or not self.has_power(FlipsLaw(gained, gained + high)):
            return None
        while high - low > _DIGITS * high:
            loss = 0.5 * (low + high)
            is_enough = self.has_power(FlipsLaw(gained, gained + loss))
            low, high = (low, loss) if is_enough else (loss, high)
        return flips.size * high

    def fewest_to_pass(self) -> int | None:
        """Return how many examples without a loss would pass, if these are fewer; else None."""
        is_exact = self.equivalence and self.equivalence.interval_method == EXACT_INTERVAL
        if self.margin is None or not is_exact:
            return None
        sample = self.result.evidence_for("gate").sample
        fewest = sample.fewest_without_loss(self.margin, self.alpha)
        return None if fewest is None or fewest <= self.n else fewest
