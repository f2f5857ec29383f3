"""Wrong answers that are known and open: each with a reproducer, which must still be wrong."""

import re
from collections.abc import Callable
from typing import NamedTuple

import pairedperm


class Finding(NamedTuple):
    """`is_wrong` reproduces it; `matches` says whether a failure of the campaign is this one."""

    name: str
    what: str
    is_wrong: Callable[[], bool]
    matches: Callable[..., bool]


def _noise():
    """The differences of scores that all swaps leave as they are: 0, but for rounding."""
    one, two = [[3 * k, 0] for k in range(1, 8)], [[0, k] for k in range(1, 8)]
    result = pairedperm.paired_permutation_test(one, two, score=lambda s: s @ [0.1, 0.3])
    return result.null_distribution().support


OPEN = [
    Finding(
        "noise apart",
        "a null distribution whose values are all rounding of 0 has several of them",
        lambda: _noise().size > 1,
        lambda failure: (
            "distribution function" in failure.what
            and re.search(r"statistic=-?[0-9.]+e-1[5-9],", failure.came) is not None
        ),
    ),
]
