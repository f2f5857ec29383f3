"""The metrics: each family has a file in this folder, and is found because it is here."""
