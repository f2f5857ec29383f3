"""A result in a card's metadata: under a metric of its model-index, or in `.eval_results`."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import huggingface_hub
import numpy as np
import yaml
from huggingface_hub.repocard_data import model_index_to_eval_results

from pairedperm.errors import (
    InputError,
    Name,
    Parts,
    Setting,
    describe,
    first_of,
    printable,
    shown,
    warn,
)
from pairedperm.inputs.files import check_regular, leads_out, why
from pairedperm.model_card.facts import Reported, check_value, test_of
from pairedperm.model_card.yaml_edit import as_written, edited, load_yaml
from pairedperm.results.words import Figures, format_pvalue

_NOTE = "[paired_perm: "  # up to the next bracket
_MAX_TAG = 100  # tuned: characters of notes in a file's name, of which disks take 255
_WHICH = ("metric", "dataset", "config", "split")


class _IndexedMetric(NamedTuple):
    """A metric of a model-index: where it stands, and what it is called."""

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
    figures: Figures,
    split: str | None = None,
) -> str:
    """Return the card's YAML with `args` under the one metric that fits these names.

    A metric of another split than `split` does not fit, unless `which` names one. What is None in
    `args` is taken out, if it is there. `figures` are those of the result.

    Raises
    ------
    InputError
        If there is no model-index that the Hub would take, or not one such metric in it. If the
        metric's value is no rounding of the tested score.
    """
    unknown = [key for key in which if key not in _WHICH]
    if unknown:
        names = ", ".join(map(repr, _WHICH))
        raise InputError(
            Name("model_index"),
            f" may name {names}",
            got=describe(unknown[0]),
            remedy="Leave the other out",
        )
    data = load_yaml(block, "the card")
    index = data.get("model-index") if isinstance(data, dict) else None
    how = "one with huggingface_hub (ModelCardData(model_name=..., eval_results=[EvalResult(...)]))"
    new = Parts(how, ", or leave ", Name("model_index"), " out")
    if not index:
        lacks = ": the card has no model-index"
        raise InputError(Name("model_index"), lacks, remedy=Parts("Add ", new))
    try:
        model_index_to_eval_results(index)
        metrics = list(_metrics_of(index))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            Name("model_index"),
            f": the card's model-index is not as the Hub needs it ({printable(repr(error))})",
            remedy="Correct it first",
        ) from error
    wanted = {key: name for key, name in which.items() if name is not None}
    fitting = [x for x in metrics if all(name in x.names[key] for key, name in wanted.items())]
    if split is not None and "split" not in wanted:
        fitting = [x for x in fitting if split in (x.names["split"] or [split])]
        wanted["split"] = split
    if len(fitting) != 1:
        has = printable("; ".join(map(str, metrics)), 1000)
        one = Setting("model_index", "{'metric': ..., 'dataset': ...}")
        raise InputError(
            Name("model_index"),
            f": the card's model-index has {len(fitting)} metrics for {printable(str(wanted))}, "
            f"not one; it has {has}",
            remedy=Parts("Say which, ", one, ", or add ", new),
        )
    path, metric, _ = fitting[0]
    check_value("model_index", as_written(block, (*path, "value"), metric["value"]), figures)
    before = metric.get("args")
    if before and not isinstance(before, dict):
        what = ": the metric's args are ", describe(before), ", not a mapping"
        raise InputError(Name("model_index"), *what, remedy="Correct that first")
    given = {key: value for key, value in args.items() if value is not None}
    block = _with_fields(block, path, metric, {"args": given})
    for key in args.keys() - given.keys():
        block = edited(block, (*path, "args"), key, {})
    return block


def _metrics_of(index: Any) -> Iterator[_IndexedMetric]:
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
                yield _IndexedMetric(("model-index", i, "results", j, "metrics", k), metric, names)


def _named(*names: Any) -> list[str]:
    return list(dict.fromkeys(str(name) for name in names if name is not None))


def annotated_eval_results(
    folder: Path, fields: Mapping[str, Any], result: Reported, against: str
) -> tuple[Path, str]:
    """Return the file of `.eval_results` with this entry, and its text with p in the source.

    The entry of the same dataset, task and notes gets these fields, and keeps its others. A token
    and a date that came with another value or revision go. Without such an entry there is a new
    file. `against` names the other system.

    Raises
    ------
    InputError
        If the fields are not those of huggingface_hub's EvalResultEntry, a file cannot be read, or
        several entries may be meant. If the value is no rounding of the tested score.
    """
    entry = _new_entry(fields)
    check_value("eval_results", str(entry["value"]), result.figures())
    if folder.exists() and not folder.is_dir():
        remedy = Parts("move it, or leave ", Name("eval_results"), " out")
        what = f": {shown(str(folder))} is no folder"
        raise InputError(Name("eval_results"), what, remedy=remedy)
    test = test_of(result)
    note = f"p = {format_pvalue(test.log_pvalue)} against {against}, n = {test.n:,}"
    note = f"[paired_perm: {note.translate({ord('['): '(', ord(']'): ')'})}]"
    old = _old_entry(folder, entry, has_notes="notes" in fields)
    before = {} if old is None else old.entry
    source = before.get("source")
    source = {**(source if isinstance(source, dict) else {}), **entry.get("source", {})}
    if source.get("url"):
        entry["source"] = {**entry.get("source", {}), "name": _with_note(source.get("name"), note)}
    else:
        warn(
            Name("eval_results"),
            ": p is written nowhere, since it stands in the name of the entry's source, which the "
            "Hub does not take without a url",
            remedy="Add a 'source_url'",
        )
    if old is not None:
        text = _with_fields(old.text, (old.number,), before, entry)
        gone = ["notes", *([] if _is_same(before, entry) else ["verifyToken", "date"])]
        for key in (x for x in gone if x not in entry):
            text = edited(text, (old.number,), key, {})
        return old.path, text
    names = (*_ids(entry), *([entry["notes"][:_MAX_TAG]] if "notes" in entry else []))
    path = folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', '--'.join(names)).lstrip('.')}.yaml"
    if os.path.exists(path):  # False for a name that is too long
        raise InputError(
            Name("eval_results"),
            f": {printable(path.name)} is there without an entry for ",
            _described(names),
            remedy="rename it, or give other notes",
        )
    return path, yaml.safe_dump([entry], sort_keys=False, allow_unicode=True)


class _OldEntry(NamedTuple):
    """An entry that is there: its file with the text, and its number in the list."""

    path: Path
    text: str
    number: int
    entry: dict[str, Any]

    def __str__(self) -> str:
        notes = f"notes {shown(_tag(self.entry))}" if _tag(self.entry) else "no notes"
        return f"{printable(self.path.name)} (entry {self.number + 1}, {notes})"


def _old_entry(folder: Path, new: Mapping[str, Any], *, has_notes: bool) -> _OldEntry | None:
    """Return the entry of the same dataset, task and notes; None if there is none.

    Raises
    ------
    InputError
        If it may be one of several.
    """
    listed = [
        _OldEntry(path, text, number, entry)
        for path in sorted([*folder.glob("[!.]*.yaml"), *folder.glob("[!.]*.yml")])
        if not leads_out(path, folder)
        for text, entries in [_read_entries(path)]
        for number, entry in enumerate(entries)
        if _ids(entry) == _ids(new)
    ]
    tag, revision = _tag(new).casefold(), new["dataset"].get("revision")
    same = [x for x in listed if _tag(x.entry).casefold() == tag]
    if len(same) > 1:
        same = [x for x in same if x.entry["dataset"].get("revision") == revision] or same
    if len(same) == 1:
        return same[0]
    if not listed or (has_notes and not same):
        return None
    remedy = "Give the `notes` of one of these, or notes=None for a new entry without"
    if same:
        remedy = "Delete all but one, or tell them apart by notes or dataset_revision"
    there = f"There are {first_of([*map(str, same or listed)])}"
    what = ": which entry for ", _described(_ids(new)), " is meant?"
    raise InputError(Name("eval_results"), *what, remedy=(there, remedy))


def _described(names: Sequence[Any]) -> Parts:
    first, *others = map(describe, names)
    return Parts(first, *(Parts(" and ", other) for other in others))


def _ids(entry: Mapping[str, Any]) -> list[Any]:
    return [entry["dataset"].get(key) for key in ("id", "task_id")]


def _tag(entry: Mapping[str, Any]) -> str:
    """Return the notes in one line, which tell variants apart."""
    notes = entry.get("notes")
    if notes is not None and not isinstance(notes, str):
        raise InputError(Name("eval_results"), ": notes", must="be text", got=describe(notes))
    return " ".join((notes or "").split())


def _is_same(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Tell whether the value stays, of the same revision: then its token and date hold."""
    revision = old["dataset"].get("revision")
    is_revision = revision in (None, new["dataset"].get("revision", revision))
    return bool(is_revision and old.get("value") == new["value"])


