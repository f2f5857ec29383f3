"""Scores of numbers, of sums and of functions of sums: what every score promises."""

from fractions import Fraction

import numpy as np

from corpora.sum_scores import SCORES
from pairedperm import Ratio
from scoring.contract import Contract, check_metric


def mean(predictions, _):
    return sum(map(exactly, predictions)) / Fraction(len(predictions))


def exactly(x):
    """Real numbers are what floats hold, decimals what they print as."""
    return Fraction(x) if len(str(x)) > 9 else Fraction(str(x))


def whole(rng, n):
    top = int(rng.choice([1, 3, 1000, 2**50]))
    return [*rng.integers(-top, top + 1, (2, n)).tolist(), None], {}


def decimals(rng, n):
    return [*(rng.integers(0, 200, (2, n)) / 100).tolist(), None], {}


def shares(rng, n):
    """Thirds and sevenths are rounded; ties tie all the same."""
    q = int(rng.choice([3, 7]))
    return [*(rng.integers(0, q + 1, (2, n)) / q).tolist(), None], {}


def reals(rng, n):
    return [*rng.random((2, n)).tolist(), None], {}


def counts(rng, n):
    """A denominator may vanish, or be the same for both systems."""
    size = rng.integers(0, 4, (2, n))
    if rng.random() < 0.4:
        size[1] = size[0]
    rows = np.stack((rng.binomial(size, 0.6), size), axis=-1).tolist()
    return [*rows, None], {"score": Ratio([1, 0], [0, 1], zero_division=0.5)}


def share(rows, _):
    above, below = map(sum, zip(*rows, strict=True))
    return Fraction(above, below) if below else Fraction(1, 2)


def of_sums(name):
    """A function of the sums of 2 to 4 columns."""

    def draw(rng, n):
        rows = rng.integers(0, 4, (2, n, int(rng.integers(2, 5))))
        return [*rows.tolist(), None], {"score": SCORES[name][1]}

    def score(rows, _):
        return SCORES[name][0](tuple(map(sum, zip(*rows, strict=True))))

    is_smooth = name in ("precision", "brevity")
    return Contract(None, draw, score, name=name, share=0.3, is_smooth=is_smooth)


test_contract = check_metric(
    Contract(None, whole, mean, name="integers"),
    Contract(None, decimals, mean, name="decimals"),
    Contract(None, shares, mean, name="shares", tie=1e-12, is_counted=None),
    Contract(None, reals, mean, name="reals", few=6, is_counted=False),
    Contract(None, counts, share, name="ratio"),
    *map(of_sums, SCORES),
)
