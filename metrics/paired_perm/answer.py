"""The answer on two files or on columns: all that the page shows, without its HTML."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from limits import BUDGET, MAX_EXPANDED, Upload, check_size, check_upload
from visitor import COLUMNS, Visitor, in_words_of_the_page
from words import Check, checks_of_runs, p_with_certificate, table, verdict

from pairedperm import PairedResult
from pairedperm.errors import called
from pairedperm.model_card import significance_section
from pairedperm.readers.files import ReadOptions
from pairedperm.readers.metrics import Examples, compare_examples
from pairedperm.readers.read import read_tasks
from pairedperm.readers.tasks import Runs
from pairedperm.scoring.metric import METRICS

SEED = 0  # the default of the command line, so that the same files get the same answer
_FILES = {"path1": "File A", "path2": "File B", "references": "Right answers"}
_NEED_MORE = ("mean_score", "fbeta")  # than predictions: scores, and beta
_LONG = 40  # characters of a name: a sentence has two names
_LONGEST = 200  # bytes of a file's name: file systems take 255


@dataclass(frozen=True)
class Asked:
    """The options that the visitor chose; "" leaves one to the files or the package."""

    metric: str = ""
    task: str = ""
    average: str = ""
    pos_label: str = ""
    better: str = ""  # "higher" or "lower"
    name1: str = ""
    name2: str = ""
    columns: tuple[str, ...] = COLUMNS
    is_dropped: bool = False  # whether to leave out ids that do not match

    @property
    def lower_is_better(self) -> bool | None:
        """The choice of `better` as `Runs.examples` takes it."""
        return {"lower": True, "higher": False}.get(self.better)

    def options(self, references: Sequence[Any] | None) -> dict[str, Any]:
        """Return the options of the metric; labels are numbers if references are."""
        found: dict[str, Any] = {"average": self.average} if self.average else {}
        if self.pos_label:
            is_text = not references or isinstance(references[0], str)
            found["pos_label"] = self.pos_label
            with suppress(ValueError):
                found["pos_label"] = self.pos_label if is_text else int(self.pos_label)
        return found


@dataclass(frozen=True)
class Answer:
    """All that the page shows of a comparison."""

    name1: str
    name2: str
    result: PairedResult
    sentences: list[str]
    p: str
    checks: list[Check]
    table: list[tuple[str, str]]
    section: str
    command: str
    metrics: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)


def of_files(a: Upload, b: Upload, references: Upload | None, asked: Asked) -> Answer:
    """Return the answer on two files.

    Raises
    ------
    InputError, BudgetError, ImportError
        If the files cannot be read or compared; the message uses the words of the page.
    """
    uploads = {"A": a, "B": b} | ({} if references is None else {"references": references})
    for what, upload in zip(_FILES.values(), uploads.values(), strict=False):
        check_upload(upload, what)
    with tempfile.TemporaryDirectory() as folder:
        visitor, names = Visitor(f"{folder}{os.sep}"), _placed(Path(folder), uploads)
        paths = [Path(folder, name) for name in names]
        with in_words_of_the_page(visitor) as said, called(_FILES):
            for name, path in zip(_FILES, paths, strict=False):
                check_size(name, path)
            columns: dict[str, Any] = dict(zip(COLUMNS, asked.columns, strict=True))
            options = ReadOptions(
                task=asked.task or None,
                references=paths[2] if references else None,
                on_missing="drop" if asked.is_dropped else "error",
                max_bytes=MAX_EXPANDED,
                **columns,
            )
            tasks = read_tasks(paths[0], paths[1], options)
            runs = _first([*tasks.values()], asked.metric)
            examples = _examples(runs, asked)
            found = [*checks_of_runs(tasks, runs, examples, references is not None, visitor)]
    chosen = replace(
        asked,
        metric=asked.metric or (examples.name if len(runs.metrics) > 1 else ""),
        task=asked.task or (runs.task if len(tasks) > 1 else ""),
    )
    if asked.name1 or asked.name2:  # the command names both or none
        name1, name2 = _names(asked, examples)
        chosen = replace(chosen, name1=name1, name2=name2)
    answer = of_examples(examples, asked, [*found, *said], command(names, chosen), runs.task)
    return replace(answer, metrics=_metrics(runs), tasks=[*tasks])


def of_examples(
    examples: Examples, asked: Asked, checks: Sequence[Check], repeat: str, dataset: str = ""
) -> Answer:
    """Return the answer on matched examples; `repeat` is the command that gives it again.

    Raises
    ------
    InputError, BudgetError
        If `compare` refuses the examples.
    """
    with in_words_of_the_page() as said:
        result = compare_examples(examples, rng=SEED, budget=BUDGET)
        name1, name2 = _names(asked, examples)
        section = significance_section(result, name1=name1, name2=name2, dataset=dataset or None)
    return Answer(
        name1=name1,
        name2=name2,
        result=result,
        sentences=verdict(result, name1, name2),
        p=p_with_certificate(result),
        checks=[*checks, *said],
        table=table(result, name1, name2),
        section=section,
        command=repeat,
    )


def _names(asked: Asked, examples: Examples) -> tuple[str, str]:
    """Return the visitor's names of the systems, or those of the files if they are short."""
    own = [*examples.systems]
    if max(map(len, own)) > _LONG:
        own = ["system A", "system B"]
    return asked.name1 or own[0], asked.name2 or own[1]


