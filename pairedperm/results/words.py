"""A result in sentences and in a table: the finding, scores, their difference, the test and p.

Two scores, their difference and its interval are printed in one unit, and agree.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pairedperm.errors import InputError, Name, Parts, Python, counted, describe, first_of, shown
from pairedperm.options import ALPHA, P_LEVEL, printed_fraction
from pairedperm.population.intervals import FEWEST_DIFFERING, ConfidenceInterval, is_doubtful
from pairedperm.results.table import Number, Table
from pairedperm.scoring.metric import METRICS

if TYPE_CHECKING:
    from pairedperm.results.result import PairedResult


_MAX_DECIMALS = 12  # tuned: of a score
_MAX_DIGITS = 15  # tuned: before the point, beyond which a float has no more of its own
_MORE = range(15)  # proof: digits beyond two; together a float has 17
_NOTHING = 1e-9  # proof: relative to an interval's width; less is mere rounding


def layout(size: float, more: int = 0) -> str:
    """Return the format with so many decimals that this size shows two digits, and some more."""
    digits = 1 - math.floor(math.log10(abs(size))) if size else 0
    if not -_MAX_DIGITS < digits <= _MAX_DECIMALS:
        return f".{3 + more}g"
    return f",.{max(digits, 2) + more}f"


def text_of(value: float, layout: str) -> str:
    """Format a number; 0 has no sign."""
    text = format(value, layout).replace("inf", "∞")
    return text if re.search(r"[1-9∞]", text) else text.removeprefix("-")


def beside(bound: float, value: float, digits: int) -> str:
    """Return a number in `digits` digits, or as many as show whether it exceeds a bound.

    >>> [beside(0.05, x, 3) for x in (0.0500011, 0.05, 0.0499996, 0.0127)]
    ['0.050001', '0.05', '0.05', '0.0127']
    """
    texts = (f"{value:.{k}g}" for k in range(digits, 18))
    return next(x for x in texts if (float(x) <= bound) is (value <= bound))


def agreeing(
    values: Sequence[float], size: float, differences: Sequence[tuple[int, int, str]] = ()
) -> list[str]:
    """Return values with digits for this size, and more if printed differences need them.

    A difference (i, j, text) is that of values i and j.
    """
    layouts = [layout(size, more) for more in _MORE]
    rows = ([text_of(x, each) for x in values] for each in layouts)
    for row in rows:
        if all(_is_difference(row[i], row[j], text) for i, j, text in differences):
            return row
    return [text_of(x, layouts[0]) for x in values]


def with_difference(score1: float, score2: float, stat: float, size: float) -> list[str]:
    """Return two scores and their difference; as printed they agree.

    One more digit of all may do. Otherwise, as for 0.66667 - 0.33333 = 0.3333, scores get more.
    """
    for more in range(2):
        row = [text_of(x, layout(size, more)) for x in (score1, score2, stat)]
        if not _excess(*row):
            return row
    text = text_of(stat, layout(size))
    return [*agreeing([score1, score2], size, [(0, 1, text)]), text]


def _excess(score1: str, score2: str, difference: str) -> Decimal:
    """Return by how much the difference of two printed scores exceeds the printed difference."""
    one, two, stat = (Decimal(x.replace(",", "")) for x in (score1, score2, difference))
    return abs(one - two - stat)


def _is_difference(score1: str, score2: str, difference: str) -> bool:
    """Return whether the difference of two printed scores rounds to the printed difference."""
    exponent = int(Decimal(difference.replace(",", "")).as_tuple().exponent)
    return _excess(score1, score2, difference) <= Decimal(5).scaleb(exponent - 1)


def fitting(ends: Sequence[float], bounds: Sequence[float], stat: float | None) -> list[str]:
    """Return both ends of an interval; it holds the printed `stat`, and bounds keep their side."""
    numbers = [x for x in ends if math.isfinite(x)]
    size = ends[1] - ends[0] if len(numbers) == 2 else 0.0
    size = size or max(map(abs, numbers), default=0.0)
    layouts = [layout(size, more) for more in _MORE]
    rows = ([text_of(x, each) for x in ends] for each in layouts)
    fits = (x for x in rows if _fits(x, ends, bounds, stat, size))
    return next(fits, None) or [text_of(x, layouts[0]) for x in ends]


def _fits(
    texts: Sequence[str],
    ends: Sequence[float],
    bounds: Iterable[float],
    stat: float | None,
    size: float,
) -> bool:
    """Return whether the printed ends hold the printed difference, on their side of each bound."""
    low, high = shown = [float(x.replace(",", "").replace("∞", "inf")) for x in texts]
    holds = stat is None or low <= stat <= high or not ends[0] <= stat <= ends[1]
    near = _NOTHING * size
    return holds and all(
        abs(end - bound) <= near or (x > bound) - (x < bound) == (end > bound) - (end < bound)
        for bound in bounds
        for x, end in zip(shown, ends, strict=True)
    )


_SEEN = 10.0 + 1e-9  # proof: times which two digits of a size are one, but for its rounding


class Unit(NamedTuple):
    """The factor by which scores are shown, their mark, and the unit of their differences."""

    factor: float
    mark: str
    of_differences: str

    @property
    def name(self) -> str:
        """The unit of differences: "percentage points", or "" if there is none."""
        return self.of_differences.strip()

    @property
    def points(self) -> str:
        """The unit of differences in short: "points", or ""."""
        return self.of_differences.rpartition(" ")[2]

    def amount(self, amount: float) -> str:
        """Return a chosen amount of the score, in all its digits."""
        number, unit = f"{self.factor * amount:,.12g}", self.of_differences
        return f"{number}{unit.removesuffix('s') if number == '1' else unit}"

    def about(self, amount: float) -> str:
        """Return a roughly known amount of the score, in two digits."""
        return f"{float(f'{self.factor * amount:.2g}'):,g}{self.of_differences}"

    def ends(
        self, ends: tuple[float, float], margin: float = 0.0, stat: float | None = None
    ) -> str:
        """Return an interval without its unit, with the digits that its width needs.

        As printed its ends are on the right side of 0 and of a margin, and it holds `stat`.
        """
        bounds = [0.0, self.factor * margin, -self.factor * margin]
        return " to ".join(fitting([self.factor * x for x in ends], bounds, stat))

    def values(
        self,
        values: Sequence[float],
        size: float,
        differences: Sequence[tuple[int, int, str]] = (),
    ) -> list[str]:
        """Return scores with enough decimals to show a difference of this size; see `agreeing`."""
        factor = self.factor
        texts = agreeing([factor * x for x in values], _SEEN * factor * size, differences)
        return [f"{x}{self.mark}" for x in texts]


UNITS = {
    "share": Unit(100.0, "%", " percentage points"),
    "percent": Unit(1.0, "", " points"),
    "number": Unit(1.0, "", ""),
}


def unit_of(metric: str | None) -> Unit:
    """Return the unit of a metric; an unknown one may be no share, and has none."""
    return UNITS[METRICS[metric].unit if metric in METRICS else "number"]


@dataclass(frozen=True)
class Figures:
    """Two scores, their difference and its interval, which agree as printed.

    Attributes
    ----------
    unit : Unit
    score1, score2 : float or None
        The scores; None for a statistic without them.
    statistic : float
        The difference.
    interval : ConfidenceInterval or None
        The interval of the difference; its method may be "". One that excludes no difference up to
        `bound` is None.
    level : float or None
        The confidence level of the interval.
    margin : float
        The margin beside which the interval is read.
    bound : float
        The largest difference that there can be.
    """

    unit: Unit
    score1: float | None
    score2: float | None
    statistic: float
    interval: ConfidenceInterval | None = None
    level: float | None = None
    margin: float = 0.0
    bound: float = math.inf

    def __post_init__(self) -> None:
        bound = self.bound * (1.0 - _NOTHING)
        if self.interval and self.interval.low <= -bound and bound <= self.interval.high:
            object.__setattr__(self, "interval", None)

    @cached_property
    def in_words(self) -> tuple[Number, Number, Number]:
        """Both scores and their difference."""
        (score1, score2, _), mark, difference = self._numbers, self.unit.mark, self.difference
        return (
            Number(f"{score1}{mark}", self.score1),
            Number(f"{score2}{mark}", self.score2),
            Number(f"{difference}{self.unit.of_differences}", difference.value),
        )

    @property
    def alone(self) -> Figures:
        """The same without the interval."""
        return replace(self, interval=None)

    @property
    def row(self) -> list[Number]:
        """Both scores and their difference for a table without intervals, all marked alike."""
        values = self.score1, self.score2, self.statistic
        texts = (f"{x}{self.unit.mark}" for x in self.alone._numbers)
        return [*map(Number, texts, values)]

    @property
    def difference(self) -> Number:
        """The difference as beside the scores, without its unit."""
        return Number(self._numbers[2], self.unit.factor * self.statistic)

    @cached_property
    def _numbers(self) -> list[str]:
        """Both scores and their difference without a mark or a unit."""
        given = self.score1 or 0.0, self.score2 or 0.0, self.statistic
        one, two, stat = (self.unit.factor * x for x in given)
        return with_difference(one, two, stat, self._size)

    @property
    def _size(self) -> float:
        """The size of the difference, or of its interval if that is narrower."""
        width = math.inf if self.interval is None else self.interval.high - self.interval.low
        size = abs(self.statistic or self.score1 or 0.0)
        return self.unit.factor * min(size, width or math.inf)

    @property
    def level_in_words(self) -> str:
        """The confidence level of the interval, in percent."""
        return f"{100.0 * (self.level or 0.0):.12g}%"

    @cached_property
    def ends(self) -> Number:
        """The interval without its unit; as printed it holds the difference."""
        assert self.interval is not None
        stat = float(self.difference.replace(",", ""))
        text = self.unit.ends(self.interval[:2], self.margin, stat)
        return Number(text, tuple(self.unit.factor * x for x in self.interval[:2]))

    @property
    def interval_in_words(self) -> Number:
        """The interval with its unit."""
        return Number(f"{self.ends}{self.unit.of_differences}", self.ends.value)


_SHORT = 40  # tuned: a longer p stands on a line of its own
SYSTEMS = {"name1": "system 1", "name2": "system 2", "dataset": ""}
_SIDES = {"two-sided": "two-sided", "greater": "one-sided (greater)", "less": "one-sided (less)"}
_METHODS = {
    **dict.fromkeys(("dp", "enumeration"), "exact"),
    "fft": "FFT-based",
    "bracket": "bracketed",
    "monte_carlo": "Monte Carlo",
}
Escape = Callable[[str], str]


def sentence(
    result: PairedResult,
    first: str,
    second: str,
    dataset: str = "",
    alpha: float = ALPHA,
    escape: Escape = str,
) -> str:
    """Return what a paper could carry: the finding, the difference, and the test.

    `escape` treats the words in the result. A score is called higher or lower only where p is at
    most `alpha`.
    """
    subject, figures = f"{subject_in_words(result, dataset, escape)} of {first}", result.figures()
    score1, score2, difference = figures.in_words
    if result.score1 is None:
        is_significant = "is" if result.pvalue <= alpha else "is not"
        said = [f"{subject} against {second} is {difference}, which {is_significant} significant."]
    else:
        scores = f"{score1} against {score2}" if result.statistic else score1
        said = [f"{subject} {_finding(result, alpha)} that of {second}: {scores}."]
        if result.statistic or figures.interval is not None:
            said.append(difference_sentence(figures))
    doubts = *doubt(result, alpha), *caution(result, figures, alpha)
    return " ".join([*said, p_sentence(result, alpha, escape), *doubts])


def lines_of_test(result: PairedResult) -> Iterator[str]:
    """Yield the scores, the difference, its interval, p with its verdict, and the test."""
    figures = result.figures()
    score1, score2, difference = figures.in_words
    if result.score1 is None:
        yield f"test statistic: {difference}"
    else:
        yield f"{metric_in_words(result)}: {score1} against {score2}"
        yield f"difference: {difference}"
    if figures.interval is not None:
        yield f"{figures.level_in_words} interval: {interval_in_words(figures)}"
    p = p_in_words(result)
    if result.method == "bracket":
        p += f" (proven: {ends_of_p(result, 6)})"
    yield from [f"{p}: {verdict(result)}"] if len(p) < _SHORT else [p, verdict(result)]
    n_examples = "" if result.n_groups is None else f" (n = {result.n:,})"
    of_all = f"{n_sampling_units(result):,} {sampling_unit(result)}s"
    differ = f"{result.n_differing:,} of {of_all} differ{n_examples}"
    yield f"{kind_of_test(result)}, {differ}"
    yield from doubt(result)
    yield from _smallest_p(result)
    yield f"null: {null_in_words(result, figures)}"
    yield from caution(result, figures)


def _smallest_p(result: PairedResult) -> Iterator[str]:
    """Yield the smallest p of so few differing examples, if no p of them is significant.

    The observed assignment is one of 2^n. If two-sided, its mirror image is as extreme.
    """
    if getattr(result, "ties", None) is not None:  # a bootstrap's p may be 0
        return
    sides = 2 if result.alternative == "two-sided" else 1
    least = min(1.0, math.ldexp(sides, -min(result.n_differing, 2000)))
    if least > ALPHA:
        of_so_few = counted(result.n_differing, f"differing {sampling_unit(result)}")
        yield f"smallest possible p of {of_so_few}: {least:g}"


def fewest_differing(alpha: float) -> int:
    """Return the fewest differing examples with which p can reach α: 2^(1 - m) ≤ α."""
    return math.ceil(1.0 - math.log2(alpha))


def scores_table(
    result: PairedResult,
    figures: Figures,
    notes: str,
    *,
    names: tuple[str, str] = ("system 1", "system 2"),
    alpha: float = ALPHA,
) -> Table:
    """Return a row with the scores of both systems, their difference, its interval, and p."""
    points = f" ({figures.unit.points})" if figures.unit.points else ""
    header: list[str] = ["test statistic"]
    row: list[str] = [figures.difference]
    if result.score1 is not None:
        header = ["metric", *names, f"difference{points}"]
        row = [metric_in_words(result), *figures.in_words[:2], figures.difference]
    if figures.interval is not None:
        header.append(f"{figures.level_in_words} interval")
        row.append(figures.ends)
    header.append("p")
    row.append(p_beside(alpha, result.pvalue, result.log_pvalue))
    if result.pvalue_kind == "confidence":
        header.append(f"{P_LEVEL:.0%} interval of p")
        row.append(Number(ends_of_p(result), result.pvalue_interval))
    return Table(header, [row], notes)


def subject_in_words(result: PairedResult, dataset: str, escape: Escape = str) -> str:
    """Return what was compared and where: "On dev, the accuracy"."""
    what = compared_in_words(result, escape)
    return f"On {dataset}, the {what}" if dataset else f"The {what}"


def compared_in_words(result: PairedResult, escape: Escape = str) -> str:
    """Return what was compared: the metric, or "test statistic" if there are no scores."""
    return "test statistic" if result.score1 is None else metric_in_words(result, escape)


def _finding(result: PairedResult, alpha: float) -> str:
    """Return how the first score compares with the second, as far as p bears it."""
    side, stat = result.alternative, result.statistic
    if stat == 0.0:
        return "is the same as"
    order = {"greater": "higher", "less": "lower"}.get(side, "higher" if stat > 0.0 else "lower")
    if result.pvalue <= alpha and _is_on_its_side(result):
        return f"is significantly {order} than"
    if side == "two-sided":
        return "does not differ significantly from"
    return f"is not significantly {order} than"


def _is_on_its_side(result: PairedResult) -> bool:
    """Return whether there is a difference, on the side that a one-sided test asks about."""
    stat = result.statistic
    return {"greater": stat > 0.0, "less": stat < 0.0}.get(result.alternative, stat != 0.0)


def difference_sentence(figures: Figures, kind: str = "") -> str:
    """Return the difference with its interval, if there is one, and the interval's `kind`."""
    interval = ""
    if figures.interval is not None:
        interval = f" ({figures.level_in_words} {kind}confidence interval {figures.ends})"
    return f"The difference is {figures.in_words[2]}{interval}."


