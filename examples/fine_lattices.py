"""Scores on fine lattices for the benchmark, as integers in units of their last digit.

Some are drawn: signed ranks, decimals, wide ranges. Others are scores of real outputs, from the
taggers in `data`. One is chrF (by sacrebleu) of each sentence's tags, for two taggers. The other is
the log-likelihood of the tags in the second half of the sentences. Two models learn from the first
half the chance of a tag: one after the last tag, the other after the last two.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from sacrebleu import sentence_chrf

TAGGED = Path(__file__).parent / "data" / "ewt_pos_test.jsonl"
DIGITS = 4  # of the real scores


class Scores(NamedTuple):
    """Two systems' scores in units of 10^-digits."""

    scores1: np.ndarray
    scores2: np.ndarray
    digits: int = 0


def differences(values: np.ndarray) -> Scores:
    """Return scores whose differences are these: system 2 has 0."""
    return Scores(values, np.zeros_like(values))


def ranks(n: int, rng: Generator) -> Scores:
    """Draw differences 1 … n with random signs, as in Wilcoxon's test."""
    return differences(rng.choice([-1, 1], n) * np.arange(1, n + 1))


def decimals(n: int, digits: int, rng: Generator) -> Scores:
    """Draw decimals, uniform in [0, 1]."""
    one, two = rng.integers(0, 10**digits, (2, n), endpoint=True)
    return Scores(one, two, digits)


def wide(n: int, largest: int, rng: Generator) -> Scores:
    """Draw integer differences up to ±largest."""
    return differences(rng.integers(-largest, largest + 1, n))


def one_outlier(rng: Generator) -> Scores:
    """Draw a difference of 1,000,000 among 1,000 of ±1."""
    return differences(np.append(rng.choice([-1, 1], 1_000), 1_000_000))


def in_units(scores: list[float]) -> np.ndarray:
    """Return the scores in units of their last digit."""
    return np.asarray(np.rint(np.array(scores) * 10**DIGITS), dtype=np.int64)


@cache
def tagged() -> list[dict[str, Any]]:
    """Read the sentences: references, and the predictions of each tagger."""
    with TAGGED.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def chrf(_: Generator) -> Scores:
    """Return the chrF scores of the taggers `linearsvc` and `logreg`."""
    found = []
    for name in ("linearsvc", "logreg"):
        texts = [(" ".join(x[name]), [" ".join(x["references"])]) for x in tagged()]
        found.append(in_units([sentence_chrf(*pair).score for pair in texts]))
    one, two = found
    return Scores(one, two, DIGITS)


def log_likelihoods(_: Generator) -> Scores:
    """Return the log-likelihoods of two models, by the last two tags and by the last one."""
    half = len(tagged()) // 2
    seen, others = ([x["references"] for x in part] for part in (tagged()[:half], tagged()[half:]))
    one, two = (in_units([*given(seen, others, order)]) for order in (2, 1))
    return Scores(one, two, DIGITS)


def given(seen: list[list[str]], others: list[list[str]], order: int) -> Iterator[float]:
    """Yield each other sentence's log-likelihood by the counts seen, plus one for each tag."""
    kinds = {tag for tags in [*seen, *others] for tag in tags}
    follows: Counter[Any] = Counter()
    befores: Counter[Any] = Counter()
    for tags in seen:
        for before, tag in pairs(tags, order):
            follows[before, tag] += 1
            befores[before] += 1
    for tags in others:
        chances = (
            (follows[before, tag] + 1.0) / (befores[before] + len(kinds))
            for before, tag in pairs(tags, order)
        )
        yield math.fsum(map(math.log, chances))


def pairs(tags: list[str], order: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each tag with the tags right before it."""
    padded = ["", ""][:order] + tags
    for k, tag in enumerate(tags):
        yield tuple(padded[k : k + order]), tag


Draw = Callable[[Generator], Scores]
CASES: dict[str, tuple[Draw, bool]] = {  # how to draw them, and whether --quick does
    **{
        f"signed ranks 1 … {n:,}": (partial(ranks, n), n == 2_000) for n in (2_000, 20_000, 200_000)
    },
    **{
        f"{n:,}, {digits} decimals": (partial(decimals, n, digits), digits == 4)
        for n in (1_000, 10_000)
        for digits in (2, 4, 6)
    },
    "100,000 of ±10,000": (partial(wide, 100_000, 10_000), False),
    "1,000,000 among 1,000 of ±1": (one_outlier, True),
    "chrF of 2,077 sentences": (chrf, True),
    "log-likelihoods of 1,039": (log_likelihoods, True),
}
