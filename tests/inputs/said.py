"""What refusals of columns say to people who have files, and no Python."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from pairedperm import InputError
from pairedperm.errors import Name, Parts, Reader, worded
from pairedperm.inputs.columns import align
from pairedperm.inputs.labels import check_alike, check_not_one_hot, read_labels
from pairedperm.inputs.lattice import on_lattice


class OfFiles(Reader):
    """Someone who has files, and no Python."""

    def python(self, part: Any) -> Any:
        return part.elsewhere


def alike(one: Any, other: Any) -> None:
    check_alike(read_labels("predictions1", one), read_labels("predictions2", other))


ERRORS: dict[str, Callable[[], Any]] = {
    "class ids": lambda: read_labels("q", [1.0, 2.0]),
    "probabilities": lambda: read_labels("q", [0.5, 2.0]),
    "indicators": lambda: read_labels("q", [[0.5, 0.5]], sets=True),
    "a root": lambda: on_lattice("q", np.array([2**-0.5]), "r", np.ones(1)),
    "one-hot rows": lambda: check_not_one_hot(["p", "q", "r"], 3, 9, "Or no."),
    "sequences of one": lambda: alike([[1], [0]], [1, 0]),
    "one-hot beside labels": lambda: alike([[1, 0, 0], [0, 1, 0]], [1, 0]),
    "sequences beside labels": lambda: alike([[1, 5], [0]], [1, 0]),
    "ids of two types": lambda: align([Name("q"), Parts("column ", Name("r"))], [[1], ["x"]]),
}


def said(call: Callable[[], Any]) -> str:
    try:
        call()
    except InputError as error:
        return worded(error.message, OfFiles())
    raise AssertionError("it is not refused")


SAID = {name: partial(said, call) for name, call in ERRORS.items()}