def interval_in_words(figures: Figures) -> str:
    """Return the interval with its unit, its method, and whether it was extended to contain 0."""
    interval = figures.interval
    assert interval is not None
    extended = ", extended to 0" if interval.is_extended else ""
    return f"{figures.interval_in_words} ({interval.method}{extended})"


def caution(
    result: Any, figures: Figures, alpha: float = ALPHA, n_telling: int | None = None
) -> Iterator[str]:
    """Yield a sentence if p and the interval do not agree, and one if it may hold less often.

    p is of the outputs, and the interval of the score. They agree at their levels for right and
    wrong alone. `n_telling` is how many of the differing examples tell by their weights; None: all.
    """
    interval, level, n = figures.interval, figures.level or 0.0, result.n_differing
    if is_of_outputs_alone(result, figures, alpha):
        yield "The outputs differ; the interval of the difference includes 0."
    n_telling = n if n_telling is None else n_telling
    if interval is not None and interval.of_0_or_1:
        yield "The interval is of scores 0 or 1: it holds if no others can occur."
    if interval is None or not is_doubtful(interval.method, n_telling, level):
        return
    if n_telling < FEWEST_DIFFERING:
        what = counted(n, sampling_unit(result))
        differ = f"only {what} differ{'s' * (n == 1)}" if n else "none of these examples differs"
        if n >= FEWEST_DIFFERING:
            differ = f"by their weights, the {what} that differ count as {n_telling}"
        yield f"The interval may hold less often than it says: {differ}."
    else:
        yield "It is not known how often such an interval holds above 99%."


