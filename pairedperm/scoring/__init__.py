"""Metrics: the rows that examples contribute, and the score of the rows' sums.

`MetricName` lists the names of all metrics, and `examples/guide/which_test.md` has a table of them.
The help of each class gives the metric's definition and options.
"""

from typing import Literal, get_args

from pairedperm.scoring.metric import METRICS
from pairedperm.scoring.metric import Metric as Metric

# fmt: off
# isort: off
# classes:start
from pairedperm.scoring.metrics.agreement import CohenKappa as CohenKappa
from pairedperm.scoring.metrics.agreement import MatthewsCorrelation as MatthewsCorrelation
from pairedperm.scoring.metrics.given import BitsPerByte as BitsPerByte
from pairedperm.scoring.metrics.given import LogLikelihood as LogLikelihood
from pairedperm.scoring.metrics.given import MeanScore as MeanScore
from pairedperm.scoring.metrics.given import PassAtK as PassAtK
from pairedperm.scoring.metrics.given import PassHatK as PassHatK
from pairedperm.scoring.metrics.given import Perplexity as Perplexity
from pairedperm.scoring.metrics.given import RunScore as RunScore
from pairedperm.scoring.metrics.given import TopKAccuracy as TopKAccuracy
from pairedperm.scoring.metrics.labels import Accuracy as Accuracy
from pairedperm.scoring.metrics.labels import BalancedAccuracy as BalancedAccuracy
from pairedperm.scoring.metrics.labels import ExactMatch as ExactMatch
from pairedperm.scoring.metrics.labels import F1 as F1
from pairedperm.scoring.metrics.labels import FBeta as FBeta
from pairedperm.scoring.metrics.labels import HammingLoss as HammingLoss
from pairedperm.scoring.metrics.labels import Jaccard as Jaccard
from pairedperm.scoring.metrics.labels import LabelScore as LabelScore
from pairedperm.scoring.metrics.labels import Precision as Precision
from pairedperm.scoring.metrics.labels import Recall as Recall
from pairedperm.scoring.metrics.labels import Specificity as Specificity
from pairedperm.scoring.metrics.labels import SubsetAccuracy as SubsetAccuracy
from pairedperm.scoring.metrics.spans import SpanF1 as SpanF1
from pairedperm.scoring.metrics.spans import SpanPrecision as SpanPrecision
from pairedperm.scoring.metrics.spans import SpanRecall as SpanRecall
from pairedperm.scoring.metrics.spans import SpanScore as SpanScore
from pairedperm.scoring.metrics.texts import CharacterErrorRate as CharacterErrorRate
from pairedperm.scoring.metrics.texts import ErrorRate as ErrorRate
from pairedperm.scoring.metrics.texts import SquadExactMatch as SquadExactMatch
from pairedperm.scoring.metrics.texts import SquadF1 as SquadF1
from pairedperm.scoring.metrics.texts import WordErrorRate as WordErrorRate
from pairedperm.scoring.metrics.translation import BLEU as BLEU
from pairedperm.scoring.metrics.translation import ChrF as ChrF
from pairedperm.scoring.metrics.translation import TER as TER
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
METRICS.update({name: METRICS.pop(name) for name in get_args(MetricName) if name in METRICS})
