"""pairedperm: does one model really beat another? The exact paired-permutation test."""

from pairedperm.bootstrap.test import paired_bootstrap_test
from pairedperm.comparison.compare import compare
from pairedperm.comparison.plan import plan
from pairedperm.errors import BudgetError, InputError
from pairedperm.hf.registration import register
from pairedperm.options import Budget
from pairedperm.permutation.structured import structured_permutation_test
from pairedperm.permutation.test import paired_permutation_test
from pairedperm.results import __version__ as __version__
from pairedperm.results.bootstrap_result import PairedBootstrapResult
from pairedperm.results.null_distribution import NullDistribution
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.plan import Plan
from pairedperm.scoring import aggregators as aggregators
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.ratio import Ratio

__all__ = [
    "Budget",
    "BudgetError",
    "InputError",
    "NullDistribution",
    "PairedBootstrapResult",
    "PairedCounts",
    "PairedPermutationResult",
    "Plan",
    "Ratio",
    "compare",
    "paired_bootstrap_test",
    "paired_permutation_test",
    "plan",
    "register",
    "structured_permutation_test",
]
