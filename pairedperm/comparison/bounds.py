"""What p can be, given only how many examples each system has right."""

from __future__ import annotations

import math
from bisect import bisect_left
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import choose
from pairedperm.convolution.line.tail import LINE, Line, LineTail
from pairedperm.errors import InputError, describe
from pairedperm.options import ALPHA, Alpha, Alternative, Budget, Whole, is_number, reads_options
from pairedperm.results.power import PvalueBounds

_NExamples = Annotated[int, Whole(most=10**7)]  # tuned: p takes milliseconds
_ONE = np.ones(1, dtype=np.int64)
_FLOAT = Fraction(1, 2**53)  # proof: a share, its nearest float, and that as printed are so near
_MOST_DECIMALS = 400  # tuned: the least float has fewer


@reads_options
def pvalue_bounds(
    correct1: Any,
    correct2: Any,
    n: _NExamples,
    *,
    accuracies: bool = False,
    alternative: Alternative = "two-sided",
    alpha: Alpha = ALPHA,
) -> PvalueBounds:
    """Which p can a paired test give, if only two accuracies are known?

    Two systems were run on the same n examples, and each example is right or wrong. p depends on
    how many examples only one system has right. Two numbers of right answers bound it.

    Parameters
    ----------
    correct1, correct2 : int, or float, str or Decimal
        How many examples system 1, and system 2, has right; or the shares of these as printed, from
        0 to 1, such as ``0.792``, or as text in percent, ``"79.2%"``. An accuracy stands for each
        number that rounds to it, so its digits count: the float 0.8 has one decimal, the text
        ``"0.800"`` has three.
    n : int
        The number of examples, the same ones for both systems; at most 10^7.
    accuracies : bool
        Whether `correct1` and `correct2` are accuracies, as they are if one has a decimal point and
        lies between 0 and 1, or is text with a decimal point or in percent.
    alternative : {"two-sided", "greater", "less"}
        "greater": system 1 is better.
    alpha : float
        The level, between 0 and 1.

    Returns
    -------
    PvalueBounds
        To print. Some data with these accuracies have the smallest p, and some have the largest.

    Raises
    ------
    InputError
        If a number of right answers is no integer from 0 to n. If no number of n examples has an
        accuracy.

    Notes
    -----
    Only for accuracies of single examples: not for F1 or BLEU, averages over tasks or over several
    runs of an example, nor examples in groups.

    Let a and b be the numbers of right answers, t = a - b, and L the smaller one of the numbers of
    examples that only one system has right. Then ``m = 2 L + |t|`` examples differ. There are data
    for each L from 0 to min(a, b, n - a, n - b), so m is up to M = min(a + b, 2 n - a - b). Let S
    be the sum of m fair signs ±1. p is P(S ≥ t), for "less" P(S ≥ -t), two-sided
    ``P(|S| ≥ |t|)``.

    p rises with m for t ≥ 1, and falls for t ≤ 0, so its ends are those of m. Proof: two more signs
    add -2, 0 or 2 with probabilities 1/4, 1/2 and 1/4. So P(S ≥ t) grows by
    (P(S = t - 2) - P(S = t)) / 4. The law of S is symmetric and falls from its middle on. The first
    mass is not smaller if ``|t - 2| ≤ |t|``, that is for t ≥ 1, and not larger for t ≤ 0.

    If accuracies stand for several numbers, the least and the largest t have the ends of p. Proof:
    one more right answer of system 1, or one less of system 2, takes t to t + 1. Then ``|t|`` and
    M move by 1 up or down. With a sign more, P(S ≥ t + 1) is the mean of P(S' ≥ t) and
    P(S' ≥ t + 2) of one sign less, at most the first. With a sign less, P(S ≥ t + 1) is at most the
    mean of it and P(S ≥ t - 1), which is P(S' ≥ t) of one sign more. So p does not grow.

    Examples
    --------
    >>> from pairedperm import pvalue_bounds
    >>> print(pvalue_bounds(396, 378, n=500))
    396 against 378 of 500 examples are right: 79.2% against 75.6%.
    p is from 7.63e-6 to 0.258, two-sided.
    A significant difference at α = 0.05 if at most 74 examples differ, an agreement
      of 85.2% or more.
    >>> pvalue_bounds("0.85", "0.70", n=20, accuracies=True).is_significant
    False
    """
    given = {"correct1": correct1, "correct2": correct2}
    is_shares = accuracies or any(map(_is_share, given.values()))
    right1, right2 = (_read_right(f"`{x}`", y, n, is_shares) for x, y in given.items())
    is_two_sided = alternative == "two-sided"
    sides = (right2, right1) if alternative == "less" else (right1, right2)
    leads = _ends(range(sides[0][0] - sides[1][-1], sides[0][-1] - sides[1][0] + 1))
    ends = [_sign_test(x, m, is_two_sided) for x in leads for m in _ends(_differing(x, *sides, n))]
    least, greatest = leads
    if is_two_sided:
        is_open = least <= 0 <= greatest  # then 0, 1 or -1 is a lead, and p is 1
        ends += [CertifiedProbability.exactly(1.0)] * is_open
        sizes = sorted(map(abs, leads))
        least, greatest = 0 if is_open else sizes[0], sizes[1]
    low, high = (end(ends, key=lambda p: p.log) for end in (min, max))
    is_significant, most_differing = None, None
    if low.value > alpha or greatest < 1:
        is_significant = False
    elif high.value <= alpha and least > 0:
        is_significant = True
    else:
        most_differing = _most_significant(least, n, alpha, is_two_sided)
    return PvalueBounds(
        correct1=_ends(right1),
        correct2=_ends(right2),
        n=n,
        p_low=low.value,
        p_high=high.value,
        log_p_low=low.log,
        log_p_high=high.log,
        is_significant=is_significant,
        most_differing=most_differing,
        alternative=alternative,
        alpha=alpha,
    )


