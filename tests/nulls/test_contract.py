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
    """Also multiples of a root, whose ties rounding broke."""
    if rng.random() < 0.5:
        return [*(rng.integers(0, 6, (2, n)) / 2**0.5).tolist(), None], {}
    return [*rng.random((2, n)).tolist(), None], {}


REAL = 987_654_321_987 / 2**40  # its multiples are no decimals, nor rounded, nor near integers
ROUNDED = 1 / (21 * 2**0.5)


def held(rows, unit, score):
    """Multiples of the unit, on no lattice unless it is 1; then up to 2^12 swaps are listed."""
    few = {} if unit == 1 else {"budget": {"max_points": 2**12}}
    return [*(rows if unit == 1 else rows * unit).tolist(), None], {"score": score} | few


def of(unit):
    """What the name of a contract ends with."""
    return " of reals" if unit != 1 else ""


def meant(rows, unit):
    """The sum of each column in fractions; in units, if these are rounded."""
    columns = zip(*rows, strict=True)
    if unit == ROUNDED:
        return [sum(round(x / unit) for x in column) for column in columns]
    return [sum(map(Fraction, column)) for column in columns]


def ratio(unit=1, **options):
    """Of a sum and two others, which may vanish, or be the same for both systems together."""

    def draw(rng, n):
        size = rng.integers(0, 4, (2, n, 2))
        if rng.random() < 0.4:
            size[1] = size[0, :, ::-1]
        right = rng.binomial(size.sum(axis=-1), 0.6)
        rows = np.concatenate((right[..., None], size), axis=-1)
        return held(rows, unit, Ratio([1, 0, 0], [0, 1, 1], zero_division=0.5))

    def score(rows, _, **__):
        above, *below = meant(rows, unit)
        return Fraction(above, sum(below)) if any(below) else Fraction(1, 2)

    return Contract(None, draw, score, name=f"ratio{of(unit)}", **options)


def of_sums(name, unit=1, **options):
    """A function of the sums of 2 to 4 columns."""

    def draw(rng, n):
        rows = rng.integers(0, 4, (2, n, int(rng.integers(2, 5))))
        return held(rows, unit, SCORES[name][1])

    def score(rows, _, **__):
        return SCORES[name][0](tuple(meant(rows, unit)))

    options |= {"is_smooth": name in ("precision", "brevity"), "share": 0.1}
    return Contract(None, draw, score, name=f"{name}{of(unit)}", **options)


OF_REALS = {"tie": 1e-12, "few": 6, "is_counted": None, "methods": ("auto", "enumeration")}
test_contract = check_metric(
    Contract(None, whole, mean, name="integers"),
    Contract(None, decimals, mean, name="decimals"),
    Contract(None, shares, mean, name="shares", tie=1e-12, is_counted=None),
    Contract(None, reals, mean, name="reals", **OF_REALS | {"is_counted": False}),
    ratio(),
    ratio(ROUNDED, **OF_REALS),
    *(of_sums(name) for name in SCORES),
    *(of_sums(name, REAL, **OF_REALS) for name in ("macro", "polynomial", "largest")),
    *(of_sums(name, ROUNDED, **OF_REALS) for name in ("precision", "brevity")),
)
