"""The certificates hold on good and bad machines, and miss the truth without any of their terms."""

import pytest

from convolution.coarse import machine
from convolution.misses import (
    draws_exponents,
    draws_tails,
    grid_masses,
    line_parts,
    line_tails,
    line_terms,
    plane_tails,
)

# What is edited: a module, text in its source, and what replaces it.
FINE_INTERVALS = [("intervals", "SINGLE = 16.0", "SINGLE = 1.0")]  # wide ones first
FINE_INTERVALS += [("intervals", "FIRST_POINTS = 2**12", "FIRST_POINTS = 2**3")]
ON_LINE = [*FINE_INTERVALS, ("intervals", "LONG_TRANSFORM = 2**12", "LONG_TRANSFORM = 2**4")]
DRAWN = [("resampled", "COUNTABLE_BITS = 2**18", "COUNTABLE_BITS = 0")]  # none is counted
DRAWN_LONG = [*FINE_INTERVALS, *DRAWN, ("resampled", "TRANSFORMED = 2**25", "TRANSFORMED = 0")]
DRAWN_LONG += [("resampled", "SHORT = 2**17", "SHORT = 2**4")]
BY_CHERNOFF = ("resampled", "LONG_WINDOW = 2**14", "LONG_WINDOW = 0")
PASSES = ("characteristic", "PASS = 16.0", "PASS = 0.0")  # the transform is no worse there


def dropped(share):
    return "tilted", "DROPPED_SHARE = 2.0**-58", f"DROPPED_SHARE = {share!r}"


def of_band(share):
    return "planar_band", "_DROPPED_OF_BAND = 2.0**-54", f"_DROPPED_OF_BAND = {share!r}"


def leak(share):
    return "law", "LEAK = 2.0**-62", f"LEAK = {share!r}"


def pruned(share):
    return "grid_frequencies", "DROPPED_PHI = 2.0**-64", f"DROPPED_PHI = {share!r}"


def tolerance(value):
    """A pruning apart from what the window leaks."""
    first = "    log_scale, log_scale_error ="
    own = f"    fitted = replace(fitted, tolerance={value})\n{first}"
    imported = ("tilted", "import math\n", "import math\nfrom dataclasses import replace\n")
    return [("tilted", first, own), imported]


LOOSE_WINDOW = [dropped(1e-4), *tolerance(1e-18)]
LOOSE_PRUNING = tolerance(1e-3)
LOOSE_DRAWS = [*DRAWN, dropped(1e-3), BY_CHERNOFF]
LOOSE_DRAWS += [("resampled", x := "    exponent, exponent_error", f"    tolerance = 1e-18\n{x}")]
LOOSE = [line_tails, LOOSE_WINDOW], [line_tails, LOOSE_PRUNING], [draws_tails, LOOSE_DRAWS]
LOOSE += ([plane_tails, [of_band(1e-3)]],)
LOOSE += tuple([grid_masses, [leak(2.0**-k), pruned(2.0**-k)]] for k in (5, 20))
MACHINES = [None, 0, pytest.param(1, marks=pytest.mark.thorough)]


@pytest.mark.parametrize("seed", MACHINES)
@pytest.mark.parametrize(
    ("misses", "edits"),
    [
        *((line_tails, []), (line_tails, ON_LINE), (line_parts, []), (line_terms, [])),
        *((draws_tails, DRAWN), (draws_tails, DRAWN_LONG), (draws_exponents, [])),
        *((plane_tails, []), (grid_masses, [PASSES])),
    ],
)
def test_no_certificate_misses_the_truth(misses, edits, seed):
    """Also where short transforms are searched by intervals, wide ones first."""
    assert not list(misses(machine(seed, edits)))


@pytest.mark.parametrize(("misses", "edits"), LOOSE)
def test_what_a_loose_window_or_pruning_drops_is_counted(misses, edits):
    assert not list(misses(machine(None, edits)))


def only(misses, part):
    return lambda modules: (x for x in misses(modules) if x == part)


