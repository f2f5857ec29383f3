"""Wrong answers that are known and open: each with a reproducer, which must still be wrong."""

from collections.abc import Callable
from typing import NamedTuple

import pairedperm


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


OPEN = [
    Finding(
        "interval beyond 1",
        "CertifiedProbability.from_ratio of nearly 1 has the upper end 1 + 2^-52",
        lambda: _nearly_one() > 1.0,
        lambda failure: "high <= 1" in failure.what and "1.0000000000000002)" in failure.came,
    ),
]
