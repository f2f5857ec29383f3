"""What errors of columns hold: their facts, and the words for people who have files."""

import numpy as np
import pandas as pd
import pytest

from pairedperm import InputError
from pairedperm.errors import NoLatticeError, heard_by
from pairedperm.errors.wording import Name, Parts, Reader, called, worded
from pairedperm.inputs.ids import align, warn_of_repeats
from pairedperm.inputs.label_errors import check_not_one_hot
from pairedperm.inputs.labels import check_alike, read_labels
from pairedperm.inputs.lattice import on_lattice
from pairedperm.inputs.numbers import read_scores


class OfFiles(Reader):
    """Someone who has files, and no Python."""

    def python(self, part):
        return part.elsewhere


def error_of(call, *arguments, **options):
    with pytest.raises(InputError) as caught:
        call(*arguments, **options)
    return caught.value


def alike(*columns):
    one, other = (read_labels(f"predictions{k}", x) for k, x in enumerate(columns, 1))
    return error_of(check_alike, one, other)


@pytest.mark.parametrize(
    ("error", "facts"),
    [
        (
            error_of(read_scores, "q", [1, "x"], start=5),
            ("q", "[6]", "hold one number per example", "not a number, 'x' (str)"),
        ),
        (
            error_of(read_scores, "q", [[2.0], [np.inf]], rows=True),
            ("q", "[1][0]", "be finite", "inf"),
        ),
        (error_of(read_labels, "q", [["a"], ["b", None]], 3), ("q", "[4][1]", "", "")),
        (error_of(read_scores, "q", [[1], {2}], rows=True), ("q", "", "", "")),
    ],
)
def test_facts(error, facts):
    assert (error.argument, error.place, error.accepted, error.got) == facts


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


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (
            error_of(read_labels, "q", [1.0, 2.0]),
            "`q`[0] is a float, 1.0. Labels are integers, bools or strings. Write class ids as "
            "integers.",
        ),
        (
            error_of(read_labels, "q", [0.5, 2.0]),
            "`q`[0] is a float, 0.5. Labels are integers, bools or strings. For numeric scores "
            "name their column, score=…. For logits or probabilities, write the label of the "
            "largest one, or p > 0.5 if each example has one.",
        ),
        (
            error_of(read_labels, "q", [[0.5, 0.5]], sets=True),
            "`q` must hold a set of labels per example, got floats, 0.5. Of the rows of an "
            "indicator matrix, write the labels' numbers: [0, 2] for [1, 0, 1]. For probabilities, "
            "write the numbers of the labels with p > 0.5.",
        ),
        (
            error_of(on_lattice, "q", np.array([2**-0.5]), "r", np.ones(1)),
            "`q` must hold integers or decimals: `q`[0] is 0.7071067811865476, no decimal of at "
            "most 13 digits (with more, a float64 does not tell decimals from others) or 22 after "
            "the point; the largest score is 0.707107. Multiply both systems' scores by a common "
            "denominator, or round them to the digits that they mean.",
        ),
        (
            error_of(check_not_one_hot, "pqr", 3, 9, "Or no."),
            "`p`, `q` and `r` look one-hot: rows of 3 numbers, all 0 or 1. Write the label of each "
            "example instead. Or no.",
        ),
        (
            alike([[1], [0]], [1, 0]),
            "`predictions1` has a sequence of labels per example, `predictions2` has single "
            "labels. Each sequence holds one label: write it without a list.",
        ),
        (
            alike([[1, 0, 0], [0, 1, 0]], [1, 0]),
            "`predictions1` has a sequence of labels per example, `predictions2` has single "
            "labels. It looks one-hot: write the label of the largest one.",
        ),
        (
            alike([[1, 5], [0]], [1, 0]),
            "`predictions1` has a sequence of labels per example, `predictions2` has single "
            "labels. Give all columns and batches in the same form. For runs, give both systems "
            "lists of them.",
        ),
        (
            error_of(align, [Name("q"), Parts("column ", Name("r"))], [[1], ["x"]]),
            "column `r` has the id 'x', and `q` has 1: a text never equals an integer. Write "
            "all ids in one way.",
        ),
    ],
)
def test_words_for_people_with_files(error, wanted):
    assert worded(error.message, OfFiles()) == wanted
