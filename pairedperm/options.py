"""What a call may ask: the options that all tests share, and what an option accepts, as data.

Its check and message follow, its flag, and what tests refuse.

    average: Literal["micro", "macro"] = "micro"
    k: Annotated[int, Whole()] = 1
    level: Annotated[float | None, Interval(0.0, 1.0, "neither")] = None

A type says what it can: a Literal, or bool. None is accepted where the type has it. Bars of
progress, which people see on a terminal or in a notebook, are here too.
"""

from __future__ import annotations

import os
import sys
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, reduce, wraps
from inspect import get_annotations, signature
from types import NoneType, SimpleNamespace
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import At, BudgetError, InputError, backticked, describe, in_brackets

PATIENCE = 1.0  # tuned: seconds until a progress bar appears
_SWITCH = "HF_DATASETS_DISABLE_PROGRESS_BARS"  # read by `datasets` when it is imported


class NoBar(AbstractContextManager["NoBar"]):
    """A progress bar that nobody sees: tqdm's takes as long to import as a small test."""

    n = 0.0

    def __exit__(self, *_: object) -> None:
        """Close nothing."""

    def update(self, n: float = 1) -> None:
        """Count nothing."""


def progress_bar(total: float | None, what: str, **shown: Any) -> Any:
    """Return a bar that goes when it is closed, or one that nobody sees.

    Only a terminal and a notebook show it, unless `datasets.disable_progress_bars()` was called.
    """
    if not (is_terminal() or _is_notebook()) or _is_switched_off():
        return NoBar()
    from tqdm.auto import tqdm

    return tqdm(total=total, desc=what, leave=False, **shown)


def bar_after(seconds: float, total: int, unit: str, what: str) -> Any:
    """Return a bar of work that takes so long, which short work does not show."""
    if seconds < PATIENCE:
        return NoBar()
    return progress_bar(total, what, unit=f" {unit}", delay=PATIENCE)


def is_terminal() -> bool:
    """Tell whether somebody sees what is written to stderr."""
    return sys.stderr is not None and sys.stderr.isatty()


