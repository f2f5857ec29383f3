"""What the sample says of all examples: standard errors, intervals, and the law of flips."""
