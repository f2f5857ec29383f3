"""Both tests that take a function of the sums, called alike."""

import numpy as np

from pairedperm import paired_permutation_test, structured_permutation_test

STAY = np.random.default_rng(0).integers(1, 6, (12, 3))
SWAP = np.random.default_rng(1).integers(1, 6, (12, 3))
TESTS = ("score", "statistic")


def called(test, stay, swap, function, **options):
    """The test whose argument has this name."""
    if test == "score":
        return paired_permutation_test(stay, swap, score=function, **options)
    return structured_permutation_test(stay, swap, function, **options)


def run(test, function, **options):
    return called(test, STAY, SWAP, function, **options)


def share(sums):
    return sums[..., 0] / (sums[..., 0] + sums[..., 1])


class Share:
    """A metric that is an object."""

    def __call__(self, sums):
        return share(sums)


def raising(error):
    def function(sums):
        raise error

    return function
