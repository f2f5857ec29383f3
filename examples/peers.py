"""Other methods, for the benchmark: two-sided p-values of differences d, P(|Σ ±d| ≥ |Σ d|).

`algorithm4` is Algorithm 4 of Zmigrod, Vieira & Cotterell (NAACL 2022) as printed. `batched` is the
same in NumPy's way, and `counted_fft` is the best version of the idea. All three have an absolute
error of about 1e-16, whatever p is. `plain_monte_carlo` is their Algorithm 1 as it is usually
written in NumPy, and `monte_carlo` is its best version.
"""

from __future__ import annotations

import heapq
import math

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.signal import fftconvolve

SAMPLES = 20_000
CHUNK = 2**20  # coins held at once: in the cache, which is the fastest
PLAIN_CHUNK = 2**18  # the same, of 8 bytes each


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
    from scipy import stats

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


def plain_monte_carlo(
    differences: np.ndarray,
    n_samples: int = SAMPLES,
    rng: int | np.random.Generator = 0,
) -> float:
    """Return this share with a uniform random number per example, as it is usually written."""
    rng = np.random.default_rng(rng)
    observed, n = float(differences.sum()), differences.size
    differences = differences.astype(np.float64)
    n_rows, n_extreme = max(PLAIN_CHUNK // n, 1), 0
    for start in range(0, n_samples, n_rows):
        swapped = rng.random((min(n_rows, n_samples - start), n)) < 0.5
        sums = observed - 2.0 * (swapped @ differences)
        n_extreme += int(np.count_nonzero(np.abs(sums) >= abs(observed)))
    return n_extreme / n_samples
