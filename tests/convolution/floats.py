"""Floats as integers, which add up without fractions."""

FINEST = 1074  # every float is a multiple of 2^-FINEST


def in_units(x):
    """How many times 2^-FINEST a float is."""
    numerator, denominator = x.as_integer_ratio()
    return (numerator << FINEST) // denominator
