"""Options that the tests share, checked once at the edge."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

import numpy as np

from pairedperm.errors import BudgetError, InputError, describe


@dataclass(frozen=True)
class Budget:
    """Upper limits; what would exceed them raises BudgetError, before it has begun if possible.

    Attributes
    ----------
    max_frequencies : int
        Frequencies of a characteristic function that may have to be looked at. A million takes
        a tenth of a second to a second; in two dimensions each stands for 0.6 µs of work.
    max_bytes : int
        Memory for the arrays of one computation.
    """

    max_frequencies: int = 2**25  # tuned: some seconds
    max_bytes: int = 2**30  # tuned: what any machine has

    def excess(
        self, what: str, *, n_points: float = 0, n_bytes: float = 0, remedy: str = "Raise it."
    ) -> str | None:
        """Why what needs so many frequencies, or bytes, is too much; None if it is not."""
        for name, needed in (("max_frequencies", n_points), ("max_bytes", n_bytes)):
            limit = getattr(self, name)
            if needed > limit:
                return f"{what}; `{name}` allows {limit:.3g}. {remedy}"
        return None

    def check(
        self, what: str, *, n_points: float = 0, n_bytes: float = 0, remedy: str = "Raise it."
    ) -> None:
        """Raise BudgetError if that is too much."""
        excess = self.excess(what, n_points=n_points, n_bytes=n_bytes, remedy=remedy)
        if excess:
            raise BudgetError(excess)


Alternative = Literal["two-sided", "greater", "less"]
Method = Literal["auto", "exact", "dp", "fft", "rational", "enumeration", "bracket", "monte_carlo"]
Test = Literal["permutation", "bootstrap"]
Ties = Literal["include", "exclude"]
BootstrapMethod = Literal["auto", "exact", "monte_carlo"]
BOOTSTRAP_METHODS: tuple[str, ...] = get_args(BootstrapMethod)
Seed = int | np.random.Generator | None
MAX_FREQUENCIES = Budget.max_frequencies
MAX_BYTES = Budget.max_bytes
_SOURCES = (
    np.random.Generator,
    np.random.BitGenerator,
    np.random.RandomState,
    np.random.bit_generator.ISeedSequence,
)
N_RESAMPLES = 9999  # proof: the default that users know, as in scipy
CONFIDENCE_LEVEL = 0.99  # proof: the default of a sampled p-value
IGNORE_LABEL = -100  # proof: of the losses of transformers and torch
INTERVAL_LEVEL = 0.95  # proof: the default of a bootstrap's intervals


@dataclass(frozen=True, slots=True)
class Options:
    """Which test, and how it is computed; see `paired_permutation_test`."""

    alternative: str = "two-sided"
    method: str = "auto"
    budget: Budget = Budget()
    n_resamples: int = N_RESAMPLES
    rng: Any = None
    confidence_level: float = CONFIDENCE_LEVEL
    progress: bool = True
    test: str = "permutation"
    ties: str = "include"

    def generator(self) -> np.random.Generator:
        """The source of random numbers."""
        return np.random.default_rng(self.rng)


def read_options(
    alternative: Any = "two-sided",
    method: Any = "auto",
    max_frequencies: Any = MAX_FREQUENCIES,
    max_bytes: Any = MAX_BYTES,
    n_resamples: Any = N_RESAMPLES,
    rng: Any = None,
    confidence_level: Any = None,
    progress: Any = True,
    test: Any = "permutation",
    ties: Any = "include",
    **unknown: Any,
) -> Options:
    """The options, if all have values that there are; None is the test's own confidence level.

    Raises
    ------
    TypeError
        For an unknown option.
    InputError
        For an unknown value.
    """
    if unknown:
        names = ", ".join([*inspect.signature(read_options).parameters][:-1])
        raise TypeError(f"unexpected option {next(iter(unknown))!r}: the test has {names}.")
    test = check_option("test", test, get_args(Test))
    ties = check_option("ties", ties, get_args(Ties))
    methods = get_args(Method)
    if test == "bootstrap":
        if isinstance(method, str) and method in methods and method not in BOOTSTRAP_METHODS:
            raise InputError(
                f"`method` {method!r} is one of permutation tests: that of a bootstrap must "
                f"be one of {', '.join(map(repr, BOOTSTRAP_METHODS))}."
            )
        methods = BOOTSTRAP_METHODS
    elif ties != "include":
        raise InputError(
            f"`ties` must be 'include' with test='permutation', got {ties!r}: the observed "
            "assignment is one of all swaps. 'exclude' is for test='bootstrap'."
        )
    budget = Budget(
        min(positive_integer("max_frequencies", max_frequencies), sys.maxsize),
        min(positive_integer("max_bytes", max_bytes), sys.maxsize),
    )
    if not isinstance(progress, (bool, np.bool_)):
        raise InputError(f"`progress` must be True or False, got {describe(progress)}.")
    level = CONFIDENCE_LEVEL if test == "permutation" else INTERVAL_LEVEL
    return Options(
        alternative=check_option("alternative", alternative, get_args(Alternative)),
        method=check_option("method", method, methods),
        budget=budget,
        n_resamples=positive_integer("n_resamples", n_resamples),
        rng=None if rng is None else _seed(rng),
        confidence_level=level if confidence_level is None else _confidence_level(confidence_level),
        progress=bool(progress),
        test=test,
        ties=ties,
    )


def check_option(name: str, value: object, accepted: Sequence[str]) -> str:
    """The option's value as a plain string, if it is one of those there are."""
    if not isinstance(value, str) or value not in accepted:
        raise InputError(
            f"`{name}` must be one of {', '.join(map(repr, accepted))}, got {describe(value)}."
        )
    return str.__str__(value)  # of an Enum


