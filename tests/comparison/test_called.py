"""Names in errors and warnings: those of this call, and of no thread beside it."""

import copy
import pickle
import warnings
from contextlib import contextmanager
from threading import Event, Semaphore, Thread

import numpy as np
import pytest

from pairedperm import PairedCounts, compare, compare_many, compare_suite
from pairedperm.errors import BudgetError, InputError, NoIntervalError, NoLatticeError
from pairedperm.errors.wording import Name, Parts, Reader, Setting, called, describe, worded
from pairedperm.scoring import F1

GOLD, STRANGE = ["a", "b"] * 6, ["LABEL_0", "LABEL_1"] * 6
OTHER = ["a", "a", "b"] * 4
STRANGERS = "`predictions1` has only labels that no reference has"
WAIT = 60.0  # tuned: seconds; no test waits so long unless it fails


class OfThread:
    """Another thread, which warns once each time that it is met."""

    def __init__(self):
        self.n_met, self.is_over = 0, Event()
        self._asked, self._warned = Semaphore(0), Semaphore(0)
        self._thread = Thread(target=self._warn)
        self._thread.start()

    def meet(self):
        """Wait until the other thread has warned."""
        self.n_met += 1
        self._asked.release()
        assert self._warned.acquire(timeout=WAIT)

    def end(self):
        self.is_over.set()
        self._asked.release()
        self._thread.join(WAIT)

    def _warn(self):
        while self._asked.acquire(timeout=WAIT) and not self.is_over.is_set():
            compare(STRANGE, GOLD, GOLD)
            self._warned.release()


@contextmanager
def beside():
    """Another thread, and what is warned of in both."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        thread, heard = OfThread(), []
        try:
            yield thread, heard
        finally:
            thread.end()
        heard += [str(x.message) for x in caught]


def of_counts(thread):
    """A score of counts that meets the thread whenever it is asked."""

    def score(sums):
        thread.meet()
        return np.sqrt(sums[..., 0]) / (1.0 + sums[..., 1])

    rows = {name: np.random.default_rng(k).integers(0, 9, (4, 2)) for k, name in enumerate("ab")}
    compare_many(rows, score=score)


def of_suite(thread):
    """F1 that meets it."""

    class Meeting(F1):
        def score(self, rows):
            thread.meet()
            return super().score(rows)

    compare_suite(dict.fromkeys("ab", (GOLD, OTHER, GOLD)), Meeting(pos_label="a"))


def of_doors(thread):
    with called({"predictions1": "the file a.jsonl"}, "task 'one'"), called({}, "split 'test'"):
        thread.meet()


@pytest.mark.parametrize("call", [of_counts, of_suite, of_doors])
def test_warnings_of_another_thread_are_neither_lost_nor_renamed(call):
    with beside() as (thread, heard):
        call(thread)
    assert thread.n_met
    assert [x for x in heard if STRANGERS in x] == [x for x in heard if x.startswith(STRANGERS)]
    assert sum(x.startswith(STRANGERS) for x in heard) == thread.n_met


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
