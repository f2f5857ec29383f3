"""Answers to questions, scored as by SQuAD's own script, which `evaluate`'s squad module runs."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from pairedperm.errors import InputError
from pairedperm.inputs.columns import unequal
from pairedperm.inputs.texts import Answers, read_answers
from pairedperm.scoring.mean_of_ratios import MeanOfRatios
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.waist import Mean, Rows, Score

__all__ = ["SquadExactMatch", "SquadF1"]

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


class _Squad(Metric):
    """A metric of answers, which are paired by id where there are ids."""

    is_of_texts: ClassVar[bool] = True

    def read(self, columns: Sequence[Any], start: int = 0) -> Any:
        """The answers to each question."""
        one = read_answers("predictions1", columns[0], start)
        two = read_answers("predictions2", columns[1], start)
        return one, two, read_answers("references", columns[2], start)

    def rows(self, predictions1: Answers, predictions2: Answers, references: Answers) -> Rows:
        """The score of each answer, counted."""
        for column in (predictions1, predictions2):
            n, n_right = len(column.texts), len(references.texts)
            if n != n_right:
                raise unequal(column.name, n, references.name, n_right)
        answers = [_in_order(x, references) for x in (predictions1, predictions2)]
        one, two = (np.array(self._scores(x, references.texts), dtype=np.int64) for x in answers)
        return Rows(one, two).counted()

    def _scores(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> Any:
        raise NotImplementedError


class SquadExactMatch(_Squad):
    """Answers that equal one of their references / all answers, as `evaluate`'s squad module's.

    That module reports 100 times this. Columns are of texts, references also of lists of texts,
    or of dicts as it takes them, which are paired by id.
    """

    name: ClassVar[str] = "squad_exact_match"
    words: ClassVar[str] = "SQuAD exact match"

    def _scores(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> Any:
        """1 for an answer that is right, or 0."""
        return _exact_answers(predictions, references)

    def score(self, rows: Rows) -> Score:
        """The mean."""
        return Mean()


class SquadF1(_Squad):
    """The mean F1 of the answers' words, as `evaluate`'s squad module's.

    Each answer has the best F1 with one of its references. Columns are as of exact matches.
    """

    name: ClassVar[str] = "squad_f1"
    words: ClassVar[str] = "SQuAD F1"

    def _scores(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> Any:
        """Numerator and denominator of each answer's F1, in lowest terms."""
        return [[x.numerator, x.denominator] for x in _token_f1(predictions, references)]

    def score(self, rows: Rows) -> Score:
        """The mean."""
        return MeanOfRatios()


def _exact_answers(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[int]:
    """1 for each prediction that equals one of its references, normalised, 0 for the others."""
    pairs = zip(predictions, references, strict=True)
    return [
        int(any(_normalised(right) == _normalised(answer) for right in rights))
        for answer, rights in pairs
    ]


def _token_f1(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[Fraction]:
    """F1 of each prediction's words, normalised, with the best of its references.

    With p words predicted, g right and c in common, as often as both have them: 2c / (p + g), and 0
    where c is, also where both have no word.
    """
    scores = []
    for answer, rights in zip(predictions, references, strict=True):
        words = _normalised(answer).split()
        scores.append(max(_f1(words, _normalised(right).split()) for right in rights))
    return scores


def _f1(words: list[str], right: list[str]) -> Fraction:
    common = sum((Counter(words) & Counter(right)).values())
    return Fraction(2 * common, len(words) + len(right)) if common else Fraction(0)


def _normalised(text: str) -> str:
    """In lower case, without punctuation, articles and surplus white space."""
    plain = text.lower().translate(_WITHOUT_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", plain).split())


def _in_order(predictions: Answers, references: Answers) -> list[str]:
    """The predictions in the order of the references: by id, where both have ids.

    Raises
    ------
    InputError
        If an id occurs twice, or has no prediction.
    """
    texts = [found[0] for found in predictions.texts]
    if predictions.ids is None or references.ids is None:
        return texts
    where = {key: k for k, key in enumerate(predictions.ids)}
    for answers in (predictions, references):
        twice = next((x for x, n in Counter(answers.ids).items() if n > 1), None)
        if twice is not None:
            raise InputError(f"`{answers.name}` has the id {twice!r} twice.")
    absent = [key for key in references.ids if key not in where]
    if absent:
        raise InputError(
            f"`{predictions.name}` has no prediction for {len(absent)} of {len(references.ids)} "
            f"ids, such as {absent[0]!r}. Give every question an answer, '' for none."
        )
    return [texts[where[key]] for key in references.ids]
