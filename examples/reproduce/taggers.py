"""The papers' simulated taggers: numbers of correct tokens in each sentence (their Table 1)."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from synthetic import correct_tokens


def systems(n: int, factor: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Scores of two systems on n sentences; the mean accuracy of the second is `factor` times."""
    return correct_tokens(n, (1.0 - factor) * math.sqrt(n), rng)  # an effect is relative to 1 / √n
