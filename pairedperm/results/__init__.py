"""What comes out of a test."""
