"""The comparison modules of `evaluate`: base class, registration, several processes."""

from __future__ import annotations

import copy
import hashlib
import inspect
import json
import os
import shutil
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import datasets
import evaluate
from evaluate import EvaluationModule
from filelock import FileLock, Timeout

from pairedperm.errors import InputError, advised, shown_path
from pairedperm.hf.accumulator import (
    LoadedMetric,
    is_of_texts_or_numbers,
    metric_of_call,
    new_accumulator,
    shared_options,
)
from pairedperm.inputs.files import why, write_whole
from pairedperm.options import OPTIONS, OneOf, read_options, reads_options
from pairedperm.scoring.metric import METRICS, Metric, metric_class, split_options

_ROUNDS: Counter[tuple[Any, ...]] = Counter()  # that were computed, by evaluate's files
_OF_A_ROUND = ("writer", "filelock", "filelocks", "file_paths", "rendez_vous_lock")


def gathered(
    module: EvaluationModule, experiment_id: str, state: Mapping[str, Any]
) -> list[dict[str, Any]] | None:
    """Return the states of all processes in the first of them, and None in the others."""
    with _new_round(module, experiment_id) as round_id:
        text = json.dumps({"round": round_id, **state})
        columns = {name: [""] for name in module.info.features}
        EvaluationModule.add_batch(module, **columns | {"predictions1": [text]})
        _check_the_first_waits(module)
        states = EvaluationModule.compute(module)
    return None if states is None else [json.loads(text) for text in states["predictions1"]]


def check_states(states: Sequence[Mapping[str, Any]]) -> None:
    """Raise InputError if a process failed, if their options differ, or if none has examples."""
    errors = [state["error"] for state in states if "error" in state]
    if errors:
        raise InputError(" ".join(errors))
    options = [{"round": state["round"], **state["options"]} for state in states]
    for option in dict.fromkeys(name for each in options for name in each):
        values = list(dict.fromkeys(str(each.get(option)) for each in options))
        if len(values) > 1:
            differ = f"the processes compute different things: {option} {' and '.join(values)}"
            same = "All must call compute equally often, with the same options"
            raise InputError(differ, remedy=same)
    if not any(state["n"] for state in states):
        raise InputError("there is nothing to compare", remedy="no process has added examples")


@contextmanager
def _new_round(module: EvaluationModule, experiment_id: str) -> Iterator[str]:
    """Name evaluate's files anew, so that no fast process overwrites those of the last round.

    If the processes did not meet, the round is not counted and they may try again.
    """
    key = (module.data_dir, experiment_id, module.num_process, module.process_id)
    number = _ROUNDS[key] + 1
    module.info.experiment_id = f"{experiment_id}-round{number}"
    try:
        yield str(module.info.experiment_id)
        _ROUNDS[key] = number
    except ValueError as error:
        raise InputError(
            f"the processes did not meet: {error}",
            remedy=(
                f"All must call compute equally often, and within {module.timeout} s of each other "
                "(evaluate.load(..., timeout=...))",
                "The examples added to this process are kept",
                "If a process was restarted, give all processes another experiment_id",
            ),
        ) from error
    else:
        if module.process_id == 0:  # the others need their locks no more
            for which in (*range(module.num_process), "rdv"):
                with suppress(OSError):
                    _lock_file(module, which).unlink()
    finally:
        for lock in (module.__dict__["filelock"], module.__dict__["rendez_vous_lock"]):
            if lock is not None:
                lock.release()
        for name in _OF_A_ROUND:
            setattr(module, name, None)  # evaluate would use them in the next round
        module.cache_file_name = None
        module.info.experiment_id = experiment_id


def _check_the_first_waits(module: EvaluationModule) -> None:
    """Raise ValueError if the first process holds no lock, and so has given up waiting."""
    if module.process_id == 0:
        return
    with suppress(Timeout), FileLock(_lock_file(module, 0), timeout=0):
        raise ValueError("the first process has stopped waiting.")


