"""Texts that differ only in their Unicode form: é is one character, or e and a mark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unicodedata import normalize

from pairedperm.errors.wording import printable


def same_text_in_two_forms(ids: Sequence[Sequence[Any]]) -> str:
    """Say which of some columns' ids differ only in their Unicode form; "" if none do."""
    texts: dict[str, str] = {}
    for text in (x for column in ids for x in column if isinstance(x, str) and not x.isascii()):
        other = texts.setdefault(normalize("NFC", text), text)
        if other != text:
            pair = " and ".join(printable(ascii(x), 60) for x in (other, text))
            return f"{pair} are one text in two Unicode forms: write all ids in one, such as NFC"
    return ""
