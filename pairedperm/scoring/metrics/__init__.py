"""The metrics: each family has a file, which is found by being here."""
