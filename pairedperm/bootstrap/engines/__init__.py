"""The engines of the bootstrap test, one in each file."""
