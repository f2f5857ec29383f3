"""What to read, and how: the options of the readers, declared once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, TypedDict, get_args

from pairedperm.errors import InputError, Name, Setting, describe
from pairedperm.inputs.files import MAX_BYTES
from pairedperm.options import COLUMN, Texts, Whole, read_fields, unknown_option

FormatName = Literal[
    "jsonl", "csv", "tsv", "parquet", "lm_eval", "every_eval_ever", "inspect",
    "lighteval", "lerobot", "promptfoo", "deepeval", "swe_bench", "harbor", "trec_eval",
]  # fmt: skip
FORMATS: tuple[str, ...] = get_args(FormatName)
JSONL, CSV, TSV, PARQUET, DATASET = "jsonl", "csv", "tsv", "parquet", "dataset"
TABLES = (JSONL, CSV, TSV, PARQUET, DATASET)  # the formats of tables, which are no logs
OnMissing = Literal["error", "drop"]
DROP = Setting("on_missing", "'drop'")
SameDocuments = Literal["content", "id"]


class ReadKeywords(TypedDict, total=False):
    """The fields of `ReadOptions`, for type checkers."""

    task: str | Sequence[str] | None
    system: str | Sequence[str] | None
    format: FormatName | None
    references: Any
    on_missing: OnMissing
    same_documents: SameDocuments
    repeats: bool
    id: str
    prediction: str
    reference: str
    score: str | Sequence[str]
    group: str
    max_bytes: int


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """What to read, and how; see `read_runs`."""

    task: Annotated[
        str | Sequence[str] | None, Texts(words="a name, as text", may_be_blank=True)
    ] = None
    system: Annotated[str | Sequence[str] | None, Texts(words="a name, as text")] = None
    format: FormatName | None = None
    references: Any = None
    on_missing: OnMissing = "error"
    same_documents: SameDocuments = "content"
    repeats: bool = False
    id: Annotated[str, COLUMN] = "id"
    prediction: Annotated[str, COLUMN] = "prediction"
    reference: Annotated[str, COLUMN] = "reference"
    score: str | Sequence[str] = "score"
    group: Annotated[str, COLUMN] = "group"
    max_bytes: Annotated[int, Whole()] = MAX_BYTES

    def __post_init__(self) -> None:
        read_fields(self)
        scores = [self.score] if isinstance(self.score, str) else self.score
        if not isinstance(scores, (list, tuple)) or not scores:
            raise InputError(Name("score"), must="name one or more columns", got=describe(scores))
        object.__setattr__(self, "score", tuple(COLUMN.read("score", x) for x in scores))

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> ReadOptions:
        """Return the checked options; raise TypeError for one that is unknown."""
        names = [x.name for x in fields(cls)]
        for name in given:
            if name not in names:
                raise unknown_option(name, names, "the readers")
        return cls(**given)

    @property
    def asked(self) -> tuple[str, ...]:
        """The tasks, groups and patterns to read; none for all tasks."""
        asked = () if self.task is None else self.task
        return (asked,) if isinstance(asked, str) else tuple(asked)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems to read; none for all."""
        named = () if self.system is None else self.system
        return (named,) if isinstance(named, str) else tuple(named)

    @property
    def named(self) -> list[tuple[str, str]]:
        """The columns of a run that the caller named: each with its option."""
        kind = type(self)
        given = (("prediction", self.prediction), ("group", self.group))
        named = [(x, y) for x, y in given if y != getattr(kind, x)]
        if self.score != (kind.score,):
            named += [("score", x) for x in self.score]
        return named

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns of a table, each once, that of the ids first."""
        some = (self.id, self.prediction, self.reference, *self.score, self.group)
        return tuple(dict.fromkeys(some))

    def of_references(self) -> ReadOptions:
        """Return the same for a table of references, which stand in the place of predictions."""
        of_table = copy(self)
        object.__setattr__(of_table, "prediction", self.reference)
        object.__setattr__(of_table, "score", ())
        return of_table
