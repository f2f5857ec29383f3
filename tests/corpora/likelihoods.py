"""Random log-likelihoods of texts by two models, and the texts' numbers of tokens."""

import numpy as np
from hypothesis import assume


def random_texts(rng, n, least=1):
    sizes = rng.integers(least, 40, n)
    one = -rng.gamma(2.0 * sizes + 0.5, 1.0)
    return [one, np.minimum(one + rng.normal(-0.1, 1.0, n), 0.0), sizes]


def decimals(rng, n):
    """Some texts may have no token."""
    *columns, sizes = random_texts(rng, n, int(rng.integers(0, 2)))
    sizes[rng.random(n) < rng.choice([0.0, 0.2])] = 0
    assume(sizes.any())
    places = int(rng.integers(1, 4))
    return [*(np.round(x, places).tolist() for x in columns), sizes.tolist()], {}


def real_numbers(rng, n):
    return [x.tolist() for x in random_texts(rng, n)], {}
