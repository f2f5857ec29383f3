"""A model card on disk, brought up to date: its section, and its metadata.

A result may stand under a metric of the card's model-index, or in `.eval_results`.
"""

from __future__ import annotations

import inspect
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import huggingface_hub
import numpy as np
import yaml
from huggingface_hub.repocard import REGEX_YAML_BLOCK
from huggingface_hub.repocard_data import model_index_to_eval_results

from pairedperm.errors import (
    InputError,
    Name,
    Parts,
    Python,
    Setting,
    describe,
    first_of,
    printable,
    shown,
    warn,
)
from pairedperm.inputs.files import check_regular, leads_out, locked, why, write_whole
from pairedperm.model_card.layout import as_written, edited, load_yaml, with_comparisons
from pairedperm.model_card.section import (
    HEADING,
    UNNAMED,
    Block,
    Reported,
    check_value,
    comparison_blocks,
    test_of,
)
from pairedperm.results.power import PowerResult
from pairedperm.results.result import PairedResult
from pairedperm.results.words import Figures, format_pvalue, kind_of_test, plain_name

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


def update(
    path: str | os.PathLike[str],
    result: Any,
    *,
    name1: str | None = None,
    name2: str | None = None,
    dataset: str | None = None,
    planned: PowerResult | None = None,
    key: str | None = None,
    model_index: bool | str | Mapping[str, str] = False,
    eval_results: Mapping[str, Any] | None = None,
) -> Path:
    """Report a comparison in a model card on disk: add it to the section, or replace it there.

    The section stands between two marker lines, at the card's end when it is new; move it where
    you like. It holds one comparison for each key, and the others in it stay as they are. So does
    every other byte of the card. A comparison reaches down to the next one, so write words of your
    own above the first. Doing it twice changes nothing.

    Parameters
    ----------
    path : path-like
        The card, or the folder of the model with its README.md.
    result : PairedResult, EquivalenceResult, PipelineComparison or dict
        The comparison, in which system 1 is the card's model. A dict is what `compute` or
        `to_dict` returned, or has several results by split, as of `compare_dataset`.
    name1, name2, dataset, planned
        See `significance_section`.
    key : str or None
        What tells this comparison from others in the card. None: its metric with options, dataset
        and `name2`. A comparison in the card that has the same key is replaced. Scores of your own
        have no metric, so two kinds of them need keys.
    model_index : bool, str or dict
        Whether to put `baseline`, `p`, `log_p`, `n` and `test` under `args` of a metric in the
        card's model-index; the Hub drops other keys. A bootstrap's p = 0 has no `log_p`. True: the
        result's metric. A text: the metric of this type or name. If `dataset` is given, it must be
        the type or name there too. So must the split of a dict of results, unless there is none.
        A dict names the metric by "metric" and "dataset" (type or name), "config" and "split".
    eval_results : dict or None
        An entry for `.eval_results/*.yaml` next to the card: "dataset_id" and "task_id" of a
        benchmark on the Hub, "value", and other fields of huggingface_hub's EvalResultEntry.
        "notes", a short tag such as "with tools", tells variants apart; without them the entry
        without notes is meant. p is added to the name of the source, which needs a "source_url": a
        warning says so if there is none. If the value or the revision changes, the old verifyToken
        and date go. Other fields stay.

    Returns
    -------
    pathlib.Path
        The card.

    Raises
    ------
    InputError
        Nothing is written, and

        - there is no card, it is no regular file, cannot be written or is not UTF-8;
        - its YAML cannot be read;
        - it has two sections, also one in code, or this comparison twice;
        - not exactly one metric of the model-index fits;
        - `.eval_results` cannot be used, or several entries may be meant;
        - the value there is no rounding of the tested score, as a share or in percent;
        - `result` has several splits, and metadata take one.

    Notes
    -----
    A new file replaces the old one and has its permissions, so there is never half a card. Markers
    stand on lines of their own; one without its other is text. In YAML only the one entry changes;
    comments and quotes stay.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from pairedperm import compare, model_card
    >>> card = pathlib.Path(tempfile.mkdtemp()) / "README.md"
    >>> _ = card.write_text("# A model", "utf-8")
    >>> result = compare([1, 1, 0, 1, 1], [0, 0, 0, 0, 1], [1, 1, 1, 1, 1])
    >>> _ = model_card.update(card, result, name1="large", name2="small", dataset="dev")
    >>> for line in card.read_text("utf-8").splitlines()[:5]:
    ...     print(line)
    # A model
    <BLANKLINE>
    <!-- paired_perm:start -->
    <BLANKLINE>
    ## Statistical significance
    """
    blocks = comparison_blocks(
        result, name1=name1, name2=name2, dataset=dataset, planned=planned, key=key
    )
    card, _ = _read_card(path)
    try:
        with locked(card):
            _update(card, blocks, name2, dataset, model_index, eval_results)
    except OSError as error:
        raise _unwritable([card], error) from error
    return card


