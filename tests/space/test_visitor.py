"""Messages in the words of the page."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from visitor import VISITOR, in_words, in_words_of_the_page

from pairedperm import BudgetError, InputError
from pairedperm.errors import (
    Advice,
    Name,
    NoLatticeError,
    Parts,
    Python,
    Setting,
    called,
    describe,
    warn,
    worded,
)

LABELS = Setting("labels", "['PER']")


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (Name("pos_label"), "“Label that counts”"),
        (Name("references", (3141,)), "example 3,142 of the right answers"),
        (Name("groups", ("a",)), "'a' of the column of groups"),
        (Name("beta"), "beta (an option of the command only)"),
        (Name("id"), "the name of column “id”"),
        (Setting("average", "'macro'"), "“Average” 'macro'"),
        (Setting("pos_label", "..."), "under “More options”"),
        (Setting("lower_is_better", "True"), "“Better scores are” lower"),
        (Parts("one", Advice(" or ", Setting("task", "…")), "."), "one or under “More options”."),
        (Parts("one", Advice(" or ", Python("np.ravel", LABELS)), "."), "one."),
    ],
)
def test_words(part, words):
    assert worded(part, VISITOR) == words


@pytest.mark.parametrize(
    ("kind", "told"),
    [(InputError, InputError), (NoLatticeError, InputError), (BudgetError, BudgetError)],
)
def test_errors(kind, told):
    with pytest.raises(told) as caught, in_words_of_the_page(), called({"x": Name("average")}):
        raise kind(Name("x"), must="be none", got=describe([1]), remedy=Advice("see ", LABELS))
    assert type(caught.value) is told
    assert str(caught.value) == "“Average” must be none, got [1]."
    assert in_words(caught.value.message) == str(caught.value)  # told once more, it is the same


def test_warnings():
    """Those of the package, and of no other thread; p has no capital."""
    with in_words_of_the_page() as said:
        warn("left out: ", Name("task"), " 'x'", remedy=Advice("Set ", Setting("rng")))
        with ThreadPoolExecutor() as pool, pytest.warns(UserWarning, match="beside it"):
            pool.submit(warn, "beside it").result()
        warn("p is estimated")
    assert said == [(False, "Left out: “Task” 'x'."), (False, "p is estimated.")]
