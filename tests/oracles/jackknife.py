"""The infinitesimal jackknife: what an example more or less does to many copies of the data."""

import math


def standard_error(score, columns, n_copies=12, units=None):
    """√(n / (n - 1) Σ v²) of the difference of two systems' scores; v is a unit's influence.

    A unit is an example, or the places of several. `score` is of predictions and references. With
    so many copies no class or label is lost by leaving a unit out. v is half of what adding and
    leaving it out move, times the copies. None where copies have another score, as BLEU that is
    smoothed by a constant.
    """
    copies = [None if x is None else [*x] * n_copies for x in columns]
    units = units or [[k] for k in range(len(columns[0]))]
    n, known = len(units), {}

    def difference(one, two, right):
        return float(score(one, right)) - float(score(two, right))

    def influence(unit):
        more = [None if x is None else [*x, *(x[k] for k in unit)] for x in copies]
        less = [x and [y for k, y in enumerate(x) if k not in unit] for x in copies]
        return n_copies * (difference(*more) - difference(*less)) / 2.0

    if not math.isclose(difference(*copies), difference(*columns), rel_tol=1e-9, abs_tol=1e-12):
        return None
    total = 0.0
    for unit in units:
        key = repr([None if x is None else [x[k] for k in unit] for x in columns])
        if key not in known:
            known[key] = influence(unit)
        total += known[key] ** 2
    return math.sqrt(n / (n - 1) * total)
