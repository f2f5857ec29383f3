"""What must hold of a result, given the true p-value: each check that fails is one sentence."""

import math
from fractions import Fraction

import numpy as np

from campaigns.exact import truths
from oracles import swaps as oracle

RELATIVE, ABSOLUTE = 1e-11, 1e-12  # what "exact" promises
OF_FFT = 1e-13  # not proven: five times the largest that was measured
LEAST_OF_DP = Fraction(1, 10**290)  # below it dp knows its interval only
DRAWS = 7.0  # standard errors that a sampled share is never away from the truth


def error_of(result, truth, promise):
    """How wrong a certified p-value is, in the sense of its promise."""
    relative = truths.log_error(result, truth)
    if result.method == "fft" or promise == "absolute":
        return min(relative, float(abs(Fraction(result.pvalue) - truth)))
    return relative


def allowed(result, truth, promise, is_coarse):
    """The error that a method may have, apart from its interval."""
    if is_coarse or result.method == "bracket" or may_tie(result):
        return math.inf
    if result.method in ("rational", "enumeration"):
        return 4e-16 if truth > Fraction(1, 10**300) else 1e-14
    if result.method == "fft":
        return OF_FFT
    if result.method == "dp":
        return RELATIVE if truth > LEAST_OF_DP else math.inf
    return RELATIVE if promise == "relative" else ABSOLUTE


def may_tie(result):
    """Whether rounding of the rows decides what ties among all swaps."""
    low, high = result.pvalue_interval
    return result.method == "enumeration" and high > low * (1.0 + 1e-15)


def certified(result, truth, promise, is_coarse):
    """What is wrong with a p-value that is said to be certified."""
    found = []
    low, high = result.pvalue_interval
    if not Fraction(low) <= truth <= Fraction(high):
        found.append("the interval does not hold the truth")
    if not 0.0 <= low <= result.pvalue <= high <= 1.0:
        found.append("not 0 <= low <= pvalue <= high <= 1")
    log_low, log_high = result.log_pvalue_interval
    if not log_low <= result.log_pvalue <= log_high <= 0.0:
        found.append("not log_low <= log_pvalue <= log_high <= 0")
    if truth == 0 and log_low != -math.inf:
        found.append("the interval of the logarithm does not hold that of 0")
    if 0 < truth < 1 and not (log_low <= oracle.log(truth) and oracle.log(truth) <= log_high):
        found.append("the interval of the logarithm does not hold the truth")
    if not error_of(result, truth, promise) <= allowed(result, truth, promise, is_coarse):
        found.append("the p-value is further from the truth than promised")
    fraction = getattr(result, "fraction", None)
    if fraction is not None and not may_tie(result) and fraction != truth:
        found.append("the fraction is not the truth")
    upper = high if fraction is None else float(fraction)  # the end, before it is rounded up
    if may_tie(result) and not math.nextafter(high, 0.0) <= upper <= high:
        found.append("the fraction is not the upper end of its interval")
    if result.method in ("rational", "enumeration") and not may_tie(result) and fraction is None:
        found.append("there is no fraction")
    if (result.method == "bracket" or may_tie(result)) and result.pvalue != upper:
        found.append("the p-value is not the upper end of its interval")
    return found


def sampled(result, truth, is_tied):
    """What is wrong with a p-value that is sampled; `is_tied` where rounded sums may tie."""
    found = []
    m = result.n_resamples
    k = round(result.pvalue * (m + 1)) - 1
    if not 0 <= k <= m or result.pvalue != (k + 1) / (m + 1):
        return ["the p-value is not (k + 1) / (m + 1)"]
    low, high = result.pvalue_interval
    if not 0.0 <= low <= result.pvalue <= high <= 1.0:
        found.append("not 0 <= low <= pvalue <= high <= 1")
    deviation = abs(k - float(m * truth))
    if not is_tied and deviation > DRAWS * math.sqrt(float(m * truth * (1 - truth))) + 12.0:
        found.append("the sampled share is too far from the truth for chance")
    if result.log_pvalue != math.log(result.pvalue):
        found.append("the logarithm is not that of the p-value")
    return found


def same(one, other):
    """Whether two results are the same bits."""
    return one.to_dict() == other.to_dict()


def null(result, case, alternative_truth):
    """What is wrong with the null distribution; `alternative_truth` is P(D <= observed)."""
    law, found = result.null_distribution(budget={"max_points": 2**18, "max_bytes": 2**24}), []
    if abs(math.fsum(law.pmf.tolist()) - 1.0) > 1e-12 or (law.pmf < 0.0).any():
        found.append("the masses are no probabilities")
    if law.support.dtype != float or (law.support[1:] <= law.support[:-1]).any():
        found.append("the support does not ascend")
    scale = max(abs(law.support).max(), abs(result.score1 or 0.0), abs(result.score2 or 0.0))
    if case.n_systems and abs(law.support + law.support[::-1]).max() > 1e-12 * scale:
        found.append("the support is not symmetric")
    at = result.statistic + (0.0 if case.law else case.nearness * scale)
    truth = case.law() if case.law else None
    if truth is not None:
        alternative_truth = sum(mass for value, mass in truth.items() if value <= at)
    elif not (np.diff(law.support) > 4.0 * np.spacing(abs(law.support[0]))).all():
        alternative_truth = None  # several values are one float, which the p-value tells apart
    if alternative_truth is not None and abs(float(law.cdf(at)) - float(alternative_truth)) > 1e-12:
        found.append("the distribution function at the observed value is not the truth")
    if truth is not None:
        if law.support.tolist() != list(truth):
            found.append("the support is not the true one")
        elif max(abs(a - float(b)) for a, b in zip(law.pmf, truth.values(), strict=True)) > 2e-15:
            found.append("a mass is off by more than 1e-15")
    return found


def intervals(result, truth):
    """What is wrong with percentile intervals; of each the truth, or None where unclear."""
    given = result.confidence_interval, result.score1_interval, result.score2_interval
    return [
        "a percentile interval is not the true one"
        for ends, right in zip(given, truth, strict=True)
        if right is not None
        and any(abs(a - b) > 1e-12 * max(abs(b), 1.0) for a, b in zip(ends, right, strict=True))
    ]
