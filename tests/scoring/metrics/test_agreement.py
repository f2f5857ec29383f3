"""Cohen's kappa and Matthews correlation of labels, against scikit-learn."""

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import assume
from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

from corpora.classes import corpus, flat, labels
from oracles import label_averages as oracle
from scoring.contract import Contract, check_metric

POWERS = {None: 0, "linear": 1, "quadratic": 2}


def kappa_of_sklearn(
    predictions, references, there, weights=None, labels=None, replace_undefined_by=0.0
):
    """Its score, another for its NaN: only newer versions replace it themselves."""
    columns, labels = map(flat, (predictions, references)), labels or there
    score = cohen_kappa_score(*columns, labels=labels, weights=weights)
    return replace_undefined_by if np.isnan(score) else score


def kappa(predictions, references, there, weights=None, labels=None, replace_undefined_by=0):
    """By its definition, in fractions."""
    predicted, right = flat(predictions), flat(references)
    place = {label: k for k, label in enumerate(labels or there)}

    def disagreement(a, b):
        return abs(place[a] - place[b]) ** POWERS[weights] if a != b else 0

    observed = sum(map(disagreement, predicted, right))
    counts = Counter(predicted), Counter(right)
    expected = sum(
        m * n * disagreement(a, b) for a, m in counts[0].items() for b, n in counts[1].items()
    )
    undefined = Fraction(replace_undefined_by)
    return 1 - Fraction(observed * len(right), expected) if expected else undefined


def drawn(*weights):
    """Also of classes that only predictions have, of one class, and with places of no label."""

    def draw(rng, n):
        kind, n_right = str(rng.choice(["strings", "integers", "sequences"])), rng.integers(1, 5)
        columns = corpus(rng, n, kind, n_right, int(rng.integers(n_right, 5)), (0.7, 0.4))
        there = oracle.there(columns)
        assume(there)
        options = {"replace_undefined_by": [0.0, 0.5, -1.0, -0.25][int(rng.integers(4))]}
        if not weights:
            return columns, options if rng.random() < 0.8 else {}
        options["weights"] = weights[int(rng.integers(2))]
        if rng.random() < 0.5:
            order = [*there, 7 if kind == "integers" else "X"]
            options["labels"] = [order[k] for k in rng.permutation(len(order)).tolist()]
        return columns, options

    return draw


def correlation(predictions, references):
    """The covariance in integers over the roots of both variances; 0 where one of them is 0."""
    pairs = Counter(zip(flat(predictions), flat(references), strict=True))
    n, found, right = sum(pairs.values()), Counter(), Counter()
    for (a, b), k in pairs.items():
        found[a] += k
        right[b] += k

    def covariance(one, two):
        return n * n - sum(k * two[label] for label, k in one.items())

    correct = sum(k for (a, b), k in pairs.items() if a == b)
    spread = covariance(found, found) * covariance(right, right)
    return (n * correct - n * n + covariance(found, right)) / spread**0.5 if spread else 0.0


KAPPA = {"score": kappa, "library": kappa_of_sklearn, "is_of_all": True}
test_contract = check_metric(
    Contract("cohen_kappa", drawn(), **KAPPA),
    Contract("cohen_kappa", drawn("linear", "quadratic"), name="weighted", **KAPPA),
    Contract(
        "matthews_correlation",
        labels,
        correlation,
        library=lambda p, r: matthews_corrcoef(flat(r), flat(p)),
        words="Matthews correlation",
        tie=1e-12,
    ),
)
