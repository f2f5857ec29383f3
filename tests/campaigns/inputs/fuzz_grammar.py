"""Which calls a campaign makes, and how often."""

from random import Random

from campaigns.inputs import (
    fuzz_counts,
    fuzz_deciding,
    fuzz_files,
    fuzz_hub,
    fuzz_many,
    fuzz_pipelines,
    fuzz_plans,
    fuzz_tests,
    fuzz_texts,
)
from campaigns.inputs.fuzz_call import Call

_MODULES = (
    fuzz_tests,
    fuzz_many,
    fuzz_deciding,
    fuzz_files,
    fuzz_counts,
    fuzz_hub,
    fuzz_pipelines,
    fuzz_plans,
    fuzz_texts,
)
_GRAMMARS = {grammar: weight for x in _MODULES for grammar, weight in x.GRAMMARS.items()}


def call_of(rng: Random) -> Call:
    """The next call of this source of random numbers."""
    (grammar,) = rng.choices(list(_GRAMMARS), list(_GRAMMARS.values()))
    return grammar(rng)
