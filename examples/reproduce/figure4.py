"""Figure 4 of the ACL submission: is the dynamic program faster than sampling?

Times the paired-permutation test of two simulated part-of-speech taggers (the
submission's Table 1; the second tagger's mean accuracy is 0.98 times the
first's) on up to 10,000 sentences:

  DP        the submission's dynamic program, method="dp"
  MC        Monte Carlo with 20,000 and 40,000 samples, in NumPy, with a uniform
            random number for each sentence and sample
  MC bits   the same, faster: a random bit for each sentence on which the
            taggers differ

Prints the median times as a table, and writes figure4.csv, with p-values and
ratios to the dynamic program's time, and figure4.png. Takes about two minutes.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: all methods run on one thread

from command import options
from figures import GREEN, PURPLE, VERMILION, Style
from runtimes import by_method, coins, computed, plain, report, save

SIZES = (500, *range(1000, 10_001, 1000))
QUICK_SIZES = (500, 1000)
METHODS = (computed("dp", "DP"), *(f(k) for f in (plain, coins) for k in (20_000, 40_000)))
STYLES = (
    Style(GREEN, "^"),
    *(Style(VERMILION, "D"), Style(PURPLE, "P")),
    *(Style(VERMILION, "D", "--"), Style(PURPLE, "P", "--")),
)


def main() -> None:
    """Print the table, write the files, say up to which N the dynamic program is faster."""
    asked = options(__doc__)
    sizes = QUICK_SIZES if asked.quick else SIZES
    rows = report(METHODS, sizes, asked)
    print("\nThe dynamic program is faster than")
    for label, ratios in list(by_method(METHODS, rows, "ratio_to_dp").items())[1:]:
        faster = [n for n, ratio in zip(sizes, ratios, strict=True) if ratio > 1.0]
        print(
            f"  {label:12} at {len(faster):2} of the {len(sizes)} sizes; that takes "
            f"{ratios[-1]:.2f} times as long at N = {sizes[-1]:,}"
        )
    print()
    save(
        asked.output / "figure4",
        METHODS,
        rows,
        STYLES,
        "Runtime of the dynamic program and of Monte Carlo (MC:\n"
        "number of samples), after Figure 4 of the ACL submission",
    )


if __name__ == "__main__":
    main()