def is_of_outputs_alone(result: Any, figures: Figures, alpha: float) -> bool:
    """Tell whether p of swaps is small, and the interval at this level includes 0 nonetheless."""
    if figures.interval is None or getattr(result, "ties", None) is not None:
        return False
    tail = 1 - printed_fraction(figures.level or 0.0)
    tail = tail if result.alternative == "two-sided" else tail / 2
    return figures.interval.includes_0 and bool(result.pvalue <= min(alpha, tail))


def doubt(result: Any, alpha: float = ALPHA) -> Iterator[str]:
    """Yield what p tests, and what to use, if one of the systems may be a number.

    It is said where so many examples differ that p can be at most `alpha`.
    """
    constant = getattr(result, "constant", None)
    if constant is not None and result.n_differing >= fewest_differing(alpha):
        yield f"p tests symmetry about {constant:.12g}, not the mean."
        if _may_be_right_or_wrong(result, constant):
            yield "For right and wrong against a number use scipy.stats.binomtest."


def _may_be_right_or_wrong(result: Any, number: float) -> bool:
    """Tell whether the other scores may be 0 and 1, or 0 and 100: none ties, and k of n are right.

    Few graded scores have a sum that is whole.
    """
    if result.score1 is None or result.n_differing < result.n or not 0.0 < number < 100.0:
        return False
    is_second = abs(result.score2 - number) <= abs(result.score1 - number)
    share = (result.score1 if is_second else result.score2) / (1.0 if number < 1.0 else 100.0)
    n_right: float = share * result.n
    return math.isclose(n_right, round(n_right), abs_tol=1e-9 * result.n)


