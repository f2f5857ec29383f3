"""A result in words: digits and units, sentences about a test, p-values, names."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from pairedperm.errors import InputError, counted, describe, first_of, shown
from pairedperm.options import ALPHA, P_LEVEL, printed_fraction
from pairedperm.population.intervals import FEWEST_DIFFERING, ConfidenceInterval, is_doubtful
from pairedperm.population.laws import fewest_differing
from pairedperm.results.told import EMPTY_CELL, GivenNames, Number, Told
from pairedperm.scoring.metric import METRICS

if TYPE_CHECKING:
    from pairedperm.results.result import PairedResult


_MAX_DECIMALS = 12  # tuned: of a score
_MAX_DIGITS = 15  # tuned: before the point, beyond which a float has no more of its own
_MORE = range(15)  # proof: digits beyond two; together a float has 17
_NOTHING = 1e-9  # proof: relative to an interval's width; less is mere rounding


def layout(size: float, more: int = 0) -> str:
    """Return the format with so many decimals that this size shows two digits, and some more."""
    digits = 1 - math.floor(math.log10(abs(size))) if size else 2
    if not -_MAX_DIGITS < digits <= _MAX_DECIMALS:
        return f".{3 + more}g"
    return f",.{max(digits, 1) + more}f"


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


def with_difference(score1: float, score2: float, stat: float, size: float) -> list[str]:
    """Return two scores and their difference, with digits for this size; as printed they agree.

    One more digit of all may do. Otherwise, as for 0.67 - 0.33 = 0.33, scores get more, until
    their difference rounds to the printed one.
    """

    def row(*digits: int) -> list[str]:
        return [*map(text_of, (score1, score2, stat), (layout(size, more) for more in digits))]

    rows = (row(*x) for x in ((0, 0, 0), (1, 1, 1), *((more, more, 0) for more in _MORE)))
    return next(filter(_agree, rows), row(0, 0, 0))


def _agree(row: Sequence[str]) -> bool:
    """Tell whether the difference of two printed scores rounds to the printed difference."""
    one, two, difference = (Decimal(x.replace(",", "")) for x in row)
    half_a_digit = Decimal(5).scaleb(difference.as_tuple().exponent - 1)  # type: ignore[operator]
    return abs(one - two - difference) <= half_a_digit


def ends_in_words(
    ends: Sequence[float], stat: float | None = None, bounds: Sequence[float] = (0.0,)
) -> str:
    """Return an interval with the digits that its width needs.

    As printed its ends are on the right side of each bound, and it holds `stat`.
    """
    numbers = [x for x in ends if math.isfinite(x)]
    size = ends[1] - ends[0] if len(numbers) == 2 else 0.0
    size = size or max(map(abs, numbers), default=0.0)

    def fits(texts: Sequence[str]) -> bool:
        low, high = printed = [float(x.replace(",", "").replace("∞", "inf")) for x in texts]
        holds = stat is None or low <= stat <= high or not ends[0] <= stat <= ends[1]
        return holds and all(
            abs(end - bound) <= _NOTHING * size
            or (x > bound, x < bound) == (end > bound, end < bound)
            for bound in bounds
            for x, end in zip(printed, ends, strict=True)
        )

    rows = [[text_of(x, layout(size, more)) for x in ends] for more in _MORE]
    chosen: Sequence[str] = next(filter(fits, rows), rows[0])
    return " to ".join(chosen)


class Unit(NamedTuple):
    """The factor by which scores are shown, their mark, and the unit of their differences."""

    key: str
    factor: float
    mark: str
    of_differences: str

    @property
    def name(self) -> str:
        """The unit of differences: "percentage points", or "" if there is none."""
        return self.of_differences.strip()

    def amount(self, amount: float) -> str:
        """Return a chosen amount of the score, in all its digits."""
        number, unit = f"{self.factor * amount:,.12g}", self.of_differences
        return f"{number}{unit.removesuffix('s') if number == '1' else unit}"

    def about(self, amount: float) -> str:
        """Return a roughly known amount of the score, in two digits."""
        return f"{float(f'{self.factor * amount:.2g}'):,g}{self.of_differences}"

    def ends(self, ends: Sequence[float]) -> str:
        """Return an interval with its unit."""
        return f"{ends_in_words([self.factor * x for x in ends])}{self.of_differences}"

    def scores(self, values: Sequence[float], size: float) -> list[Number]:
        """Return scores with enough digits to show two of a difference of this size."""
        how = layout(self.factor * size)
        return [Number(f"{text_of(self.factor * x, how)}{self.mark}", x) for x in values]


_UNITS = (
    Unit("share", 100.0, "%", " percentage points"),
    Unit("percent", 1.0, "", " points"),
    Unit("number", 1.0, "", ""),
)
UNITS = {x.key: x for x in _UNITS}


def unit_of(metric: str | None) -> Unit:
    """Return the unit of a metric; an unknown one may be no share, and has none."""
    return UNITS[METRICS[metric].unit if metric in METRICS else "number"]


@dataclass(frozen=True)
class Figures:
    """Two scores, their difference and its interval as they are printed.

    The scores are marked; the difference and its interval lack the unit.
    """

    unit: Unit
    score1: Number
    score2: Number
    difference: Number
    ends: Number
    interval: ConfidenceInterval | None
    level: float
    size: float
    """The size of the difference, or of its interval, of which two digits are shown."""

    @property
    def level_in_words(self) -> str:
        """The confidence level of the interval, in percent."""
        return f"{100.0 * self.level:.12g}%"


def figures_of(
    result: PairedResult, interval: ConfidenceInterval | None, level: float, margin: float = 0.0
) -> Figures:
    """Return two scores, their difference and its interval, with the digits that they need.

    They show two digits of the interval's width, or of the difference if that is smaller. Beside a
    margin the interval shows on which side of it its ends are. An interval that excludes no
    difference that two scores can have is left out.
    """
    unit, scores, statistic = UNITS[result.unit], (result.score1, result.score2), result.statistic
    most = result.largest_difference * (1.0 - _NOTHING)
    if interval and interval.low <= -most and most <= interval.high:
        interval = None
    width = math.inf if interval is None else interval.high - interval.low
    sizes = [x for x in (abs(statistic), width) if 0.0 < x < math.inf]
    size = min(sizes, default=abs(scores[0] or 0.0))
    one, two, stat = (unit.factor * (x or 0.0) for x in (*scores, statistic))
    texts = with_difference(one, two, stat, unit.factor * size)
    ends = EMPTY_CELL
    if interval is not None:
        values = unit.factor * interval.low, unit.factor * interval.high
        bounds = 0.0, unit.factor * margin, -unit.factor * margin
        printed = float(texts[2].replace(",", ""))
        ends = Number(ends_in_words(values, printed, bounds), values)
    score1, score2 = (Number(f"{texts[k]}{unit.mark}", scores[k]) for k in range(2))
    difference = Number(texts[2], stat)
    return Figures(unit, score1, score2, difference, ends, interval, level, size)


def differences(every: Sequence[Figures]) -> tuple[str, list[Number]]:
    """Return the heading of a column of differences, and its cells, which tell units that vary."""
    units = {x.unit for x in every}
    if len(units) == 1:
        points = " (points)" if units.pop().of_differences else ""
        return f"difference{points}", [x.difference for x in every]
    cells = (f"{x.difference}{' points' * bool(x.unit.of_differences)}" for x in every)
    return "difference", [Number(x, y.difference.value) for x, y in zip(cells, every, strict=True)]


_LONG = 16  # tuned: columns of a heading


def headings(first: str, second: str) -> tuple[tuple[str, str], list[str]]:
    """Return the headings of two systems in a table, and which is which if their names are long."""
    if max(len(first), len(second)) <= _LONG:
        return (first, second), []
    return ("system 1", "system 2"), [f"System 1: {first}.", f"System 2: {second}."]


_SIDES = {"two-sided": "two-sided", "greater": "one-sided (greater)", "less": "one-sided (less)"}
_METHODS = {
    **dict.fromkeys(("dp", "enumeration"), "exact"),
    "fft": "FFT-based",
    "bracket": "bracketed",
    "monte_carlo": "Monte Carlo",
}


def told_of_test(
    result: PairedResult, figures: Figures, names: Sequence[str], alpha: float, finding: str = ""
) -> Told:
    """Return what a test tells; its row: scores, their difference, its interval, and p."""
    sentences = sentences_of_test(result, figures, names, alpha, finding)
    cells: dict[str, str] = {"test statistic": figures.difference}
    if result.score1 is not None:
        cells = {
            "metric": result.metric_words,
            names[0]: figures.score1,
            names[1]: figures.score2,
            differences([figures])[0]: figures.difference,
        }
    if figures.interval is not None:
        cells[f"{figures.level_in_words} interval"] = figures.ends
    cells["p"] = p_beside(alpha, result.pvalue, result.log_pvalue)
    if result.pvalue_kind == "confidence":
        cells[f"{P_LEVEL:.0%} interval of p"] = Number(ends_of_p(result), result.pvalue_interval)
    return Told([*cells], [[*cells.values()]], [*sentences])


def sentences_of_test(
    result: PairedResult,
    figures: Figures,
    names: Sequence[str],
    alpha: float,
    finding: str = "",
    n_telling: int | None = None,
) -> Iterator[str]:
    """Yield the finding, the difference, the test, and what to keep in mind.

    The names are of both systems, and perhaps of the data set. A score is called higher or lower
    only where p is at most `alpha`. Another `finding` of two scores may stand in its place.
    `n_telling`: see `caution`.
    """
    difference = f"{figures.difference}{figures.unit.of_differences}"
    first, second, *others = names
    on_data = "".join(f"On {dataset}, the" for dataset in others if dataset)
    subject = f"{on_data or 'The'} {compared_in_words(result)} of {first}"
    if result.score1 is None:
        is_significant = "is" if result.pvalue <= alpha else "is not"
        yield f"{subject} against {second} is {difference}, which {is_significant} significant."
    else:
        finding = finding or f"{_finding(result, alpha)} that of {second}"
        scores = f"{figures.score1} against {figures.score2}"
        yield f"{subject} {finding}: {scores if result.statistic else figures.score1}."
        if result.lower_is_better:
            yield "Lower is better."
        if result.statistic or figures.interval is not None:
            yield f"The difference is {difference}{_interval_in_brackets(figures)}."
    yield p_sentence(result, alpha)
    if said := doubt(result, alpha):
        yield said
    yield from _smallest_p(result, alpha)
    yield null_in_words(result, figures)
    yield from caution(result, figures, alpha, n_telling)
    if result.n_ignored:
        yield f"{counted(result.n_ignored, 'label')} of the references were left out."


def compared_in_words(result: PairedResult) -> str:
    """Return what was compared: the metric, or "test statistic" if there are no scores."""
    return "test statistic" if result.score1 is None else result.metric_words


def _interval_in_brackets(figures: Figures) -> str:
    """Return the interval with its level and its method, in brackets behind the difference."""
    if figures.interval is None:
        return ""
    method = f"{figures.interval.method} " if figures.interval.method else ""
    extended = ", extended to 0" if figures.interval.is_extended else ""
    return f" ({figures.level_in_words} {method}confidence interval {figures.ends}{extended})"


def _smallest_p(result: PairedResult, alpha: float) -> Iterator[str]:
    """Yield the smallest p of so few differing examples, if no p of them is significant.

    The observed assignment is one of 2^n. If two-sided, its mirror image is as extreme.
    """
    if result.test == "bootstrap":  # its p may be 0
        return
    least = least_pvalue(result)
    if least > alpha and result.n_differing:
        of_so_few = counted(result.n_differing, f"differing {sampling_unit(result)}")
        yield f"With {of_so_few} p is at least {least:g}."


def least_pvalue(result: PairedResult) -> float:
    """Return the smallest p-value that a result's number of differing examples allows."""
    is_two_sided = result.alternative == "two-sided"
    return min(math.ldexp(2.0 if is_two_sided else 1.0, -result.n_differing), 1.0)


