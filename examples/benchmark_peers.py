"""Other methods, for the benchmarks: two-sided p-values of differences d, P(|Σ ±d| ≥ |Σ d|).

`algorithm4` is Algorithm 4 of Zmigrod, Vieira & Cotterell (NAACL 2022) as printed. `batched` is the
same in NumPy's way, and `counted_fft` is the best version of the idea. All three have an absolute
error of about 1e-16, whatever p is. `monte_carlo` is their Algorithm 1, with a random bit for each
example. The others are tests of SciPy, and a loop with scikit-learn's F1, of what they say.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy import stats
from scipy.fft import irfft, next_fast_len, rfft
from scipy.signal import fftconvolve

SAMPLES = 20_000
CHUNK = 2**20  # coins held at once: in the cache, which is the fastest
SWAPS, BATCH = 2_000, 10**7  # of scipy.stats.permutation_test: swaps, and coins held at once
BOARD_SWAPS = 9_999  # of a pair of systems of a leaderboard
RESAMPLES, DRAWN_AT_ONCE = 99, 10**5  # of scipy.stats.bootstrap


def algorithm4(differences: np.ndarray) -> float:
    """Sum both tails of the mass function of S on -Σ |d| … Σ |d|."""
    laws = [np.bincount([0, 2 * abs(d)]) / 2 for d in differences.tolist()]  # ±d, on -|d| … |d|
    mass = convolve_by_halves(laws)
    support = np.arange(mass.size) - mass.size // 2
    return float(mass[np.abs(support) >= abs(differences.sum())].sum())


def convolve_by_halves(laws: list[np.ndarray]) -> np.ndarray:
    """Convolve the laws by recursive halving, as Algorithm 4 does."""
    if len(laws) == 1:
        return laws[0]
    middle = len(laws) // 2
    return fftconvolve(convolve_by_halves(laws[:middle]), convolve_by_halves(laws[middle:]))


def batched(differences: np.ndarray) -> float:
    """Run Algorithm 4 with all pairs of a level convolved at once, as rows of an array.

    Each example's law is that of B in {0, |d|}; p = 2 P(Σ B ≤ (Σ |d| - |t|) / 2). The shortest
    law is paired with the longest, so that rows are nearly of one length.
    """
    observed, ends = abs(int(differences.sum())), np.sort(np.abs(differences[differences != 0]))
    if observed == 0:
        return 1.0
    total = int(ends.sum())
    laws = np.zeros((ends.size, int(ends[-1]) + 1))
    laws[:, 0] = 0.5
    laws[np.arange(ends.size), ends] = 0.5
    while len(laws) > 1:
        if len(laws) % 2:  # a law of 0 makes the number even
            laws = np.concatenate((np.eye(1, laws.shape[1]), laws))
            ends = np.concatenate(([0], ends))
        half = len(laws) // 2
        ends = ends[:half] + ends[: half - 1 : -1]
        laws = convolve_rows(laws[:half], laws[: half - 1 : -1], int(ends.max()) + 1)
        order = np.argsort(ends, kind="stable")
        laws, ends = laws[order], ends[order]
    return 2.0 * float(laws[0, : (total - observed) // 2 + 1].sum())


def convolve_rows(laws1: np.ndarray, laws2: np.ndarray, size: int) -> np.ndarray:
    """Convolve row by row; masses beyond `size` are 0."""
    width = laws1.shape[1]
    if width > 8:
        length = next_fast_len(size, real=True)
        return irfft(rfft(laws1, length) * rfft(laws2, length), length)[:, :size]
    result = np.zeros((len(laws1), 2 * width - 1))
    for k in range(width):
        result[:, k : k + width] += laws1 * laws2[:, k : k + 1]
    return result[:, :size]


def counted_fft(differences: np.ndarray) -> float:
    """Return 2 P(B ≤ (Σ |d| - |t|) / 2): S = Σ |d| - 2 B, B a sum of multiples of binomials."""
    observed = abs(int(differences.sum()))
    if observed == 0:
        return 1.0
    counts = np.bincount(np.abs(differences))
    values = np.flatnonzero(counts[1:]) + 1
    laws = [(int(d * counts[d]), int(d), multiple_of_binomial(int(d), counts[d])) for d in values]
    heapq.heapify(laws)
    while len(laws) > 1:
        end1, _, mass1 = heapq.heappop(laws)
        end2, key, mass2 = heapq.heappop(laws)
        heapq.heappush(laws, (end1 + end2, key, convolve(mass1, mass2)))
    total, _, mass = laws[0]
    return 2.0 * float(mass[: (total - observed) // 2 + 1].sum())


def multiple_of_binomial(d: int, count: int) -> np.ndarray:
    """Return the mass function of d · Binomial(count, ½), by ratios from the middle outwards."""
    k = np.arange(count // 2, count)
    upper = np.concatenate(([1.0], np.cumprod((count - k) / (k + 1.0))))
    binomial = np.concatenate((upper[:0:-1], upper[count % 2 :]))
    mass = np.zeros(d * count + 1)
    mass[::d] = binomial / binomial.sum()
    return mass


def convolve(mass1: np.ndarray, mass2: np.ndarray) -> np.ndarray:
    """Return the mass function of the sum of two independent variables."""
    if min(mass1.size, mass2.size) <= 256:
        return np.convolve(mass1, mass2)
    size = mass1.size + mass2.size - 1
    length = next_fast_len(size, real=True)
    return irfft(rfft(mass1, length) * rfft(mass2, length), length)[:size]


def wilcoxon(differences: np.ndarray) -> float:
    """Return SciPy's p-value for signed ranks: the same statistic, its law by additions."""
    return float(stats.wilcoxon(differences, method="exact").pvalue)


