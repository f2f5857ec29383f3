"""The shared core: laws of sums of independent lattice variables. Knows no labels, no files."""

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.integers import exact_dot, exact_sum
from pairedperm.convolution.tail import lower_tail

__all__ = ["CertifiedProbability", "exact_dot", "exact_sum", "lower_tail"]
