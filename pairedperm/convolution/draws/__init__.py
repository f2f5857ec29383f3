"""Sums of independent draws from an empirical law."""
