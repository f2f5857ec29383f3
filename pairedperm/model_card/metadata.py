"""A result in a card's metadata: under a metric of its model-index, or in `.eval_results`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import huggingface_hub
import yaml
from huggingface_hub.repocard_data import model_index_to_eval_results

from pairedperm.columns import describe
from pairedperm.errors import InputError
from pairedperm.model_card.yaml_edit import load, set_value

__all__ = ["annotated_eval_results", "annotated_model_index"]


class _Entry(NamedTuple):
    path: tuple[str | int, ...]
    metric: tuple[str, ...]  # type and name
    dataset: tuple[str, ...]  # likewise

    def __str__(self) -> str:
        return f"{self.metric[0]!r} on {' = '.join(map(repr, self.dataset))}"


def annotated_model_index(
    block: str, metric: str | None, dataset: str | None, args: Mapping[str, Any]
) -> str:
    """The card's YAML with `args` under the metric of this name on this dataset.

    Raises
    ------
    InputError
        If there is no model-index that the Hub would take, or not one such metric in it.
    """
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
            f"`model_index`: the card's model-index is not as the Hub needs it ({error!r}); "
            "correct it first."
        ) from error
    found = [
        entry
        for entry in entries
        if (metric is None or metric in entry.metric)
        and (dataset is None or dataset in entry.dataset)
    ]
    if len(found) != 1:
        wanted = " on ".join(repr(x) for x in (metric or "any metric", dataset) if x is not None)
        raise InputError(
            f"`model_index`: {len(found)} metrics of the card's model-index are {wanted}; there is "
            f"{', '.join(map(str, entries))}. Name one with `dataset` and `model_index`, or {how}."
        )
    path = found[0].path
    node = data
    for step in path:
        node = node[step]
    before = node.get("args") or {}
    if not isinstance(before, dict):
        raise InputError(
            f"`model_index`: the metric's args are {describe(before)}, not a mapping; correct that "
            "first."
        )
    others = {key: value for key, value in before.items() if key != "log_p"}  # not in all of ours
    return set_value(block, path, "args", {**others, **args})


def _entries(index: Any) -> Iterator[_Entry]:
    for i, model in enumerate(index):
        for j, result in enumerate(model["results"]):
            names = _both(result["dataset"])
            for k, metric in enumerate(result["metrics"]):
                path = ("model-index", i, "results", j, "metrics", k)
                yield _Entry(path, _both(metric), names)


def _both(entry: Mapping[str, Any]) -> tuple[str, ...]:
    names = (entry["type"], entry.get("name"))
    return tuple(dict.fromkeys(str(name) for name in names if name is not None))


def annotated_eval_results(
    folder: Path, fields: Mapping[str, Any], value: float, note: str
) -> tuple[Path, str]:
    """The file of `.eval_results` with this entry, and its text with the note in it.

    An entry for the same dataset and task stays, but for the note; else one is added.

    Raises
    ------
    InputError
        If the fields are not those of huggingface_hub's EvalResultEntry, or a file cannot be
        read.
    """
    entry = _new_entry(fields, value)
    note = f"[paired_perm: {note.translate({ord('['): '(', ord(']'): ')'})}]"
    ids = (entry["dataset"]["id"], entry["dataset"]["task_id"])
    for path in sorted(folder.glob("*.yaml")):
        text = _read(path)
        for number, there in enumerate(_loaded(path, text)):
            if (there["dataset"].get("id"), there["dataset"].get("task_id")) == ids:
                notes = re.sub(r"(; )?\[paired_perm: [^\]]*\]", "", there.get("notes") or "")
                notes = f"{notes}; {note}" if notes else note
                return path, set_value(text, (number,), "notes", notes)
    entry["notes"] = f"{entry['notes']}; {note}" if entry.get("notes") else note
    path = folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '--', ids[0])}.yaml"
    before = _read(path) if path.exists() else ""
    gap = "" if not before or before.endswith("\n") else "\n"
    text = before + gap + yaml.safe_dump([entry], sort_keys=False, allow_unicode=True)
    if len(_loaded(path, text)) != len(_loaded(path, before)) + 1:
        raise InputError(
            f"`eval_results`: {path.name} is laid out unusually: add an entry for {ids[0]!r} to it."
        )
    return path, text


def _new_entry(fields: Mapping[str, Any], value: float) -> dict[str, Any]:
    if not isinstance(fields, Mapping):
        raise InputError(
            "`eval_results` must be a dict with dataset_id and task_id, and what else "
            f"huggingface_hub's EvalResultEntry takes, got {describe(fields)}."
        )
    if not hasattr(huggingface_hub, "EvalResultEntry"):
        raise InputError(
            "`eval_results` needs a newer huggingface_hub: pip install -U huggingface_hub."
        )
    try:
        entry = huggingface_hub.EvalResultEntry(**{"value": value, **fields})
        (new,) = huggingface_hub.eval_result_entries_to_yaml([entry])
    except (TypeError, ValueError) as error:
        raise InputError(f"`eval_results` is no EvalResultEntry: {error}.") from error
    return dict(new)


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"`eval_results`: {path.name} cannot be read: {error}.") from error


def _loaded(path: Path, text: str) -> list[Any]:
    data = load(text, path.name)
    entries = [] if data is None else data
    if not isinstance(entries, list) or not all(
        isinstance(entry, dict) and isinstance(entry.get("dataset"), dict) for entry in entries
    ):
        raise InputError(
            f"`eval_results`: {path.name} must hold a list of entries, each with a dataset; "
            "correct it first."
        )
    return entries
