"""Compare columns of one dataset, or of one split."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairedperm.errors.wording import Parts
from pairedperm.hf.batches import batches, joined, no_rows, numbers, warn_of_ids
from pairedperm.hf.label_accumulator import new_accumulator
from pairedperm.hf.label_columns import LabelColumns, by_name, named_columns
from pairedperm.hf.label_mapping import Mappings
from pairedperm.options import Options
from pairedperm.results.result import PairedResult
from pairedperm.scoring.metric import Metric


def compare_columns(
    dataset: Any,
    names: Mapping[str, str],
    mappings: Mappings,
    metric: Metric | None,
    options: Options,
    notes: list[Parts] | None,
    split: str = "",
) -> PairedResult:
    """Run `compare_dataset` on one split, with checked arguments.

    Warnings are appended to `notes`. None means that the labels were checked before; then there is
    no progress bar, which otherwise names the split.
    """
    features = {argument: (dataset.features or {}).get(name) for argument, name in names.items()}
    columns = None
    if metric is not None and metric.is_of_labels:
        columns = LabelColumns(features, mappings, metric)
        metric = by_name(metric, features["references"])

    def read(batch: dict[str, Any], start: int) -> dict[str, Any]:
        if columns is not None:
            return columns.read(batch, start)
        given = batch if metric is None else batch | named_columns(batch, features, start)
        return {name: numbers(given[name], features[name]) for name in given}

    stream = new_accumulator(metric)
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
    if notes is not None and columns is not None:
        notes += columns.check_overlap()
    return stream.test(given, metric, options, groups)
