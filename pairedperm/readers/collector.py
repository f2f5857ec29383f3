"""The rows of a log, collected to a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pairedperm.errors.wording import Words, describe
from pairedperm.inputs.ids import Id
from pairedperm.readers.repeats import ONLY_MEAN, Reducer, with_repeats
from pairedperm.readers.run import Run, in_one_line


class Collector:
    """The scores of one run, collected row by row: a row is one repeat of an example.

    If a score comes twice, or an id comes with another document, the id is added once more.
    Matching then reports it as repeated.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}  # of metrics, in one line
        self._rows: dict[tuple[Id, Any], int] = {}  # the number of each row, by id and repeat
        self._documents: dict[Id, Any] = {}
        self._prompts: list[Any] = []
        self._scores: dict[str, dict[int, Any]] = {}  # by metric and row
        self._twice: dict[Id, None] = {}
        self._left_out: dict[str, Words] = {}

    def add(
        self,
        example: Id,
        document: Any,
        scores: Iterable[tuple[str, Any]],
        prompt: Any = None,
        repeat: Any = 1,
    ) -> None:
        """Add the scores of an example by metric; one whose values are no numbers is left out.

        If the id has another document already, the scores are not added.
        """
        if self._documents.setdefault(example, document) != document:
            self._twice[example] = None
            return
        row = self._rows.setdefault((example, repeat), len(self._rows))
        if row == len(self._prompts):
            self._prompts.append(prompt)
        for name, value in scores:
            if name not in self._names:
                self._names[name] = in_one_line(name)
            metric = self._names[name]
            column = self._scores.setdefault(metric, {})
            if row in column:
                self._twice[example] = None
            column[row] = value
            if not (value is None or isinstance(value, (int, float))):
                self._left_out.setdefault(metric, describe(value))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that came."""
        return tuple(self._scores)

    @property
    def pairs(self) -> dict[str, list[Any]]:
        """The values of metrics that are left out, in the order of the run's ids."""
        more = [None] * len(self._twice)
        return {name: [*self._column(name), *more] for name in self._left_out}

    def _column(self, metric: str) -> list[Any]:
        return [*map(self._scores[metric].get, range(len(self._rows)))]

    def run(self, reducers: Mapping[str, Reducer] = ONLY_MEAN, **facts: Any) -> Run:
        """Return the run of all collected scores, with repeats reduced; `facts` are other fields.

        `reducers` are named by what they add to the name of a metric.
        """
        for name in ("task", "version", "model"):
            facts[name] = in_one_line(facts.get(name, ""))
        ids = [example for example, _ in self._rows]
        run = Run(
            ids=ids,
            scores={x: self._column(x) for x in self._scores if x not in self._left_out},
            documents=[self._documents[x] for x in ids],
            prompts=self._prompts,
            left_out=self._left_out,
            **facts,
        )
        run = with_repeats(run, reducers)
        if not self._twice:
            return run
        more = [None] * len(self._twice)
        return replace(
            run,
            ids=[*run.ids, *self._twice],
            scores={name: [*column, *more] for name, column in run.scores.items()},
            documents=[*(run.documents or ()), *more],
            prompts=[*(run.prompts or ()), *more],
            n_repeats=run.n_repeats and [*run.n_repeats, *[0] * len(more)],
        )
