"""Leaderboards: each pair as `compare` says, adjusted, in order; what is refused."""

import json
import pickle
import re
import warnings
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from pairedperm import (
    InputError,
    Ratio,
    compare,
    compare_many,
    paired_permutation_test,
)
from pairedperm.results.correction import adjusted
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.scoring import F1
from properties import cases, generators, one_in, some

RNG = np.random.default_rng(8)
REFERENCES = RNG.integers(0, 3, 300)
SYSTEMS = {
    f"system {k}": np.where(RNG.random(300) < 0.5 + 0.08 * k, REFERENCES, RNG.integers(0, 3, 300))
    for k in (2, 0, 4, 1, 3)
}


def check_pairs(board, test, tolerance=0.0):
    """Each pair is what `test` says of two systems, and all are adjusted together."""
    for pair in board.pairs:
        found = test(pair["system1"], pair["system2"])
        assert pair["p"] == pytest.approx(found.pvalue, rel=tolerance)
        assert pair["stat"] == pytest.approx(found.statistic, rel=1e-12)
        for name in ("score1", "score2", "n", "n_differing", "n_groups", "n_wins"):
            expected = getattr(found, name)
            assert pair[name] == (expected and pytest.approx(expected, rel=1e-12)), name
        assert pair["score1"] == board.scores[pair["system1"]]
        assert pair["score2"] == board.scores[pair["system2"]]
    expected = adjusted([pair["p"] for pair in board.pairs], board.correction)
    assert [pair["p_adjusted"] for pair in board.pairs] == expected


GROUPS = RNG.integers(0, 90, 300)
LABELS = {"a": [*"xyxyxxyx"], "b": [*"xyxxxyyy"], "c": [*"zwxyyzyx"]}
SHARES = {
    "thirds": [Fraction(k, 3) for k in (1, 2, 3, 1, 0, 2, 3, 3)],
    "halves": [Fraction(k, 2) for k in (1, 2, 0, 1, 1, 2, 0, 1)],
    "sevenths": [Fraction(k, 7) for k in (1, 7, 0, 3, 5, 2, 6, 1)],
    "tenths": [k / 10 for k in (1, 7, 0, 3, 5, 2, 6, 1)],
}
TURNED = {x: SHARES[x] for x in ("halves", "tenths", "thirds", "sevenths")}


def test_a_table_of_systems():
    table = pd.DataFrame(SYSTEMS, index=[f"q{k}" for k in range(300)])
    assert compare_many(table, REFERENCES) == compare_many(SYSTEMS, REFERENCES)
    right = pd.Series(REFERENCES, index=table.index)
    assert compare_many(table, right) == compare_many(SYSTEMS, REFERENCES)
    with pytest.warns(
        UserWarning, match=r"`systems`\['system \d'\] and `references` are Series with"
    ):
        compare_many(table, right[::-1])
    hits = table.eq(REFERENCES, axis=0).astype(int)
    assert compare_many(hits).scores == compare_many(SYSTEMS, REFERENCES).scores


def test_ids_that_repeat():
    table = pd.DataFrame(SYSTEMS, index=GROUPS)[["system 2", "system 0"]]
    for systems in (table, dict(table.items())):
        with pytest.warns(
            UserWarning, match=r"`systems\['system 2'\]` repeat, .* groups=systems\["
        ):
            compare_many(systems, REFERENCES)
        assert compare_many(systems, REFERENCES, groups=table.index).pairs[0]["n_groups"] < 90


@one_in(3)
@pytest.mark.parametrize(
    ("systems", "references", "metric", "options"),
    [
        (SYSTEMS, REFERENCES, "accuracy", {"groups": GROUPS}),
        (SYSTEMS, REFERENCES, "f1", {"average": "micro", "labels": [0, 1]}),
        (SYSTEMS, REFERENCES, F1(pos_label=1), {"groups": GROUPS}),
        # some predict classes, or have units, that others lack
        (LABELS, [*"xyxyxxyy"], "f1", {"average": "macro"}),
        (LABELS, [*"xyxyxxyy"], "cohen_kappa", {}),
        (SHARES, None, "mean_score", {}),
        (TURNED, None, "mean_score", {}),
    ],
)
def test_each_pair_is_that_of_compare(systems, references, metric, options):
    board = compare_many(systems, references, metric, rng=0, **options)

    def test(one, two):
        columns = systems[one], systems[two], references, metric
        return compare(*columns, rng=0, **options)

    check_pairs(board, test, 1e-12)
    assert len(board.pairs) == len(systems) * (len(systems) - 1) // 2
    assert [*board.scores] == [*board.systems]
    assert [*board.scores.values()] == sorted(board.scores.values(), reverse=True)
    pair = board.pairs[-1]
    low, _ = test(pair["system1"], pair["system2"]).confidence_interval(0.95)
    assert pair["stat_low"] == pytest.approx(low, abs=0.01)


