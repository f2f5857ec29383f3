"""What a stored result may hold: each key with its type and range, declared once.

`to_dict`, the JSON of the commands, published tables and the results that cards read share it. A
result within another has no "schema_version". schema.json says the same, and what the classes of
other results declare: ``python tests/results/result_schema.py`` writes it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any, get_args

from pairedperm.errors import InputError
from pairedperm.errors.wording import At, Name
from pairedperm.options import Alternative, Test, Ties
from pairedperm.options.constraints import Constraint, Interval, OneOf, Whole, YesNo
from pairedperm.results.correction import Correction
from pairedperm.results.equivalence_result import VERDICTS
from pairedperm.results.gate_result import Verdict
from pairedperm.results.result import SCHEMA_VERSION
from pairedperm.results.sentence import is_utf8
from pairedperm.scoring.call_options import as_arguments


@dataclass(frozen=True)
class Printable(Constraint):
    """A text that is not blank, or options by name, in characters of UTF-8."""

    type: Any

    def kept(self, value: Any) -> Any:
        """Return it as it is."""
        is_blank = isinstance(value, str) and not value.strip()
        with suppress(ValueError):  # Python does not print integers of thousands of digits
            if isinstance(value, self.type) and not is_blank:
                is_one = is_utf8(value if isinstance(value, str) else as_arguments(value))
                return value if is_one else self.refused
        return self.refused


@dataclass(frozen=True)
class Record(Constraint):
    """A dict with declared keys, of which some must be there, and perhaps others."""

    keys: Mapping[str, Constraint]
    needed: tuple[str, ...]

    def kept(self, value: Any) -> Any:
        """Return a dict."""
        return {**value} if isinstance(value, Mapping) else self.refused

    def read(self, name: str, value: Any, at: At = ()) -> Any:
        """See `Constraint`."""
        record = super().read(name, value, at)
        for key in (x for x in self.keys if x in record):
            record[key] = self.keys[key].read(name, record[key], (*at, key))
        for key in (x for x in self.needed if x not in record):
            why = "it must be what `compute` or `to_dict` gave", self.remedy
            raise InputError(Name(name, at), f" lacks {key!r}", remedy=why)
        return record


def _or_none(constraint: Constraint) -> Constraint:
    return replace(constraint, or_none=True)


_NUMBER = Interval(-1e300, 1e300, "neither", words="a number below 1e300 in size")
_SHARE, _LEVEL = Interval(0.0, 1.0), Interval(0.0, 1.0, "neither")
_LOG = Interval(-1e300, 0.0, words="a finite number up to 0")
_MARGIN = Interval(0.0, 1e300, "neither", words="a positive number")
_COUNT = Whole(0, 2**63 - 1, words="an integer from 0, below 2^63")
_NAME = Printable(str, words="a name, in characters of UTF-8")
_OPTIONS = "a dict of options whose values can be printed, in characters of UTF-8"
_VERSION = f"an integer up to {SCHEMA_VERSION}, which this release reads"
_NEWER = "Install the release of pairedperm that wrote the result"
_DECLARED: dict[str, Constraint] = {
    "schema_version": Whole(1, SCHEMA_VERSION, words=_VERSION, remedy=_NEWER),
    "stat score score1 score2 score1_low score1_high score2_low score2_high": _NUMBER,
    "stat_low stat_high difference detectable": _or_none(_NUMBER),
    "p p_low p_high p_adjusted share_differing weight": _SHARE,
    "power wrong_sign": _or_none(_SHARE),
    "log_p log_p_low log_p_high log_least_p": _LOG,
    "alpha": _LEVEL,
    "confidence_level target": _or_none(_LEVEL),
    "margin": _or_none(_MARGIN),
    "standard_error approximation_error": Interval(0.0, 1e300, or_none=True),
    "n n_differing n_ignored": _COUNT,
    "n_wins n_losses n_ties n_more n_examples n_pilot n_simulations": _or_none(_COUNT),
    "n_groups n_resamples": _or_none(replace(_COUNT, least=1, words="a positive integer")),
    "seed": Whole(0, 2**1000 - 1, words="an integer from 0, below 2^1000", or_none=True),
    "method stat_interval": _NAME,
    "metric": _or_none(_NAME),
    "metric_options": Printable(Mapping, words=_OPTIONS, or_none=True),
    "interval": OneOf(("certified", "confidence")),
    "alternative": OneOf(get_args(Alternative)),
    "test": OneOf(get_args(Test)),
    "ties": OneOf(get_args(Ties)),
    "correction": OneOf(get_args(Correction), or_none=True),
    "noninferior equivalent better worse": YesNo(),
    "verdict": OneOf((*VERDICTS, *get_args(Verdict))),  # of an equivalence test, or of a gate
}
KEYS = {name: constraint for names, constraint in _DECLARED.items() for name in names.split()}
_LEAST_P = 1e-300  # proof: smaller floats have fewer digits, and only their logarithm tells
_OF_P, _LOGS = ("p", "p_low", "p_high"), ("log_p", "log_p_low", "log_p_high")
_ENDS = tuple((f"{name}_low", f"{name}_high") for name in ("stat", "score1", "score2"))
STATED = (
    *("stat", "score1", "score2", *_OF_P, *_LOGS, "interval", "alternative", "method"),
    *("metric", "metric_options", "n", "n_groups", "n_differing", "n_resamples", "seed"),
)
_ANY = (  # what a test may lack is marked
    "schema_version? stat p log_p score1 score2 n n_differing metric alternative method p_low? "
    "p_high? log_p_low? log_p_high? interval? metric_options? n_ignored? n_groups? n_resamples? "
    "seed? n_wins? n_losses? n_ties? standard_error? confidence_level? test?"
)
_OF_INTERVAL = "confidence_level stat_low stat_high stat_interval"
_MAYBE = "stat_low? stat_high? stat_interval?"
_IS_EQUIVALENCE = "A result with a margin is that of `equivalence_test`"
_PUBLISHED = "Write the table with `pairedperm compare --counts`"


def _kind(names: str, **others: Constraint) -> Record:
    """Return what a kind of result holds; it may lack the keys that end in "?"."""
    keys = {name: KEYS[name] for name in names.replace("?", "").split()} | others
    return Record(keys, tuple(dict.fromkeys(x for x in names.split() if x in keys)), words="a dict")


KINDS = {
    "permutation_test": _kind(
        f"{_ANY} {_MAYBE}",
        **dict.fromkeys(("score1", "score2"), _or_none(_NUMBER)),
        test=OneOf(("permutation",)),
    ),
    "bootstrap_test": _kind(
        f"{_ANY} {' '.join(map(' '.join, _ENDS))} confidence_level test ties",
        **dict.fromkeys(_LOGS, _or_none(_LOG)),
        **dict.fromkeys(_ENDS[0], _NUMBER),
        confidence_level=_LEVEL,
        test=OneOf(("bootstrap",)),
    ),
    "equivalence_test": _kind(
        f"{_ANY} {_OF_INTERVAL} margin alpha noninferior? equivalent? better? worse? verdict?",
        confidence_level=_LEVEL,
        alternative=OneOf(("two-sided",), remedy=_IS_EQUIVALENCE),
        test=OneOf(("permutation",), remedy=_IS_EQUIVALENCE),
        margin=_MARGIN,
        alpha=Interval(0.0, 0.5, "neither"),
    ),
    "published_result": replace(_kind(f"{_ANY} {_MAYBE} {' '.join(STATED)}"), remedy=_PUBLISHED),
}


def read_test(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored test of two systems in plain values.

    Raises
    ------
    InputError
        If it lacks a key, a value is not accepted, or a later release wrote it.
    """
    test = KEYS["test"].read("result", stored.get("test", "permutation"), ("test",))
    kind = f"{test}_test" if stored.get("margin") is None else "equivalence_test"
    read: dict[str, Any] = KINDS[kind].read("result", stored)
    if test == "permutation" and not read.keys().isdisjoint(_ENDS[0]):
        read = _kind(_OF_INTERVAL, confidence_level=_LEVEL).read("result", read)
    if read.get("n_resamples") is not None or read["method"] == "bracket":
        read = Record({}, _LOGS).read("result", read)
    return read