def _lock_file(module: EvaluationModule, which: int | str) -> Path:
    """Return the file that evaluate locks for a process, or for their rendezvous."""
    ending = "lock" if which == "rdv" else "arrow.lock"
    return Path(module.data_dir, f"{module.experiment_id}-{module.num_process}-{which}.{ending}")


_OF_EVALUATE = inspect.signature(evaluate.EvaluationModule).parameters
SCORES = "scores"  # the configuration for numbers; the others name a metric
_OF_OTHERS = "Metrics of texts and numbers are named when loading: evaluate.load(…, 'bleu')"


class PairedComparison(evaluate.Comparison):
    """A paired test of two systems, as a comparison module of `evaluate`.

    `evaluate.load` makes it. Columns are checked and counted as they come, so memory does not grow
    with the number of examples. `evaluate` itself would write them to disk, and convert what does
    not fit the first row: 0.5 to 0, "01" to 1.

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
        is_other = isinstance(config_name, str) and config_name in ("default", SCORES)
        if not (config_name is None or is_other or metric_class(config_name)):
            listed = ", ".join(map(repr, METRICS))
            known = f"it is {SCORES!r} for numbers, or names the metric, one of {listed}"
            raise InputError(f"unknown configuration {config_name!r}", remedy=known)
        self._configuration = "accuracy" if config_name in (None, "default") else config_name
        of_evaluate = {name: x for name, x in kwargs.items() if name in _OF_EVALUATE}
        of_metric = {name: x for name, x in kwargs.items() if name not in _OF_EVALUATE}
        for name in of_metric:
            if name in ("metric", *OPTIONS):
                raise TypeError(
                    f"unexpected option {name!r}: evaluate.load takes its own options and those of "
                    "the metric. Name the metric as configuration, and pass options of the test to "
                    "compute."
                )
        metric = None if self._configuration == SCORES else self._configuration
        self._loaded = LoadedMetric(metric, of_metric)
        self.reset()
        super().__init__(config_name=config_name, **of_evaluate)
        self._experiment_id = self.info.experiment_id
        if self.num_process > 1:  # evaluate's files then hold counts as text
            text = datasets.Value("string")
            self.info.features = datasets.Features(dict.fromkeys(self._stream.columns, text))

    def reset(self) -> None:
        """Discard the examples added so far; of several processes, only those of this one."""
        self._stream = new_accumulator(self._loaded.metric, is_of_module=True)

    def __len__(self) -> int:
        """Number of examples added so far; of several processes, to this one."""
        return len(self._stream)

    def add_batch(self, **columns: Any) -> None:
        """Add a batch of examples.

        Parameters
        ----------
        **columns
            `predictions1`, `predictions2` and, except for "scores", `references`. All have the
            same length and the forms that `compute` takes.

        Raises
        ------
        InputError
            If the batch cannot be used: nothing of it is added. If a sequence differs in length
            from its reference, only `compute` may say so, because "exact_match" takes it.
        """
        self._check_names(columns)
        try:
            self._stream.add(columns)
        except InputError as error:
            if self.config_name != "default" or len(self):
                raise
            raise InputError(advised(str(error), _OF_OTHERS)) from error

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
            A name of `pairedperm.scoring.MetricName`, or an object, ``F1(average="macro")``, which
            must have the options of loading, if any. None: the metric named when loading. A metric
            of texts or numbers must be named when loading; a module of "accuracy" without added
            examples takes any.
        predictions : None
            Leave it out: it is there because `evaluate.combine` passes it.
        groups : sequence of int or str, length n, or None
            An id for each example. Examples with the same id are swapped, or drawn, together.
            All columns must come in this call.
        **options
            Of the metric: such as ``pos_label="yes"``, and `ignore_label` (int or None, -100 by
            default). Those not given are as when loading. Of the test: `alternative`, `method`,
            `n_resamples`, `rng`, `budget` (also a dict, ``{"max_points": 2**25, "max_bytes":
            2**30}``), `confidence_level`, `ties`, `constant` and `largest_group`, as in
            `pairedperm.compare`; and `test`, "permutation" or "bootstrap", in place of the module's
            own.

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
            - If added examples were counted for another metric.
            - If the processes do not meet, or disagree about the metric or options.
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

        With several processes (``num_process=`` when loading) all must call compute equally often,
        with the same options. The first waits, and gets the result or the errors of all. The
        added examples then go; they stay only if the processes did not meet.

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
        if self.num_process == 1:
            return self._compute_here(given, metric, options, groups)
        if groups is not None:
            what = "is not for several processes"
            raise InputError("groups", what, remedy="compute in one")
        return self._compute_in_processes(given, metric, options)

    def _compute_here(
        self, given: dict[str, Any], metric: Any, options: dict[str, Any], groups: Any
    ) -> dict[str, Any]:
        """Return the result for the examples added before and those given."""
        of_metric, of_test = split_options({"test": self.test, **options})
        chosen, stream = read_options(**of_test), self._stream
        if is_of_texts_or_numbers(metric) and not len(self) and self._configuration == "accuracy":
            spec: Metric | None = metric_of_call(metric, of_metric)
            stream = new_accumulator(spec)
        else:
            spec = self._loaded.metric_of(metric, of_metric)
        self._check_names(given)
        if not given and not len(stream):
            columns = ", ".join(self._stream.columns)
            ways = (
                f"pass {columns} to compute, or add examples with add_batch first",
                "Dataset.map adds nothing here if it has num_proc= or reads its cache: compare the "
                "mapped dataset with pairedperm.hf.compare_dataset",
            )
            raise InputError("there is nothing to compare", remedy=ways)
        try:
            result = stream.test(given, spec, chosen, groups).to_dict()
        except InputError as error:
            if not len(self):
                raise
            kept = f"Examples added before, {len(self):,}, are kept: reset() discards them"
            raise InputError(advised(str(error), kept)) from error
        self.reset()
        return result

    def _compute_in_processes(
        self, given: dict[str, Any], metric: Any, options: dict[str, Any]
    ) -> dict[str, Any] | None:
        """Gather the counts of all processes in the first, by evaluate's files, and test there."""
        of_metric, of_test = split_options({"test": self.test, **options})
        stream = copy.deepcopy(self._stream)  # nothing is added unless the processes meet
        try:
            chosen, spec = read_options(**of_test), self._loaded.metric_of(metric, of_metric)
            self._check_names(given)
            if given:
                stream.add(given)
            shared = shared_options(spec, chosen)
            state = {"options": shared, "n": len(stream), **stream.state(spec)}
        except InputError as error:  # the first process waits for a file of this one
            state = {"error": f"process {self.process_id}: {error}"}
        states = gathered(self, self._experiment_id, state)
        self.reset()
        if states is None:
            return None
        check_states(states)
        return self._stream.test_states(states, spec, chosen).to_dict()

    def _compute(
        self, predictions1: list[str], predictions2: list[str], references: list[str] | None = None
    ) -> dict[str, Any]:
        """Hand back the column of states that evaluate has gathered from all processes."""
        return {"predictions1": predictions1}

    def _check_names(self, columns: dict[str, Any]) -> None:
        unknown = [name for name in columns if name not in self._stream.columns]
        if unknown:
            known = f"the columns are {', '.join(self._stream.columns)}"
            raise InputError(f"unknown column {', '.join(map(repr, unknown))}", remedy=known)


