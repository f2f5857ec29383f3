"""The comparison modules of `evaluate`: base class, registration, several processes."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from copy import deepcopy
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import datasets
import evaluate
import numpy as np
from evaluate import EvaluationModule

from pairedperm.comparison.compare import compare
from pairedperm.errors import InputError, describe
from pairedperm.hf.dataset import check_scores, compare_scores
from pairedperm.inputs.columns import is_missing, is_sequence, materialise
from pairedperm.inputs.files import write_whole
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import OneOf, read_options, reads_options
from pairedperm.results.result import PairedResult
from pairedperm.scoring.metric import METRICS, metric_class, read_metric, split_options

_OF_EVALUATE = inspect.signature(evaluate.EvaluationModule).parameters
SCORES = "scores"  # the configuration for numbers; the others name a metric
_ROUNDS: Counter[tuple[Any, ...]] = Counter()  # that processes computed, by evaluate's files
_NO_EXAMPLES = (
    "pass columns to compute, or add examples with add_batch first",
    "Dataset.map adds nothing here if it has num_proc= or reads its cache: compare the mapped "
    "dataset with pairedperm.hf.compare_dataset",
)
_NOT_MET = (
    "All must call compute equally often, and within the timeout of evaluate.load(…, timeout=…)",
    "Load the module in all processes anew, with another experiment_id",
)
_PLAIN = {str, int, float, bool, type(None)}  # of these no entry can be changed


class PairedComparison(evaluate.Comparison):
    """A paired test of two systems, as a comparison module of `evaluate`.

    `evaluate.load` makes it. Batches are kept as they come, and `compute` calls `compare` with all
    of them. `evaluate` itself would write them to disk, and convert what does not fit the first
    row: 0.5 to 0, "01" to 1. A million integers in each of three columns take 24 MB.

    Parameters
    ----------
    config_name : str or None
        The metric's name, or "scores" for a number per example. None is "accuracy".
    **kwargs
        The metric's options, and the arguments of `evaluate.EvaluationModule` such as
        `num_process`, `process_id` and `experiment_id`.

    Attributes
    ----------
    test : {"permutation", "bootstrap"}
        The test that `compute` runs unless its argument `test` says otherwise.

    Raises
    ------
    InputError
        If there is no such configuration or metric option.
    TypeError
        If an option belongs to `compute`, or to no metric.

    Notes
    -----
    Give each thread a module of its own. Processes that ``Dataset.map(num_proc=...)`` starts add
    to copies. Let map write the predictions into columns, and compare these with `compare_dataset`.

    A subclass gives `_info` and `test`.
    """

    test = "permutation"

    def __init__(self, config_name: str | None = None, **kwargs: Any) -> None:
        self._configuration = "accuracy" if config_name in (None, "default") else config_name
        if not (self._configuration == SCORES or metric_class(self._configuration)):
            listed = ", ".join(map(repr, METRICS))
            known = f"it is {SCORES!r} for numbers, or names the metric, one of {listed}"
            raise InputError(f"unknown configuration {config_name!r}", remedy=known)
        of_evaluate = {name: x for name, x in kwargs.items() if name in _OF_EVALUATE}
        self._options = {name: x for name, x in kwargs.items() if name not in _OF_EVALUATE}
        self._names: tuple[str, ...] = COLUMNS
        self._needed: tuple[str, ...] = COLUMNS  # in each batch
        if self._configuration == SCORES:
            check_scores(None, self._options)
            self._names = self._needed = COLUMNS[:2]
        elif not read_metric(self._configuration, **self._options).has_references:
            self._needed = COLUMNS[:2]
        self.reset()
        super().__init__(config_name=config_name, **of_evaluate)
        self._experiment_id = self.info.experiment_id
        if self.num_process > 1:  # evaluate's files then hold batches as text
            text = datasets.Value("string")
            self.info.features = datasets.Features(dict.fromkeys(self._names, text))

    def reset(self) -> None:
        """Discard the examples added so far; of several processes, only those of this one."""
        self._batches: list[dict[str, Any]] = []
        self._kinds: dict[str, str] = {}

    def __len__(self) -> int:
        """Number of examples added so far; of several processes, to this one."""
        return sum(len(batch[COLUMNS[0]]) for batch in self._batches)

    def add_batch(self, **columns: Any) -> None:
        """Add a copy of a batch of examples.

        Parameters
        ----------
        **columns
            `predictions1`, `predictions2` and, except for "scores", `references`. All have the
            same length and the forms that `compute` takes, but tables and sparse matrices.

        Raises
        ------
        InputError
            If a column is missing, unknown or no sequence, if lengths differ, or if one has strings
            and an earlier batch numbers. Nothing of the batch is added then. All else is checked by
            `compute`.
        """
        self._batches.append(self._copied(columns))

    def add(self, **example: Any) -> None:
        """Add one example: the columns of `add_batch`, with one entry each."""
        self.add_batch(**{name: None if x is None else [x] for name, x in example.items()})

    def compute(
        self,
        *,
        predictions1: Any = None,
        predictions2: Any = None,
        references: Any = None,
        metric: Any = None,
        predictions: Any = None,
        groups: Any = None,
        **options: Any,
    ) -> dict[str, Any] | Any:  # None in all processes but the first
        """Compare the two systems on the examples added before and those given here.

        Parameters
        ----------
        predictions1, predictions2 : sequence, length n, or None
            What each system predicts, in the forms that `pairedperm.compare` takes. With "scores":
            a number for each example. None: use only the examples added before.
        references : sequence, length n, or None
            The right answers. Leave them out with "scores" and metrics of runs ("pass_at_k").
        metric : str, Metric or None
            A name of `pairedperm.scoring.MetricName`, with the options of loading that it has, or
            an object, ``F1(average="macro")``, which has its own. None: the metric named when
            loading.
        predictions : None
            Leave it out: it is there because `evaluate.combine` passes it.
        groups : sequence of int or str, length n, or None
            An id for each example, those added before first. Examples with the same id are
            swapped, or drawn, together. Each process gives the ids of its own examples.
        **options
            Of the metric: such as ``pos_label="yes"``, and `ignore_label` (int or None, -100 by
            default). Those not given are as when loading; ``labels=None`` takes back those of
            loading. Of the test: `alternative`, `method`, `n_resamples`, `rng`, `budget` (also a
            dict, ``{"max_points": 2**25, "max_bytes": 2**30}``), `confidence_level`, `ties`,
            `constant` and `largest_group`, as in `pairedperm.compare`; and `test`, "permutation" or
            "bootstrap", in place of the module's own.

        Returns
        -------
        dict or None
            Builtin values, ready for JSON, None where there is nothing to tell: stat (score1 -
            score2), p, score1, score2 and the other items that `to_dict` of a `PairedResult` gives.
            Processes other than the first get None.

        Raises
        ------
        InputError
            - If columns are missing, empty, or do not fit each other or the metric.
            - If a label cannot be meant, or an option has no such value.
            - If the processes do not meet.
        TypeError
            For an unknown option.
        BudgetError
            If the method asked for would exceed the budget.

        Warns
        -----
        UserWarning
            If p had to be sampled, if predictions seem to be no labels of the references, or if
            scores may be a number, see `paired_permutation_test`.

        Notes
        -----
        A result removes the examples. After an error those added before stay (see `reset`), and
        those given here do not.

        With several processes (``num_process=`` when loading) all must call compute equally often.
        The first waits, and gets the result or the errors of all; its options count. The added
        examples then go; they stay only if the processes did not meet. They are sent to the first
        as JSON.

        Examples
        --------
        >>> import pairedperm
        >>> paired_perm = pairedperm.load("paired_perm")
        >>> result = paired_perm.compute(
        ...     predictions1=[1, 0, 1], predictions2=[1, 1, 0], references=[1, 0, 1]
        ... )
        >>> round(result["stat"], 3), result["p"], result["n_differing"]
        (0.667, 0.5, 2)
        """
        columns = {
            "predictions1": predictions1,
            "predictions2": predictions2,
            "references": references,
            "predictions": predictions,
        }
        given = {name: column for name, column in columns.items() if column is not None}
        asked = {"test": self.test, **options} | ({} if metric is None else {"metric": metric})
        if self.num_process > 1:
            return self._compute_in_processes(given, groups, asked)
        self._check_names(given)
        found = self._compared(self._all(given) if self._batches else given, groups, asked)
        self.reset()
        return found.to_dict()

    def _compared(
        self, columns: Mapping[str, Any], groups: Any, asked: Mapping[str, Any]
    ) -> PairedResult:
        """Compare columns by the metric of the call, or else by that of loading."""
        if not columns:
            raise InputError("there is nothing to compare", remedy=_NO_EXAMPLES)
        one, two, right = (columns.get(name) for name in COLUMNS)
        if self._configuration == SCORES:
            of_metric, of_test = split_options(asked)
            check_scores(asked.get("metric"), of_metric)
            return compare_scores(one, two, read_options(**of_test), groups)
        asked = {"metric": self._configuration, **asked}
        if (kind := metric_class(asked["metric"])) is not None:
            asked = {x: y for x, y in self._options.items() if x in kind.takes()} | asked
        return compare(one, two, right, groups=groups, **asked)

    def _all(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the columns of all batches added before, and of those given."""
        batches = [*self._batches, *([self._copied(given)] if given else [])]
        names = batches[0] if batches else {}
        return {name: _joined([x[name] for x in batches]) for name in names}

    def _copied(self, columns: Mapping[str, Any]) -> dict[str, Any]:
        """Return a copy of a batch whose names, lengths and kinds are those of the others."""
        self._check_names(columns)
        batch = {name: _copy(name, x) for name, x in columns.items() if x is not None}
        wanted = {*self._batches[0]} if self._batches else {*self._needed, *batch}
        if wanted != {*batch}:
            names = ", ".join(f"`{name}`" for name in self._names if name in wanted)
            raise InputError(f"each batch needs the columns {names}, and no other")
        if len({*map(len, batch.values())}) > 1:
            lengths = ", ".join(f"`{name}` {len(x):,}" for name, x in batch.items())
            raise InputError(f"columns must have the same length: {lengths}")
        kinds = {name: _kind(column) for name, column in batch.items()}
        for name, kind in kinds.items():
            before = self._kinds.get(name) or kind
            if kind and kind != before:
                what = f"holds {kind}, but those added before hold {before}"
                raise InputError(name, what, remedy="Give all in one type")
        self._kinds |= {name: kind for name, kind in kinds.items() if kind}
        return batch

    def _compute_in_processes(
        self, given: Mapping[str, Any], groups: Any, asked: dict[str, Any]
    ) -> dict[str, Any] | None:
        """Gather the examples of all processes in the first, by evaluate's files; compare there."""
        try:
            columns = self._all(given)
            if groups is not None:
                columns["groups"] = materialise("groups", groups)
            text = json.dumps(columns, default=_as_json)
        except (InputError, TypeError) as error:  # the first process waits for a file of this one
            text = json.dumps(f"process {self.process_id}: {error}")
        key = (self.data_dir, self._experiment_id, self.num_process, self.process_id)
        _ROUNDS[key] += 1  # each has files of its own: a fast process would overwrite those before
        self.info.experiment_id = f"{self._experiment_id}-round{_ROUNDS[key]}"
        try:
            columns = {name: [text if name == COLUMNS[0] else ""] for name in self._names}
            EvaluationModule.add_batch(self, **columns)
            texts = EvaluationModule.compute(self)
        except ValueError as error:
            raise InputError(f"the processes did not meet: {error}", remedy=_NOT_MET) from error
        self.filelocks = self.rendez_vous_lock = None  # so that the module can be copied
        self.reset()
        if texts is None:
            return None
        parts = [json.loads(x) for x in texts[COLUMNS[0]]]
        if errors := [part for part in parts if isinstance(part, str)]:
            raise InputError(" ".join(errors))
        some = [part for part in parts if part]
        names = dict.fromkeys(name for part in some for name in part)  # lengths tell what lacks
        columns = {name: _joined([part.get(name, []) for part in some]) for name in names}
        return self._compared(columns, columns.pop("groups", None), asked).to_dict()

    def _compute(
        self, predictions1: list[str], predictions2: list[str], references: list[str] | None = None
    ) -> dict[str, Any]:
        """Hand back the column of texts that evaluate has gathered from all processes."""
        return {"predictions1": predictions1}

    def _check_names(self, columns: Mapping[str, Any]) -> None:
        unknown = [name for name in columns if name not in self._names]
        if unknown:
            known = f"the columns are {', '.join(self._names)}"
            raise InputError(f"unknown column {', '.join(map(repr, unknown))}", remedy=known)


