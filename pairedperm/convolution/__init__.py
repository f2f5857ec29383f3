"""The shared core: laws of sums of independent lattice variables. It reads no labels, no files."""
