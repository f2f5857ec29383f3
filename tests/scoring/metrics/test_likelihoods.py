"""Log-likelihoods of texts, perplexities and bits per byte, against their definitions."""

import math
from fractions import Fraction

from corpora.likelihoods import decimals, real_numbers
from scoring.contract import Contract, check_metric


def per_token(predictions, sizes):
    """Real numbers are what floats hold, decimals what they print as; without a token it is 0."""
    found = sum(Fraction(x) if len(str(x)) > 9 else Fraction(str(x)) for x in predictions)
    return Fraction(found) / sum(sizes) if sum(sizes) else Fraction(0)


def loss(predictions, sizes):
    """The null distributions of the others have differences of it."""
    return -per_token(predictions, sizes)


def perplexity(predictions, sizes):
    return math.exp(loss(predictions, sizes))


def bits_per_byte(predictions, sizes):
    return float(loss(predictions, sizes)) / math.log(2)


METRICS = {
    "log_likelihood": {"score": per_token, "words": "log-likelihood per token"},
    "perplexity": {"score": perplexity, "of_law": loss, "tie": 1e-9, "words": "perplexity"},
    "bits_per_byte": {"score": bits_per_byte, "of_law": loss, "tie": 1e-9},
}
REALS = {"draw": real_numbers, "name": "reals", "few": 6, "is_counted": False}

test_contract = check_metric(
    *(Contract(name, decimals, **x) for name, x in METRICS.items()),
    *(Contract(name, **REALS, **x) for name, x in METRICS.items()),
)
