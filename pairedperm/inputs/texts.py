"""Columns of texts: transcripts as words, answers to questions as strings."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from pairedperm.errors import InputError, describe, shown
from pairedperm.inputs.columns import is_integer, is_sequence, listed, materialise, some_entries
from pairedperm.inputs.labels import read_labels

_OF_PREDICTIONS = "a text, or a dict with the key 'prediction_text'", ("prediction_text",)
_OF_REFERENCES = (
    "a text, a list of texts, or a dict with the key 'answers' or 'text'",
    ("answers", "text"),
)


class Answers(NamedTuple):
    """What is answered to each question, some answers each, and the questions' ids if they came."""

    name: str
    texts: list[list[str]]
    ids: list[Hashable] | None


def read_words(name: str, column: Any, start: int = 0) -> list[list[Any]]:
    """The words of each example: its sequence of tokens, or a text, split at white space.

    Raises
    ------
    InputError
        For what `read_labels` does not take.
    """
    labels = read_labels(name, column, start)
    if labels.lengths is not None:
        tokens = iter(labels.spelled)
        return [list(islice(tokens, length)) for length in labels.lengths.tolist()]
    if labels.kind == "integers":
        raise InputError(
            f"`{name}` must hold a text, or a sequence of tokens, per example, got single integers "
            f"({shown(labels.first)})."
        )
    return [text.split() for text in labels.spelled]


def read_answers(name: str, column: Any, start: int = 0) -> Answers:
    """The answers to each question, in the forms that `evaluate`'s squad module takes, or plain.

    Predictions are texts, or dicts {"id", "prediction_text"}; references texts, lists of texts that
    are all right, or dicts {"id", "answers": {"text": [...]}}, also {"text": [...]}.

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
        answer = value
        if isinstance(value, Mapping):
            if "id" in value:
                if not isinstance(value["id"], str) and not is_integer(value["id"]):
                    raise InputError(
                        f"`{name}`[{number}] has the id {describe(value['id'])}: it must be a "
                        "string or an integer."
                    )
                ids.append(value["id"])
            answer = next((value[key] for key in keys if key in value), None)
            if isinstance(answer, Mapping):
                answer = answer.get("text")
        found = [answer] if isinstance(answer, str) else answer
        if is_sequence(found) and not isinstance(found, (list, tuple)):
            found = materialise(f"{name}[{number}]", found)
            found = listed(found) if isinstance(found, np.ndarray) else found
        is_several = isinstance(found, (list, tuple)) and all(isinstance(x, str) for x in found)
        if not is_several or (name != "references" and not isinstance(answer, str)):
            raise InputError(f"`{name}`[{number}] must be {form}, got {describe(value)}.")
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
    return Answers(name, texts, ids or None)


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
