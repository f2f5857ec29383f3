"""Scores under the names that art has for them, each a `score` of `paired_permutation_test`.

art is a program for approximate randomization. It takes one file of numbers for each system, with
one document a line, which `numpy.loadtxt` reads. An aggregator makes one score of the sums of the
columns. These are the aggregators:

average
    One column: its mean. It is None, because without a score the test compares means.
enum_sum_div_by_denom_sum
    Two columns, numerator and denominator: Σ first / Σ second, such as recall or precision. A
    `Ratio`, 0 where the denominator is 0.
f_1
    Four columns, recall's numerator and denominator, precision's numerator and denominator: the F1
    of both ratios of sums, an `F1OfRatios`. `read_conll` returns such rows.

One more score is that of the command line program paired-perm-test:

paired_perm_test_f1
    Two columns, true positives and incorrect predictions (false positives and false negatives): F1
    = tp / (tp + incorrect / 2), a `Ratio`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import InputError
from pairedperm.inputs.numbers import read_shaped
from pairedperm.scoring.scores import Ratio

_COLUMNS = "recall numerator, recall denominator, precision numerator, precision denominator"


@dataclass(frozen=True, slots=True)
class F1OfRatios:
    """The score F1 = 2 P R / (P + R), where recall R and precision P are ratios of sums.

    Rows (r, r', p, p') give R = Σ r / Σ r' and P = Σ p / Σ p'. A ratio is 0 if its denominator is
    0, and F1 is 0 if P + R is 0. The instance `f_1` is art's aggregator of that name.

    Examples
    --------
    Recall is 3/4 and precision 3/5. Their numerators are the same, so F1 is 2 · 3 / (4 + 5):

    >>> import numpy as np
    >>> from pairedperm import paired_permutation_test
    >>> from pairedperm.scoring.aggregators import f_1
    >>> round(float(f_1(np.array([3, 4, 3, 5]))), 6)
    0.666667
    >>> system1 = [[2, 2, 2, 3], [1, 2, 1, 2], [3, 3, 3, 3]]
    >>> system2 = [[1, 2, 1, 3], [0, 2, 0, 1], [2, 3, 2, 3]]
    >>> paired_permutation_test(system1, system2, score=f_1).pvalue
    0.25
    >>> f_1.ratio_for(np.array(system1), np.array(system2))
    Ratio(numerator=(2, 0, 0, 0), denominator=(0, 1, 0, 1), zero_division=0.0)
    """

    def __call__(self, sums: NDArray[Any]) -> FloatArray:
        """Return the F1 of each row of sums.

        Parameters
        ----------
        sums : array of shape (…, 4)
            Sums of the columns r, r', p and p'.

        Returns
        -------
        float64 array of shape (…)
            It is 0 where a denominator or P + R is 0.

        Raises
        ------
        InputError
            If the last axis does not have length 4, or an entry is not a real number.
        """
        sums = read_shaped("sums", sums)
        _check_columns(sums)
        with np.errstate(all="ignore"):
            recall = _quotient(sums[..., 0], sums[..., 1])
            precision = _quotient(sums[..., 2], sums[..., 3])
            return _quotient(2.0 * precision * recall, precision + recall)

    def ratio_for(self, rows1: NDArray[Any], rows2: NDArray[Any]) -> Ratio | None:
        """Return the ratio 2 Σ r / (Σ r' + Σ p') if it equals this score for all swaps of the rows.

        It does if recall and precision have the same numerator in all rows of both systems, as in
        MUC and CEAF. The p-value of a ratio is exact at any size.

        Parameters
        ----------
        rows1, rows2 : array of shape (n, 4)
            The rows of system 1 and of system 2.

        Returns
        -------
        Ratio or None
            None if the numerators of a row differ, a number is negative, or a denominator is 0
            while its numerator is not.

        Raises
        ------
        InputError
            If the rows do not have length 4, or an entry is not a real number.
        """
        for rows in (read_shaped("rows1", rows1), read_shaped("rows2", rows2)):
            _check_columns(rows)
            numerators, others = rows[..., [0, 2]], rows[..., [1, 3]]
            is_same = numerators[..., 0] == numerators[..., 1]
            # a ratio with denominator 0 is 0 here, but 2 r / (r' + p') is 0 only if r is 0
            is_sound = (others > 0) | (numerators == 0)
            if not (is_same.all() and is_sound.all() and (rows >= 0).all()):
                return None
        return Ratio((2, 0, 0, 0), (0, 1, 0, 1))


def _check_columns(rows: NDArray[Any]) -> None:
    if rows.ndim == 0 or rows.shape[-1] != 4:
        raise InputError(
            f"`f_1` is a score of four columns ({_COLUMNS})",
            got=f"shape {rows.shape}",
            remedy="For two columns, numerator and denominator, use `enum_sum_div_by_denom_sum`",
        )


def _quotient(numerators: FloatArray, denominators: FloatArray) -> FloatArray:
    """Return the quotients, 0 where the denominator is 0."""
    zeros = np.zeros_like(numerators)
    return np.divide(numerators, denominators, out=zeros, where=denominators != 0)


average = None
enum_sum_div_by_denom_sum = Ratio((1, 0), (0, 1))
f_1 = F1OfRatios()
paired_perm_test_f1 = Ratio((2, 0), (2, 1))
