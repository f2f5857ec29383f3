"""The routes of the core, the cases that reach each, and how often a campaign has reached it."""

import importlib
from collections import Counter
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple

import pytest


class Route(NamedTuple):
    """A function in the module that calls it, and the cases that want it.

    Some settings are lowered for it, and others kept: those of the same module without its name.
    """

    function: str
    kind: str
    lowers: str = ""
    keeps: str = ""
    method: str = "exact"
    further: str = ""


TAIL, PLANE, LAW, PMF = "line.tail.", "plane.tail.", "grid.product_law.", "line.masses."
SWAPS, RATIO, DRAWS = "nulls.engines.", "nulls.draws.", "draws.tail."
GRID, REALS, LONG = "grid.frequencies.", "reals.bracket.", "line.intervals.LONG_TRANSFORM"
FITS = "line.tail.FITTING line.tail.FITTING_LONG"
FIT = f"line.tail.COUNTABLE {FITS}"
bracket, null = (
    partial(Route, method=x, further=y) for x, y in (("bracket", ""), ("auto", "null"))
)
ROUTES = {
    "line: counted integers": Route(TAIL + "count_lower_tail", "some means", "", "COUNTABLE"),
    "line: enumeration": Route(TAIL + "enumerate_lower_tail", "huge means", "COUNTABLE"),
    "line: halves": Route(TAIL + "halved_lower_tail", "some means", "COUNTABLE", FITS),
    "line: tilted": Route(TAIL + "tilted_lower_tail", "long means", FIT),
    "line: intervals": Route("line.intervals._first_cosines", "long means", f"{LONG} {FIT}"),
    "line: one set apart": Route(TAIL + "_apart", "means with huge ones", LONG, "MAX_APART"),
    "line: sums of two": Route("nulls.functions.LineTail", "one class"),
    "plane: bands": Route(PLANE + "tail_by_bands", "some of two", "ENUMERATED COUNTED", "QUICK_NS"),
    "plane: counting": Route(PLANE + "count_planar_tail", "some of two", "ENUMERATED", "COUNTED"),
    "plane: enumeration": Route(PLANE + "enumerate_planar_tail", "few ratios", "", "ENUMERATED"),
    "grid: convolved": Route(LAW + "convolved", "some sums", "FEW_POINTS", "CONVOLVED"),
    "grid: transformed": Route(LAW + "transformed", "some sums", "FEW_POINTS CONVOLVED WIDER"),
    "dp": Route("grid.whole_law.convolved", "any", method="dp"),
    "fft": Route("grid.whole_law.convolved_by_halves", "any", method="fft"),
    "halves listed": Route(SWAPS + "enumerate_lower_tail", "short means", method="enumeration"),
    "all swaps listed": Route(SWAPS + "swap_by_swap", "rows", method="enumeration"),
    "bracket: listed": bracket(REALS + "listed_tail", "short means", "", "LISTED"),
    "bracket: rounded": bracket(REALS + "rounded_tails", "shares", "LISTED"),
    "null line: listed": null(PMF + "listed_pmf", "few huge means", "", "LISTED_EXAMPLES"),
    "null line: convolved": null(
        PMF + "convolved_pmf", "some means", "LISTED_EXAMPLES", "CONVOLVED_POINTS"
    ),
    "null line: transformed": null(
        PMF + "transformed_pmf", "some means", "LISTED_EXAMPLES CONVOLVED_POINTS"
    ),
    "null plane: convolved": null(GRID + "convolved", "some ratios", "", "CONVOLVED_PMF"),
    "null plane: transformed": null(GRID + "transformed", "some ratios", "CONVOLVED_PMF"),
    "sampled swaps": Route("nulls.problem.sampled_sums", "any", method="monte_carlo"),
    "resampled: counted": Route(DRAWS + "count_resamples", "few resamples", "", "COUNTABLE_BITS"),
    "resampled: tilted": Route(DRAWS + "surviving_terms", "some resamples", "COUNTABLE_BITS"),
    "resampled: intervals": Route(DRAWS + "search", "some resamples", "COUNTABLE_BITS SHORT"),
    "quantiles of a sum": Route(RATIO + "sum_quantiles", "few resamples"),
    "quantiles of a ratio": Route(RATIO + "ratio_quantiles", "some resampled ratios"),
    "resampled: drawn": Route("nulls.draws.resampled_sums", "some resamples", method="monte_carlo"),
}


def place(name: str) -> tuple[Any, str]:
    """The module of the core or the package that a name is of, and the last part of the name."""
    path, _, last = name.rpartition(".")
    for package in ("pairedperm.convolution", "pairedperm"):
        with suppress(ModuleNotFoundError):
            module = importlib.import_module(f"{package}.{path}")
            if hasattr(module, last):
                return module, last
    raise LookupError(f"the package has no {name} any more: mend the table.")


@contextmanager
def counted():
    """Counts the calls of each route meanwhile."""
    reached = Counter(dict.fromkeys(ROUTES, 0))

    def counting(route, function):
        def called(*arguments, **options):
            reached[route] += 1
            return function(*arguments, **options)

        return called

    with pytest.MonkeyPatch.context() as patch:
        for name, route in ROUTES.items():
            patch.setattr(*place(route.function), counting(name, getattr(*place(route.function))))
        yield reached