def _copy(name: str, column: Any) -> Any:
    """Return a copy of a column, integers as an array."""
    entries = materialise(name, column)
    if isinstance(entries, np.ndarray):
        return entries.copy()
    kinds = {*map(type, entries)}
    if kinds == {int} and all(-(2**63) <= x < 2**63 for x in (min(entries), max(entries))):
        return np.array(entries, dtype=np.int64)
    if not kinds <= _PLAIN:
        with suppress(TypeError):  # a memoryview has no copy
            return deepcopy(entries)
    return [*entries]


def _joined(parts: Sequence[Any]) -> Any:
    """Return the entries of all parts of a column; arrays of one type are one array."""
    forms = {(x.dtype.str, x.shape[1:]) if isinstance(x, np.ndarray) else None for x in parts}
    if len(forms) == 1 and None not in forms:
        return np.concatenate(parts)
    return [*chain.from_iterable(parts)]


def _kind(entries: Any) -> str:
    """Tell whether the entries, or those in them, are strings or numbers; "" if nothing tells."""
    for entry in entries:
        if is_sequence(entry) or isinstance(entry, Set):
            if kind := _kind(entry):
                return kind
        elif not is_missing(entry):
            return "strings" if isinstance(entry, str) else "numbers"
    return ""


def _as_json(value: Any) -> Any:
    """Return an array, a number of numpy, or a set as JSON has it."""
    if isinstance(value, Set):
        return sorted(value, key=repr)
    if not hasattr(value, "tolist"):
        raise TypeError(f"{describe(value)} cannot be sent to another process: compute in one.")
    return value.tolist()


