"""The rows of many systems, of which some predict classes, or have units, that others lack."""

from fractions import Fraction

import pytest

from pairedperm import compare, compare_many
from properties import one_in

RIGHT = [*"xyxyxxyy"]
LABELS = {
    "good": [*"xyxyxxyx"],
    "fair": [*"xyxxxyyy"],
    "odd": [*"xyxyxzzy"],
    "bad": [*"zwxyyxyx"],
}
SHARES = {
    "thirds": [Fraction(k, 3) for k in (1, 2, 3, 1, 0, 2, 3, 3)],
    "halves": [Fraction(k, 2) for k in (1, 2, 0, 1, 1, 2, 0, 1)],
    "sevenths": [Fraction(k, 7) for k in (1, 7, 0, 3, 5, 2, 6, 1)],
    "tenths": [k / 10 for k in (1, 7, 0, 3, 5, 2, 6, 1)],
}
CALLS = [
    (LABELS, RIGHT, "f1", {"average": "macro"}),
    (LABELS, RIGHT, "cohen_kappa", {}),
    (SHARES, None, "mean_score", {}),
    ({x: SHARES[x] for x in ("halves", "tenths", "thirds", "sevenths")}, None, "mean_score", {}),
]


@one_in(3)
@pytest.mark.parametrize(("systems", "references", "metric", "options"), CALLS)
def test_each_pair_is_that_of_compare(systems, references, metric, options):
    board = compare_many(systems, references, metric, rng=0, **options)
    for pair in board.pairs:
        one, two = systems[pair["system1"]], systems[pair["system2"]]
        alone = compare(one, two, references, metric, **options)
        assert pair["p"] == pytest.approx(alone.pvalue, rel=1e-12)
        assert pair["stat"] == pytest.approx(alone.statistic, rel=1e-12)
