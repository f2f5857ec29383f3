"""The columns of a log in the current folder."""

import json
from pathlib import Path
from typing import Any


def answers(name: str) -> list[Any]:
    return _column(name, "prediction")


def references(name: str) -> list[Any]:
    return _column(name, "reference")


def _column(name: str, key: str) -> list[Any]:
    lines = Path(f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(x)[key] for x in lines]