_NAMES = ("paired_perm", "paired_bootstrap")
_NAME = OneOf(
    _NAMES,
    remedy=f"A metric is the configuration, pairedperm.load({_NAMES[0]!r}, 'f1'). Load other "
    "modules with evaluate.load.",
)


def register() -> Path:
    """Make ``evaluate.load("paired_perm")`` and ``("paired_bootstrap")`` work on this machine.

    Afterwards they load from any directory, offline. The modules' scripts are copied into
    evaluate's module cache, like scripts from the Hub. Those of other releases stay, and `evaluate`
    takes the ones that were registered last. The scripts call the installed `pairedperm`.

    The cache is ``HF_MODULES_CACHE``, or ``modules`` in ``HF_HOME``, as set when `evaluate` was
    imported. It must be a directory that can be written.

    Returns
    -------
    pathlib.Path
        The registered script of paired_perm. That of paired_bootstrap is in a directory beside it.

    Raises
    ------
    OSError
        If the cache cannot be written.
    """
    # evaluate.loading: <cache>/evaluate_modules/metrics/evaluate-<type>--<name>/<64 characters>/
    folder = Path(evaluate.config.HF_MODULES_CACHE, "evaluate_modules", "metrics")
    scripts = []
    for name in _NAMES:
        script = _script(name).read_bytes()
        version = folder / f"evaluate-comparison--{name}" / hashlib.sha256(script).hexdigest()
        version.mkdir(parents=True, exist_ok=True)
        write_whole(version / f"{name}.py", script)
        scripts.append(version / f"{name}.py")
    return scripts[0]


