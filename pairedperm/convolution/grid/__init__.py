"""Laws of sums of vectors of any dimension, point by point."""
