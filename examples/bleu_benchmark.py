"""Time 10,000 random swaps of BLEU, here and in sacrebleu's paired test.

The corpus is 2,500 made-up sentences that share four-word runs. The time to count their n-grams is
measured alone (here by a run with one swap) and subtracted.

    python examples/bleu_benchmark.py [--quick]

It needs sacrebleu (pip install ".[mt]").
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

from pairedperm import compare, plan

SENTENCES, SAMPLES, ROUNDS = 2500, 10_000, 5
VOCABULARY, WORDS = 2000, 25
KEPT, LEFT = (0.80, 0.79), 0.97  # shares of a reference's words that are right, and that are there


def corpora(n: int, rng: np.random.Generator) -> tuple[list[str], list[str], list[str]]:
    """Return references, and two systems that keep most of their words."""
    words = rng.zipf(1.3, size=(n, WORDS)) % VOCABULARY
    lengths = rng.integers(5, WORDS, n).tolist()
    pairs = zip(words, lengths, strict=True)
    references = [" ".join(f"w{x}" for x in row[:length]) for row, length in pairs]
    systems = []
    for kept in KEPT:
        lines = []
        for line in references:
            right = line.split()
            is_kept = rng.random(len(right)) < kept
            other = rng.integers(0, VOCABULARY, len(right))
            is_there = rng.random(len(right)) < LEFT
            chosen = zip(right, is_kept, other, is_there, strict=True)
            lines.append(" ".join(w if keep else f"w{x}" for w, keep, x, there in chosen if there))
        systems.append(lines)
    return references, systems[0], systems[1]


def seconds(function: Callable[[], Any], rounds: int) -> tuple[float, Any]:
    """Return the median time of a call, and its result."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - start)
    return statistics.median(times), result


def main() -> None:
    """Measure, and print the times."""
    quick = "--quick" in sys.argv
    n, samples, rounds = (200, 200, 1) if quick else (SENTENCES, SAMPLES, ROUNDS)
    references, one, two = corpora(n, np.random.default_rng(0))
    metric = BLEU()

    def theirs() -> float:
        test = PairedTest(
            [("one", one), ("two", two)], {"BLEU": metric}, [references], "ar", n_samples=samples
        )
        _, found = test()
        return float(found["BLEU"][1].p_value)

    def extraction() -> None:
        for lines in (one, two):
            metric._extract_corpus_statistics(lines, [references])

    def ours(n_resamples: int) -> Any:
        options: dict[str, Any] = {"method": "monte_carlo", "n_resamples": n_resamples, "rng": 0}
        return compare(one, two, references, "bleu", **options)

    whole, p = seconds(theirs, rounds)
    extracting, _ = seconds(extraction, rounds)
    all_of_ours, result = seconds(lambda: ours(samples), rounds)
    counting, _ = seconds(lambda: ours(1), rounds)
    found = plan(one, two, references, "bleu")
    sampling = all_of_ours - counting
    print(f"{n:,} sentences, {samples:,} samples, medians of {rounds}")
    print(f"BLEU                      {result.score1:.4f}  {result.score2:.4f}")
    print(f"sacrebleu's, from texts   {metric.corpus_score(one, [references]).score:.4f}")
    print(f"rank                      {found.rank}, {found.n_points:.3g} points: sampled")
    print(f"sacrebleu, counting       {extracting:8.3f} s")
    print(f"  paired AR               {whole - extracting:8.3f} s   p = {p:.5f}")
    low, high = result.pvalue_interval
    print(f"pairedperm, counting      {counting:8.3f} s")
    print(f"  monte_carlo             {sampling:8.3f} s   p = {result.pvalue:.5f}  ", end="")
    print(f"({low:.5f} to {high:.5f})")
    print(f"ratio                     {(whole - extracting) / sampling:8.1f}")


if __name__ == "__main__":
    main()
