"""The certificate: on good and bad machines, and with each of its terms left out."""

import functools
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given

from convolution.coarse import COARSE_UNIT, machine
from oracles import swaps as oracle
from oracles.swaps import AsResult
from pairedperm.options import Budget
from properties import cases, generators, one_in, some

# A good machine and bad ones.
SEEDS = [None, 0, *(pytest.param(k, marks=pytest.mark.thorough) for k in range(1, 4))]


def laws():
    """Small and large, fine and coarse, with several peaks, with one value far above the others."""
    rng = np.random.default_rng(2022)
    yield [1], [40]
    yield [1], [3000]
    yield [1, 2], [3, 800]
    yield [2, 3], [200, 1]
    yield [1, 1000], [60, 1]
    yield [1, 30, 900], [20, 20, 20]
    yield list(range(1, 61)), [1] * 60
    yield [5, 7, 11], [1, 1, 1]
    for _ in range(50):
        values = np.unique(rng.integers(1, rng.choice([3, 12, 60, 300]), rng.integers(1, 9)))
        values //= np.gcd.reduce(values)
        yield values.tolist(), rng.integers(1, rng.choice([3, 30, 150]), values.size).tolist()


@functools.cache
def tail_cases():
    """(values, counts, bound, total) with the exact tail, from the middle to the last point."""
    rng = np.random.default_rng(7)
    result = []
    for values, counts in laws():
        differences = np.repeat(values, counts).tolist()
        total = sum(differences)
        by_sum = oracle.signed_sum_counts(differences)
        ways = [by_sum.get(total - 2 * b, 0) for b in range(total // 2 + 1)]
        at_most = np.cumsum(np.array(ways, dtype=object))
        last = (total - 1) // 2 - (total % 2)  # 2 bound + 1 < total
        chosen = {values[0], values[0] + 1, last, last - 1, last // 2, last // 10}
        chosen |= set(rng.integers(values[0], max(last, values[0]) + 1, 8).tolist())
        for bound in sorted(chosen):
            if values[0] <= bound and 2 * bound + 1 < total:
                truth = Fraction(at_most[bound], 2 ** len(differences))
                law = np.array(values), np.array(counts), bound, total
                result.append((law, truth))
    return result


def some_misses(modules, chosen):
    """Does any interval not contain the truth?"""
    return any(
        not oracle.is_certified(
            AsResult(modules.tilted.tilted_lower_tail(modules.tilted.fit(*law), law[2], Budget())),
            truth,
        )
        for law, truth in chosen
    )


INTERVALS = [  # short transforms by intervals too, wide ones first
    ("intervals", "LONG_TRANSFORM = 2**12", "LONG_TRANSFORM = 2**4"),
    ("intervals", "FIRST_POINTS = 2**12", "FIRST_POINTS = 2**3"),
    ("intervals", "SINGLE = 16.0", "SINGLE = 1.0"),
]


@pytest.mark.parametrize("edits", [[], INTERVALS], ids=["single frequencies", "intervals"])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_interval_misses(seed, edits):
    assert len(tail_cases()) > 500
    assert not some_misses(machine(seed, edits), some(tail_cases(), every=7))


@pytest.mark.thorough
@cases(0.2)
@given(rng=generators)
def test_no_interval_misses_whatever_is_dropped(rng):
    """Windows and tolerances as loose as a thousandth, good and bad machines."""
    dropped = f"DROPPED_SHARE = {10.0 ** rng.uniform(-12, -3)!r}"
    edits = [("tilted", "DROPPED_SHARE = 2.0**-58", dropped)]
    edits += [("tilted", "SLOW_SUM = 5e6", "SLOW_SUM = 0.0")] if rng.random() < 0.5 else []
    edits += INTERVALS if rng.random() < 0.5 else []
    chosen = [tail_cases()[i] for i in rng.choice(len(tail_cases()), 100)]
    seed = int(rng.integers(2**32)) if rng.random() < 0.5 else None
    assert not some_misses(machine(seed, edits), chosen)


# E and T apart: in the interval of their product the looser bound hides the tighter one.


def true_parts(law, bound, truth):
    """E and T at this tilt, as balls of 256 bits."""
    tau = flint.arb(law.tau)
    terms = [
        int(count) * ((1 + (-tau * int(value)).exp()) / 2).log()
        for value, count in zip(law.values, law.counts, strict=True)
    ]
    exponent = sum(terms, tau * bound)
    return exponent, flint.arb(flint.fmpq(truth.numerator, truth.denominator)) / exponent.exp()


def parts_that_miss(modules, chosen):
    """Which of E, T and the interval of their product claim less error than they have."""
    tilted = modules.tilted
    for (values, counts, bound, total), truth in chosen:
        fitted = modules.tilted.fit(values, counts, bound, total)
        exponent, exponent_error = tilted.exponent_at(fitted.law, bound)
        tail, rounding = tilted.tilted_sum(
            fitted, bound, fitted.window, fitted.frequencies(Budget())
        )
        error = 1.001 * (fitted.window.leak + fitted.tolerance + rounding)
        true_exponent, true_tail = true_parts(fitted.law, bound, truth)
        if abs(true_exponent - exponent) > flint.arb(1.001 * exponent_error + COARSE_UNIT**2):
            yield "E"
        if abs(true_tail - tail) > flint.arb(error):
            yield "T"
        p = modules.certified.CertifiedProbability.from_product(exponent, tail, 0.0)
        product = flint.arb(exponent).exp() * flint.arb(tail)
        if product > flint.arb(p.high) or product < flint.arb(p.low):
            yield "product"


@functools.cache
def hard_cases():
    """Where rounding adds up: thousands of examples, the likely and the very unlikely."""
    found = []
    for n, share in [(2000, 0.02), (2000, 0.1), (4000, 0.3), (4000, 0.45), (3000, 0.4999)]:
        bound = int(n * share)
        ways = at_most = 1  # of no success, then of each number of them by the one before
        for k in range(bound):
            ways = ways * (n - k) // (k + 1)
            at_most += ways
        found.append(((np.array([1]), np.array([n]), bound, n), Fraction(at_most, 2**n)))
    return found + tail_cases()[::12]


@one_in(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_each_part_is_as_exact_as_it_claims(seed):
    assert set(parts_that_miss(machine(seed), hard_cases())) == set()


SET_TOLERANCE = "    fitted = replace(fitted, tolerance={})\n    log_scale, log_scale_error ="
IMPORTED = ("tilted", "import math\n", "import math\nfrom dataclasses import replace\n")
LOOSE_WINDOW = [  # a window that drops much, a pruning that drops nothing
    ("tilted", "DROPPED_SHARE = 2.0**-58", "DROPPED_SHARE = 1e-4"),
    ("tilted", "    log_scale, log_scale_error =", SET_TOLERANCE.format(1e-18)),
    IMPORTED,
]
LOOSE_PRUNING = [
    ("tilted", "    log_scale, log_scale_error =", SET_TOLERANCE.format(1e-3)),
    IMPORTED,
]


@pytest.mark.parametrize(
    ("circumstances", "edit"),
    [
        (LOOSE_WINDOW, ("tilted", "fitted.window.leak + ", "")),
        (LOOSE_WINDOW, ("tilted", "n_open * tolerance", "0.001 * n_open * tolerance")),
        (LOOSE_PRUNING, ("tilted", " + fitted.tolerance +", " +")),
        (LOOSE_PRUNING, ("tilted", "return 2.0 * min(", "return 0.01 * min(")),
    ],
    ids=["wrap-around", "size of the window", "pruning", "weight of a frequency"],
)
def test_what_is_dropped_is_needed(circumstances, edit):
    assert not some_misses(machine(None, circumstances), some(tail_cases()[::4], every=2))
    assert some_misses(machine(None, [*circumstances, edit]), tail_cases()[::4])


def term_by_definition(law, frequency, bound, window):
    """Of one frequency, from the definitions: |φ| |series|, and Re φ e^{-iω bound} series."""
    tau = flint.arb(law.tau)
    turn = 2 * flint.arb.pi() * frequency / window.length
    phi = flint.acb(0, -turn * bound).exp()
    for value, count in zip(law.values.tolist(), law.counts.tolist(), strict=True):
        chance = 1 / (1 + (tau * value).exp())
        phi *= (1 - chance + chance * flint.acb(0, turn * value).exp()) ** count
    z = flint.acb(-tau, turn).exp()
    product = phi * sum((z**k for k in range(window.n_tail)), flint.acb(0))
    return abs(product), product.real


def terms_that_miss(modules):
    """The terms that are further from the truth than they claim, at frequencies that count little.

    There the log-moduli and the phases are large, and show their errors.
    """
    rng = np.random.default_rng(11)
    laws = [([1], [9]), ([1, 2], [30, 2]), ([2, 3, 7], [40, 1, 5]), ([1], [400]), ([1], [10**6])]
    for values, counts in laws:
        law = modules.law.TiltedLaw(np.array(values), np.array(counts), 0.0)
        for tau in (1e-9, 0.03, 0.6, 2.5):
            # 30 points: many residues are 0 or 15; 10^4: phases turn while the modulus stays
            window = modules.tilted.Window(13, 17 if counts[0] < 1000 else 9987, 0.0)
            frequencies = np.arange(16)
            bound = int(rng.integers(0, 20))
            tilted = law.at(tau)
            terms, errors = modules.tilted._terms(tilted, frequencies, bound, window)
            for f, term, error in zip(frequencies.tolist(), terms, errors, strict=True):
                mirrored = 1 if f == 0 or 2 * f == window.length else 2
                _, truth = term_by_definition(tilted, f, bound, window)
                off = abs(mirrored * truth - flint.arb(term))
                if off > flint.arb(error * modules.certified.UNIT + 1e-300):
                    yield values, tau, f


@pytest.mark.parametrize("seed", SEEDS)
def test_each_term_is_as_exact_as_it_claims(seed):
    assert not list(terms_that_miss(machine(seed)))


@pytest.mark.parametrize(
    "edit",
    [
        ("tilted", "(TERM + phi_error)", "TERM"),
        ("tilted", "(TERM + phi_error)", "phi_error"),
        ("characteristic", "(np.abs(log_factors) + np.abs(phases))", "np.abs(phases)"),
        ("characteristic", "(np.abs(log_factors) + np.abs(phases))", "np.abs(log_factors)"),
    ],
    ids=lambda edit: f"{edit[1]} -> {edit[2]}",
)
def test_every_count_of_a_term_is_needed(edit):
    assert any(any(terms_that_miss(machine(seed, [edit]))) for seed in range(12))


@pytest.mark.parametrize(
    ("part", "edit"),
    [
        ("T", ("tilted", "UNIT * error / window.length", "0.0")),
        ("E", ("characteristic", "(4.0 * ELEMENTARY) * float(", "0.0 * float(")),
        ("E", ("characteristic", "error += float((rare", "error += 0.0 * float((rare")),
        ("E", ("characteristic", " + (ELEMENTARY + 2.0) * abs(halved)", "")),
        ("product", ("certified", "log_error + _SLACK * (", "log_error + 0.0 * (")),
    ],
    ids=lambda x: x if isinstance(x, str) else x[1],
)
def test_every_term_of_the_rounding_is_needed(part, edit):
    assert any(part in parts_that_miss(machine(seed, [edit]), hard_cases()) for seed in range(6))
