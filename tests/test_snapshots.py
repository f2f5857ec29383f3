"""Rooms say what is stored of them, and nothing is stored that is not said any more."""

import pytest

from snapshots import ROOMS, said_of, stored_of

SAID = {(room, name): say for room in ROOMS for name, say in said_of(room).items()}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("room", "name"), SAID, ids=" ".join)
def test_words(room, name):
    assert SAID[room, name]().rstrip() == stored_of(room)[name].rstrip()


@pytest.mark.parametrize("room", ROOMS)
def test_what_is_stored_is_said(room):
    assert [*stored_of(room)] == [*said_of(room)]