def _update(
    card: Path,
    blocks: Sequence[Block],
    name2: str | None,
    dataset: str | None,
    model_index: bool | str | Mapping[str, str],
    eval_results: Mapping[str, Any] | None,
) -> None:
    """Change the card, and what lies beside it, as `update` says."""
    card, before = _read_card(card)
    block, at, start = _metadata(before)
    comparisons = {x.key: x.text for x in blocks}
    changed = {card: with_comparisons(before, HEADING, comparisons, start)}
    if model_index is not None and model_index is not False:
        only = _only(blocks, "model_index")
        which = _which(model_index, only.test.metric, dataset)
        args, figures = _args(only.test, name2), only.result.figures()
        new = annotated_model_index(block, which, args, figures, only.split)
        changed[card] = changed[card][:at] + new + changed[card][at + len(block) :]
    if eval_results is not None:
        only = _only(blocks, "eval_results")
        against = f"{plain_name('name2', name2, UNNAMED)}{only.where and f' on {only.where}'}"
        folder = card.parent / ".eval_results"
        entries, text = annotated_eval_results(folder, eval_results, only.result, against)
        changed = {entries: text, **changed}
    _write(changed)


def _only(blocks: Sequence[Block], argument: str) -> Block:
    """Return the one comparison that metadata can have."""
    if len(blocks) > 1:
        splits = [shown(block.split) for block in blocks]
        what = " takes one result, and ", Name("result"), f" has {len(blocks)}: {first_of(splits)}"
        raise InputError(Name(argument), *what, remedy="Call `update` for one of these splits")
    return blocks[0]


def _metadata(card: str) -> tuple[str, int, int]:
    """Return the card's YAML, the position where it starts, and that where the text starts."""
    shift = int(card.startswith("\ufeff"))  # which the Hub skips
    match = REGEX_YAML_BLOCK.search(card[shift:])
    if match is None:
        return "", shift, shift
    data = load_yaml(match.group(2), "the card", match.group(1).count("\n"))
    if data is not None and not isinstance(data, dict):
        what, remedy = "the YAML of the card", "Correct it first; nothing was changed"
        raise InputError(what, must="be a mapping", got=describe(data), remedy=remedy)
    return match.group(2), shift + match.start(2), shift + match.end()


def _args(test: PairedResult, name2: str | None) -> dict[str, Any]:
    """Return what goes under a metric's args; None for a key that must not be there."""
    return {
        "baseline": plain_name("name2", name2, UNNAMED),
        "p": test.pvalue,
        "log_p": None if test.log_pvalue == -math.inf else test.log_pvalue,
        "n": test.n,
        "test": kind_of_test(test),
    }


def _which(model_index: Any, metric: str | None, dataset: str | None) -> dict[str, Any]:
    """Return the names of the metric in the model-index."""
    if isinstance(model_index, Mapping):
        return dict(model_index)
    if not isinstance(model_index, (bool, str)):
        accepted = "be True, False, a metric's name, or a dict"
        raise InputError(Name("model_index"), must=accepted, got=describe(model_index))
    if model_index is True and metric is None:
        raise InputError(
            Name("model_index"),
            must="name the metric for scores, which have none",
            remedy="the type or name that it has in the card's model-index",
        )
    return {"metric": metric if model_index is True else model_index, "dataset": dataset}


def _read_card(path: Any) -> tuple[Path, str]:
    """Return the card's file, and its text."""
    card = path
    try:
        card = Path(path)
        card = card / "README.md" if card.is_dir() else card
        check_regular(card)
        return card, card.read_bytes().decode("utf-8")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise InputError(
            f"there is no card at {shown(str(card))}: ",
            Name("path"),
            must="be a README.md, or a folder with one",
            remedy=Python("Make one with huggingface_hub.ModelCard", "An empty file will do"),
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"the card {shown(str(card))} is not UTF-8 ({error.reason} at byte {error.start})",
            remedy="save it as UTF-8 first",
        ) from error
    except (OSError, TypeError, ValueError) as error:
        which = shown(str(card)) if isinstance(card, Path) else describe(card)
        what = ", ", which, f", cannot be read: {why(error)}"
        remedy = "Name a README.md that can be read"
        raise InputError(Name("path"), *what, remedy=remedy) from error


def _write(changed: Mapping[Path, str]) -> None:
    """Write the files that change, if all can be written."""
    try:
        contents = {path: text.encode("utf-8") for path, text in changed.items()}
        there = {path: path.read_bytes() for path in contents if path.exists()}
        stale = {path: new for path, new in contents.items() if there.get(path) != new}
        for path in stale:
            if path in there and not os.access(path, os.W_OK):
                raise PermissionError(f"{shown(str(path))} is read-only")
        if stale:
            write_whole(stale)
    except OSError as error:
        raise _unwritable([*changed], error) from error


def _unwritable(paths: Sequence[Path], error: OSError) -> InputError:
    """Return the error for files of which one cannot be written."""
    named = " or ".join(map(shown, map(str, paths)))
    what = f"{named} cannot be written: {why(error)}"
    return InputError(what, remedy="Nothing was changed")
