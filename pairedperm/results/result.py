"""The common base of the results of both tests."""

from __future__ import annotations

import copy
import math
import pickle
from abc import abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, TypeVar

from pairedperm.errors import InputError, Words
from pairedperm.options import ALPHA, Alpha, reads_options
from pairedperm.population.evidence import Evidence, without_function
from pairedperm.population.intervals import ConfidenceInterval
from pairedperm.results.figures import Figures, unit_of
from pairedperm.results.sentence import (
    ends_of_p,
    format_pvalue,
    lines_of_test,
    names_of,
    scores_table,
    sentence,
)
from pairedperm.results.table import Table, Tabular, latex_text
from pairedperm.scoring.counts import UnknownMetric
from pairedperm.scoring.metric import Metric

_AS_THEY_ARE = (
    *("interval", "score1", "score2", "metric", "alternative", "method"),
    *("n", "n_differing", "n_resamples", "confidence_level"),
)
LATER = ("n_groups", "n_wins", "n_losses", "n_ties", "standard_error")
_WITH_FUNCTION = ("_problem", "_evidence", "_metric")  # these may hold a function of the caller's

Result = TypeVar("Result", bound="PairedResult")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PairedResult(Tabular):
    """The common part of the results; see `PairedPermutationResult`, `PairedBootstrapResult`."""

    statistic: float
    pvalue: float
    log_pvalue: float
    pvalue_interval: tuple[float, float]
    log_pvalue_interval: tuple[float, float]
    interval: str
    score1: float | Any  # None for a statistic without scores
    score2: float | Any
    _metric: Metric | UnknownMetric | None = field(compare=False)
    alternative: str
    method: str
    n: int
    n_differing: int
    n_groups: int | None
    n_resamples: int | None
    confidence_level: float | None
    n_ignored: int
    seed: int | None
    reason: str = field(compare=False)
    _evidence: Evidence | Callable[[], Evidence] | None = field(compare=False)
    _later: dict[str, Any] = field(default_factory=dict, compare=False, kw_only=True)
    _unreported: Words = field(default="", compare=False, kw_only=True)  # what tools report instead

    @property
    def metric(self) -> str | None:
        """The metric's name; None for bare counts."""
        return None if self._metric is None else self._metric.name

    @property
    def metric_options(self) -> dict[str, Any] | None:
        """The metric's options as keyword arguments; None without any."""
        return None if self._metric is None else self._metric.options

    def lower_is_better(self) -> bool:
        """Tell whether the metric counts errors."""
        return self._metric is not None and self._metric.lower_is_better

    def lead(self) -> float:
        """Return the statistic, its sign turned where lower is better: system 1 leads above 0."""
        return -self.statistic if self.lower_is_better() else self.statistic

    @property
    def n_wins(self) -> int:
        """The number of examples that speak for system 1; see `PairedPermutationResult`.

        Raises
        ------
        InputError
            If the result was pickled without its score function, or is of counts of groups.
        """
        return self.evidence_for("number of wins").wins.first

    @property
    def n_losses(self) -> int:
        """The number of examples that speak for system 2; see `n_wins`."""
        return self.evidence_for("number of losses").wins.second

    @property
    def n_ties(self) -> int:
        """The number of examples that speak for neither; see `n_wins`."""
        return self.n - self.n_wins - self.n_losses

    @property
    def standard_error(self) -> float | None:
        """The standard error of the difference of the scores; None if it is not known.

        Raises
        ------
        InputError
            If the result was pickled without its score function.
        """
        return self.evidence_for("standard error").standard_error

    def to_dict(self) -> dict[str, Any]:
        """Return the result under the keys of the `evaluate` module, ready for JSON."""
        return {
            **keys_of_p(self),
            **{name: getattr(self, name) for name in _AS_THEY_ARE},
            "metric_options": copy.deepcopy(self.metric_options),
            "n_ignored": self.n_ignored,
            "seed": self.seed,
            **{name: known(self, name) for name in LATER},
        }

    def figures(self) -> Figures:
        """Return the scores, their difference and its interval, as they are printed."""
        level, interval = self._interval()
        return replace(self._scores, interval=interval, level=level)

    @property
    def _scores(self) -> Figures:
        """The scores and their difference alone."""
        bound = getattr(self._metric, "largest_difference", math.inf)
        scores = self.score1, self.score2, self.statistic
        return Figures(unit_of(self.metric), *scores, bound=bound)

    @abstractmethod
    def _interval(self) -> tuple[float, ConfidenceInterval | None]:
        """Return the level and the interval that is printed, if there is one."""

    @reads_options
    def summary(
        self,
        name1: str | None = None,
        name2: str | None = None,
        *,
        dataset: str | None = None,
        alpha: Alpha = ALPHA,
        latex: bool = False,
    ) -> str:
        """Return the sentences for a paper: the finding, the difference, and the test.

        Parameters
        ----------
        name1, name2 : str or None
            The names of the two systems. None: "system 1" and "system 2".
        dataset : str or None
            The name of the data set that they were compared on. None: it is left out.
        alpha : float
            The level: a difference with p ≤ alpha is called significant.
        latex : bool
            Whether to write it for LaTeX, with %, _, α and other such characters escaped.

        Returns
        -------
        str

        Raises
        ------
        InputError
            If a name is no text or is empty, if both systems have the same name, or if `alpha` is
            not between 0 and 1.

        Examples
        --------
        >>> from pairedperm import compare
        >>> result = compare([1, 1, 0, 1, 1, 1], [0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1, 1])
        >>> print(result.summary("large", "small", alpha=0.2).partition(": ")[0])
        The accuracy of large is significantly higher than that of small
        """
        names = names_of(name1, name2, dataset)
        text = sentence(self, *names, alpha)
        return latex_text(text) if latex else text

    def _table(self) -> Table:
        return scores_table(self, self.figures(), self.summary())

    def __str__(self) -> str:  # a long seed stays in its line
        return "\n".join(lines_of_test(self))

    def __repr__(self) -> str:
        p = f"pvalue={format_pvalue(self.log_pvalue, 6)}"
        if self.n_resamples is not None or self.method == "bracket":
            p += f" [{ends_of_p(self, 6).replace(' to ', ', ')}]"
        sampled = "" if self.n_resamples is None else f", n_resamples={self.n_resamples}"
        sampled += "" if self.seed is None else f", seed={self.seed}"
        groups = "" if self.n_groups is None else f", n_groups={self.n_groups}"
        sampled += f", n_ignored={self.n_ignored}" if self.n_ignored else ""
        score1, score2 = (x if x is None else f"{x:.6g}" for x in (self.score1, self.score2))
        return (
            f"{type(self).__name__}(statistic={self.statistic:.6g}, {p}, "
            f"alternative={self.alternative!r}, "
            f"score1={score1}, score2={score2}, metric={self.metric!r}, "
            f"{'' if self.metric_options is None else f'metric_options={self.metric_options!r}, '}"
            f"method={self.method!r}, n={self.n}, n_differing={self.n_differing}{groups}{sampled})"
        )

    def evidence_for(self, what: str) -> Evidence:
        """Return the rows and the score that the result keeps, for something that needs them.

        Raises
        ------
        InputError
            If the result was pickled without its score function: there is no `what` then.
        """
        if self._evidence is None:
            raise without_function(what)
        return self._evidence if isinstance(self._evidence, Evidence) else self._evidence()

    def __eq__(self, other: object) -> bool:
        """Compare all that is told: metrics are the same if their names and options are."""
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, PairedResult)
        is_same = self.metric_options == other.metric_options
        return is_same and self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[Any, ...]:
        return (self.metric, *(getattr(self, x.name) for x in fields(self) if x.compare))

    def __copy__(self) -> Any:
        return replace(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return replace(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the result, without a function of the caller's that cannot be pickled."""
        values = attributes(self)
        lost = [x for x in _WITH_FUNCTION if x in values and not _is_pickled(values[x])]
        values |= dict.fromkeys(lost)
        if "_metric" in lost:
            values["_metric"] = UnknownMetric(str(self.metric), self.metric_options)
        return partial(type(self), **values), ()


def known(result: PairedResult, name: str) -> Any:
    """Return an attribute of the result, or None if it cannot be computed; the result keeps it."""
    if name not in result._later:
        value = None
        with suppress(InputError):
            value = getattr(result, name)
        result._later[name] = value
    return result._later[name]


def keys_of_p(result: Any) -> dict[str, float]:
    """Return a result's statistic and p-value under the keys of the `evaluate` module."""
    return {
        "stat": result.statistic,
        "p": result.pvalue,
        "log_p": result.log_pvalue,
        "p_low": result.pvalue_interval[0],
        "p_high": result.pvalue_interval[1],
        "log_p_low": result.log_pvalue_interval[0],
        "log_p_high": result.log_pvalue_interval[1],
    }


def _is_pickled(value: Any) -> bool:
    try:
        pickle.dumps(value)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def attributes(result: Any, *left_out: str) -> dict[str, Any]:
    """Return the fields of a result by name, without some."""
    return {x.name: getattr(result, x.name) for x in fields(result) if x.name not in left_out}


SCHEMA_VERSION = 1  # proof: of the keys of `to_dict`


def versioned(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result's keys, ready for JSON, with their version as the last one."""
    stored = {key: _plain(x) for key, x in without_version(keys).items()}
    return stored | {"schema_version": SCHEMA_VERSION}


def without_version(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result's keys for another result, which says the version for both."""
    return {key: x for key, x in keys.items() if key != "schema_version"}


def _plain(value: Any) -> Any:
    """Return lists for tuples, and None for an infinite number."""
    if isinstance(value, (list, tuple)):
        return [*map(_plain, value)]
    return None if isinstance(value, float) and math.isinf(value) else value
