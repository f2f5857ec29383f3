"""The paired bootstrap for macro-F1: Berg-Kirkpatrick, Burkett & Klein (EMNLP 2012), Figure 1.

Two classifiers, logistic regression and linear discriminant analysis, learn one half of
the digits that come with scikit-learn. On the other half the difference of their
accuracies is tested, and that of their macro-F1:

  plain         the paper's Figure 1 as it is usually written: scikit-learn's
                scores of both classifiers on each of b resamples
  Monte Carlo   compare(..., test="bootstrap", ties="exclude"), b resamples
  ideal         the same for accuracy: of all resamples, without sampling
  permutation   the other test, compare(...) without further options

One-sided, p is the share of resamples with a difference > 2 δ, two-sided that of those
further from δ than 0 is; a permutation test counts swaps with a difference ≥ δ, or as
far from 0. "off" is how far the one-sided p is from the ideal one (of macro-F1: from
that of 100,000 resamples), in standard errors of the sampling. The plain loop and ours
are timed in turn; times are medians, and the ratio is of times per resample.

Prints the tables, and writes macro_f1_bootstrap.csv and macro_f1_bootstrap.png. Needs
scikit-learn (pip install scikit-learn); takes about half a minute.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported: on one thread

import math
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from command import options
from figures import BLACK, BLUE, DPI, FONT, SKY, VERMILION
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import train_test_split
from tables import print_rows, write_csv

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmark_tables import seconds

from pairedperm import compare
from pairedperm.options import Alternative

N_RESAMPLES = (100, 1000, 10_000)
N_REFERENCE = 100_000  # resamples for macro-F1, and swaps
N_ROUNDS, N_ROUNDS_QUICK, N_A_ROUND = 10, 2, 500  # of the plain loop
ALTERNATIVES: tuple[Alternative, ...] = ("greater", "two-sided")
HEADER = ["test".ljust(22), "b", "p, > 2δ", "two-sided", "off", "time"]

Columns = tuple[np.ndarray, np.ndarray, np.ndarray]


class Metric(NamedTuple):
    """A metric: its name, the options of `compare`, and scikit-learn's function."""

    name: str
    arguments: dict[str, str]
    score: Callable[[np.ndarray, np.ndarray], float]


ACCURACY = Metric("accuracy", {"metric": "accuracy"}, accuracy_score)
MACRO_F1 = Metric(
    "macro-F1",
    {"metric": "f1", "average": "macro"},
    partial(f1_score, average="macro", zero_division=0),
)


class Row(NamedTuple):
    """The one- and two-sided p-values of a test; without b if nothing is sampled."""

    test: str
    ties: str
    b: int | None
    pvalues: tuple[float, ...]
    seconds: float

    def off(self, truth: Row, k: int) -> float | None:
        """Return how far p is from a bootstrap's, in standard errors."""
        if self.b is None or self is truth or "permutation" in self.test:
            return None
        p, found = truth.pvalues[k], self.pvalues[k]
        if "plain" not in self.test:
            found = (found * (self.b + 1) - 1.0) / self.b  # the share, and not (k + 1) / (b + 1)
        variance = p * (1.0 - p) * (1.0 / self.b + (1.0 / truth.b if truth.b else 0.0))
        return abs(found - p) / math.sqrt(variance) if variance else None

    def cells(self, truth: Row) -> list[str]:
        """The line of the table."""
        off = self.off(truth, 0)
        return [
            *(self.test.ljust(len(HEADER[0])), f"{self.b:,}" if self.b else ""),
            *(f"{p:.5f}" for p in self.pvalues),
            *("" if off is None else f"{off:.1f}", seconds(self.seconds)),
        ]

    def record(self, metric: Metric, truth: Row) -> dict[str, object]:
        """The row of the CSV."""
        return {
            "metric": metric.name,
            "test": self.test,
            "ties": self.ties,
            "b": self.b,
            **dict(zip(("p_one_sided", "p_two_sided"), self.pvalues, strict=True)),
            "off_one_sided": self.off(truth, 0),
            "off_two_sided": self.off(truth, 1),
            "seconds": self.seconds,
        }


