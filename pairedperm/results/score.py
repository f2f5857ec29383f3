"""The score of one system, how far it may be off, and the verdict on it beside a number."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pairedperm.errors import InputError, NoIntervalError, describe
from pairedperm.population.evidence import Evidence
from pairedperm.population.intervals import ConfidenceInterval
from pairedperm.population.one import interval_of_score
from pairedperm.results.decisions import NumberRequirement, Verdict, WithVerdict
from pairedperm.results.result import attributes, versioned, without_version
from pairedperm.results.told import GivenNames, Number, Telling, Told, refuse_own
from pairedperm.results.words import (
    UNITS,
    ends_in_words,
    groups_in_words,
    layout,
    p_without_log,
    plain_name,
    text_of,
)

_OTHER_EXAMPLES = (
    "The interval is for other examples of this kind, drawn at random; these examples run again "
    "vary less: see `noise`."
)


@dataclass(frozen=True, repr=False, eq=False)
class ScoreInterval(Telling):
    """The score of one system, and its confidence interval; print it.

    Attributes
    ----------
    score : float
        The score, in units of the metric.
    interval : ConfidenceInterval or None
        The interval (low, high) of the score, and its method: "exact" and "guaranteed" keep their
        level, "studentised bootstrap" is asymptotic. None if there is none.
    confidence_level : float
        The level of the interval.
    no_interval : str
        Why there is none; "" if there is one.
    standard_error : float or None
        Of the score, over other draws of examples or groups; None if there is none.
    n : int
        The number of examples.
    n_groups : int or None
        The number of groups; None without groups.
    metric : str or None
        The metric's name; None for scores without one.
    metric_options : dict or None
        The metric's options that are no defaults.
    lower_is_better : bool
        Whether the metric counts errors.
    sample : Evidence
        The examples and their score.
    """

    score: float
    interval: ConfidenceInterval | None
    confidence_level: float
    no_interval: str
    standard_error: float | None
    n: int
    n_groups: int | None
    metric: str | None
    metric_options: dict[str, Any] | None
    lower_is_better: bool
    metric_words: str
    unit: str
    sample: Evidence

    def at(self, confidence_level: float) -> ScoreInterval:
        """Return the same score with the interval of this level."""
        interval, why = None, ""
        try:
            interval = interval_of_score(self.sample, confidence_level)
        except NoIntervalError as error:
            why = str(error)
        return replace(self, interval=interval, confidence_level=confidence_level, no_interval=why)

    def to_dict(self) -> dict[str, Any]:
        """Return the score and its interval as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, int, bool, str, dict or None
            "score", "low", "high", "interval_method" (None without an interval), and the attributes
            "confidence_level", "no_interval", "standard_error", "n", "n_groups", "metric",
            "metric_options" and "lower_is_better". "schema_version" is the last key.
        """
        low, high = self.interval or (None, None)
        method = None if self.interval is None else self.interval.method
        own = {"score": self.score, "low": low, "high": high, "interval_method": method}
        return versioned(own | attributes(self, "interval", "metric_words", "unit", "sample"))

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; `names` has the one system's name, and there is no level."""
        refuse_own(alpha=alpha)
        name = one_name(names)
        unit, size = UNITS[self.unit], self._size
        printed = text_of(unit.factor * self.score, layout(unit.factor * size))
        cells: dict[str, str] = {"metric": self.metric_words, "n": Number(f"{self.n:,}", self.n)}
        if name:
            cells = {"system": name, **cells}
        cells["score"] = Number(f"{printed}{unit.mark}", self.score)
        if self.interval is not None:
            ends = tuple(unit.factor * x for x in self.interval)
            words = ends_in_words(ends, float(printed.replace(",", "")))
            cells[f"{100.0 * self.confidence_level:.12g}% interval"] = Number(words, ends)
        return Told([*cells], [[*cells.values()]], [*self._sentences(name, cells)])

    @property
    def _size(self) -> float:
        """The size of which two digits are shown: that of the interval, or of the score."""
        width = 0.0 if self.interval is None else self.interval.high - self.interval.low
        return width if 0.0 < width < math.inf else abs(self.score)

    def _sentences(self, name: str, cells: dict[str, str]) -> Iterator[str]:
        of_system = f" of {name}" if name else ""
        level, score = f"{100.0 * self.confidence_level:.12g}%", cells["score"]
        text = f"The {self.metric_words}{of_system} is {score}"
        if self.interval is not None:
            kind, ends = self.interval.method, cells[f"{level} interval"]
            text += f" ({level} {kind} confidence interval {ends})"
        yield f"{text}; n = {self.n:,}{groups_in_words(self)}."
        if self.lower_is_better:
            yield "Lower is better."
        if self.standard_error is not None:
            unit = UNITS[self.unit]
            yield f"The standard error is {unit.about(self.standard_error)}."
        yield _OTHER_EXAMPLES if self.interval is not None else f"No interval: {self.no_interval}"


