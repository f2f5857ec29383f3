"""A collector of the rows of a log: one score for each example, metric and repeat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from pairedperm.errors.wording import Words, describe
from pairedperm.inputs.ids import Id
from pairedperm.readers.run import Run, as_meant, in_one_line, mean_of

Reducer = Callable[[list[Any]], Any]
"""What makes one score of those of an example's repeats; None if one is missing."""
_MEAN: Mapping[str, Reducer] = MappingProxyType({"": mean_of})


class Collector:
    """The scores of one run, collected by example; `run` returns them as columns.

    If a score comes twice, or an id comes with another document, the id is added once more.
    Matching then reports it as repeated.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}  # of metrics, in one line
        self._places: dict[Id, int] = {}
        self._documents: list[Any] = []
        self._prompts: list[Any] = []
        self._repeats: list[set[Any]] = []
        self._values: dict[str, dict[tuple[int, Any], Any]] = {}
        self._twice: list[Id] = []
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
        place = self._places.setdefault(example, len(self._documents))
        if place == len(self._documents):
            self._documents.append(document)
            self._prompts.append(prompt)
            self._repeats.append(set())
        elif self._documents[place] != document:
            self._twice.append(example)
            return
        self._repeats[place].add(repeat)
        for name, value in scores:
            if name not in self._names:
                self._names[name] = in_one_line(name)
            metric = self._names[name]
            column = self._values.setdefault(metric, {})
            if (place, repeat) in column:
                self._twice.append(example)
            column[place, repeat] = value
            if not (value is None or isinstance(value, (int, float))):
                self._left_out.setdefault(metric, describe(value))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that came."""
        return tuple(self._values)

    @property
    def pairs(self) -> dict[str, list[Any]]:
        """The values of metrics that are left out, in the order of the run's ids."""
        more = [None] * len({*self._twice})
        return {
            name: [*(self._values[name].get((k, 1)) for k in range(len(self._documents))), *more]
            for name in self._left_out
        }

    def run(self, reducers: Mapping[str, Reducer] = _MEAN, **said: Any) -> Run:
        """Return the run of all collected scores; `said` holds its other fields.

        `reducers` are named by what they add to the name of a metric.
        """
        n_repeats = [*map(len, self._repeats)]
        is_repeated = any(n > 1 for n in n_repeats)
        scores: dict[str, list[Any]] = {}
        for name, column in self._values.items():
            if name not in self._left_out:
                if is_repeated:
                    column = dict(zip(column, as_meant([*column.values()]), strict=True))
                each = [
                    [column.get((k, repeat)) for repeat in repeats]
                    for k, repeats in enumerate(self._repeats)
                ]
                scores |= {f"{name}{x}": [*map(reduce, each)] for x, reduce in reducers.items()}
        for name in ("task", "version", "model"):
            said[name] = in_one_line(said.get(name, ""))
        twice = [*dict.fromkeys(self._twice)]
        more = [None] * len(twice)
        return Run(
            ids=[*self._places, *twice],
            scores={name: [*column, *more] for name, column in scores.items()},
            documents=[*self._documents, *more],
            prompts=[*self._prompts, *more],
            n_repeats=[*n_repeats, *[0] * len(twice)] if is_repeated else None,
            left_out=self._left_out,
            **said,
        )
