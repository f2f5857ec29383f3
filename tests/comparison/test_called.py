"""Names in errors and warnings: those of this call, and of no thread beside it."""

import copy
import pickle
import warnings
from threading import Thread

import numpy as np
import pytest

from pairedperm import PairedCounts, compare, compare_many, compare_suite
from pairedperm.errors import (
    BudgetError,
    InputError,
    Name,
    NoIntervalError,
    NoLatticeError,
    Parts,
    Reader,
    Setting,
    called,
    describe,
    worded,
)
from pairedperm.scoring import F1

GOLD, STRANGE = ["a", "b"] * 6, ["LABEL_0", "LABEL_1"] * 6
OTHER = ["a", "a", "b"] * 4
STRANGERS = "`predictions1` has only labels that no reference has"


def of_counts(meet):
    """A score of counts that meets the thread whenever it is asked."""

    def score(sums):
        meet()
        return np.sqrt(sums[..., 0]) / (1.0 + sums[..., 1])

    rows = {name: np.random.default_rng(k).integers(0, 9, (4, 2)) for k, name in enumerate("ab")}
    compare_many(rows, score=score)


def of_suite(meet):
    """F1 that meets it."""

    class Meeting(F1):
        def score(self, rows):
            meet()
            return super().score(rows)

    compare_suite(dict.fromkeys("ab", (GOLD, OTHER, GOLD)), Meeting(pos_label="a"))


@pytest.mark.parametrize("call", [of_counts, of_suite])
def test_warnings_of_another_thread_are_neither_lost_nor_renamed(call):
    met = []

    def meet():
        """Wait until another thread has warned."""
        met.append(Thread(target=compare, args=(STRANGE, GOLD, GOLD)))
        met[-1].start()
        met[-1].join()

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(meet)
    heard = [str(x.message) for x in caught if STRANGERS in str(x.message)]
    assert len(heard) == len(met) > 0
    assert all(x.startswith(STRANGERS) for x in heard)


class Shell(Reader):
    """A reader who calls arguments by flags."""

    def name(self, argument):
        return f"--{argument}"


INNER = {"predictions1": Name("systems", ("a",)), "rng": "nothing"}
OUTER = {Name("systems", ("a",)): "the file a.jsonl"}
FACTS = {"must": "be finite", "got": describe(1.5), "at": Name("predictions1", (3,))}
FACTS["remedy"] = Parts("Set ", Setting("rng"), " then")


def refused(kind):
    """An error that is made under two doors, and that a third says anew."""
    with called(OUTER, "row 3"):
        with called(INNER, "not said, as 'a' is named"), pytest.raises(kind) as caught:
            raise kind(Name("predictions1"), **FACTS)
        return kind(Name("metric"), " refuses it: ", caught.value.message.clause())


@pytest.mark.parametrize("kind", [InputError, NoLatticeError, NoIntervalError, BudgetError])
def test_errors_under_doors_are_read_alike_when_copied(kind):
    error = refused(kind)
    assert str(error) == (
        "`metric` refuses it: the file a.jsonl must be finite: the file a.jsonl[3] is 1.5 "
        "(float). Set `rng` then."
    )
    for found in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert type(found) is kind
        assert str(found) == str(error)
        assert worded(found.message, Shell()) == worded(error.message, Shell())
        assert found.argument == error.argument == "metric"
        if kind is NoLatticeError:
            assert str(found.fact) == str(error.fact)


def test_a_system_under_two_doors():
    two = {"a": [1, 0], "b": PairedCounts.from_rows([1], [2])}
    names = {Name("systems", ("b",)): "the file b.jsonl"}
    with pytest.raises(InputError) as caught, called(names, "task 'one'"):
        compare_many(two)
    found = pickle.loads(pickle.dumps(caught.value))
    assert str(found) == str(caught.value)
    assert str(found) == (
        "`systems`['a'] and the file b.jsonl: the file b.jsonl is a PairedCounts, of two systems: "
        "give each system's own scores, or rows of counts."
    )
    assert found.argument == "the file b.jsonl"
