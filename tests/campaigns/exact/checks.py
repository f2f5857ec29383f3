"""What the campaign on exactness asks, and what must hold of the answers."""

import math
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

import pairedperm
from campaigns.exact import lowered
from choices import plan
from oracles import swaps
from pairedperm import BudgetError, InputError

ALL = ("exact", "auto", "dp", "fft", "enumeration", "monte_carlo")
RELATIVE, ABSOLUTE = 1e-11, 1e-12  # what "exact" promises
OF_FFT = 1e-13  # not proven: five times the largest that was measured
LEAST_OF_DP = Fraction(1, 10**290)  # below it dp knows its interval only
DRAWS = 7.0  # standard errors that a sampled share is never away from the truth
TURNED = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


@dataclass
class Case:
    """A call, and its true p-value, a function of the alternative, and for resamples of `ties`.

    `most` is p if all counts that rounding of the scores leaves open. `is_relative` tells whether p
    is promised to 1e-11 of it, not absolutely to 1e-12.
    """

    columns: list[Any]
    true: Callable[..., Fraction]
    options: dict[str, Any] = field(default_factory=dict)
    test: str = "paired_permutation_test"
    methods: tuple[str, ...] = ALL
    how_often: Any = None
    is_relative: bool = True
    most: Callable[..., Fraction] | None = None
    law: Callable[[], dict[float, Fraction] | None] = lambda: None
    intervals: Callable[[float], list[Any]] = lambda _: [None] * 3
    nearness: float = 1e-11  # values of the statistic tie within this share of the largest
    largest: float | None = None  # of the scores that a swap changes, if not that of both systems
    settings: dict[str, Any] = field(default_factory=dict)
    further: set[str] = field(default_factory=set)  # what else is checked

    @property
    def is_bootstrap(self):
        """Whether examples are resampled."""
        return self.test == "paired_bootstrap_test"

    @cached_property
    def truth(self):
        """The true p-value."""
        names = self.options.keys() & {"alternative", "ties"}
        return self.true(**{name: self.options[name] for name in names})

    def at_most(self, bits):
        """The p-value if all counts that rounding leaves open, in so many bits of the scores."""
        return (
            self.most(alternative=self.options["alternative"], bits=bits)
            if self.most
            else self.truth
        )

    def asked(self, method, change="", ask=None):
        """The result, with the systems "exchanged", or with the examples in another "order"."""
        columns, order = list(self.columns), np.arange(len(self.columns[0]))
        options = self.options | {"method": method}
        if change == "exchanged":
            columns[:2] = columns[1::-1]
            options["alternative"] = TURNED[options["alternative"]]
        elif change == "order":
            order = np.random.default_rng(0).permutation(order)
        is_array = isinstance(columns[0], np.ndarray)
        columns = [x[order] if is_array else [x[k] for k in order] for x in columns]
        if self.how_often is not None:
            columns = [pairedperm.PairedCounts(columns[0], columns[1], self.how_often[order])]
        return (ask or getattr(pairedperm, self.test))(*columns, **options)


def check(case, method):
    """Whatever a method answers is right."""
    with lowered.lowered(case.settings), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            result = case.asked(method)
        except (InputError, BudgetError):
            return
        assert method in ("auto", result.method)
        if result.pvalue_kind == "certified":
            check_certified(case, result)
            check_what_follows(case, result, method)
        else:
            check_sampled(case, result)
        if method == "auto" and not case.is_bootstrap and not said:
            assert case.asked(method, ask=plan).method == result.method
    assert all(issubclass(x.category, UserWarning) for x in said), said


def bits_of(columns):
    """How many bits of scores are certain: 22 if a column looks widened from float32."""
    return 22 if any(looks_widened(np.asarray(x)) for x in columns[:2]) else 51


def looks_widened(column):
    """All are float32 numbers, and not all have a few digits."""
    with np.errstate(over="ignore", under="ignore"):
        if column.dtype != np.float64 or not (column.astype(np.float32) == column).all():
            return False
    return any(float(f"{x:.13g}") != x for x in column.ravel().tolist())