@pytest.mark.thorough
def test_many_examples_are_not_counted_early():
    rng = np.random.default_rng(1)
    references = rng.integers(0, 2, 50_000)
    systems = {
        name: np.where(rng.random(50_000) < p, references, 1 - references)
        for name, p in (("a", 0.7), ("b", 0.69), ("c", 0.72))
    }
    for metric in some(("accuracy", "f1", "matthews_correlation"), every=2):
        board = compare_many(systems, references, metric)
        check_pairs(board, lambda x, y, m=metric: compare(systems[x], systems[y], references, m))
        assert board.systems == ("c", "a", "b")


def test_counts():
    rng = np.random.default_rng(2)
    rows = {name: np.array([0, 1]) + rng.integers(0, 5, (80, 2)) for name in "abc"}
    precision = Ratio([1, 0], [0, 1])
    board = compare_many(rows, score=precision, groups=np.arange(80) // 2)
    groups = {"groups": np.arange(80) // 2}
    check_pairs(
        board,
        lambda x, y: paired_permutation_test(rows[x], rows[y], score=precision, **groups),
    )
    assert board.pairs[0]["metric"] is None
    scores = {
        "a": rng.integers(0, 9, 70),
        "b": rng.integers(0, 99, 70) / 10,
        "c": [0.25] * 69 + [1],
    }
    check_pairs(compare_many(scores), lambda x, y: paired_permutation_test(scores[x], scores[y]))


def test_one_system_on_no_lattice():
    """All are floats then; the p-value of two others is the same up to its interval."""
    rng = np.random.default_rng(3)
    scores = {"a": rng.integers(0, 9, 20), "b": rng.integers(0, 9, 20), "c": rng.random(20) * 7}
    board = compare_many(scores)
    check_pairs(board, lambda x, y: paired_permutation_test(scores[x], scores[y]), 1e-9)


def test_fractions_without_a_common_denominator():
    """Two of them have one, all four do not: they are real numbers then."""
    primes = [Fraction(1, p) for p in (1_000_003, 1_000_033, 1_000_037, 1_000_039)]
    scores = {f"s{k}": [p * x for x in range(1, 8)] for k, p in enumerate(primes)}
    board = compare_many(scores)
    check_pairs(board, lambda x, y: paired_permutation_test(scores[x], scores[y]), 1e-9)


def test_baseline():
    board = compare_many(SYSTEMS, REFERENCES, baseline="system 1", alternative="greater")
    assert [(x["system1"], x["system2"]) for x in board.pairs] == [
        (name, "system 1") for name in board.systems if name != "system 1"
    ]
    check_pairs(
        board,
        lambda x, y: compare(SYSTEMS[x], SYSTEMS[y], REFERENCES, alternative="greater"),
    )
    assert "stat_low" not in board.pairs[0]
    assert re.search(
        r"\nTold apart from system 1: \d of 4 \(one-sided \(greater\), Holm, α", str(board)
    )


def test_lower_is_better():
    references = ["a b c d", "a b", "c d e"] * 8
    systems = {"bad": ["a x c y", "x y", "c d x"] * 8, "good": references, "fair": ["a"] * 24}
    board = compare_many(systems, references, "word_error_rate")
    assert board.systems == ("good", "bad", "fair")
    assert board.tiers == {"good": 1, "bad": 2, "fair": 3}
    assert board.letters == {"good": "a", "bad": "b", "fair": "c"}


@given(generators)
@cases(0.3)
def test_tiers_and_letters(rng):
    """By the table: a tier counts the better systems, letters are shared by those alike."""
    n = int(rng.integers(2, 8))
    references = np.ones(60, dtype=int)
    chances = 1.0 - 0.7 * rng.random(n)
    systems = {f"s{k}": (rng.random(60) < p).astype(int) for k, p in enumerate(chances)}
    board = compare_many(systems, references, correction=None, confidence_level=0.5)
    apart = {(x["system1"], x["system2"]) for x in board.pairs if x["p_adjusted"] <= 0.05}
    for name in systems:
        better = [x for x, y in apart if y == name]  # the better system comes first
        assert board.tiers[name] == 1 + len(better)
    found = board.letters
    for one, two in combinations(board.systems, 2):
        assert bool({*found[one]} & {*found[two]}) == ((one, two) not in apart)


def test_what_it_says():
    board = compare_many(SYSTEMS, REFERENCES)
    lines = str(board).splitlines()
    assert lines[0].split() == ["system", "score", "tier", "letters"]
    assert lines[-2] == "Accuracy of 5 systems, 300 examples."
    assert re.fullmatch(r"Told apart: \d of 10 pairs \(Holm, α = 0.05\)\.", lines[-1])
    assert max(map(len, lines)) <= 80
    as_dict = board.to_dict()
    assert json.loads(json.dumps(as_dict, allow_nan=False)) == as_dict
    assert as_dict["systems"][0] == {
        "system": "system 4",
        "score": board.scores["system 4"],
        "tier": 1,
    }
    assert as_dict["pairs"] == [*board.pairs]
    assert isinstance(board.table, pd.DataFrame)
    assert board.table.shape == (10, 15)
    assert board.table["p_adjusted"].tolist() == [x["p_adjusted"] for x in board.pairs]
    markdown = board.to_markdown()
    assert markdown.splitlines()[1] == "| :-- | --: | --: | --: |"
    against = compare_many(SYSTEMS, REFERENCES, baseline="system 0")
    assert max(map(len, str(against).splitlines())) <= 80
    assert "difference (points)" in str(against)
    assert "| baseline | | |" in against.to_markdown()


def board_of_couples(n_couples):
    """Only the two systems of each couple are told apart: 2^n sets have letters."""
    board = compare_many({f"a system called {k}": [1, 0] for k in range(2 * n_couples)}, [1, 1])
    couple = {name: k // 2 for k, name in enumerate(board.systems)}
    pairs = [
        replace(pair, p_adjusted=float(couple[pair.of.system1] != couple[pair.of.system2]))
        for pair in board._tests
    ]
    return replace(board, _tests=tuple(pairs))


@pytest.mark.parametrize("n_couples", [3, 5, 7])
def test_many_letters_are_printed_whole(n_couples):
    board = board_of_couples(n_couples)
    table = str(board).split("\n\n")[0].splitlines()
    assert max(map(len, table)) <= 80
    name, found = "", {}
    for line in table[1:]:
        first, _, rest = line.rpartition("50.00%")
        if first:
            name, rest = first.strip(), rest.split(maxsplit=1)[1]
        found[name] = found.get(name, "") + rest.strip().replace(", ", ",")
    assert found == board.letters
    assert all(x in board.to_markdown() for x in found.values())


def test_too_many_letters_to_print():
    board = board_of_couples(10)
    for text in (str(board), board.to_markdown()):
        assert text.splitlines()[-1] == (
            "The letters are left out, too many to read: look at the tiers."
        )
    against = compare_many(SYSTEMS, REFERENCES, baseline="system 0")
    assert "letters" not in str(against)


def test_samples_are_warned_of_once():
    rng = np.random.default_rng(0)
    rows = {name: rng.integers(0, 10**6, (40, 3)) for name in "abc"}

    def score(sums):
        return np.sqrt(sums[..., 0]) / (1.0 + sums[..., 1] + sums[..., 2] ** 2)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        board = compare_many(rows, score=score, rng=5, n_resamples=99)
    assert [str(x.message)[:54] for x in caught] == [
        "3 of 3 p-values are estimated from random swaps ('c' a"
    ]
    assert {x["seed"] for x in board.pairs} == {5}


@pytest.mark.parametrize("groups", [None, [1] * 4])
def test_strangers_are_named(groups):
    systems = {"good": ["a", "b", "a", "b"], "odd": ["x"] * 4, "fair": ["a"] * 4}
    with pytest.warns(UserWarning, match=re.escape("`systems`['odd']")):
        compare_many(systems, ["a", "b", "a", "b"], groups=groups)


def test_pickled_with_a_function_of_the_call():
    """The results of the pairs are kept without their rows, but with what these say."""
    rows = {x: RNG.integers(0, 5, (9, 2)) for x in "abc"}
    board = compare_many(rows, score=lambda sums: sums.max(axis=-1))
    restored = pickle.loads(pickle.dumps(board))
    assert restored == board
    assert restored.to_dict() == board.to_dict()
    assert restored.pairs[0]["n_wins"] is not None
    assert str(restored) == str(board)


def test_printed_scores_agree_with_printed_differences():
    """Whatever they are, a reader may subtract them."""
    rng = np.random.default_rng(3)
    board = compare_many({x: rng.random(7).round(3) for x in "abcdef"}, baseline="a")
    scores = dict(zip(board.systems, map(float, board.score_texts()), strict=True))
    for pair in board._tests:
        printed = pair.result.figures().difference
        half = 0.5 * 10.0 ** -len(printed.partition(".")[2])
        found = scores[pair.of.system1] - scores[pair.of.system2]
        assert abs(found - float(printed)) <= half * (1 + 1e-9)


def test_an_old_pickle_is_refused():
    """Its state had other attributes, in a list."""
    with pytest.raises(InputError, match="pickled by an older release"):
        Leaderboard.__new__(Leaderboard).__setstate__([(), (), None, "holm", 0.05])
