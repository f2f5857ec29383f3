"""A board computes an interval when it is told, of the columns as they were given."""

import pickle

import numpy as np
import pytest

from pairedperm import compare_many, paired_permutation_test
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
