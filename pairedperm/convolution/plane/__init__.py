"""Sums of vectors in the plane: tails."""
