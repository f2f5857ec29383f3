"""The results of planning a test, and of asking what p can be."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from pairedperm.errors import counted
from pairedperm.population.intervals import FEWEST_DIFFERING
from pairedperm.population.laws import N_DRAWS
from pairedperm.population.shares import MOST_NEEDED
from pairedperm.results.result import attributes, versioned
from pairedperm.results.told import GivenNames, Number, Telling, Told, paragraph, refuse_own
from pairedperm.results.words import Unit, layout, p_beside, text_of, unit_of, with_difference

_FAR = math.log(1e-3)  # tuned: a smallest p that is so far below the level limits nothing
DRAWS = "multinomial draws"
Question = Literal["power", "examples_needed", "minimum_detectable_difference"]


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PowerResult(Telling):
    """The power of a planned two-sided paired-permutation test, or of a margin's; print it.

    Attributes
    ----------
    question : str
        The function that was called: "power", "examples_needed" or
        "minimum_detectable_difference".
    power : float or None
        The probability that a test of `n` rejects the null hypothesis, in [0, 1]. None if
        `n` is None.
    wrong_sign : float or None
        The share of the significant results that name the worse system as the better one. None if
        neither system is worse, or if no result is significant.
    n : int or None
        Number of examples, or of groups; None if more than a million are needed.
    difference : float or None
        The supposed difference score1 - score2; None if no difference can be detected.
    shares : tuple of float, length 2, or None
        The shares of examples on which system 1, and system 2, scores higher. None unless all
        examples that differ have the same absolute difference.
    share_differing : float
        The share of examples, or of groups, on which the systems differ.
    n_differing : int
        The expected number of these examples, or groups, rounded.
    log_least_pvalue : float
        The natural logarithm of 2^(1 - n_differing), the smallest p if this number differs.
    alpha : float
        The level of the test.
    target : float or None
        The power that was asked for; None from `power`.
    pilot_interval : tuple of float, length 2, or None
        The 95 % interval of the pilot's difference; an end may be infinite. Only from
        `examples_needed` with a pilot.
    n_at_ends : tuple of int or None, length 2, or None
        The number of examples needed if the difference is an end of that interval, first for the
        end nearer to 0, or to a loss of the margin. A number is None if its end is that, infinite
        or on the other side of it. It is None as well if it exceeds a million, or if such examples
        cannot have that difference.
    n_pilot : int or None
        Number of examples, or of groups, in the pilot; None without a pilot.
    in_groups : bool
        The numbers count groups, not examples.
    metric : str or None
        The metric's name; None for bare counts, and without a pilot.
    method : str
        "exact", "multinomial draws" of the pilot's examples, or "normal approximation".
    approximation_error : float or None
        About the largest error of a power by draws, or about the error of the normal approximation;
        None for an exact power.
    margin : float or None
        The loss that the planned interval is to exclude, in units of the score. Then `power` is the
        probability that it does so. None without a margin.
    n_without_loss : int or None
        The fewest examples that show a loss below the margin if none of them differs. Fewer show it
        only if more are won than lost. None without a margin, and if the interval is not exact.
    alternative : str
        "two-sided", "greater" (system 1 scores higher) or "less", as of the planned test.
    """

    question: Question
    power: float | None
    wrong_sign: float | None
    n: int | None
    difference: float | None
    shares: tuple[float, float] | None
    share_differing: float
    alpha: float
    target: float | None = None
    pilot_interval: tuple[float, float] | None = None
    n_at_ends: tuple[int | None, int | None] | None = None
    n_pilot: int | None
    in_groups: bool
    metric: str | None
    method: str
    approximation_error: float | None = None
    margin: float | None = None
    n_without_loss: int | None = None
    alternative: str = "two-sided"

    @property
    def n_differing(self) -> int:
        """The expected number of examples, or groups, that differ."""
        return round(self.share_differing * (self.n or 0))

    @property
    def log_least_pvalue(self) -> float:
        """The natural logarithm of the smallest p if this number differs.

        It is 2^(1 - n_differing), of one side 2^-n_differing.
        """
        n_sides = 2 if self.alternative == "two-sided" else 1
        return -max(self.n_differing - n_sides + 1, 0) * math.log(2.0)

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, int, bool, str, list or None
            The attributes under their names, but `log_least_pvalue` as "log_least_p". "shares",
            "pilot_interval" and "n_at_ends" are lists of length 2, or None. An infinite end of
            "pilot_interval" is None. "schema_version" is the last key.
        """
        more = {"n_differing": self.n_differing, "log_least_p": self.log_least_pvalue}
        return versioned(attributes(self) | more)

    def summary(self, *, latex: bool = False) -> str:
        """Return a paragraph for a preregistration, in one line; for LaTeX if `latex` is true."""
        return paragraph(self.told(), in_latex=latex)

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; the level is its own, and there are no names."""
        refuse_own(names=names, alpha=alpha)
        difference = self._unit.factor * self.difference if self.difference else self.difference
        cells = {
            self._what: Number(f"{self.n:,}" if self.n else "", self.n),
            "differ": Number(_percent(self.share_differing), self.share_differing),
            "difference": Number("" if difference is None else self._amount(), difference),
            "power": Number("" if self.power is None else _chance(self.power), self.power),
            "α": Number(f"{self.alpha:g}", self.alpha),  # noqa: RUF001
        }
        return Told([*cells], [[*cells.values()]], [*self._sentences()])

    def _sentences(self) -> Iterator[str]:
        yield getattr(self, f"_{self.question}")()
        if self.n_without_loss is not None:
            fewest = self._many(self.n_without_loss)
            yield f"Fewer than {fewest} show it only if more are won than lost."
        elif self.margin is not None:
            few = f"Fewer than {FEWEST_DIFFERING} differing {self._what}"
            yield f"{few} count as not enough: the asymptotic interval needs so many."
        yield f"Supposed: {self._supposed()}."
        if self.pilot_interval and self.n_at_ends:
            yield self._at_ends(self.pilot_interval, self.n_at_ends)
        if self.wrong_sign is not None and self.difference is not None:
            yield self._named()
        log_least, m = self.log_least_pvalue, self.n_differing
        is_near = log_least > math.log(self.alpha) + _FAR
        if self.margin is None and self.n is not None and is_near:
            differ = f"{m:,} of {self._many(self.n)} {'differs' if m == 1 else 'differ'}"
            least = p_beside(self.alpha, math.exp(log_least), log_least)
            yield f"If {differ}, as is expected, p cannot be below {least}."
        if self.method != "exact":
            yield f"{self._found()}."

    def _found(self) -> str:
        """How a power that is not exact was found, and how far it is off."""
        off = self.approximation_error
        if self.method != DRAWS:
            error = "" if off is None else f", with an error of {_chance(off)} or so of the power"
            return f"Found by the normal approximation{error}"
        drawn = f"Found by {N_DRAWS:,} draws of the pilot's {self._what}"
        if off is None:
            return drawn
        points = f"{100.0 * off:.3g} percentage points"
        if off > 0.1:
            return f"{drawn}. A few {self._what} decide: the power may be up to {points} larger"
        return f"{drawn}: the power is off by up to {points}"

    def _named(self) -> str:
        """Say how often a significant result names the wrong system."""
        share = self.wrong_sign or 0.0
        if self.method == DRAWS and not share:
            return "No significant draw names the wrong system."
        few = _chance(share, under="fewer than")
        return f"{few[0].upper()}{few[1:]} of the significant results name the wrong system."

    def _power(self) -> str:
        many, chance = self._many(self.n), _chance(self.power or 0.0)
        if self.margin is None:
            return f"With {many} {self._test} has a power of {chance}."
        shows = "shows" if self.n == 1 else "show"
        return f"With a probability of {chance}, {many} {shows} {self._within}."

    def _examples_needed(self) -> str:
        target, has_margin = _percent(self.target or 0.0), self.margin is not None
        needs = f"more than {self._many(MOST_NEEDED)}."
        if self.n is not None:
            what = "the probability" if has_margin else "its power"
            needs = f"{self._many(self.n)}; {what} is {_chance(self.power or 0.0)} then."
        if has_margin:
            return f"To show with a probability of {target} {self._within} takes {needs}"
        return f"For a power of {target} {self._test} needs {needs}"

    def _minimum_detectable_difference(self) -> str:
        target, power = _percent(self.target or 0.0), _chance(self.power or 0.0)
        what, end = f"a difference of {self._amount()}", ""
        if self.difference is None:
            what = "no difference"
            end = f": it is {power} even if all that differ speak for one system"
        test = f"With {self._many(self.n)} {self._test}"
        return f"{test} finds {what} with a power of {target}{end}."

    def _supposed(self) -> str:
        pilot = "" if self.n_pilot is None else f"as in the pilot (n = {self.n_pilot:,}) "
        differ = f"{pilot}{_percent(self.share_differing)} of all {self._what} differ"
        is_least = self.question == "minimum_detectable_difference"
        if self.difference is None:
            return differ
        if self.shares is None:
            each = "and each speaks for the better system with the same probability"
            return f"{differ}, {each if is_least else f'a difference of {self._amount()}'}"
        one, two = map(_percent, self.shares)
        if is_least:
            return f"{differ}, {one} for one system and {two} for the other"
        scores = f"system 1 scores higher on {one} of all {self._what} and system 2 on {two}"
        return f"{pilot}{scores}, a difference of {self._amount()}"

    def _at_ends(self, interval: tuple[float, float], ends: tuple[int | None, int | None]) -> str:
        """Say how many examples the ends of the pilot's interval take."""
        (low, high), (near, far) = interval, ends
        words = f"pilot's 95% interval, {self._unit.ends(interval)},"
        least = f"more than {MOST_NEEDED:,}" if near is None else f"{near:,}"
        if self.margin is not None and near is None:
            start = f"At one end of the {words} no number up to {MOST_NEEDED:,} is enough."
            other = "the other"
        elif self.margin is None and low <= 0.0 <= high:
            start = f"The {words} holds 0: no number of {self._what} is sure to be enough."
            other = "its other"
        elif far is None:
            return (
                f"At that end of the {words} which is nearer to 0, it takes {least} {self._what}."
            )
        else:
            return f"At the ends of the {words} it takes {least} and {self._many(far)}."
        return start if far is None else f"{start} At {other} end it takes {self._many(far)}."

    def _amount(self) -> str:
        difference = self._unit.factor * (self.difference or 0.0)
        return f"{text_of(difference, layout(difference))}{self._unit.of_differences}"

    @property
    def _unit(self) -> Unit:
        """The unit of the metric; given shares of examples are printed like accuracy."""
        return unit_of("accuracy" if self.n_pilot is None else self.metric)

    @property
    def _test(self) -> str:
        exact = "an exact" if self.method == "exact" else "a"
        sides = "two-sided" if self.alternative == "two-sided" else "one-sided"
        return f"{exact} {sides} paired-permutation test at α = {self.alpha:g}"  # noqa: RUF001

    @property
    def _within(self) -> str:
        """What a margin's interval is to show."""
        loss = self._unit.amount(self.margin or 0.0)
        kind = "exact" if self.n_without_loss is not None else "asymptotic"
        level = f"at α = {self.alpha:g}"  # noqa: RUF001
        return f"that system 1 is less than {loss} worse ({kind} interval {level})"

    @property
    def _what(self) -> str:
        return "groups" if self.in_groups else "examples"

    def _many(self, n: int | None) -> str:
        return f"{n:,} {self._what.removesuffix('s') if n == 1 else self._what}"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ThresholdPower(Telling):
    """The power of a test of one system beside a number; print it.

    Attributes
    ----------
    question : str
        The function that was called, as of `PowerResult`.
    power : float or None
        The probability that `n` examples show the score on that side of the number. None if `n` or
        `score` is None.
    n : int or None
        The number of examples, or of groups; None if more than a million are needed.
    score : float or None
        The supposed score, or the nearest to the number that is shown; None if there is none.
    threshold : float
        The number.
    margin : float or None
        The distance from it that is given away: the score is to be shown better than that.
    alternative : {"less", "greater"}
        The side of the number on which the score is to be shown.
    alpha : float
        The level of the one-sided test.
    target : float or None
        The power that was asked for; None from `power`.
    n_pilot : int or None
        The number of examples in the pilot; None without one.
    method : str
        "exact" of right and wrong, else "normal approximation".
    """

    question: Question
    power: float | None
    n: int | None
    score: float | None
    threshold: float
    margin: float | None
    alternative: str
    alpha: float
    target: float | None
    n_pilot: int | None
    method: str

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as a dict, ready for JSON; "schema_version" is the last key."""
        return versioned(attributes(self))

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; the level is its own, and there are no names."""
        refuse_own(names=names, alpha=alpha)
        cells = {
            "n": Number(f"{self.n:,}" if self.n else "", self.n),
            "score": Number("" if self.score is None else f"{self.score:.4g}", self.score),
            "number": Number(f"{self.threshold:.12g}", self.threshold),
            "power": Number("" if self.power is None else _chance(self.power), self.power),
            "α": Number(f"{self.alpha:g}", self.alpha),  # noqa: RUF001
        }
        return Told([*cells], [[*cells.values()]], [*self._sentences()])

    def _sentences(self) -> Iterator[str]:
        exact = "the exact" if self.method == "exact" else "a"
        test = f"{exact} one-sided test at α = {self.alpha:g}"  # noqa: RUF001
        side = "below" if self.alternative == "less" else "above"
        number = f"{side} {self.threshold:.12g}"
        if self.margin is not None:
            number += f" less a margin of {self.margin:.12g}"
        many = "" if self.n is None else counted(self.n, "example")
        target = "" if self.target is None else _percent(self.target)
        if self.question == "power":
            chance = _chance(self.power or 0.0)
            yield f"With {many} {test} shows a score {number} with a probability of {chance}."
        elif self.question == "examples_needed":
            needs = many or f"more than {MOST_NEEDED:,} examples"
            yield f"To show a score {number} with a probability of {target}, {test} needs {needs}."
        elif self.score is None:
            yield f"With {many} {test} shows no score {number} with a probability of {target}."
        else:
            shown = f"a score of {self.score:.4g} to be {number}"
            yield f"With {many} {test} shows {shown} with a probability of {target}."
        if self.score is not None and self.question != "minimum_detectable_difference":
            pilot = "" if self.n_pilot is None else f", as in the pilot (n = {self.n_pilot:,})"
            yield f"Supposed: a score of {self.score:.4g}{pilot}."
        if self.method != "exact":
            yield "Found by the normal approximation."


