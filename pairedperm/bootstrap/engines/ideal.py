"""All resamples at once: the ideal bootstrap."""

from __future__ import annotations

from pairedperm.bootstrap.problem import Answer, Draws, Engine
from pairedperm.errors import InputError
from pairedperm.options import Options

__all__ = ["IDEAL"]


class Ideal(Engine):
    """Of all n^n resamples, where the difference is a sum over a common denominator."""

    name = "exact"

    def run(self, problem: Draws, options: Options) -> Answer:
        """See `Engine`."""
        shared = problem.shared
        if shared is None:
            raise InputError(
                "`method` 'exact', the ideal bootstrap, is for means of integers, decimals or "
                "small fractions, and for ratios of such sums whose denominator is the same for "
                f"both systems on every example: here {problem.inexact}. Use method='auto' or "
                "'monte_carlo'."
            )
        p = shared.pvalue(options.alternative, options.ties, options.budget)
        level = (1.0 - options.confidence_level) / 2.0
        return Answer(p, shared.intervals(level, options.budget))


IDEAL = Ideal()
