"""What the certificates of the core say and is not so: on a machine, of laws whose truth is known.

Each function yields the cases that miss the truth, or the part of a certificate that does.
"""

import functools
import math
from fractions import Fraction

import flint
import numpy as np

from convolution.coarse import COARSE_UNIT
from corpora.planar_laws import pmf, tail_cases
from oracles import swaps as oracle
from oracles.swaps import AsResult
from pairedperm.options import Budget
from properties import some


def _missing(found, modules, tail):
    """Of laws with their true tails, those whose interval does not contain the truth."""
    for law, truth in found:
        if not oracle.is_certified(AsResult(tail(modules, *law)), truth):
            yield law


# Tails on a line


def _line_laws():
    """Small and large, fine and coarse, with several peaks, with one value far above the others."""
    rng = np.random.default_rng(2022)
    yield from ([[1], [40]], [[1], [3000]], [[1, 2], [3, 800]], [[2, 3], [200, 1]])
    yield from ([[1, 1000], [60, 1]], [[1, 30, 900], [20] * 3], [[5, 7, 11], [1] * 3])
    yield [*range(1, 61)], [1] * 60
    for _ in range(30):
        values = np.unique(rng.integers(1, rng.choice([3, 12, 60, 300]), rng.integers(1, 9)))
        values //= np.gcd.reduce(values)
        yield values.tolist(), rng.integers(1, rng.choice([3, 30, 150]), values.size).tolist()


@functools.cache
def line_cases():
    """(values, counts, bound, total) with the exact tail, from the middle to the last point."""
    rng, found = np.random.default_rng(7), []
    for values, counts in _line_laws():
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
                law = np.array(values), np.array(counts), bound, total
                found.append((law, Fraction(at_most[bound], 2 ** len(differences))))
    return found


def _line_tail(modules, *law):
    fitted = modules.tilted.fit(*law)
    return modules.tilted.tilted_lower_tail(fitted, law[2], Budget())


def line_tails(modules):
    return _missing(some(line_cases()[::3], 4), modules, _line_tail)


# E and T apart: in the interval of their product the looser bound hides the tighter one.


@functools.cache
def _hard_cases():
    """Where rounding adds up: thousands of examples, the likely and the very unlikely."""
    found = []
    for n, share in [(2000, 0.02), (2000, 0.1), (4000, 0.3), (4000, 0.45), (3000, 0.4999)]:
        bound = int(n * share)
        ways = at_most = 1  # of no success, then of each number of them by the one before
        for k in range(bound):
            ways = ways * (n - k) // (k + 1)
            at_most += ways
        found.append(((np.array([1]), np.array([n]), bound, n), Fraction(at_most, 2**n)))
    return found + line_cases()[::20]


def _true_parts(law, bound, truth):
    """E and T at this tilt, as balls of 256 bits."""
    tau = flint.arb(law.tau)
    terms = [
        int(count) * ((1 + (-tau * int(value)).exp()) / 2).log()
        for value, count in zip(law.values, law.counts, strict=True)
    ]
    exponent = sum(terms, tau * bound)
    return exponent, flint.arb(flint.fmpq(truth.numerator, truth.denominator)) / exponent.exp()


def line_parts(modules):
    """Which of E, T and the interval of their product claim less error than they have."""
    tilted = modules.tilted
    for (values, counts, bound, total), truth in _hard_cases():
        fitted = tilted.fit(values, counts, bound, total)
        exponent, exponent_error = tilted.exponent_at(fitted.law, bound)
        tail, rounding = tilted.tilted_sum(
            fitted, bound, fitted.window, fitted.frequencies(Budget())
        )
        error = 1.001 * (fitted.window.leak + fitted.tolerance + rounding)
        true_exponent, true_tail = _true_parts(fitted.law, bound, truth)
        if abs(true_exponent - exponent) > flint.arb(1.001 * exponent_error + COARSE_UNIT**2):
            yield "E"
        if abs(true_tail - tail) > flint.arb(error):
            yield "T"
        p = modules.certified.CertifiedProbability.from_product(exponent, tail, 0.0)
        product = flint.arb(exponent).exp() * flint.arb(tail)
        if product > flint.arb(p.high) or product < flint.arb(p.low):
            yield "product"


def _true_term(law, frequency, bound, window):
    """Re φ e^{-iω bound} series of one frequency and its mirror image, by definition."""
    tau = flint.arb(law.tau)
    turn = 2 * flint.arb.pi() * frequency / window.length
    phi = flint.acb(0, -turn * bound).exp()
    for value, count in zip(law.values.tolist(), law.counts.tolist(), strict=True):
        chance = 1 / (1 + (tau * value).exp())
        phi *= (1 - chance + chance * flint.acb(0, turn * value).exp()) ** count
    z = flint.acb(-tau, turn).exp()
    series = sum((z**k for k in range(window.n_tail)), flint.acb(0))
    return (phi * series).real * (1 if frequency in (0, window.length / 2) else 2)


