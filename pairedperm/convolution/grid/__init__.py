"""Sums of vectors of any dimension: all their points."""
