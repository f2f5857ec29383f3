"""Predictions in, an answer out."""
