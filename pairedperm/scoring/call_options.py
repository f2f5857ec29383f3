"""The options that a comparison takes by keyword: of the test, and of all metrics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, fields
from fractions import Fraction
from inspect import Parameter, signature
from typing import Any, Literal, TypedDict, TypeVar

from pairedperm import options
from pairedperm.scoring.metric import METRICS

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
    average: Literal["binary", "micro", "macro", "weighted", "samples"] | Literal["micro"]
    pos_label: int | str | None
    labels: Collection[int | str] | Sequence[int | str] | Collection[str] | None
    zero_division: float | Fraction
    multilabel: bool
    weights: Literal["linear", "quadratic"] | None
    replace_undefined_by: float
    lower_is_better: bool
    of: str | None
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


def lists_options(
    *, of: Any = None, without: Collection[str] = ()
) -> Callable[[_Function], _Function]:
    """Name the options that a function takes by `**` in its signature, for `help`."""
    hints = (CallOptions if of is None else of).__annotations__
    kinds = (*reversed(METRICS.values()), options.Options)
    defaults = {x.name: x.default for kind in kinds for x in fields(kind) if x.init}

    def decorate(function: _Function) -> _Function:
        own = signature(function)
        *listed, _ = own.parameters.values()
        for name in [x for x in hints if x not in (*own.parameters, *without)]:
            default = ... if defaults[name] is MISSING else defaults[name]
            hint = getattr(hints[name], "__forward_arg__", hints[name])
            listed.append(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hint))
        function.__signature__ = own.replace(parameters=listed)  # type: ignore[attr-defined]
        return function

    return decorate
