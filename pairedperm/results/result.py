"""The results of both tests."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, Protocol

from pairedperm.errors import InputError
from pairedperm.options import Budget, BudgetLike, read_budget
from pairedperm.results.null_distribution import NullDistribution
from pairedperm.results.words import format_pvalue

_AS_THEY_ARE = (
    *("interval", "score1", "score2", "metric", "alternative", "method"),
    *("n", "n_differing", "n_resamples", "confidence_level"),
)


@dataclass(frozen=True, slots=True, repr=False)
class PairedResult:
    """What every test of two systems found; see its own result."""

    statistic: float
    pvalue: float
    log_pvalue: float
    pvalue_interval: tuple[float, float]
    log_pvalue_interval: tuple[float, float]
    interval: str
    score1: float | None
    score2: float | None
    metric: str | None
    metric_options: dict[str, Any] | None = field(hash=False)
    alternative: str
    method: str
    n: int
    n_differing: int
    n_resamples: int | None
    confidence_level: float | None
    n_ignored: int
    seed: int | None

    def to_dict(self) -> dict[str, Any]:
        """The result under the keys of the `evaluate` module; ready for JSON."""
        return {
            "stat": self.statistic,
            "p": self.pvalue,
            "log_p": self.log_pvalue,
            "p_low": self.pvalue_interval[0],
            "p_high": self.pvalue_interval[1],
            "log_p_low": self.log_pvalue_interval[0],
            "log_p_high": self.log_pvalue_interval[1],
            **{name: getattr(self, name) for name in _AS_THEY_ARE},
            "metric_options": copy.deepcopy(self.metric_options),
            "n_ignored": self.n_ignored,
            "seed": self.seed,
        }

    def __repr__(self) -> str:
        sampled = "" if self.n_resamples is None else f", n_resamples={self.n_resamples}"
        sampled += f", n_ignored={self.n_ignored}" if self.n_ignored else ""
        score1, score2 = (x if x is None else f"{x:.6g}" for x in (self.score1, self.score2))
        return (
            f"{type(self).__name__}(statistic={self.statistic:.6g}, "
            f"pvalue={format_pvalue(self.log_pvalue, 6)}, alternative={self.alternative!r}, "
            f"score1={score1}, score2={score2}, metric={self.metric!r}, "
            f"{'' if self.metric_options is None else f'metric_options={self.metric_options!r}, '}"
            f"method={self.method!r}, n={self.n}, n_differing={self.n_differing}{sampled})"
        )


class HasNull(Protocol):
    """What a result keeps of its problem."""

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """The law of the statistic."""


@dataclass(frozen=True, slots=True, repr=False)
class PairedPermutationResult(PairedResult):
    """What a paired-permutation test found, in builtin scalars.

    Attributes
    ----------
    statistic : float
        score1 - score2, or the statistic of `structured_permutation_test`.
    pvalue : float
        P(a difference at least as large as the observed one) when a fair coin swaps the two
        systems' outputs on each example; in [0, 1]. 0.0 only where it underflows, below
        about 1e-308 (see `log_pvalue`). Sampled by "monte_carlo", (k + 1) / (n_resamples + 1)
        for the k samples with such a difference.
    log_pvalue : float
        Its natural logarithm, finite in every case.
    pvalue_interval, log_pvalue_interval : tuple of float
        Lower and upper end of an interval for each.
    interval : str
        What the intervals are: "certified" (rounding and all other errors included, the true
        value lies inside) or "confidence" (of a sampled p-value: it does so for all but a
        share of 1 % of the samples).
    score1, score2 : float or None
        The scores of the two systems; None for a statistic that has none.
    metric : str or None
        The metric's name; None for bare counts.
    metric_options : dict or None
        Its options as keyword arguments, ``{"pos_label": "PROPN"}``; None without any.
    alternative : str
        "two-sided", "greater" (system 1 scores higher) or "less".
    method : str
        What ran: "exact", "dp", "fft", "rational", "enumeration", "bracket" or
        "monte_carlo".
    n : int
        Number of examples; a sequence counts as one.
    n_differing : int
        How many of them the two systems' contributions differ on. Only these carry evidence.
    n_resamples : int or None
        How many swaps were sampled; None for an exact p-value.
    confidence_level : float or None
        Of the interval of the difference, if one was asked for.
    n_ignored : int
        How many labels of the references were left out, see `ignore_label` of `compare`.
    seed : int or None
        Of the samples: with ``rng=seed`` they are the same. None for an exact p-value.
    fraction : fractions.Fraction or None
        The true p-value, of method "rational" and "enumeration"; None of others, and where the
        rounding of a function decides what ties.
    """

    fraction: Fraction | None
    _problem: HasNull | None = field(compare=False)

    def null_distribution(self, budget: BudgetLike = None) -> NullDistribution:
        """The law of the statistic when a fair coin swaps the systems on each example.

        Computed when asked for, from the few distinct differences that the result holds.

        Parameters
        ----------
        budget : Budget, dict or None
            As of `paired_permutation_test`.

        Raises
        ------
        BudgetError
            If the points, 64 bytes each, do not fit; there are up to Σ |d| + 1, of a ratio of sums
            up to the product of these for the numerators and the denominators.
        InputError
            If the result was pickled without its score function.
        """
        budget = read_budget(budget)
        if self._problem is None:
            raise InputError(
                "this result was pickled without its score function, which cannot be: there is no "
                "null distribution. Define the function at the top of a module, instead of a "
                "lambda."
            )
        return self._problem.null_distribution(budget)

    def __reduce__(self) -> tuple[Any, ...]:
        """A function of the caller's, such as a lambda, may not be pickled: the rest is."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        try:
            pickle.dumps(self._problem)
        except (pickle.PicklingError, AttributeError, TypeError):
            values["_problem"] = None
        return partial(type(self), **values), ()


