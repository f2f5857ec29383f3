"""The campaign on inputs: hostile calls of every public function."""

import pytest
from hypothesis import given

from campaigns.inputs.call import calls
from campaigns.inputs.grammar import ROOMS
from campaigns.inputs.invariants import hold
from extras import on_posix

pytestmark = [on_posix, pytest.mark.weight(2), pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def here(tmp_path, monkeypatch, registered):
    """Calls are made in a temporary directory, since they write files."""
    monkeypatch.chdir(tmp_path)


def calls_of(room):
    @given(call=calls(ROOMS[room]))
    def test(here, call):
        hold(call)

    return test


for room in ROOMS:
    globals()[f"test_{room}"] = calls_of(room)
