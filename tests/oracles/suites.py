"""The weighted average over tasks, by listing all swaps."""

from itertools import product


def differences(tasks, scores, weights, ids):
    """Σ weight · (score1 - score2), as it is and for all swaps of examples or groups by their ids.

    Of each task only whether an example is swapped matters.
    """
    own = {name: [(name, k) for k in range(len(x[0]))] for name, x in tasks.items()}
    ids = own | (ids or {})
    keys = sorted({key for some in ids.values() for key in some}, key=str)
    found = []
    for swaps in product((False, True), repeat=len(keys)):
        swapped = {k for k, is_swapped in zip(keys, swaps, strict=True) if is_swapped}
        total = 0
        for name, (one, two, *right) in tasks.items():
            pairs = [
                (b, a) if key in swapped else (a, b)
                for a, b, key in zip(one, two, ids[name], strict=True)
            ]
            first, second = map(list, zip(*pairs, strict=True))
            total += weights[name] * (scores[name](first, *right) - scores[name](second, *right))
        found.append(total)
    return found