def null_in_words(result: PairedResult, figures: Figures) -> str:
    """Return what p supposes, and what the interval is of."""
    if getattr(result, "ties", None) is not None:  # of a bootstrap
        return "no difference in the population"
    of_interval = "no difference in the population (interval)"
    exchangeable = "exchangeable outputs"
    return exchangeable if figures.interval is None else f"{exchangeable} (p); {of_interval}"


def p_sentence(result: PairedResult, alpha: float, escape: Escape = str) -> str:
    """Return the test, its p-value, and what it rests on."""
    p = p_beside(alpha, result.pvalue, result.log_pvalue)
    none = ": no resample is so extreme" if result.log_pvalue == -math.inf else ""
    n = f"n = {result.n:,}{groups_in_words(result)}, α = {alpha:g}"  # noqa: RUF001
    return f"The {kind_of_test(result, escape)} gives p = {p} ({n}){none}."


def sampling_unit(of: Any) -> str:
    """Return what is swapped or drawn: "example", or "group"."""
    return "example" if of.n_groups is None else "group"


def n_sampling_units(of: Any) -> int:
    """Return the number of examples, or of groups."""
    return int(of.n if of.n_groups is None else of.n_groups)


def groups_in_words(result: Any) -> str:
    """Return what follows the number of examples if they are in groups: " in 3 groups"."""
    return "" if result.n_groups is None else f" in {counted(result.n_groups, 'group')}"


