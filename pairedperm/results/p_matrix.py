"""The adjusted p of each pair of a leaderboard as a matrix, and the classes that p falls into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError
from pairedperm.results.correction import CORRECTED
from pairedperm.results.standings import read_board
from pairedperm.wording import Name, Parts, Setting

_BOUNDS = 0.001, 0.01  # tuned: of classes of p, where they are below α
_LEAST = 1e-9  # tuned: p, below which its size says nothing more


@dataclass(frozen=True, slots=True)
class PMatrix:
    """p of each pair of systems, in the better system's column and the other's row.

    Attributes
    ----------
    pvalues : float64 array, shape (k, k)
        The adjusted p; NaN on and above the diagonal.
    classes : int64 array, shape (k, k)
        The class of each p; -1 on and above the diagonal.
    class_names : list of str
        The bounds of each class; the last one is p > α.
    title : str
        "p of each pair, adjusted (Holm)".
    """

    pvalues: FloatArray
    classes: IntArray
    class_names: list[str]
    title: str


def p_matrix(board: Any) -> PMatrix:
    """Return p of all pairs, and the classes that a picture shows.

    Raises
    ------
    InputError
        If it is no leaderboard, or has a baseline.
    """
    board = read_board(board)
    if board.baseline is not None:
        raise InputError(
            Name("board"),
            " has a baseline, so only pairs with the baseline were compared; a matrix needs every "
            "pair",
            remedy=Parts("Leave out ", Setting("baseline"), ", or draw `plot_leaderboard`"),
        )
    place = {name: k for k, name in enumerate(board.systems)}
    pvalues = np.full((len(place), len(place)), np.nan)
    for pair in board._tests:
        column, row = sorted((place[pair.of.system1], place[pair.of.system2]))
        pvalues[row, column] = pair.p_adjusted
    bounds = [*(bound for bound in _BOUNDS if bound < board.alpha), board.alpha]
    classes = np.where(np.isnan(pvalues), -1, np.searchsorted(bounds, pvalues, side="left"))
    words = [*(f"p ≤ {bound:g}" for bound in bounds), f"p > {board.alpha:g}"]
    how = f"adjusted ({CORRECTED[board.correction]})" if board.correction else "not adjusted"
    return PMatrix(pvalues, classes, words, f"p of each pair, {how}")


def short_p(pvalue: float, alpha: float) -> str:
    """Return a p-value in at most five characters, without its leading 0.

    A p that exceeds the level, and would be written like it, is only said to exceed it.

    >>> [short_p(p, 0.05) for p in (1.0, 0.9996, 0.0503, 0.0463, 0.00231, 8.4e-5, 1e-300)]
    ['1', '1', '>.05', '.046', '.002', '8e-5', '<1e-9']
    """
    if pvalue < _LEAST:
        return f"<{_LEAST:.0e}".replace("e-0", "e-")
    if pvalue < 0.001:
        return f"{pvalue:.0e}".replace("e-0", "e-")
    text = f"{pvalue:.3f}" if pvalue < 0.0995 else f"{pvalue:.2f}"
    if float(text) <= alpha < pvalue:
        text = f">{alpha:.2g}".replace("0.", ".")
    return "1" if text == "1.00" else text.removeprefix("0")
