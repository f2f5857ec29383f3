"""Thresholds of engine choice and sizes of blocks, lowered so that small corpora reach all engines.

Every setting must leave every answer right: none is a constant that a proof depends on, apart from
those of `COARSE`, whose certificates take them into account: intervals stay right, and wide.
"""

from contextlib import contextmanager

from campaigns.exact.routes import place

_CORE, _PACKAGE = "pairedperm.convolution.", "pairedperm."
THRESHOLDS = {
    (_CORE + "line.tail", "_COUNTABLE"): (-1, 2**12),
    (_CORE + "line.tail", "_FITTING"): (0.0,),
    (_CORE + "plane.tail", "_COUNTED"): (-1,),
    (_CORE + "plane.tail", "_ENUMERATED"): (-1, -1, 2**4),
    (_CORE + "grid.product_law", "_CONVOLVED"): (0, 2**12),
    (_CORE + "grid.product_law", "_FEW"): (0,),
    (_CORE + "grid.masses", "_CONVOLVED"): (-1,),
    (_CORE + "grid.frequencies", "_BOXES"): (1, 2**4),
    (_CORE + "grid.frequencies", "_FEW"): (0,),
    (_CORE + "grid.frequencies", "_TOGETHER"): (2**8,),
    (_CORE + "grid.frequencies", "_FACTORS"): (3,),
    (_CORE + "grid.parts", "_WHOLE"): (4,),
    (_CORE + "grid.parts", "_COUNTED"): (2,),
    (_CORE + "line.pmf", "_CONVOLVED"): (1, 2**4),
    (_CORE + "line.pmf", "_ENUMERATED"): (0,),
    (_CORE + "line.frequencies", "_CELLS"): (2**12,),
    (_CORE + "line.frequencies", "_FEW"): (2**4,),
    (_CORE + "line.frequencies", "_BLOCK"): (2**12,),
    (_CORE + "characteristic", "_CELLS"): (2**12,),
    (_CORE + "line.halves", "_BLOCK"): (2**10,),
    (_CORE + "grid.fft", "_ROWS"): (2**6,),
    (_CORE + "plane.threshold", "_TOGETHER"): (1, 3),
    (_CORE + "plane.threshold", "_APART"): (1, 3),
    (_CORE + "plane.threshold", "_REACH"): (0, 1, 5),
    (_CORE + "reals.bracket", "LISTED"): (12, 20),
    (_CORE + "reals.extremal", "_CELLS"): (2**12,),
    (_CORE + "reals.extremal", "_STAGE"): (2,),
    (_CORE + "draws.tail", "_COUNTABLE"): (-1, 2**8),
    (_CORE + "draws.tail", "_LONG"): (2,),
    (_CORE + "draws.tail", "_FEW"): (0,),
    (_CORE + "draws.tail", "_CELLS"): (2**8,),
    (_PACKAGE + "permutation.run", "_QUICKLY_LISTED"): (2**3,),
    (_PACKAGE + "permutation.engines.whole", "_CELLS"): (2**8,),
    (_PACKAGE + "permutation.extremes", "_CELLS"): (2**8,),
    (_PACKAGE + "scoring.function", "_CELLS"): (2**6,),
    (_PACKAGE + "permutation.engines.enumeration", "_TOGETHER"): (2**8,),
    (_PACKAGE + "permutation.means", "_BLOCK"): (7,),
    (_PACKAGE + "permutation.means", "_DENSE"): (4,),
    (_PACKAGE + "permutation.real_rows", "_SUM_BITS"): (20, 30),
    (_CORE + "integers", "_DENSE"): (4,),
    (_CORE + "sampling", "_CELLS"): (1000,),
    (_CORE + "sampling", "_TOGETHER"): (5,),
    (_CORE + "sampling", "_FEW"): (0, 3),
    (_CORE + "sampling", "_WIDE"): (1,),
    (_CORE + "sampling", "_SPARSE"): (1.0,),
}
COARSE = {
    (_CORE + "grid.law", "_LEAK"): (1e-3,),
    (_CORE + "grid.masses", "_DROPPED"): (1e-5,),
    (_PACKAGE + "permutation.two_sums", "_LONGEST"): (0,),
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
