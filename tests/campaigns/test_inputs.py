"""The campaign on inputs: hostile calls of every public function."""

import math
import warnings

import pytest
from hypothesis import Phase, find, given, settings

from campaigns.inputs.call import Call, called, calls
from campaigns.inputs.grammar import ROOMS, sources
from campaigns.inputs.invariants import hold
from campaigns.inputs.names import NAMES
from extras import on_posix
from pairedperm import InputError
from pairedperm.nulls import swaps
from properties import some
from strategies.hostile import CONTAINERS, SCALARS

pytestmark = [on_posix, pytest.mark.weight(2), pytest.mark.filterwarnings("ignore")]
PLAIN = "paired_permutation_test([2, 0, 1, 5], [1, 1, 0, 0], rng=0)"


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


def test_every_source_has_a_value(here):
    for source in SCALARS + CONTAINERS:
        eval(source.replace("{x}", "[1, 0, 2]"), NAMES)


def test_every_template_has_answers(here):
    quickly = settings(max_examples=100, phases=[Phase.generate])
    for template in some([x for room in ROOMS.values() for x in room], every=5):
        plain = sources([template]).map(lambda x: called(Call.of(x))[0])
        find(plain, lambda outcome: not isinstance(outcome, Exception), settings=quickly)


def refuse(message):
    raise InputError(message)


def with_nan(result):
    object.__setattr__(result, "pvalue", math.nan)
    return result


FAULTS = {  # what the test gives instead of its result, and how this is found
    "a foreign exception": (lambda _: 1 // 0, ZeroDivisionError, "by zero"),
    "a broken invariant": (with_nan, ValueError, "not JSON compliant"),
    "an endless message": (lambda _: refuse("many words " * 300), AssertionError, "2,000"),
    "an unprintable message": (lambda _: refuse("\0"), AssertionError, "cannot be printed"),
    "a warning": (lambda x: warnings.warn("x", stacklevel=1) or x, AssertionError, "leaks a User"),
}


@pytest.mark.parametrize(("fault", "kind", "message"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found(here, monkeypatch, fault, kind, message):
    hold(Call.of(PLAIN))
    honest = swaps.run
    monkeypatch.setattr(swaps, "run", lambda *x: fault(honest(*x)))
    with pytest.raises(kind, match=message):
        hold(Call.of(PLAIN))


def test_a_changed_argument_is_found(here, monkeypatch):
    honest = swaps.read_arguments
    monkeypatch.setattr(swaps, "read_arguments", lambda *x: (honest(*x), x[0].pop())[0])
    with pytest.raises(AssertionError, match="an argument was changed"):
        hold(Call.of(PLAIN))
