"""Matthews correlation of labels: its contract."""

from collections import Counter

from sklearn.metrics import matthews_corrcoef

from corpora.classes import flat, labels
from scoring.contract import Contract, check_metric


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


test_contract = check_metric(
    Contract(
        "matthews_correlation",
        labels,
        correlation,
        library=lambda p, r: matthews_corrcoef(flat(r), flat(p)),
        words="Matthews correlation",
        tie=1e-12,
        share=0.3,
    ),
)
