"""Answers to questions, scored as by SQuAD's own script, which `evaluate`'s squad module runs."""

from __future__ import annotations

import re
import string
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, shown
from pairedperm.inputs.labels import check_lengths
from pairedperm.inputs.texts import Answers, read_answers
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import MeanOfRatios, Score

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


class _Squad(Metric):
    """A metric of answers, which are paired by id if they have ids."""

    read_column = staticmethod(read_answers)

    def rows(self, predictions1: Answers, predictions2: Answers, references: Answers) -> Rows:
        """Return the score of each answer."""
        answers = [_in_order(x, references) for x in (predictions1, predictions2)]
        one, two = ([*map(self._scored, x, references.texts)] for x in answers)
        columns = predictions1, predictions2, references
        by = "position" if any(column.ids is None for column in columns) else "id"
        rows1, rows2 = np.array(one, dtype=np.int64), np.array(two, dtype=np.int64)
        return Rows(rows1, rows2).noting(paired_by=by)

    @abstractmethod
    def _scored(self, answer: str, rights: Sequence[str]) -> Any:
        """Return the score of an answer, one integer or several; each of `rights` is right."""


class SquadExactMatch(_Squad):
    """Answers that equal one of their references / all answers, as in `evaluate`'s squad module.

    That module reports 100 times this share. Columns hold texts; references may hold lists of
    texts. Dicts as that module takes them are paired by id.

    Reported as a share; higher is better. p is exact (one sum): 2 ms for a million answers.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = [["1066"], ["the sea", "the ocean"]]
    >>> result = compare(["1066.", "a sea"], ["1066", "lake"], right, "squad_exact_match")
    >>> result.score1, result.score2, result.pvalue
    (1.0, 0.5, 1.0)
    """

    name = "squad_exact_match"
    words = "SQuAD exact match"
    aliases = ("squad_em",)

    def _scored(self, answer: str, rights: Sequence[str]) -> Any:
        """Return 1 if the normalised answer equals one of `rights`, else 0."""
        return int(any(_normalised(right) == _normalised(answer) for right in rights))

    def is_right_or_wrong(self, rows: Rows) -> bool:
        return True


class SquadF1(_Squad):
    """The mean F1 of the answers' words, as in `evaluate`'s squad module.

    That module reports 100 times this share. Each answer has the best F1 with one of its
    references. The columns are those of `SquadExactMatch`.

    Reported as a share; higher is better. p is exact (one sum on a common denominator) or
    bounded by an interval: 0.3 to 2 s for a million answers.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = [["1066"], ["the sea", "the ocean"]]
    >>> result = compare(["in 1066", "a sea"], ["1066", "lake"], right, "squad_f1")
    >>> result.score1, result.score2, result.pvalue
    (0.8333333333333334, 0.5, 1.0)
    """

    name = "squad_f1"
    words = "SQuAD F1"
    aliases = ("squad",)

    def _scored(self, answer: str, rights: Sequence[str]) -> Any:
        """Return the best F1 with one of `rights`: numerator and denominator in lowest terms."""
        words = _normalised(answer).split()
        best = max(_f1(words, _normalised(right).split()) for right in rights)
        return best.numerator, best.denominator

    def score(self, rows: Rows) -> Score:
        """Return the mean."""
        return MeanOfRatios()


def _f1(words: list[str], right: list[str]) -> Fraction:
    """Return 2 c / (p + g) for p predicted words, g right words, and c words in common.

    A repeated word counts as often as both texts have it. F1 is 0 if c is 0, even if both texts
    have no word.
    """
    common = sum((Counter(words) & Counter(right)).values())
    return Fraction(2 * common, len(words) + len(right)) if common else Fraction(0)


def _normalised(text: str) -> str:
    """Return the text in lower case, without punctuation, articles and surplus white space."""
    plain = text.lower().translate(_WITHOUT_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", plain).split())


def _in_order(predictions: Answers, references: Answers) -> list[str]:
    """Return the predictions in the order of the references: by id, if both have ids.

    Raises
    ------
    InputError
        If there are not as many predictions as references, an id occurs twice, or an id has no
        prediction.
    """
    texts = [found[0] for found in predictions.texts]
    check_lengths(predictions.name, len(texts), references.name, len(references.texts))
    if predictions.ids is None or references.ids is None:
        return texts
    where = {key: k for k, key in enumerate(predictions.ids)}
    for answers in (predictions, references):
        twice = next((x for x, n in Counter(answers.ids).items() if n > 1), None)
        if twice is not None:
            raise InputError(Name(answers.name), f" has the id {shown(twice)} twice")
    absent = [key for key in references.ids if key not in where]
    if absent:
        raise InputError(
            Name(predictions.name),
            f" has no prediction for {len(absent)} of {len(references.ids)} ids, such as "
            f"{shown(absent[0])}",
            remedy="Give every question an answer, '' for none",
        )
    return [texts[where[key]] for key in references.ids]
