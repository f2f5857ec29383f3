"""Two systems' predictions in the columns of a dataset, compared."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Literal, overload

import datasets

from pairedperm.errors import InputError, shown
from pairedperm.hf.batches import check_columns, is_dataset
from pairedperm.hf.call_options import is_of_others, name_and_options, needs_references
from pairedperm.hf.columns import compare_columns
from pairedperm.hf.meaning import read_label_mapping
from pairedperm.hf.streams import new_stream
from pairedperm.options import (
    IGNORE_LABEL,
    Alternative,
    BootstrapMethod,
    BudgetLike,
    Method,
    Seed,
    Test,
    Ties,
)
from pairedperm.results.bootstrap_result import PairedBootstrapResult
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import PairedResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.metric import Metric, given_label, read_metric


@overload
def compare_dataset(
    dataset: datasets.Dataset | datasets.IterableDataset,
    predictions1: str = "predictions1",
    predictions2: str = "predictions2",
    references: str | None = "references",
    metric: MetricName | Metric | None = None,
    *,
    label_mapping: Any = None,
    test: Literal["permutation"] = "permutation",
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    n_resamples: int | None = None,
    rng: Seed = None,
    budget: BudgetLike = None,
    confidence_level: float | None = None,
    ties: Literal["include"] = "include",
    ignore_label: int | None = IGNORE_LABEL,
    groups: str | None = None,
    **metric_options: Any,
) -> PairedPermutationResult: ...


@overload
def compare_dataset(
    dataset: datasets.Dataset | datasets.IterableDataset,
    predictions1: str = "predictions1",
    predictions2: str = "predictions2",
    references: str | None = "references",
    metric: MetricName | Metric | None = None,
    *,
    label_mapping: Any = None,
    test: Literal["bootstrap"],
    alternative: Alternative = "two-sided",
    method: BootstrapMethod = "auto",
    n_resamples: int | None = None,
    rng: Seed = None,
    budget: BudgetLike = None,
    confidence_level: float | None = None,
    ties: Ties = "include",
    ignore_label: int | None = IGNORE_LABEL,
    groups: str | None = None,
    **metric_options: Any,
) -> PairedBootstrapResult: ...


@overload
def compare_dataset(
    dataset: datasets.Dataset | datasets.IterableDataset,
    predictions1: str = "predictions1",
    predictions2: str = "predictions2",
    references: str | None = "references",
    metric: MetricName | Metric | None = None,
    *,
    test: Test,
    **options: Any,
) -> PairedPermutationResult | PairedBootstrapResult: ...


@overload
def compare_dataset(
    dataset: Mapping[str, Any],
    predictions1: str = "predictions1",
    predictions2: str = "predictions2",
    references: str | None = "references",
    metric: MetricName | Metric | None = None,
    **options: Any,
) -> dict[str, PairedResult]: ...


def compare_dataset(
    dataset: Any,
    predictions1: str = "predictions1",
    predictions2: str = "predictions2",
    references: str | None = "references",
    metric: MetricName | Metric | None = None,
    *,
    label_mapping: Any = None,
    test: Test = "permutation",
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    n_resamples: int | None = None,
    rng: Seed = None,
    budget: BudgetLike = None,
    confidence_level: float | None = None,
    ties: Ties = "include",
    ignore_label: int | None = IGNORE_LABEL,
    groups: str | None = None,
    **metric_options: Any,
) -> PairedResult | dict[str, Any]:
    """Compare two columns of predictions in a dataset: `pairedperm.compare` without the copies.

    The columns are read in batches and counted, so that memory does not grow with their
    length, with a progress bar (``datasets.disable_progress_bars()`` hides it).

    Parameters
    ----------
    dataset : Dataset, IterableDataset, DatasetDict or IterableDatasetDict
        With n rows; of a dict each split is compared. Formats and transforms that were set do
        not matter: columns are read as stored.
    predictions1, predictions2 : str
        The columns with what system 1 and system 2 predict: labels, or sequences of labels;
        without `references`, a score for each row, an integer or a decimal.
    references : str or None
        The column with the right labels; None if the others hold scores.
    metric : str, Metric or None
        See `pairedperm.compare`; None is "accuracy", and necessary for scores. Free text
        needs "exact_match": otherwise predictions none of which any reference has are an error.
        For the metrics of texts the columns hold texts or token sequences, or answers as in
        SQuAD: ``{"text": [...], "answer_start": [...]}``.
    label_mapping : dict, pair of dicts, or None
        What predicted labels mean: ``{"LABEL_0": "negative", "LABEL_1": "positive"}``; of a
        pair the first is for system 1. Labels that are not in it stay. A label that is mapped
        to itself may be one that no reference has: it counts as wrong.
    test, alternative, method, n_resamples, rng, budget, confidence_level, ties, ignore_label
        See `pairedperm.compare`.
    groups : str or None
        The column with an id for each row, an integer or string: rows with the same one are
        swapped, and drawn, together. They are held in memory then.
    **metric_options
        Of the metric, such as average="macro"; or give an object, metric=F1(average="macro").

    Returns
    -------
    PairedPermutationResult, with test="bootstrap" PairedBootstrapResult
        For a dict, a dict of them by split.

    Raises
    ------
    InputError
        If a column is not there; if there are no rows, in any split; for None, and an id that
        a ClassLabel has not, such as -1 (with the row's number); if a prediction is no name of
        the references' ClassLabel, or of another type than the references; but for "exact_match"
        and up to 4,096 distinct labels also if no reference has a label that is called LABEL_0 or
        so, or that the mapping leaves out, or any of a system's; and for whatever
        `pairedperm.compare` does not take.

    Warns
    -----
    UserWarning
        If a label is mapped to one that no reference has.

    Notes
    -----
    ClassLabels are compared by name, so that two columns may number them differently;
    predictions, `pos_label` and `labels` may be names or ids. Where the references' ClassLabel
    has two names, `pos_label` is the second unless given; with `weights` its order is that of
    `labels`.

    A million rows of a dataset on disk take some tenths of a second, a million sequences of 25
    labels some seconds.

    Examples
    --------
    >>> from datasets import ClassLabel, Dataset
    >>> from pairedperm.hf import compare_dataset
    >>> reviews = Dataset.from_dict({
    ...     "label": [0, 1, 1, 0, 1, 1],
    ...     "small": ["neg", "neg", "neg", "neg", "pos", "neg"],
    ...     "large": ["neg", "pos", "pos", "neg", "pos", "pos"],
    ... }).cast_column("label", ClassLabel(names=["neg", "pos"]))
    >>> compare_dataset(reviews, "large", "small", "label").pvalue
    0.25
    """
    names = {"predictions1": predictions1, "predictions2": predictions2}
    metric_options |= given_label(ignore_label)
    metric, of_metric = name_and_options(metric, metric_options)
    options: dict[str, Any] = {
        "metric": metric,
        "test": test,
        "alternative": alternative,
        "method": method,
        "n_resamples": n_resamples,
        "rng": rng,
        "budget": budget,
        "confidence_level": confidence_level,
        "ties": ties,
        **of_metric,
    }
    if references is not None:
        names["references"] = references
        options["metric"] = "accuracy" if metric is None else metric
    elif label_mapping is not None:
        raise InputError("`label_mapping` needs `references`: without them columns hold scores.")
    elif metric is not None and needs_references(metric):
        read_metric(metric, **of_metric)  # or there is none
        raise InputError(
            f"`references` is missing, and metric {shown(metric)} needs a column of them. Of "
            "columns that hold scores the means are compared: leave `metric` out."
        )
    if groups is not None:
        names["groups"] = groups
    new_stream(options["metric"], **of_metric).read_options(**options)
    if label_mapping is not None and is_of_others(options["metric"]):
        raise InputError(f"`label_mapping` is for labels; metric {metric!r} reads none.")
    mappings = read_label_mapping(label_mapping)
    notes: list[str] = []
    found: Any
    if isinstance(dataset, dict) and not dataset:
        raise InputError("`dataset` has no splits.")
    if isinstance(dataset, dict) and any(map(is_dataset, dataset.values())):
        for split, part in dataset.items():  # before any is read
            _of_split(split, check_columns, part, names)
        arguments = (names, mappings, options, notes)
        found = {
            split: _of_split(split, compare_columns, part, *arguments, f" ({split})")
            for split, part in dataset.items()
        }
    else:
        check_columns(dataset, names)
        found = compare_columns(dataset, names, mappings, options, notes)
    for note in dict.fromkeys(notes):
        warnings.warn(note, stacklevel=2)
    return found  # type: ignore[no-any-return]


def _of_split(split: str, function: Any, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except InputError as error:
        raise InputError(f"split {shown(split)}: {error}") from error
