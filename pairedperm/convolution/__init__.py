"""The shared core: laws of sums of independent lattice variables. Knows no labels, no files."""

from pairedperm.convolution.budget import Budget
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.integers import exact_dot, exact_sum
from pairedperm.convolution.lattice import Lattice, spanned
from pairedperm.convolution.planar_law import PlanarLaw
from pairedperm.convolution.planar_masses import planar_pmf
from pairedperm.convolution.plane import planar_tail
from pairedperm.convolution.pmf import central_pmf
from pairedperm.convolution.tail import lower_tail

__all__ = [
    "Budget",
    "CertifiedProbability",
    "Lattice",
    "PlanarLaw",
    "central_pmf",
    "exact_dot",
    "exact_sum",
    "lower_tail",
    "planar_pmf",
    "planar_tail",
    "spanned",
]
