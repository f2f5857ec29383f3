"""The command line, with one file for each command."""