class ConfidenceInterval(NamedTuple):
    """The two ends of a confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, repr=False)
class PairedBootstrapResult(PairedResult):
    """What a paired bootstrap test found, in builtin scalars.

    Attributes
    ----------
    statistic : float
        score1 - score2.
    pvalue : float
        P(a resampled difference as far beyond the observed one as that is from 0), in [0, 1]. It
        may be 0: see `paired_bootstrap_test`. Sampled, (k + 1) / (n_resamples + 1) for the k
        resamples with such a difference.
    log_pvalue : float
        Its natural logarithm; -inf where p is 0.
    pvalue_interval, log_pvalue_interval : tuple of float
        Lower and upper end of an interval for each.
    interval : str
        What these are: "certified" (rounding and all other errors included, the true value lies
        inside) or "confidence" (of a sampled p-value, at 99 %).
    score1, score2 : float
        The scores of the two systems.
    metric : str or None
        The metric's name; None for bare counts.
    metric_options : dict or None
        Its options as keyword arguments; None without any.
    alternative : str
        "two-sided", "greater" (system 1 scores higher) or "less".
    method : str
        What ran: "exact" or "monte_carlo".
    n : int
        Number of examples; a sequence counts as one.
    n_differing : int
        How many of them the two systems' contributions differ on.
    n_resamples : int or None
        How many resamples were drawn; None for the ideal bootstrap.
    confidence_level : float
        Of the percentile intervals.
    n_ignored : int
        How many labels of the references were left out, see `ignore_label` of `compare`.
    seed : int or None
        Of the resamples: with ``rng=seed`` they are the same. None for the ideal bootstrap.
    confidence_interval : ConfidenceInterval
        (low, high), the percentile interval of the difference.
    score1_interval, score2_interval : ConfidenceInterval
        The percentile interval of each system's own score.
    ties : str
        "include" or "exclude": whether a resampled difference at the threshold counts.
    """

    confidence_interval: ConfidenceInterval
    score1_interval: ConfidenceInterval
    score2_interval: ConfidenceInterval
    ties: str

    def __repr__(self) -> str:
        low, high = self.confidence_interval
        interval = f"confidence_interval=({low:.6g}, {high:.6g})"
        return f"{PairedResult.__repr__(self)[:-1]}, {interval}, ties={self.ties!r})"

    def to_dict(self) -> dict[str, Any]:
        """The result under the keys of the `evaluate` module; ready for JSON.

        The logarithm of 0 is None.
        """
        found = PairedResult.to_dict(self)
        last = {name: found.pop(name) for name in ("n_ignored", "seed")}
        for key in ("log_p", "log_p_low", "log_p_high"):
            found[key] = None if found[key] == -math.inf else found[key]
        found["stat_low"], found["stat_high"] = self.confidence_interval
        found["score1_low"], found["score1_high"] = self.score1_interval
        found["score2_low"], found["score2_high"] = self.score2_interval
        return found | {"test": "bootstrap", "ties": self.ties, **last}
