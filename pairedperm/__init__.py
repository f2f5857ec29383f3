"""pairedperm: does one model really beat another? The exact paired-permutation test."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from pairedperm.results import __version__ as __version__

if TYPE_CHECKING:
    from pairedperm import hf as hf
    from pairedperm import model_card as model_card
    from pairedperm import readers as readers
    from pairedperm import scoring as scoring
    from pairedperm.comparison.bounds import pvalue_bounds as pvalue_bounds
    from pairedperm.comparison.compare import compare as compare
    from pairedperm.comparison.compare import paired_counts as paired_counts
    from pairedperm.comparison.decide import equivalence_test as equivalence_test
    from pairedperm.comparison.decide import gate as gate
    from pairedperm.comparison.decide_suite import gate_suite as gate_suite
    from pairedperm.comparison.power import examples_needed as examples_needed
    from pairedperm.comparison.power import (
        minimum_detectable_difference as minimum_detectable_difference,
    )
    from pairedperm.comparison.power import power as power
    from pairedperm.comparison.preference import preference as preference
    from pairedperm.comparison.reruns import noise as noise
    from pairedperm.comparison.reruns import rerun_test as rerun_test
    from pairedperm.comparison.score import score_interval as score_interval
    from pairedperm.comparison.sequential import SequentialTest as SequentialTest
    from pairedperm.comparison.several import adjust as adjust
    from pairedperm.comparison.several import compare_many as compare_many
    from pairedperm.comparison.several import compare_suites as compare_suites
    from pairedperm.comparison.suite import compare_suite as compare_suite
    from pairedperm.errors import BudgetError as BudgetError
    from pairedperm.errors import InputError as InputError
    from pairedperm.hf.module import load as load
    from pairedperm.hf.module import register as register
    from pairedperm.nulls.draws import paired_bootstrap_test as paired_bootstrap_test
    from pairedperm.nulls.swaps import paired_permutation_test as paired_permutation_test
    from pairedperm.nulls.swaps import (
        structured_permutation_test as structured_permutation_test,
    )
    from pairedperm.options import Budget as Budget
    from pairedperm.results.decisions import EquivalenceResult as EquivalenceResult
    from pairedperm.results.decisions import GateResult as GateResult
    from pairedperm.results.decisions import SuiteGateResult as SuiteGateResult
    from pairedperm.results.power import PowerResult as PowerResult
    from pairedperm.results.power import PvalueBounds as PvalueBounds
    from pairedperm.results.power import ThresholdPower as ThresholdPower
    from pairedperm.results.preference import PreferenceResult as PreferenceResult
    from pairedperm.results.reruns import Noise as Noise
    from pairedperm.results.reruns import RerunResult as RerunResult
    from pairedperm.results.result import NullDistribution as NullDistribution
    from pairedperm.results.result import PairedResult as PairedResult
    from pairedperm.results.score import NumberGateResult as NumberGateResult
    from pairedperm.results.score import ScoreInterval as ScoreInterval
    from pairedperm.results.several import Leaderboard as Leaderboard
    from pairedperm.results.suite import SuiteResult as SuiteResult
    from pairedperm.scoring import aggregators as aggregators
    from pairedperm.scoring.counts import PairedCounts as PairedCounts
    from pairedperm.scoring.scores import Ratio as Ratio

_HOMES = {  # the module of each public name, which is imported on first use
    "Budget": "options",
    "BudgetError": "errors",
    "EquivalenceResult": "results.decisions",
    "GateResult": "results.decisions",
    "InputError": "errors",
    "Leaderboard": "results.several",
    "Noise": "results.reruns",
    "NullDistribution": "results.result",
    "NumberGateResult": "results.score",
    "PairedCounts": "scoring.counts",
    "PairedResult": "results.result",
    "PowerResult": "results.power",
    "PreferenceResult": "results.preference",
    "PvalueBounds": "results.power",
    "Ratio": "scoring.scores",
    "RerunResult": "results.reruns",
    "ScoreInterval": "results.score",
    "SequentialTest": "comparison.sequential",
    "SuiteGateResult": "results.decisions",
    "SuiteResult": "results.suite",
    "ThresholdPower": "results.power",
    "adjust": "comparison.several",
    "compare": "comparison.compare",
    "compare_many": "comparison.several",
    "compare_suite": "comparison.suite",
    "compare_suites": "comparison.several",
    "equivalence_test": "comparison.decide",
    "examples_needed": "comparison.power",
    "gate": "comparison.decide",
    "gate_suite": "comparison.decide_suite",
    "load": "hf.module",
    "minimum_detectable_difference": "comparison.power",
    "noise": "comparison.reruns",
    "paired_bootstrap_test": "nulls.draws",
    "paired_counts": "comparison.compare",
    "paired_permutation_test": "nulls.swaps",
    "power": "comparison.power",
    "preference": "comparison.preference",
    "pvalue_bounds": "comparison.bounds",
    "register": "hf.module",
    "rerun_test": "comparison.reruns",
    "score_interval": "comparison.score",
    "structured_permutation_test": "nulls.swaps",
}
_MODULES = {  # the modules that the package shows
    "aggregators": "scoring.aggregators",
    **{room: room for room in ("hf", "model_card", "readers", "scoring")},
}
__all__ = [*_HOMES]


def __dir__() -> list[str]:
    return sorted([*_HOMES, *_MODULES, "__version__"])


if not TYPE_CHECKING:  # a type checker would otherwise accept any name

    def __getattr__(name: str) -> Any:
        """Import a public name, or a module, on first use: a call waits for what it needs alone."""
        if name in _MODULES:
            value = importlib.import_module(f"{__name__}.{_MODULES[name]}")
        elif name in _HOMES:
            value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value
