"""P-values adjusted for the number of tests, and tables of such tests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, Protocol, TypeVar

import numpy as np

from pairedperm.errors import InputError, first_of
from pairedperm.nulls.sampled import sampling_bar
from pairedperm.results.permutation_result import (
    seconds_of_interval,
    with_interval,
    without_rows,
)
from pairedperm.results.result import PairedResult, Result, attributes, without_version
from pairedperm.results.sentence import doubt
from pairedperm.results.table import Tabular
from pairedperm.scoring.rows import OLD_PICKLE

Correction = Literal["holm", "bonferroni", "bh", "by"]
CORRECTED = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "bh": "Benjamini and Hochberg",
    "by": "Benjamini and Yekutieli",
    None: "not adjusted",
}


class Named(Protocol):
    """A named tuple."""

    def _asdict(self) -> dict[str, Any]: ...


Of = TypeVar("Of", bound=Named)


def least_pvalue(result: PairedResult) -> float:
    """Return the smallest p-value that a result's number of differing examples allows."""
    is_two_sided = result.alternative == "two-sided"
    return min(math.ldexp(2.0 if is_two_sided else 1.0, -result.n_differing), 1.0)


@dataclass(frozen=True, slots=True)
class NamedTest(Generic[Of, Result]):
    """The names of what was tested, the result, and its p adjusted for the number of tests."""

    of: Of
    result: Result
    p_adjusted: float

    def to_dict(self) -> dict[str, Any]:
        """Return the names, the result with its interval, and the adjusted p."""
        keys = without_version(with_interval(self.result).to_dict())
        return {**self.of._asdict(), **keys, "p_adjusted": self.p_adjusted}


@dataclass(frozen=True, repr=False)
class TableOfTests(Tabular, Generic[Of, Result]):
    """Tests by name, with p adjusted for their number; printed as a table."""

    _tests: tuple[NamedTest[Of, Result], ...] = field(hash=False)
    correction: Correction | None
    alpha: float

    def __reduce__(self) -> tuple[Any, ...]:
        tests = tuple(replace(x, result=without_rows(x.result)) for x in self._told())
        return type(self), tuple((attributes(self) | {"_tests": tests}).values())

    def __setstate__(self, state: object) -> None:
        raise InputError(OLD_PICKLE)

    def _told(self) -> Iterator[NamedTest[Of, Result]]:
        """Yield the tests, with a bar that counts them while they compute their intervals."""
        n = len(self._tests)
        seconds = n * seconds_of_interval(self._tests[n // 2].result)
        with sampling_bar(n, seconds, "tests", "Intervals") as bar:
            for test in self._tests:
                yield test
                bar.update()

    @property
    def _level(self) -> str:
        """How p was adjusted, and the level."""
        return f"{CORRECTED[self.correction]}, α = {self.alpha:g}"  # noqa: RUF001

    def _doubts(self) -> list[str]:
        """Say of which tests p may be of a number and no system, see `doubt`."""
        named: dict[str, list[str]] = {}
        for x in self._tests:
            if said := " ".join(doubt(x.result, self.alpha)):
                names = (y for y in x.of._asdict().values() if y and isinstance(y, str))
                named.setdefault(said, []).append(" and ".join(names))
        return [f"{first_of(names)}: {said}" for said, names in named.items()]

    def _frame(self, columns: Sequence[str]) -> Any:
        """Return a pandas DataFrame with a row for each test; it lacks columns that all lack."""
        from pandas import DataFrame  # takes half a second to import

        tests = [x.to_dict() for x in self._told()]
        names = [x for x in columns if any(x in one for one in tests)]
        return DataFrame([[one.get(name) for name in names] for one in tests], columns=names)


def with_adjusted(
    results: Sequence[tuple[Of, Result]],
    correction: Correction | None,
    *,
    alpha: float | None = None,
) -> tuple[NamedTest[Of, Result], ...]:
    """Return several results, each with its p adjusted for their number; see `adjusted`.

    With alpha, Holm's procedure counts only the tests that can be significant, see `holm_of_some`.
    """
    pvalues = [x.pvalue for _, x in results]
    if alpha is not None and correction == "holm":
        adjusted_p = holm_of_some(pvalues, [least_pvalue(x) for _, x in results], alpha)
    else:
        adjusted_p = adjusted(pvalues, correction)
    return tuple(NamedTest(*x, p) for x, p in zip(results, adjusted_p, strict=True))


def adjusted(pvalues: Sequence[float], correction: Correction | None = "holm") -> list[float]:
    """Adjust the p-values of several tests for their number.

    A test is significant at level α if its adjusted p-value is at most α.

    Parameters
    ----------
    pvalues : sequence of float, length m
    correction : {"holm", "bonferroni", "bh", "by"} or None
        "holm" [1]_ and "bonferroni" bound the probability that any true null hypothesis is
        rejected. "bh" [2]_ and "by" [3]_ bound the expected share of true null hypotheses among the
        rejected ones. "bh" is proven for independent or positively dependent tests; the others
        always hold. None leaves the p-values as they are.

    Returns
    -------
    list of float, length m
        The adjusted p-values, at most 1, in the order of `pvalues`.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", 1979.
    .. [2] Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", 1995.
    .. [3] Y. Benjamini, D. Yekutieli, "The control of the false discovery rate in multiple testing
       under dependency", 2001.

    Examples
    --------
    >>> adjusted([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(pvalues, dtype=np.float64)
    if correction is None or not p.size:
        return [*map(float, p)]
    if correction == "bonferroni":
        adjusted_p = p.size * p
    elif correction == "holm":
        order = np.argsort(p, kind="stable")
        adjusted_p = np.empty(p.size)
        adjusted_p[order] = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    else:
        from scipy.stats import false_discovery_control  # slow to import

        adjusted_p = false_discovery_control(p, method=correction)
    return [min(float(x), 1.0) for x in adjusted_p]


def holm_of_some(pvalues: Sequence[float], least: Sequence[float], alpha: float) -> list[float]:
    """Adjust p-values by Holm's procedure, which counts only tests that can be significant.

    Parameters
    ----------
    pvalues : sequence of float, length m
    least : sequence of float, length m
        The smallest p-value that each test can have, see `least_pvalue`.
    alpha : float
        The level. A test whose least p-value is above it does not count.

    Returns
    -------
    list of float, length m
        The adjusted p-values, at most 1; 1 for a test that does not count.

    Notes
    -----
    They hold at every level, not at alpha alone. Proof. The numbers of differing examples, or
    groups, say which tests count. Swaps do not change these numbers, so each p-value of a true null
    hypothesis is valid given them. Then the tests that count are fixed, and Holm's procedure keeps
    its level on them. No other test is ever rejected.

    Not for pairs of the same systems: swapping two of them changes on how many examples each
    differs from a third one, and so which tests count.

    References
    ----------
    .. [1] R. E. Tarone, "A modified Bonferroni method for discrete data", Biometrics 46, 1990.

    Examples
    --------
    >>> holm_of_some([0.25, 0.02, 0.03], [0.25, 0.001, 0.001], alpha=0.05)
    [1.0, 0.04, 0.04]
    """
    counts = [x <= alpha for x in least]
    found = iter(adjusted([p for p, is_one in zip(pvalues, counts, strict=True) if is_one]))
    return [next(found) if is_one else 1.0 for is_one in counts]
