"""Time 10,000 random swaps of BLEU, here and in sacrebleu's paired test.

The corpus is 2,500 made-up sentences that share four-word runs. The time to count their n-grams is
measured alone. It is subtracted from sacrebleu's, which does both in one call.

    python examples/bleu_benchmark.py [--quick] [--seed SEED] [--json FILE]

It needs sacrebleu (pip install ".[mt]").
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from timing import Table, in_turn, megabytes, ratio, run

from pairedperm import PairedCounts, paired_counts, paired_permutation_test

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


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield the table of times."""
    n, samples, rounds = (200, 200, 1) if quick else (SENTENCES, SAMPLES, ROUNDS)
    references, one, two = corpora(n, np.random.default_rng(seed))
    metric = BLEU()

    def theirs() -> None:
        PairedTest(
            [("one", one), ("two", two)], {"BLEU": metric}, [references], "ar", n_samples=samples
        )()

    def extraction() -> None:
        for lines in (one, two):
            metric._extract_corpus_statistics(lines, [references])

    def count() -> PairedCounts:
        return paired_counts(one, two, references, "bleu")

    counts = count()

    def sampling() -> Any:
        options: dict[str, Any] = {"method": "monte_carlo", "n_resamples": samples, "rng": 0}
        return paired_permutation_test(counts, **options)

    score = metric.corpus_score(one, [references]).score
    assert math.isclose(sampling().score1, score, rel_tol=1e-9)
    calls: dict[str, Callable[[], object]]
    calls = {"ours": sampling, "counted": count, "theirs": theirs, "read": extraction}
    times = in_turn(calls, rounds)
    reading = median(times["read"])  # sacrebleu does both in one call
    times["theirs"] = [x - reading for x in times["theirs"]]
    memory = megabytes(sampling), megabytes(theirs)
    columns = {"": "", "time": "s", "time / ours": "x", "counting": "s", "memory": "MB"}
    yield Table(
        f"BLEU of {n:,} sentences, {samples:,} samples",
        columns,
        [
            ["pairedperm", median(times["ours"]), 1.0, median(times["counted"]), memory[0]],
            [
                *("sacrebleu's own paired test", median(times["theirs"])),
                *(ratio(times, "theirs", "ours"), reading, memory[1]),
            ],
        ],
    )


if __name__ == "__main__":
    run(tables, __doc__)
