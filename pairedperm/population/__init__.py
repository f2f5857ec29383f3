"""What the sample says of all examples: standard errors, intervals, and laws of outcomes."""
