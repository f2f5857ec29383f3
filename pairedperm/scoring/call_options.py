"""The options that a comparison takes by keyword: of the test, and of all metrics."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, fields
from fractions import Fraction
from functools import cache
from inspect import Parameter, signature
from typing import Any, Literal, TypedDict, TypeVar

from pairedperm import options
from pairedperm.scoring.metric import METRICS, given_label

if sys.version_info >= (3, 11):
    from typing import Unpack as Unpack
else:
    from typing_extensions import Unpack as Unpack

_Function = TypeVar("_Function", bound=Callable[..., Any])


class TestOptions(TypedDict, total=False):
    """Options of a test, beside `test` itself; see `paired_permutation_test`."""

    alternative: options.Alternative
    method: options.Method
    n_resamples: int | None
    rng: options.Seed
    budget: options.BudgetLike
    confidence_level: float | None
    ties: options.Ties


class MetricOptions(TypedDict, total=False):
    """Options of all metrics, written by `tests/scoring/metric_lists.py`."""

    # options:start
    ignore_label: int | None
    lowercase: bool
    tokenize: str | None
    smooth_method: Literal["exp", "floor", "add-k", "none"]
    smooth_value: float | None
    max_ngram_order: int
    effective_order: bool
    char_order: int
    word_order: int
    beta: float
    whitespace: bool
    eps_smoothing: bool
    average: Literal["binary", "micro", "macro", "weighted", "samples"]
    pos_label: int | str | None
    labels: Collection[int | str] | Sequence[int | str] | Collection[str] | None
    zero_division: float | Fraction
    multilabel: bool
    weights: Literal["linear", "quadratic"] | None
    replace_undefined_by: float
    lower_is_better: bool
    of: str | None
    score_range: tuple[float, float] | None
    k: int
    mode: Literal["strict"] | None
    scheme: str | None
    label_names: Sequence[str] | Mapping[int, str] | None
    normalized: bool
    no_punct: bool
    asian_support: bool
    case_sensitive: bool
    # options:end


class CallOptions(TestOptions, MetricOptions, total=False):
    """Options of a comparison, beside `test`."""


def split_options(
    given: Mapping[str, Any], without: Collection[str] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the options of the metric and those of the test; `metric` itself is in neither.

    Options of the test that a function is `without` count as the metric's, which refuses them.
    """
    of_test = {x for x in options.OPTIONS if x not in without}
    others = {*of_test, "metric"}
    of_metric = {name: x for name, x in given.items() if name not in others}
    return of_metric, {name: x for name, x in given.items() if name in of_test}


def split_call(
    given: Mapping[str, Any], without: Collection[str] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split the options of a whole call; the default of `ignore_label` is for every metric."""
    of_metric, of_test = split_options(given, without)
    label = of_metric.pop("ignore_label", options.IGNORE_LABEL)
    return of_metric | given_label(label), of_test


def lists_options(
    *, of: Any = None, without: Collection[str] = (), defaults: Any = None
) -> Callable[[_Function], _Function]:
    """Name the options that a function takes by `**` in its signature, for `help`.

    A default is `...` where there is none, or metrics differ in it. A class of `defaults` has all
    options that there are.
    """
    hints = (CallOptions if of is None else of).__annotations__

    def decorate(function: _Function) -> _Function:
        own = signature(function)
        *listed, others = own.parameters.values()
        for name in [x for x in hints if x not in (*own.parameters, *without)]:
            hint = getattr(hints[name], "__forward_arg__", hints[name])
            kind = Parameter.KEYWORD_ONLY
            default = getattr(defaults, name, _defaults().get(name, ...))
            listed.append(Parameter(name, kind, default=default, annotation=hint))
        function.__signature__ = own.replace(  # type: ignore[attr-defined]
            parameters=[*listed, *([] if defaults else [others])]
        )
        return function

    return decorate


def metric_options() -> tuple[str, ...]:
    """Return the options of all metrics."""
    return tuple(dict.fromkeys(option for kind in METRICS.values() for option in kind.takes()))


@cache
def _defaults() -> dict[str, Any]:
    """Return the default of each option, `...` where there is none or metrics differ in it."""
    defaults: dict[str, Any] = {}
    kinds: list[Any] = [options.Options, *METRICS.values()]
    for x in (x for kind in kinds for x in fields(kind) if x.init):
        is_same = x.default is not MISSING and defaults.get(x.name, x.default) == x.default
        defaults[x.name] = x.default if is_same else ...
    return defaults
