"""Messages are texts, in which doors rename arguments, and nothing that stands in quotes."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier

import hypothesis.strategies as st
import pytest
from hypothesis import given

from pairedperm import errors
from pairedperm.errors import (
    InputError,
    NoLatticeError,
    advised,
    called,
    clause,
    describe,
    heard_by,
    message,
    shown,
    shown_path,
    warn,
)

X3, SYSTEM = "`x`[3]", "`systems`['a']"
KINDS = [InputError, NoLatticeError, errors.NoIntervalError, errors.BudgetError]
SENTENCES = [
    (message("it ends."), "it ends."),
    (message("x", must="be `y`", got="2"), "`x` must be `y`, got 2."),
    (message("x", "is bad"), "`x` is bad."),
    (message("x", ": no"), "`x`: no."),
    (message("paths[0]", must="be 1"), "`paths[0]` must be 1."),
    (message("`x` and `y` differ"), "`x` and `y` differ."),
    (message("x", must="hold 1", at=X3, got="2"), "`x` must hold 1: `x`[3] is 2."),
    (message("so it", remedy=("", "it is", "Is it?", "Stop!")), "so it: it is. Is it? Stop!"),
    (advised(message("so it", remedy="Give 1"), "Or give 2"), "so it. Give 1. Or give 2."),
    (message(f"no: {clause(message('x', 'is 1'))}, so"), "no: `x` is 1, so."),
]


@pytest.mark.parametrize(("said", "wanted"), SENTENCES)
def test_sentences(said, wanted):
    assert said == wanted


DOORS = [  # the outermost door first: names, and the place
    ([({"`x`[0]": "A", "x": "all"},)], "`x`[0][2]", "A[2]."),
    ([({SYSTEM: "run a", "systems": "no"},), ({"x": SYSTEM},)], X3, "run a[3]."),
    ([({"y": "`z`"},), ({"x": "`y` of task 'a'"},)], "x", "`z` of task 'a'."),
    ([({"x": "`x`"}, "suite"), ({}, "task 'a'")], "y", "suite: task 'a': `y`."),
    ([({"systems": "runs"}, "suite"), ({}, SYSTEM)], "not so", "runs['a']: not so."),
    ([({"x": "no", "y": "all"},)], "`y` has '`x`', and the `x`'s", "all has '`x`', and the no's."),
]


@pytest.mark.parametrize(("doors", "said", "wanted"), DOORS)
def test_doors(doors, said, wanted):
    def say(tell):
        with ExitStack() as stack:
            for door in doors:
                stack.enter_context(called(*door))
            tell(said)

    def refuse(said):
        raise InputError(said)

    heard = []
    with heard_by(heard.append):
        say(warn)
    with pytest.raises(InputError) as caught:
        say(refuse)
    assert [str(caught.value)] == heard == [wanted]


LABELS = st.text("`x'\"\\[]= \n", max_size=8) | st.lists(st.text("`x'\"="), max_size=2)


@given(LABELS, LABELS)
def test_no_door_renames_in_a_value(one, other):
    with pytest.raises(InputError) as caught, called({"x": "the file"}):
        raise InputError("x", f"has {shown(one)} and {describe(other)}, not `x`")
    assert str(caught.value) == f"the file has {shown(one)} and {describe(other)}, not the file."


PATHS = [("/data/a b.csv", "/data/a b.csv"), ("alpha=3.csv", "'alpha=3.csv'"), ("`x`", "'`x`'")]


@pytest.mark.parametrize(("path", "wanted"), PATHS)
def test_paths_that_read_like_an_option_are_in_quotes(path, wanted):
    assert shown_path(path) == wanted


def test_a_place_is_told_once():
    """What is said anew has the names of where it was said, and places once."""
    with pytest.raises(InputError) as inner, called({}, "pair 'p'"):
        raise InputError("y", "is bad")
    with pytest.raises(InputError) as caught, called({"x": "column 'a'"}, "task 't'"):
        raise InputError(f"so: {clause(str(inner.value))}")
    assert str(caught.value) == "task 't': so: pair 'p': `y` is bad."


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("copied", [copy.copy, lambda x: pickle.loads(pickle.dumps(x))])
def test_errors_hold_facts(kind, copied):
    with pytest.raises(kind) as caught, called({"x": "`columns`['a']", "z": "it"}, "task 't'"):
        raise kind("x", must="be 1", at=X3, got=describe("a"), remedy=["labels='PER'", "Or not"])
    found = copied(caught.value)
    assert str(found).startswith("`columns`['a'] must be 1: `columns`['a'][3] is 'a' (str): label")
    facts = type(found), found.argument, found.must, found.got, found.remedy, found.at
    remedy = "labels='PER'. Or not."
    assert facts == (kind, "columns", "be 1", "'a' (str)", remedy, "task 't', [3]")
    assert (kind("so it").argument, kind("so it").got, kind("so it").at) == ("", "", "")


def test_the_argument_is_that_of_the_outermost_door():
    outer, inner = {"`systems`['b']": "the file b"}, {"x": "`systems`['b']"}
    with pytest.raises(InputError) as caught, called(outer), called(inner):
        raise InputError("x", "is bad")
    assert (caught.value.argument, str(caught.value)) == ("the file b", "the file b is bad.")


def test_a_fact_has_the_names_of_the_doors():
    with pytest.raises(NoLatticeError) as caught, called({"x": "`y`"}):
        raise NoLatticeError("x", "is 0.7", fact="`x` is real")
    assert caught.value.fact == "`y` is real"


def test_what_is_heard_and_told_again_has_its_place_once():
    told, heard = [], []
    with heard_by(told.append), called({"x": "the file"}, "task 't'"):
        with heard_by(heard.append), called({}, "pair 'p'"):
            warn("it is odd")
        warn(heard[0])
    assert told == ["task 't': pair 'p': it is odd."]


def test_threads_have_their_own_doors_and_listeners():
    barrier = Barrier(2)

    def heard(name):
        said = []
        with heard_by(said.append), called({"x": name}):
            barrier.wait()
            warn("x", "is odd")
            barrier.wait()
        return said

    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(heard, "ab")] == [["a is odd."], ["b is odd."]]


def test_warnings():
    with pytest.warns(UserWarning, match=r"^`x` is odd: look\.$") as found:
        warn("x", "is odd", remedy="look")
    assert [x.category for x in found] == [UserWarning]
