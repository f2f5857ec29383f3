"""Messages hold facts, and doors and readers have words for them."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier

import pytest

from pairedperm import errors
from pairedperm.errors import (
    Advice,
    InputError,
    Message,
    Name,
    NoLatticeError,
    Parts,
    Python,
    Setting,
    called,
    describe,
    heard_by,
    warn,
)

X, Y, RNG, PER = Name("x"), Name("y"), Setting("rng"), Setting("labels", "'PER'")
X3, SYSTEM, TASK = Name("x", (3,)), Name("systems", ("a",)), Parts(Y, " of task 'a'")
KINDS = [InputError, NoLatticeError, errors.NoIntervalError, errors.BudgetError]


class Shell(errors.Reader):
    """Flags, and lines of files; no `rng`, and no Python."""

    def name(self, argument):
        return f"--{argument}"

    def entry(self, words, at):
        return f"{words}, line {' of '.join(map(str, at))}"

    def has(self, option):
        return option != "rng"

    def setting(self, option, value):
        return f"--{option} {value}".strip()

    def python(self, part):
        return part.elsewhere


PARTS = [
    ("`x` and x=1", "`x` and x=1", "`x` and x=1"),
    (Name("x", (3, "a")), "`x`[3]['a']", "--x, line 3 of a"),
    (Parts(RNG, " ", Setting("rng", "1")), "`rng` rng=1", "`rng` rng=1"),  # the shell has none
    (Python("np.ravel", Parts("flatten ", X)), "np.ravel", "flatten --x"),
    (Advice("Set ", PER, Advice(", ", RNG)), "Set labels='PER', `rng`", "Set --labels 'PER'"),
    (Advice("Set ", Python(RNG, PER)), "Set `rng`", "Set --labels 'PER'"),
    (describe(1.5), "1.5 (float)", "1.5"),
    (Message(X, remedy=(Advice("Set ", RNG), "Stop")), "`x`. Set `rng`. Stop.", "--x. Stop."),
]


@pytest.mark.parametrize(("part", "python", "shell"), PARTS)
def test_parts(part, python, shell):
    assert str(part) == errors.worded(part) == python
    assert errors.worded(part, Shell()) == shell


SENTENCES = [
    (Message("it ends."), "it ends."),
    (Message(X, must=Parts("be ", Y), got="2"), "`x` must be `y`, got 2."),
    (Message(X, must="hold 1", at=X3, got="2"), "`x` must hold 1: `x`[3] is 2."),
    (Message("no", remedy=("", "it is", "Is it?", "Stop!")), "no: it is. Is it? Stop!"),
    (Message("no", remedy="Give 1").advised("Or give 2"), "no. Give 1. Or give 2."),
    (Message("no: ", Message(X, " is 1").clause(), ", so"), "no: `x` is 1, so."),
]


@pytest.mark.parametrize(("message", "wanted"), SENTENCES)
def test_sentences(message, wanted):
    assert str(message) == wanted


DOORS = [  # the outermost door first: names, and the place
    ([({Name("x", (0,)): "A", "x": "all"},)], Name("x", (0, 2)), "A[2]."),
    ([({SYSTEM: "run a", "systems": "no"},), ({"x": SYSTEM},)], X3, "run a[3]."),
    ([({"y": "no"},), ({"x": "`y`"},)], X, "`y`."),  # a text is what it says
    ([({"y": Name("z")},), ({"x": TASK},)], X, "`z` of task 'a'."),
    ([({"x": X}, "suite"), ({}, "task 'a'")], Y, "suite: task 'a': `y`."),
    ([({"systems": "runs"}, "suite"), ({}, SYSTEM)], "no", "runs['a']: no."),
]


@pytest.mark.parametrize(("doors", "said", "wanted"), DOORS)
def test_doors(doors, said, wanted):
    with ExitStack() as stack:
        for door in doors:
            stack.enter_context(called(*door))
        message = Message(said)
    assert str(message) == wanted
    assert str(Message(X)) == "`x`."


def test_a_message_within_one_has_its_own_names_and_the_place_is_told_once():
    before = Message(X, " is bad")
    with called({"x": "column 'a'"}, "task 't'"):
        named, plain = Message(X, " is bad"), Message("no")
        with called({"x": "row 1"}, "pair 'p'"):
            deep, deeper = Message(X, " is bad"), Message("no")
        said = [str(Message("so: ", x.clause())) for x in (before, named, plain, deep, deeper)]
    assert said[:3] == ["task 't': so: `x` is bad.", "so: column 'a' is bad.", "task 't': so: no."]
    assert said[3:] == ["task 't': so: row 1 is bad.", "task 't': so: pair 'p': no."]
    assert str(Message("late: ", plain.clause())) == "late: task 't': no."


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("copied", [copy.copy, lambda x: pickle.loads(pickle.dumps(x))])
def test_errors_hold_facts(kind, copied):
    with called({"x": Name("columns", ("a",)), "z": "the file"}, "task 't'"):
        inner = InputError(Name("z"), " is bad").message.clause()
        error = kind(inner, ": ", X, must="be 1", at=X3, got=describe("a"), remedy=PER)
    found = copied(error)
    assert str(found).startswith("the file is bad: `columns`['a'] must be 1: `columns`['a'][3] is ")
    facts = type(found), found.argument, found.accepted, found.got, found.remedy, found.place
    assert facts == (kind, "columns", "be 1", "'a' (str)", "labels='PER'.", "task 't', [3]")
    assert kind(found.message).message is found.message
    assert (kind("no").argument, kind("no").got, kind("no").place) == ("", "", "")


def test_threads_have_their_own_doors_and_listeners():
    barrier = Barrier(2)

    def heard(name):
        said = []
        with called({"x": name}), heard_by(said.append):
            barrier.wait()
            warn(X, " is odd")
            barrier.wait()
        return [*map(str, said)]

    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(heard, "ab")] == [["a is odd."], ["b is odd."]]


def test_warnings():
    with pytest.warns(UserWarning, match=r"^`x` is odd: look\.$") as found:
        warn(X, " is odd", remedy="look")
    assert [x.category for x in found] == [UserWarning]
    assert errors.worded(found[0].message.facts, Shell()) == "--x is odd: look."