def verdict(result: PairedResult, alpha: float = ALPHA) -> str:
    """Return whether the difference is significant, in a few words.

    A bootstrap without ties has p = 0 also where there is no difference.
    """
    is_bare = result.score1 is None
    return significance(result.pvalue <= alpha and (is_bare or _is_on_its_side(result)), alpha)


def significance(is_significant: bool, alpha: float) -> str:
    """Return the words for a difference that is significant at this level, or is not."""
    article = "a" if is_significant else "no"
    return f"{article} significant difference at α = {alpha:g}"  # noqa: RUF001


def metric_in_words(result: PairedResult, escape: Escape = str) -> str:
    """Return the metric with its options, "macro-averaged F1"."""
    return escape(result.metric_words)


def turned_in_words(tasks: Sequence[str], *, has_average: bool = True) -> str:
    """Say on which of several tasks lower is better, and how these count in an average."""
    which = f"Lower is better on {counted(len(tasks), 'task')} ({first_of([*map(shown, tasks)])})"
    whose = f"whose score{'s' * (len(tasks) > 1)} count{'s' * (len(tasks) == 1)}"
    return f"{which}, {whose} as negative in the average." if has_average else f"{which}."


def adjusted_in_words(pvalue: float, alpha: float) -> Number:
    """Return an adjusted p-value, whose logarithm is not known."""
    if pvalue < 1e-300:
        return Number("< 1e-300", pvalue)
    return p_beside(alpha, pvalue, math.log(pvalue))


