"""A board computes an interval when it is told, of the columns as they were given."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

from pairedperm import InputError, compare, compare_many, paired_permutation_test
from pairedperm.population.evidence import Evidence

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


def test_intervals_that_hold_at_once():
    """Each of three has the level of one third of α."""
    systems = {"a": [1] * 30, "b": [1] * 20 + [0] * 10, "c": [1] * 12 + [0] * 18}
    board = compare_many(systems, [1] * 30, simultaneous=True)
    for pair in board.pairs:
        alone = compare(systems[pair["system1"]], systems[pair["system2"]], [1] * 30)
        level = float(1 - Fraction(1, 60))
        assert pair["confidence_level"] == level
        assert (pair["stat_low"], pair["stat_high"]) == alone.confidence_interval(level)
    assert "Each interval has the level 98.3333%, together 95% (Bonferroni)" in str(board)
    board = compare_many(systems, [1] * 30, baseline="a", simultaneous=True, confidence_level=0.9)
    assert {x["confidence_level"] for x in board.pairs} == {0.95}
    assert "simultaneous 90% interval" in str(board)
    assert board.to_dict()["simultaneous"] is True
    few = {"a": [0.1] * 40, "b": [0.1] * 37 + [0.5] * 3, "c": [0.1] * 34 + [0.5, 0.6] * 3}
    board = compare_many(few, baseline="a")
    said = "\nb: The interval may hold less often than it says: only 3 examples differ."
    assert said in str(board)
    with pytest.raises(InputError, match="`simultaneous` is not for correction='by'"):
        compare_many(systems, [1] * 30, correction="by", simultaneous=True)
