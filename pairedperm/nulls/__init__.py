"""The permutation test: its null hypothesis swaps the two systems' outputs."""