def is_number(value: Any) -> bool:
    """A Python or numpy integer or float; no bool, and no time span, which numpy derives."""
    is_derived = isinstance(value, (bool, np.timedelta64))
    return isinstance(value, (int, float, np.integer, np.floating)) and not is_derived


def is_whole(value: Any) -> bool:
    """A Python or numpy integer; no bool, and no time span."""
    return isinstance(value, (int, np.integer)) and is_number(value)


def positive_integer(name: str, value: Any) -> int:
    """The option's value as an integer; a float may be one.

    Raises
    ------
    InputError
        If it is none, or less than 1.
    """
    if not is_number(value) or not (value >= 1 and value % 1 == 0):  # 1e9 is one, infinity not
        raise InputError(f"`{name}` must be a positive integer, got {describe(value)}.")
    return int(value)


def _seed(rng: Any) -> Any:
    with suppress(TypeError):  # some versions of numpy take no RandomState
        if isinstance(rng, _SOURCES) or _is_seed(rng):
            np.random.default_rng(rng)
            return rng
    raise InputError(
        "`rng` must be a seed, an integer from 0, a numpy.random.Generator, or None, got "
        f"{describe(rng)}."
    )


def _is_seed(rng: Any) -> bool:
    """Whether it is an integer from 0, or some; numpy crashes on a nest of them without end."""
    entries = rng.tolist() if type(rng) is np.ndarray and rng.ndim == 1 else rng
    if not isinstance(entries, (list, tuple, range)):
        entries = [entries]
    return all(is_whole(x) and x >= 0 for x in entries)


def _confidence_level(value: Any) -> float:
    is_level = is_number(value) and 0.0 < value < 1.0
    if not is_level or not 0.0 < float(value) < 1.0:  # a longdouble may be nearer to them
        raise InputError(
            f"`confidence_level` must be between 0 and 1, for instance 0.99, got {describe(value)}."
        )
    return float(value)


def read_zero_division(value: Any) -> Fraction:
    """The number, as the decimal that it prints as.

    Raises
    ------
    InputError
        If it is no number from 0 to 1.
    """
    if not (is_number(value) or isinstance(value, Fraction)) or not 0.0 <= value <= 1.0:
        raise InputError(
            f"`zero_division` must be a number from 0 to 1, got {describe(value)}. What "
            "scikit-learn calls 'warn' is 0; a score must be a number."
        )
    return Fraction(str(value))


def read_ignore_label(value: Any) -> int | None:
    """The label that stands for none.

    Raises
    ------
    InputError
        If it is no integer of int64, nor None.
    """
    if value is not None and not (is_whole(value) and -(2**63) <= value < 2**63):
        raise InputError(
            "`ignore_label` must be an integer, the label of references that stands for none, or "
            f"None, got {describe(value)}."
        )
    return None if value is None else int(value)
