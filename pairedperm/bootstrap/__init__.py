"""The test under draws with replacement."""
