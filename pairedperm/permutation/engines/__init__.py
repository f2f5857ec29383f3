"""The ways to a p-value: an engine a file."""
