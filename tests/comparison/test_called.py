"""Names in errors and warnings: those of this call, and of no thread beside it."""

import pickle
import warnings
from threading import Thread

import pytest

from pairedperm import PairedCounts, compare, compare_many, compare_suite
from pairedperm.errors import InputError, called
from pairedperm.scoring import F1

GOLD, STRANGE = ["a", "b"] * 6, ["LABEL_0", "LABEL_1"] * 6
OTHER = ["a", "a", "b"] * 4
STRANGERS = "`predictions1` has only labels that no reference has"


def of_suite(meet):
    """F1 that meets it."""

    class Meeting(F1):
        def score(self, rows):
            meet()
            return super().score(rows)

    compare_suite(dict.fromkeys("ab", (GOLD, OTHER, GOLD)), Meeting(pos_label="a"))


def test_warnings_of_another_thread_are_neither_lost_nor_renamed():
    met = []

    def meet():
        """Wait until another thread has warned."""
        met.append(Thread(target=compare, args=(STRANGE, GOLD, GOLD)))
        met[-1].start()
        met[-1].join()

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        of_suite(meet)
    heard = [str(x.message) for x in caught if STRANGERS in str(x.message)]
    assert len(heard) == len(met) > 0
    assert all(x.startswith(STRANGERS) for x in heard)


def test_a_system_under_two_doors():
    two = {"a": [1, 0], "b": PairedCounts.from_rows([1], [2])}
    names = {"`systems`['b']": "the file b.jsonl"}
    with pytest.raises(InputError) as caught, called(names, "task 'one'"):
        compare_many(two)
    found = pickle.loads(pickle.dumps(caught.value))
    assert str(found) == str(caught.value)
    assert str(found) == (
        "`systems`['a'] and the file b.jsonl: the file b.jsonl is a PairedCounts, of two systems: "
        "give each system's own scores, or rows of counts."
    )
    assert found.argument == "the file b.jsonl"