_NAMES = ("paired_perm", "paired_bootstrap")
_NAME = OneOf(
    _NAMES,
    remedy=f"A metric is the configuration, pairedperm.load({_NAMES[0]!r}, 'f1'). Load other "
    "modules with evaluate.load.",
)


def register() -> Path:
    """Make ``evaluate.load("paired_perm")`` and ``("paired_bootstrap")`` work on this machine.

    Afterwards they load from any directory, offline. The modules' scripts are copied into
    evaluate's module cache, like scripts from the Hub. Those of other releases stay for these, and
    `evaluate` takes the ones that were registered last. The scripts call the installed
    `pairedperm`. A second call changes nothing.

    The cache is ``HF_MODULES_CACHE``, or ``modules`` in ``HF_HOME``, as set when `evaluate` was
    imported.

    Returns
    -------
    pathlib.Path
        The registered script of paired_perm. That of paired_bootstrap is in a directory beside it.

    Raises
    ------
    InputError
        If the cache cannot be written.
    """
    first, *others = _all_registered().values()
    for script in (first, *others):
        _make_newest(script)
    return first


@reads_options
def load(
    name: Annotated[str, _NAME], config_name: str | None = None, **options: Any
) -> PairedComparison:
    """Load one of the two `evaluate` modules.

    It calls `register`, then `evaluate.load` with the script's path. So no network is needed, and
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
        For another name, an unknown configuration, or an option that its metric has not; if the
        cache of `register` cannot be written.
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
    import evaluate  # takes seconds

    script = _all_registered()[name]
    module: PairedComparison = evaluate.load(str(script), config_name, **options)
    return module


def _all_registered() -> dict[str, Path]:
    """Register both modules and return their scripts' paths."""
    from evaluate import config  # takes seconds to import

    # evaluate.loading: <cache>/evaluate_modules/metrics/evaluate-<type>--<name>/<64 characters>/
    folder = Path(config.HF_MODULES_CACHE, "evaluate_modules", "metrics")
    return {name: _registered(name, folder) for name in _NAMES}


