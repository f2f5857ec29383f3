"""The power to show that a system is not worse by a margin."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from pairedperm.comparison.equivalence import LEAST_ALPHA, check_margin
from pairedperm.comparison.pilot import Pilot, ScoresLaw, edge_of, growth_needed, least_sufficient
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, Name, describe
from pairedperm.population.intervals import (
    EXACT_INTERVAL,
    FEWEST_DIFFERING,
    GUARANTEED,
    MOST_MEASURED,
)
from pairedperm.population.shares import (
    MOST_NEEDED,
    NORMAL,
    FlipsLaw,
    Power,
    count_masses,
    fewest_wins,
    fewest_without_loss,
    likely_counts,
    upper_tails,
)

_LEFT_OUT = 1e-10  # tuned: numbers of differing examples that are less likely are left out
_MOST_COUNTS = 1000  # tuned: with more, the normal approximation is right to four digits
_MOST_COUNTED = 100  # tuned: so many numbers of counted examples take some seconds
_DEVIATIONS = 13.0  # tuned: so many are about as likely as that
_NEXT_TO_NO_MARGIN = 1e-300  # tuned: no larger numbers are printed than of this margin
_LEVEL_ROUNDING = 1e-12  # proof: relative; (1 - 0.99) / 2 is above 0.005 in floats
_FEWEST = 2  # proof: one example has no interval


@dataclass(frozen=True, eq=False)
class WithinMargin:
    """Examples like a pilot's, and a margin that a loss must be shown to be below.

    Attributes
    ----------
    examples : FlipsLaw or ScoresLaw
    margin : float
        In units of the score.
    is_lower_better : bool
    n_without_loss : int or None
        The fewest examples, at least 2, that show it if none differs. None if the interval is
        asymptotic, not exact.
    share_counted : float
        The share of examples that the score counts, such as those with the label of a recall.
    """

    examples: FlipsLaw | ScoresLaw
    margin: float
    is_lower_better: bool = False
    n_without_loss: int | None = None
    share_counted: float = 1.0

    @classmethod
    def of(cls, pilot: Pilot, margin: float, alpha: float) -> WithinMargin:
        """Return the examples of a pilot with this margin.

        Raises
        ------
        InputError
            If no interval tests the margin at this level.
        """
        evidence = pilot.evidence
        sample = None if evidence is None else evidence.sample
        if sample is not None and sample.own_kind == GUARANTEED:
            raise InputError(
                Name("pilot"),
                " has the guaranteed interval, and its power with a margin is not known",
                remedy="Give a pilot without `largest_group`, whose examples do not all differ "
                "alike",
            )
        is_exact = sample is None or sample.own_kind == EXACT_INTERVAL
        least = LEAST_ALPHA if is_exact else (1.0 - MOST_MEASURED) / 2.0
        if not least * (1.0 - _LEVEL_ROUNDING) <= alpha < 0.5:
            raise InputError(
                Name("alpha"),
                must=f"be from {least:g} to below 0.5 with a margin of such scores",
                got=describe(alpha),
                remedy="" if is_exact else "Their interval is asymptotic, and measured up to there",
            )
        if evidence is None or sample is None:
            check_margin(margin, 1.0, "right and wrong")
            fewest = fewest_without_loss(margin, alpha) or _about_without_loss(margin, alpha)
            return cls(pilot.law, margin, n_without_loss=max(fewest, _FEWEST))
        metric = evidence.metric
        check_margin(margin, evidence.bound, "scores 0 or 1" if metric is None else metric.name)
        is_lower = metric is not None and metric.lower_is_better
        if not is_exact or sample.flips is None:
            return cls(pilot.law, margin, is_lower)
        counted = sample.flips.n / sample.rows.n
        share = margin / evidence.bound * counted
        fewest = sample.fewest_without_loss(margin, alpha) or _about_without_loss(share, alpha)
        return cls(pilot.law, margin, is_lower, max(fewest, _FEWEST), counted)

    @property
    def is_exact(self) -> bool:
        """Whether the exact interval tests the margin."""
        return self.n_without_loss is not None

    @property
    def threshold(self) -> float:
        """The difference that is a loss as large as the margin."""
        return self.margin if self.is_lower_better else -self.margin

    @property
    def distance(self) -> float:
        """By how much the supposed loss is below the margin."""
        return (self.examples.difference - self.threshold) * (-1.0 if self.is_lower_better else 1.0)

    def check_distance(self) -> None:
        """Raise InputError if system 1 is supposed to be worse by the margin or more."""
        if self.distance <= 0.0:
            raise InputError(
                Name("margin"),
                must=f"be above the supposed loss, {abs(self.examples.difference):.3g}",
                got=describe(self.margin),
                remedy="No number of examples shows that such a loss is below it",
            )

    def at(self, difference: float) -> WithinMargin | None:
        """Return examples with this difference, see the law of these; None if there are none."""
        examples = self.examples.at(difference)
        return None if examples is None else replace(self, examples=examples)

    def power(self, n: int, alpha: float) -> Power:
        """Return how often the interval of n examples shows that the loss is below the margin.

        The score counts K of the examples, all or K ~ Bin(n, c), such as those with the label of a
        recall. M of them differ, M ~ Bin(K, p + q), and W of these are wins, W ~ Bin(M, p / (p +
        q)). The interval shows it if W is large enough for M and K. Otherwise it is the normal
        approximation: for scores that are not right or wrong, and where K or M may be any of too
        many numbers. Of the former fewer than 30 differing examples count as not enough.
        """
        if n < _FEWEST:
            return Power(0.0, 0.0)
        if (found := self._enumerated(n, alpha)) is not None:
            return Power(found, 0.0)
        moments = self.examples.moments
        distance = self.distance - self._step / n
        moments = moments._replace(difference=distance, of_swaps=moments.deviation)
        both = moments.power(n, edge_of(2.0 * alpha), self.examples.share_differing)
        shown = both.power - both.wrong if distance > 0.0 else both.wrong
        if not self.is_exact:
            numbers, share = np.array([n]), min(self.examples.share_differing, 1.0)
            shown *= float(upper_tails(numbers, np.array([FEWEST_DIFFERING]), share)[0])
        return both._replace(power=shown, wrong=0.0)

    def n_needed(self, power: float, alpha: float) -> int | None:
        """Return about the least n with this power; None if there is none up to `MOST_NEEDED`.

        Exact powers suffice for n to 1.1 n, of which every hundredth is asked.
        """
        if self.distance <= 0.0:
            return None
        edge = edge_of(2.0 * alpha)
        deviation = self.examples.moments.deviation
        least = self.n_without_loss or math.ceil(FEWEST_DIFFERING / self.examples.share_differing)
        guess = about_needed(self.distance, deviation, self._step, alpha, power)
        guess = max(guess, least)
        if guess > MOST_NEEDED:
            return None
        if self.is_exact:
            least = _FEWEST  # with more wins than losses fewer may do

        def growth(n: int) -> float:
            return growth_needed(self.power(n, alpha).power, power, edge)

        n = least_sufficient(growth, math.ceil(guess), least, 2)
        while n is not None and n <= MOST_NEEDED:
            some = range(n, 11 * n // 10 + 1, max(n // 100, 1))
            if (few := next((x for x in some if self.power(x, alpha).power < power), None)) is None:
                return n
            n = few + 1
        return None

    @property
    def _step(self) -> float:
        """By how much the exact limit is lower than the approximate one, times n."""
        return self.examples.size if self.is_exact and isinstance(self.examples, FlipsLaw) else 0.0

    def _enumerated(self, n: int, alpha: float) -> float | None:
        """Return the exact power; None if the interval is not exact, or that takes too long."""
        law = self.examples
        if not isinstance(law, FlipsLaw) or not self.is_exact:
            return None
        counted, masses = _likely(n, self.share_counted)
        sides = law.shares[::-1] if self.is_lower_better else law.shares
        better, worse = (x / self.share_counted for x in sides)
        differing = min(better + worse, 1.0)
        spread = _DEVIATIONS * math.sqrt(counted[-1] * differing * (1.0 - differing))
        if spread > _MOST_COUNTS or counted.size > _MOST_COUNTED:
            return None
        margin = self.margin / (law.size * self.share_counted)
        shown = [x and _chance_shown(better, worse, x, margin, alpha) for x in counted.tolist()]
        return float(masses @ shown)


def about_needed(
    distance: float, deviation: float, step: float, alpha: float, power: float
) -> float:
    """Return the n of the normal approximation: (distance - step / n) √n = (z₁ + z₂) deviation.

    The exact interval is lower by about one example, `step`; that of other scores is not.
    """
    spread = (edge_of(2.0 * alpha) + NORMAL.inv_cdf(power)) * deviation
    return ((spread + math.sqrt(spread**2 + 4.0 * distance * step)) / (2.0 * distance)) ** 2


def _likely(n: int, share: float) -> tuple[IntArray, FloatArray]:
    """Return the numbers among n that are likely, of examples with this share, and their masses."""
    m = likely_counts(n, share)
    masses = count_masses(n, share, m)
    return m[masses > _LEFT_OUT], masses[masses > _LEFT_OUT]


@lru_cache(maxsize=4096)
def _chance_shown(better: float, worse: float, n: int, margin: float, alpha: float) -> float:
    """Return how often the exact lower limit is above -margin, with these shares of both sides."""
    share = min(better + worse, 1.0)
    m, masses = _likely(n, share)
    enough = np.array(fewest_wins(m.tolist(), n, margin, alpha))
    return min(float(masses @ upper_tails(m, enough, min(better / share, 1.0))), 1.0)


def _about_without_loss(margin: float, alpha: float) -> int:
    """Return about the n with 1 - α^(1/n) = margin, where it is more than is searched for."""
    return math.ceil(-math.log(alpha) / max(margin, _NEXT_TO_NO_MARGIN))
