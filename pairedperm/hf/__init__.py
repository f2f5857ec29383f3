"""Where Hugging Face users meet the test: `evaluate` modules, datasets and pipelines."""

from pairedperm.hf.comparison import SCORES, PairedComparison
from pairedperm.hf.dataset import compare_dataset
from pairedperm.hf.pipelines import PipelineComparison, predict_and_compare
from pairedperm.hf.recorder import PredictionRecorder

__all__ = [
    "SCORES",
    "PairedComparison",
    "PipelineComparison",
    "PredictionRecorder",
    "compare_dataset",
    "predict_and_compare",
]
