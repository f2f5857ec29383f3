"""Letters of systems: two systems without a letter in common are told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from string import ascii_lowercase

from pairedperm.errors import InputError

_MOST = 26**2  # tuned: sets, with more of which letters say nothing to a reader


def letters(alike: Sequence[Sequence[bool]]) -> list[str]:
    """Of each system, the letters of the sets that it is in, comma-separated beyond "z".

    A set is a maximal one of systems none of which is told apart from another. Being told apart is
    not transitive: a may be like b and b like c, yet a not like c; then b has both letters.

    Parameters
    ----------
    alike : sequence of sequences of bool, shape (n, n)
        Whether two systems are not told apart; symmetric. The systems come best first, and so do
        the letters.

    Raises
    ------
    InputError
        If there are more than 676 sets.
    """
    n = len(alike)
    neighbours = [{j for j in range(n) if alike[i][j] and i != j} for i in range(n)]
    found_sets = islice(_cliques(set(), set(range(n)), set(), neighbours), _MOST + 1)
    sets = sorted(map(sorted, found_sets))
    if len(sets) > _MOST:
        raise InputError(
            f"`letters` of these systems are of more than {_MOST:,} sets, which nobody reads: look "
            "at `tiers`, or compare fewer systems."
        )
    found: list[list[str]] = [[] for _ in range(n)]
    for number, members in enumerate(sets):
        for i in members:
            found[i].append(_name(number))
    separator = "," if len(sets) > len(ascii_lowercase) else ""
    return [separator.join(names) for names in found]


def _cliques(
    chosen: set[int], others: set[int], done: set[int], neighbours: Sequence[set[int]]
) -> Iterator[set[int]]:
    """The maximal sets of neighbours that hold `chosen`, some of `others` and none of `done`.

    Bron and Kerbosch's algorithm, with a pivot of most neighbours (Tomita et al. 2006).
    """
    if not others and not done:
        yield chosen
        return
    pivot = max(sorted(others | done), key=lambda i: len(neighbours[i] & others))
    for i in sorted(others - neighbours[pivot]):
        yield from _cliques(chosen | {i}, others & neighbours[i], done & neighbours[i], neighbours)
        others = others - {i}
        done = done | {i}


def _name(number: int) -> str:
    """A to z, then aa, ab, …"""
    name = ""
    number += 1
    while number:
        number, k = divmod(number - 1, len(ascii_lowercase))
        name = ascii_lowercase[k] + name
    return name
