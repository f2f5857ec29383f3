"""The rows of the benchmarks about scores, counts and labels in arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import benchmark_peers as others
import numpy as np
import synthetic
from benchmark_rows import (
    Agree,
    Call,
    Inputs,
    Make,
    Peer,
    Row,
    by,
    by_f1,
    ids,
    in_interval,
    same_p,
    sampled,
    unchecked,
)
from synthetic import ORDINARY

LARGE = 3.0  # effect: p is about 1e-30
SAMPLES = others.SAMPLES
NO_BITS: dict[str, Any] = {"limit": 2.0, "reason": "bits are not drawn 16 at a time any more"}
SAMPLED: dict[str, Any] = {"method": "monte_carlo", "n_resamples": SAMPLES, "rng": 0}
QUICK = 10**4  # sizes up to this are quick


class Case(NamedTuple):
    """Two systems' scores in integers, and the arguments of our call if they differ."""

    scores1: np.ndarray
    scores2: np.ndarray
    given: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def differences(self) -> np.ndarray:
        """What the other methods get."""
        return self.scores1 - self.scores2

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        """What our call gets."""
        return self.given or (self.scores1, self.scores2)


def of_differences(method: Callable[[np.ndarray], Any], agrees: Agree = same_p) -> Peer:
    """Return a method of the differences of a case."""
    return Peer(lambda case: method(case.differences), agrees)


OF_CASE = by("paired_permutation_test", lambda case: case.columns)
NUMPY_SAMPLES = of_differences(others.monte_carlo, sampled(SAMPLES))
ALGORITHMS = {  # each with the largest size
    "samples": (NUMPY_SAMPLES, 10**6),
    "bincount": (of_differences(lambda x: np.bincount(np.abs(x)), unchecked), 10**7),
    "Alg. 4": (of_differences(others.algorithm4), 10**5),
    "batched": (of_differences(others.batched), 10**6),
    "counted": (of_differences(others.counted_fft), 10**7),
}


def sentences(effect: float, inputs: Inputs) -> Case:
    """Draw numbers of correct tokens."""
    return Case(*synthetic.correct_tokens(inputs.n, effect, inputs.rng))


def accuracy() -> Iterator[Row]:
    """Yield the rows of the paper's synthetic corpora."""
    for effect, exponents in ((ORDINARY, range(3, 8)), (LARGE, range(3, 6))):
        make = partial(sentences, effect)
        label = "{n:,} sentences" + ", large effect" * (effect == LARGE)
        for n in (10**e for e in exponents):
            peers = {name: peer for name, (peer, largest) in ALGORITHMS.items() if n <= largest}
            yield Row("Accuracy", label, make, OF_CASE, n, n if n <= QUICK else None, peers)


def fine(draw: Callable[..., synthetic.Scores], inputs: Inputs) -> Case:
    """Draw scores on a fine lattice; our call gets decimals as floats."""
    one, two, digits = draw(inputs.n, rng=inputs.rng)
    return Case(one, two, (one / 10**digits, two / 10**digits) if digits else None)


def real(decimals: int | None, inputs: Inputs) -> tuple[np.ndarray, np.ndarray]:
    """Draw normal scores; the mean difference is two of its standard deviations."""
    scores1, scores2 = inputs.rng.normal(size=(2, inputs.n))
    differences = scores1 - scores2
    scores1 += 2.0 * math.sqrt((differences**2).sum()) / inputs.n - differences.mean()
    if decimals is None:
        return scores1, scores2
    return np.round(scores1, decimals), np.round(scores2, decimals)


