"""The ways to a p-value and its intervals: an engine a file."""
