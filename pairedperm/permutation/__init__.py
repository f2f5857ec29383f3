"""The test under swaps."""
