"""``pairedperm compare`` and ``pairedperm bootstrap`` compare the logs of two systems."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, get_args

import click

from pairedperm.commands.flags import (
    LOG,
    Flags,
    PairFlags,
    argument,
    constant_option,
    largest_group_option,
    option,
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
    write_text,
)
from pairedperm.comparison.compare import counts_of_result
from pairedperm.errors import called
from pairedperm.options import BootstrapMethod, Method, Options
from pairedperm.options import Test as TestName
from pairedperm.readers.metrics import called_columns
from pairedperm.readers.read import compare_all
from pairedperm.results.several import Correction

_ARGUMENTS = {"path1": "A", "path2": "B"}


def _method_option(methods: tuple[str, ...]) -> Any:
    words = f"How p is computed: {', '.join(methods)}."
    return option(words, of=Options, type=click.Choice(methods), metavar="NAME")


@dataclass(frozen=True, kw_only=True)
class _BootstrapOptions(Flags):
    alternative: str = option(
        "The alternative hypothesis: greater means that A scores higher.", of=Options
    )
    method: str = _method_option(get_args(BootstrapMethod))
    n_resamples: int | None = option("The number of random samples, if p is sampled.", of=Options)
    confidence_level: float | None = option(
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
    reading: PairFlags
    options: _BootstrapOptions
    correction: Correction | None = option(
        "How p is adjusted for the number of metrics and tasks.", of=compare_all
    )
    dataset: str | None = option("The name of the data in reports. By default, the task.")
    form: JsonOrMarkdown
    card: Path | None = option(
        "Also write the result into this file, the model card of A.", metavar="README.md"
    )
    counts: Path | None = None
    test: ClassVar[TestName] = "bootstrap"


@dataclass(frozen=True, kw_only=True)
class _CompareFlags(_BootstrapFlags):
    options: _PermutationOptions
    counts: Path | None = option(
        "Also write the counts that p follows from; `PairedCounts.from_json` reads them.",
    )
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
        for name, path in (("card", flags.card), ("counts", flags.counts)):
            if path is not None:
                one = "one comparison: name a --metric and a --task."
                raise click.UsageError(f"--{name} takes {one}")
        title = f"{results.name1} against {results.name2}"
        return present(Page(results, title, notes), **asdict(flags.form))
    (((task, metric), result),) = results.results.items()
    systems, dataset = (results.name1, results.name2), flags.dataset or task or None
    _write(result, flags, systems, dataset)
    facts = {"system1": systems[0], "system2": systems[1], "task": task, "logged": metric}
    asked = {"names": systems, "alpha": reading.alpha, "dataset": dataset}
    return present(Page(result, "", notes, facts, asked), **asdict(flags.form))


def _write(
    result: Any, flags: _BootstrapFlags, systems: tuple[str, str], dataset: str | None
) -> None:
    """Write the card and the table of counts of one comparison, or neither."""
    card, counts = flags.card, flags.counts
    inputs = [x for x in (flags.reading.references, flags.a, flags.b) if x is not None]
    file_of_card = card / "README.md" if card is not None and card.is_dir() else card
    if file_of_card is not None:  # a folder of logs may also hold the card of its model
        is_card = file_of_card.suffix == ".md"
        check_place(file_of_card, [x for x in inputs if not (is_card and Path(x).is_dir())])
    if counts is not None:
        with called({"result": "`--counts`: the result"}), called_columns(systems, of_pair=True):
            counted = counts_of_result(result)
        check_place(counts, (*inputs, file_of_card))
    if card is not None:
        from pairedperm.model_card import update

        update(card, result, name1=systems[0], name2=systems[1], dataset=dataset)
    if counts is not None:
        write_text(counts, f"{counted.to_json(labels=False)}\n")
