"""The base of our `evaluate` comparison modules: how columns reach the test."""

from __future__ import annotations

import copy
import inspect
import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from traceback import walk_stack
from typing import Any

import datasets
import evaluate
from filelock import FileLock, Timeout

from pairedperm.errors import InputError, warn
from pairedperm.hf.call_options import is_of_others, name_and_options, spelled, split_options
from pairedperm.hf.ids import in_order
from pairedperm.hf.streams import new_stream
from pairedperm.options import OPTIONS
from pairedperm.scoring.metric import METRICS, Metric

_ROUNDS: Counter[tuple[Any, ...]] = Counter()  # of computing together, by what evaluate's files are
_OF_EVALUATE = inspect.signature(evaluate.EvaluationModule).parameters
SCORES = "scores"  # the configuration for numbers; the others name a metric
_OF_OTHERS = "(Metrics of texts and numbers are named when loading: evaluate.load(…, 'bleu').)"


class PairedComparison(evaluate.Comparison):
    """A comparison that takes its columns as they are.

    `evaluate` itself writes every column to disk and reads it back, which takes seconds for a
    million labels, a minute for a dataset column, and converts what does not fit the first
    row: 0.5 to 0, "01" to 1. Here the columns are checked and counted, so that memory does not
    grow with their number. Where several processes work together, evaluate's files gather the
    counts.

    Threads may share it: what one does is done before the next begins. Processes that
    ``Dataset.map(num_proc=...)`` starts add to copies, and are warned of it: let map write columns,
    and compare those with `compare_dataset`.

    Subclasses give `_info`, and which test it is.
    """

    test = "permutation"

    def __init__(self, config_name: str | None = None, **kwargs: Any) -> None:
        names = ("default", SCORES, *METRICS)
        if config_name is not None and not (isinstance(config_name, str) and config_name in names):
            raise InputError(
                f"unknown configuration {config_name!r}: it is {SCORES!r} for numbers, or names "
                f"the metric, one of {', '.join(map(repr, METRICS))}."
            )
        self._configuration = "accuracy" if config_name in (None, "default") else config_name
        self._options = {name: x for name, x in kwargs.items() if name not in _OF_EVALUATE}
        other = next((name for name in self._options if name in ("metric", *OPTIONS)), None)
        if other is not None:
            raise TypeError(
                f"unexpected option {other!r}: evaluate.load takes its own and those of a metric, "
                "whose name is the configuration; those of the test go to compute."
            )
        kwargs = {name: x for name, x in kwargs.items() if name in _OF_EVALUATE}
        self._lock, self._process = RLock(), os.getpid()
        self.reset()
        super().__init__(config_name=config_name, **kwargs)
        self._experiment_id = self.info.experiment_id
        if self.num_process > 1:  # what evaluate's files hold then
            text = datasets.Value("string")
            self.info.features = datasets.Features(dict.fromkeys(self._stream.columns, text))

    def reset(self) -> None:
        """Discard the examples that were added, with several processes those of this one."""
        metric = None if self._configuration == SCORES else self._configuration
        also = [name for name, kind in METRICS.items() if kind.is_plain]
        stream = new_stream(metric, also=also, **self._options)
        with self._lock:
            self._stream = stream

    def __getstate__(self) -> dict[str, Any]:
        """A lock is never copied, and where it was made means nothing elsewhere."""
        return {name: x for name, x in vars(self).items() if name not in ("_lock", "_process")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=RLock(), _process=None)

    def __len__(self) -> int:
        """Number of examples added so far, with several processes to this one."""
        return len(self._stream)

    def add_batch(self, **columns: Any) -> None:
        """Add a batch of examples: all columns of it, of the same length.

        A batch that cannot be used raises InputError and is not added; sequences of another
        length than their references may yet be meant for "exact_match".
        """
        self._check_names(columns)
        self._check_process()
        with self._lock:
            try:
                self._stream.add(columns)
            except InputError as error:
                if self.config_name != "default" or len(self):
                    raise
                raise InputError(f"{error} {_OF_OTHERS}") from error

    def add(self, **example: Any) -> None:
        """Add one example: one label, sequence of labels or score, for each column."""
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
        ids: Any = None,
        **options: Any,
    ) -> dict[str, Any] | Any:  # None in all processes but the first
        """Compare the two systems on all examples added, and on those given here.

        If it fails, the examples that were added before stay (`reset` discards them); those
        given here do not. The options are those of `pairedperm.compare`. `predictions` is there for
        `evaluate.combine`, which always passes it.

        `ids` has an id for each example, of which none may occur twice; or it is a dict with the
        ids of each column, by which these are matched. `ids` and `groups` need all columns in this
        call.

        With several processes all compute, as often and with the same options; the first waits
        for the others, gets the result, or the error of any, and the others get None. Nothing
        stays then. Only if the processes did not meet, what was added before does.
        """
        named, of_metric = name_and_options(metric, split_options(options)[0])
        options = {"test": self.test, **options, **of_metric, "metric": named}
        if isinstance(metric, Metric) and self._options and not is_of_others(named):
            found, _ = self._stream.read_options(**options)
            if found != metric:
                raise InputError(
                    f"`metric` is {metric!r}, with the options from loading {found!r}: give the "
                    f"object those too, or name it, metric={named!r}."
                )
        given: dict[str, Any] = {"predictions1": predictions1, "predictions2": predictions2}
        given |= {"references": references, "predictions": predictions}
        given = {name: column for name, column in given.items() if column is not None}
        with self._lock:
            if self.num_process == 1:
                return self._computed(given, options, groups, ids)
            for name, value in (("groups", groups), ("ids", ids)):
                if value is not None:
                    raise InputError(f"`{name}` is not for several processes: compute in one.")
            return self._compute_together(given, options)

    def _computed(
        self, given: dict[str, Any], options: dict[str, Any], groups: Any, ids: Any
    ) -> dict[str, Any]:
        """The result of all examples added, and those given."""
        stream, metric = self._stream, options["metric"]
        if is_of_others(metric) and not len(self) and self._configuration == "accuracy":
            stream = new_stream(metric, **split_options(options)[0])  # read in another way
        stream.read_options(**options)  # before anything is read
        self._check_names(given)
        if not given and not len(stream):
            raise InputError(
                f"there is nothing to compare: pass {', '.join(self._stream.columns)} to compute, "
                "or add examples with add_batch first. In Dataset.map nothing is added with "
                "num_proc=, nor from its cache: compare the mapped dataset with "
                "pairedperm.hf.compare_dataset."
            )
        if ids is not None:
            given, groups = in_order(given, ids, groups, len(self))
        try:
            result = stream.test(given, groups=groups, **options).to_dict()
        except InputError as error:
            if not len(self):
                raise
            raise InputError(
                f"{error} (Examples added before, {len(self):,}, are kept: reset() discards them.)"
            ) from error
        self.reset()
        return result

    def _compute_together(
        self, given: dict[str, Any], options: dict[str, Any]
    ) -> dict[str, Any] | None:
        """What each process has counted goes through evaluate's files to the first."""
        stream = copy.deepcopy(self._stream)  # nothing is added unless the processes meet
        try:
            what = spelled(stream.read_options(**options))
            self._check_names(given)
            if given:
                stream.add(given)
            state = stream.state(**options) | {"options": what, "n": len(stream)}
        except InputError as error:  # the first process waits for a file of this one
            state = {"error": f"process {self.process_id}: {error}"}
        with self._round() as round_id:
            first, *others = self._stream.columns
            text = json.dumps({"round": round_id, **state})
            super().add_batch(**{first: [text]}, **{name: [""] for name in others})
            self._check_the_first_waits()
            gathered = super().compute()
        self.reset()
        if gathered is None:
            return None
        states = [json.loads(state) for state in gathered[first]]
        errors = [state["error"] for state in states if "error" in state]
        if errors:
            raise InputError(" ".join(errors))
        wanted = [{"round": state["round"], **state["options"]} for state in states]
        for what in dict.fromkeys(key for options in wanted for key in options):
            found = list(dict.fromkeys(str(options.get(what)) for options in wanted))
            if len(found) > 1:
                raise InputError(
                    f"the processes compute different things: {what} {' and '.join(found)}. All "
                    "must call compute as often, and with the same options."
                )
        if not any(state["n"] for state in states):
            raise InputError("there is nothing to compare: no process has added examples.")
        return self._stream.test_states(states, **options).to_dict()

    @contextmanager
    def _round(self) -> Iterator[str]:
        """Another name for evaluate's files: a fast process must not write over the last round's.

        A round in which the processes did not meet is not counted, so that they may try again.
        """
        key = (self.data_dir, self._experiment_id, self.num_process, self.process_id)
        number = _ROUNDS[key] + 1
        self.info.experiment_id = f"{self._experiment_id}-round{number}"
        try:
            yield str(self.info.experiment_id)
            _ROUNDS[key] = number
        except ValueError as error:
            raise InputError(
                f"the processes did not meet: {error} All must call compute, as often, and within "
                f"{self.timeout} s of each other (evaluate.load(..., timeout=...)). The examples "
                "added to this process are kept. After the restart of a process give all another "
                "experiment_id."
            ) from error
        else:
            if self.process_id == 0:  # the others have gone
                for which in (*range(self.num_process), "rdv"):
                    with suppress(OSError):
                        self._lock_file(which).unlink()
        finally:
            for lock in (self.__dict__["filelock"], self.__dict__["rendez_vous_lock"]):
                if lock is not None:
                    lock.release()
            for name in ("writer", "filelock", "filelocks", "file_paths", "rendez_vous_lock"):
                setattr(self, name, None)  # they would be in the way of the next round
            self.cache_file_name = None
            self.info.experiment_id = self._experiment_id

    def _lock_file(self, which: int | str) -> Path:
        ending = "lock" if which == "rdv" else "arrow.lock"
        return Path(self.data_dir, f"{self.experiment_id}-{self.num_process}-{which}.{ending}")

    def _check_the_first_waits(self) -> None:
        """Raise ValueError if the first process has given up: it waits with its file locked."""
        if self.process_id == 0:
            return
        lock = FileLock(self._lock_file(0))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return
        lock.release()
        raise ValueError("the first process does not wait any more.")

    def _compute(
        self, predictions1: list[str], predictions2: list[str], references: list[str] | None = None
    ) -> dict[str, Any]:
        """What evaluate calls with what it has gathered from all processes."""
        return {
            "predictions1": predictions1,
            "predictions2": predictions2,
            "references": references,
        }

    def _check_process(self) -> None:
        """Warn, once, where `Dataset.map` adds examples in a process of its own."""
        if self._process == os.getpid():
            return
        self._process = os.getpid()
        callers = {frame.f_globals.get("__name__") for frame, _ in walk_stack(None)}
        if self.num_process == 1 and {"datasets.arrow_dataset", "multiprocess.pool"} <= callers:
            warn(
                "examples added in map(num_proc=...) stay in its processes: the module that you "
                "hold does not get them. Let map return the predictions as columns, and compare "
                "those with pairedperm.hf.compare_dataset; or leave num_proc out."
            )

    def _check_names(self, columns: dict[str, Any]) -> None:
        unknown = [name for name in columns if name not in self._stream.columns]
        if unknown:
            raise InputError(
                f"unknown column {', '.join(map(repr, unknown))}: the columns are "
                f"{', '.join(self._stream.columns)}."
            )
