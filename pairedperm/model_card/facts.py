"""What there is to report of a result, checked."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from typing import Any

from pairedperm.errors import InputError, describe
from pairedperm.results.result import PairedResult

_NUMBERS = ("stat", "p", "log_p", "score1", "score2", "n", "n_differing")
_UNSAID = {  # by results of permutations, and of version 0.1
    "test": "permutation",
    **dict.fromkeys(("n_resamples", "confidence_level", "metric_options")),
}
_INTERVAL = ("log_p_low", "log_p_high")
_KEYS = (*_NUMBERS, "metric", "alternative", "method")
_PERCENTILES = tuple((f"{name}_low", f"{name}_high") for name in ("stat", "score1", "score2"))
_ENDS = tuple(key for ends in _PERCENTILES for key in ends)
_ONE_OF = {
    "alternative": ("two-sided", "greater", "less"),
    "test": ("permutation", "bootstrap"),
    "ties": ("include", "exclude"),
}
_LIMITS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("stat", "score1", "score2", *_ENDS), lambda x: abs(x) < 1e300),
    "p": lambda x: 0.0 <= x <= 1.0,
    **dict.fromkeys(("log_p", "log_p_low", "log_p_high"), lambda x: -math.inf < x <= 0.0),
    **dict.fromkeys(("n", "n_differing"), lambda x: x >= 0 and x == int(x)),
    "confidence_level": lambda x: 0.0 < x < 1.0,
    "n_resamples": lambda x: x >= 1 and x == int(x),
}


def facts(result: Any) -> dict[str, Any]:
    """What there is to report, under the keys of the `evaluate` modules, and "test".

    The logarithm of a bootstrap's p = 0 is None, as in their results.

    Raises
    ------
    InputError
        If this is no result of a test.
    """
    if isinstance(result, PairedResult):
        return _UNSAID | result.to_dict()
    missing = [key for key in _KEYS if key not in result] if isinstance(result, Mapping) else _KEYS
    if missing:
        raise InputError(
            "`result` must be a PairedPermutationResult or PairedBootstrapResult, or what compute "
            f"of paired_perm or paired_bootstrap returned, got {describe(result)}, without "
            f"{missing[0]!r}.{_hint(result)}"
        )
    found = {**_UNSAID, **result}
    _check_one_of(found, "test")
    _check_numbers(found)
    for key in ("n", "n_differing", "n_resamples"):  # JSON may give 4.0
        found[key] = None if found[key] is None else int(found[key])
    _check_one_of(found, "alternative")
    if found["test"] == "bootstrap":
        _check_one_of(found, "ties")
    for key in ("metric", "method"):
        if not isinstance(found[key], str) and not (key == "metric" and found[key] is None):
            raise InputError(f"`result`[{key!r}] must be a name, got {describe(found[key])}.")
    options = found["metric_options"]
    if options is not None and not isinstance(options, Mapping):
        raise InputError(f"`result`['metric_options'] must be a dict, got {describe(options)}.")
    return found


def _hint(result: Any) -> str:
    """What to pass instead of several results."""
    for key, value in result.items() if isinstance(result, Mapping) else ():
        if isinstance(value, (PairedResult, Mapping)):
            return f" Pass one of these results, such as result[{key!r}]."
        if str(key).endswith("_stat"):
            return f" Pass one result of the combined, without {str(key)[:-4]!r} in its keys."
    return ""


def _check_one_of(found: Mapping[str, Any], key: str) -> None:
    accepted, value = _ONE_OF[key], found.get(key)
    if value not in list(accepted):
        raise InputError(
            f"`result`[{key!r}] must be one of {', '.join(map(repr, accepted))}, got "
            f"{describe(value)}."
        )


def _check_numbers(found: Mapping[str, Any]) -> None:
    """Whether what is reported is numbers that such a result can have."""
    is_bootstrap = found["test"] == "bootstrap"
    wanted: tuple[str, ...] = _INTERVAL if found["method"] == "bracket" else ()
    if found["n_resamples"] is not None:
        wanted = ("n_resamples", *_INTERVAL)
    if found["confidence_level"] is not None:
        wanted += ("confidence_level",)
    if is_bootstrap:
        wanted += ("confidence_level", *_ENDS)
    has_scores = is_bootstrap or found["score1"] is not None or found["score2"] is not None
    for key in (*_NUMBERS, *wanted):
        if key in ("score1", "score2") and not has_scores:  # a test of sums
            continue
        value = found.get(key)
        if value is None and is_bootstrap and found.get(key.removeprefix("log_")) == 0.0:
            continue  # the logarithm of 0
        is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if not is_number or not _LIMITS[key](value):
            raise InputError(f"`result`[{key!r}] cannot be {describe(value)}.")
    for low, high in _PERCENTILES if is_bootstrap else ():
        if found[low] > found[high]:
            what = f"{describe(found[low])}, above {high!r}, {describe(found[high])}"
            raise InputError(f"`result`[{low!r}] cannot be {what}.")
