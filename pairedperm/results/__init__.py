"""Results of the tests, and how they are printed."""

__version__ = "0.1.0"