def _finding(result: PairedResult, alpha: float) -> str:
    """Return how the first score compares with the second, as far as p bears it."""
    side, stat = result.alternative, result.statistic
    if stat == 0.0:
        return "is the same as"
    order = {"greater": "higher", "less": "lower"}.get(side, "higher" if stat > 0.0 else "lower")
    if result.pvalue <= alpha and (order == "higher") == (stat > 0.0):
        return f"is significantly {order} than"
    if side == "two-sided":
        return "does not differ significantly from"
    return f"is not significantly {order} than"


def caution(
    result: Any, figures: Figures, alpha: float = ALPHA, n_telling: int | None = None
) -> Iterator[str]:
    """Yield a sentence if p and the interval do not agree, and one if it may hold less often.

    p is of the outputs, and the interval of the score. They agree at their levels for right and
    wrong alone. `n_telling` is how many of the differing examples tell by their weights; None: all.
    """
    interval, level, n = figures.interval, figures.level, result.n_differing
    if swapped := (result.metric_options or {}).get("swapped"):
        if swapped == "outputs":
            yield "Its null hypothesis is exchangeable outputs on one scale, not equal scores."
        else:
            yield f"Where few examples differ it is approximate: {swapped} are of whole columns."
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
    if figures.interval is None or result.test == "bootstrap":
        return False
    tail = 1 - printed_fraction(figures.level)
    tail = tail if result.alternative == "two-sided" else tail / 2
    return figures.interval.includes_0 and bool(result.pvalue <= min(alpha, tail))


