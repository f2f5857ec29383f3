"""Wrong answers that are known and open: each with a reproducer, which must still be wrong."""

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import pairedperm

_OF_REAL_ROWS = re.compile(
    "does not hold the truth|further from the truth|fraction is not|too far from the truth|"
    "not 0 <= low <= pvalue|raises ValueError: math domain error|not the negative one"
)


class Finding(NamedTuple):
    """`is_wrong` reproduces it; `matches` says whether a failure of the campaign is this one."""

    name: str
    what: str
    is_wrong: Callable[[], bool]
    matches: Callable[..., bool]


def _ratio_of_reals():
    """The only swap of one example gives at most what is observed: p must be 1."""
    return pairedperm.paired_permutation_test(
        np.array([[1 / 3, 1e5 / 3]]),
        np.array([[2 / 3, 1 / 7]]),
        score=pairedperm.Ratio([1, 0], [0, 1]),
        alternative="greater",
    ).pvalue


def _nearly_one():
    """Of 2^60 swaps all but one: the upper end of the interval."""
    one, two = [0] * 59 + [1], [1] * 59 + [0]
    options = {"alternative": "greater", "method": "rational"}
    return pairedperm.paired_permutation_test(one, two, **options).pvalue_interval[1]


OPEN = [
    Finding(
        "interval beyond 1",
        "CertifiedProbability.from_ratio of nearly 1 has the upper end 1 + 2^-52",
        lambda: _nearly_one() > 1.0,
        lambda failure: "high <= 1" in failure.what and "1.0000000000000002)" in failure.came,
    ),
    Finding(
        "ratios of rows of reals",
        "sums of other swaps are of rounded rows, and the observed assignment may not count",
        lambda: _ratio_of_reals() != 1.0,
        lambda failure: (
            failure.kind == "rows of reals" and bool(_OF_REAL_ROWS.search(failure.what))
        ),
    ),
]
