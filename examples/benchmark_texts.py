"""The rows of the benchmarks about strings, bootstraps and BLEU."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import benchmark_peers as others
import numpy as np
import synthetic
from benchmark_rows import Inputs, Peer, Row, by, by_f1, ids, same_p, sampled
from benchmark_scores import SAMPLED, bincount, ten_classes
from synthetic import ORDINARY

CLASSES = {2: ["negative", "positive"], 5: [f"{k} stars" for k in range(1, 6)]}
CLASSES[50] = [f"intent_{k}" for k in range(50)]


def strings(n_classes: int, inputs: Inputs) -> list[list[str]]:
    """Draw labels as lists of strings."""
    names = np.array(CLASSES[n_classes], dtype=object)
    return [names[column].tolist() for column in ids(n_classes, inputs)]


class Strings(NamedTuple):
    """Columns of strings in a form, and as arrays of objects."""

    columns: list[Any]
    objects: list[np.ndarray]


def in_form(form: str, n_classes: int, inputs: Inputs) -> Strings:
    """Draw labels in this form."""
    lists = strings(n_classes, inputs)
    columns = [_formed(form, labels) for labels in lists]
    return Strings(columns, [np.array(labels, dtype=object) for labels in lists])


def _formed(form: str, labels: list[str]) -> Any:
    """Return labels in a form; libraries are imported for their own forms only."""
    if form == "list of one's own":  # each label is a separate object
        return ["".join([*label]) for label in labels]
    if form.startswith("array"):
        return np.array(labels, dtype=object if form == "array of objects" else None)
    if form.startswith("Series"):
        from pandas import Series

        return Series(labels, dtype=object if form == "Series of objects" else "string[pyarrow]")
    if form == "Arrow array":
        from pyarrow import array

        return array(labels)
    if form == "dataset column":
        from datasets import Dataset

        return Dataset.from_dict({"labels": labels})["labels"]
    return labels


def factorize(data: Strings) -> None:
    """Factorize the columns with pandas, the least work of any reading."""
    from pandas import factorize

    for column in data.objects:
        factorize(column)


def reading_strings() -> Iterator[Row]:
    """Yield the rows of strings in each form, then those of more classes."""
    row = partial(Row, "Reading strings", n=10**6, peers={"factorize": Peer(factorize)})
    columns = lambda data: data.columns  # noqa: E731
    for form in (
        *("list", "list of one's own", "array of objects", "array of strings"),
        *("Series of objects", "Series in Arrow", "Arrow array", "dataset column"),
    ):
        yield row(form, partial(in_form, form, 2), by("compare", columns), quick=2_000)
    for n_classes in (5, 50):
        make = partial(in_form, "list", n_classes)
        label = f"list of {n_classes} classes"
        yield row(label, make, by("compare", columns), quick=2_000)
        ours = by("compare", columns, metric="f1", pos_label=CLASSES[n_classes][-1])
        yield row(f"{label}, F1", make, ours)
        ours = by("compare", columns, metric="f1", average="micro")
        yield row(f"{label}, micro-F1", make, ours)


class Numbered(NamedTuple):
    """Columns of strings, and the same labels as numbers."""

    columns: list[Any]
    numbers: list[np.ndarray]


def numbered(inputs: Inputs) -> Numbered:
    """Draw labels of two classes as strings and as numbers."""
    numbers = ids(2, inputs)
    names = np.array(CLASSES[2], dtype=object)
    return Numbered([names[column].tolist() for column in numbers], numbers)


def spans(inputs: Inputs) -> Numbered:
    """Draw sentences of ten tags."""
    names = np.array(["O", "B-PER", "I-PER", "B-LOC"], dtype=object)
    lists = [names[column].tolist() for column in ids(4, inputs)]
    cut = [[tags[start : start + 10] for start in range(0, len(tags), 10)] for tags in lists]
    return Numbered(cut, [])


def metrics_of_strings() -> Iterator[Row]:
    """Yield the rows of metrics of lists of strings, beside the same from numbers."""
    label = {"pos_label": ("positive", 1)}
    metrics: dict[str, tuple[str, dict[str, Any]]] = {
        "accuracy": ("accuracy", {}),
        "f1": ("f1", label),
        "f1, micro": ("f1", {"average": ("micro", "micro")}),
        "f1, macro": ("f1", {"average": ("macro", "macro")}),
        "recall": ("recall", label),
        "precision": ("precision", label),
    }
    row = partial(Row, "Metrics of strings")
    for n, quick in ((10**4, 2_000), (10**6, None)):
        for name, (metric, options) in metrics.items():
            text, number = ({key: x[k] for key, x in options.items()} for k in (0, 1))
            ours = by("compare", lambda data: data.columns, metric=metric, **text)
            same = by("compare", lambda data: data.numbers, metric=metric, **number)
            peers = {"from integers": Peer(same, same_p)}
            yield row(f"{name}, {{n:,}} labels", numbered, ours, n, quick, peers)
        ours = by("compare", lambda data: data.columns, metric="span_f1")
        yield row("span_f1, {n:,} tags", spans, ours, n, quick)


def ratings(inputs: Inputs) -> list[np.ndarray]:
    """Draw scores from 0 to 5: five times the accuracies of the paper's generator, rounded."""
    pair = synthetic.accuracies(inputs.n, ORDINARY, inputs.rng)
    return [np.rint(5.0 * x).astype(np.int64) for x in pair]


