"""The method "exact": the best of a problem's tails."""

from __future__ import annotations

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Best, Candidates, Cost, Engine
from pairedperm.convolution.integers import n_sums
from pairedperm.errors.message import Message
from pairedperm.options import Options
from pairedperm.permutation.problem import Problem
from pairedperm.results.sampled import QUICK


class Certain(Engine[Problem, Options]):
    """The engine of p = 1, where every swap is as extreme as observed."""

    name = "certain"

    def cost(self, problem: Problem, limits: Options) -> Cost | None:
        """See `Engine`."""
        return Cost(problem.rank, settles=True) if problem.is_known else None

    def run(self, problem: Problem, limits: Options, cost: Cost) -> Answer:
        """See `Engine`."""
        return Answer(CertifiedProbability.exactly(1.0))


class Exact(Best[Problem, Options]):
    """The engine of "exact": the first quick tail, otherwise the quickest one."""

    def cost(self, problem: Problem, limits: Options) -> Cost:
        """See `Engine`; without a lattice there is no tail."""
        if problem.no_lattice and not problem.is_known:
            n = n_sums(problem.multiplicities)
            return Cost(problem.rank, "", None, n, excess=Message(problem.why_not_exact))
        return super().cost(problem, limits)


def _candidates(problem: Problem) -> Candidates:
    yield CERTAIN, problem
    yield from problem.tails()


def _is_quick(problem: Problem, cost: Cost) -> bool:
    return cost.seconds <= QUICK


CERTAIN = Certain()
EXACT = Exact("exact", _candidates, _is_quick)
