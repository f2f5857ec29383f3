"""The options that a call gives by keyword: which are of the test, and which of the metric.

The errors for unknown metrics and options are here too, with a guess at what is meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import MISSING
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal, get_args

from pairedperm import options
from pairedperm.errors import InputError, Name, Parts, Python, Setting, Words, describe

if TYPE_CHECKING:
    from pairedperm.scoring.metric import Metric

METRICS: dict[str, type[Metric]] = {}  # by name; each class of a metric adds itself
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


def metric_options() -> tuple[str, ...]:
    """Return the options of all metrics."""
    return tuple(dict.fromkeys(option for kind in METRICS.values() for option in kind.takes()))


def unknown_metric(metric: Any) -> InputError:
    """Return the error for an unknown metric, with a guess from a name such as "f1_macro"."""
    known = {alias: name for name, kind in METRICS.items() for alias in (name, *kind.aliases)}
    words = metric.lower().replace("-", "_").split("_") if isinstance(metric, str) else []
    average = next((word for word in words if word in AVERAGES), None)
    plain = "_".join(word for word in words if word not in (*AVERAGES, *_SURPLUS))
    name = next((known[x] for x in get_close_matches(plain, known, 1)), None)
    hint: Words = ""
    if plain.startswith(_MEANS):
        hint = _MEANS_OF_SCORES
    elif name is not None:
        has_average = average and "average" in METRICS[name].takes()
        too: list[Words] = [", ", Setting("average", repr(average))] if has_average else []
        hint = Parts("Did you mean ", Setting("metric", repr(name)), *too, "?")
    return InputError(
        Name("metric"),
        must=Parts(f"be one of {', '.join(map(repr, METRICS))}", _OBJECT),
        got=describe(metric),
        remedy=hint,
    )


def misnamed_option(kind: type[Metric], given: Iterable[str]) -> Exception | None:
    """Return the error for the first option that a metric lacks, or for one that is missing."""
    own = kind.takes()
    for option in given:
        if option in own:
            continue
        others = [repr(name) for name, other in METRICS.items() if option in other.takes()]
        if option in options.OPTIONS:
            return TypeError(
                f"unexpected option {option!r}: `compare` has it, and this function has not."
            )
        if not others:
            return options.unknown_option(
                option, (*own, *options.OPTIONS), f"metric {kind.name!r} and of the test"
            )
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


def options_beside(metric: Metric, given: Iterable[str]) -> InputError:
    """Return the error for options beside a metric object, which has its own options."""
    name = next(iter(given))
    return InputError(
        *(Name(name), " is an option of the metric, but ", Name("metric")),
        f" is an object with its own options, {metric!r}",
        remedy=Parts(
            f"write {type(metric).__name__}({name}=...), or ", Setting("metric", repr(metric.name))
        ),
    )


def as_arguments(given: Mapping[str, Any]) -> str:
    """Write options as they stand in a call."""
    return ", ".join(f"{name}={value!r}" for name, value in given.items())
