"""What holds of the table that a result is published with."""

from __future__ import annotations

import json
import warnings
from typing import Any

from pairedperm import (
    InputError,
    PairedCounts,
    PairedPermutationResult,
    paired_permutation_test,
    publish,
    verify,
)
from pairedperm.comparison.publish import SCORES

_FEW = 40  # differing examples: p is recomputed in big integers at once
_UNTOLD = ("n_wins", "n_losses", "n_ties", "confidence_level", "stat_low", "stat_high")


def broken_by_publishing(answer: PairedPermutationResult) -> str:
    """How the table breaks its promise; "" if it does not, or there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            published = json.loads(json.dumps(publish(answer), allow_nan=False))
        except InputError:
            return ""
        if answer.n_differing <= _FEW and answer.interval == "certified":
            found = verify(published)
            if found.status == "refuted":
                return f"the published p is refuted: {found}"
        if published["format"] == SCORES or answer.n_resamples is not None:
            return ""
        counts = PairedCounts.from_dict(published)
        options: dict[str, Any] = {"alternative": answer.alternative, "method": answer.method}
        again = paired_permutation_test(counts, **options)
    one, two = answer.to_dict(), again.to_dict()
    differing = [key for key in two if key not in _UNTOLD and one[key] != two[key]]
    return f"counts of it give another {differing}" if differing else ""