def _percent(share: float) -> str:
    """Format a share in percent with three digits; a share below 1 never becomes 100%."""
    return "over 99.9%" if 0.9995 <= share < 1.0 else f"{100.0 * share:.3g}%"


def _chance(share: float, under: str = "under") -> str:
    """Format a share in percent with one or two decimals; only 0 and 1 become 0% and 100%."""
    if 0.0 < share < 0.0001:
        return f"{under} 0.01%"
    if share in (0.0, 1.0) or share >= 0.9995:
        return _percent(share)
    return f"{100.0 * share:.1f}%" if share >= 0.1 else f"{100.0 * share:.2f}%"


@dataclass(frozen=True, slots=True, repr=False)
class PvalueBounds(Telling):
    """The result of `pvalue_bounds`: the ends of p over all data with two accuracies; print it.

    Attributes
    ----------
    correct1, correct2 : tuple of int, length 2
        The least and the greatest number of right answers that the score of system 1, and of system
        2, stands for.
    n : int
        The number of examples.
    p_low, p_high : float
        The smallest and the largest p that these data can have.
    log_p_low, log_p_high : float
        Their natural logarithms.
    is_significant : bool or None
        True if all these data show a significant difference, False if none do. None if it depends
        on how many examples differ: on how many only one of the systems is right.
    most_differing : int or None
        If at most so many examples differ, all these data are significant. If more differ, none
        are, provided that the numbers of right answers are known. None if no number is so small,
        and unless `is_significant` is None.
    alternative : str
        "two-sided", "greater" (system 1 is better) or "less".
    alpha : float
        The level: a difference with p ≤ alpha is significant.
    """

    correct1: tuple[int, int]
    correct2: tuple[int, int]
    n: int
    p_low: float
    p_high: float
    log_p_low: float
    log_p_high: float
    is_significant: bool | None
    most_differing: int | None
    alternative: str
    alpha: float

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, int, bool, str, list or None
            The attributes under their names; tuples are lists. "schema_version" is the last key.
        """
        return versioned(attributes(self))

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; the level is its own, and there are no names."""
        refuse_own(names=names, alpha=alpha)
        low = p_beside(self.alpha, self.p_low, self.log_p_low)
        high = p_beside(self.alpha, self.p_high, self.log_p_high)
        p = f"p = {low}" if self.p_low == self.p_high else f"p is from {low} to {high}"
        is_two_sided = self.alternative == "two-sided"
        right = [*map(_right, (self.correct1, self.correct2))]
        header = ["n", "system 1 right", "system 2 right", "least p", "largest p"]
        row = [Number(f"{self.n:,}", self.n), *right, low, high]
        sentences = [
            f"{right[0]} against {right[1]} of {self._scores}.",
            f"{p}, {'' if is_two_sided else 'one-sided, '}{self.alternative}.",
            f"{self._verdict}.",
        ]
        return Told(header, [row], sentences)

    @property
    def _scores(self) -> str:
        """The number of examples, and both accuracies if they are known."""
        (one, last1), (two, last2), n = self.correct1, self.correct2, self.n
        text = f"{counted(n, 'example')} {'is' if n == 1 else 'are'} right"
        if one != last1 or two != last2:
            return text
        first, second, apart = (100.0 * (x / n) for x in (one, two, one - two))
        score1, score2, _ = with_difference(first, second, apart, abs(apart) or first)
        return f"{text}: {score1}% against {score2}%"

    @property
    def _verdict(self) -> str:
        """Whether the difference is significant, or with how many differing examples."""
        some = "No" if self.is_significant is False else "A"
        verdict = f"{some} significant difference at α = {self.alpha:g}"  # noqa: RUF001
        if self.is_significant is not None:
            return verdict if self.p_low == self.p_high else f"{verdict}, whichever are right"
        if self.most_differing is None:
            return f"{verdict} for some of these data only"
        share = 100.0 * (self.n - self.most_differing) / self.n
        few = f"if at most {self.most_differing:,} examples differ"
        return f"{verdict} {few}, an agreement of {share:.4g}% or more"


def _right(ends: tuple[int, int]) -> Number:
    """Write a number of right answers, or the ends of several."""
    low, high = ends
    return Number(f"{low:,}", low) if low == high else Number(f"{low:,} to {high:,}", ends)