def check_certified(case, result):
    """P is as near to the truth as promised, and so are the ends of its intervals."""
    truth, p, method, (low, high) = case.truth, result.pvalue, result.method, result.pvalue_interval
    assert 0.0 <= low <= p <= high <= 1.0
    if truth:
        assert swaps.is_certified(result, truth), (float(truth), result.pvalue_interval)
    else:
        assert (low, result.log_pvalue_interval[0]) == (0.0, -math.inf)
    absolute = abs(Fraction(p) - truth)
    error = swaps.relative_error(result, truth) if truth else absolute
    fraction = getattr(result, "fraction", None)
    if method == "bracket":
        assert p == high
    elif method == "enumeration" and high > low * (1.0 + 1e-15):  # rounding decides what ties
        end = high if fraction is None else float(fraction)  # before it is rounded up
        assert p == end
        assert math.nextafter(high, 0.0) <= end
        assert not (fraction and case.most) or fraction == case.at_most(bits_of(case.columns))
    elif method == "enumeration":
        assert fraction == truth
        assert error <= (4e-16 if truth > Fraction(1, 10**300) else 1e-14)
    elif lowered.COARSE.keys().isdisjoint(case.settings):
        assert fraction in (None, truth)
        if method == "fft":
            assert min(error, absolute) <= OF_FFT
        elif case.is_relative or method == "dp":
            assert error <= RELATIVE or (method == "dp" and truth <= LEAST_OF_DP)
        else:
            assert min(error, absolute) <= ABSOLUTE


def check_sampled(case, result):
    """P is that of a sample; where rounded sums are near, they may tie."""
    m, p, (low, high) = result.n_resamples, result.pvalue, result.pvalue_interval
    k = round(p * (m + 1)) - 1
    assert 0 <= k <= m
    assert p == (k + 1) / (m + 1)
    assert 0.0 <= low <= p <= high <= 1.0
    most = float(case.at_most(45))
    is_real = isinstance(case.columns[0], np.ndarray) and case.columns[0].dtype.kind == "f"
    if is_real and "enumeration" in case.methods:
        with suppress(BudgetError):  # of a ratio: its interval has what rounding leaves open
            most = max(most, case.asked("enumeration").pvalue_interval[1])
    for share, sign in ((float(case.truth), 1), (most, -1)):
        assert sign * (m * share - k) <= DRAWS * math.sqrt(m * share * (1.0 - share)) + 12.0
    assert result.log_pvalue == math.log(p)
    assert result.to_dict() == case.asked(result.method).to_dict()


def check_what_follows(case, result, method):
    """Other orders, exchanged systems, the null distribution and percentile intervals.

    "auto" is asked again, too: its bracket has less patience than the one that is asked by name.
    """
    if "order" in case.further:
        assert result.to_dict() == case.asked(method, "order").to_dict()
    if "exchanged" in case.further and "alternative" in case.options:
        other = case.asked(method, "exchanged")
        if other.pvalue_kind == "certified":
            check_certified(case, other)
            assert other.statistic == -result.statistic
    if case.is_bootstrap and result.method == "exact":
        given = result.confidence_interval(), result.score1_interval, result.score2_interval
        level = case.options["confidence_level"]
        for ends, right in zip(given, case.intervals(level), strict=True):
            assert right is None or np.allclose(ends, right, rtol=1e-12, atol=1e-12)
    is_exact = not case.is_bootstrap and lowered.COARSE.keys().isdisjoint(case.settings)
    if "null" in case.further and is_exact:
        with suppress(BudgetError):
            check_null(case, result)


def check_null(case, result):
    """The null distribution: its masses, its support, P(D <= observed)."""
    found = result.null_distribution(budget={"max_points": 2**18, "max_bytes": 2**24})
    masses, values, truth = found.pmf, found.support, case.law()
    assert abs(math.fsum(masses) - 1.0) <= 1e-12
    assert (masses >= 0.0).all()
    assert values.dtype == float
    assert (values[1:] > values[:-1]).all()
    largest = max(abs(result.score1 or 0.0), abs(result.score2 or 0.0))
    scale = max(abs(values).max(), largest if case.largest is None else case.largest)
    if "alternative" in case.options:
        assert abs(values + values[::-1]).max() <= 1e-12 * scale
    if truth is not None:
        assert values.tolist() == list(truth)
        assert max(abs(a - float(b)) for a, b in zip(masses, truth.values(), strict=True)) <= 2e-15
        below = sum(mass for value, mass in truth.items() if value <= result.statistic)
        assert abs(float(found.cdf(result.statistic)) - float(below)) <= 1e-12
    elif case.options.get("alternative") == "less":
        is_fine = (np.diff(values) > 4.0 * np.spacing(abs(values[0]))).all()  # no two are one float
        if is_fine and case.at_most(45) == case.truth:
            below = float(found.cdf(result.statistic + case.nearness * scale))
            assert abs(below - float(case.truth)) <= 1e-12
