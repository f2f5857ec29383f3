"""Wrong answers that are known and open: each with a reproducer, which must still be wrong."""

from collections.abc import Callable
from typing import NamedTuple


class Finding(NamedTuple):
    """`is_wrong` reproduces it; `matches` says whether a failure of the campaign is this one."""

    name: str
    what: str
    is_wrong: Callable[[], bool]
    matches: Callable[..., bool]


OPEN: list[Finding] = []
