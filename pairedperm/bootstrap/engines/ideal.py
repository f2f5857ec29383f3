"""The ideal bootstrap: all n^n resamples at once."""

from __future__ import annotations

from pairedperm.bootstrap.problem import Draws
from pairedperm.bootstrap.shared_ratio import SharedRatio
from pairedperm.convolution.engine import Answer, Cost, Engine
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Setting
from pairedperm.options import Budget, Options

_QUICK = Budget(max_points=2**20)  # tuned: for each of up to five sums: some three seconds


class Ideal(Engine[Draws, Options]):
    """The engine of p over all n^n resamples, and of the percentile intervals."""

    name = "exact"

    def cost(self, problem: Draws, limits: Options) -> Cost | None:
        """See `Engine`; what the transforms of up to five sums take is found while they run."""
        if not problem.inexact:
            return Cost(1, "all resamples at once", None, problem.n_points)
        if limits.method == "auto":
            return None
        raise InputError(
            *(
                Name("method"),
                " 'exact', the ideal bootstrap, is for means of integers, decimals or ",
            ),
            "small fractions. It is also for ratios of such sums whose denominator is the same for "
            "both systems on every example",
            remedy=(
                Parts("Here ", problem.inexact),
                Parts("Use ", Setting("method", "'auto'"), " or 'monte_carlo'"),
            ),
        )

    def run(self, problem: Draws, limits: Options, cost: Cost) -> Answer:
        """See `Engine`; "auto" has a lower budget, if the caller gave none."""
        assert isinstance(problem, SharedRatio)
        is_default = limits.method == "auto" and limits.budget == Budget()
        budget = _QUICK if is_default else limits.budget
        p = problem.pvalue(limits.alternative, limits.ties, budget)
        return Answer(p, intervals=problem.intervals((1.0 - limits.level) / 2.0, budget))


IDEAL = Ideal()
