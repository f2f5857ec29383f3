"""Figure 3 and Table 2 of the ACL submission: how far off is Monte Carlo?

Draws five pairs of simulated part-of-speech taggers (the submission's Table 1)
for each number N of sentences, where the second tagger's mean accuracy is
lowered by a factor (its Table 2), estimates each p-value five times by Monte
Carlo with K samples, and compares with the exact one: the relative error is
|estimate - p| / p. As the submission does (its footnote 4), errors above 10 are
left out of the mean, but they are counted here, and nothing is left out of the
median and the maximum.

Prints both tables, and writes figure3.csv, figure3.png and table2.csv: mean and
standard deviation of p over these five pairs, over 200 (five are few: one large
p makes up most of their mean), and in the submission. Takes some ten seconds.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: on one thread

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

import numpy as np
from command import options
from figures import BLACK, BLUE, GREEN, ORANGE, PURPLE, VERMILION, Style, draw_lines
from tables import print_rows, write_csv
from taggers import systems

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmark_peers import monte_carlo

from pairedperm import paired_permutation_test

TABLE2 = {  # N: factor, and the submission's mean and standard deviation of p
    250: (0.95, 0.0512, 0.1351),
    500: (0.96, 0.0189, 0.0656),
    1000: (0.97, 0.0153, 0.0534),
    2000: (0.98, 0.0202, 0.0536),
    4000: (0.985, 0.0170, 0.0538),
    8000: (0.99, 0.0360, 0.1146),
}
SAMPLES = (1000, 2500, 5000, 10_000, 20_000, 40_000)
QUICK_SAMPLES = SAMPLES[:3]
N_PAIRS, N_RUNS, N_MORE_PAIRS = 5, 5, 200
LARGEST = 10.0  # relative errors above are discarded
STYLES = (
    *(Style(BLACK, "o"), Style(ORANGE, "s", "--"), Style(BLUE, "^")),
    *(Style(GREEN, "v", "-."), Style(VERMILION, "D", ":"), Style(PURPLE, "P", "--")),
)

Row = dict[str, Any]


def pairs_of(n: int, seed: int) -> tuple[list[np.ndarray], list[float]]:
    """Differences of the pairs that are sampled, and exact p-values of these and more."""
    rng = np.random.default_rng([seed, n])
    pairs = [systems(n, TABLE2[n][0], rng) for _ in range(N_MORE_PAIRS)]
    pvalues = [paired_permutation_test(*pair, method="exact").pvalue for pair in pairs]
    return [scores1 - scores2 for scores1, scores2 in pairs[:N_PAIRS]], pvalues


def errors_of(
    differences: Sequence[np.ndarray], pvalues: Sequence[float], k: int, rng: np.random.Generator
) -> list[float]:
    """Relative errors of all runs with k samples on all pairs."""
    return [
        abs(monte_carlo(d, k, rng) - p) / p
        for d, p in zip(differences, pvalues, strict=True)
        for _ in range(N_RUNS)
    ]


def error_row(n: int, k: int, errors: Sequence[float]) -> Row:
    """A row of figure3.csv."""
    kept = [error for error in errors if error <= LARGEST]
    return {
        "n": n,
        "factor": TABLE2[n][0],
        "k": k,
        "errors": len(errors),
        "discarded": len(errors) - len(kept),
        "mean_error_of_kept": mean(kept),
        "median_error": median(errors),
        "max_error": max(errors),
    }


def pvalue_row(n: int, pvalues: Sequence[float]) -> Row:
    """A row of table2.csv."""
    factor, paper_mean, paper_sd = TABLE2[n]
    few = pvalues[:N_PAIRS]
    return {
        "n": n,
        "factor": factor,
        f"mean_p_{N_PAIRS}_pairs": mean(few),
        f"sd_p_{N_PAIRS}_pairs": stdev(few),
        f"mean_p_{N_MORE_PAIRS}_pairs": mean(pvalues),
        f"sd_p_{N_MORE_PAIRS}_pairs": stdev(pvalues),
        "mean_p_submission": paper_mean,
        "sd_p_submission": paper_sd,
    }


def experiment(
    samples: Sequence[int], seed: int, figure3: list[Row], table2: list[Row]
) -> Iterator[list[str]]:
    """A line of errors for each N, as soon as it is done; the lists get the CSVs' rows."""
    for n in TABLE2:
        differences, pvalues = pairs_of(n, seed)
        table2.append(pvalue_row(n, pvalues))
        rng = np.random.default_rng([seed, n, 1])
        rows = [error_row(n, k, errors_of(differences, pvalues[:N_PAIRS], k, rng)) for k in samples]
        figure3 += rows
        yield [f"{n:,}", *(f"{row['mean_error_of_kept']:.3f} ({row['discarded']})" for row in rows)]


def main() -> None:
    """Print the tables, write the files."""
    asked = options(__doc__)
    samples = QUICK_SAMPLES if asked.quick else SAMPLES
    figure3: list[Row] = []
    table2: list[Row] = []
    print(f"Mean relative error of Monte Carlo with K samples (discarded, > {LARGEST:g})\n")
    columns = [r"N \ K", *(f"{k:,}".rjust(9) for k in samples)]
    print_rows(columns, experiment(samples, asked.seed, figure3, table2))
    n_discarded = sum(row["discarded"] for row in figure3)
    n_errors = sum(row["errors"] for row in figure3)
    print(f"\n{n_discarded} of {n_errors} relative errors are discarded.\n")
    print(f"p over {N_PAIRS} and {N_MORE_PAIRS} pairs, and in the submission: mean, deviation\n")
    columns = ["N", "factor", *(f"{a}, {b}" for b in ("5", "200", "sub.") for a in ("mean", "sd"))]
    print_rows(
        columns,
        (
            [f"{n:,}", f"{factor:g}", *(f"{p:.4f}" for p in pvalues)]
            for n, factor, *pvalues in (row.values() for row in table2)
        ),
    )
    print()
    write_csv(asked.output / "figure3.csv", figure3)
    write_csv(asked.output / "table2.csv", table2)
    draw_lines(
        asked.output / "figure3.png",
        {
            f"N = {n:,}": (samples, [row["mean_error_of_kept"] for row in figure3 if row["n"] == n])
            for n in TABLE2
        },
        STYLES,
        "Relative error of Monte Carlo: mean of 25 without those > 10,\n"
        "after Figure 3 of the ACL submission",
        ("K (samples)", "mean relative error of p"),
    )


if __name__ == "__main__":
    main()
