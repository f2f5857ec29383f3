"""The options that all tests share, and their checks."""

from __future__ import annotations

import math
import sys
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import reduce
from typing import Annotated, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import BudgetError, InputError, Message, Name, Python, Words, raised
from pairedperm.options.constraints import (
    Constraint,
    Interval,
    OneOf,
    RecordOf,
    Text,
    Whole,
    is_number,
    is_whole,
    read_fields,
)


@dataclass(frozen=True)
class Budget:
    """Upper limits of the work and the memory of a test.

    An explicit `method` that would exceed a limit raises BudgetError, if possible before it
    begins. "auto" tries the next method. A dict, ``{"max_points": 10**6}``, is accepted too.

    Parameters
    ----------
    max_points : int
        How many points a computation may look at, 2^25 by default. For a mean, points are
        frequencies of a Fourier transform, single ones or whole intervals. A thousand scores of
        many digits need some 10,000. A million points take between a tenth of a second and a
        second. For a function, a point is one of the grid of sums, where the function is
        evaluated. For a `Ratio` of two sums and for a bootstrap, a point is 0.6 µs of work.
    max_bytes : int
        How many bytes the arrays of one computation may take, 2^30 by default. 70 MB suffice for
        a mean, 100 MB for a `Ratio`, but up to 1000 differing scores of many digits may need
        more. A function takes 40 bytes a point.

    Raises
    ------
    InputError
        If a limit is no positive integer.

    Examples
    --------
    >>> from pairedperm import Budget, paired_permutation_test
    >>> large, small = [0.123456, 0.3, 0.25], [0.1, 0.200001, 0.1]
    >>> paired_permutation_test(large, small, budget=Budget(max_bytes=10**8)).pvalue
    0.25
    """

    max_points: Annotated[int, Whole()] = 2**25  # tuned: some seconds
    max_bytes: Annotated[int, Whole()] = 2**30  # tuned: what any machine has

    def __post_init__(self) -> None:
        read_fields(self)
        for x in fields(self):
            object.__setattr__(self, x.name, min(getattr(self, x.name), sys.maxsize))

    def excess(
        self,
        what: Words,
        *,
        n_points: float = 0,
        n_bytes: float = 0,
        remedy: Words | Sequence[Words] = "",
    ) -> Message | None:
        """Say which limit is exceeded by so many points or bytes; None if none is."""
        for name, needed in (("max_points", n_points), ("max_bytes", n_bytes)):
            limit = getattr(self, name)
            if needed > limit:
                remedy = remedy or raised(n_bytes=n_bytes)
                return Message(what, over(name, limit), remedy=remedy)
        return None

    def check(
        self,
        what: Words,
        *,
        n_points: float = 0,
        n_bytes: float = 0,
        remedy: Words | Sequence[Words] = "",
    ) -> None:
        """Raise BudgetError if so many points or bytes exceed a limit."""
        excess = self.excess(what, n_points=n_points, n_bytes=n_bytes, remedy=remedy)
        if excess is not None:
            raise BudgetError(excess)


def over(name: str, limit: float) -> Python:
    """Return the words on a limit of the budget that is exceeded."""
    return Python(f"; `{name}` of `budget` allows {limit:.3g}", f", above the limit of {limit:.3g}")


_BUDGET = RecordOf(
    Budget(), words="a Budget, or a dict such as {'max_points': 10**7, 'max_bytes': 2**32}"
)
NANOSECONDS = 600.0  # tuned: the work of a point, where points stand for work
Alternative = Literal["two-sided", "greater", "less"]
Method = Literal["auto", "exact", "dp", "fft", "enumeration", "bracket", "monte_carlo"]
Test = Literal["permutation", "bootstrap"]
Ties = Literal["include", "exclude"]
Constant = Literal["system"]
BootstrapMethod = Literal["auto", "exact", "monte_carlo"]
BOOTSTRAP_METHODS: tuple[str, ...] = get_args(BootstrapMethod)
Alpha = Annotated[float, Interval(0.0, 1.0, "neither")]
Level = Annotated[float, Interval(0.0, 1.0, "neither", example="for instance 0.95")]
COLUMN = Text(words="a column's name")
ANY_COLUMN = replace(COLUMN, may_be_blank=True)  # of data that are stored already
Seed = int | np.random.Generator | None
BudgetLike = Budget | Mapping[str, int] | None
_SOURCES = (
    np.random.Generator,
    np.random.BitGenerator,
    np.random.RandomState,
    np.random.bit_generator.ISeedSequence,
)
N_RESAMPLES = 9999  # proof: the default of scipy, which users know
_MOST_SEED = 2**1000  # proof: seeds below it can be printed, and read as floats
P_LEVEL = 0.99  # proof: the level of the interval of every sampled p-value
IGNORE_LABEL = -100  # proof: the label that losses of transformers and torch ignore
ALPHA = 0.05  # proof: the level that papers use
CONFIDENCE_LEVEL = 0.95  # proof: the default level of the interval of a difference


@dataclass(frozen=True)
class Range(Constraint):
    """A pair of finite numbers, the smaller first."""

    def kept(self, value: Any) -> Any:
        """Return a plain tuple of floats."""
        value = value.tolist() if isinstance(value, np.ndarray) else value
        if not isinstance(value, (tuple, list)) or len(value) != 2:
            return self.refused
        if not all(map(is_number, value)):
            return self.refused
        try:
            low, high = map(float, value)
        except OverflowError:  # of an integer
            return self.refused
        return (low, high) if low < high and math.isfinite(high - low) else self.refused

    @property
    def own_words(self) -> str:
        return "a pair of numbers, the smaller first, such as (0, 1)"


