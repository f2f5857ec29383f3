"""The shared core: laws of sums of independent lattice variables. Knows no labels, no files."""

from pairedperm.convolution.budget import Budget
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.grid_masses import GridLaw, grid_pmf
from pairedperm.convolution.integers import exact_dot, exact_sum
from pairedperm.convolution.lattice import Lattice, spanned
from pairedperm.convolution.parts import Part, total_mass
from pairedperm.convolution.planar_band import PlanarRegion
from pairedperm.convolution.planar_law import PlanarLaw
from pairedperm.convolution.planar_threshold import ThresholdRegion
from pairedperm.convolution.plane import planar_size, planar_tail
from pairedperm.convolution.pmf import central_pmf
from pairedperm.convolution.product_law import ProductLaw, product_law
from pairedperm.convolution.tail import Engine, lower_tail, tail_engine
from pairedperm.convolution.window import hoeffding_length

__all__ = [
    "Budget",
    "CertifiedProbability",
    "Engine",
    "GridLaw",
    "Lattice",
    "Part",
    "PlanarLaw",
    "PlanarRegion",
    "ProductLaw",
    "ThresholdRegion",
    "central_pmf",
    "exact_dot",
    "exact_sum",
    "grid_pmf",
    "hoeffding_length",
    "lower_tail",
    "planar_size",
    "planar_tail",
    "product_law",
    "spanned",
    "tail_engine",
    "total_mass",
]
