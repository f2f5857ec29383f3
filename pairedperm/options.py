"""The options that all tests share, and their checks."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import reduce
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import BudgetError, InputError, describe, raised


def is_number(value: Any) -> bool:
    """Return whether the value is a Python or numpy number; no bool, and no numpy time span."""
    is_derived = isinstance(value, (bool, np.timedelta64))
    return isinstance(value, (int, float, np.integer, np.floating)) and not is_derived


def is_positive(value: Any) -> bool:
    """Return whether the value is a positive number, and finite as a float."""
    with suppress(OverflowError):
        return is_number(value) and 0.0 < float(value) < float("inf")
    return False


def is_level(value: Any) -> bool:
    """Return whether the value is a number between 0 and 1, also when rounded to a float."""
    return is_positive(value) and float(value) < 1.0


def is_whole(value: Any) -> bool:
    """Return whether the value is a Python or numpy integer; no bool, and no numpy time span."""
    return isinstance(value, (int, np.integer)) and is_number(value)


def positive_integer(name: str, value: Any) -> int:
    """Return the option's value as an integer; floats such as 1e9 are accepted.

    Raises
    ------
    InputError
        If the value is no integer, or less than 1.
    """
    if not is_number(value) or not (value >= 1 and value % 1 == 0):  # infinity % 1 is NaN
        raise InputError(f"`{name}` must be a positive integer, got {describe(value)}.")
    return int(value)


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

    max_points: int = 2**25  # tuned: some seconds
    max_bytes: int = 2**30  # tuned: what any machine has

    def __post_init__(self) -> None:
        for name in ("max_points", "max_bytes"):
            value = min(positive_integer(name, getattr(self, name)), sys.maxsize)
            object.__setattr__(self, name, value)

    def excess(
        self, what: str, *, n_points: float = 0, n_bytes: float = 0, remedy: str = ""
    ) -> str | None:
        """Say which limit is exceeded by so many points or bytes; None if none is."""
        for name, needed in (("max_points", n_points), ("max_bytes", n_bytes)):
            limit = getattr(self, name)
            if needed > limit:
                remedy = remedy or raised(n_bytes=n_bytes)
                return f"{what}; `{name}` of `budget` allows {limit:.3g}. {remedy}"
        return None

    def check(
        self, what: str, *, n_points: float = 0, n_bytes: float = 0, remedy: str = ""
    ) -> None:
        """Raise BudgetError if so many points or bytes exceed a limit."""
        excess = self.excess(what, n_points=n_points, n_bytes=n_bytes, remedy=remedy)
        if excess:
            raise BudgetError(excess)


_BUDGET = Budget()
NANOSECONDS = 600.0  # tuned: the work of a point, where points stand for work
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
N_RESAMPLES = 9999  # proof: the default of scipy, which users know
_MOST = 2**1000  # proof: seeds below it can be printed, and read as floats
P_LEVEL = 0.99  # proof: the level of the interval of every sampled p-value
IGNORE_LABEL = -100  # proof: the label that losses of transformers and torch ignore
CONFIDENCE_LEVEL = 0.95  # proof: the default level of the interval of a difference


@dataclass(frozen=True, slots=True)
class Options:
    """The test and how to compute it; see `paired_permutation_test`."""

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
        """The level of the interval of the difference."""
        return self.confidence_level or CONFIDENCE_LEVEL

    @property
    def n_first(self) -> int:
        """The number of samples that are always drawn; "auto" may draw more by default."""
        return self.n_resamples or N_RESAMPLES

    def drawn_seed(self, *data: NDArray[Any]) -> int:
        """Return `rng` if it is printable, a seed it draws, or one that follows from the data."""
        if is_whole(self.rng) and self.rng < _MOST:
            return int(self.rng)
        if self.rng is None:
            return reduce(lambda seed, x: zlib.crc32(x.tobytes(), seed), data, 0)
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
    """Return the checked options.

    Raises
    ------
    TypeError
        If an option is unknown.
    InputError
        If the value of an option is not accepted.
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
                f"`method` {method!r} is for permutation tests. A bootstrap accepts "
                f"{', '.join(map(repr, BOOTSTRAP_METHODS))}."
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
_ELSEWHERE = {  # names of these options in other tools
    **dict.fromkeys(("max_points", "max_bytes"), "budget={{{0!r}: ...}}"),
    **dict.fromkeys(("seed", "random_state", "random_seed"), "rng=..."),
    **dict.fromkeys(
        ("n_permutations", "num_samples", "num_rounds", "n_samples"), "n_resamples=..."
    ),
    **dict.fromkeys(("progress", "progress_bar"), "datasets.disable_progress_bars()"),
}
_CHOICES_ELSEWHERE: dict[str, dict[str, str | None]] = {  # their names in other tools, by option
    "correction": {
        **dict.fromkeys(("fdr", "fdr_bh", "fdr_i", "fdr_p", "benjamini-hochberg"), "bh"),
        **dict.fromkeys(("fdr_by", "fdr_n", "fdr_c", "benjamini-yekutieli"), "by"),
        **dict.fromkeys(("b", "bonf"), "bonferroni"),
        "h": "holm",
        "tarone": "discrete",
        "none": None,
    },
    "alternative": {"larger": "greater", "smaller": "less", "two.sided": "two-sided"},
    "weights": {"squared": "quadratic"},
    "method": {"approximate": "monte_carlo", "simulation": "monte_carlo"},
}


