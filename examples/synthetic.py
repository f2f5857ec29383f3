"""Two systems' scores or counts for each of N sentences, as the benchmarks draw them.

For `correct_tokens` and `entities`, system 1 is better by a share of the order effect / √N. So p
has the same order for every N: ordinary, or tiny for a large effect.

`Scores` are integers in units of their last digit. Some are drawn: signed ranks, decimals, wide
ranges. Others are scores of real outputs, from the taggers in `data`. One is chrF (by sacrebleu) of
each sentence's tags, for two taggers. The other is the log-likelihood of the tags in the second
half of the sentences. Two models learn from the first half the chance of a tag: one after the last
tag, the other after the last two.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

ORDINARY = 0.5  # effect: p is about 0.05 for correct tokens
ACCURACY, LENGTH = (0.9543, 0.1116), (12.08, 10.60)  # mean, standard deviation: the paper's Table 1
TAGGED = Path(__file__).parent / "data" / "ewt_pos_test.jsonl"
DIGITS = 4  # of the scores of real outputs
Pair = tuple[np.ndarray, np.ndarray]


class Scores(NamedTuple):
    """Two systems' scores in units of 10^-digits."""

    scores1: np.ndarray
    scores2: np.ndarray
    digits: int = 0


def correct_tokens(n: int, effect: float, rng: Generator) -> Pair:
    """Draw ⌊accuracy · length⌋ correct tokens of each sentence by the paper's generator."""
    lengths = np.ceil(truncated_normal(rng, *LENGTH, math.inf, n))
    one, two = accuracies(n, effect, rng)
    return np.floor(one * lengths).astype(np.int64), np.floor(two * lengths).astype(np.int64)


def accuracies(n: int, effect: float, rng: Generator) -> Pair:
    """Draw the accuracies of sentences; the mean of system 2 is lower by the share effect / √n."""
    mean, sd = ACCURACY
    one = truncated_normal(rng, mean, sd, 1.0, n)
    return one, truncated_normal(rng, (1.0 - effect / math.sqrt(n)) * mean, sd, 1.0, n)


def truncated_normal(rng: Generator, mean: float, sd: float, high: float, n: int) -> np.ndarray:
    """Draw normal variables in (0, high]; values outside are drawn again."""
    values = rng.normal(mean, sd, n)
    while (outside := np.flatnonzero((values <= 0.0) | (values > high))).size:
        values[outside] = rng.normal(mean, sd, outside.size)
    return values


def entities(n: int, effect: float, rng: Generator) -> Pair:
    """Draw rows of 2 tp and predicted + gold; the recall of system 1 is effect / √n higher.

    Sentences have up to four entities. Both systems find most of them. On a quarter of the
    sentences each has its own finds and false alarms, on the others they agree.
    """
    gold = rng.integers(0, 5, n)
    common = rng.binomial(gold, 0.8)
    rows = []
    for recall in (min(0.8 + effect / math.sqrt(n), 1.0), 0.8):
        own = rng.random(n) < 0.25
        tp = np.where(own, rng.binomial(gold, recall), common)
        spurious = np.where(own, rng.poisson(0.4, n), 0)
        rows.append(np.stack((2 * tp, gold + tp + spurious), axis=1))
    return rows[0], rows[1]


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


def one_outlier(n: int, rng: Generator) -> Scores:
    """Draw a difference of 1,000,000 among n of ±1."""
    return differences(np.append(rng.choice([-1, 1], n), 1_000_000))


def in_units(scores: list[float]) -> np.ndarray:
    """Return the scores in units of their last digit."""
    return np.asarray(np.rint(np.array(scores) * 10**DIGITS), dtype=np.int64)


@cache
def tagged() -> list[dict[str, Any]]:
    """Read the sentences: references, and the predictions of each tagger."""
    with TAGGED.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def chrf() -> Scores:
    """Return the chrF scores of the taggers `linearsvc` and `logreg`."""
    from sacrebleu import sentence_chrf

    found = []
    for name in ("linearsvc", "logreg"):
        texts = [(" ".join(x[name]), [" ".join(x["references"])]) for x in tagged()]
        found.append(in_units([sentence_chrf(*pair).score for pair in texts]))
    one, two = found
    return Scores(one, two, DIGITS)


def log_likelihoods() -> Scores:
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