def many_digits() -> Iterator[Row]:
    """Yield the rows of fine lattices, then those of few scores with many digits."""
    row = partial(Row, "Scores with many digits", ours=OF_CASE)
    peers = {"samples": NUMPY_SAMPLES}
    ranks, signed = {"wilcoxon": of_differences(others.wilcoxon)}, "signed ranks 1 … {n:,}"
    make: Make = partial(fine, synthetic.ranks)
    yield row(signed, make, n=2_000, quick=200, peers=peers | ranks)
    yield from (row(signed, make, n=n, peers=peers) for n in (20_000, 200_000))
    for n, digits in ((n, digits) for n in (1_000, 10_000) for digits in (2, 4, 6)):
        make = partial(fine, partial(synthetic.decimals, digits=digits))
        quick = n if (n, digits) == (1_000, 4) else None
        yield row(f"{{n:,}}, {digits} decimals", make, n=n, quick=quick, peers=peers)
    for label, draw, n, quick in (
        ("{n:,} of ±10,000", partial(synthetic.wide, largest=10_000), 100_000, None),
        ("1,000,000 among {n:,} of ±1", synthetic.one_outlier, 1_000, 1_000),
        ("chrF of {n:,} sentences", lambda n, rng: synthetic.chrf(), 2_077, 2_077),
        ("log-likelihoods of {n:,}", lambda n, rng: synthetic.log_likelihoods(), 1_039, 1_039),
    ):
        yield row(label, partial(fine, draw), n=n, quick=quick, peers=peers)
    test = by("paired_permutation_test")
    samples = {"samples": Peer(by("paired_permutation_test", **SAMPLED), sampled(SAMPLES))}
    exact = {"exact": Peer(by("paired_permutation_test", method="exact"), in_interval)}
    allowed = {*((n, 6) for n in (100, 200, 400, 800)), (400, 8), (800, 8)}  # by the budget
    for digits in (6, 8, 10, 16):
        make = partial(real, digits)
        for n in (100, 200, 400, 800):
            peers = samples | (exact if (n, digits) in allowed else {})
            quick = n if digits == 8 and n in (100, 800) else None
            label = f"{{n:,}} of {digits} decimals"
            yield row(label, make, ours=test, n=n, quick=quick, peers=peers)


def real_scores() -> Iterator[Row]:
    """Yield the rows of scores without a common unit."""
    samples = {"samples": Peer(by("paired_permutation_test", **SAMPLED), sampled(SAMPLES))}
    make = partial(real, None)
    sizes = {"enumeration": {20: 20, 40: None, 44: None}}
    sizes["bracket"] = {100: None, 10_000: 10_000, 1_000_000: None}
    for method, of_method in sizes.items():
        test = by("paired_permutation_test", method=method)
        for n, quick in of_method.items():
            peers = samples if n <= QUICK else {}
            yield Row("Real scores", f"{method} of {{n:,}}", make, test, n, quick, peers)


def entities(effect: float, inputs: Inputs) -> synthetic.Pair:
    """Draw rows of counts of F1."""
    return synthetic.entities(inputs.n, effect, inputs.rng)


def tags(systems: tuple[str, str], inputs: Inputs) -> list[Any]:
    """Return the tags of two taggers and the right ones, of the quickstart's sentences."""
    return [[x[name] for x in synthetic.tagged()] for name in (*systems, "references")]


def f1() -> Iterator[Row]:
    """Yield the rows of F1 of sentences, and of single tags."""
    samples = Peer(by_f1("paired_permutation_test", **SAMPLED), sampled(SAMPLES))
    scipy = Peer(
        lambda data: others.f1_of_counts(*data), sampled(others.SWAPS), SAMPLES / others.SWAPS
    )
    for effect in (4.0, 50.0):  # p is about 0.01, and tiny
        make: Make = partial(entities, effect)
        label = f"{{n:,}} sentences, effect {effect:g}"
        test = by_f1("paired_permutation_test", method="exact")
        for n in (10**e for e in range(3, 8)):
            peers = {"samples": samples} | ({"SciPy's *": scipy} if n <= QUICK else {})
            yield Row("F1", label, make, test, n, n if n < QUICK else None, peers)
    for systems in (("logreg", "linearsvc"), ("logreg", "mostfreq")):
        make = partial(tags, systems)
        for tag in ("PROPN", "ADJ", "ADV"):
            test = by("compare", metric="f1", pos_label=tag)
            yield Row("F1", f"{tag}, {' and '.join(systems)}", make, test, 2_077, 2_077)


def ten_classes(inputs: Inputs) -> list[np.ndarray]:
    """Draw labels of ten classes, a tenth of them anew; the systems differ by a share 0.4 / √n."""
    n, rng = inputs.n, inputs.rng
    gold = rng.integers(0, 10, n)
    errors = 0.1 - 0.4 / math.sqrt(n), 0.1
    return [*(np.where(rng.random(n) < e, rng.integers(0, 10, n), gold) for e in errors), gold]


