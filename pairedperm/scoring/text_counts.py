"""Metrics of texts: what each example contributes to the score of each system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pairedperm.inputs.texts import Answers, check_same_kind, read_answers, read_words
from pairedperm.scoring.counts import of_units
from pairedperm.scoring.matching import check_same_length
from pairedperm.scoring.metric import MetricSpec
from pairedperm.scoring.squad import exact_answers, in_order, token_f1
from pairedperm.scoring.tally import Tally

__all__ = ["COLUMNS", "count_texts"]

COLUMNS = ("predictions1", "predictions2", "references")


def count_texts(spec: MetricSpec, columns: Mapping[str, Any], start: int = 0) -> Tally:
    """Of each example to the metric, counted; `start` is the first one's number in messages.

    Word error rate: the words that must be inserted, deleted or replaced / the words of the
    references. SQuAD's exact match: answers that are right / questions. Its token F1: the mean of
    ratios, each a row (numerator, denominator) in lowest terms.

    Raises
    ------
    InputError
        If the columns are no texts, or differ in length.
    ImportError
        If the word error rate is wanted and rapidfuzz is not installed.
    """
    read = read_words if spec.name == "word_error_rate" else read_answers
    found: dict[str, Any] = {name: read(name, columns.get(name), start) for name in COLUMNS}
    right = found["references"]
    for name in COLUMNS[:2]:
        check_same_length(name, _n(found[name]), COLUMNS[2], _n(right))
    if spec.name == "word_error_rate":
        check_same_kind(found)
        one, two = (_word_errors(found[name], right) for name in COLUMNS[:2])
        sizes = list(map(len, right))
        return _tally(*(list(zip(errors, sizes, strict=True)) for errors in (one, two)))
    answers = [in_order(found[name], right) for name in COLUMNS[:2]]
    if spec.name == "squad_exact_match":
        one, two = (exact_answers(given, right.texts) for given in answers)
        return _tally(one, two)
    shares = [
        [[x.numerator, x.denominator] for x in token_f1(given, right.texts)] for given in answers
    ]
    return _tally(shares[0], shares[1])


def _n(column: list[Any] | Answers) -> int:
    """Number of examples."""
    return len(column.texts) if isinstance(column, Answers) else len(column)


def _tally(one: Sequence[Any], two: Sequence[Any]) -> Tally:
    rows = [np.array(scores, dtype=np.int64) for scores in (one, two)]
    return Tally(of_units(rows[0], rows[1], None, 0))


def _word_errors(predictions: list[list[Any]], references: list[list[Any]]) -> list[int]:
    """The Levenshtein distance of each prediction from its reference, in words."""
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError as error:
        raise ImportError(
            "metric 'word_error_rate' needs rapidfuzz: pip install 'pairedperm[wer]'"
        ) from error
    pairs = zip(predictions, references, strict=True)
    return [Levenshtein.distance(given, right) for given, right in pairs]
