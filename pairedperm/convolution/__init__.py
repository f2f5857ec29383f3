"""The shared core: laws of sums of independent lattice variables. Knows no labels, no files."""