def monte_carlo(
    differences: np.ndarray,
    n_samples: int = SAMPLES,
    rng: int | np.random.Generator = 0,
) -> float:
    """Return the share of samples with |S| ≥ |t|: a random bit for each differing example."""
    rng = np.random.default_rng(rng)
    differences = differences[differences != 0]
    observed, n = int(differences.sum()), differences.size
    exact = np.float32 if np.abs(differences).sum() < 2**24 else np.float64  # sums are, in it
    differences = differences.astype(exact)
    n_rows, n_bytes, n_extreme = max(CHUNK // n, 1), (n + 7) // 8, 0
    for start in range(0, n_samples, n_rows):
        shape = min(n_rows, n_samples - start), n_bytes
        coins = np.frombuffer(rng.bytes(math.prod(shape)), np.uint8).reshape(shape)
        coins = np.unpackbits(coins, axis=1, count=n).astype(exact)
        sums = observed - 2.0 * (coins @ differences)
        n_extreme += int(np.count_nonzero(np.abs(sums) >= abs(observed)))
    return n_extreme / n_samples


def permuted(
    one: np.ndarray, two: np.ndarray, score: Callable[..., Any], n_swaps: int, batch: int
) -> float:
    """Return SciPy's p-value for the difference of a score of rows (..., n)."""

    def difference(one: np.ndarray, two: np.ndarray, axis: int = -1) -> Any:
        return score(one, axis) - score(two, axis)

    found = stats.permutation_test(
        (one, two),
        difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=n_swaps,
        batch=batch,
        random_state=np.random.default_rng(0),  # `rng` from SciPy 1.15 on
    )
    return float(found.pvalue)


def f1_of_counts(counts1: np.ndarray, counts2: np.ndarray) -> float:
    """Return SciPy's p-value for F1 of rows of 2 tp and predicted + gold.

    One number holds both counts, so that they are swapped together.
    """
    pack = 2**30

    def score(packed: np.ndarray, axis: int) -> Any:
        total = packed.sum(axis)
        return total // pack / (total % pack)

    one, two = (counts[:, 0] * pack + counts[:, 1] for counts in (counts1, counts2))
    return permuted(one, two, score, SWAPS, max(BATCH // len(counts1), 1))


def accuracy_of_labels(one: np.ndarray, two: np.ndarray, gold: np.ndarray) -> float:
    """Return SciPy's p-value for the difference of accuracies."""

    def score(is_right: np.ndarray, axis: int) -> Any:
        return np.count_nonzero(is_right, axis) / len(gold)

    return permuted(one == gold, two == gold, score, BOARD_SWAPS, 1_000)


def f1_of_label(one: np.ndarray, two: np.ndarray, gold: np.ndarray, label: int) -> float:
    """Return SciPy's p-value for the difference of the F1 of one label."""
    is_gold = gold == label
    n_gold = np.count_nonzero(is_gold)

    def score(is_found: np.ndarray, axis: int) -> Any:
        n_true = np.count_nonzero(is_found & is_gold, axis)
        return 2.0 * n_true / (np.count_nonzero(is_found, axis) + n_gold)

    return permuted(one == label, two == label, score, BOARD_SWAPS, 1_000)


def mcnemar(one: np.ndarray, two: np.ndarray, gold: np.ndarray) -> float:
    """Return the p-value of McNemar's exact test, of the examples that one system has right."""
    right1, right2 = one == gold, two == gold
    n_only1, n_only2 = (int(np.count_nonzero(x)) for x in (right1 & ~right2, right2 & ~right1))
    return only_one_right(n_only1, n_only2)


def only_one_right(n_only1: int, n_only2: int) -> float:
    """Return McNemar's exact p-value from how many examples only one system has right."""
    n = n_only1 + n_only2
    return float(stats.binomtest(n_only1, n).pvalue) if n else 1.0


def bootstrap_interval(one: np.ndarray, two: np.ndarray) -> None:
    """Compute SciPy's percentile interval of the mean difference, in the fastest batches."""
    options = {"batch": max(DRAWN_AT_ONCE // one.size, 1), "rng": np.random.default_rng(0)}
    options |= {"vectorized": True, "method": "percentile", "n_resamples": RESAMPLES}
    stats.bootstrap((one - two,), np.mean, **options)


def looped_bootstrap(
    columns: Sequence[np.ndarray], n_resamples: int, rng: np.random.Generator
) -> float:
    """Return the bootstrap's p for macro-F1: two calls of scikit-learn for each resample."""
    from sklearn.metrics import f1_score

    def difference(one: np.ndarray, two: np.ndarray, gold: np.ndarray) -> float:
        score = partial(f1_score, gold, average="macro", zero_division=0)
        return score(one) - score(two)

    observed, n = difference(*columns), len(columns[-1])
    drawn = (rng.integers(n, size=n) for _ in range(n_resamples))
    found = np.array([difference(*(x[chosen] for x in columns)) for chosen in drawn])
    n_extreme = np.count_nonzero(np.abs(found - observed) >= abs(observed) - 1e-12)
    return float(n_extreme + 1) / (n_resamples + 1)
