"""The metrics: each family has a file in this folder, and is listed in `pairedperm.scoring`."""
