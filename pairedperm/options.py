"""Options that the tests share, checked once at the edge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

import numpy as np

from pairedperm.convolution import Budget
from pairedperm.errors import InputError
from pairedperm.inputs.columns import describe

__all__ = [
    "BOOTSTRAP_METHODS",
    "CONFIDENCE_LEVEL",
    "INTERVAL_LEVEL",
    "MAX_BYTES",
    "MAX_FREQUENCIES",
    "N_RESAMPLES",
    "Alternative",
    "BootstrapMethod",
    "Method",
    "Options",
    "Seed",
    "Test",
    "Ties",
    "check_option",
    "read_budget",
    "read_options",
]

Alternative = Literal["two-sided", "greater", "less"]
Method = Literal[
    "auto",
    "exact",
    "dp",
    "fft",
    "rational",
    "enumeration",
    "bracket",
    "monte_carlo",
]
Test = Literal["permutation", "bootstrap"]
Ties = Literal["include", "exclude"]
BootstrapMethod = Literal["auto", "exact", "monte_carlo"]
BOOTSTRAP_METHODS: tuple[str, ...] = get_args(BootstrapMethod)
Seed = int | np.random.Generator | None
MAX_FREQUENCIES = Budget.max_frequencies
MAX_BYTES = Budget.max_bytes
N_RESAMPLES = 9999
CONFIDENCE_LEVEL = 0.99  # of a sampled p-value
INTERVAL_LEVEL = 0.95  # of a bootstrap's intervals


@dataclass(frozen=True, slots=True)
class Options:
    """Which test, and how it is computed; see `paired_permutation_test`."""

    alternative: str = "two-sided"
    method: str = "auto"
    max_frequencies: int = MAX_FREQUENCIES
    max_bytes: int = MAX_BYTES
    n_resamples: int = N_RESAMPLES
    rng: Any = None
    confidence_level: float = CONFIDENCE_LEVEL
    progress: bool = True
    test: str = "permutation"
    ties: str = "include"

    @property
    def budget(self) -> Budget:
        """What an exact computation may cost."""
        return Budget(self.max_frequencies, self.max_bytes)

    def generator(self) -> np.random.Generator:
        """The source of random numbers."""
        return np.random.default_rng(self.rng)


def read_options(**options: Any) -> Options:
    """The options, if all are known and have values that there are.

    Raises
    ------
    TypeError
        For an unknown option.
    InputError
        For an unknown value.
    """
    names = [field.name for field in fields(Options)]
    unknown = [name for name in options if name not in names]
    if unknown:
        raise TypeError(f"unexpected option {unknown[0]!r}: the test has {', '.join(names)}.")
    given = Options(**options)
    test = check_option("test", given.test, get_args(Test))
    ties = check_option("ties", given.ties, get_args(Ties))
    level, methods = options.get("confidence_level"), get_args(Method)
    if level is None:
        level = CONFIDENCE_LEVEL if test == "permutation" else INTERVAL_LEVEL
    if test == "bootstrap":
        if given.method in methods and given.method not in BOOTSTRAP_METHODS:
            raise InputError(
                f"`method` {given.method!r} is one of permutation tests: that of a bootstrap must "
                f"be one of {', '.join(map(repr, BOOTSTRAP_METHODS))}."
            )
        methods = BOOTSTRAP_METHODS
    elif ties != "include":
        raise InputError(
            f"`ties` must be 'include' with test='permutation', got {ties!r}: the observed "
            "assignment is one of all swaps. 'exclude' is for test='bootstrap'."
        )
    budget = read_budget(given.max_frequencies, given.max_bytes)
    if not isinstance(given.progress, (bool, np.bool_)):
        raise InputError(f"`progress` must be True or False, got {describe(given.progress)}.")
    return replace(
        given,
        alternative=check_option("alternative", given.alternative, get_args(Alternative)),
        method=check_option("method", given.method, methods),
        max_frequencies=budget.max_frequencies,
        max_bytes=budget.max_bytes,
        n_resamples=_positive_integer("n_resamples", given.n_resamples),
        rng=_seed(given.rng),
        confidence_level=_confidence_level(level),
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


def read_budget(max_frequencies: Any, max_bytes: Any) -> Budget:
    """The budget, if both limits are positive integers; 1e9 is one, infinity is not."""
    limits = {"max_frequencies": max_frequencies, "max_bytes": max_bytes}
    return Budget(**{name: _positive_integer(name, value) for name, value in limits.items()})


def _positive_integer(name: str, value: Any) -> int:
    is_number = isinstance(value, (int, float, np.integer, np.floating))
    if not is_number or isinstance(value, bool) or not (value >= 1 and value % 1 == 0):
        raise InputError(f"`{name}` must be a positive integer, got {describe(value)}.")
    return int(value)


def _seed(rng: Any) -> Seed:
    if rng is None or isinstance(rng, np.random.Generator):
        return rng
    try:
        if isinstance(rng, (bool, np.bool_, float)):
            raise TypeError
        np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise InputError(
            "`rng` must be a seed, an integer from 0, a numpy.random.Generator, or None, got "
            f"{describe(rng)}."
        ) from None
    return int(rng) if isinstance(rng, np.integer) else rng


def _confidence_level(value: Any) -> float:
    is_number = isinstance(value, (int, float, np.integer, np.floating))
    if not is_number or isinstance(value, bool) or not 0.0 < value < 1.0 or math.isnan(value):
        raise InputError(
            f"`confidence_level` must be between 0 and 1, for instance 0.99, got {describe(value)}."
        )
    return float(value)