def _is_share(value: Any) -> bool:
    """Tell whether a number can be no number of right answers, but their share."""
    if isinstance(value, str):
        return _read_share(value)[0] is not None and ("." in value or "%" in value)
    return isinstance(value, (float, Decimal)) and 0 < value < 1


def _read_right(name: str, value: Any, n: int, accuracies: bool) -> range:
    """Return how many examples may be right."""
    if accuracies:
        return read_printed_share(name, value, n)
    words = f"an integer from 0 to `n`, {n:,}"
    remedy = "For accuracies, set `accuracies`"
    right = Whole(0, n, words=words, remedy=remedy).read(name, value)
    return range(right, right + 1)


def read_printed_share(name: str, value: Any, n: int) -> range:
    """Return the counts k of n examples whose share k / n may be printed so, also in percent.

    A number with d decimals stands for each k with |k / n - number| ≤ 10^-d / 2: a half may have
    been rounded up or down. A float stands for what it prints as.
    """
    share, decimals = _read_share(value)
    if share is None or not 0 <= share <= 1:
        must = "be a number from 0 to 1, or in percent, such as 0.792 or '79.2%'"
        raise InputError(name, must=must, got=describe(value))
    half = max(Fraction(1, 2 * 10**decimals), _FLOAT)
    least, most = math.ceil(n * (share - half)), math.floor(n * (share + half))
    if least > most:
        near = (f"{k / n:.{decimals + 1}g} ({k:,} of {n:,})" for k in (most, least))
        raise InputError(
            name,
            must=f"be the share of a number of {n:,} examples, perhaps rounded",
            got=describe(value),
            remedy=f"The nearest are {' and '.join(near)}",
        )
    return range(max(least, 0), min(most, n) + 1)


def _read_share(value: Any) -> tuple[Fraction | None, int]:
    """Return a number and how many decimals it prints; None if it is no number."""
    if is_number(value) or isinstance(value, (str, Decimal)):
        text = str(value).strip()
        is_percent = text.endswith("%")
        with suppress(InvalidOperation):
            number = Decimal(text.removesuffix("%").rstrip())
            exponent = number.as_tuple().exponent  # a letter if it is not finite
            if isinstance(exponent, int) and abs(exponent) <= _MOST_DECIMALS:
                hundred = 2 * is_percent
                return Fraction(number) / 10**hundred, max(hundred - exponent, 0)
    return None, 0


def _differing(lead: int, right1: range, right2: range, n: int) -> range:
    """Return how many examples may differ if system 1 has so many more right, in steps of 2.

    Of a and b right, up to min(a + b, 2 n - a - b) differ: the most if a + b is nearest to n.
    """
    first = max(right1[0], right2[0] + lead)
    last = min(right1[-1], right2[-1] + lead)
    total = 2 * min(max((n + lead) // 2, first), last) - lead
    return range(abs(lead), min(total, 2 * n - total) + 1, 2)


def _ends(numbers: range) -> tuple[int, int]:
    return numbers[0], numbers[-1]


def _sign_test(lead: int, n_differing: int, is_two_sided: bool) -> CertifiedProbability:
    """Return P(S ≥ lead), or P(|S| ≥ |lead|), of the sum S of so many fair signs."""
    threshold = abs(lead) if is_two_sided else lead
    if n_differing == 0 or (is_two_sided and lead == 0):
        return CertifiedProbability.exactly(1.0)
    line = Line(_ONE, n_differing * _ONE, n_differing)  # S = n_differing - 2 B
    tail, budget = LineTail(line, (n_differing - threshold) // 2, n_differing), Budget()
    choice = choose([(LINE, tail)], budget, lambda _: True)
    assert choice is not None
    p: CertifiedProbability = choice.run(budget, lambda _: None).p
    return p.doubled() if is_two_sided else p


def _most_significant(lead: int, n: int, alpha: float, is_two_sided: bool) -> int | None:
    """Return the largest number of differing examples with p ≤ α; None if there is none.

    p rises with that number if the lead is positive. Otherwise the lead is never significant.
    """
    if lead < 1:
        return None

    def is_too_many(n_differing: int) -> bool:
        return _sign_test(lead, n_differing, is_two_sided).value > alpha

    differing = range(lead, n + 1, 2)
    n_significant = bisect_left(differing, True, key=is_too_many)
    return differing[n_significant - 1] if n_significant else None
