"""Comparisons of systems: from their predictions to a result."""
