"""The bits per byte of texts, from models' log-likelihoods of them."""

from __future__ import annotations

import math

from pairedperm.convolution.law import FloatArray
from pairedperm.scoring.metrics.perplexity import Perplexity


class BitsPerByte(Perplexity):
    """- natural log-likelihood of all texts / (ln 2 · bytes of all texts).

    Predictions are the log-likelihood of each text, summed over its tokens, negative or 0.
    References are its number of bytes. It is the binary logarithm of the perplexity per byte.

    Reported as a number; lower is better. p is exact (one sum): 0.05 to 1 s for a million texts,
    depending on their decimals. For numbers of more than 13 digits an interval bounds p, in 3 s.

    Examples
    --------
    >>> from pairedperm import compare
    >>> large, small = [-41.2, -12.5, -70.1], [-44.0, -13.1, -69.9]
    >>> result = compare(large, small, [80, 21, 122], "bits_per_byte")
    >>> round(result.score1, 4), round(result.score2, 4), result.pvalue
    (0.8009, 0.8216, 0.5)
    """

    name = "bits_per_byte"
    words = "bits per byte"
    aliases = ("bpb",)
    limits = 0.0, math.inf

    def of_loss(self, loss: float) -> float:
        return loss / math.log(2.0)

    def of_losses(self, losses: FloatArray) -> FloatArray:
        return losses / math.log(2.0)
