"""Figure 1 of Zmigrod, Vieira & Cotterell (NAACL 2022): how long do tests take?

Times the paired-permutation test of two simulated part-of-speech taggers (the
paper's Table 1; the second tagger's mean accuracy is 0.98 times the first's)
on N sentences:

  exact     pairedperm's own method, which the paper does not have
  FFT       the paper's Algorithm 4, method="fft"
  DP        the paper's Algorithm 3, method="dp"
  MC        the paper's Algorithm 1: Monte Carlo with 5,000 to 40,000 samples,
            in NumPy, with a uniform random number for each sentence and sample
  MC bits   the same, faster: a random bit for each sentence on which the
            taggers differ

Prints the median times as a table, and writes figure1.csv, with p-values and
ratios to the exact method's time, and figure1.png. Takes about a minute.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: all methods run on one thread

from command import options
from figures import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, Style
from runtimes import by_method, coins, computed, plain, report, save

SIZES = (500, 1000, 2000, 4000, 6000, 8000, 10_000)
QUICK_SIZES = (500, 1000)
FFT, BITS, MC = computed("fft", "FFT"), coins(20_000), plain(20_000)
METHODS = (
    *(computed("exact", "exact"), FFT, computed("dp", "DP")),
    *(plain(5000), plain(10_000), MC, plain(40_000), BITS),
)
STYLES = (
    *(Style(BLACK, "o"), Style(BLUE, "s"), Style(GREEN, "^")),
    *(Style(SKY, "v", ":"), Style(ORANGE, "<", "-."), Style(VERMILION, "D"), Style(PURPLE, "P")),
    Style(VERMILION, "D", "--"),
)


def main() -> None:
    """Print the table, write the files, say the ratios at the largest N."""
    asked = options(__doc__)
    sizes = QUICK_SIZES if asked.quick else SIZES
    rows = report(METHODS, sizes, asked)
    ratios = by_method(METHODS, rows, "ratio_to_exact")
    print(f"\nAt N = {sizes[-1]:,}, times as long as exact:")
    print(f"  FFT                                           {ratios[FFT.label][-1]:6.1f}")
    print(f"  Monte Carlo, K = 20,000                       {ratios[MC.label][-1]:6.1f}")
    print(f"  Monte Carlo, K = 20,000, one random bit each  {ratios[BITS.label][-1]:6.1f}\n")
    save(
        asked.output / "figure1",
        METHODS,
        rows,
        STYLES,
        "Runtime of a paired-permutation test (MC: number of samples),\n"
        "after Figure 1 of Zmigrod et al. (2022)",
    )


if __name__ == "__main__":
    main()
