"""Columns of texts: transcripts as words, answers to questions as strings."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from pairedperm.errors import InputError, describe
from pairedperm.inputs.columns import INTEGERS, materialise
from pairedperm.inputs.labels import Labels, read_labels

__all__ = ["Answers", "check_same_kind", "read_answers", "read_words"]

_PREDICTION = "a text, or a dict with the key 'prediction_text'"
_REFERENCE = "a text, a list of texts, or a dict with the key 'answers' or 'text'"


class Answers(NamedTuple):
    """What is answered to each question, some answers each, and the questions' ids if they came."""

    name: str
    texts: list[list[str]]
    ids: list[Hashable] | None
    start: int


def read_words(name: str, column: Any, start: int = 0) -> list[list[Any]]:
    """The words of each example: its sequence of tokens, or a text, split at white space.

    Raises
    ------
    InputError
        For what `read_labels` does not take.
    """
    labels = read_labels(name, column, start)
    if labels.lengths is not None:
        return _split(labels)
    if labels.kind == "integers":
        raise InputError(
            f"`{name}` must hold a text, or a sequence of tokens, per example, got single integers "
            f"({labels.first!r})."
        )
    return [text.split() for text in labels.spelled]


def _split(labels: Labels) -> list[list[Any]]:
    """The sequences apart."""
    assert labels.lengths is not None
    flat = labels.spelled
    flat = flat if isinstance(flat, list) else flat.tolist()
    rows, end = [], 0
    for length in labels.lengths.tolist():
        rows.append(flat[end : end + length])
        end += length
    return rows


def read_answers(name: str, column: Any, start: int = 0) -> Answers:
    """The answers to each question, in the forms that `evaluate`'s squad module takes, or plain.

    Predictions are texts, or dicts {"id", "prediction_text"}; references texts, lists of texts that
    are all right, or dicts {"id", "answers": {"text": [...]}}, also {"text": [...]}.

    Raises
    ------
    InputError
        For anything else, and for a question without an answer.
    """
    if column is None:
        raise InputError(f"`{name}` is missing: pass {_form(name)} per example.")
    values = materialise(name, column)
    values = values if isinstance(values, list) else values.tolist()
    if not values:
        raise InputError(f"`{name}` is empty: at least one example is needed.")
    texts: list[list[str]] = []
    ids: list[Hashable] = []
    for number, value in enumerate(values, start):
        answer = value
        if isinstance(value, Mapping):
            if "id" in value:
                if not isinstance(value["id"], (str, *INTEGERS)):
                    raise InputError(
                        f"`{name}`[{number}] has the id {describe(value['id'])}: it must be a "
                        "string or an integer."
                    )
                ids.append(value["id"])
            answer = next((value[key] for key in _keys(name) if key in value), None)
            if isinstance(answer, Mapping):
                answer = answer.get("text")
        found = [answer] if isinstance(answer, str) else answer
        if hasattr(found, "tolist"):
            found = found.tolist()
        is_several = isinstance(found, (list, tuple)) and all(isinstance(x, str) for x in found)
        if not is_several or (name != "references" and not isinstance(answer, str)):
            raise InputError(f"`{name}`[{number}] must be {_form(name)}, got {describe(value)}.")
        if not found:
            raise InputError(
                f"`{name}`[{number}] has no answer. Leave unanswerable questions out of all "
                "columns."
            )
        texts.append(list(found))
    if ids and len(ids) != len(values):
        raise InputError(
            f"`{name}` has an 'id' in {len(ids)} of {len(values)} examples: give all, or none."
        )
    return Answers(name, texts, ids or None, start)


def _form(name: str) -> str:
    return _REFERENCE if name == "references" else _PREDICTION


def _keys(name: str) -> Sequence[str]:
    return ("answers", "text") if name == "references" else ("prediction_text",)


def check_same_kind(columns: Mapping[str, list[list[Any]]]) -> None:
    """Raise InputError unless all tokens are strings, or all integers."""
    first = {name: next((row[0] for row in rows if row), None) for name, rows in columns.items()}
    right = first["references"]
    for name, token in first.items():
        if None not in (token, right) and isinstance(token, str) is not isinstance(right, str):
            raise InputError(
                f"`{name}` holds the token {describe(token)} and `references` {describe(right)}: "
                "no token could match. Convert all columns to one type."
            )
