"""Tails of sums of vectors in the plane."""