def _registered(name: str, folder: Path) -> Path:
    """Copy the module's script to a folder of its version in the cache, and return its path."""
    script = _script(name).read_bytes()
    version = folder / f"evaluate-comparison--{name}" / hashlib.sha256(script).hexdigest()
    target = version / f"{name}.py"
    with _changing(name, folder):
        if not (target.is_file() and target.read_bytes() == script):
            made = version.with_name(f".{uuid.uuid4().hex}.tmp")
            made.mkdir(parents=True)
            (made / target.name).write_bytes(script)
            with suppress(OSError):  # it is there: another process made it, or damaged it
                made.rename(version)
            shutil.rmtree(made, ignore_errors=True)
            if target.read_bytes() != script:
                write_whole({target: script})
    return target


def _make_newest(script: Path) -> None:
    """Let `evaluate` prefer a script to those of other releases, and remove what has none."""
    latest, modules = 0.0, script.parent.parent
    for other in modules.glob("?" * 64):
        with suppress(OSError):  # another process may remove it
            if other != script.parent and (other / script.name).is_file():
                latest = max(latest, (other / script.name).stat().st_mtime)
            elif other != script.parent:
                shutil.rmtree(other)
    with _changing(script.stem, modules.parent):
        if latest >= script.stat().st_mtime:
            os.utime(script, (latest + 1.0, latest + 1.0))


@contextmanager
def _changing(name: str, folder: Path) -> Iterator[None]:
    """Raise InputError if what is done here fails to change the cache."""
    try:
        yield
    except OSError as error:
        variables = " HF_HOME or HF_MODULES_CACHE to a directory that can be written"
        raise InputError(
            f"cannot register {name!r} in evaluate's module cache, {shown_path(str(folder))}: "
            f"{why(error)}",
            remedy=f"Before importing evaluate, set{variables}",
        ) from error


def _script(name: str) -> Path:
    """Find the module's script: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).parent.parent
    for metrics in (package / "metrics", package.parent / "metrics"):
        script = metrics / name / f"{name}.py"
        if script.is_file():
            return script
    raise FileNotFoundError(f"{name}.py is missing from this installation of pairedperm")
