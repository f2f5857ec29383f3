"""The true p-values and intervals of a paired bootstrap, by all resamples or their polynomial.

A law is a list of (value, weight), the weights in integers: of the n^n equally likely resamples,
how many give the value.
"""

import math
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement

import flint

from oracles import swaps


def exact(x):
    """The decimal that a number prints as."""
    return Fraction(str(x))


def excess(value, observed, alternative):
    """Positive where a resample is more extreme than the observed difference, 0 for a tie."""
    if alternative == "two-sided":
        return abs(value - observed) - abs(observed)
    return value - 2 * observed if alternative == "greater" else 2 * observed - value


def is_extreme(value, observed, alternative, ties="include", tolerance=0):
    beyond = excess(value, observed, alternative)
    return beyond >= -tolerance if ties == "include" else beyond > tolerance


def pvalue(law, observed, alternative="two-sided", ties="include", tolerance=0):
    """The share of a law of differences that is as extreme as the observed difference."""
    extreme = sum(w for x, w in law if is_extreme(x, observed, alternative, ties, tolerance))
    return Fraction(extreme, sum(w for _, w in law))


def assert_is(result, truth):
    """The p-value is the true one, and so certified."""
    assert (result.pvalue_kind, result.n_resamples) == ("certified", None)
    if truth == 0:
        assert (result.pvalue, result.log_pvalue) == (0.0, -math.inf)
        assert result.pvalue_interval == (0.0, 0.0)
        assert result.log_pvalue_interval == (-math.inf, -math.inf)
        found = result.to_dict()
        assert [found[key] for key in ("log_p", "log_p_low", "log_p_high")] == [None] * 3
    else:
        assert swaps.is_certified(result, truth), (result, float(truth))
        assert swaps.relative_error(result, truth) <= 1e-11, (result, float(truth))


def percentiles(law, confidence_level):
    """The least x with P(X <= x) >= alpha/2 and the greatest x with P(X >= x) >= alpha/2."""
    share = (1 - exact(confidence_level)) / 2 * sum(w for _, w in law)
    ends = []
    for values in (sorted(law), sorted(law, reverse=True)):
        reached = 0
        for x, weight in values:
            reached += weight
            if reached >= share:
                ends.append(x)
                break
    return tuple(ends)


def sampled_percentiles(law, confidence_level, n_resamples):
    """Within what the low end of a sample's percentile interval lies, and the high end.

    The shares of a sample are within 5 standard errors of alpha/2.
    """
    share = (1 - confidence_level) / 2
    error = 5 * math.sqrt(share * (1 - share) / n_resamples)
    narrow = percentiles(law, confidence_level - 2 * error)
    wide = percentiles(law, confidence_level + 2 * error)
    return (wide[0], narrow[0]), (narrow[1], wide[1])


# Means, by the polynomial (Σ c_v x^v)^n


def _lattice(values):
    """The values as integers, and the unit that they are multiples of."""
    values = [exact(x) for x in values]
    denominator = math.lcm(*(x.denominator for x in values))
    return [int(x * denominator) for x in values], Fraction(1, denominator)


def _power(integers, n):
    """(lowest, ways): ways[k] of the len(integers)^n draws have the sum lowest + k."""
    return _power_of(tuple(sorted(integers)), n)


@lru_cache(maxsize=8)  # for several alternatives, one after the other
def _power_of(integers, n):
    lowest = min(integers)
    coefficients = [0] * (max(integers) - lowest + 1)
    for x in integers:
        coefficients[x - lowest] += 1
    return n * lowest, (flint.fmpz_poly(coefficients) ** n).coeffs()


def mean_law(values):
    """The law of the mean of a resample."""
    integers, unit = _lattice(values)
    n = len(integers)
    lowest, ways = _power(integers, n)
    return [((lowest + k) * unit / n, int(w)) for k, w in enumerate(ways) if w]


def differences(counts1, counts2):
    return [exact(a) - exact(b) for a, b in zip(counts1, counts2, strict=True)]


def mean_pvalue(counts1, counts2, alternative="two-sided", ties="include"):
    d = differences(counts1, counts2)
    return pvalue(mean_law(d), sum(d) / len(d), alternative, ties)


def pvalue_with_one_huge(huge, small, alternative="two-sided", ties="include"):
    """Of means of the integers `small` and one that is huge, by how often the huge one is drawn."""
    n, observed, extreme = len(small) + 1, huge + sum(small), 0
    for n_huge in range(n + 1):
        lowest, ways = _power(small, n - n_huge)
        extreme += math.comb(n, n_huge) * sum(
            int(w)
            for k, w in enumerate(ways)
            if is_extreme(n_huge * huge + lowest + k, observed, alternative, ties)
        )
    return Fraction(extreme, n**n)


# Common denominators, by the polynomial of v = size (d / size - threshold)