def doubt(result: Any, alpha: float = ALPHA) -> str:
    """Return what p tests, if one of the systems may be a number; "" if none may be.

    It is said where so many examples differ that p can be at most `alpha`.
    """
    constant = result.constant
    if constant is None or result.n_differing < fewest_differing(alpha):
        return ""
    return f"p tests symmetry about {constant:.12g}, not the mean."


def null_in_words(result: PairedResult, figures: Figures) -> str:
    """Return what p supposes, and what the interval is of."""
    if result.test == "bootstrap":
        return "p supposes no difference in the population."
    of_interval = (
        "" if figures.interval is None else "; the interval is for other examples of this kind"
    )
    swapped = (result.metric_options or {}).get("swapped", "outputs")
    share = f"the share of swaps of the systems' {swapped} whose difference is at least as large"
    return f"p is {share}{of_interval}."


def p_sentence(result: PairedResult, alpha: float) -> str:
    """Return the test, its p-value, and what it rests on."""
    p, of_p = p_beside(alpha, result.pvalue, result.log_pvalue), ""
    if result.pvalue_kind == "confidence":
        of_p = f"{P_LEVEL:.0%} interval {ends_of_p(result)}, seed {result.seed}; "
    if result.method == "bracket":
        of_p = f"proven: {ends_of_p(result, 6)}; "
    none = ": no resample is so extreme" if result.log_pvalue == -math.inf else ""
    of_which = ", " if result.n_groups is None else ", of which "
    differ = f"{result.n_differing:,} differ{'s' * (result.n_differing == 1)}"
    n = f"n = {result.n:,}{groups_in_words(result)}{of_which}{differ}"
    test = kind_of_test(result)
    return f"The {test} gives p = {p} ({of_p}{n}, α = {alpha:g}){none}."  # noqa: RUF001