def predictions(seed: int) -> Columns:
    """Return the predictions of both classifiers on half of the digits, and the right answers."""
    x, y = load_digits(return_X_y=True)
    train, test, y_train, y_test = train_test_split(
        x / 16.0, y, test_size=0.5, stratify=y, random_state=seed
    )
    models = LogisticRegression(max_iter=2000), LinearDiscriminantAnalysis()
    one, two = (model.fit(train, y_train).predict(test) for model in models)
    return one, two, y_test


def difference(columns: Columns, metric: Metric, chosen: np.ndarray | slice = slice(None)) -> float:
    """Return the difference of both scores on a resample, by scikit-learn."""
    one, two, right = (column[chosen] for column in columns)
    return metric.score(right, one) - metric.score(right, two)


def called(columns: Columns, metric: Metric, **asked: Any) -> tuple[list[Any], float]:
    """Our results, one- and two-sided, and the seconds of the first."""
    found, times = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that macro-F1 of ten classes is sampled
        for alternative in ALTERNATIVES:
            start = time.perf_counter()
            found.append(compare(*columns, alternative=alternative, **asked | metric.arguments))
            times.append(time.perf_counter() - start)
    return found, times[0]


def bootstrap(columns: Columns, metric: Metric, test: str, ties: str, **asked: object) -> Row:
    """A row of ours."""
    results, elapsed = called(columns, metric, test="bootstrap", ties=ties, **asked)
    pvalues = tuple(result.pvalue for result in results)
    return Row(test, ties, results[0].n_resamples, pvalues, elapsed)


def permutation(columns: Columns, metric: Metric, seed: int) -> Row:
    """A row of the permutation test, exact where it can be."""
    results, elapsed = called(columns, metric, n_resamples=N_REFERENCE, rng=seed)
    kind = "exact" if results[0].n_resamples is None else "sampled"
    pvalues = tuple(result.pvalue for result in results)
    return Row(f"permutation, {kind}", "include", results[0].n_resamples, pvalues, elapsed)


def side_by_side(
    columns: Columns, metric: Metric, n_rounds: int, seed: int
) -> tuple[Row, Row, float, np.ndarray]:
    """The plain loop and ours of 10,000 resamples, the ratio of times, the loop's differences."""
    rng, n, b = np.random.default_rng([seed, 1]), len(columns[2]), N_RESAMPLES[-1]
    found, times, others = [], [], []
    sampled = partial(bootstrap, method="monte_carlo", n_resamples=b, rng=seed)
    for _ in range(n_rounds):
        start = time.perf_counter()
        found += [difference(columns, metric, rng.integers(n, size=n)) for _ in range(N_A_ROUND)]
        times.append(time.perf_counter() - start)
        ours = sampled(columns, metric, "bootstrap, Monte Carlo", "exclude")
        others.append(ours.seconds)
    differences, delta = np.array(found), difference(columns, metric)
    slack = 1e-12  # of rounding: what is that near to the threshold ties
    extreme = differences > 2.0 * delta + slack, abs(differences - delta) > abs(delta) + slack
    shares = tuple(float(is_extreme.mean()) for is_extreme in extreme)
    plain = Row("bootstrap, plain", "exclude", len(found), shares, median(times) * n_rounds)
    ratios = [(x / N_A_ROUND) / (y / b) for x, y in zip(times, others, strict=True)]
    return plain, ours._replace(seconds=median(others)), median(ratios), differences


def rows_of(
    columns: Columns, metric: Metric, n_rounds: int, seed: int
) -> tuple[list[Row], Row, float, np.ndarray]:
    """Return all rows, the most exact bootstrap's, and the rest of `side_by_side`."""
    plain, most, ratio, differences = side_by_side(columns, metric, n_rounds, seed)
    sampled = partial(bootstrap, columns, metric, "bootstrap, Monte Carlo", "exclude")
    rows = [plain]
    rows += [sampled(method="monte_carlo", n_resamples=b, rng=seed) for b in N_RESAMPLES[:-1]]
    rows.append(most)
    if metric is ACCURACY:
        rows.append(bootstrap(columns, metric, "bootstrap, ideal", "exclude"))
        truth = rows[-1]
        rows.append(bootstrap(columns, metric, "ideal, ties count", "include"))
    else:
        rows.append(sampled(method="monte_carlo", n_resamples=N_REFERENCE, rng=seed + 1))
        truth = rows[-1]
    return [*rows, permutation(columns, metric, seed)], truth, ratio, differences


