"""The bootstrap test: its resamples draw examples with replacement."""
