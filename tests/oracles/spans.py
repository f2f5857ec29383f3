"""The true spans and scores of tags: those of seqeval, each sentence on its own."""

import warnings

import numpy as np
from seqeval import metrics, scheme
from seqeval.metrics.sequence_labeling import get_entities

SCORES = {
    "span_precision": metrics.precision_score,
    "span_recall": metrics.recall_score,
    "span_f1": metrics.f1_score,
}
SCHEMES = {
    kind.__name__: kind
    for kind in (scheme.IOB1, scheme.IOB2, scheme.IOE1, scheme.IOE2, scheme.IOBES, scheme.BILOU)
}
WEIGHTS = {  # of correct, predicted and right spans: numerator, denominator
    "span_precision": ((1, 0, 0), (0, 1, 0)),
    "span_recall": ((1, 0, 0), (0, 0, 1)),
    "span_f1": ((2, 0, 0), (0, 1, 1)),
}


def entities(tags):
    """(type, first tag, last tag) of the spans of a sentence."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*seems not to be NE tag")
        return get_entities(tags)


def strict_entities(tags, name):
    """The same of a scheme, by its name."""
    found = scheme.Tokens(tags, scheme=SCHEMES[name]).entities
    return [(entity.tag, entity.start, entity.end - 1) for entity in found]


def counts(predictions, references, types=None, name=None):
    """How many spans of each sentence are correct, predicted and right, shape (n, 3).

    In the default mode, or of a scheme by its name.
    """
    rows = []
    for pair in zip(predictions, references, strict=True):
        found, right = (
            {
                span
                for span in (entities(tags) if name is None else strict_entities(tags, name))
                if types is None or span[0] in types
            }
            for tags in pair
        )
        rows.append((len(found & right), len(found), len(right)))
    return np.array(rows)


def score(metric, predictions, references, zero_division=0, **options):
    """The score of all types."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*seems not to be NE tag")
        return float(
            SCORES[metric](references, predictions, zero_division=zero_division, **options)
        )