def ideal_law(columns: Columns) -> np.ndarray:
    """P(k more correct answers) of a resample, for k = -n … n: one draw's law to the power n."""
    one, two, right = columns
    gains = (one == right).astype(int) - (two == right)
    size = 2 * gains.size + 1
    draw = np.bincount(gains + 1, minlength=3) / gains.size
    return np.fft.irfft(np.fft.rfft(draw, size) ** gains.size, size)


def draw(path: Path, columns: Columns, found: Sequence[tuple[Metric, Row, np.ndarray]]) -> None:
    """Histograms of the plain loop's differences, in bins of one example; says where."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    n = len(columns[2])
    with rc_context(FONT):
        figure = Figure((3.4, 3.8), layout="constrained")
        panels = figure.subplots(len(found), sharex=True)
        ends = [f(x) for _, _, x in found for f in (np.min, np.max)]
        ks = np.arange(round(min(ends) * n) - 1, round(max(ends) * n) + 2)
        for axes, (metric, truth, differences) in zip(panels, found, strict=True):
            delta = difference(columns, metric)
            is_extreme = differences > 2.0 * delta + 1e-12
            axes.hist(
                [100.0 * differences[~is_extreme], 100.0 * differences[is_extreme]],
                bins=100.0 * (np.append(ks, ks[-1] + 1) - 0.5) / n,
                weights=[np.full(x.sum(), 100.0 / x.size) for x in (~is_extreme, is_extreme)],
                stacked=True,
                color=[SKY, VERMILION],
            )
            if metric is ACCURACY:
                law = 100.0 * ideal_law(columns)[ks + n]
                axes.plot(100.0 * ks / n, law, color=BLACK, marker=".", markersize=2.5, lw=0.6)
                beside = law.argmax() + 5
                axes.annotate(
                    "ideal",
                    (100.0 * ks[beside] / n, law[beside]),
                    (0.99, 0.85),
                    textcoords=axes.transAxes,
                    ha="right",
                    va="center",
                    arrowprops={"arrowstyle": "-", "linewidth": 0.5, "shrinkB": 3},
                )
            for x, name in ((0.0, "0"), (delta, "δ"), (2.0 * delta, "2δ")):
                axes.axvline(100.0 * x, color=BLUE, linewidth=0.7, linestyle="--", zorder=0.5)
                axes.annotate(
                    name,
                    (100.0 * x, 1.0),
                    (0, 1),
                    xycoords=axes.get_xaxis_transform(),
                    textcoords="offset points",
                    color=BLUE,
                    ha="center",
                )
            axes.text(
                *(0.99, 0.6, f"p = {truth.pvalues[0]:.4f}"),
                transform=axes.transAxes,
                color=VERMILION,
                ha="right",
            )
            axes.set_ylabel("% of resamples")
            axes.set_title(metric.name, loc="left", fontsize=7, fontweight="bold")
            axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlabel("difference of the resampled scores (percentage points)")
        figure.suptitle(
            f"Paired bootstrap of two classifiers on {n:,} digits,\n"
            "after Figure 1 of Berg-Kirkpatrick et al. (2012)",
            x=0.01,
            horizontalalignment="left",
        )
        figure.savefig(path, dpi=DPI)
    print(path)


def main() -> None:
    """Print the tables, write the files."""
    asked = options(__doc__)
    columns = predictions(asked.seed)
    n_rounds = N_ROUNDS_QUICK if asked.quick else N_ROUNDS
    records, figures = [], []
    for metric in (ACCURACY, MACRO_F1):
        one, two = (metric.score(columns[2], column) for column in columns[:2])
        print(f"{metric.name} {one:.5f} and {two:.5f}: δ = {one - two:.5f}\n")
        rows, truth, ratio, differences = rows_of(columns, metric, n_rounds, asked.seed)
        print_rows(HEADER, [row.cells(truth) for row in rows])
        print(f"\nA resample of the plain loop takes {ratio:.0f} times as long as one of ours.\n")
        records += [row.record(metric, truth) for row in rows]
        figures.append((metric, truth, differences))
    write_csv(asked.output / "macro_f1_bootstrap.csv", records)
    draw(asked.output / "macro_f1_bootstrap.png", columns, figures)


if __name__ == "__main__":
    main()
