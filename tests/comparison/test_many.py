"""Leaderboards: each pair as `compare` says, adjusted, in order; what is refused."""

import math
import warnings
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from pairedperm import Ratio, compare, compare_many, paired_permutation_test
from pairedperm.population.evidence import Evidence
from pairedperm.results.several import adjusted
from properties import cases, generators, one_in

RNG = np.random.default_rng(8)
REFERENCES = RNG.integers(0, 3, 60)
SYSTEMS = {
    f"system {k}": np.where(RNG.random(60) < 0.5 + 0.08 * k, REFERENCES, RNG.integers(0, 3, 60))
    for k in (2, 0, 4, 1)
}
GROUPS = RNG.integers(0, 20, 60)
LABELS = {"a": [*"xyxyxxyx"], "b": [*"xyxxxyyy"], "c": [*"zwxyyzyx"]}
SHARES = {
    "thirds": [Fraction(k, 3) for k in (1, 2, 3, 1, 0, 2, 3, 3)],
    "halves": [Fraction(k, 2) for k in (1, 2, 0, 1, 1, 2, 0, 1)],
    "sevenths": [Fraction(k, 7) for k in (1, 7, 0, 3, 5, 2, 6, 1)],
    "tenths": [k / 10 for k in (1, 7, 0, 3, 5, 2, 6, 1)],
}
PRIMES = [Fraction(1, p) for p in (1_000_003, 1_000_033, 1_000_037, 1_000_039)]
MANY = (
    {name: (RNG.random(20_000) < p).astype(int) for name, p in (("a", 0.7), ("b", 0.69))},
    np.ones(20_000, dtype=int),
)
OF_LABELS = (
    (SYSTEMS, REFERENCES, "accuracy", {"groups": GROUPS}),
    (SYSTEMS, REFERENCES, "accuracy", {"baseline": "system 1", "alternative": "greater"}),
    (SYSTEMS, REFERENCES, "f1", {"average": "micro", "labels": [0, 1]}),
    (*MANY, "f1", {}),  # which are not counted early
    # some predict classes, or have units, that others lack
    (LABELS, [*"xyxyxxyy"], "f1", {"average": "macro"}),
    (LABELS, [*"xyxyxxyy"], "cohen_kappa", {}),
    (SHARES, None, "mean_score", {}),
)
OF_COUNTS = (  # scores, and how near p must be
    ({x: RNG.integers(1, 6, (40, 2)) for x in "abc"}, Ratio([1, 0], [0, 1]), 0.0),
    (
        {"a": RNG.integers(0, 9, 30), "b": RNG.integers(0, 99, 30) / 10, "c": [0.25] * 29 + [1]},
        None,
        0.0,
    ),
    # one is on no lattice: all are floats then
    ({"a": RNG.integers(0, 9, 20), "b": RNG.integers(0, 9, 20), "c": RNG.random(20)}, None, 1e-9),
    # two of them have a common denominator, all four have none
    ({f"s{k}": [p * x for x in range(1, 8)] for k, p in enumerate(PRIMES)}, None, 1e-9),
)


def check_pairs(board, test, tolerance):
    """Each pair is what `test` says of two systems, and all are adjusted together."""
    pairs = board.to_dict()["pairs"]
    for pair in pairs:
        found = test(pair["system1"], pair["system2"])
        assert pair["p"] == pytest.approx(found.pvalue, rel=tolerance)
        assert pair["stat"] == pytest.approx(found.statistic, rel=1e-12)
        for name in ("score1", "score2", "n", "n_differing", "n_groups", "n_wins"):
            expected = getattr(found, name)
            assert pair[name] == (expected and pytest.approx(expected, rel=1e-12)), name
        assert pair["score1"] == board.scores[pair["system1"]]
        assert pair["score2"] == board.scores[pair["system2"]]
    expected = adjusted([pair["p"] for pair in pairs], board.correction)
    assert [pair["p_adjusted"] for pair in pairs] == [*board.p_adjusted.values()] == expected
    assert board.table["p_adjusted"].tolist() == expected