def macro_f1_and_samples() -> Iterator[Row]:
    """Yield the rows of macro-F1, which two classes have exactly, and of random swaps."""
    macro: dict[str, Any] = {"metric": "f1", "average": "macro"}
    row = partial(Row, "Macro-F1 and samples")
    samples = {"samples": Peer(by("compare", **macro, **SAMPLED), sampled(SAMPLES))}
    two, label = partial(ids, 2), "macro-F1 of {n:,} labels of two classes"
    for n, quick in ((10**4, 2_000), (10**6, None)):
        yield row(label, two, by("compare", **macro), n, quick, samples)
    label = "macro-F1 of {n:,} labels of ten classes, samples"
    yield row(label, ten_classes, by("compare", **macro, **SAMPLED), 10**4, 10**3)
    exact = {"exact": Peer(by("compare"), sampled(SAMPLES))}
    label = "accuracy of {n:,} labels, samples"
    yield row(label, partial(ids, 5), by("compare", **SAMPLED), 10**6, 10**4, exact)
    exact = {"exact": Peer(by_f1("paired_permutation_test"), sampled(SAMPLES))}
    ours = by_f1("paired_permutation_test", **SAMPLED)
    label = "F1 of {n:,} sentences, samples"
    yield row(label, partial(entities, 4.0), ours, 10**5, 10**4, exact, **NO_BITS)
    exact = {"exact": Peer(by("paired_permutation_test"), sampled(SAMPLES))}
    ours = by("paired_permutation_test", **SAMPLED)
    yield row("mean of {n:,} real scores, samples", partial(real, None), ours, 10**4, 10**3, exact)


def right(inputs: Inputs) -> list[np.ndarray]:
    """Draw scores of 0 and 1."""
    one, two, gold = ids(5, inputs)
    return [np.asarray(x == gold, dtype=np.int64) for x in (one, two)]


def labels_and_scores(inputs: Inputs) -> list[np.ndarray]:
    """Draw labels, and their scores of 0 and 1."""
    one, two, gold = ids(5, inputs)
    return [one, two, gold, *(np.asarray(x == gold, dtype=np.int64) for x in (one, two))]


def tokens(inputs: Inputs) -> synthetic.Pair:
    """Draw numbers of correct tokens."""
    return synthetic.correct_tokens(inputs.n, ORDINARY, inputs.rng)


def bincount(data: Sequence[np.ndarray]) -> np.ndarray:
    """Count how often each size of a difference of the last two columns occurs."""
    return np.bincount(np.abs(data[-2] - data[-1]))


def bincount_of_rows(data: Sequence[np.ndarray]) -> np.ndarray:
    """Count how often each difference of rows occurs."""
    one, two = data
    numbers: Any = 0
    for column in (one - two).T:
        low, high = int(column.min()), int(column.max())
        numbers = numbers * (high - low + 1) + (column - low)
    return np.bincount(numbers)


@cache  # to load it is no part of a call
def module(configuration: str | None) -> Any:
    """Return the `evaluate` module."""
    return by("load")(("paired_perm", configuration))


def counting() -> Iterator[Row]:
    """Yield the rows of tests that mostly count."""
    test, names = by("paired_permutation_test"), ("predictions1", "predictions2", "references")

    def by_module(configuration: str | None) -> Call:
        def call(data: Any) -> Any:
            named = dict(zip(names, data[: 3 if configuration is None else 2], strict=False))
            return module(configuration).compute(**named)

        return call

    of_rows = partial(entities, ORDINARY)
    for n, quick in ((10**6, QUICK), (10**7, None)):
        row = partial(Row, "Counting", n=n, quick=quick)
        peers = {"bincount": Peer(bincount)}
        for label, make, ours, configuration in (
            ("scores 0 and 1", right, test, "scores"),
            ("integer labels", labels_and_scores, by("compare", lambda data: data[:3]), None),
            ("correct tokens", tokens, test, "scores"),
        ):
            label = f"{{n:,}} {label}"
            yield row(label, make, ours, peers=peers)
            yield row(f"{label}, by the module", make, by_module(configuration), peers=peers)
        peers = {"bincount": Peer(bincount_of_rows)}
        ours = by_f1("paired_permutation_test")
        yield row("{n:,} sentences, F1", of_rows, ours, peers=peers)
