"""The routes of the core, and how often a campaign has reached each."""

import importlib
from collections import Counter
from contextlib import contextmanager
from functools import wraps

_CORE, _PACKAGE = "pairedperm.convolution.", "pairedperm."
ROUTES = {  # name -> the module that calls the function, and the function
    "line: counted integers": (_CORE + "tail", "count_lower_tail"),
    "line: enumeration": (_CORE + "tail", "enumerate_lower_tail"),
    "line: halves": (_CORE + "tail", "halved_lower_tail"),
    "line: tilted": (_CORE + "tail", "tilted_lower_tail"),
    "plane: bands": (_CORE + "plane", "tail_by_bands"),
    "plane: counting": (_CORE + "plane", "count_planar_tail"),
    "plane: enumeration": (_CORE + "plane", "enumerate_planar_tail"),
    "grid: convolved": (_CORE + "product_law", "convolved"),
    "grid: transformed": (_CORE + "product_law", "transformed"),
    "grid: binomial parts": (_CORE + "product_law", "binomial_part"),
    "grid: product of parts": (_CORE + "product_law", "merged_parts"),
    "dp": (_CORE + "whole_law", "convolved"),
    "fft": (_CORE + "whole_law", "convolved_by_halves"),
    "rational": (_CORE + "whole_law", "n_assignments"),
    "halves enumerated": (_PACKAGE + "additive", "enumerate_lower_tail"),
    "all swaps listed": (_PACKAGE + "methods", "n_extreme_swaps"),
    "bracket: listed": (_CORE + "bracket", "_listed"),
    "bracket: extremal": (_CORE + "bracket", "ExtremalSums"),
    "null of a line: listed": (_CORE + "pmf", "listed_pmf"),
    "null of a line: convolved": (_CORE + "pmf", "_convolved"),
    "null of a line: transformed": (_CORE + "pmf", "_transformed"),
    "null of a plane: convolved": (_CORE + "grid_masses", "convolved"),
    "null of a plane: transformed": (_CORE + "grid_masses", "transformed"),
    "sampled swaps": (_PACKAGE + "methods", "sampled_pvalue"),
    "resampled: counted": (_CORE + "resampled", "_count"),
    "resampled: tilted": (_CORE + "resampled", "surviving_terms"),
    "resampled: quantiles of a sum": (_PACKAGE + "shared_ratio", "sum_quantiles"),
    "resampled: quantiles of a ratio": (_PACKAGE + "shared_ratio", "ratio_quantiles"),
    "resampled: multinomial": (_PACKAGE + "bootstrap_run", "resampled_sums"),
}


def place(module, name):
    """The module, which must have something of this name.

    Raises
    ------
    LookupError
        If it has not.
    """
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError:
        raise LookupError(
            f"{module} is no module of the package any more: mend the table."
        ) from None
    if not hasattr(found, name):
        raise LookupError(f"{module} has no {name} any more: mend the table.")
    return found


@contextmanager
def counted(routes):
    """Counts the calls of each route meanwhile."""
    reached = Counter(dict.fromkeys(routes, 0))
    replaced = []

    def counting(route, function):
        @wraps(function)
        def called(*arguments, **options):
            reached[route] += 1
            return function(*arguments, **options)

        return called

    try:
        for route, (module, name) in routes.items():
            owner = place(module, name)
            replaced.append((owner, name, getattr(owner, name)))
            setattr(owner, name, counting(route, getattr(owner, name)))
        yield reached
    finally:
        for owner, name, function in reversed(replaced):
            setattr(owner, name, function)
