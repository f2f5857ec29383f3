"""How often studentised intervals cover a mean difference: the table of `--studentised`.

Each of 200 examples differs with a chance that gives so many differing ones on average. Three
quarters of these are wins. The sizes of differences are drawn from one of four laws: uniform up to
1, the absolute values of normal numbers, lognormal numbers, or 1 and, once in ten, 10. The last law
is like groups of examples, of which few differ by much. An interval that p would extend to 0 is
left as it is. Samples without any difference are drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from pairedperm.population.evidence import Evidence
from pairedperm.scoring.arguments import read_arguments

Floats = NDArray[np.float64]
Sizes = Callable[[np.random.Generator, int], Floats]

UNIT = 1000.0  # differences are whole: zeros are drawn together, which is quick
N, DIFFERING, LEVEL, WON = 200, (5, 10, 20, 30, 40, 80), 0.95, 0.75
RARE = 0.9, 0.1  # of the two sizes
SIZES: dict[str, tuple[Sizes, float]] = {  # how they are drawn, and their mean
    "uniform": (lambda rng, k: rng.random(k), 0.5),
    "normal": (lambda rng, k: np.abs(rng.normal(size=k)), float(np.sqrt(2.0 / np.pi))),
    "lognormal": (lambda rng, k: rng.lognormal(size=k), float(np.exp(0.5))),
    "one in ten is 10 times as large": (lambda rng, k: rng.choice((1.0, 10.0), k, p=RARE), 1.9),
}


def lines(n_samples: int, seed: int) -> Iterator[str]:
    """Yield the table of Markdown."""
    yield f"| differ | {' | '.join(SIZES)} |"
    yield "|--:" * (1 + len(SIZES)) + "|"
    for row, differing in enumerate(DIFFERING):
        cells = (
            f"{coverage(name, differing, n_samples, np.random.default_rng([seed, row, k])):.1%}"
            for k, name in enumerate(SIZES)
        )
        yield f"| {differing} | {' | '.join(cells)} |"


def coverage(sizes: str, differing: int, n_samples: int, rng: np.random.Generator) -> float:
    """Return the share of samples whose interval has the true mean inside."""
    draw, mean = SIZES[sizes]
    true, covered = differing / N * (2.0 * WON - 1.0) * UNIT * mean, 0
    for seed in range(n_samples):
        low, high = interval(sample(draw, differing, rng), seed)
        covered += low < true < high
    return covered / n_samples


def sample(draw: Sizes, differing: int, rng: np.random.Generator) -> Floats:
    """Draw the differences of the examples, not all 0."""
    n_differing = 0
    while not n_differing:
        n_differing = int(rng.binomial(N, differing / N))
    signs = rng.choice([1.0, -1.0], n_differing, p=[WON, 1.0 - WON])
    differences = np.zeros(N)
    differences[:n_differing] = signs * np.round(UNIT * draw(rng, n_differing))
    return differences


def interval(differences: Floats, seed: int) -> tuple[float, float]:
    """Return the studentised interval of the mean."""
    evidence = Evidence(*read_arguments(differences, np.zeros(N), None, None))
    low, high = evidence.interval(LEVEL, seed, "studentised bootstrap")
    return low, high
