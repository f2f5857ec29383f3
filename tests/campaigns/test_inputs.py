"""The campaign on inputs: hostile calls of every public function."""

import pytest
from hypothesis import Phase, find, given, settings

from campaigns.inputs.call import Call, called, calls
from campaigns.inputs.grammar import ROOMS, sources
from campaigns.inputs.invariants import hold
from extras import on_posix
from properties import some

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


def test_every_template_has_answers(here):
    quickly = settings(max_examples=100, phases=[Phase.generate])
    for template in some([x for room in ROOMS.values() for x in room], every=5):
        plain = sources([template]).map(lambda x: called(Call.of(x))[0])
        find(plain, lambda outcome: not isinstance(outcome, Exception), settings=quickly)
