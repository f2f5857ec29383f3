"""The names of systems: what tells their logs apart."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import PurePath

from pairedperm.inputs.files import STANDARD_INPUT, without_compression
from pairedperm.readers.run import Run
from pairedperm.readers.table import TABLES
from pairedperm.readers.text_file import PARTS

_IS_DATE = re.compile(r"[\dTZ\W_]+")  # a folder that tells a date, a time or a number


def system_names(runs: Sequence[Run]) -> list[str]:
    """Name each system by its model, its table, the nearest folder that differs, or its path."""
    models = [run.model for run in runs]
    if all(models) and _differ(models):
        return models
    paths = [_without_ending(run.path) for run in runs]
    stems = [path.name for path in paths]
    if all(run.format in TABLES for run in runs) and _differ(stems):
        return stems  # other logs are named by dates and numbers
    absolute = [*map(_parts, paths)]
    n_shared = len(os.path.commonprefix(absolute))  # noqa: RUF071, parts are meant
    own = [parts[n_shared:] for parts in absolute]
    nearest = [*zip(*(reversed(parts[:-1]) for parts in own), strict=False)]
    telling = [names for names in nearest if not any(map(_IS_DATE.fullmatch, names))]
    for names in (*telling, *nearest, *zip(*own, strict=False)):
        if _differ(names):
            return [*names]
    for length in range(2, max(map(len, absolute))):
        joined = ["/".join(parts[-length:]) for parts in absolute]
        if _differ(joined):
            return joined
    return [f"{run.path} ({k})" for k, run in enumerate(runs, 1)]


def _without_ending(file: str) -> PurePath:
    """Return the path of a file without its ending, or the folder of a table in parts."""
    path = PurePath(without_compression(file)).with_suffix("")
    return PurePath(os.path.abspath(path)).parent if path.name == PARTS else path


def _parts(path: PurePath) -> tuple[str, ...]:
    """Return the parts of the absolute path; standard input stands for a folder."""
    is_file = str(path) != STANDARD_INPUT
    return PurePath(os.path.abspath(path)).parts if is_file else (STANDARD_INPUT, "")


def _differ(names: Sequence[str]) -> bool:
    return len({*names}) == len(names)