def _placed(folder: Path, uploads: dict[str, Upload]) -> list[str]:
    """Place the files under their own names, in separate folders if two names are equal."""
    names = [_file_name(upload.name) for upload in uploads.values()]
    if len({*names}) < len(names):
        names = [f"{key}/{name}" for key, name in zip(uploads, names, strict=True)]
    for name, upload in zip(names, uploads.values(), strict=True):
        place = folder / name
        place.parent.mkdir(exist_ok=True)
        try:
            os.link(upload.path, place)
        except OSError:  # on another disk
            shutil.copyfile(upload.path, place)
    return names


def _file_name(name: str) -> str:
    """Return the last part of a path, short enough for a file system."""
    last = re.sub(r"[\x00-\x1f\x7f]", "_", re.split(r"[/\\]", name)[-1]).strip().strip(".")
    stem, dot, ending = last.encode("utf-8", "replace").rpartition(b".")
    if not dot or not stem or len(ending) > _LONGEST // 2:
        stem, dot, ending = last.encode("utf-8", "replace") or b"file", b"", b""
    whole = stem[: _LONGEST - len(dot + ending)] + dot + ending
    return whole.decode("utf-8", "ignore")


def _first(tasks: Sequence[Runs], metric: str) -> Runs:
    """Return the runs of the first task that has the metric, or else of the first task."""
    return next((x for x in tasks if x.metrics and metric in ("", *_metrics(x))), tasks[0])


def _examples(runs: Runs, asked: Asked) -> Examples:
    """Return what the chosen metric compares, or else the first metric of the files."""
    metric = asked.metric or next(iter(runs.metrics), None)
    right = next((x.references for x in runs.systems.values() if x.references), None)
    return runs.examples(metric, lower_is_better=asked.lower_is_better, **asked.options(right))


def _metrics(runs: Runs) -> list[str]:
    """List the metrics that the visitor can choose."""
    has_predictions = all(run.predictions is not None for run in runs.systems.values())
    of_predictions = [x for x in METRICS if x not in _NEED_MORE] if has_predictions else []
    return [*dict.fromkeys([*runs.metrics, *of_predictions])]


def command(names: Sequence[str], asked: Asked) -> str:
    """Return the shell command that repeats the comparison in the folder of the files."""
    words = ["pairedperm", "compare", *(f"./{x}" if x.startswith("-") else x for x in names[:2])]
    if len(names) > 2:
        words.append(f"--references={names[2]}")
    given = ("metric", asked.metric), ("task", asked.task)
    words += [
        f"--{option}={value}"
        for option, value in (*given, ("name", asked.name1), ("name", asked.name2))
        if value
    ]
    for option in ("average", "pos_label"):
        if value := getattr(asked, option):
            words += ["-o", f"{option}={value}"]
    if asked.better:
        words.append(f"--{asked.better}-is-better")
    for option, column in zip(COLUMNS, asked.columns, strict=True):
        words += [f"--{option}={column}"] * (column != option)
    words += ["--on-missing=drop"] * asked.is_dropped
    return shlex.join(words)
