"""What p can be, given only how many examples each system has right."""

from __future__ import annotations

import math
import sys
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

import numpy as np

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import choose
from pairedperm.convolution.line.tail import LINE, Line, LineTail
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, describe
from pairedperm.inputs.ids import read_named
from pairedperm.options import ALPHA, Alpha, Alternative, Budget
from pairedperm.options.constraints import Whole, is_number, reads_options
from pairedperm.results.bounds_result import NeighbourBounds, PvalueBounds, SystemPair

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
    agreement: Any = None,
    alternative: Alternative = "two-sided",
    alpha: Alpha = ALPHA,
) -> PvalueBounds:
    """Which p can a paired test give, if only two accuracies are known?

    Two systems were run on the same n examples, and each example is right or wrong. p depends on
    how many examples only one system has right. Two numbers of right answers bound it.

    Parameters
    ----------
    correct1, correct2 : int, or float, str or Decimal
        How many examples system 1, and system 2, has right. With ``accuracies=True`` the shares of
        these as printed, from 0 to 1, such as ``0.792``, or as text in percent, ``"79.2%"``. An
        accuracy stands for each number that rounds to it, so its digits count: the float 0.8 has
        one decimal, the text ``"0.800"`` has three.
    n : int
        The number of examples, the same ones for both systems; at most 10^7.
    accuracies : bool
        Whether `correct1` and `correct2` are accuracies.
    agreement : float, str, Decimal or None
        The share of examples that both systems have right or both have wrong, read like an
        accuracy. None: it is not known.
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
        accuracy, or two systems with these accuracies cannot have the agreement.

    Notes
    -----
    Only for accuracies of single examples: not for F1 or BLEU, averages over tasks or over several
    runs of an example, nor examples in groups.

    Let a and b be the numbers of right answers, t = a - b, and L the smaller one of the numbers of
    examples that only one system has right. Then m = 2 L + |t| examples differ. There are data for
    each L from 0 to min(a, b, n - a, n - b), so m is up to M = min(a + b, 2 n - a - b). Let S be
    the sum of m fair signs ±1. p is P(S ≥ t), for "less" P(S ≥ -t), two-sided P(|S| ≥ |t|).

    p rises with m for t ≥ 1, and falls for t ≤ 0, so its ends are those of m. Proof: two more signs
    add -2, 0 or 2 with probabilities 1/4, 1/2 and 1/4. So P(S ≥ t) grows by
    (P(S = t - 2) - P(S = t)) / 4. The law of S is symmetric and falls from its middle on. The first
    mass is not smaller if |t - 2| ≤ |t|, that is for t ≥ 1, and not larger for t ≤ 0.

    If accuracies stand for several numbers, the least and the largest t have the ends of p. Proof:
    one more right answer of system 1, or one less of system 2, takes t to t + 1. Then |t| and M,
    and the ends of m that an agreement allows, move by 1 up or down. With a sign more,
    P(S ≥ t + 1) is the mean of P(S' ≥ t) and P(S' ≥ t + 2) of one sign less, at most the first.
    With a sign less, P(S ≥ t + 1) is at most the mean of it and P(S ≥ t - 1), which is P(S' ≥ t) of
    one sign more. So p does not grow. If the agreement allows one m only, t goes to t + 2.

    Examples
    --------
    >>> from pairedperm import pvalue_bounds
    >>> print(pvalue_bounds(396, 378, n=500))
    396 against 378 of 500 examples are right: 79.20% against 75.60%
    p from 7.63e-6 to 0.258, two-sided
    a significant difference at α = 0.05 if at most 74 examples differ, an agreement
      of 85.2% or more
    >>> pvalue_bounds("0.85", "0.70", n=20, accuracies=True).is_significant
    False
    """
    given = {"correct1": correct1, "correct2": correct2}
    right1, right2 = (_read_right(Name(x), y, n, accuracies) for x, y in given.items())
    data = _Data(right1, right2, n)
    if agreement is not None:
        agreeing = read_printed_share(Name("agreement"), agreement, n)
        data = data._replace(least=n - agreeing[-1], most=n - agreeing[0])
    bounds = _bounds(data, alternative, alpha)
    if bounds is None:
        raise InputError(Name("agreement"), must=data.possible(), got=describe(agreement))
    return bounds


