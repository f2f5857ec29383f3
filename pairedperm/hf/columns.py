"""Compare columns of one dataset, or of one split."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairedperm.hf.batches import batches, joined, no_rows, numbers, warn_of_ids
from pairedperm.hf.label_accumulator import new_accumulator
from pairedperm.hf.label_columns import LabelColumns, named_columns, options_by_name
from pairedperm.hf.label_mapping import Mappings
from pairedperm.hf.metric_of_call import is_of_others
from pairedperm.results.result import PairedResult
from pairedperm.scoring.call_options import split_options
from pairedperm.scoring.metric import METRICS, read_metric
from pairedperm.wording import Parts


def compare_columns(
    dataset: Any,
    names: Mapping[str, str],
    mappings: Mappings,
    options: Mapping[str, Any],
    notes: list[Parts] | None,
    split: str = "",
) -> PairedResult:
    """Run `compare_dataset` on one split, with checked arguments.

    Warnings are appended to `notes`. None means that the labels were checked before; then there is
    no progress bar, which otherwise names the split.
    """
    features = {argument: (dataset.features or {}).get(name) for argument, name in names.items()}
    columns = None
    is_other = is_of_others(options["metric"])
    if "references" in names and not is_other:
        spec = read_metric(options["metric"], **split_options(options)[0])
        columns = LabelColumns(features, mappings, spec.ignored, aligned=not spec.may_be_text)
        options = options_by_name(options, features["references"])

    def read(batch: dict[str, Any], start: int) -> dict[str, Any]:
        if columns is not None:
            return columns.read(batch, start)
        given = batch | (named_columns(batch, features, start) if is_other else {})
        return {name: numbers(given[name], features[name]) for name in given}

    stream = new_accumulator(options["metric"], **split_options(options)[0])
    parts = batches(dataset, names, None if notes is None else split)
    given: dict[str, Any] = {}
    groups = None
    if "groups" in names:
        whole = joined(parts)
        groups = whole.pop("groups")
        given = read(whole, 0)
    else:
        if notes is not None:
            warn_of_ids(dataset)
        for start, batch in parts:
            stream.add(read(batch, start), start)
        if len(stream) == 0:
            raise no_rows()
    if notes is not None and columns is not None and not METRICS[options["metric"]].may_be_text:
        notes += columns.check_overlap()
    return stream.test(given, **options, groups=groups)
