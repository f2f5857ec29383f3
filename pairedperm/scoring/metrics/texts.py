"""Scores of texts: SQuAD's of answers, and error rates of words and characters."""

from __future__ import annotations

import math
import re
import string
from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, ClassVar, NamedTuple

import numpy as np

from pairedperm.errors import InputError, describe, extra, in_brackets, shown
from pairedperm.inputs.columns import entries_of, is_integer, is_sequence, materialise, some_entries
from pairedperm.inputs.labels import COLUMNS, check_lengths, read_labels
from pairedperm.scoring.metric import IgnoresLabel, Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import MeanOfRatios, Ratio, Score

_OF_PREDICTIONS = "a text, or a dict with the key 'prediction_text'", ("prediction_text",)
_OF_REFERENCES = (
    "a text, a list of texts, or a dict with the key 'answers' or 'text'",
    ("answers", "text"),
)


class Answers(NamedTuple):
    """The answers to each question, one or several, and the questions' ids if there are any."""

    name: str
    texts: list[list[str]]
    ids: list[Hashable] | None


def read_words(name: str, column: Any, start: int = 0) -> list[list[Any]]:
    """Return the words of each example: its sequence of tokens, or its text split at white space.

    Raises
    ------
    InputError
        If `read_labels` refuses the column, or it holds single integers.
    """
    labels = read_labels(name, column, start)
    if labels.lengths is not None:
        tokens = iter(labels.spelled)
        return [list(islice(tokens, length)) for length in labels.lengths.tolist()]
    if labels.kind == "integers":
        raise InputError(
            name,
            must="hold a text, or a sequence of tokens, per example",
            got=f"single integers ({shown(labels.first)})",
        )
    return [text.split() for text in labels.spelled]


def read_texts(name: str, column: Any, start: int = 0) -> list[str]:
    """Return the text of each example, without white space around it.

    Raises
    ------
    InputError
        If `read_labels` refuses the column, or it holds no texts.
    """
    labels = read_labels(name, column, start)
    if labels.lengths is not None or labels.kind == "integers":
        held_instead = "integers" if labels.lengths is None else "sequences"
        raise InputError(name, must="hold a text per example", got=held_instead)
    return [text.strip() for text in labels.spelled]


def read_answers(name: str, column: Any, start: int = 0) -> Answers:
    """Return the answers to each question, plain or in the forms of `evaluate`'s squad module.

    Predictions are texts, or dicts {"id", "prediction_text"}. References are texts, lists of texts
    that are all right, or dicts {"id", "answers": {"text": [...]}} or {"text": [...]}.

    Raises
    ------
    InputError
        For anything else, and for a question without an answer.
    """
    form, keys = _OF_REFERENCES if name == "references" else _OF_PREDICTIONS
    values = some_entries(name, column, form)
    values = values if isinstance(values, list) else values.tolist()
    texts: list[list[str]] = []
    ids: list[Hashable] = []
    for number, value in enumerate(values, start):
        answer, at = value, (number,)
        if isinstance(value, Mapping):
            if "id" in value:
                if not isinstance(value["id"], str) and not is_integer(value["id"]):
                    raise InputError(
                        f"`{name}`{in_brackets(at)} has the id {describe(value['id'])}",
                        remedy="it must be a string or an integer",
                    )
                ids.append(value["id"])
            answer = next((value[key] for key in keys if key in value), None)
            if isinstance(answer, Mapping):
                answer = answer.get("text")
        given = _texts(name, number, answer)
        if given is None or (name != "references" and not isinstance(answer, str)):
            raise InputError(f"`{name}`{in_brackets(at)}", must=f"be {form}", got=describe(value))
        if not given:
            remedy = "Leave unanswerable questions out of all columns"
            raise InputError(f"`{name}`{in_brackets(at)} has no answer", remedy=remedy)
        texts.append(given)
    if ids and len(ids) != len(values):
        what = f"has an 'id' in {len(ids)} of {len(values)} examples"
        raise InputError(f"`{name}` {what}", remedy="give all, or none")
    return Answers(name, texts, ids or None)


def read_sentences(name: str, column: Any, start: int = 0) -> list[list[str]]:
    """Return the texts of each sentence as they are; references may be several, in a list.

    Raises
    ------
    InputError
        For anything else, and if sentences have different numbers of references.
    """
    form = "a text, or a list of texts" if name == "references" else "a text"
    values = some_entries(name, column, form)
    values = values if isinstance(values, list) else values.tolist()
    rows: list[list[str]] = []
    for number, value in enumerate(values, start):
        texts, at = _texts(name, number, value), (number,)
        if texts is None or (name != "references" and not isinstance(value, str)):
            raise InputError(f"`{name}`{in_brackets(at)}", must=f"be {form}", got=describe(value))
        if not texts:
            raise InputError(
                f"`{name}`{in_brackets(at)} has no text", remedy="Give '' for an empty sentence"
            )
        if rows and len(texts) != len(rows[0]):
            raise InputError(
                f"`{name}`{in_brackets(at)} has {len(texts)} texts and `{name}`[{start}] has "
                f"{len(rows[0])}",
                remedy="give every sentence as many references",
            )
        rows.append(texts)
    return rows


