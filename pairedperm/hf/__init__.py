"""The test for Hugging Face users: `evaluate` modules, datasets and pipelines."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pairedperm.hf.dataset import compare_dataset as compare_dataset
    from pairedperm.hf.module import SCORES as SCORES
    from pairedperm.hf.module import PairedComparison as PairedComparison
    from pairedperm.hf.pipelines import PipelineComparison as PipelineComparison
    from pairedperm.hf.pipelines import predict_and_compare as predict_and_compare

_HOMES = {
    "SCORES": "module",
    "PairedComparison": "module",
    "PipelineComparison": "pipelines",
    "compare_dataset": "dataset",
    "predict_and_compare": "pipelines",
}
__all__ = [*_HOMES]


def __dir__() -> list[str]:
    return [*__all__]


if not TYPE_CHECKING:  # a type checker would otherwise accept any name

    def __getattr__(name: str) -> Any:
        """Import a public name on first use, because `evaluate` and `datasets` take seconds."""
        if name in _HOMES:
            return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
