"""Options that the tests share, checked once at the edge."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, Literal, get_args

import numpy as np

from pairedperm.errors import BudgetError, InputError, describe


def is_number(value: Any) -> bool:
    """A Python or numpy integer or float; no bool, and no time span, which numpy derives."""
    is_derived = isinstance(value, (bool, np.timedelta64))
    return isinstance(value, (int, float, np.integer, np.floating)) and not is_derived


def is_positive(value: Any) -> bool:
    """A positive number, not beyond floats."""
    with suppress(OverflowError):
        return is_number(value) and 0.0 < float(value) < float("inf")
    return False


def is_level(value: Any) -> bool:
    """A number between 0 and 1, also as a float: a longdouble may be nearer to either."""
    return is_positive(value) and float(value) < 1.0


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


@dataclass(frozen=True)
class Budget:
    """Upper limits; what would exceed them raises BudgetError, before it has begun if possible.

    A dict of the same, ``{"max_points": 10**6}``, will do wherever a budget is taken.

    Parameters
    ----------
    max_points : int
        Points of a sum's support, or frequencies of its characteristic function and intervals of
        these, that may have to be looked at. A million takes a tenth of a second to a second; in
        two dimensions, and for a bootstrap, each stands for 0.6 µs of work.
    max_bytes : int
        Memory for the arrays of one computation.

    Raises
    ------
    InputError
        If one is no positive integer.

    Examples
    --------
    >>> from pairedperm import Budget, paired_permutation_test
    >>> large, small = [0.123456, 0.3, 0.25], [0.1, 0.200001, 0.1]
    >>> paired_permutation_test(large, small, budget=Budget(max_bytes=10**8)).pvalue
    0.25
    """

    max_points: int = 2**25  # tuned: some seconds
    max_bytes: int = 2**30  # tuned: what any machine has

    def __post_init__(self) -> None:
        for name in ("max_points", "max_bytes"):
            value = min(positive_integer(name, getattr(self, name)), sys.maxsize)
            object.__setattr__(self, name, value)

    def excess(
        self, what: str, *, n_points: float = 0, n_bytes: float = 0, remedy: str = "Raise it."
    ) -> str | None:
        """Why what needs so many frequencies, or bytes, is too much; None if it is not."""
        for name, needed in (("max_points", n_points), ("max_bytes", n_bytes)):
            limit = getattr(self, name)
            if needed > limit:
                return f"{what}; `{name}` of `budget` allows {limit:.3g}. {remedy}"
        return None

    def check(
        self, what: str, *, n_points: float = 0, n_bytes: float = 0, remedy: str = "Raise it."
    ) -> None:
        """Raise BudgetError if that is too much."""
        excess = self.excess(what, n_points=n_points, n_bytes=n_bytes, remedy=remedy)
        if excess:
            raise BudgetError(excess)


_BUDGET = Budget()
NANOSECONDS = 600.0  # tuned: that a point stands for where work is counted
Alternative = Literal["two-sided", "greater", "less"]
Method = Literal["auto", "exact", "dp", "fft", "rational", "enumeration", "bracket", "monte_carlo"]
Test = Literal["permutation", "bootstrap"]
Ties = Literal["include", "exclude"]
BootstrapMethod = Literal["auto", "exact", "monte_carlo"]
BOOTSTRAP_METHODS: tuple[str, ...] = get_args(BootstrapMethod)
Seed = int | np.random.Generator | None
BudgetLike = Budget | Mapping[str, int] | None
_SOURCES = (
    np.random.Generator,
    np.random.BitGenerator,
    np.random.RandomState,
    np.random.bit_generator.ISeedSequence,
)
N_RESAMPLES = 9999  # proof: the default that users know, as in scipy
_MOST = 2**1000  # proof: so that a seed is printed, and read as a float
P_LEVEL = 0.99  # proof: of the interval of every sampled p-value
IGNORE_LABEL = -100  # proof: of the losses of transformers and torch
CONFIDENCE_LEVEL = 0.95  # proof: the default of the interval of a difference


@dataclass(frozen=True, slots=True)
class Options:
    """Which test, and how it is computed; see `paired_permutation_test`."""

    alternative: str = "two-sided"
    method: str = "auto"
    budget: Budget = _BUDGET
    n_resamples: int | None = None
    rng: Any = None
    confidence_level: float | None = None
    test: str = "permutation"
    ties: str = "include"

    @property
    def level(self) -> float:
        """Of the interval of the difference."""
        return self.confidence_level or CONFIDENCE_LEVEL

    @property
    def n_first(self) -> int:
        """Samples that are drawn in any case; "auto" may go on, unless it was told how many."""
        return self.n_resamples or N_RESAMPLES

    def drawn_seed(self) -> int:
        """A seed of samples: `rng` if it is one that can be told, or else one that it draws."""
        if is_whole(self.rng) and self.rng < _MOST:
            return int(self.rng)
        return int(np.random.default_rng(self.rng).integers(2**32))


def read_options(
    alternative: Any = "two-sided",
    method: Any = "auto",
    budget: Any = None,
    n_resamples: Any = None,
    rng: Any = None,
    confidence_level: Any = None,
    test: Any = "permutation",
    ties: Any = "include",
    **unknown: Any,
) -> Options:
    """The options, if all have values that there are.

    Raises
    ------
    TypeError
        For an unknown option.
    InputError
        For an unknown value.
    """
    if unknown:
        raise unknown_option(next(iter(unknown)), OPTIONS, "the test")
    test = check_option("test", test, get_args(Test))
    ties = check_option("ties", ties, get_args(Ties))
    alternative = check_option("alternative", alternative, get_args(Alternative))
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
    if confidence_level is not None:
        confidence_level = read_confidence_level(confidence_level)
        if test == "permutation":
            check_two_sided(alternative)
    if n_resamples is not None:
        n_resamples = positive_integer("n_resamples", n_resamples)
    return Options(
        alternative=alternative,
        method=check_option("method", method, methods),
        budget=_BUDGET if budget is None else read_budget(budget),
        n_resamples=n_resamples,
        rng=None if rng is None else _seed(rng),
        confidence_level=confidence_level,
        test=test,
        ties=ties,
    )


OPTIONS = tuple(field.name for field in fields(Options))
_ELSEWHERE = {  # what other tools call them
    **dict.fromkeys(("max_points", "max_bytes"), "budget={{{0!r}: ...}}"),
    **dict.fromkeys(("seed", "random_state", "random_seed"), "rng=..."),
    **dict.fromkeys(
        ("n_permutations", "num_samples", "num_rounds", "n_samples"), "n_resamples=..."
    ),
    **dict.fromkeys(("progress", "progress_bar"), "datasets.disable_progress_bars()"),
}


def unknown_option(name: str, accepted: Sequence[str], whose: str) -> TypeError:
    """The error for it: what may be meant, and what there is."""
    meant = _ELSEWHERE.get(name, "").format(name)
    if not meant:
        meant = "".join(f"{x}=..." for x in get_close_matches(name, accepted, 1))
    hint = f" Did you mean {meant}?" if meant else ""
    return TypeError(
        f"unexpected option {name!r}.{hint} Options of {whose}: {', '.join(accepted)}."
    )


def read_budget(value: Any) -> Budget:
    """The budget, or dict of one; None is the default. Otherwise raise InputError."""
    if value is None or isinstance(value, Budget):
        return value or _BUDGET
    names = tuple(field.name for field in fields(Budget))
    if not isinstance(value, Mapping) or not all(key in names for key in value):
        raise InputError(
            "`budget` must be a Budget, or a dict such as {'max_points': 10**7, 'max_bytes': "
            f"2**32}}, got {describe(value)}."
        )
    return Budget(**value)


def check_option(name: str, value: object, accepted: Sequence[str]) -> str:
    """The option's value as a plain string, if it is one of those there are."""
    if not isinstance(value, str) or value not in accepted:
        raise InputError(
            f"`{name}` must be one of {', '.join(map(repr, accepted))}, got {describe(value)}."
        )
    return str.__str__(value)  # of an Enum


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


def read_confidence_level(value: Any) -> float:
    """The level, if it is a number between 0 and 1; otherwise raise InputError."""
    if not is_level(value):
        raise InputError(
            f"`confidence_level` must be between 0 and 1, for instance 0.95, got {describe(value)}."
        )
    return float(value)


def check_two_sided(alternative: str) -> None:
    """Raise InputError unless the interval of the difference has the test's two sides."""
    if alternative != "two-sided":
        raise InputError(
            "a confidence interval is of two-sided results, `alternative` must be 'two-sided', got "
            f"{alternative!r}: an interval with two ends would not say what that p-value does."
        )