E, T, PRODUCT = (only(line_parts, x) for x in ("E", "T", "product"))
ONE_MASS = only(grid_masses, "one")
GOOD, BAD = [None], range(12)
NO_LEAK = "planar_band", "math.log(4.0 / tolerance)", "math.log(4.0 / tolerance**9)"
LOOSE_BANDS = [of_band(1e-3), NO_LEAK]
NEGLECTED = [("planar_bands", "math.log(2.0**-50)", "math.log(0.5)")]
OF_FACTORS = "(np.abs(log_factors) + np.abs(phases))"
SIZE = "n_open * tolerance"
NEEDED = [  # what misses, where, on which machines, and the edit
    (line_tails, LOOSE_WINDOW, GOOD, "tilted", "fitted.window.leak + ", ""),
    (line_tails, LOOSE_WINDOW, GOOD, "tilted", SIZE, f"0.001 * {SIZE}"),
    (line_tails, LOOSE_PRUNING, GOOD, "tilted", " + fitted.tolerance +", " +"),
    (line_tails, LOOSE_PRUNING, GOOD, "tilted", "return 2.0 * min(", "return 0.01 * min("),
    (line_terms, [], BAD, "tilted", "(TERM + phi_error)", "TERM"),
    (line_terms, [], BAD, "tilted", "(TERM + phi_error)", "phi_error"),
    (line_terms, [], BAD, "characteristic", OF_FACTORS, "np.abs(phases)"),
    (line_terms, [], BAD, "characteristic", OF_FACTORS, "np.abs(log_factors)"),
    (T, [], BAD, "tilted", "UNIT * error / window.length", "0.0"),
    (E, [], BAD, "characteristic", "(4.0 * ELEMENTARY) * float(", "0.0 * float("),
    (E, [], BAD, "characteristic", "error += float((rare", "error += 0.0 * float((rare"),
    (E, [], BAD, "characteristic", " + (ELEMENTARY + 2.0) * abs(halved)", ""),
    (PRODUCT, [], BAD, "certified", "log_error + _SLACK * (", "log_error + 0.0 * ("),
    (draws_tails, LOOSE_DRAWS, GOOD, "resampled", "window.leak + ", ""),
    (draws_exponents, [], BAD, "resampled_law", "= error_of_g + 3.0 * linear", "= 3.0 * linear"),
    (draws_exponents, [], BAD, "resampled_law", "= n * (of_z + ", "= 0.0 * (of_z + "),
    (plane_tails, [], [0], "planar_band", "UNIT * error / n_points", "0.0"),
    (plane_tails, LOOSE_BANDS, GOOD, "planar_band", "within.tolerance + error", "error"),
    (plane_tails, LOOSE_BANDS, GOOD, "planar_band", "(log_odds + o", "(0.5 * log_odds + o"),
    (plane_tails, NEGLECTED, GOOD, "planar_bands", "error += math.fsum", "0.0 + math.fsum"),
    (ONE_MASS, [pruned(2.0**-8)], GOOD, "grid_frequencies", "n_points + DROPPED_PHI", "n_points"),
    (ONE_MASS, [leak(2.0**-3)], GOOD, "grid_frequencies", "point_error + leak", "point_error"),
]
SLOW = [
    (ONE_MASS, [PASSES], range(4), "grid_frequencies", "phi_error + passes, 0.0", "passes, 0.0"),
    (draws_tails, DRAWN, range(20), "resampled", "+ terms.error)", ")"),
]


@pytest.mark.parametrize(
    ("misses", "edits", "seeds", "module", "text", "instead"),
    [*NEEDED, *(pytest.param(*x, marks=pytest.mark.thorough) for x in SLOW)],
)
def test_every_term_is_needed(misses, edits, seeds, module, text, instead):
    """Without it, an interval misses the truth."""
    machines = (machine(seed, [*edits, (module, text, instead)]) for seed in seeds)
    assert any(any(misses(modules)) for modules in machines)
