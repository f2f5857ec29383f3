"""Metrics: the rows that examples contribute, and the score of their sums."""
