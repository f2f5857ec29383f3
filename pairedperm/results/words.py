"""How results are said."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pairedperm.errors import InputError
from pairedperm.scoring.metric import in_words, read_metric


def format_pvalue(log_pvalue: float, digits: int = 3) -> str:
    """A p-value in `digits` significant digits, from its natural logarithm.

    >>> format_pvalue(math.log(0.0127))
    '0.0127'
    >>> format_pvalue(-5000.0)
    '3.37e-2172'
    >>> format_pvalue(-math.inf)
    '0'
    """
    pvalue = math.exp(log_pvalue)
    if log_pvalue == -math.inf:
        return "0"
    if pvalue >= 1e-300:
        return f"{pvalue:.{digits}g}".replace("e-0", "e-")
    log10 = log_pvalue / math.log(10.0)
    exponent = math.floor(log10)
    mantissa = f"{10.0 ** (log10 - exponent):.{digits}g}"
    if mantissa == "10":
        mantissa, exponent = "1", exponent + 1
    return f"{mantissa}e{exponent}"


def words_of(name: str, options: Mapping[str, Any] | None = None) -> str:
    """What a sentence calls a metric, also one that is unknown here: of another version's result.

    >>> words_of("f1", {"average": "macro"})
    'macro-averaged F1'
    """
    try:
        return read_metric(name, **options or {}).in_words
    except (InputError, TypeError):
        words = name.replace("_", " ")
        return f"{words} ({in_words(options)})" if options else words
