"""Sums of integers: tails and masses on a line."""
