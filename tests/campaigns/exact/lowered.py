"""Thresholds of engine choice and sizes of blocks, lowered so that small corpora reach all engines.

Every setting must leave every answer right. Settings are lower than in use, within the limit that a
constant's comment names. Those of `COARSE` widen intervals, which stay right.
"""

from contextlib import contextmanager

import pytest
from hypothesis import strategies as st

from campaigns.exact.routes import place


def _in(module, **settings):
    """The values of a module's constants, by their full names."""
    return {f"{module}.{name}": values for name, values in settings.items()}


THRESHOLDS = {
    **_in("line.tail", COUNTABLE=(-1, 2**12), MAX_APART=(0, 2)),
    **_in("line.tail", FITTING=(0.0,), FITTING_LONG=(0.0,)),
    **_in("plane.tail", COUNTED=(-1,), ENUMERATED=(-1, -1, 2**4), QUICK_NS=(0.0,)),
    **_in("plane.law", BLOCK_ROWS=(1, 3), APART=(1, 3), REACH=(0, 1, 5)),
    **_in("grid.product_law", CONVOLVED=(0, 2**12), WIDER=(0.0,), FEW_POINTS=(0,)),
    **_in("grid.frequencies", CONVOLVED_PMF=(-1,)),
    **_in(
        "grid.frequencies", BOXES=(1, 2**4), FEW_FREQUENCIES=(0,), BLOCK_BOXES=(2**8,), FACTORS=(3,)
    ),
    **_in("grid.whole_law", ROWS=(2**6,)),
    **_in("line.masses", CONVOLVED_POINTS=(1, 2**4), LISTED_EXAMPLES=(0,)),
    **_in("line.tilted", SLOW_SUM=(0.0,)),
    **_in(
        "line.intervals",
        FIRST_POINTS=(2**3, 2**7),
        CACHED_POINTS=(2**6,),
        SINGLE=(1.0,),
        BLOCK_TERMS=(2**12,),
    ),
    **_in("line.intervals", SAMPLE_INTERVALS=(2**6,), NEAREST=(1,), SAMPLE_POINTS=(2**6,)),
    **_in("line.intervals", LONG_TRANSFORM=(2**4, 2**8), BLOCK_INTERVALS=(2**7,)),
    **_in("integers", BLOCK_SUMS=(2**10,)),
    **_in("characteristic", BLOCK_TERMS=(2**8, 2**12)),
    **_in("reals.bracket", LISTED=(12, 20), MAX_APART=(0, 2)),
    **_in("reals.rounded", QUICK_TAILS=(0.0, 1e6)),
    **_in("draws.tail", COUNTABLE_BITS=(-1, 2**8), SHORT=(2**4, 2**8), TRANSFORMED=(2**14,)),
    **_in("draws.tail", LONG_WINDOW=(2,), FEW_VALUES=(0,)),
    **_in("integers", BLOCK_LISTED=(2**8,)),
    **_in("law", DENSE_CODES=(4,)),
    **_in("sampling", DRAWN_AT_ONCE=(1000,), BLOCK_BITS=(5,), MOST_BITS=(0, 3)),
    **_in("sampling", WIDE=(1,), SPARSE=(1.0,)),
    **_in("nulls.swaps", QUICK=(0.0, 1e-3)),
    **_in("nulls.functions", POINT_CELLS=(2**8,)),
    **_in("nulls.functions", COMPARED=(2**8,)),
    **_in("nulls.means", BLOCK_READ=(7,), MOST_COUNTED=(4,)),
    **_in("scoring.function", BLOCK_CELLS=(2**6,)),
    **_in("scoring.rows", LEAST=(1,)),
    **_in("scoring.classes", LEAST=(1,)),
    **_in("scoring.metrics.labels", LEAST=(1,)),
}
COARSE = {
    **_in("law", LEAK=(1e-3,)),
    **_in("grid.frequencies", DROPPED_PHI=(1e-5,)),
    **_in("nulls.functions", LONGEST_SEARCHED=(0,)),
}


@st.composite
def drawn(draw, route):
    """Some settings, name -> value, as the route wants them."""
    n = draw(st.just(0) | st.integers(0, 8) | st.integers(0, len(THRESHOLDS)))
    chosen = draw(st.lists(st.sampled_from([*THRESHOLDS]), min_size=n, max_size=n, unique=True))
    if draw(st.integers(0, 9)) == 9:
        chosen += draw(st.sets(st.sampled_from([*COARSE])))
    found = {name: draw(st.sampled_from((THRESHOLDS | COARSE)[name])) for name in chosen}
    lowers, keeps = (
        {x if "." in x else route.function.rpartition(".")[0] + "." + x for x in names.split()}
        for names in (route.lowers, route.keeps)
    )
    found |= {name: THRESHOLDS[name][0] for name in lowers}
    return {name: value for name, value in found.items() if name not in keeps}


@contextmanager
def lowered(settings):
    """Apply the settings inside the block."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setattr(*place(name), value)
        yield