def unknown_option(name: str, accepted: Sequence[str], whose: str) -> TypeError:
    """Return the error for an unknown option: a guess what is meant, and all options."""
    meant = _ELSEWHERE.get(name, "").format(name)
    if not meant:
        meant = "".join(f"{x}=..." for x in get_close_matches(name, accepted, 1))
    hint = f" Did you mean {meant}?" if meant else ""
    return TypeError(
        f"unexpected option {name!r}.{hint} Options of {whose}: {', '.join(accepted)}."
    )


def read_budget(value: Any) -> Budget:
    """Return the budget that is given, as a dict or by None; raise InputError for others."""
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
    """Return the option's value as a plain string; raise InputError if it is not accepted."""
    if not isinstance(value, str) or value not in accepted:
        raise InputError(
            f"`{name}` must be one of {', '.join(map(repr, accepted))}, got {describe(value)}."
            f"{did_you_mean(name, value, accepted)}"
        )
    return str.__str__(value)  # an Enum has a `__str__` of its own


def did_you_mean(option: str, value: object, accepted: Iterable[str]) -> str:
    """Return the guess which accepted value of the option is meant; "" if none is like it."""
    known: dict[str, str | None] = {x.lower(): x for x in accepted}
    others = _CHOICES_ELSEWHERE.get(option, {})
    known = {x: y for x, y in others.items() if y is None or y in known.values()} | known
    word = value.lower() if isinstance(value, str) else ""
    return "".join(f" Did you mean {known[x]!r}?" for x in get_close_matches(word, known, 1))


def _seed(rng: Any) -> Any:
    with suppress(TypeError):  # some versions of numpy accept no RandomState
        if isinstance(rng, _SOURCES) or _is_seed(rng):
            np.random.default_rng(rng)
            return rng
    raise InputError(
        "`rng` must be a seed, an integer from 0, a numpy.random.Generator, or None, got "
        f"{describe(rng)}."
    )


def _is_seed(rng: Any) -> bool:
    """Return whether `rng` holds integers from 0; numpy crashes on an endless nest of lists."""
    entries = rng.tolist() if type(rng) is np.ndarray and rng.ndim == 1 else rng
    if not isinstance(entries, (list, tuple, range)):
        entries = [entries]
    return all(is_whole(x) and x >= 0 for x in entries)


def read_confidence_level(value: Any) -> float:
    """Return the level as a float; raise InputError unless it is between 0 and 1."""
    if not is_level(value):
        raise InputError(
            f"`confidence_level` must be between 0 and 1, for instance 0.95, got {describe(value)}."
        )
    return float(value)


def check_two_sided(alternative: str) -> None:
    """Raise InputError if an interval of the difference is asked of a one-sided test."""
    if alternative != "two-sided":
        raise InputError(
            f"`alternative` must be 'two-sided', got {alternative!r}: a confidence interval has "
            "two ends, and would not agree with a one-sided p-value."
        )