@dataclass(frozen=True, repr=False, eq=False)
class ScoreTable(Telling):
    """The scores of one system on several tasks, and their average; print it.

    Attributes
    ----------
    results : dict from str to ScoreInterval
        The score of each task.
    average : float or None
        The weighted average; None if the tasks have different units.
    interval : ConfidenceInterval or None
        The interval of the average; None if there is none.
    confidence_level : float
        The level of all intervals.
    weights : dict from str to float
        The weight of each task; their sum is 1.
    """

    results: Mapping[str, ScoreInterval]
    average: float | None
    interval: ConfidenceInterval | None
    confidence_level: float
    weights: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return the tasks and the average as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, str, list or None
            "tasks" is a list of a dict for each: "task", "weight", and what `ScoreInterval.to_dict`
            returns; "average", "low", "high" and "interval_method" are of the average.
            "schema_version" is the last key.
        """
        low, high = self.interval or (None, None)
        method = None if self.interval is None else self.interval.method
        tasks = [
            {"task": task, "weight": self.weights[task], **without_version(x.to_dict())}
            for task, x in self.results.items()
        ]
        own: dict[str, Any] = {"tasks": tasks, "average": self.average}
        own |= {"low": low, "high": high, "interval_method": method}
        return versioned(own | {"confidence_level": self.confidence_level})

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; `names` has the one system's name, and there is no level."""
        refuse_own(alpha=alpha)
        name, level = one_name(names), f"{100.0 * self.confidence_level:.12g}% interval"
        rows = []
        for task, x in self.results.items():
            told = x.told()
            cells = dict(zip(told.header, told.rows[0], strict=True))
            rows.append([task, *(cells.get(y, "") for y in ("metric", "n", "score", level))])
        first = next(iter(self.results.values()))
        sentences = [_OTHER_EXAMPLES]
        if self.average is not None:
            whole = replace(first, score=self.average, interval=self.interval, metric_words="")
            told = whole.told()
            cells = dict(zip(told.header, told.rows[0], strict=True))
            rows.append(["average", "", "", cells["score"], cells.get(level, "")])
        if self.average is not None and self.interval is not None:
            sentences.insert(0, f"The interval of the average is {self.interval.method}.")
        return Told(["task", "metric", "n", "score", level], rows, sentences, name)


def one_name(names: GivenNames) -> str:
    """Return the name of the system; "" without one."""
    if names is None:
        return ""
    if isinstance(names, str) or len(names) != 1:
        raise InputError("names", must="be a list of one name", got=describe(names))
    return plain_name("names", names[0])