def _texts(name: str, number: int, value: Any) -> list[str] | None:
    """Return a text, or a sequence of texts, as a list; None for anything else."""
    entries = [value] if isinstance(value, str) else value
    if is_sequence(entries) and not isinstance(entries, (list, tuple)):
        entries = materialise(f"`{name}`[{number}]", entries)
        entries = entries_of(entries) if isinstance(entries, np.ndarray) else entries
    is_several = isinstance(entries, (list, tuple)) and all(isinstance(x, str) for x in entries)
    return list(entries) if is_several else None


def check_same_kind(columns: Mapping[str, list[list[Any]]]) -> None:
    """Raise InputError unless all tokens are strings, or all integers."""
    first = {name: next((row[0] for row in rows if row), None) for name, rows in columns.items()}
    right = first["references"]
    for name, token in first.items():
        if None not in (token, right) and isinstance(token, str) is not isinstance(right, str):
            raise InputError(
                f"`{name}` holds the token {describe(token)} and `references` {describe(right)}",
                remedy="no token could match. Convert all columns to one type",
            )


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
    texts = [written[0] for written in predictions.texts]
    check_lengths(predictions.name, len(texts), references.name, len(references.texts))
    if predictions.ids is None or references.ids is None:
        return texts
    where = {key: k for k, key in enumerate(predictions.ids)}
    for answers in (predictions, references):
        twice = next((x for x, n in Counter(answers.ids).items() if n > 1), None)
        if twice is not None:
            raise InputError(f"`{answers.name}` has the id {shown(twice)} twice")
    absent = [key for key in references.ids if key not in where]
    if absent:
        raise InputError(
            f"`{predictions.name}` has no prediction for {len(absent)} of {len(references.ids)} "
            f"ids, such as {shown(absent[0])}",
            remedy="Give every question an answer, '' for none",
        )
    return [texts[where[key]] for key in references.ids]


Tokens = Sequence[Sequence[Any]]  # of each example: words, or the characters of a text


class ErrorRate(Metric):
    """Tokens to insert, delete or replace / tokens of the references.

    Attributes
    ----------
    token : str
        The name of a token, for messages.
    """

    lower_is_better = True
    limits = 0.0, math.inf
    token: ClassVar[str]

    def rows(self, predictions1: Tokens, predictions2: Tokens, references: Tokens) -> Rows:
        """Return errors (Levenshtein distance), and tokens of the reference."""
        with extra("wer", f"metric {self.name!r}"):
            from rapidfuzz.distance import Levenshtein
        sizes, tables = [*map(len, references)], []
        for name, column in zip(COLUMNS, (predictions1, predictions2), strict=False):
            check_lengths(name, len(column), COLUMNS[2], len(references))
            errors = [*map(Levenshtein.distance, column, references)]
            tables.append(np.array((errors, sizes), dtype=np.int64).T)
        return Rows(tables[0], tables[1])

    def score(self, rows: Rows) -> Score:
        """Return errors / tokens."""
        if not rows.rows1[:, 1].any():
            what = f"holds no {self.token}"
            raise InputError("references", what, remedy="a rate needs one")
        return Ratio((1, 0), (0, 1))


class WordErrorRate(ErrorRate, IgnoresLabel):
    """Words to insert, delete or replace / words of the references, as in jiwer.

    Examples are token sequences, or texts that are split at white space. Needs rapidfuzz (``pip
    install ".[wer]"``).

    Reported as a share; lower is better. p is exact (one sum): 2 ms for a million sentences.

    Parameters
    ----------
    ignore_label : int or None
        The integer that stands for no token, in sequences of any column; None if no integer
        does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right, large = ["the cat sat", "on the mat"], ["the cat sat", "on a mat"]
    >>> result = compare(large, ["a cat sits", "on mat"], right, "word_error_rate")
    >>> result.score1, result.score2, result.pvalue
    (0.16666666666666666, 0.5, 1.0)
    """

    name = "word_error_rate"
    aliases = ("wer",)
    token = "word"
    read_column = staticmethod(read_words)

    def rows(self, predictions1: Tokens, predictions2: Tokens, references: Tokens) -> Rows:
        """Return errors, and words of the reference; what stands for no token is in no column."""
        columns: Any = predictions1, predictions2, references
        check_same_kind(dict(zip(COLUMNS, columns, strict=True)))
        one, two, right = (_without(x, self.ignore_label) for x in columns)
        n_ignored = sum(map(len, references)) - sum(map(len, right))
        return super().rows(one, two, right).noting(n_ignored=n_ignored)


def _without(rows: Tokens, label: int | None) -> Tokens:
    is_there = label is not None and any(label in row for row in rows)
    return [[x for x in row if x != label] for row in rows] if is_there else rows


class CharacterErrorRate(ErrorRate):
    """Characters to insert, delete or replace / characters of the references, as in jiwer.

    Examples are texts, compared as they are except for white space around them. Needs rapidfuzz
    (extra ``wer``).

    Reported as a share; lower is better. p is exact (one sum): 2 ms for a million sentences.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = ["the cat", "sat", "on the mat"]
    >>> result = compare(right, ["a cat", "sit", "on the mat "], right, "character_error_rate")
    >>> result.score1, result.score2
    (0.0, 0.2)
    """

    name = "character_error_rate"
    aliases = ("cer",)
    token = "character"
    read_column = staticmethod(read_texts)
