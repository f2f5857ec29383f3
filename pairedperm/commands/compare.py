"""``pairedperm compare`` and ``pairedperm bootstrap`` compare the logs of two systems."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, get_args

import click

from pairedperm.commands.flags import (
    LOG,
    ComparingFlags,
    Flags,
    argument,
    constant_option,
    flag,
    largest_group_option,
)
from pairedperm.commands.output import (
    JsonOrMarkdown,
    Output,
    Page,
    check_place,
    command,
    notes_of,
    notes_together,
    present,
)
from pairedperm.errors import called
from pairedperm.options import BootstrapMethod, Method, Options
from pairedperm.options import Test as TestName
from pairedperm.readers.read import compare_all
from pairedperm.results.several import Correction

_ARGUMENTS = {"path1": "A", "path2": "B"}


def _method_option(methods: tuple[str, ...]) -> Any:
    words = f"How p is computed: {', '.join(methods)}."
    return flag(words, of=Options, type=click.Choice(methods), metavar="NAME")


@dataclass(frozen=True, kw_only=True)
class _BootstrapOptions(Flags):
    alternative: str = flag(
        "The alternative hypothesis: greater means that A scores higher.", of=Options
    )
    method: str = _method_option(get_args(BootstrapMethod))
    n_resamples: int | None = flag("The number of random samples, if p is sampled.", of=Options)
    confidence_level: float | None = flag(
        "The level of the interval of the difference.  [default: 0.95]", of=Options
    )


@dataclass(frozen=True, kw_only=True)
class _PermutationOptions(_BootstrapOptions):
    method: str = _method_option(get_args(Method))
    largest_group: int | None = largest_group_option()
    constant: str | None = constant_option()


@dataclass(frozen=True, kw_only=True)
class _BootstrapFlags(Flags):
    a: str = argument(type=LOG)
    b: str = argument(type=LOG)
    reading: ComparingFlags
    options: _BootstrapOptions
    correction: Correction | None = flag(
        "How p is adjusted for the number of metrics and tasks.", of=compare_all
    )
    dataset: str | None = flag("The name of the data in reports. By default, the task.")
    form: JsonOrMarkdown
    card: Path | None = flag(
        "Also write the result into this file, the model card of A.", metavar="README.md"
    )
    test: ClassVar[TestName] = "bootstrap"


@dataclass(frozen=True, kw_only=True)
class _CompareFlags(_BootstrapFlags):
    options: _PermutationOptions
    test: ClassVar[TestName] = "permutation"


@command(_CompareFlags)
def compare(flags: _CompareFlags) -> Output:
    """Compare the logs A and B by the exact permutation test.

    A and B are files, or folders that each hold the logs of one system; URLs of these; or one is -,
    standard input. If they hold several metrics or tasks, all are compared, and each p is adjusted.
    --metric and --task choose.

    \b
    pairedperm compare new.jsonl old.jsonl
    pairedperm compare out/new out/old --task gsm8k --metric acc
    pairedperm compare new.csv old.csv --metric f1 -o average=macro
    """  # noqa: D301, click reads the control character
    return _compare(flags)


@command(_BootstrapFlags)
def bootstrap(flags: _BootstrapFlags) -> Output:
    """Compare the logs A and B by the paired bootstrap.

    It works like `compare`, but draws examples with replacement. p is exact for means; for other
    metrics it is sampled.

    \b
    pairedperm bootstrap new.jsonl old.jsonl
    pairedperm bootstrap new.csv old.csv --metric f1 -o average=macro
    """  # noqa: D301, click reads the control character
    return _compare(flags)


def _compare(flags: _BootstrapFlags) -> Output:
    reading = flags.reading
    tasks = reading.two(flags.a, flags.b, _ARGUMENTS)
    with called(reading.words):
        results, compared = compare_all(
            [*tasks.values()],
            metrics=reading.metric,
            correction=flags.correction,
            alpha=flags.reading.alpha,
            lower_is_better=reading.lower_is_better,
            metric_options=reading.of_metric(next(iter(tasks.values()))),
            test=flags.test,
            rng=flags.reading.seed,
            **asdict(flags.options),
        )
    tasks = {task: tasks[task] for task, _ in results.results}
    own = notes_together if len(tasks) > 1 else notes_of
    each = zip((task for task, _ in results.results), compared, strict=True)
    notes = [*own(tasks, each), *map(str, results.left_out)]
    if len(results.results) > 1:
        if flags.card is not None:
            raise click.UsageError("--card takes one comparison: name a --metric and a --task.")
        title = f"{results.name1} against {results.name2}"
        return present(Page(results, title, notes), **asdict(flags.form))
    (((task, metric), result),) = results.results.items()
    systems, dataset = (results.name1, results.name2), flags.dataset or task or None
    if flags.card is not None:
        _update(flags.card, result, flags, systems, dataset)
    facts = {"system1": systems[0], "system2": systems[1], "task": task, "logged": metric}
    asked = {"names": systems, "alpha": reading.alpha, "dataset": dataset}
    return present(Page(result, "", notes, facts, asked), **asdict(flags.form))


def _update(
    card: Path,
    result: Any,
    flags: _BootstrapFlags,
    systems: tuple[str, str],
    dataset: str | None,
) -> None:
    """Write the result into a card, which is no input; a folder of logs may hold it too."""
    from pairedperm.model_card import update

    path = card / "README.md" if card.is_dir() else card
    inputs = [x for x in (flags.reading.references, flags.a, flags.b) if x is not None]
    check_place(path, [x for x in inputs if not (path.suffix == ".md" and Path(x).is_dir())])
    update(card, result, name1=systems[0], name2=systems[1], dataset=dataset)
