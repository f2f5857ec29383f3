"""What a visitor gives, as the page passes it on."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import worker

HOSTILE = "<img src=x onerror=alert(1)>"


def table(
    name: str, column: str, values: Sequence[Any], ids: Iterable[Any] | None = None, **columns: Any
) -> str:
    """A table in a folder, as an upload."""
    columns = {"id": range(len(values)) if ids is None else ids, column: values, **columns}
    lines = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    path = Path("uploads", name).absolute()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(x) + "\n" for x in lines), "utf-8")
    return str(path)


def asked(one: Any, two: Any, references: Any = "", **options: Any) -> dict[str, Any]:
    """What `worker.ask` takes: texts, or lists of files, and the options."""
    untouched = dict.fromkeys((*worker.OPTIONS, *worker.READING), "")
    return {"A": one, "B": two, "references": references, **untouched, **options}


def answered(*boxes: Any, **options: Any) -> dict[str, str]:
    """What the other process answers, in this process and in the current folder."""
    return worker.answer(asked(*boxes, **options))