def sampling_unit(of: Any) -> str:
    """Return what is swapped or drawn: "example", or "group"."""
    return "example" if of.n_groups is None else "group"


def n_sampling_units(of: Any) -> int:
    """Return the number of examples, or of groups."""
    return int(of.n if of.n_groups is None else of.n_groups)


def groups_in_words(result: Any) -> str:
    """Return what follows the number of examples if they are in groups: " in 3 groups"."""
    return "" if result.n_groups is None else f" in {counted(result.n_groups, 'group')}"


def turned_in_words(tasks: Sequence[str], *, has_average: bool = True) -> str:
    """Say on which of several tasks lower is better, and how these count in an average."""
    which = f"Lower is better on {counted(len(tasks), 'task')} ({first_of([*map(shown, tasks)])})"
    whose = f"whose score{'s' * (len(tasks) > 1)} count{'s' * (len(tasks) == 1)}"
    return f"{which}, {whose} as negative in the average." if has_average else f"{which}."


def adjusted_in_words(pvalue: float, alpha: float) -> Number:
    """Return an adjusted p-value for a table."""
    return p_without_log(pvalue, alpha, least="< 1e-300")


def p_beside(alpha: float, pvalue: float, log_pvalue: float) -> Number:
    """Return a p-value in three digits, or as many as show whether it exceeds the level."""
    if pvalue < 1e-300:
        return Number(format_pvalue(log_pvalue), pvalue)
    return Number(beside(alpha, pvalue, 3).replace("e-0", "e-"), pvalue)