def _reaching(d, sizes, threshold, sign, strict):
    """Of the resamples, how many have sign (Σ d / Σ size - threshold) >= 0, or > 0 if `strict`.

    Where all sizes drawn are 0 both scores are zero_division, and their difference is 0.
    """
    p, q, n = threshold.numerator, threshold.denominator, len(d)
    v = [sign * (q * x - p * size) for x, size in zip(d, sizes, strict=True)]

    def counted(values):
        if not values:
            return 0
        lowest, ways = _power(values, n)
        first = max(0, (1 if strict else 0) - lowest)
        return sum(map(int, ways[first:]))

    empty = [x for x, size in zip(v, sizes, strict=True) if size == 0]
    at_zero = -sign * threshold > 0 if strict else -sign * threshold >= 0
    return counted(v) - counted(empty) + (len(empty) ** n if at_zero else 0)


def common_pvalue(numerators1, numerators2, sizes, alternative="two-sided", ties="include"):
    """Of scores Σ numerator / Σ size, where both systems have the same integer sizes."""
    d = [int(a) - int(b) for a, b in zip(numerators1, numerators2, strict=True)]
    sizes, n, strict = [int(size) for size in sizes], len(d), ties == "exclude"
    observed = Fraction(sum(d), sum(sizes)) if sum(sizes) else Fraction(0)
    if alternative == "two-sided" and observed == 0 and not strict:
        return Fraction(1)
    upper, lower = 2 * observed, 2 * observed
    if alternative == "two-sided":
        upper, lower = observed + abs(observed), observed - abs(observed)
    total = 0
    if alternative != "less":
        total += _reaching(d, sizes, upper, 1, strict)
    if alternative != "greater":
        total += _reaching(d, sizes, lower, -1, strict)
    return Fraction(total, n**n)


def common_law(numerators, sizes, zero_division=0):
    """The law of Σ numerator / Σ size, both sums packed into one exponent."""
    n, lowest = len(sizes), min(map(int, numerators))
    width = n * (max(map(int, numerators)) - lowest) + 1
    packed = [int(x) - lowest + width * int(s) for x, s in zip(numerators, sizes, strict=True)]
    first, ways = _power(packed, n)
    law: Counter[Fraction] = Counter()
    for k, weight in enumerate(ways, first):
        if weight:
            size, above = divmod(k, width)
            law[Fraction(above + n * lowest, size) if size else exact(zero_division)] += int(weight)
    return list(law.items())


def spread(law):
    """The standard deviation."""
    total = sum(w for _, w in law)
    mean = sum(x * w for x, w in law) / total
    return math.sqrt(sum((x - mean) ** 2 * w for x, w in law) / total)


# Any score, by all resamples


def resamples(n: int):
    """All multisets of n of the n examples, each with the number of orders it comes in."""
    for indices in combinations_with_replacement(range(n), n):
        repeats = Counter(indices).values()
        yield list(indices), math.factorial(n) // math.prod(map(math.factorial, repeats))


class Enumeration:
    """The laws of both scores and their difference; `scores` is a function of the drawn indices.

    `tolerance` is for scores that are floats: what no two values of a score may be apart by.
    """

    def __init__(self, scores, n, tolerance=0):
        self.tolerance = tolerance
        self.score1, self.score2 = scores(list(range(n)))
        self.statistic = self.score1 - self.score2
        laws: tuple[Counter, ...] = Counter(), Counter(), Counter()
        for indices, weight in resamples(n):
            score1, score2 = scores(indices)
            for law, x in zip(laws, (score1 - score2, score1, score2), strict=True):
                law[x] += weight
        self.law, self.law1, self.law2 = (_merged(law, tolerance) for law in laws)

    def pvalue(self, alternative="two-sided", ties="include"):
        return pvalue(self.law, self.statistic, alternative, ties, self.tolerance)


def _merged(law, tolerance):
    merged: list[tuple] = []
    for x, weight in sorted(law.items()):
        if merged and x - merged[-1][0] <= tolerance:
            merged[-1] = (merged[-1][0], merged[-1][1] + weight)
        else:
            merged.append((x, weight))
    return merged


def mean_scores(counts1, counts2):
    columns = [[exact(x) for x in column] for column in (counts1, counts2)]
    return lambda indices: tuple(
        sum(column[k] for k in indices) / len(indices) for column in columns
    )


def ratio_scores(rows1, rows2, numerator, denominator, zero_division=0):
    """Of sums of rows with m columns, one weight for each column."""

    def score(rows, indices):
        above, below = (
            sum(exact(w) * exact(x) for k in indices for w, x in zip(weights, rows[k], strict=True))
            for weights in (numerator, denominator)
        )
        return above / below if below else exact(zero_division)

    return lambda indices: (score(rows1, indices), score(rows2, indices))
