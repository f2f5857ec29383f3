"""Letters for systems: those that share one are not told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from string import ascii_lowercase

from pairedperm.errors import InputError

_MOST_SETS = 26**2  # tuned: more sets of letters are of no use to a reader
_NAMES = [*ascii_lowercase, *map("".join, product(ascii_lowercase, repeat=2))]  # a to z, aa, ab


def letters(alike: Sequence[Sequence[bool]]) -> list[str]:
    """Return the letters of each system, one for each set that it belongs to.

    A set is a maximal set of systems that are not told apart from each other. If a and c are told
    apart, and b from neither, then b has the letters of both. Beyond 26 sets commas separate the
    letters.

    Parameters
    ----------
    alike : sequence of sequences of bool, shape (n, n)
        True where two systems are not told apart; symmetric. The systems come best first, and the
        first letters belong to the best systems.

    Returns
    -------
    list of str, length n

    Raises
    ------
    InputError
        If there are more than 676 sets.
    """
    n = len(alike)
    neighbours = [{j for j in range(n) if alike[i][j] and i != j} for i in range(n)]
    cliques = islice(_cliques(set(), set(range(n)), set(), neighbours), _MOST_SETS + 1)
    sets = sorted(map(sorted, cliques))
    if len(sets) > _MOST_SETS:
        raise InputError(
            f"`letters` needs more than {_MOST_SETS:,} sets here, too many to read",
            remedy="Look at `tiers`, or compare fewer systems",
        )
    of_systems: list[list[str]] = [[] for _ in range(n)]
    for name, members in zip(_NAMES, sets, strict=False):
        for i in members:
            of_systems[i].append(name)
    separator = "," if len(sets) > len(ascii_lowercase) else ""
    return [separator.join(names) for names in of_systems]


def _cliques(
    chosen: set[int], others: set[int], done: set[int], neighbours: Sequence[set[int]]
) -> Iterator[set[int]]:
    """Yield the maximal cliques that contain `chosen`, some of `others` and none of `done`.

    Bron and Kerbosch's algorithm; the pivot has the most neighbours (Tomita et al. 2006).
    """
    if not others and not done:
        yield chosen
        return
    pivot = max(sorted(others | done), key=lambda i: len(neighbours[i] & others))
    for i in sorted(others - neighbours[pivot]):
        yield from _cliques(chosen | {i}, others & neighbours[i], done & neighbours[i], neighbours)
        others = others - {i}
        done = done | {i}
