"""The engines of the permutation test, one in each file."""
