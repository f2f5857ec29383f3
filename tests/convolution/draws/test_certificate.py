"""The certificate of sums of draws, on good and bad machines, and with its terms left out."""

import functools
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given

from convolution.coarse import machine
from oracles import swaps as oracle
from oracles.swaps import AsResult
from pairedperm.options import Budget
from properties import cases, generators, one_in, some

# A good machine and bad ones.
SEEDS = [None, 0, 1, *(pytest.param(k, marks=pytest.mark.thorough) for k in range(2, 8))]
TILTED = (
    "resampled",
    "COUNTABLE_BITS = 2**18",
    "COUNTABLE_BITS = 0",
)  # nothing is counted in integers


def laws():
    """Few and many values, one far above the others, one that is rare, one that is likely."""
    rng = np.random.default_rng(2012)
    yield [0, 1], [30, 30]
    yield [0, 1], [1, 80]
    yield [0, 1, 2], [100, 3, 100]
    yield [0, 1, 1000], [40, 20, 1]
    yield [0, 7, 11], [1, 1, 1]
    yield list(range(0, 60, 3)), [1] * 20
    for _ in range(25):
        values = np.unique(rng.integers(0, rng.choice([3, 12, 60]), rng.integers(2, 9)))
        yield values.tolist(), rng.integers(1, rng.choice([2, 8, 20]), values.size).tolist()


@functools.cache
def tail_cases():
    """(values, counts, bound) with the exact tail, all along the support."""
    rng, found = np.random.default_rng(8), []
    for values, counts in laws():
        values = [value - values[0] for value in values]
        if len(values) < 2:
            continue
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


def some_misses(modules, chosen):
    """Does any interval not contain the truth?"""
    lower_tail = modules.resampled.resampled_lower_tail
    return any(
        not oracle.is_certified(AsResult(lower_tail(*law, Budget())), truth)
        for law, truth in chosen
    )


INTERVALS = [  # of frequencies, wide ones first, whatever they cost
    ("resampled", "SHORT = 2**17", "SHORT = 2**4"),
    ("resampled", "TRANSFORMED = 2**25", "TRANSFORMED = 0"),
    ("intervals", "FIRST_POINTS = 2**12", "FIRST_POINTS = 2**3"),
    ("intervals", "SINGLE = 16.0", "SINGLE = 1.0"),
]


@pytest.mark.parametrize("edits", [[], INTERVALS], ids=["a transform", "intervals"])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_interval_misses(seed, edits):
    assert len(tail_cases()) > 250
    assert not some_misses(machine(seed, [TILTED, *edits]), some(tail_cases(), every=7))


@cases(0.08)
@given(rng=generators)
def test_no_interval_misses_whatever_is_dropped(rng):
    dropped = (
        "tilted",
        "DROPPED_SHARE = 2.0**-58",
        f"DROPPED_SHARE = {10.0 ** rng.uniform(-12, -3)!r}",
    )
    chernoff = ("resampled", "LONG_WINDOW = 2**14", "LONG_WINDOW = 0")
    edits = [TILTED, dropped, *([chernoff] if rng.random() < 0.5 else [])]
    edits += INTERVALS if rng.random() < 0.5 else []
    seed = int(rng.integers(2**32)) if rng.random() < 0.7 else None
    assert not some_misses(machine(seed, edits), some(tail_cases()[::2], every=3))


LOOSE = [  # a window that drops much, a pruning that drops nothing
    TILTED,
    ("tilted", "DROPPED_SHARE = 2.0**-58", "DROPPED_SHARE = 1e-3"),
    ("resampled", "LONG_WINDOW = 2**14", "LONG_WINDOW = 0"),
    (
        "resampled",
        "    exponent, exponent_error",
        "    tolerance = 1e-18\n    exponent, exponent_error",
    ),
]


def test_no_interval_misses_of_a_loose_window():
    assert not some_misses(machine(None, LOOSE), some(tail_cases(), every=7))


@pytest.mark.parametrize(
    ("edits", "seeds"),
    [
        pytest.param(
            [TILTED, ("resampled", "+ terms.error)", ")")],
            range(20),
            marks=pytest.mark.thorough,
        ),
        ([*LOOSE, ("resampled", "window.leak + ", "")], [None]),
    ],
    ids=["rounding of φ", "wrap-around"],
)
def test_every_term_is_needed(edits, seeds):
    assert any(some_misses(machine(seed, edits), tail_cases()) for seed in seeds)


def exponents_that_miss(modules):
    """The bounds whose exponents are further from the truth than they claim."""
    for (values, counts, bound), _ in tail_cases():
        if 0 < bound < int(values @ counts):
            law = modules.resampled_law.resampled_to(values, counts, bound)
            found, error = law.exponent(bound)
            tau, n = flint.arb(law.tau), int(counts.sum())
            pairs = zip(values.tolist(), counts.tolist(), strict=True)
            share = sum((c * (-tau * v).exp() for v, c in pairs), flint.arb(0)) / n
            truth = n * share.log() + tau * bound
            if abs(truth - found) > flint.arb(1.001 * error + 1e-13):
                yield values, counts, bound


@one_in(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_each_exponent_is_as_exact_as_it_claims(seed):
    assert not list(exponents_that_miss(machine(seed)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("error = error_of_g + 3.0 * linear", "error = 3.0 * linear"),
        (
            "error = n * (of_z + ",
            "error = 0.0 * (of_z + ",
        ),
    ],
)
def test_every_term_of_the_exponent_is_needed(old, new):
    edit = ("resampled_law", old, new)
    assert any(any(exponents_that_miss(machine(seed, [edit]))) for seed in range(8))
