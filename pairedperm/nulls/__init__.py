"""The null models: swaps of the two systems' outputs, and draws of examples."""
