"""A margin that is a share of the baseline's score: it keeps its level, by enumeration."""

import math
from functools import cache

import numpy as np
import pytest

from pairedperm import InputError, compare, gate
from pairedperm.errors import NoIntervalError
from pairedperm.population.relative import limit_of_loss

N, SHARE, ALPHA = 14, 0.3, 0.2


@cache
def shown(metric="accuracy"):
    """Of N examples: how many both have right, only one, and whether the loss is shown small."""
    cells = {}
    for both in range(N + 1):
        for first in range(N + 1 - both):
            for second in range(N + 1 - both - first):
                rest = N - both - first - second
                one = [1] * (both + first) + [0] * (second + rest)
                two = [1] * both + [0] * first + [1] * second + [0] * rest
                evidence = compare(one, two, [1] * N, metric).evidence_for("test")
                cells[both, first, second] = limit_of_loss(evidence, SHARE, ALPHA).low > 0.0
    return cells


def chance(cells, both, first, second):
    """How often it is shown, with these chances of an example."""
    chances, total = (both, first, second, 1 - both - first - second), 0.0
    for counts, is_shown in cells.items():
        if is_shown:
            every = *counts, N - sum(counts)
            ways = math.factorial(N) / math.prod(map(math.factorial, every))
            total += ways * math.prod(p**k for p, k in zip(chances, every, strict=True))
    return total


@pytest.mark.parametrize("baseline", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("share_lost", [0.0, 0.5, 1.0])
def test_the_level_is_kept(baseline, share_lost):
    """Where the loss is just the share, in at most α of all samples it is shown to be less."""
    loss = SHARE * baseline
    won = share_lost * min(1 - baseline, baseline - loss)
    assert chance(shown(), baseline - loss - won, won, loss + won) <= ALPHA
    assert chance(shown(), 0.95, 0.02, 0.0) > 0.9


def test_where_lower_is_better():
    """The loss of wrong answers is that of right ones, turned: (1 + r) of the baseline's rate."""
    right = [1] * 50
    one, two = [0] * 10 + [1] * 40, [0] * 12 + [1] * 38
    rate = compare(one, two, right, "hamming_loss").evidence_for("test")
    score = compare([1 - x for x in one], [1 - x for x in two], None, "mean_score")
    low, high, *_ = score.evidence_for("test").sample.interval(1 - 1.8 * 0.05)
    limit = limit_of_loss(rate, 0.5, 0.05)
    assert limit.method == "exact"
    assert -high < limit.low < -high + 0.5 * 12 / 50
    assert low < 0 < high


@pytest.mark.parametrize("sign", [1, -1])
def test_known_ranges_and_others(sign):
    rng = np.random.default_rng(0)
    one = rng.random(400)
    two = np.clip(one + rng.normal(0, 0.05, 400), 0, 1)
    options = {"metric": "mean_score", "lower_is_better": sign < 0}
    known = compare(one, two, None, score_range=(0, 1), **options).evidence_for("test")
    other = compare(9 * one, 9 * two, None, **options).evidence_for("test")
    limits = limit_of_loss(known, 0.05, 0.05), limit_of_loss(other, 0.05, 0.05)
    assert [x.method for x in limits] == ["guaranteed", "studentised bootstrap"]
    z = one - 0.95 * two if sign > 0 else 1.05 * two - one
    error = z.std(ddof=1) / 20
    assert limits[0].low < z.mean() - 1.645 * error
    assert limits[1].low / 9 == pytest.approx(z.mean() - 1.645 * error, abs=0.2 * error)
    few = compare([1.0] * 50 + [0.5] * 9, [1.0] * 58 + [0.9], None, "mean_score").evidence_for(
        "test"
    )
    with pytest.raises(NoIntervalError, match="9 examples of 59 differ"):
        limit_of_loss(few, 0.05, 0.05)


def test_scores_of_sums():
    """Of F1 it is the bootstrap of the weighted scores."""
    rng = np.random.default_rng(1)
    right = rng.integers(0, 2, 2000)
    one, two = (np.where(rng.random(2000) < 0.8, right, 1 - right) for _ in range(2))
    result = compare(one, two, right, "f1")
    limit = limit_of_loss(result.evidence_for("test"), 0.05, 0.05)
    z = result.score1 - 0.95 * result.score2
    assert limit.method == "studentised bootstrap"
    assert limit.low == pytest.approx(z - 1.645 * result.standard_error, abs=0.004)


def test_verdicts():
    right, old = [1] * 500, [1] * 450 + [0] * 50
    new = [0] * 5 + [1] * 450 + [0] * 45
    found = gate(compare(new, old, right), margin="2%")
    assert (found.verdict, found.reason, found.margin) == ("pass", "within the margin", None)
    assert found.relative.share == 0.02
    assert found.to_dict()["relative_margin"] == 0.02
    assert "2% of the score of baseline" in str(found)
    assert gate(compare(new, old, right), margin="1%").verdict == "inconclusive"
    worse = gate(compare([0] * 60 + old[60:], old, right), margin="2%")
    assert (worse.verdict, worse.reason) == ("fail", "worse, perhaps beyond the margin")


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        (([1, 0], [0, 0]), {"margin": "2%"}, "which is 0"),
        (([1.0, -2.0], [0.5, 1.0]), {"margin": "2%"}, "may be negative"),
        (([1, 0], [1, 1]), {"margin": "100%"}, "or a share of the baseline's score, such as '2%'"),
        (([1, 0], [1, 1]), {"margin": "2%", "require": "better"}, "`margin`"),
        (([1, 0], [1, 1]), {"margin": "2%", "alpha": 0.5}, "`alpha` must be"),
    ],
)
def test_refusals(columns, options, message):
    with pytest.raises(InputError, match=message):
        gate(compare(*columns, None, "mean_score"), **options)
