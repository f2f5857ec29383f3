"""A model card on disk, brought up to date."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from huggingface_hub.repocard import REGEX_YAML_BLOCK

from pairedperm.errors import InputError, Name, Python, describe, first_of, shown
from pairedperm.inputs.files import check_regular, locked, why, write_whole
from pairedperm.model_card.markdown import with_comparisons
from pairedperm.model_card.metadata import annotated_eval_results, annotated_model_index
from pairedperm.model_card.section import HEADING, UNNAMED, Block, comparison_blocks
from pairedperm.model_card.yaml_edit import load_yaml
from pairedperm.results.power import PowerResult
from pairedperm.results.result import PairedResult
from pairedperm.results.words import kind_of_test, plain_name


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
