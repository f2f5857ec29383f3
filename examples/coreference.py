"""Compare two coreference systems on 22 documents, exactly and by approximate randomization.

    python examples/coreference.py [--trials TRIALS] [--seed SEED]

The documents' scores by MUC, CEAF (mentions and entities) and B³ are in `data/conll_coref`, as the
CoNLL scorer printed them (see `data/README.md`). They are compared by the three aggregators of
art, a program for approximate randomization: F1, recall, and the average of one number of each
document, here its recall numerator.

p          the exact p-value of all 2^22 swaps, by `pairedperm.paired_permutation_test`
sampled p  approximate randomization, written out here without code of the exact test. A trial
           swaps each document's rows by the toss of a coin. If k trials have a difference at least
           as large as observed, in either direction, p is (k + 1) / (trials + 1)
off        sampled p - p, in standard errors of a share of so many trials

Sampled differences tie if they are within 1e-12. The exact test of a mean takes floats as they are,
so that not all sums of thirds tie: the average by B³ has p = 0.0607. The upper end of its interval
counts sums that rounding may have separated: it is 0.0615. The recall by B³ has this p, too: its
sums are the same, divided by a constant. So do six times the scores, which are integers.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from pairedperm import paired_permutation_test
from pairedperm.readers import read_conll
from pairedperm.scoring.aggregators import average, enum_sum_div_by_denom_sum, f_1
from pairedperm.scoring.arguments import ScoreArgument

DATA = Path(__file__).parent / "data" / "conll_coref"
METRICS = ("muc", "ceafm", "bcub", "ceafe")
BATCH = 1_000  # trials at a time
TOLERANCE = 1e-12  # differences that are apart by less tie
ROW = "{:<6}  {:<7}  {:>7}  {:>7}  {:>10}  {:<11}  {:>9}  {:>5}"
HEADER = ("metric", "score", "score1", "score2", "p", "method", "sampled p", "off")


def quotient(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Return the quotient, or 0 where the denominator is 0."""
    is_zero = denominator == 0
    return np.where(is_zero, 0.0, numerator / np.where(is_zero, 1.0, denominator))


def plain_average(rows: np.ndarray) -> np.ndarray:
    """Return the mean over the documents of the only column of rows (..., n, 1)."""
    return rows[..., 0].mean(axis=-1)


def plain_ratio(rows: np.ndarray) -> np.ndarray:
    """Return the sum of the first column over that of the second, of rows (..., n, 2)."""
    sums = rows.sum(axis=-2)
    return quotient(sums[..., 0], sums[..., 1])


def plain_f1(rows: np.ndarray) -> np.ndarray:
    """Return the F1 of recall (columns 0, 1) and precision (2, 3), of rows (..., n, 4)."""
    recall, precision = plain_ratio(rows[..., :2]), plain_ratio(rows[..., 2:])
    return quotient(2.0 * recall * precision, recall + precision)


# art's names for them: columns, the score of the exact test, the same written out
AGGREGATORS: dict[str, tuple[int, ScoreArgument | None, Callable[[np.ndarray], np.ndarray]]] = {
    "F1": (4, f_1, plain_f1),
    "recall": (2, enum_sum_div_by_denom_sum, plain_ratio),
    "average": (1, average, plain_average),
}


def approximate_randomization(
    rows1: np.ndarray,
    rows2: np.ndarray,
    aggregate: Callable[[np.ndarray], np.ndarray],
    trials: int,
    rng: np.random.Generator,
) -> float:
    """Estimate the two-sided p-value of rows (n, m) from random swaps of the documents."""
    rows1, rows2 = np.asarray(rows1, dtype=float), np.asarray(rows2, dtype=float)
    observed = abs(aggregate(rows1) - aggregate(rows2))
    k = 0
    for start in range(0, trials, BATCH):
        swap = rng.random((min(BATCH, trials - start), len(rows1), 1)) < 0.5
        difference = aggregate(np.where(swap, rows2, rows1)) - aggregate(
            np.where(swap, rows1, rows2)
        )
        k += int(np.count_nonzero(np.abs(difference) >= observed - TOLERANCE))
    return (k + 1) / (trials + 1)


def standard_errors(sampled: float, p: float, trials: int) -> float:
    """Return the distance of the sampled p from p in standard errors; 0 if p is 1."""
    return (sampled - p) / math.sqrt(p * (1.0 - p) / trials) if p < 1.0 else 0.0


def table(trials: int, seed: int) -> Iterator[str]:
    """Yield the lines to print."""
    rng = np.random.default_rng(seed)
    yield ROW.format(*HEADER)
    for metric in METRICS:
        rows1, rows2 = read_conll(*(DATA / f"{metric}.system{k}.txt" for k in (1, 2)))
        for name, (width, score, aggregate) in AGGREGATORS.items():
            columns1, columns2 = rows1[:, :width], rows2[:, :width]
            sampled = approximate_randomization(columns1, columns2, aggregate, trials, rng)
            if width == 1:
                columns1, columns2 = columns1[:, 0], columns2[:, 0]
            result = paired_permutation_test(columns1, columns2, score=score, rng=seed)
            yield ROW.format(
                metric,
                name,
                f"{result.score1:.4f}",
                f"{result.score2:.4f}",
                f"{result.pvalue:.8f}",
                result.method,
                f"{sampled:.6f}",
                f"{standard_errors(sampled, result.pvalue, trials):+.2f}",
            )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--trials", type=int, default=10_000, help="how many random swaps (default: 10000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the swaps (default: 0)")
    options = parser.parse_args()
    if options.trials < 1 or options.seed < 0:
        parser.error("--trials is at least 1, --seed at least 0")
    for text in table(options.trials, options.seed):
        print(text, flush=True)


if __name__ == "__main__":
    main()
