"""The shared core: laws of sums of independent lattice variables. Knows no labels, no files."""

from pairedperm.convolution.budget import Budget
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.integers import exact_dot, exact_sum
from pairedperm.convolution.pmf import central_pmf
from pairedperm.convolution.tail import lower_tail

__all__ = [
    "Budget",
    "CertifiedProbability",
    "central_pmf",
    "exact_dot",
    "exact_sum",
    "lower_tail",
]