def _is_notebook() -> bool:
    """Tell whether the code runs in a kernel of Jupyter, whose stderr is no terminal."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


def _is_switched_off() -> bool:
    if "datasets" not in sys.modules:  # its switch exists only once it is imported
        return os.environ.get(_SWITCH, "").upper() in ("1", "ON", "YES", "TRUE")
    from datasets.utils import is_progress_bar_enabled

    return not is_progress_bar_enabled()


Closed = Literal["both", "left", "neither"]
_Function = TypeVar("_Function", bound=Callable[..., Any])
_CHOICES_ELSEWHERE: dict[str, dict[str, str | None]] = {  # choices' names in other tools, by option
    "correction": {
        **dict.fromkeys(("fdr", "fdr_bh", "fdr_i", "fdr_p", "benjamini-hochberg"), "bh"),
        **dict.fromkeys(("fdr_by", "fdr_n", "fdr_c", "benjamini-yekutieli"), "by"),
        **dict.fromkeys(("b", "bonf"), "bonferroni"),
        "h": "holm",
        "none": None,
    },
    "alternative": {"larger": "greater", "smaller": "less", "two.sided": "two-sided"},
    "weights": {"squared": "quadratic"},
    "method": {"approximate": "monte_carlo", "simulation": "monte_carlo"},
}


def is_number(value: Any) -> bool:
    """Return whether the value is a Python or numpy number; no bool, and no numpy time span."""
    is_derived = isinstance(value, (bool, np.timedelta64))
    return isinstance(value, (int, float, np.integer, np.floating)) and not is_derived


def is_whole(value: Any) -> bool:
    """Return whether the value is a Python or numpy integer; no bool, and no numpy time span."""
    return isinstance(value, (int, np.integer)) and is_number(value)


def printed_fraction(number: float | Fraction) -> Fraction:
    """Return the fraction that a number prints as: a float of 0.1 is one tenth."""
    return Fraction(str(number))


@dataclass(frozen=True, kw_only=True)
class Constraint(ABC):
    """What an option accepts.

    Attributes
    ----------
    words : str or Part
        What is accepted, as it stands after "must be"; "" is what the kind says by itself.
    remedy : str or Part
        What the message adds, a sentence.
    or_none : bool
        Whether None is accepted; the type of the option says so.
    """

    refused = object()
    """What `kept` returns for a value that is not accepted."""
    words: str = ""
    remedy: str = ""
    or_none: bool = False

    @abstractmethod
    def kept(self, value: Any) -> Any:
        """Return an accepted value in its plain form, `refused` for any other."""

    @property
    def own_words(self) -> str:
        """What is accepted, where a kind says that by itself."""
        return ""

    def hint(self, name: str, value: Any) -> str:
        """Return what else the message says about this value: a guess what is meant."""
        return ""

    def read(self, name: str, value: Any, at: At = ()) -> Any:
        """Return the value of an option, or of an entry of it, in its plain form.

        Raises
        ------
        InputError
            If it is not accepted.
        """
        if value is None and self.or_none:
            return None
        kept = self.kept(value)
        if kept is not self.refused:
            return kept
        words = self.words or self.own_words
        has_comma = bool(self.words) or "," in self.own_words
        or_none = (", or None" if has_comma else " or None") * self.or_none
        raise InputError(
            f"{backticked(name)}{in_brackets(at)}",
            must=f"be {words}{or_none}",
            got=describe(value),
            remedy=(self.hint(name, value), self.remedy),
        )


@dataclass(frozen=True)
class OneOf(Constraint):
    """One of some words."""

    choices: tuple[str, ...]

    def kept(self, value: Any) -> Any:
        """Return a plain string; an Enum has a `__str__` of its own."""
        is_one = isinstance(value, str) and value in self.choices
        return str.__str__(value) if is_one else self.refused

    @property
    def own_words(self) -> str:
        return f"{'one of ' * (len(self.choices) > 1)}{', '.join(map(repr, self.choices))}"

    def hint(self, name: str, value: Any) -> str:
        return did_you_mean(name, value, self.choices) if len(self.choices) > 1 else ""


@dataclass(frozen=True)
class Interval(Constraint):
    """A number between two ends, which `closed` includes; Fractions are numbers."""

    low: float
    high: float
    closed: Closed = "both"
    is_exact: bool = field(default=False, kw_only=True)

    def kept(self, value: Any) -> Any:
        """Return a plain float, or with `is_exact` the number as it is given."""
        if not is_number(value) and not isinstance(value, Fraction):
            return self.refused
        with suppress(OverflowError):  # a number that rounds to an open end is refused
            exact = float(str(value)) if isinstance(value, np.floating) else value  # as it prints
            number = float(exact)
            is_above = number > self.low or (self.closed != "neither" and exact == self.low)
            if is_above and (number < self.high or (self.closed == "both" and exact == self.high)):
                return value if self.is_exact else number
        return self.refused

    @property
    def own_words(self) -> str:
        if self.closed == "neither":
            return f"between {self.low:g} and {self.high:g}"
        below = "below " * (self.closed == "left")
        return f"a number from {self.low:g} to {below}{self.high:g}"


@dataclass(frozen=True)
class Whole(Constraint):
    """An integer; a float such as 1e9, or a Fraction, too, unless the number is a name."""

    least: int = 1
    most: int | None = None
    is_name: bool = field(default=False, kw_only=True)

    def kept(self, value: Any) -> Any:
        """Return a plain integer."""
        is_one = is_whole(value) if self.is_name else is_number(value) or type(value) is Fraction
        if not is_one or value % 1 != 0:  # inf % 1 is NaN
            return self.refused
        number = int(value)
        is_in = number >= self.least and (self.most is None or number <= self.most)
        return number if is_in else self.refused

    @property
    def own_words(self) -> str:
        if self.most is not None:
            return f"an integer from {self.least:,} to {self.most:,}"
        return "a positive integer" if self.least == 1 else f"an integer from {self.least:,}"


@dataclass(frozen=True)
class YesNo(Constraint):
    """True or False."""

    own_words = "True or False"

    def kept(self, value: Any) -> Any:
        """Return a plain bool."""
        return bool(value) if isinstance(value, (bool, np.bool_)) else self.refused


@dataclass(frozen=True)
class Text(Constraint):
    """A text, which is not blank unless it may be."""

    own_words = "a text"
    may_be_blank: bool = field(default=False, kw_only=True)

    def kept(self, value: Any) -> Any:
        """Return a plain string."""
        is_one = isinstance(value, str) and (self.may_be_blank or value.strip())
        return str.__str__(value) if is_one else self.refused


@cache
def declared(of: Any) -> dict[str, Constraint]:
    """Return the constraints on the fields of a dataclass, or on the parameters of a function.

    A type that is known to type checkers only says nothing here.
    """
    names = [x.name for x in signature(of).parameters.values() if x.kind != x.VAR_KEYWORD]
    constraints = {}
    for holder in reversed(of.__mro__ if isinstance(of, type) else [of]):
        space, hints = vars(sys.modules[holder.__module__]), get_annotations(holder)
        for name in (x for x in names if x in hints):
            with suppress(NameError):
                one = SimpleNamespace(__annotations__={name: hints[name]})
                hint = get_type_hints(one, space, include_extras=True)[name]
                constraints[name] = _constraint(hint)
    return {name: constraint for name in names if (constraint := constraints.get(name))}


def _constraint(hint: Any) -> Constraint | None:
    """Return what a type says about the values that are accepted."""
    kind, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    kinds = [x for x in get_args(kind) if x is not NoneType]
    or_none = NoneType in get_args(kind)
    for given in extras:
        if isinstance(given, Constraint):
            return replace(given, or_none=or_none)
    if or_none:
        inner = _constraint(kinds[0]) if len(kinds) == 1 else None
        return inner and replace(inner, or_none=True)
    if get_origin(kind) is Literal and all(isinstance(x, str) for x in kinds):
        return OneOf((*kinds,))
    return YesNo() if kind is bool else None


def read_fields(of: Any) -> None:
    """Read the fields of a frozen dataclass as they are declared."""
    kind: Any = type(of)
    for name, constraint in declared(kind).items():
        object.__setattr__(of, name, constraint.read(name, getattr(of, name)))


def reads_options(function: _Function) -> _Function:
    """Read the declared options of every call before it begins."""
    parameters = signature(function).parameters
    positional = [name for name, x in parameters.items() if x.kind is x.POSITIONAL_OR_KEYWORD]

    def read(name: str, value: Any) -> Any:
        constraint = declared(function).get(name)
        return value if constraint is None else constraint.read(name, value)

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        given = [*map(read, positional, arguments), *arguments[len(positional) :]]
        return function(*given, **{name: read(name, x) for name, x in options.items()})

    return call  # type: ignore[return-value]


def did_you_mean(option: str, value: object, accepted: Iterable[str]) -> str:
    """Return the guess which accepted value of the option is meant; "" if none is like it."""
    known: dict[str, str | None] = {x.lower(): x for x in accepted}
    others = _CHOICES_ELSEWHERE.get(option, {})
    known = {x: y for x, y in others.items() if y is None or y in known.values()} | known
    word = value.lower() if isinstance(value, str) else ""
    return "".join(f"Did you mean {known[x]!r}?" for x in get_close_matches(word, known, 1))


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
        what: str,
        *,
        n_points: float = 0,
        n_bytes: float = 0,
        remedy: str | Sequence[str] = "",
    ) -> str | None:
        """Say which limit is exceeded by so many points or bytes; None if none is."""
        for name, needed in (("max_points", n_points), ("max_bytes", n_bytes)):
            limit = getattr(self, name)
            if needed > limit:
                remedy = remedy or raised(n_bytes=n_bytes)
                over = f"; `{name}` of `budget` allows {limit:.3g}"
                return str(BudgetError(f"{what}{over}", remedy=remedy))
        return None

    def check(self, what: str, **needed: Any) -> None:
        """Raise BudgetError if so many points or bytes exceed a limit; see `excess`."""
        if (excess := self.excess(what, **needed)) is not None:
            raise BudgetError(excess)


HOUR = 3600.0  # tuned: seconds that a person would wait for an answer
MOST_BYTES = 2**36  # tuned: more memory than most machines have
_UNITS = (  # tuned: each with its length in seconds, and up to how many of it are told
    ("seconds", 1.0, 90.0),
    ("minutes", 60.0, 90.0),
    ("hours", HOUR, 48.0),
    ("days", 24.0 * HOUR, 700.0),
)


def raised(seconds: float = 0.0, n_bytes: float = 0.0, *, to: str = "", otherwise: str = "") -> str:
    """Advise to raise a limit, unless that takes more than an hour or than 64 GB of memory."""
    memory = f"{two_digits(1e-9 * n_bytes)} GB" if n_bytes >= 1e9 else ""
    takes = " and ".join(x for x in (_duration(seconds), memory) if x)
    if seconds > HOUR or n_bytes > MOST_BYTES:
        return ": ".join(x for x in (takes and f"It would take {takes}", otherwise) if x)
    raises = f"Raise it{to}{takes and f' (it takes {takes})'}"
    return f"{raises}, or {otherwise}" if otherwise else raises


def _duration(seconds: float) -> str:
    """Return a rough duration in words, in two digits: "about 3.8 hours"."""
    if seconds < 1.5:
        return "about a second" if seconds else ""
    for unit, length, most in _UNITS:
        if seconds < most * length:
            return f"about {two_digits(seconds / length)} {unit}"
    return "years"


def two_digits(x: float) -> str:
    """Write a number in two significant digits, without an exponent if it is 10 or more."""
    rounded = float(f"{x:.2g}")
    return f"{rounded:,.0f}" if rounded >= 10.0 else f"{rounded:g}"


class _BudgetOrDict(Constraint):
    """A budget, or a dict of its limits; None stands for the usual ones."""

    own_words = "a Budget, or a dict such as {'max_points': 10**7, 'max_bytes': 2**32}"

    def kept(self, value: Any) -> Any:
        if value is None or isinstance(value, Budget):
            return value or Budget()
        is_dict = isinstance(value, Mapping) and {*value} <= {x.name for x in fields(Budget)}
        return Budget(**value) if is_dict else self.refused


NANOSECONDS = 600.0  # tuned: the work of a point, where points stand for work
Alternative = Literal["two-sided", "greater", "less"]
Method = Literal["auto", "exact", "dp", "fft", "enumeration", "bracket", "monte_carlo"]
Test = Literal["permutation", "bootstrap"]
Ties = Literal["include", "exclude"]
Constant = Literal["system"]
BootstrapMethod = Literal["auto", "exact", "monte_carlo"]
BOOTSTRAP_METHODS: tuple[str, ...] = get_args(BootstrapMethod)
Alpha = Annotated[float, Interval(0.0, 1.0, "neither")]
Level = Annotated[float, Interval(0.0, 1.0, "neither", words="between 0 and 1, for instance 0.95")]
COLUMN = Text(words="a column's name")
ANY_COLUMN = replace(COLUMN, may_be_blank=True)  # of data that are stored already
Seed: TypeAlias = "int | np.random.Generator | None"  # numpy imports its generators when asked
BudgetLike = Budget | Mapping[str, int] | None
N_RESAMPLES = 9999  # proof: the default of scipy, which users know
_MOST_SEED = 2**1000  # proof: seeds below it can be printed, and read as floats
P_LEVEL = 0.99  # proof: the level of the interval of every sampled p-value
ALPHA = 0.05  # proof: the level that papers use
CONFIDENCE_LEVEL = 0.95  # proof: the default level of the interval of a difference


class _Seed(Constraint):
    """A seed or a generator, which stay as they are."""

    own_words = "a seed, an integer from 0, a numpy.random.Generator"

    def kept(self, value: Any) -> Any:
        kinds = np.random.Generator, np.random.BitGenerator, np.random.RandomState
        sources = *kinds, np.random.bit_generator.ISeedSequence
        with suppress(TypeError):  # some versions of numpy accept no RandomState
            if isinstance(value, sources) or _is_seed(value):
                np.random.default_rng(value)
                return value
        return self.refused


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
    budget: Annotated[Budget, _BudgetOrDict()] = None  # type: ignore[assignment]  # read as a Budget
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
                "ties",
                must="be 'include' with test='permutation'",
                got=repr(self.ties),
                remedy="the observed assignment is one of all swaps. 'exclude' is for "
                "test='bootstrap'",
            )
        if self.test == "bootstrap" and self.largest_group is not None:
            what = "is for the guaranteed interval of test='permutation'"
            raise InputError("largest_group", what, remedy="Leave it out")
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
            "method",
            f"{str.__str__(method)!r} is for permutation tests",
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
            "alternative",
            must="be 'two-sided'",
            got=repr(alternative),
            remedy="a confidence interval has two ends, and would not agree with a one-sided "
            "p-value",
        )
