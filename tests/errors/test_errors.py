"""The words by which messages name a value that arrived, and where warnings point."""

import importlib
import json
import re
import sys
import warnings
from threading import Thread

import numpy as np
import pandas as pd
import pytest
from datasets import Dataset

from doors import named
from interpreter import CHECKOUT
from pairedperm import (
    compare_many,
    compare_suite,
    equivalence_test,
    load,
    paired_permutation_test,
)
from pairedperm.errors import EXTRAS, describe, extra, printable, shown
from pairedperm.hf import compare_dataset
from pairedperm.readers import read_runs
from refusals import refuses

PROJECT = CHECKOUT / "pyproject.toml"


SHOWN = [  # in one short line; very large integers are not written out
    (printable, "a name", "a name"),
    (printable, "a\0b\x1b[31m\n", r"a\x00b\x1b[31m\n"),
    (printable, "a\ud800", r"a\ud800"),
    (printable, "ab" * 400, f"{'ab' * 50}…{'ab' * 50}"),
    (printable, "\U0001d173" * 400, r"\U0001d173" * 10 + "…" + r"\U0001d173" * 10),
    (describe, 1.5, "1.5 (float)"),
    (describe, 10**5000, "a very large integer (int)"),
    (describe, np.array(["a\nb"]), r"array(['a\nb'], dtype='<U3') (ndarray)"),
    (shown, "a\ud800", r"'a\ud800'"),
    (shown, 10**5000, "a very large integer"),
    (shown, "ab" * 400, f"'{'ab' * 49}a…{'b' + 'ab' * 49}'"),
]


@pytest.mark.parametrize(("in_words", "value", "wanted"), SHOWN, ids=range(len(SHOWN)))
def test_how_a_value_is_shown(in_words, value, wanted):
    assert str(in_words(value)) == wanted


@pytest.mark.parametrize("numbers", [[65504, 6e-8], [np.inf, np.nan]])
@pytest.mark.parametrize("kind", [pd.Series, pd.DataFrame])
def test_no_warning_of_pandas_gets_out(kind, numbers):
    with np.errstate(all="raise"):
        assert f"{describe(kind(np.float16(numbers)))}".endswith(f"({kind.__name__})")


def test_columns_that_are_hostile_when_they_are_shown():
    """What is not printable is escaped, and warnings of other threads get out."""

    class Column:
        def __repr__(self):
            thread = Thread(target=warnings.warn, args=("beside",))
            thread.start()
            thread.join()
            return "Column(\x1b[31m)"

    with pytest.warns(UserWarning, match="beside"):
        assert f"{describe(Column())}" == r"Column(\x1b[31m) (Column)"


def test_the_packages_of_an_extra():
    for name, packages in EXTRAS.items():
        listed = re.search(rf"(?m)^{name} = (.*)$", PROJECT.read_text("utf-8"))
        assert json.loads(listed[1]) == [*packages]


def test_how_to_get_what_an_extra_brings():
    """From anywhere; `.[space]` alone would install the project of the caller."""
    message = (
        'The page needs gradio and matplotlib: pip install "gradio>=6" "matplotlib" (or, in the '
        'checkout of pairedperm, pip install ".[space]").'
    )
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"), extra("space", "The page"):
        raise ModuleNotFoundError("No module named 'gradio'")


def test_pictures_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.delitem(sys.modules, "pairedperm.plots", raising=False)
    with pytest.raises(ImportError, match=r'^a picture needs matplotlib: pip install "matplotlib"'):
        importlib.import_module("pairedperm.plots")


GOLD, STRANGE = ["a", "b"] * 6, ["LABEL_0", "LABEL_1"] * 6
TRIPLE = named((STRANGE, GOLD, GOLD))
LABELS = {"metric": "f1", "average": "micro", "labels": ["a", "z"]}  # no column has "z"
ROWS = {x: np.random.default_rng(k).integers(0, 10**6, (40, 3)) for k, x in enumerate("abc")}
LOGS = CHECKOUT / "examples" / "ci_gate"
SAMPLED = {"score": lambda sums: np.sqrt(sums[..., 0]) / (1 + sums[..., 1]), "n_resamples": 9}
CONSTANT = {"predictions1": [1] * 20, "predictions2": [0.95] * 20}
OF_REALS = paired_permutation_test(*np.random.default_rng(0).random((2, 30)))
REPEAT = "ids in the column 'id' repeat"


ROWS_WITH_IDS = Dataset.from_dict(dict.fromkeys(TRIPLE, GOLD) | {"id": [*range(6)] * 2})


WARNINGS = [
    (lambda: compare_dataset({"test": ROWS_WITH_IDS}), f"split 'test': {REPEAT}"),
    (lambda: equivalence_test(OF_REALS, margin=30.0), "`margin` is 30, and"),
    (
        lambda: compare_suite({"one": [*TRIPLE.values()]}),
        "`predictions1` of task 'one' has only labels that no reference has",
    ),
    (
        lambda: compare_suite({"one": [GOLD] * 3}, **LABELS),
        "task 'one': `labels`: 'z' occ",
    ),
    (
        lambda: compare_many({"x": STRANGE, "y": GOLD}, GOLD),
        "`systems`['x'] has only labels that no reference has",
    ),
    (
        lambda: compare_many(ROWS, baseline="c", **SAMPLED),
        "2 of 2 p-values are estimated from random swaps ('b' against 'c', 'a' against 'c'): ex",
    ),
    (lambda: read_runs(LOGS / "worse", LOGS / "worse"), "two paths are one file"),
    (lambda: load("paired_perm", "scores").compute(**CONSTANT), "p tests symmetry about 0.95"),
    (
        lambda: load("paired_perm", "f1", average="micro", labels=[*"az"]).compute(**TRIPLE),
        "`labels`: 'z' occurs neither",
    ),
]


@pytest.mark.parametrize(("call", "start"), WARNINGS, ids=[x for _, x in WARNINGS])
def test_warnings_point_to_the_caller_and_say_where(call, start):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    assert {x.filename for x in found} == {__file__}
    assert any(str(x.message).startswith(start) for x in found)


LONG = [*np.random.default_rng(0).integers(0, 10**9, (2, 60))]


@refuses
def test_refusals():
    # of what is too much, with the task or the pair
    compare_many(dict(zip("ab", LONG, strict=True)), method="exact", budget={"max_points": 1})
    # -> BudgetError: ' against ' … ': the exact p-value needs … `max_points`
