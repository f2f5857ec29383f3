"""Plain sentences on a result: the verdict, p with its certificate, and the checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import Any, NamedTuple

from pairedperm import PairedResult
from pairedperm.errors import Reader, counted, first_of, shown, worded
from pairedperm.readers.metrics import Examples
from pairedperm.readers.tasks import Runs
from pairedperm.results.words import (
    beside,
    ends_of_p,
    kind_of_test,
    metric_in_words,
    n_sampling_units,
    p_beside,
    sampling_unit,
)

ALPHA = 0.05  # the level that papers use
_DIGITS = 12  # enough to show how narrow a certified interval is


class Check(NamedTuple):
    """The finding of one check, and whether all is well; None if nothing could be checked."""

    is_good: bool | None
    text: str


def verdict(result: PairedResult, name1: str, name2: str) -> list[str]:
    """Return the answer in a sentence, and a second sentence with its reason."""
    score1, _, difference = result.figures().in_words
    if not result.n_differing:
        return [f"The two do not differ on any {sampling_unit(result)}.", f"Both score {score1}."]
    if result.pvalue <= ALPHA:
        better, worse = (name1, name2) if result.lead() > 0.0 else (name2, name1)
        by = difference.removeprefix("-")
        return [
            f"Luck rarely gives such a difference: {better} is better than {worse} by {by}.",
            _chance(result),
        ]
    n = n_sampling_units(result)
    if n == 1:
        return [f"One {sampling_unit(result)} cannot tell them apart.", "p can only be 1."]
    cannot = f"These {n:,} {sampling_unit(result)}s cannot"
    if result.statistic == 0.0:
        return [
            f"{cannot} tell them apart: both score {score1}.",
            "No number of examples would, if that were true.",
        ]
    return [f"{cannot} tell them apart.", _chance(result)]


def _chance(result: PairedResult) -> str:
    """Say in words what p means."""
    percent = 100.0 * result.pvalue
    if result.pvalue < 1e-4:
        share = "fewer than 1 of 10,000 cases"
    elif result.pvalue >= 0.995:
        share = "nearly every case"
    else:
        share = f"{beside(100.0 * ALPHA, percent, 2)}% of cases"
    return f"Chance alone would give a difference this large, or larger, in {share}."


def p_with_certificate(result: PairedResult) -> str:
    """Return the p-value with its certified or confidence interval."""
    p = f"p = {p_beside(ALPHA, result.pvalue, result.log_pvalue)}"
    if result.pvalue_kind == "confidence":
        return f"{p} (sampled: 99% interval {ends_of_p(result)}, seed {result.seed})"
    low, high = result.pvalue_interval
    if low < 1e-300:
        low, high = result.log_pvalue_interval
        p = f"{p} (certified: its natural logarithm"
    else:
        p = f"{p} (certified: the true value"
    one, two = (
        Context(prec=_DIGITS, rounding=way).create_decimal(x)
        for x, way in ((low, ROUND_FLOOR), (high, ROUND_CEILING))
    )
    return f"{p} is {one:g})" if one == two else f"{p} lies in [{one:g}, {two:g}])"


def table(result: PairedResult, name1: str, name2: str) -> list[tuple[str, str]]:
    """Return the rows of the table, each a name and a figure."""
    figures, metric = result.figures(), metric_in_words(result)
    score1, score2, difference = figures.in_words
    rows: list[tuple[str, str]] = [(f"{metric} of {name1}", score1)]
    rows.append((f"{metric} of {name2}", score2))
    rows.append(("difference", difference))
    if figures.interval is not None:
        name = f"{figures.level_in_words} interval of the difference ({figures.interval.method})"
        rows.append((name, figures.interval_in_words))
    rows.append(("p", p_beside(ALPHA, result.pvalue, result.log_pvalue)))
    rows.append(("examples", f"{result.n:,}"))
    if result.n_groups is not None:
        rows.append(("groups", f"{result.n_groups:,}"))
    rows.append((f"{sampling_unit(result)}s that differ", f"{result.n_differing:,}"))
    rows.append((f"{name1} better on", f"{result.n_wins:,}"))
    rows.append((f"{name2} better on", f"{result.n_losses:,}"))
    rows.append(("test", kind_of_test(result)))
    return rows


def checks_of_runs(
    tasks: Mapping[str, Runs],
    runs: Runs,
    examples: Examples,
    has_own_references: bool,
    reader: Reader,
) -> Iterator[Check]:
    """Yield the findings of all checks of two files, good or not."""
    matching, one = runs.matching, [*runs.systems.values()]
    n = len(examples.ids)
    left_out = [*matching.unmatched, *examples.unmatched]
    what = f"Paired by id: {counted(n, 'example')} of both files"
    is_whole = not left_out and not runs.notes
    yield Check(is_whole, f"{what}; no id is left out." if is_whole else f"{what}.")
    notes = (worded(x, reader) for x in runs.notes)
    yield from (Check(None, f"{x[:1].upper()}{x[1:]}.") for x in notes)
    yield from (Check(False, f"Left out: {worded(x, reader)}.") for x in left_out)
    if not any("more than once" in str(x.why) for x in left_out):
        yield Check(True, "No id occurs twice in a file.")
    if examples.groups is None:
        yield Check(None, "No groups are given: examples count as independent of each other.")
    else:
        n_groups = len({*examples.groups})
        yield Check(True, f"Groups: {n_groups:,}, each swapped as a whole.")
    if examples.references is None:
        yield Check(None, "Scores are taken from the files: no references are needed.")
    elif has_own_references:
        unused = f"; {matching.n_unused:,} are of other examples" if matching.n_unused else ""
        yield Check(not unused, f"References are matched by id too{unused}.")
    else:
        yield Check(True, "References are those in the files, the same in both.")
    yield _documents(one)
    yield _prompts(one, matching.n_prompts)
    yield direction_check(examples.direction.lower_is_better, examples.direction.source)
    yield from (Check(False, f"{worded(x, reader)}.") for x in examples.doubts)
    if any(run.metrics for run in one):
        yield _several("metric", examples.name, runs.metrics)
    else:
        yield Check(
            None, f"The files hold no scores: {examples.name} is computed from predictions."
        )
    yield _several("task", runs.task, [*tasks])
    for system, run in runs.systems.items():
        for metric, why in run.left_out.items():
            what = f"Left out: {metric} of {system}: no number per example"
            yield Check(False, f"{what}, but {worded(why, reader)}.")


def direction_check(lower_is_better: bool, source: str) -> Check:
    """Say whether lower or higher scores are better, and who says so."""
    by_name = "by the metric's name"
    who = {
        "caller": "as you say",
        "log": "as the logs say",
        "metric": by_name,
        "name": by_name,
        "assumed": "assumed, since nothing says so: choose it under “More options”",
    }[source]
    what = "Lower" if lower_is_better else "Higher"
    return Check(source != "assumed", f"{what} scores are better, {who}.")


def _holds(column: Sequence[Any] | None) -> bool:
    """Tell whether a column has any entry."""
    return any(column or ())


def _documents(runs: Sequence[Any]) -> Check:
    if all(_holds(run.documents) for run in runs):
        return Check(True, "The documents under each id are the same in both logs.")
    return Check(None, "The files hold no documents: equal ids are taken as equal examples.")


def _prompts(runs: Sequence[Any], n_different: int) -> Check:
    if not all(_holds(run.prompts) for run in runs):
        return Check(None, "The files hold no prompts, so it is not known whether they differ.")
    if n_different:
        return Check(False, f"Prompts differ on {counted(n_different, 'example')}.")
    return Check(True, "Prompts are the same in both logs.")


def _several(what: str, used: str, there: Sequence[str]) -> Check:
    others = [shown(x) for x in there if x != used]
    if not used:
        return Check(None, f"The files name no {what}.")
    if not others:
        return Check(True, f"One {what} is in both files: {used}.")
    return Check(
        False,
        f"This is {what} {shown(used)}. The files also hold {first_of(others)}: choose it under "
        f"“More options”. If you look at several, adjust p, as the command without --{what} does.",
    )
