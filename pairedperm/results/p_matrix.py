"""The adjusted p of each pair of a leaderboard as a matrix, and the classes that p falls into."""

from __future__ import annotations

from typing import Any

import numpy as np

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError
from pairedperm.results.correction import CORRECTED
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.results.standings import read_board

_BOUNDS = 0.001, 0.01  # tuned: of classes of p, where they are below α
_LEAST = 1e-9  # tuned: p, below which its size says nothing more


def p_matrix(board: Any) -> FloatArray:
    """The adjusted p of each pair, the better system's column, the other's row; elsewhere NaN.

    Raises
    ------
    InputError
        If it is no leaderboard, has more than 60 systems, or a baseline.
    """
    board = read_board(board)
    if board.baseline is not None:
        raise InputError(
            "`board` has a baseline, so that only pairs with that were compared, and a matrix "
            "needs every pair: leave out `baseline`, or draw `plot_leaderboard`."
        )
    place = {name: k for k, name in enumerate(board.systems)}
    found = np.full((len(place), len(place)), np.nan)
    for pair in board.pairs:
        column, row = sorted((place[pair["system1"]], place[pair["system2"]]))
        found[row, column] = pair["p_adjusted"]
    return found


def class_bounds(alpha: float) -> list[float]:
    """The largest p of each class but the last: 0.001, 0.01, α."""
    return [*(bound for bound in _BOUNDS if bound < alpha), alpha]


def p_classes(pvalues: FloatArray, alpha: float) -> IntArray:
    """The class of each p: the first bound that it does not exceed; the last exceeds α."""
    found = np.searchsorted(class_bounds(alpha), pvalues, side="left")
    return np.asarray(found, np.int64)


def classes_in_words(alpha: float) -> list[str]:
    """What each class is called."""
    return [*(f"p ≤ {bound:g}" for bound in class_bounds(alpha)), f"p > {alpha:g}"]


def matrix_in_words(board: Leaderboard) -> str:
    """What is shown: "p of each pair, adjusted (Holm)"."""
    how = f"adjusted ({CORRECTED[board.correction]})" if board.correction else "not adjusted"
    return f"p of each pair, {how}"


def short_p(pvalue: float) -> str:
    """A p-value in at most five characters, without the 0 that each begins with.

    >>> [short_p(p) for p in (1.0, 0.9996, 0.0463, 0.00231, 8.4e-5, 1e-300)]
    ['1', '1', '.046', '.002', '8e-5', '<1e-9']
    """
    if pvalue < _LEAST:
        return f"<{_LEAST:.0e}".replace("e-0", "e-")
    if pvalue < 0.001:
        return f"{pvalue:.0e}".replace("e-0", "e-")
    text = f"{pvalue:.3f}" if pvalue < 0.0995 else f"{pvalue:.2f}"
    return "1" if text == "1.00" else text.removeprefix("0")
