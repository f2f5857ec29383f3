"""Tails and masses of sums of integers, on a line."""
