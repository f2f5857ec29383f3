"""Metrics: the rows that examples contribute, and the score of the rows' sums.

`MetricName` lists the names of all metrics, and `examples/guide/metrics.md` has a table of them.
The help of each class gives the metric's definition and options.
"""

from typing import Literal

from pairedperm.scoring.metric import Metric as Metric

# fmt: off
# isort: off
# classes:start
from pairedperm.scoring.metrics.accuracy import Accuracy as Accuracy
from pairedperm.scoring.metrics.accuracy import BalancedAccuracy as BalancedAccuracy
from pairedperm.scoring.metrics.accuracy import ExactMatch as ExactMatch
from pairedperm.scoring.metrics.bits_per_byte import BitsPerByte as BitsPerByte
from pairedperm.scoring.metrics.bleu import BLEU as BLEU
from pairedperm.scoring.metrics.character_error_rate import CharacterErrorRate as CharacterErrorRate
from pairedperm.scoring.metrics.chrf import ChrF as ChrF
from pairedperm.scoring.metrics.cohen_kappa import CohenKappa as CohenKappa
from pairedperm.scoring.metrics.correlation import MatthewsCorrelation as MatthewsCorrelation
from pairedperm.scoring.metrics.fbeta import FBeta as FBeta
from pairedperm.scoring.metrics.hamming_loss import HammingLoss as HammingLoss
from pairedperm.scoring.metrics.label_scores import F1 as F1
from pairedperm.scoring.metrics.label_scores import Jaccard as Jaccard
from pairedperm.scoring.metrics.label_scores import LabelScore as LabelScore
from pairedperm.scoring.metrics.label_scores import Precision as Precision
from pairedperm.scoring.metrics.label_scores import Recall as Recall
from pairedperm.scoring.metrics.log_likelihood import LogLikelihood as LogLikelihood
from pairedperm.scoring.metrics.mean_score import MeanScore as MeanScore
from pairedperm.scoring.metrics.pass_at_k import PassAtK as PassAtK
from pairedperm.scoring.metrics.pass_at_k import RunScore as RunScore
from pairedperm.scoring.metrics.pass_hat_k import PassHatK as PassHatK
from pairedperm.scoring.metrics.perplexity import Perplexity as Perplexity
from pairedperm.scoring.metrics.span_scores import SpanF1 as SpanF1
from pairedperm.scoring.metrics.span_scores import SpanPrecision as SpanPrecision
from pairedperm.scoring.metrics.span_scores import SpanRecall as SpanRecall
from pairedperm.scoring.metrics.span_scores import SpanScore as SpanScore
from pairedperm.scoring.metrics.specificity import Specificity as Specificity
from pairedperm.scoring.metrics.squad import SquadExactMatch as SquadExactMatch
from pairedperm.scoring.metrics.squad import SquadF1 as SquadF1
from pairedperm.scoring.metrics.subset_accuracy import SubsetAccuracy as SubsetAccuracy
from pairedperm.scoring.metrics.ter import TER as TER
from pairedperm.scoring.metrics.top_k_accuracy import TopKAccuracy as TopKAccuracy
from pairedperm.scoring.metrics.word_error_rate import ErrorRate as ErrorRate
from pairedperm.scoring.metrics.word_error_rate import WordErrorRate as WordErrorRate
# classes:end
# fmt: on
# isort: on

ZeroOne = SubsetAccuracy  # its former name

MetricName = Literal[
    # names:start
    "accuracy",
    "exact_match",
    "balanced_accuracy",
    "log_likelihood",
    "perplexity",
    "bits_per_byte",
    "bleu",
    "word_error_rate",
    "character_error_rate",
    "chrf",
    "precision",
    "recall",
    "f1",
    "jaccard",
    "cohen_kappa",
    "matthews_correlation",
    "fbeta",
    "hamming_loss",
    "mean_score",
    "pass_at_k",
    "pass_hat_k",
    "span_precision",
    "span_recall",
    "span_f1",
    "specificity",
    "squad_exact_match",
    "squad_f1",
    "subset_accuracy",
    "ter",
    "top_k_accuracy",
    # names:end
]
