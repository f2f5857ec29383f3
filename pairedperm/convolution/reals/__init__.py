"""Sums of real numbers, which lie on no lattice."""