@reads_options
def neighbour_bounds(
    systems: Mapping[str, Any] | Sequence[tuple[str, Any]],
    n: _NExamples,
    *,
    accuracies: bool = False,
    alpha: Alpha = ALPHA,
) -> NeighbourBounds:
    """Which neighbours in a table of accuracies can differ significantly, and which must?

    Parameters
    ----------
    systems : dict from str to int, float, str or Decimal, or list of such pairs
        How many examples each system has right, or its accuracy, see `pvalue_bounds`.
    n, accuracies, alpha
        See `pvalue_bounds`.

    Returns
    -------
    NeighbourBounds
        The two-sided bounds of each system and the next one, the best first; to print. p is not
        adjusted for the number of pairs.

    Raises
    ------
    InputError
        As `pvalue_bounds`. If there are fewer than two systems, or two have the same name.

    Examples
    --------
    >>> from pairedperm import neighbour_bounds
    >>> print(neighbour_bounds({"small": 310, "large": 396, "medium": 378}, n=500))
    system  next system   least p  largest p           significant
    large        medium   7.63e-6      0.258  if at most 74 differ
    medium        small  6.78e-21   0.000141               must be
    <BLANKLINE>
    Neighbours among 3 systems, 500 examples, by accuracy.
    Of 2 differences, 1 must be significant, and 0 cannot be (two-sided, p not
    adjusted, α = 0.05).
    """
    named = read_named("systems", systems, "right answers", 2)
    right = {x: _read_right(Name("systems", (x,)), y, n, accuracies) for x, y in named.items()}
    best_first = sorted(right, key=lambda x: -sum(_ends(right[x])))
    pairs = []
    for one, two in pairwise(best_first):
        bounds = _bounds(_Data(right[one], right[two], n), "two-sided", alpha)
        assert bounds is not None  # without an agreement there are such data
        pairs.append(SystemPair(one, two, bounds))
    return NeighbourBounds(tuple(best_first), tuple(pairs), n, alpha)


def _read_right(name: Name, value: Any, n: int, accuracies: bool) -> range:
    """Return how many examples may be right."""
    if accuracies:
        return read_printed_share(name, value, n)
    words = Parts("an integer from 0 to ", Name("n"), f", {n:,}")
    remedy = Parts("For accuracies, set ", Name("accuracies"))
    right = Whole(0, n, words=words, remedy=remedy).read(name.argument, value, name.at)
    return range(right, right + 1)


def read_printed_share(name: Name, value: Any, n: int) -> range:
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


class _Data(NamedTuple):
    """How many of n examples each system may have right, and how many may differ."""

    right1: range
    right2: range
    n: int
    least: int = 0
    most: int = sys.maxsize

    def differing(self, lead: int) -> range:
        """Return how many examples may differ if system 1 has so many more right, in steps of 2.

        Of a and b right, up to min(a + b, 2 n - a - b) differ: the most if a + b is nearest to n.
        """
        first = max(self.right1[0], self.right2[0] + lead)
        last = min(self.right1[-1], self.right2[-1] + lead)
        if first > last:
            return range(0)
        total = 2 * min(max((self.n + lead) // 2, first), last) - lead
        low = max(abs(lead), self.least)
        low += (low - lead) % 2
        return range(low, min(total, 2 * self.n - total, self.most) + 1, 2)

    def leads(self) -> tuple[int, int] | None:
        """Return the least and the greatest lead of system 1; None if there are no such data."""
        first, last = self.right1[0] - self.right2[-1], self.right1[-1] - self.right2[0]
        leads = range(max(first, -self.most), min(last, self.most) + 1)
        least = next(filter(self.differing, leads), None)
        return None if least is None else (least, next(filter(self.differing, reversed(leads))))

    def possible(self) -> str:
        """Say which agreements these numbers of right answers allow."""
        one, two, n = self.right1, self.right2, self.n
        least = max(one[0] - two[-1], two[0] - one[-1], 0)
        total = min(max(n, one[0] + two[0]), one[-1] + two[-1])
        parity = ("an even m", "an odd m")[least % 2] if len(one) == len(two) == 1 else "an m"
        return f"be 1 - m / {n:,} for {parity} from {least:,} to {min(total, 2 * n - total):,}"


def _bounds(data: _Data, alternative: str, alpha: float) -> PvalueBounds | None:
    """Return the ends of p over all data; None if there are none."""
    right1, right2 = data.right1, data.right2
    is_two_sided = alternative == "two-sided"
    if alternative == "less":
        data = data._replace(right1=data.right2, right2=data.right1)
    if (leads := data.leads()) is None:
        return None
    ends = [_sign_test(x, m, is_two_sided) for x in leads for m in _ends(data.differing(x))]
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
        most_differing = _most_significant(least, data.n, alpha, is_two_sided)
    return PvalueBounds(
        correct1=_ends(right1),
        correct2=_ends(right2),
        n=data.n,
        p_low=low.value,
        p_high=high.value,
        log_p_low=low.log,
        log_p_high=high.log,
        is_significant=is_significant,
        most_differing=most_differing,
        alternative=alternative,
        alpha=alpha,
    )


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
