"""pairedperm: does one model really beat another? The exact paired-permutation test."""

import importlib
from typing import TYPE_CHECKING, Any

from pairedperm.bootstrap.test import paired_bootstrap_test
from pairedperm.comparison.compare import compare, paired_counts
from pairedperm.comparison.equivalence import equivalence_test
from pairedperm.comparison.gate import gate
from pairedperm.comparison.many import compare_many
from pairedperm.comparison.plan import plan
from pairedperm.comparison.power import examples_needed, minimum_detectable_difference, power
from pairedperm.comparison.publish import publish
from pairedperm.comparison.sequential import SequentialTest
from pairedperm.comparison.suite import compare_suite
from pairedperm.comparison.verify import verify
from pairedperm.errors import BudgetError, InputError
from pairedperm.hf.registration import load, register
from pairedperm.options import Budget
from pairedperm.permutation.test import paired_permutation_test, structured_permutation_test
from pairedperm.results import __version__ as __version__
from pairedperm.results.bootstrap_result import PairedBootstrapResult
from pairedperm.results.equivalence_result import EquivalenceResult
from pairedperm.results.gate_result import GateResult
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.results.null_distribution import NullDistribution
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.power_result import PowerResult
from pairedperm.results.report import Plan
from pairedperm.results.suite_result import SuiteResult
from pairedperm.results.verification import Verification
from pairedperm.scoring import aggregators as aggregators
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.ratio import Ratio

if TYPE_CHECKING:
    from pairedperm import hf as hf
    from pairedperm import model_card as model_card
    from pairedperm import readers as readers
    from pairedperm import scoring as scoring

__all__ = [
    "Budget",
    "BudgetError",
    "EquivalenceResult",
    "GateResult",
    "InputError",
    "Leaderboard",
    "NullDistribution",
    "PairedBootstrapResult",
    "PairedCounts",
    "PairedPermutationResult",
    "Plan",
    "PowerResult",
    "Ratio",
    "SequentialTest",
    "SuiteResult",
    "Verification",
    "compare",
    "compare_many",
    "compare_suite",
    "equivalence_test",
    "examples_needed",
    "gate",
    "load",
    "minimum_detectable_difference",
    "paired_bootstrap_test",
    "paired_counts",
    "paired_permutation_test",
    "plan",
    "power",
    "publish",
    "register",
    "structured_permutation_test",
    "verify",
]
_ROOMS = ("hf", "model_card", "readers", "scoring")  # subpackages imported on first use


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS, "aggregators", "__version__"])


if not TYPE_CHECKING:  # a type checker would otherwise accept any name

    def __getattr__(name: str) -> Any:
        if name in _ROOMS:
            return importlib.import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
