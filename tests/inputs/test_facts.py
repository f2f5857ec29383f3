"""What errors of columns hold: their facts, and the names that a door gives."""

import numpy as np
import pandas as pd
import pytest

from pairedperm import InputError
from pairedperm.errors import NoLatticeError, heard_by
from pairedperm.errors.wording import Name, called
from pairedperm.inputs.ids import warn_of_repeats
from pairedperm.inputs.lattice import on_lattice
from pairedperm.inputs.numbers import read_scores


def error_of(call, *arguments, **options):
    with pytest.raises(InputError) as caught:
        call(*arguments, **options)
    return caught.value


def test_a_fact_stands_for_itself():
    with pytest.raises(NoLatticeError) as caught:
        on_lattice("q", np.array([0.5, 2**-0.5]), "r", np.ones(2))
    assert f"{caught.value.fact}".startswith("`q`[1] is 0.707")
    with pytest.raises(NoLatticeError, match=r"`r`\[0\] is 3e\+17, and floats are") as caught:
        on_lattice("q", np.ones(1), "r", np.array([3e17]))
    assert f"{caught.value.fact}." == f"{caught.value}".replace(
        " Give integers, or subtract a constant.", ""
    )


def test_an_entry_of_an_entry_has_the_name_of_a_door():
    with called({"q": "column 'x'"}):
        error = error_of(read_scores, "q", [[1], np.dtype("f8")], rows=True)
    assert f"{error}".startswith("column 'x'[1] must be a sequence")


def test_a_warning_names_the_entry_whose_index_repeats():
    heard = []
    with heard_by(heard.append), called({"systems": Name("given")}):
        warn_of_repeats(Name("systems", ("a",)), pd.Series([1, 2], index=[0, 0]))
    (message,) = heard
    assert f"{message}" == (
        "ids in the index of `given`['a'] repeat, 1 of 2 are distinct: examples that belong "
        "together are not independent, and p is too small. Swap them together, "
        "groups=systems['a'].index, or if they do not belong together, reset_index(drop=True)."
    )
