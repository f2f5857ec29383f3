"""The infinitesimal jackknife: what an example more or less does to many copies of the data."""

import math


def standard_error(score, columns, n_copies=12):
    """√(n / (n - 1) Σ v²) of the difference of two systems' scores; v is an example's influence.

    `score` is of predictions and references. With so many copies no class or label is lost by
    leaving an example out. v is half of what adding and leaving it out move, times the copies. None
    where copies have another score, as BLEU that is smoothed by a constant.
    """
    copies = [None if x is None else [*x] * n_copies for x in columns]
    n, known = len(columns[0]), {}

    def difference(one, two, right):
        return float(score(one, right)) - float(score(two, right))

    def influence(k):
        more = [None if x is None else [*x, x[k]] for x in copies]
        less = [None if x is None else x[:k] + x[k + 1 :] for x in copies]
        return n_copies * (difference(*more) - difference(*less)) / 2.0

    if not math.isclose(difference(*copies), difference(*columns), rel_tol=1e-9, abs_tol=1e-12):
        return None
    total = 0.0
    for k in range(n):
        key = repr([None if x is None else x[k] for x in columns])
        if key not in known:
            known[key] = influence(k)
        total += known[key] ** 2
    return math.sqrt(n / (n - 1) * total)
