"""A board computes an interval when it is told, of the columns as they were given."""

import pickle

import numpy as np
import pytest

from pairedperm import compare_many, paired_permutation_test
from pairedperm.population import studentised
from pairedperm.population.evidence import Evidence
from pairedperm.results import correction

RNG = np.random.default_rng(8)


def test_intervals_are_computed_when_they_are_asked_for(monkeypatch):
    """Later changes of the caller's columns do not reach them."""
    columns = {x: RNG.integers(0, 9, 40) for x in "abcd"}
    kept = {x: column.copy() for x, column in columns.items()}
    asked = []
    interval = Evidence.interval
    monkeypatch.setattr(Evidence, "interval", lambda *args: asked.append(1) or interval(*args))
    board = compare_many(columns)
    assert str(board)
    assert board.tiers
    assert board.letters
    assert not asked
    for column in columns.values():
        column[:] = 0
    best, second = board.systems[:2]
    found = paired_permutation_test(kept[best], kept[second]).confidence_interval()
    assert board.pairs[0]["stat_high"] == found.high
    assert len(asked) == 7  # of six pairs, and of the other test
    assert board.pairs == pickle.loads(pickle.dumps(board)).pairs
    assert len(asked) == 7  # each is kept
    compare_many(kept, confidence_level=0.9)
    assert len(asked) == 13  # of a level that was named, at once: errors come then


def scores(n, decimals, k=3):
    """Graded scores of systems that agree in part, one of them the same as another."""
    common = RNG.random(n)
    columns = [np.round((common + RNG.random(n)) / 2, decimals) for _ in range(k)]
    return {f"m{k}": x for k, x in enumerate([*columns, columns[0].copy()])}


def own_interval(columns, pair, level=0.95):
    one, two = (columns[pair[x]] for x in ("system1", "system2"))
    return paired_permutation_test(one, two).confidence_interval(level)


@pytest.mark.parametrize(
    ("n", "decimals"), [(300, 15), (400, 3), (4100, 4)], ids=["reals", "decimals", "in groups"]
)
def test_intervals_of_graded_scores_share_their_resamples(monkeypatch, n, decimals):
    """Each is that of the pair alone: the seed draws the same examples."""
    columns = scores(n, decimals)
    board = compare_many(columns, method="bracket" if decimals == 15 else "auto")
    drawn = []
    counts = studentised.resampled_counts
    monkeypatch.setattr(
        studentised, "resampled_counts", lambda *args: drawn.append(1) or counts(*args)
    )
    told = board.pairs
    assert len(drawn) == 1
    for pair in (told[0], told[-1]):
        own = own_interval(columns, pair)
        assert pair["stat_interval"] == own.method
        ends = pair["stat_low"], pair["stat_high"]
        assert ends == pytest.approx([*own], rel=1e-9, abs=1e-12)


def test_pairs_of_which_some_have_groups_of_examples():
    """More distinct rows than are resampled one by one, and fewer."""
    columns = scores(4100, 4, k=2)
    columns["coarse"] = np.round(columns["m0"], 1)
    columns["m2"] = np.round(columns["m0"], 2)
    for pair in compare_many(columns).pairs:
        if "coarse" in (pair["system1"], pair["system2"]):
            ends = pair["stat_low"], pair["stat_high"]
            assert ends == pytest.approx([*own_interval(columns, pair)], rel=1e-9, abs=1e-12)


def test_intervals_of_few_distinct_scores_are_those_of_each_pair():
    """They take no time, and have the same bits."""
    columns = scores(400, 1)
    for pair in compare_many(columns, baseline="m1", confidence_level=0.9).pairs:
        assert (pair["stat_low"], pair["stat_high"]) == own_interval(columns, pair, 0.9)


def test_a_bar_counts_the_intervals(monkeypatch):
    asked = []
    bar = correction.sampling_bar
    monkeypatch.setattr(correction, "sampling_bar", lambda *x: asked.append(x) or bar(*x))
    board = compare_many(scores(300, 15), method="bracket")
    assert not asked
    board.to_dict()
    board.to_dict()
    assert [(n, unit) for n, _, unit, _ in asked] == [(6, "tests")] * 2
    (first, later) = (seconds for _, seconds, *_ in asked)
    assert first > 0.05
    assert later == 0.0
    compare_many({"a": [1, 0], "b": [1, 1]}, [1, 1]).to_dict()
    assert asked[-1][1] == 0.0, "of right and wrong they take no time"


def test_what_was_interrupted_is_computed_again(monkeypatch):
    board = compare_many({"a": [1, 1, 0], "b": [0, 1, 0]})
    with monkeypatch.context() as patched:
        patched.setattr(Evidence, "wins", property(interrupted))
        with pytest.raises(KeyboardInterrupt):
            board.to_dict()
    assert board.pairs[0]["n_wins"] == 1


def interrupted(_):
    raise KeyboardInterrupt


def test_no_interval_of_one_example():
    """Nobody asked for it: the dict has none, and the pickle neither."""
    board = compare_many({"a": [1], "b": [0]})
    assert board.pairs[0]["confidence_level"] is None
    assert "stat_low" not in board.pairs[0]
    assert pickle.loads(pickle.dumps(board)).to_dict() == board.to_dict()
