"""Thresholds of engine choice and sizes of blocks, lowered so that small corpora reach all engines.

Every setting must leave every answer right. Settings are lower than in use, within the limit that a
constant's comment names. Those of `COARSE` widen intervals, which stay right.
"""

from contextlib import contextmanager

from campaigns.exact.routes import place

_CORE, _PACKAGE = "pairedperm.convolution.", "pairedperm."
THRESHOLDS = {
    (_CORE + "line.tail", "COUNTABLE"): (-1, 2**12),
    (_CORE + "line.tail", "FITTING"): (0.0,),
    (_CORE + "plane.tail", "COUNTED"): (-1,),
    (_CORE + "plane.tail", "ENUMERATED"): (-1, -1, 2**4),
    (_CORE + "plane.tail", "QUICK"): (0.0,),
    (_CORE + "grid.product_law", "CONVOLVED"): (0, 2**12),
    (_CORE + "grid.product_law", "WIDER"): (0.0,),
    (_CORE + "grid.product_law", "FEW"): (0,),
    (_CORE + "grid.masses", "CONVOLVED"): (-1,),
    (_CORE + "grid.frequencies", "BOXES"): (1, 2**4),
    (_CORE + "grid.frequencies", "FEW"): (0,),
    (_CORE + "grid.frequencies", "TOGETHER"): (2**8,),
    (_CORE + "grid.frequencies", "FACTORS"): (3,),
    (_CORE + "grid.parts", "WHOLE"): (4,),
    (_CORE + "grid.parts", "COUNTED"): (2,),
    (_CORE + "line.pmf", "CONVOLVED"): (1, 2**4),
    (_CORE + "line.pmf", "ENUMERATED"): (0,),
    (_CORE + "line.tail", "MAX_APART"): (0, 2),
    (_CORE + "line.frequencies", "LONG"): (2**4, 2**8),
    (_CORE + "line.frequencies", "CELLS"): (2**12,),
    (_CORE + "line.frequencies", "FEW"): (2**4,),
    (_CORE + "line.frequencies", "BLOCK"): (2**12,),
    (_CORE + "line.intervals", "LEAST"): (2**3, 2**7),
    (_CORE + "line.intervals", "MOST"): (2**6,),
    (_CORE + "line.intervals", "SINGLE"): (1.0,),
    (_CORE + "line.intervals", "CELLS"): (2**12,),
    (_CORE + "line.intervals", "SAMPLE"): (2**6,),
    (_CORE + "line.intervals", "NEAREST"): (1,),
    (_CORE + "line.intervals", "SAMPLED"): (2**6,),
    (_CORE + "line.intervals", "BLOCK"): (2**7,),
    (_CORE + "characteristic", "CELLS"): (2**12,),
    (_CORE + "line.halves", "BLOCK"): (2**10,),
    (_CORE + "grid.fft", "ROWS"): (2**6,),
    (_CORE + "plane.threshold", "TOGETHER"): (1, 3),
    (_CORE + "plane.threshold", "APART"): (1, 3),
    (_CORE + "plane.threshold", "REACH"): (0, 1, 5),
    (_CORE + "reals.bracket", "LISTED"): (12, 20),
    (_CORE + "reals.bracket", "MAX_APART"): (0, 2),
    (_CORE + "reals.rounded", "QUICK"): (0.0, 1e6),
    (_CORE + "reals.extremal", "CELLS"): (2**12,),
    (_CORE + "reals.extremal", "STAGE"): (2,),
    (_CORE + "draws.tail", "COUNTABLE"): (-1, 2**8),
    (_CORE + "draws.tail", "SHORT"): (2**4, 2**8),
    (_CORE + "draws.tail", "TRANSFORMED"): (2**14,),
    (_CORE + "draws.tail", "LONG"): (2,),
    (_CORE + "draws.tail", "FEW"): (0,),
    (_CORE + "draws.tail", "CELLS"): (2**8,),
    (_PACKAGE + "permutation.run", "QUICK"): (0.0, 1e-3),
    (_PACKAGE + "permutation.engines.whole", "CELLS"): (2**8,),
    (_PACKAGE + "permutation.extremes", "CELLS"): (2**8,),
    (_PACKAGE + "scoring.function", "CELLS"): (2**6,),
    (_CORE + "assignments", "TOGETHER"): (2**8,),
    (_PACKAGE + "permutation.means", "BLOCK"): (7,),
    (_PACKAGE + "permutation.means", "DENSE"): (4,),
    (_PACKAGE + "permutation.real_rows", "SUM_BITS"): (20, 30),
    (_CORE + "integers", "DENSE"): (4,),
    (_PACKAGE + "scoring.waist", "LEAST"): (1,),
    (_PACKAGE + "scoring.class_counts", "LEAST"): (1,),
    (_PACKAGE + "scoring.metrics.accuracy", "LEAST"): (1,),
    (_CORE + "sampling", "CELLS"): (1000,),
    (_CORE + "sampling", "TOGETHER"): (5,),
    (_CORE + "sampling", "FEW"): (0, 3),
    (_CORE + "sampling", "WIDE"): (1,),
    (_CORE + "sampling", "SPARSE"): (1.0,),
}
COARSE = {
    (_CORE + "grid.law", "LEAK"): (1e-3,),
    (_CORE + "grid.masses", "DROPPED"): (1e-5,),
    (_PACKAGE + "permutation.two_sums", "LONGEST"): (0,),
}


def drawn(rng):
    """Some of the settings: (module, name) -> value."""
    share = rng.choice([0.1, 0.5, 1.0])
    found = {}
    for table, likely in ((THRESHOLDS, share), (COARSE, 0.3 if rng.random() < 0.3 else 0.0)):
        for key, values in table.items():
            if rng.random() < likely:
                found[key] = values[int(rng.integers(len(values)))]
    return found


def is_coarse(settings):
    """Whether answers are only known within their intervals."""
    return not COARSE.keys().isdisjoint(settings)


def check():
    """Raise LookupError if a name is no longer there."""
    for module, name in THRESHOLDS | COARSE:
        place(module, name)


@contextmanager
def lowered(settings):
    """Apply the settings inside the block, and restore them after it."""
    before = {key: getattr(place(*key), key[1]) for key in settings}
    try:
        for key, value in settings.items():
            setattr(place(*key), key[1], value)
        yield
    finally:
        for key, value in before.items():
            setattr(place(*key), key[1], value)


def as_code(settings):
    """Python lines that set them."""
    return [
        f'importlib.import_module("{module}").{name} = {value!r}'
        for (module, name), value in settings.items()
    ]
