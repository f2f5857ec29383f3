"""Read columns of texts: transcripts as words, translations and answers as strings."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from pairedperm.errors import InputError, Name, describe, shown
from pairedperm.inputs.columns import entries_of, is_integer, is_sequence, materialise, some_entries
from pairedperm.inputs.labels import read_labels

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
            Name(name),
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
        raise InputError(Name(name), must="hold a text per example", got=held_instead)
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
                        *(Name(name, at), " has the id ", describe(value["id"])),
                        remedy="it must be a string or an integer",
                    )
                ids.append(value["id"])
            answer = next((value[key] for key in keys if key in value), None)
            if isinstance(answer, Mapping):
                answer = answer.get("text")
        given = _texts(name, number, answer)
        if given is None or (name != "references" and not isinstance(answer, str)):
            raise InputError(Name(name, at), must=f"be {form}", got=describe(value))
        if not given:
            remedy = "Leave unanswerable questions out of all columns"
            raise InputError(Name(name, at), " has no answer", remedy=remedy)
        texts.append(given)
    if ids and len(ids) != len(values):
        what = f" has an 'id' in {len(ids)} of {len(values)} examples"
        raise InputError(Name(name), what, remedy="give all, or none")
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
            raise InputError(Name(name, at), must=f"be {form}", got=describe(value))
        if not texts:
            raise InputError(Name(name, at), " has no text", remedy="Give '' for an empty sentence")
        if rows and len(texts) != len(rows[0]):
            raise InputError(
                *(Name(name, at), f" has {len(texts)} texts and "),
                *(Name(name, (start,)), f" has {len(rows[0])}"),
                remedy="give every sentence as many references",
            )
        rows.append(texts)
    return rows


def _texts(name: str, number: int, value: Any) -> list[str] | None:
    """Return a text, or a sequence of texts, as a list; None for anything else."""
    entries = [value] if isinstance(value, str) else value
    if is_sequence(entries) and not isinstance(entries, (list, tuple)):
        entries = materialise(Name(name, (number,)), entries)
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
                *(Name(name), " holds the token ", describe(token)),
                *(" and ", Name("references"), " ", describe(right)),
                remedy="no token could match. Convert all columns to one type",
            )