@one_in(3)
@pytest.mark.parametrize(("systems", "references", "metric", "options"), OF_LABELS)
def test_each_pair_is_that_of_compare(systems, references, metric, options):
    board = compare_many(systems, references, metric, rng=0, **options)
    baseline = options.get("baseline")
    options = {name: x for name, x in options.items() if name != "baseline"}

    def test(one, two):
        columns = systems[one], systems[two], references, metric
        return compare(*columns, rng=0, **options)

    check_pairs(board, test, 1e-12)
    assert [*board.scores] == [*board.systems]
    assert [*board.scores.values()] == sorted(board.scores.values(), reverse=True)
    pairs = [*board.pairs]
    if baseline:
        assert pairs == [(name, baseline) for name in board.systems if name != baseline]
        assert board.to_dict()["pairs"][0]["stat_low"] is None
    else:
        assert pairs == [*combinations(board.systems, 2)]
        low, _ = test(*pairs[-1]).confidence_interval(0.95)
        assert board.to_dict()["pairs"][-1]["stat_low"] == pytest.approx(low, abs=0.03)


@one_in(3)
@pytest.mark.parametrize(("systems", "score", "tolerance"), OF_COUNTS)
@pytest.mark.parametrize("is_grouped", [True, False])
def test_each_pair_is_that_of_a_test_of_numbers(systems, score, tolerance, is_grouped):
    n = len(next(iter(systems.values())))
    options = {"score": score, "groups": np.arange(n) // 2 if is_grouped else None}
    board = compare_many(systems, **options)
    check_pairs(
        board, lambda x, y: paired_permutation_test(systems[x], systems[y], **options), tolerance
    )
    assert next(iter(board.pairs.values())).metric is None


def test_a_table_of_systems():
    """Its index is of ids, which repeat in groups and stand in one order."""
    table = pd.DataFrame(SYSTEMS, index=[f"q{k}" for k in range(60)])
    right, expected = pd.Series(REFERENCES, index=table.index), compare_many(SYSTEMS, REFERENCES)
    assert compare_many(table, REFERENCES) == compare_many(table, right) == expected
    with pytest.warns(match=r"`systems`\['system \d'\] and `references` are Series with"):
        compare_many(table, right[::-1])
    table = pd.DataFrame(SYSTEMS, index=GROUPS)[["system 2", "system 0"]]
    with pytest.warns(UserWarning, match=r"`systems\['system 2'\]` repeat, .* groups=systems\["):
        compare_many(table, REFERENCES)
    board = compare_many(table, REFERENCES, groups=table.index)
    assert board.pairs[board.systems].n_groups == len({*GROUPS.tolist()})


@given(generators)
@cases(0.3)
def test_tiers_and_letters(rng):
    """By the table: a tier counts the better systems, letters are shared by those alike."""
    n = int(rng.integers(2, 7))
    chances = 1.0 - 0.7 * rng.random(n)
    systems = {f"s{k}": (rng.random(40) < p).astype(int) for k, p in enumerate(chances)}
    board = compare_many(systems, np.ones(40, dtype=int), correction=None)
    apart = {(x.of.system1, x.of.system2) for x in board._tests if x.p_adjusted <= 0.05}
    for name in systems:
        better = [x for x, y in apart if y == name]  # the better system comes first
        assert board.tiers[name] == 1 + len(better)
    for one, two in combinations(board.systems, 2):
        found = {*board.letters[one]} & {*board.letters[two]}
        assert bool(found) == ((one, two) not in apart)


def board_of_couples(n_couples):
    """Only the two systems of each couple are told apart: 2^n sets have letters."""
    board = compare_many({f"a system called {k}": [1, 0] for k in range(2 * n_couples)}, [1, 1])
    couple = {name: k // 2 for k, name in enumerate(board.systems)}
    pairs = [
        replace(pair, p_adjusted=float(couple[pair.of.system1] != couple[pair.of.system2]))
        for pair in board._tests
    ]
    return replace(board, _tests=tuple(pairs))


def test_many_letters_are_left_out():
    """More than 26 sets of systems, which is told; the property has them."""
    left_out = "The letters are left out, too many to read: look at the tiers."
    for n in (7, 10):
        board = board_of_couples(n)
        assert board.told().header == ["system", "score", "tier"]
        assert str(board).endswith(left_out)


def test_warnings():
    """Of samples once; of labels that nobody else has by the name of the system."""
    with pytest.warns(UserWarning, match=r"`systems`\['odd'\]"):
        compare_many({"good": [*"abab"], "odd": [*"xxxx"], "fair": [*"aaaa"]}, [*"abab"])
    rows = {name: RNG.integers(0, 10**6, (40, 3)) for name in "abc"}

    def score(sums):
        return np.sqrt(sums[..., 0]) / (1.0 + sums[..., 1] + sums[..., 2] ** 2)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        board = compare_many(rows, score=score, rng=5, n_resamples=99)
        assert compare_many(rows, score=score, method="monte_carlo", rng=5, n_resamples=99) == board
    assert [str(x.message)[:50] for x in caught] == [
        "3 of 3 p-values are estimated from random swaps ('"
    ]
    assert {x.result.seed for x in board._tests} == {5}


# Intervals, which are computed when they are told


def test_intervals_are_of_the_columns_as_they_were():
    columns = {x: RNG.integers(0, 9, 40) for x in "abc"}
    board = compare_many(columns)
    best, second = board.systems[:2]
    expected = paired_permutation_test(columns[best], columns[second]).confidence_interval()
    for column in columns.values():
        column[:] = 0
    assert board.to_dict()["pairs"][0]["stat_high"] == expected.high


def scores_of(n, decimals, k=2):
    """Graded scores of systems that agree in part, one of them the same as another."""
    common = RNG.random(n)
    columns = [np.round((common + RNG.random(n)) / 2, decimals) for _ in range(k)]
    return {f"m{k}": x for k, x in enumerate([*columns, columns[0].copy()])}


@pytest.mark.parametrize(
    ("n", "decimals", "rel"),
    [
        (300, 15, 1e-9),
        pytest.param(4100, 4, 1e-9, marks=pytest.mark.thorough),  # groups of examples
    ],
)
def test_intervals_share_their_resamples(n, decimals, rel):
    """Each is that of the pair alone: the seed draws the same examples."""
    columns = scores_of(n, decimals)
    if n == 4100:  # beside more distinct rows than are resampled one by one, fewer
        columns["coarse"] = np.round(columns["m0"], 1)
    board = compare_many(columns, method="bracket" if decimals == 15 else "auto")
    for pair in board.to_dict()["pairs"]:
        one, two = (columns[pair[x]] for x in ("system1", "system2"))
        own = paired_permutation_test(one, two).confidence_interval(0.95)
        assert pair["interval_method"] == own.method
        ends = pair["stat_low"], pair["stat_high"]
        assert ends == pytest.approx([*own], rel=rel, abs=1e-12 if rel else 0.0)


def interrupted(_):
    raise KeyboardInterrupt


def test_what_was_interrupted_is_computed_again(monkeypatch):
    board = compare_many({"a": [1, 1, 0], "b": [0, 1, 0]})
    with monkeypatch.context() as patched:
        patched.setattr(Evidence, "won", property(interrupted))
        with pytest.raises(KeyboardInterrupt):
            board.to_dict()
    assert board.to_dict()["pairs"][0]["n_wins"] == 1


def test_fractions_beside_real_numbers():
    """Integers of a unit that no float holds are rounded once, where another pair has no unit."""
    large = [Fraction(2**60 + k, 3) for k in (1, 2, 4)]
    systems = {"a": large, "b": large[::-1], "c": [2**0.5, 3**0.5, 5**0.5], "d": [0.1, 0.2, 0.3]}
    board = compare_many(systems)
    assert board.scores["a"] == math.fsum(map(float, large)) / 3