class _Seed(Constraint):
    """A seed or a generator, which stay as they are."""

    def kept(self, value: Any) -> Any:
        with suppress(TypeError):  # some versions of numpy accept no RandomState
            if isinstance(value, _SOURCES) or _is_seed(value):
                np.random.default_rng(value)
                return value
        return self.refused

    @property
    def own_words(self) -> str:
        return "a seed, an integer from 0, a numpy.random.Generator"


@dataclass(frozen=True, slots=True)
class Options:
    """The test and how to compute it; see `paired_permutation_test`.

    Raises
    ------
    InputError
        If a value is not accepted, or two do not go together.
    """

    alternative: Alternative = "two-sided"
    method: Method = "auto"
    budget: Annotated[Budget, _BUDGET] = None  # type: ignore[assignment]  # read as a Budget
    n_resamples: Annotated[int | None, Whole()] = None
    rng: Annotated[Any | None, _Seed()] = None
    confidence_level: Level | None = None
    test: Test = "permutation"
    ties: Ties = "include"
    constant: Constant | None = None
    largest_group: Annotated[int | None, Whole()] = None

    def __post_init__(self) -> None:
        if isinstance(self.test, str) and self.test == "bootstrap":
            _check_of_bootstrap(self.method)
        read_fields(self)
        if self.test == "permutation" and self.ties != "include":
            raise InputError(
                Name("ties"),
                must="be 'include' with test='permutation'",
                got=repr(self.ties),
                remedy="the observed assignment is one of all swaps. 'exclude' is for "
                "test='bootstrap'",
            )
        if self.test == "bootstrap" and self.largest_group is not None:
            raise InputError(
                Name("largest_group"),
                " is for the guaranteed interval of test='permutation'",
                remedy="Leave it out",
            )
        if self.test == "permutation" and self.confidence_level is not None:
            check_two_sided(self.alternative)

    @property
    def level(self) -> float:
        """The level of the interval of the difference."""
        return self.confidence_level or CONFIDENCE_LEVEL

    @property
    def n_first(self) -> int:
        """The number of samples that are always drawn; "auto" may draw more by default."""
        return self.n_resamples or N_RESAMPLES

    def drawn_seed(self, *data: NDArray[Any]) -> int:
        """Return `rng` if it is printable, a seed it draws, or one that follows from the data."""
        rng: Any = self.rng
        if is_whole(rng) and rng < _MOST_SEED:
            return int(rng)
        if rng is None:
            return reduce(lambda seed, x: zlib.crc32(x.tobytes(), seed), data, 0)
        return int(np.random.default_rng(rng).integers(2**32))


def _check_of_bootstrap(method: Any) -> None:
    """Raise InputError unless a bootstrap has the method."""
    if isinstance(method, str) and method in {*get_args(Method)} - {*BOOTSTRAP_METHODS}:
        raise InputError(
            Name("method"),
            f" {str.__str__(method)!r} is for permutation tests",
            remedy=f"A bootstrap accepts {', '.join(map(repr, BOOTSTRAP_METHODS))}",
        )
    OneOf(BOOTSTRAP_METHODS).read("method", method)


def read_options(**given: Any) -> Options:
    """Return the checked options.

    Raises
    ------
    TypeError
        If an option is unknown.
    InputError
        If the value of an option is not accepted.
    """
    unknown = next((name for name in given if name not in OPTIONS), None)
    if unknown is not None:
        raise unknown_option(unknown, OPTIONS, "the test")
    return Options(**given)


OPTIONS = tuple(field.name for field in fields(Options))
_OPTIONS_ELSEWHERE = {  # names of these options in other tools
    **dict.fromkeys(("max_points", "max_bytes"), "budget={{{0!r}: ...}}"),
    **dict.fromkeys(("seed", "random_state", "random_seed"), "rng=..."),
    **dict.fromkeys(
        ("n_permutations", "num_samples", "num_rounds", "n_samples"), "n_resamples=..."
    ),
    **dict.fromkeys(("progress", "progress_bar"), "datasets.disable_progress_bars()"),
}


def unknown_option(name: str, accepted: Sequence[str], whose: str) -> TypeError:
    """Return the error for an unknown option: a guess what is meant, and all options."""
    meant = _OPTIONS_ELSEWHERE.get(name, "").format(name)
    if not meant:
        meant = "".join(f"{x}=..." for x in get_close_matches(name, accepted, 1))
    hint = f" Did you mean {meant}?" if meant else ""
    return TypeError(
        f"unexpected option {name!r}.{hint} Options of {whose}: {', '.join(accepted)}."
    )


def _is_seed(rng: Any) -> bool:
    """Return whether `rng` holds integers from 0; numpy crashes on an endless nest of lists."""
    entries = rng.tolist() if type(rng) is np.ndarray and rng.ndim == 1 else rng
    if not isinstance(entries, (list, tuple, range)):
        entries = [entries]
    return all(is_whole(x) and x >= 0 for x in entries)


def check_two_sided(alternative: str) -> None:
    """Raise InputError if an interval of the difference is asked of a one-sided test."""
    if alternative != "two-sided":
        raise InputError(
            Name("alternative"),
            must="be 'two-sided'",
            got=repr(alternative),
            remedy="a confidence interval has two ends, and would not agree with a one-sided "
            "p-value",
        )