@reads_options
def load(
    name: Annotated[str, _NAME], config_name: str | None = None, **options: Any
) -> PairedComparison:
    """Load one of the two `evaluate` modules.

    It calls `evaluate.load` with the path of the installed script. So no network is needed, and
    `evaluate` does not search the Hub for seconds, and then warn.

    Parameters
    ----------
    name : {"paired_perm", "paired_bootstrap"}
        The exact paired-permutation test, or the paired bootstrap.
    config_name : str or None
        The metric's name, as in `compare`, or "scores" for a number per example. None is
        "accuracy".
    **options
        Of the metric, as ``pos_label=1``, and all other arguments of `evaluate.load`:
        ``num_process``, ``process_id``, ``experiment_id``, ``cache_dir``.

    Returns
    -------
    pairedperm.hf.PairedComparison
        An `evaluate.EvaluationModule` with the methods ``compute``, ``add``, ``add_batch`` and
        ``reset``.

    Raises
    ------
    InputError
        For another name, an unknown configuration, or an option that its metric has not.
    TypeError
        For an option that no metric has, and for one that belongs to ``compute``.

    Examples
    --------
    >>> import pairedperm
    >>> paired_perm = pairedperm.load("paired_perm", "f1", pos_label="yes")
    >>> paired_perm.add_batch(
    ...     predictions1=["yes", "no"], predictions2=["no", "no"], references=["yes", "no"]
    ... )
    >>> paired_perm.compute()["p"]
    1.0
    """
    module: PairedComparison = evaluate.load(str(_script(name)), config_name, **options)
    return module


def _script(name: str) -> Path:
    """Find the module's script: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).parent.parent
    for metrics in (package / "metrics", package.parent / "metrics"):
        script = metrics / name / f"{name}.py"
        if script.is_file():
            return script
    raise FileNotFoundError(f"{name}.py is missing from this installation of pairedperm")
