"""The common part of metrics of translations, whose sentences sacrebleu counts."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pairedperm.errors import InputError, extra
from pairedperm.errors.wording import Name, Python
from pairedperm.inputs.labels import check_lengths
from pairedperm.inputs.texts import read_sentences
from pairedperm.scoring.call_options import as_arguments
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

LONGEST_NGRAM = 100  # tuned: n-grams; each length adds counts to every sentence
Sentences = list[list[str]]


@dataclass(frozen=True, kw_only=True, repr=False)
class OfTranslations(Metric):
    """A score of the sums of what sacrebleu counts in each sentence.

    Its options have sacrebleu's names and defaults. The last column of its rows is the number of
    references.

    Attributes
    ----------
    counter : str
        The name of sacrebleu's class.
    said_in_words : tuple of str
        The options that `in_words` expresses in the metric's name.
    """

    unit = "percent"
    limits = 0.0, 100.0
    read_column = staticmethod(read_sentences)
    counter: ClassVar[str]
    said_in_words: ClassVar[tuple[str, ...]] = ()

    @property
    def in_words(self) -> str:
        """The name in reports, with the options that it does not express in brackets."""
        others = {x: y for x, y in (self.options or {}).items() if x not in self.said_in_words}
        return f"{super().in_words} ({as_arguments(others)})" if others else super().in_words

    def rows(self, predictions1: Sentences, predictions2: Sentences, references: Sentences) -> Rows:
        """Return what sacrebleu counts in each sentence; it counts the references once."""
        systems = {"predictions1": predictions1, "predictions2": predictions2}
        for name, column in systems.items():
            _check_paired(name, len(column), references)
        with extra("mt", f"metric {self.name!r}"):
            from sacrebleu import metrics
        counter = self.new_counter(metrics)
        prepared, counted = counter._preprocess_segment, counter._compute_segment_statistics
        tables: tuple[list[Any], list[Any]] = [], []
        for (one,), (two,), rights in zip(predictions1, predictions2, references, strict=True):
            known = counter._extract_reference_info([*map(prepared, rights)])
            numbers_of_one = counted(prepared(one), known)
            others = numbers_of_one if two == one else counted(prepared(two), known)
            for table, numbers in zip(tables, (numbers_of_one, others), strict=True):
                table.append([*self.integers(numbers, len(rights)), len(rights)])
        rows1, rows2 = (np.array(table, dtype=np.int64) for table in tables)
        return Rows(rows1, rows2)

    def new_counter(self, metrics: Any) -> Any:
        """Return an object of sacrebleu's class, with these options."""
        return getattr(metrics, self.counter)(**{x: getattr(self, x) for x in self.takes()})

    def integers(self, numbers: list[Any], n_references: int) -> list[int]:
        """Return what sacrebleu counts in a sentence, in integers."""
        return numbers

    def score(self, rows: Rows) -> Score:
        sizes = 1 if rows.sizes is None else rows.sizes
        numbers = np.unique(rows.rows1[:, -1] // sizes).tolist()
        if len(numbers) > 1:  # in different batches
            raise InputError(
                Name("references"),
                f" has {numbers[0]} texts for some sentences and {numbers[-1]} for others",
                remedy="give every sentence the same number of references",
            )
        return self.score_with(numbers[0])

    @abstractmethod
    def score_with(self, n_references: int) -> Score:
        """Return the score of the sums if each sentence has this number of references."""


def _check_paired(name: str, n: int, references: Sentences) -> None:
    """Raise InputError for columns of different lengths; references may be in sacrebleu's form."""
    if not len(references) < n == len(references[0]):
        return check_lengths(name, n, "references", len(references))
    raise InputError(
        Name("references"),
        f" has {len(references)} lists of {n} texts, and ",
        Name(name),
        f" has {n} texts",
        remedy=(
            "Give a list for each sentence; sacrebleu takes a list for each of its references.",
            Python("list(zip(*references)) turns them"),
        ),
    )