def counted_ratings(inputs: Inputs) -> list[Any]:
    """Draw such scores, and count them."""
    from pairedperm import PairedCounts

    return [PairedCounts.from_rows(*ratings(inputs))]


def sentences_of_tokens(inputs: Inputs) -> list[np.ndarray]:
    """Draw rows of correct tokens and tokens; nine of ten are right or wrong for both."""
    n, rng = inputs.n, inputs.rng
    lengths = rng.integers(1, 61, n)
    hard = rng.binomial(lengths, 0.1)
    common = rng.binomial(lengths - hard, 0.95)
    shares = 0.5 + 0.8 / math.sqrt(n), 0.5
    return [np.stack((common + rng.binomial(hard, p), lengths), axis=1) for p in shares]


def corpora(inputs: Inputs) -> list[list[str]]:
    """Draw two systems' sentences, which keep most words of their references, and these."""
    n, rng = inputs.n, inputs.rng
    words, lengths = rng.zipf(1.3, size=(n, 25)) % 2000, rng.integers(5, 25, n).tolist()
    pairs = zip(words, lengths, strict=True)
    references = [" ".join(f"w{x}" for x in row[:length]) for row, length in pairs]
    systems = []
    for kept in (0.80, 0.79):
        lines = []
        for line in references:
            right = line.split()
            is_kept, is_there = rng.random(len(right)) < kept, rng.random(len(right)) < 0.97
            other = rng.integers(0, 2000, len(right))
            chosen = zip(right, is_kept, other, is_there, strict=True)
            lines.append(" ".join(w if keep else f"w{x}" for w, keep, x, there in chosen if there))
        systems.append(lines)
    return [*systems, references]


def counted_corpora(inputs: Inputs) -> list[Any]:
    """Draw such sentences, and count their n-grams."""
    return [by("paired_counts", metric="bleu")(corpora(inputs))]


def sacrebleu_swaps(data: Any) -> list[float]:
    """Return both scores by sacrebleu's own paired test, which reads the sentences, too."""
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    one, two, references = data
    systems = [("one", one), ("two", two)]
    test = PairedTest(systems, {"BLEU": BLEU()}, [references], "ar", n_samples=10_000)
    return [x.score for x in test()[1]["BLEU"]]


def same_scores(data: Any, ours: Any, theirs: Any) -> bool:
    """Tell whether the scores agree."""
    return all(map(partial(math.isclose, rel_tol=1e-9), (ours.score1, ours.score2), theirs))


def bootstraps_and_bleu() -> Iterator[Row]:
    """Yield the rows of bootstraps, and of random swaps of BLEU."""
    row = partial(Row, "Bootstraps and BLEU")
    test, label = by("paired_bootstrap_test"), "mean of {n:,}"
    drawn: dict[str, Any] = {"method": "monte_carlo", "n_resamples": 999, "rng": 0}
    samples = Peer(by("paired_bootstrap_test", **drawn), sampled(999))
    scipy = Peer(lambda data: others.bootstrap_interval(*data), scale=999 / others.RESAMPLES)
    for n, quick in ((10**4, 10**3), (10**5, None), (10**6, None), (10**7, None)):
        peers = {"samples": samples, "bincount": Peer(bincount)}
        peers |= {"SciPy's *": scipy} if n <= 10**5 else {}
        yield row(label, ratings, test, n, quick, peers)
    yield row("mean of {n:,}, counted before", counted_ratings, test, 10**7, 10**3)
    options = drawn | {"n_resamples": 10_000, "metric": "f1", "average": "macro"}
    loop = Peer(
        lambda data: others.looped_bootstrap(data, 20, np.random.default_rng(0)),
        sampled(20),
        scale=10_001 / 21,  # with the observed difference
    )
    ours, label = by("compare", test="bootstrap", **options), "macro-F1 of {n:,}, 10,000 resamples"
    yield row(label, ten_classes, ours, 10**4, 10**3, {"scikit-learn's *": loop})
    ours = by_f1("paired_bootstrap_test", method="monte_carlo", rng=0)
    label = "accuracy of tokens, {n:,} sentences, monte_carlo"
    for n, quick in ((10**4, 200), (10**5, None)):
        yield row(label, sentences_of_tokens, ours, n, quick)

    def swapped(data: Any) -> Any:
        (counts,) = (by("paired_counts", metric="bleu")(data),)
        return by("paired_permutation_test", **swaps)([counts])

    swaps = SAMPLED | {"n_resamples": 10_000}
    peers = {"sacrebleu's": Peer(sacrebleu_swaps, same_scores)}
    yield row("BLEU of {n:,} sentences, 10,000 swaps", corpora, swapped, 2_500, 200, peers)
    ours = by("paired_permutation_test", **swaps)
    yield row("BLEU of {n:,}, counted before", counted_corpora, ours, 2_500, 200)
