"""Errors for unknown metrics and options, with a guess at what is meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING
from difflib import get_close_matches
from typing import Any, Literal, get_args

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Python, Setting, Words, describe
from pairedperm.options import OPTIONS, unknown_option

Average = Literal["binary", "micro", "macro", "weighted", "samples"]
AVERAGES: tuple[str, ...] = get_args(Average)
_MEANS = ("rouge", "meteor", "bert", "comet", "bleurt", "ndcg", "mrr", "map", "mse", "mae")
_SURPLUS = ("score", "avg", "average", "averaged")  # words of other tools' names
_OBJECT = Python(", or an object such as pairedperm.scoring.F1(average='macro')")
_MEANS_OF_SCORES = Parts(
    "It is a mean of scores of the examples: compute these, and ",
    Python(
        "compare them with paired_permutation_test(scores1, scores2) or evaluate.load(…, 'scores')",
        Parts("name their column, ", Setting("score", "…")),
    ),
)


def unknown_metric(metric: Any, metrics: Mapping[str, Any]) -> InputError:
    """Return the error for an unknown metric, with a guess from a name such as "f1_macro"."""
    known = {alias: name for name, kind in metrics.items() for alias in (name, *kind.aliases)}
    words = metric.lower().replace("-", "_").split("_") if isinstance(metric, str) else []
    average = next((word for word in words if word in AVERAGES), None)
    plain = "_".join(word for word in words if word not in (*AVERAGES, *_SURPLUS))
    name = next((known[x] for x in get_close_matches(plain, known, 1)), None)
    hint: Words = ""
    if plain.startswith(_MEANS):
        hint = _MEANS_OF_SCORES
    elif name is not None:
        has_average = average and "average" in metrics[name].takes()
        too: list[Words] = [", ", Setting("average", repr(average))] if has_average else []
        hint = Parts("Did you mean ", Setting("metric", repr(name)), *too, "?")
    return InputError(
        Name("metric"),
        must=Parts(f"be one of {', '.join(map(repr, metrics))}", _OBJECT),
        got=describe(metric),
        remedy=hint,
    )


def misnamed_option(
    kind: Any, given: Iterable[str], metrics: Mapping[str, Any]
) -> Exception | None:
    """Return the error for the first option that a metric lacks, or for one that is missing."""
    own = kind.takes()
    for option in given:
        if option in own:
            continue
        others = [repr(name) for name, other in metrics.items() if option in other.takes()]
        if option in OPTIONS:
            return TypeError(
                f"unexpected option {option!r}: `compare` has it, and this function has not."
            )
        if not others:
            return unknown_option(option, (*own, *OPTIONS), f"metric {kind.name!r} and of the test")
        return InputError(
            Name(option),
            f" is no option of metric {kind.name!r}",
            kind.instead_of_option,
            remedy=f"leave it out, or choose a metric that has it ({', '.join(others)})",
        )
    missing = [x.name for x in kind.fields() if x.default is MISSING and x.name not in given]
    if missing:
        why = f"metric {kind.name!r} has no default for it"
        instead = Python("", "Give it, or choose another metric")
        return InputError(Name(missing[0]), " is missing", remedy=(why, instead))
    return None


def options_beside(metric: Any, options: Iterable[str]) -> InputError:
    """Return the error for options beside a metric object, which has its own options."""
    name = next(iter(options))
    return InputError(
        *(Name(name), " is an option of the metric, but ", Name("metric")),
        f" is an object with its own options, {metric!r}",
        remedy=Parts(
            f"write {type(metric).__name__}({name}=...), or ", Setting("metric", repr(metric.name))
        ),
    )


def as_arguments(options: Mapping[str, Any]) -> str:
    """Write options as they stand in a call."""
    return ", ".join(f"{name}={value!r}" for name, value in options.items())
