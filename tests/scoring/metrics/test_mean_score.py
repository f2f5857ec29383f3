"""The mean of scores that were given, against its definition; and the ends of their range."""

from fractions import Fraction

import pytest

from pairedperm import compare
from scoring.contract import Contract, check_metric

METRIC = "mean_score"


def options(rng):
    found = {"of": str(rng.choice(["chrF", "a judge"]))} if rng.random() < 0.5 else {}
    return found | ({"lower_is_better": True} if rng.random() < 0.5 else {})


def decimals(rng, n):
    """Or integers."""
    columns = rng.integers(-99, 99, (2, n)) / 10.0 ** int(rng.integers(0, 4))
    if rng.random() < 0.3:
        columns = rng.integers(-9, 9, (2, n))
    return (*columns.tolist(), None), options(rng)


def real_numbers(rng, n):
    return (*rng.normal(size=(2, n)).tolist(), None), options(rng)


def mean(predictions, _, of=None, lower_is_better=False):
    """Real numbers are what floats hold, decimals what they print as."""
    found = [Fraction(x) if len(str(x)) > 9 else Fraction(str(x)) for x in predictions]
    return sum(found) / Fraction(len(found))


test_contract = check_metric(
    Contract(METRIC, decimals, mean),
    Contract(METRIC, real_numbers, mean, name="reals", few=6, is_counted=False),
)


@pytest.mark.parametrize("high", [0.3, 0.1 + 0.2])
def test_an_end_of_the_range_in_floats(high):
    """0.1 + 0.2 is the float after 0.3; beside reals no decimal is read."""
    found = compare([0.1 + 0.2, 0.0, 0.3], [0.0] * 3, None, METRIC, score_range=(0, high))
    assert found.confidence_interval().method == "exact"
    scores = [high, 0.1 * 2**0.5]
    found = compare(scores, [0.1, 0.2], None, METRIC, score_range=(0, 0.3))
    assert found.score1 == pytest.approx(sum(scores) / 2)
