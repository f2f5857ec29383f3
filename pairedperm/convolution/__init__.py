"""The shared core: laws of sums of independent lattice variables. Knows no labels, no files."""

from pairedperm.convolution.budget import Budget
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.draws.quantiles import ratio_quantiles, sum_quantiles
from pairedperm.convolution.draws.tail import resampled_lower_tail
from pairedperm.convolution.grid.law import GridLaw
from pairedperm.convolution.grid.masses import grid_pmf
from pairedperm.convolution.grid.parts import Part, total_mass
from pairedperm.convolution.grid.product_law import ProductLaw, product_law
from pairedperm.convolution.grid.whole_law import WholeEngine, WholeLaw
from pairedperm.convolution.integers import exact_dot, exact_sum, largest_entry
from pairedperm.convolution.line.enumeration import (
    TOO_MANY,
    enumerate_lower_tail,
    enumeration_bytes,
    enumeration_size,
)
from pairedperm.convolution.line.pmf import central_pmf, listed_pmf
from pairedperm.convolution.line.tail import Engine, lower_tail, tail_engine
from pairedperm.convolution.line.window import hoeffding_length
from pairedperm.convolution.plane.band import PlanarRegion
from pairedperm.convolution.plane.lattice import Lattice, spanned
from pairedperm.convolution.plane.law import PlanarLaw
from pairedperm.convolution.plane.tail import planar_size, planar_tail
from pairedperm.convolution.plane.threshold import ThresholdRegion
from pairedperm.convolution.reals.bracket import (
    BRACKET_BYTES,
    LEAST_FREQUENCIES,
    LISTED,
    bracket_lower_tail,
)
from pairedperm.convolution.reals.split import RealSplit, Split, WholeSplit

__all__ = [
    "BRACKET_BYTES",
    "LEAST_FREQUENCIES",
    "LISTED",
    "TOO_MANY",
    "Budget",
    "CertifiedProbability",
    "Engine",
    "GridLaw",
    "Lattice",
    "Part",
    "PlanarLaw",
    "PlanarRegion",
    "ProductLaw",
    "RealSplit",
    "Split",
    "ThresholdRegion",
    "WholeEngine",
    "WholeLaw",
    "WholeSplit",
    "bracket_lower_tail",
    "central_pmf",
    "enumerate_lower_tail",
    "enumeration_bytes",
    "enumeration_size",
    "exact_dot",
    "exact_sum",
    "grid_pmf",
    "hoeffding_length",
    "largest_entry",
    "listed_pmf",
    "lower_tail",
    "planar_size",
    "planar_tail",
    "product_law",
    "ratio_quantiles",
    "resampled_lower_tail",
    "spanned",
    "sum_quantiles",
    "tail_engine",
    "total_mass",
]
