"""Plugins of test runners and harnesses, which import these files by entry points."""
