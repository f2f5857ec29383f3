"""Shares of examples as they are printed, such as 0.792 or 79.2%, as the counts they stand for."""

from __future__ import annotations

import math
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, describe
from pairedperm.options.constraints import is_number

_FLOAT = Fraction(1, 2**53)  # proof: a share, its nearest float, and that as printed are so near
_MOST_DECIMALS = 400  # tuned: the least float has fewer


def read_printed_share(argument: str | Name, value: Any, n: int) -> range:
    """Return the counts k of n examples whose share k / n may be printed so.

    A number with d decimals stands for each k with |k / n - number| ≤ 10^-d / 2: a half may have
    been rounded up or down. A float stands for what it prints as.

    Parameters
    ----------
    argument : str or Name
        For messages.
    value : str, float, Decimal
        From 0 to 1; or a text in percent, from "0%" to "100%".
    n : int
        The number of examples.

    Raises
    ------
    InputError
        If it is no such number, or no count has this share.
    """
    name = Name(argument) if isinstance(argument, str) else argument
    share, decimals = _read_share(value)
    if share is None or not 0 <= share <= 1:
        must = "be a number from 0 to 1, or in percent, such as 0.792 or '79.2%'"
        raise InputError(name, must=must, got=describe(value))
    half = max(Fraction(1, 2 * 10**decimals), _FLOAT)
    least, most = math.ceil(n * (share - half)), math.floor(n * (share + half))
    if least > most:
        near = (f"{k / n:.{decimals + 1}g} ({k:,} of {n:,})" for k in (most, least))
        raise InputError(
            name,
            must=f"be the share of a number of {n:,} examples, perhaps rounded",
            got=describe(value),
            remedy=f"The nearest are {' and '.join(near)}",
        )
    return range(max(least, 0), min(most, n) + 1)


def _read_share(value: Any) -> tuple[Fraction | None, int]:
    """Return a number and how many decimals it prints; None if it is no number."""
    if is_number(value) or isinstance(value, (str, Decimal)):
        text = str(value).strip()
        is_percent = text.endswith("%")
        with suppress(InvalidOperation):
            number = Decimal(text.removesuffix("%").rstrip())
            exponent = number.as_tuple().exponent  # a letter if it is not finite
            if isinstance(exponent, int) and abs(exponent) <= _MOST_DECIMALS:
                hundred = 2 * is_percent
                return Fraction(number) / 10**hundred, max(hundred - exponent, 0)
    return None, 0
