"""What metrics are called in sentences, and which options they tell; what counts print as."""

from functools import partial
from typing import Any

import numpy as np

from pairedperm.scoring import (
    BLEU,
    F1,
    TER,
    ChrF,
    CohenKappa,
    FBeta,
    HammingLoss,
    PassAtK,
    SpanF1,
    TopKAccuracy,
)
from pairedperm.scoring.counts import stored_metric
from pairedperm.scoring.metrics.given import MeanScore
from scoring.counted import COUNTS

METRICS: dict[str, Any] = {
    "scores": MeanScore(),
    "scores of a judge": MeanScore(of=" a\n judge "),
    "a loss": MeanScore(of="loss", lower_is_better=np.True_),  # type: ignore[arg-type]
    "kappa": CohenKappa(replace_undefined_by=-0.5),
    "linear kappa": CohenKappa(weights="linear"),
    "quadratic kappa": CohenKappa(weights="quadratic", replace_undefined_by=0.5),
    "BLEU": BLEU(tokenize="13a", smooth_value=None),
    "BLEU with a floor": BLEU(smooth_method="floor", smooth_value=0.1),
    "BLEU of lower case": BLEU(lowercase=np.True_, tokenize="intl"),  # type: ignore[arg-type]
    "chrF": ChrF(beta=2.0, char_order=6),
    "chrF++": ChrF(word_order=2),
    "chrF3+": ChrF(beta=3, word_order=1, whitespace=True),
    "TER": TER(normalized=True),
    "F1": F1(),
    "macro F1": F1(average="macro"),
    "samples F1": F1(average="samples", multilabel=True),
    "F2 with every option": FBeta(beta=2, pos_label="a", zero_division=1, ignore_label=None),
    "F1 of two labels": F1(average="micro", labels={"b", "a"}),
    "Hamming loss of two labels": HammingLoss(multilabel=True, labels={"b", "a"}),
    "span F1": SpanF1(labels={"PER"}),
    "strict span F1": SpanF1(mode="strict", scheme="IOB2", labels=["PER"]),
    "pass@3": PassAtK(k=3),
    "top 3": TopKAccuracy(k=3),
    "one of another version": stored_metric("gone_score", {"beta": 2}),
    "one without options": stored_metric("gone_score", None),
}


def told(metric: Any) -> str:
    return f"{metric.in_words}\n{metric!r}\n{metric.options}"


SAID = {name: partial(told, metric) for name, metric in METRICS.items()}
SAID |= {f"counts of {name}": partial(repr, counts) for name, counts in COUNTS.items()}