def contradictions(stored: Mapping[str, Any], tolerance: float) -> Iterator[str]:
    """Yield what the numbers of a test do not say together; p has a relative tolerance."""
    for name, log in ((x, y) for x, y in zip(_OF_P, _LOGS, strict=True) if {x, y} <= stored.keys()):
        p, log_p = stored[name], -math.inf if stored[log] is None else stored[log]
        is_log = (
            log_p <= math.log(_LEAST_P) if p <= _LEAST_P else abs(log_p - math.log(p)) <= tolerance
        )
        if not is_log:
            yield f"{log} is not the logarithm of {name}: {stored[log]!r} and {p!r}"
    if (stored["score1"] is None) is not (stored["score2"] is None):
        yield "one of score1 and score2 is None"
    for low, high in _ENDS:
        ends: Any = stored.get(low), stored.get(high)
        if None not in ends and ends[0] > ends[1]:
            yield f"{low} is {ends[0]!r}, above {high}, {ends[1]!r}"
    if stored.get("margin") is not None:
        level = 1.0 - 2.0 * stored["alpha"]
        if not math.isclose(stored["confidence_level"], level, abs_tol=1e-9):
            yield f"confidence_level is {stored['confidence_level']!r}, not 1 - 2 alpha = {level:g}"


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema, draft 2020-12, of stored results.

    Each kind of result has an entry in "$defs": "permutation_test", "bootstrap_test",
    "equivalence_test", "gate", "power", "bounds", "leaderboard", "suite",
    "suite_gate", "comparisons", "published_result" and "verification". A result may have further
    keys, such as the "task" that a command adds.

    Returns
    -------
    dict
    """
    text = files("pairedperm.results").joinpath("schema.json").read_text("utf-8")
    return json.loads(text)  # type: ignore[no-any-return]
