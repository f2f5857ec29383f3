"""Random cases as Hypothesis properties; the suite's profile says how many."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

# A failure names the seed: `rng=default_rng(2026)`.
generators = st.builds(np.random.default_rng, st.integers(0, 2**32 - 1))


def cases(share):
    """Scale the profile's number of cases by `share`; a single case is that of seed 0.

    A campaign has a clock instead.
    """
    if not settings().derandomize:
        return settings()
    return settings(max_examples=max(1, round(share * settings().max_examples)))


def some(listed, every):
    """All of a list of cases with --thorough; the quick suite takes every so many of them."""
    is_quick = settings().max_examples <= settings.get_profile("quick").max_examples
    return listed[::every] if is_quick else listed


def one_in(every):
    """Mark a test of which the quick suite asks one in so many parametrizations, from the first.

    Take a number that is prime to how many values each of stacked parameters has: with another it
    would always meet the same values, which is an error.
    """
    return pytest.mark.one_in(every)