NumberReason = Literal[
    "below",
    "not shown below",
    "above",
    "not shown above",
    "within the margin",
    "perhaps beyond the margin",
    "no interval",
]
_OF_NUMBER: dict[NumberReason, str] = {
    "below": "the {metric} of {new} is significantly below {number}.",
    "not shown below": (
        "the {metric} of {new} is not significantly below {number}. This does not show that it is "
        "above: for that, require it."
    ),
    "above": "the {metric} of {new} is significantly above {number}.",
    "not shown above": "the {metric} of {new} is not shown to be above {number}.",
    "within the margin": "the {metric} of {new} is shown to be less than {margin} below {number}.",
    "perhaps beyond the margin": (
        "the {metric} of {new} may be below {number} by {margin} or more: these examples do not "
        "tell."
    ),
    "no interval": "nothing tells how far the {metric} of {new} may be off.",
}
_SAME_ITEMS = (
    "If the number was measured on these same examples, compare with the runs behind it instead: "
    "most of its noise is shared."
)


@dataclass(frozen=True, slots=True, repr=False)
class NumberGateResult(WithVerdict):
    """The verdict of `gate` on a score beside a number; print it.

    Attributes
    ----------
    verdict : {"pass", "fail", "inconclusive"}
    reason : str
        The reason for the verdict: "below", "not shown below", "above", "not shown above", "within
        the margin", "perhaps beyond the margin" or "no interval". Where lower is better, "below" is
        "worse than the number", and so a higher score.
    score : ScoreInterval
        The score, with the interval of the level 1 - 2 alpha.
    threshold : float
        The number.
    margin : float or None
        The smallest distance from it that matters, in units of the score; None if none was given.
    require : {"not worse", "above"}
        What the score had to show.
    alpha : float
        The level of the one statement.
    pvalue : float or None
        The one-sided p-value of that statement: that the score is not worse than the number, or
        with a margin or "above" that it is not better than what was to be shown. None if there is
        no interval.
    fewest_to_pass, fewest_to_fail : int or None
        The fewest examples that could pass, or fail: all of them right, or all wrong. None unless
        these examples are fewer.
    """

    verdict: Verdict
    reason: NumberReason
    score: ScoreInterval
    threshold: float
    margin: float | None
    require: NumberRequirement
    alpha: float
    pvalue: float | None
    fewest_to_pass: int | None = None
    fewest_to_fail: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the score and the verdict as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, int, bool, str, dict or None
            All keys of `score.to_dict()`, and the attributes "verdict", "reason", "threshold",
            "margin", "require", "alpha", "p", "fewest_to_pass" and "fewest_to_fail".
            "schema_version" is the last key.
        """
        own = attributes(self, "score", "pvalue") | {"p": self.pvalue}
        return versioned(self.score.to_dict() | own)

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; the level is its own, and `names` has the one system's name."""
        refuse_own(alpha=alpha)
        name = one_name(names)
        told, unit = self.score.told(names), UNITS[self.score.unit]
        number = f"{unit.factor * self.threshold:.12g}{unit.mark}"
        words = {
            "metric": self.score.metric_words,
            "new": name or "candidate",
            "number": number,
            "margin": unit.amount(self.margin or 0.0),
        }
        why = _OF_NUMBER[self.reason].format(**words)
        if self.score.lower_is_better:
            why = why.replace("above", "\0").replace("below", "above").replace("\0", "below")
        cells = {"number": Number(number, self.threshold)}
        if self.pvalue is not None:
            cells["p"] = p_without_log(self.pvalue, self.alpha)
        header, rows = [*told.header, *cells], [[*told.rows[0], *cells.values()]]
        sentences = [*self._sentences(), *told.sentences, _SAME_ITEMS]
        return Told(header, rows, sentences, f"{self.verdict.upper()}: {why}")

    def _sentences(self) -> Iterator[str]:
        if self.pvalue is not None:
            p = p_without_log(self.pvalue, self.alpha)
            yield f"The one-sided p is {p}, at a level of {self.alpha:g}."
        for fewest, what in ((self.fewest_to_pass, "pass"), (self.fewest_to_fail, "fail")):
            if fewest is not None:
                yield f"So few examples cannot {what}, whatever they are: it takes {fewest:,}."
