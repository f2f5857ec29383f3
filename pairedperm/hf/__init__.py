"""Where Hugging Face users meet the test: `evaluate` modules, datasets and pipelines."""

from pairedperm.hf.comparison import SCORES, PairedComparison
from pairedperm.hf.dataset import compare_dataset

__all__ = ["SCORES", "PairedComparison", "compare_dataset"]