def p_without_log(pvalue: float, alpha: float = ALPHA, *, least: str = "1e-300 or less") -> Number:
    """Return a p-value whose logarithm is not known, as `p_beside` does."""
    if pvalue < 1e-300:  # of floats as small, digits are lost
        return Number(least, pvalue)
    return p_beside(alpha, pvalue, math.log(pvalue))


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


def kind_of_test(result: PairedResult) -> str:
    """Return the kind of test: "exact two-sided paired-permutation test"."""
    method, name = result.method, "paired-permutation test"
    if result.test == "bootstrap":
        method, name = {"exact": "ideal"}.get(method, method), "paired bootstrap test"
    method = _METHODS.get(method, " ".join(method.replace("_", " ").split()))
    sampled = f" with {result.n_resamples:,} samples" if result.n_resamples else ""
    left_out = " (ties excluded)" if result.ties == "exclude" else ""
    return f"{method} {_SIDES[result.alternative]} {name}{sampled}{left_out}"


def pair_of_names(
    names: GivenNames, unnamed: Sequence[str] = ("system 1", "system 2")
) -> tuple[str, str]:
    """Return the names of two systems, each in one line; `unnamed` replaces None.

    Raises
    ------
    InputError
        If they are not two, or one is no text, or both are the same.
    """
    given = unnamed if names is None else names
    if isinstance(given, str) or len(given) != 2:
        raise InputError("names", must="be the names of the two systems", got=describe(names))
    first, second = (plain_name(f"name{k + 1}", given[k], unnamed[k]) for k in range(2))
    if first == second:
        what, remedy = f" are both {shown(first)}", "name the two systems apart"
        raise InputError("name1", f" and `name2`{what}", remedy=remedy)
    return first, second


def plain_name(argument: str, name: Any, unnamed: str = "") -> str:
    """Return a name in one line; `unnamed` replaces None."""
    if name is None:
        return unnamed
    if not isinstance(name, str) or not name.strip():
        must = "be a name, as text, or None"
        raise InputError(argument, must=must, got=describe(name))
    if not is_utf8(name):
        what = f" holds characters that UTF-8 has not, {describe(name)}"
        raise InputError(argument, what, remedy="Leave them out")
    return " ".join("".join(x if x.isprintable() else " " for x in name).split())


def is_utf8(text: str) -> bool:
    """Tell whether a file can hold a text: lone surrogates are no characters."""
    return text.isascii() or text == text.encode("utf-8", "replace").decode("utf-8")
