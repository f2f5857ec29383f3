"""What comes out of a test."""

__version__ = "0.1.0"
