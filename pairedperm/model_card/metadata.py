"""A result in a card's metadata: under a metric of its model-index, or in `.eval_results`."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import huggingface_hub
import numpy as np
import yaml
from huggingface_hub.repocard_data import model_index_to_eval_results

from pairedperm.errors import InputError, describe, printable, shown
from pairedperm.inputs.files import check_regular, why
from pairedperm.model_card.yaml_edit import edited, load

_NOTE = re.compile(r"\[paired_perm: [^\]]*\]")
_WHICH = ("metric", "dataset", "config", "split")


class _Entry(NamedTuple):
    path: tuple[str | int, ...]
    metric: dict[str, Any]
    names: dict[str, list[str]]  # of the metric and so on: type and name

    def __str__(self) -> str:
        return ", ".join(
            f"{which} {' = '.join(map(repr, names))}"
            for which, names in self.names.items()
            if names
        )


def annotated_model_index(
    block: str,
    which: Mapping[str, str | None],
    args: Mapping[str, Any],
    split: str | None = None,
) -> str:
    """Return the card's YAML with `args` under the one metric that fits these names.

    A metric of another split than `split` does not fit, unless `which` names one. What is None in
    `args` is taken out, if it is there.

    Raises
    ------
    InputError
        If there is no model-index that the Hub would take, or not one such metric in it.
    """
    unknown = [key for key in which if key not in _WHICH]
    if unknown:
        raise InputError(
            f"`model_index` may name {', '.join(map(repr, _WHICH))}, got {describe(unknown[0])}."
        )
    data = load(block, "the card")
    index = data.get("model-index") if isinstance(data, dict) else None
    how = (
        "add one with huggingface_hub (ModelCardData(model_name=..., eval_results=[EvalResult(...)]"
        ")), or leave `model_index` out"
    )
    if not index:
        raise InputError(f"`model_index`: the card has no model-index; {how}.")
    try:
        model_index_to_eval_results(index)
        entries = list(_entries(index))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"`model_index`: the card's model-index is not as the Hub needs it "
            f"({printable(repr(error))}); correct it first."
        ) from error
    wanted = {key: name for key, name in which.items() if name is not None}
    found = [x for x in entries if all(name in x.names[key] for key, name in wanted.items())]
    if split is not None and "split" not in wanted:
        found = [x for x in found if split in (x.names["split"] or [split])]
        wanted["split"] = split
    if len(found) != 1:
        has = printable("; ".join(map(str, entries)), 1000)
        raise InputError(
            f"`model_index`: the card's model-index has {len(found)} metrics for "
            f"{printable(str(wanted))}, not one; it has {has}. Say which, model_index={{'metric': "
            f"..., 'dataset': ...}}, or {how}."
        )
    path, metric, _ = found[0]
    before = metric.get("args")
    if before and not isinstance(before, dict):
        raise InputError(
            f"`model_index`: the metric's args are {describe(before)}, not a mapping; correct that "
            "first."
        )
    there = {key: value for key, value in args.items() if value is not None}
    block = _with_fields(block, path, metric, {"args": there})
    for key in args.keys() - there.keys():
        block = edited(block, (*path, "args"), key, {})
    return block


def _entries(index: Any) -> Iterator[_Entry]:
    for i, model in enumerate(index):
        for j, result in enumerate(model["results"]):
            dataset = result["dataset"]
            for k, metric in enumerate(result["metrics"]):
                names = {
                    "metric": _named(metric["type"], metric.get("name")),
                    "dataset": _named(dataset["type"], dataset.get("name")),
                    "config": _named(dataset.get("config")),
                    "split": _named(dataset.get("split")),
                }
                yield _Entry(("model-index", i, "results", j, "metrics", k), metric, names)


def _named(*names: Any) -> list[str]:
    return list(dict.fromkeys(str(name) for name in names if name is not None))


def annotated_eval_results(folder: Path, fields: Mapping[str, Any], note: str) -> tuple[Path, str]:
    """Return the file of `.eval_results` with this entry, and its text with the note.

    An entry for the same dataset and task gets these fields, and keeps its others; without one
    there is a new file.

    Raises
    ------
    InputError
        If the fields are not those of huggingface_hub's EvalResultEntry, or a file cannot be
        read.
    """
    entry = _new_entry(fields)
    note = f"[paired_perm: {note.translate({ord('['): '(', ord(']'): ')'})}]"
    ids = [entry["dataset"][key] for key in ("id", "task_id")]
    if folder.exists() and not folder.is_dir():
        raise InputError(
            f"`eval_results`: {shown(str(folder))} is no folder: move it, or leave "
            "`eval_results` out."
        )
    for path in sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")]):
        text, entries = _read(path)
        for number, there in enumerate(entries):
            if [there["dataset"].get(key) for key in ("id", "task_id")] == ids:
                entry["notes"] = _with_note(entry.get("notes") or there.get("notes"), note)
                return path, _with_fields(text, (number,), there, entry)
    entry["notes"] = _with_note(entry.get("notes"), note)
    path = folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', '--'.join(ids))}.yaml"
    if os.path.exists(path):  # False for a name that is too long
        raise InputError(
            f"`eval_results`: {printable(path.name)} is there without an entry for "
            f"{' and '.join(map(describe, ids))}: move it."
        )
    return path, yaml.safe_dump([entry], sort_keys=False, allow_unicode=True)


def _with_fields(text: str, path: tuple[Any, ...], there: Any, fields: Mapping[str, Any]) -> str:
    """Return the YAML with these fields in the entry at `path`; its other fields stay."""
    for key, value in fields.items():
        if isinstance(value, dict) and isinstance(there.get(key), dict) and there[key]:
            text = _with_fields(text, (*path, key), there[key], value)
        else:
            text = edited(text, path, key, {key: value})
    return text


def _with_note(notes: Any, note: str) -> str:
    if not notes:
        return note
    if not isinstance(notes, str):
        raise InputError(f"`eval_results`: notes must be text, got {describe(notes)}.")
    if _NOTE.search(notes):
        return _NOTE.sub(lambda _: note, notes, count=1)
    return f"{notes.rstrip()}; {note}"


def _new_entry(fields: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(fields, Mapping):
        raise InputError(
            "`eval_results` must be a dict with dataset_id, task_id, value and what else "
            f"huggingface_hub's EvalResultEntry takes, got {describe(fields)}."
        )
    if not hasattr(huggingface_hub, "EvalResultEntry"):
        raise InputError(
            "`eval_results` needs a newer huggingface_hub: pip install -U huggingface_hub."
        )
    plain = {key: x.item() if isinstance(x, np.generic) else x for key, x in fields.items()}
    try:
        entry = huggingface_hub.EvalResultEntry(**plain)
        (new,) = huggingface_hub.eval_result_entries_to_yaml([entry])
        yaml.safe_dump(new)
    except (TypeError, ValueError, yaml.YAMLError) as error:
        accepted = inspect.signature(huggingface_hub.EvalResultEntry).parameters
        raise InputError(
            f"`eval_results` is no EvalResultEntry: {printable(str(error))}. It takes "
            f"{', '.join(accepted)}."
        ) from error
    for key, name in (("dataset_id", entry.dataset_id), ("task_id", entry.task_id)):
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"`eval_results`: {key} must be a name, got {describe(name)}.")
    return dict(new)


def _read(path: Path) -> tuple[str, list[Any]]:
    """Return a file's text, and the entries in it."""
    name = printable(path.name)
    try:
        check_regular(path)
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"`eval_results`: {name} cannot be read: {why(error)}.") from error
    data = load(text, name)
    entries = [] if data is None else data
    if not isinstance(entries, list) or not all(
        isinstance(entry, dict) and isinstance(entry.get("dataset"), dict) for entry in entries
    ):
        raise InputError(
            f"`eval_results`: {name} must hold a list of entries, each with a dataset; "
            "correct it first."
        )
    return text, entries
