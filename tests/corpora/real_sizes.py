"""Sizes of real differences, and what is asked of an interval for the tail of their sum."""

from fractions import Fraction

import numpy as np

from oracles import reals as real_oracle
from oracles import swaps as oracle
from oracles.reals import contains

SIZES = {
    "normal": lambda rng, n: np.abs(rng.normal(size=n)),
    "alike": lambda rng, n: 1.0 + 1e-9 * rng.random(n),
    "cauchy": lambda rng, n: np.abs(rng.standard_cauchy(n)),
    "lognormal": lambda rng, n: np.exp(3.0 * rng.normal(size=n)),
    "pareto": lambda rng, n: rng.pareto(0.5, n),
    "far apart": lambda rng, n: 10.0 ** rng.integers(-30, 30, n) * (1.0 + rng.random(n)),
}


def true_tails(values, is_taken):
    """P(B ≤ b) and P(B < b) of floats as the fractions that they are."""
    fractions = [Fraction(v) for v in values.tolist()]
    scale = max(v.denominator for v in fractions)
    whole = [int(v * scale) for v in fractions]
    bound = sum(v for v, taken in zip(whole, is_taken.tolist(), strict=True) if taken)
    tails = (real_oracle.n_at_most(whole, bound, strict) for strict in (False, True))
    return [Fraction(n, 2**values.size) for n in tails]


def check_core(p, truth):
    assert contains((p.low, p.high), truth), (p, float(truth))
    assert truth == 0 or oracle.is_certified(oracle.AsResult(p), truth), (p, float(truth))
