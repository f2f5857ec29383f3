"""Sizes of real differences, and what is asked of an interval for the tail of their sum."""

import numpy as np

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


def check_core(p, truth):
    assert contains((p.low, p.high), truth), (p, float(truth))
    assert truth == 0 or oracle.is_certified(oracle.AsResult(p), truth), (p, float(truth))
