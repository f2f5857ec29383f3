"""Boards of counts: bit for bit those of the columns, also where parts were added."""

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from pairedperm import PairedCounts, Ratio, compare_many, paired_counts
from properties import cases, generators, one_in

RNG = np.random.default_rng(3)
NAMES = "wxyz"
RIGHT = RNG.integers(0, 3, 200)
SYSTEMS = {
    name: np.where(RNG.random(200) < 0.5 + 0.1 * k, RIGHT, RNG.integers(0, 3, 200))
    for k, name in enumerate(NAMES)
}
DECIMALS = {name: RNG.integers(0, 100, 200) / 100 for name in NAMES}
GROUPS = np.sort(RNG.integers(0, 60, 200))
CLOSE = ("standard_error", "stat_low", "stat_high")
LATER = ("n_wins", "n_losses", "n_ties")


def counts_of(systems, references, part, metric, groups=None, **options):
    """The counts of each pair on a part of the examples."""
    return {
        pair: paired_counts(
            *(systems[x][part] for x in pair),
            None if references is None else references[part],
            metric,
            groups=None if groups is None else groups[part],
            **options,
        )
        for pair in combinations(systems, 2)
    }


def check_same(board, expected, *, has_groups=False):
    """The same results, of the same bits; standard errors and intervals as close as sums are."""
    assert board == expected
    for one, two in zip(board.pairs, expected.pairs, strict=True):
        one, two = dict(one), dict(two)
        for name in CLOSE:
            assert one.pop(name) == pytest.approx(two.pop(name), rel=1e-12)
        if has_groups:  # sums over groups do not tell who wins an example
            assert {one.pop(name) for name in LATER} == {None}
            for name in LATER:
                del two[name]
        assert one == two


@one_in(5)
@pytest.mark.parametrize("test", [{}, {"baseline": "x", "alternative": "less"}])
@pytest.mark.parametrize(
    ("systems", "references", "metric", "options"),
    [
        (SYSTEMS, RIGHT, "accuracy", {}),
        (SYSTEMS, RIGHT, "f1", {"pos_label": 1}),
        (SYSTEMS, RIGHT, "f1", {"average": "micro", "labels": [0, 1]}),
        (DECIMALS, None, "mean_score", {"of": "chrF", "lower_is_better": True}),
    ],
)
@pytest.mark.parametrize("groups", [None, GROUPS])
def test_two_days(systems, references, metric, options, groups, test):
    end = 120 if groups is None else int(np.searchsorted(groups, groups[120]))
    days = [
        counts_of(systems, references, part, metric, groups, **options)
        for part in (slice(end), slice(end, None))
    ]
    both = {pair: days[0][pair] + days[1][pair] for pair in days[0]}
    board = compare_many(both, **test)
    expected = compare_many(systems, references, metric, groups=groups, **options, **test)
    if test:
        assert board == expected
        assert all("stat_low" not in x for x in board.pairs)
    else:
        check_same(board, expected, has_groups=groups is not None)


@pytest.mark.filterwarnings("ignore:.*p-values? are estimated")
@given(generators)
@cases(0.5)
def test_any_counts(rng):
    """In any order of the pairs and of both systems, stored and read; of F1 with rare classes."""
    n, k = int(rng.integers(2, 30)), int(rng.integers(2, 5))
    right = rng.integers(0, 2, n).tolist()
    systems = {NAMES[x]: rng.integers(0, int(rng.integers(1, 5)), n).tolist() for x in range(k)}
    options = {"average": "macro", "zero_division": 0.0}
    pairs = [*combinations(systems, 2)]
    counts = {}
    for number in rng.permutation(len(pairs)).tolist():
        pair = pairs[number][:: int(rng.choice([1, -1]))]
        counted = paired_counts(*(systems[x] for x in pair), right, "f1", **options)
        counts[pair] = PairedCounts.from_dict(json.loads(counted.to_json()))
    sampled = {"method": "monte_carlo", "n_resamples": 50, "rng": 1}
    columns = {x: systems[x] for x in dict.fromkeys(x for pair in counts for x in pair)}
    expected = compare_many(columns, right, "f1", correction="holm", **options, **sampled)
    assert compare_many(counts, **sampled) == expected


def test_bare_counts():
    """Their score is the mean, or the one that is given."""
    rows = {name: RNG.integers(1, 9, (30, 2)) for name in NAMES}
    counts = {x: PairedCounts.from_rows(rows[x[0]], rows[x[1]]) for x in combinations(NAMES, 2)}
    ratio = Ratio([1, 0], [0, 1])
    check_same(compare_many(counts, score=ratio), compare_many(rows, score=ratio))
    means = {name: x[:, 0] for name, x in rows.items()}
    counts = {x: PairedCounts.from_rows(means[x[0]], means[x[1]]) for x in combinations(NAMES, 2)}
    check_same(compare_many(counts), compare_many(means))


def test_units_of_pairs():
    """One pair has no decimals, the others have."""
    scores = {"a": [1, 2, 3, 3], "b": [2, 1, 1, 0], "c": [0.25, 1, 3, 0.5]}
    counts = {x: PairedCounts.from_rows(*(scores[y] for y in x)) for x in combinations(scores, 2)}
    assert compare_many(counts) == compare_many(scores)


def test_only_the_pairs_with_the_baseline():
    counts = counts_of(SYSTEMS, RIGHT, slice(None), "accuracy")
    some = {pair: x for pair, x in counts.items() if "y" in pair}
    expected = compare_many(SYSTEMS, RIGHT, baseline="y")
    board = compare_many(some, baseline="y")
    assert board.scores == expected.scores
    assert board == expected
