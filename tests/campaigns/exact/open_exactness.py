"""Wrong answers that are known and open: each with a reproducer, which must still be wrong."""

import math
import re
import warnings
from collections.abc import Callable
from typing import NamedTuple

import pairedperm

_OF_INFINITY = re.compile(
    r"math domain error|cannot convert float|[=-]inf\b|[=-]nan\b|overflow encountered|invalid value"
)


class Finding(NamedTuple):
    """`is_wrong` reproduces it; `matches` says whether a failure of the campaign is this one."""

    name: str
    what: str
    is_wrong: Callable[[], bool]
    matches: Callable[..., bool]


def _nearly_one():
    """Of 2^60 swaps all but one: the upper end of the interval."""
    one, two = [0] * 59 + [1], [1] * 59 + [0]
    options = {"alternative": "greater", "method": "rational"}
    return pairedperm.paired_permutation_test(one, two, **options).pvalue_interval[1]


def _beyond_float64():
    """The score of the second system is 3.3e350."""
    arguments = [[1e70, 1 / 3]], [[1e60 / 3, 1e-291]]
    options = {"score": pairedperm.Ratio([1, 0], [0, 1]), "alternative": "greater"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = pairedperm.paired_permutation_test(*arguments, **options)
    except pairedperm.InputError:
        return False
    return not math.isfinite(result.statistic)


def _weighed():
    """Both systems score 3, whatever is swapped: p must be 1."""
    one, two = [[1 / 3, 0.2], [0.1, 1 / 7]], [[0.5, 1 / 9], [1 / 11, 0.7]]
    options = {"score": pairedperm.Ratio([3, 3], [1, 1])}
    return pairedperm.paired_permutation_test(one, two, **options).pvalue


def _has_weights(code):
    """Whether a ratio is not of two columns as they are."""
    found = re.search(r"numerator=\(([^)]*)\), denominator=\(([^)]*)\)", code)
    return bool(found) and any(sum(map(int, x.strip(",").split(","))) > 1 for x in found.groups())


OPEN = [
    Finding(
        "weighed rows of reals",
        "numerators and denominators of rows of reals are rounded before they are added",
        lambda: _weighed() != 1.0,
        lambda failure: failure.kind == "ratio of reals" and _has_weights(failure.code),
    ),
    Finding(
        "quotients beyond float64",
        "a ratio of sums of reals that is no float is infinite, and so are differences, or NaN",
        _beyond_float64,
        lambda failure: (
            failure.kind == "ratio of reals"
            and bool(_OF_INFINITY.search(f"{failure.what} {failure.came}"))
        ),
    ),
    Finding(
        "interval beyond 1",
        "CertifiedProbability.from_ratio of nearly 1 has the upper end 1 + 2^-52",
        lambda: _nearly_one() > 1.0,
        lambda failure: "high <= 1" in failure.what and "1.0000000000000002)" in failure.came,
    ),
]