def line_terms(modules):
    """Terms at frequencies that count little, whose log-moduli and phases are large."""
    rng = np.random.default_rng(11)
    laws = [([1], [9]), ([1, 2], [30, 2]), ([2, 3, 7], [40, 1, 5]), ([1], [400]), ([1], [10**6])]
    for values, counts in laws:
        law = modules.law.TiltedLaw(np.array(values), np.array(counts), 0.0)
        for tau in (1e-9, 0.03, 0.6, 2.5):
            # 30 points: many residues are 0 or 15; 10^4: phases turn while the modulus stays
            window = modules.tilted.Window(13, 17 if counts[0] < 1000 else 9987, 0.0)
            frequencies, bound = np.arange(16), int(rng.integers(0, 20))
            terms, errors = modules.tilted._terms(law.at(tau), frequencies, bound, window)
            for f, term, error in zip(frequencies.tolist(), terms, errors, strict=True):
                off = abs(_true_term(law.at(tau), f, bound, window) - flint.arb(term))
                if off > flint.arb(error * modules.certified.UNIT + 1e-300):
                    yield values, tau, f


# Sums of draws


def _draws_laws():
    """Few and many values, one far above the others, one that is rare, one that is likely."""
    rng = np.random.default_rng(2012)
    yield from ([[0, 1], [30, 30]], [[0, 1], [1, 80]], [[0, 1, 2], [100, 3, 100]])
    yield from ([[0, 1, 1000], [40, 20, 1]], [[0, 7, 11], [1] * 3], [[*range(0, 60, 3)], [1] * 20])
    for _ in range(25):
        values = np.unique(rng.integers(0, rng.choice([3, 12, 60]), rng.integers(2, 9)))
        counts = rng.integers(1, rng.choice([2, 8, 20]), values.size).tolist()
        if values.size > 1:
            yield (values - values[0]).tolist(), counts


@functools.cache
def _draws_cases():
    """(values, counts, bound) with the exact tail, all along the support."""
    rng, found = np.random.default_rng(8), []
    for values, counts in _draws_laws():
        one = [0] * (values[-1] + 1)
        for value, count in zip(values, counts, strict=True):
            one[value] = count
        n = sum(counts)
        ways = [int(x) for x in (flint.fmpz_poly(one) ** n).coeffs()]
        at_most = np.cumsum(np.array(ways, dtype=object))
        mean = sum(v * c for v, c in zip(values, counts, strict=True))
        chosen = {0, values[1], mean - 1, mean, mean // 2, 2 * mean, mean // 10}
        chosen |= set(rng.integers(0, len(ways), 6).tolist())
        for bound in sorted(chosen):
            if bound < len(ways) - 1:
                law = np.array(values), np.array(counts), bound
                found.append((law, Fraction(at_most[bound], n**n)))
    return found


def _draws_tail(modules, *law):
    return modules.resampled.resampled_lower_tail(*law, Budget())


def draws_tails(modules):
    return _missing(some(_draws_cases()[::3], 5), modules, _draws_tail)


def draws_exponents(modules):
    """The laws whose exponents are further from the truth than they claim."""
    for (values, counts, bound), _ in _draws_cases():
        if 0 < bound < int(values @ counts):
            law = modules.resampled_law.resampled_to(values, counts, bound)
            found, error = law.exponent(bound)
            tau, n = flint.arb(law.tau), int(counts.sum())
            pairs = zip(values.tolist(), counts.tolist(), strict=True)
            share = sum((c * (-tau * v).exp() for v, c in pairs), flint.arb(0)) / n
            if abs(n * share.log() + tau * bound - found) > flint.arb(1.001 * error + 1e-13):
                yield values, counts, bound


# The plane, and masses on a grid


def _plane_tail(modules, law, region):
    copied = modules.planar_law.PlanarLaw(law.vectors, law.counts)
    return modules.planar_bands.tail_by_bands(copied, region, False, Budget())


def plane_tails(modules):
    found = some(tail_cases()[2::4], 4)
    return _missing([(x[:2], x[2]) for x in found], modules, _plane_tail)


@functools.cache
def _small_laws():
    """40 laws with their sums, how many assignments give each, and their masses."""
    laws, found = [law for law, _, _ in tail_cases() if int(law.counts.sum()) >= 8], []
    for law in laws[:40]:
        points, ways = zip(*pmf(law).items(), strict=True)
        total = 2 ** int(law.counts.sum())
        found.append((law, np.array(points), ways, np.array([n / total for n in ways])))
    return found


def grid_masses(modules):
    """Whether a mass, all of them together, or what is beyond the grid is off by more than said."""
    grid = modules.grid_frequencies
    for law, points, ways, truths in some(_small_laws()[::2], 3):
        grid_law = grid.GridLaw(law.vectors, law.counts)
        box, leak = grid_law.window()
        found = grid.transformed(grid_law, box, leak, Budget())
        places = points - np.array(found.origin)
        is_within = ((places >= 0) & (places < found.masses.shape)).all(axis=1)
        outside = sum(n for n, within in zip(ways, is_within, strict=True) if not within)
        if Fraction(outside, 2 ** int(law.counts.sum())) > found.lost:
            yield "lost"
        truth = np.zeros(found.masses.shape)
        truth[tuple(places[is_within].T)] = truths[is_within]
        errors = np.abs(found.masses - truth)
        if errors.max() > found.point_error:
            yield "one"
        if math.fsum(errors.ravel()) > found.error:
            yield "all"