def _with_fields(text: str, path: tuple[Any, ...], old: Any, fields: Mapping[str, Any]) -> str:
    """Return the YAML with these fields in the entry at `path`, which is `old`; others stay."""
    for key, value in fields.items():
        if isinstance(value, dict) and isinstance(old.get(key), dict) and old[key]:
            text = _with_fields(text, (*path, key), old[key], value)
        else:
            text = edited(text, path, key, {key: value})
    return text


def _with_note(name: Any, note: str) -> str:
    """Return a source's name with our note in place of the old one, or last."""
    if not name:
        return note
    name = str(name)
    start = name.find(_NOTE)
    end = name.find("]", start)
    return f"{name}; {note}" if min(start, end) < 0 else name[:start] + note + name[end + 1 :]


def _new_entry(fields: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(fields, Mapping):
        raise InputError(
            Name("eval_results"),
            must="be a dict with dataset_id, task_id, value and what else huggingface_hub's "
            "EvalResultEntry takes",
            got=describe(fields),
        )
    if not hasattr(huggingface_hub, "EvalResultEntry"):
        what = " needs a newer huggingface_hub"
        raise InputError(Name("eval_results"), what, remedy="pip install -U huggingface_hub")
    plain = {key: x.item() if isinstance(x, np.generic) else x for key, x in fields.items()}
    try:
        entry = huggingface_hub.EvalResultEntry(**plain)
        (new,) = huggingface_hub.eval_result_entries_to_yaml([entry])
        yaml.safe_dump(new)
    except (TypeError, ValueError, RecursionError, yaml.YAMLError) as error:
        accepted = inspect.signature(huggingface_hub.EvalResultEntry).parameters
        remedy = f"It takes {', '.join(accepted)}"
        what = f" is no EvalResultEntry: {printable(str(error))}"
        raise InputError(Name("eval_results"), what, remedy=remedy) from error
    for key, name in (("dataset_id", entry.dataset_id), ("task_id", entry.task_id)):
        if not isinstance(name, str) or not name.strip():
            raise InputError(Name("eval_results"), f": {key}", must="be a name", got=describe(name))
    tag = _tag(new)
    return {key: x for key, x in new.items() if key != "notes"} | ({"notes": tag} if tag else {})


def _read_entries(path: Path) -> tuple[str, list[Any]]:
    """Return a file's text, and the entries in it."""
    name = printable(path.name)
    try:
        check_regular(path)
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        what, remedy = f": {name} cannot be read: {why(error)}", "Save it as UTF-8, or remove it"
        raise InputError(Name("eval_results"), what, remedy=remedy) from error
    data = load_yaml(text, name)
    entries = [] if data is None else data
    if not isinstance(entries, list) or not all(
        isinstance(entry, dict) and isinstance(entry.get("dataset"), dict) for entry in entries
    ):
        raise InputError(
            Name("eval_results"),
            f": {name}",
            must="hold a list of entries, each with a dataset",
            remedy="Correct it first",
        )
    return text, entries
