"""The routes of the core, and how often a campaign has reached each."""

import importlib
from collections import Counter
from contextlib import contextmanager
from functools import wraps

_CORE, _PACKAGE = "pairedperm.convolution.", "pairedperm."
ROUTES = {  # name -> the module that calls the function, and the function
    "line: counted integers": (_CORE + "line.tail", "count_lower_tail"),
    "line: enumeration": (_CORE + "line.tail", "enumerate_lower_tail"),
    "line: halves": (_CORE + "line.tail", "halved_lower_tail"),
    "line: tilted": (_CORE + "line.tail", "tilted_lower_tail"),
    "line: frequencies by intervals": (_CORE + "line.frequencies", "search"),
    "line: a value set apart": (_CORE + "line.tail", "_apart"),
    "plane: bands": (_CORE + "plane.tail", "tail_by_bands"),
    "plane: counting": (_CORE + "plane.tail", "count_planar_tail"),
    "plane: enumeration": (_CORE + "plane.tail", "enumerate_planar_tail"),
    "grid: convolved": (_CORE + "grid.product_law", "convolved"),
    "grid: transformed": (_CORE + "grid.product_law", "transformed"),
    "grid: binomial parts": (_CORE + "grid.product_law", "binomial_part"),
    "grid: product of parts": (_CORE + "grid.product_law", "merged_parts"),
    "dp": (_CORE + "grid.whole_law", "convolved"),
    "fft": (_CORE + "grid.whole_law", "convolved_by_halves"),
    "rational": (_CORE + "grid.whole_law", "n_assignments"),
    "halves enumerated": (_PACKAGE + "permutation.engines.enumeration", "enumerate_lower_tail"),
    "all swaps listed": (_PACKAGE + "permutation.engines.enumeration", "swap_by_swap"),
    "bracket: listed": (_CORE + "reals.bracket", "listed_tail"),
    "bracket: two rounded tails": (_CORE + "reals.bracket", "rounded_tails"),
    "bracket: extremal": (_CORE + "reals.bracket", "ExtremalSums"),
    "null of a line: listed": (_CORE + "line.pmf", "listed_pmf"),
    "null of a line: convolved": (_CORE + "line.pmf", "convolved_pmf"),
    "null of a line: transformed": (_CORE + "line.pmf", "transformed_pmf"),
    "null of a plane: convolved": (_CORE + "grid.masses", "convolved"),
    "null of a plane: transformed": (_CORE + "grid.masses", "transformed"),
    "sampled swaps": (_PACKAGE + "permutation.problem", "sampled_sums"),
    "resampled: counted": (_CORE + "draws.tail", "count_resamples"),
    "resampled: tilted": (_CORE + "draws.tail", "surviving_terms"),
    "resampled: frequencies by intervals": (_CORE + "draws.tail", "search"),
    "resampled: quantiles of a sum": (_PACKAGE + "bootstrap.shared_ratio", "sum_quantiles"),
    "resampled: quantiles of a ratio": (_PACKAGE + "bootstrap.shared_ratio", "ratio_quantiles"),
    "resampled: multinomial": (_PACKAGE + "bootstrap.engines.monte_carlo", "resampled_sums"),
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