def p_beside(alpha: float, pvalue: float, log_pvalue: float, digits: int = 3) -> Number:
    """Return a p-value in `digits` digits, or as many as show whether it exceeds the level."""
    if pvalue < 1e-300:
        return Number(format_pvalue(log_pvalue, digits), pvalue)
    return Number(beside(alpha, pvalue, digits).replace("e-0", "e-"), pvalue)


def format_pvalue(log_pvalue: float, digits: int = 3) -> str:
    """Return a p-value in `digits` significant digits, from its logarithm.

    >>> format_pvalue(math.log(0.0127))
    '0.0127'
    >>> format_pvalue(-5000.0)
    '3.37e-2172'
    >>> format_pvalue(-math.inf)
    '0'
    """
    if log_pvalue == -math.inf:
        return "0"
    pvalue = math.exp(log_pvalue)
    if pvalue >= 1e-300:
        return f"{pvalue:.{digits}g}".replace("e-0", "e-")
    log10 = log_pvalue / math.log(10.0)
    exponent = math.floor(log10)
    mantissa = f"{10.0 ** (log10 - exponent):.{digits}g}"
    if mantissa == "10":
        mantissa, exponent = "1", exponent + 1
    return f"{mantissa}e{exponent}"


def ends_of_p(result: Any, digits: int = 3) -> str:
    """Format the ends of the interval of a result's p."""
    return " to ".join(format_pvalue(x, digits) for x in result.log_pvalue_interval)


def p_in_words(result: Any, alpha: float = ALPHA) -> str:
    """Format a result's p beside a level, and the interval and seed of a sampled one."""
    p = f"p = {p_beside(alpha, result.pvalue, result.log_pvalue)}"
    if result.pvalue_kind == "confidence":
        p += f" ({P_LEVEL:.0%} interval {ends_of_p(result)}, seed {result.seed})"
    return p


def kind_of_test(result: PairedResult, escape: Escape = str) -> str:
    """Return the kind of test: "exact two-sided paired-permutation test"."""
    method, name = result.method, "paired-permutation test"
    ties = getattr(result, "ties", None)  # swaps have no such choice
    if ties is not None:
        method, name = {"exact": "ideal"}.get(method, method), "paired bootstrap test"
    method = _METHODS.get(method, " ".join(method.replace("_", " ").split()))
    samples = result.n_resamples
    sampled = f" with {samples:,} samples" if samples else ""
    left_out = " (ties excluded)" if ties == "exclude" else ""
    return f"{escape(method)} {_SIDES[result.alternative]} {name}{sampled}{left_out}"


def names_of(
    name1: Any, name2: Any, dataset: Any, unnamed: Mapping[str, str] = SYSTEMS
) -> tuple[str, str, str]:
    """Return the names of two systems and a data set, each in one line; `unnamed` replaces None.

    Raises
    ------
    InputError
        If one is no text, or the systems have the same.
    """
    given = {"name1": name1, "name2": name2, "dataset": dataset}
    first, second, corpus = (plain_name(x, name, unnamed) for x, name in given.items())
    if first == second:
        what, remedy = f" are both {shown(first)}", "name the two systems apart"
        raise InputError(Name("name1"), " and ", Name("name2"), what, remedy=remedy)
    return first, second, corpus


def plain_name(argument: str, name: Any, unnamed: Mapping[str, str] = SYSTEMS) -> str:
    """Return a name in one line; `unnamed` replaces None."""
    if name is None:
        return unnamed[argument]
    if not isinstance(name, str) or not name.strip():
        must = Parts("be a name, as text", Python(", or None"))
        raise InputError(Name(argument), must=must, got=describe(name))
    if not is_utf8(name):
        what = " holds characters that UTF-8 has not, ", describe(name)
        raise InputError(Name(argument), *what, remedy="Leave them out")
    return " ".join(name.split())


def is_utf8(text: str) -> bool:
    """Tell whether a file can hold a text: lone surrogates are no characters."""
    return text.isascii() or text == text.encode("utf-8", "replace").decode("utf-8")
