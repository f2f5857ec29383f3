"""A file or folder that an argument names, and the options of reading it, declared once."""

from __future__ import annotations

import io
import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, get_args

from pairedperm.errors import (
    File,
    InputError,
    Name,
    Parts,
    Setting,
    Words,
    describe,
    joined,
    printable,
    shown,
)
from pairedperm.inputs.files import (
    MAX_BYTES,
    AnyPath,
    RemotePath,
    TooLargeError,
    check_regular,
    is_as_stored,
    leads_out,
    located,
    open_plain,
    size_of,
    url_without_keys,
    why,
    without_compression,
    without_keys,
)
from pairedperm.options import COLUMN, Texts, Whole, read_fields, unknown_option

if TYPE_CHECKING:
    from typing_extensions import Self


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


Object = dict[str, Any]
AS_WRITTEN = "Give the file as the tool wrote it."  # the remedy of a log that lacks something
_LIMIT = Setting("max_bytes", "…")
_HEAD = 2**10  # tuned: characters
_NO_RESULTS = (".", "samples_")  # the starts of other names
_Beside = dict[Any, Any]  # results by folder and name, and the files of each folder


def is_path(given: Any) -> bool:
    """Tell whether an argument is a path, as text."""
    if isinstance(given, RemotePath):
        return True
    return isinstance(given, (str, os.PathLike)) and isinstance(os.fspath(given), str)


class NamedFile:
    """A file or a folder, and the argument that named it.

    `source` is where it is, and `path` the same as messages show it; `file_name` and `ending` are
    those of the file inside a compression. No more than `max_bytes` are read of it.
    """

    def __init__(
        self,
        name: str,
        source: AnyPath,
        max_bytes: int = MAX_BYTES,
        beside: _Beside | None = None,
        folder: AnyPath | None = None,
    ) -> None:
        self.name, self.source, self.max_bytes = name, source, max_bytes
        self.path = printable(without_keys(str(source)))
        self._folder = folder or source.parent  # links may not lead out of it
        self.file_name = without_compression(source.name)
        self.ending = PurePath(self.file_name).suffix.lower().removeprefix(".")
        self._beside: _Beside = {} if beside is None else beside

    @property
    def part(self) -> str:
        """What an error names by its number."""
        return "line"

    @property
    def stem(self) -> str:
        """The name of the file without its ending."""
        return PurePath(self.file_name).stem

    @classmethod
    def at(
        cls, name: str, path: str | os.PathLike[str] | RemotePath, max_bytes: int = MAX_BYTES
    ) -> Self:
        """Return the file at a path or a URL.

        Raises
        ------
        InputError
            If no installed package reads such URLs.
        """
        try:
            return cls(name, located(path), max_bytes)
        except Exception as error:  # fsspec's errors are of any class
            where, reason = url_without_keys(str(path)), without_keys(why(error), [str(path)])
            what = Name(name), ": ", File(printable(where)), f" cannot be read: {printable(reason)}"
            raise InputError(*what, remedy="Save it on this machine, and name that.") from error

    @cached_property
    def file(self) -> Path:
        """The file on this machine, decompressed: itself, or a copy for as long as this object.

        Raises
        ------
        InputError
            If the file cannot be read.
        """
        with self._readable(), open_plain(self.source, self.max_bytes) as whole:
            if isinstance(self.source, Path) and is_as_stored(whole):
                return self.source
            copy = Path(tempfile.mkdtemp(), self.file_name)
            weakref.finalize(self, shutil.rmtree, copy.parent, ignore_errors=True)
            with copy.open("wb") as written:
                shutil.copyfileobj(whole, written)
        return copy

    def within(self, file: AnyPath) -> Self:
        """Return a file of this folder; the files of a folder read each results file once."""
        return type(self)(self.name, file, self.max_bytes, self._beside, self.source)

    def error(self, *what: Words, line: int | None = None, **facts: Any) -> InputError:
        """Return an error that says what is wrong with the file or one of its lines."""
        of_line = f", {self.part} {line}: " if line else " "
        return InputError(Name(self.name), ": ", File(self.path), of_line, *what, **facts)

    def in_words(self, error: Exception) -> Words:
        """Return what a library says of the file, whose path it may name, without a full stop."""
        text = " ".join(str(error).split()).rstrip(".") or "?"
        read = str(vars(self).get("file", self.source))
        return joined([*map(printable, text.split(read))], File(self.path))

    def unreadable(self, error: Exception) -> InputError:
        """Return the error of a file that cannot be opened, is too large, or is no text."""
        if isinstance(error, TooLargeError):
            return self.too_large()
        if isinstance(error, UnicodeDecodeError):
            return self.error(f"is no UTF-8 text, {why(error)}", remedy="Save it as UTF-8.")
        return self.error(f"cannot be read: {self._why(error)}", remedy="Give the path of a log.")

    def _why(self, error: Exception) -> str:
        urls = [self.source.given] if isinstance(self.source, RemotePath) else []
        return printable(without_keys(why(error), urls))

    def too_large(self) -> InputError:
        """Return the error of a file that holds more than may be read of it."""
        what = f"would take more than {self.max_bytes:,} bytes, and no more are read"
        return self.error(what, remedy=Parts("If you trust it, raise the limit, ", _LIMIT))

    def beside(self, name: str, ending: str = "") -> Object:
        """Return the JSON object in the results file beside this one.

        It has this name, or else this ending behind the name's last "_", and is no log. It may be
        compressed, and is the first if there are several; without any it is empty.

        Raises
        ------
        InputError
            If that file cannot be read, or is no JSON object.
        """
        key = self.source.parent, name
        if key not in self._beside:
            with self._readable():
                listed = self._listed(key[0])
                others = [x for x in listed.get(ending, ()) if not x.name.startswith(_NO_RESULTS)]
                found = [x for x in (*listed.get(name, ()), *others) if not x.is_dir()]
            first = [NamedFile(self.name, x, self.max_bytes) for x in found[:1]]
            if any(leads_out(x.source, self._folder) for x in first):
                what = f"is a link that leads out of {shown(str(self._folder))}"
                raise first[0].error(what, remedy="Copy the file there.")
            objects = (x.whole_object("Write it again, or remove it.") for x in first)
            self._beside[key] = next(objects, {})
        return self._beside[key]  # type: ignore[no-any-return]

    def _listed(self, folder: AnyPath) -> dict[str, list[AnyPath]]:
        """Return the files of a folder, by name and by what follows the last "_" of it."""
        if folder not in self._beside:
            listed: dict[str, list[AnyPath]] = {}
            files: list[AnyPath] = [*folder.iterdir()]
            for x in sorted(files):
                name = without_compression(x.name)
                start, mark, end = name.rpartition("_")
                for known in (name, f"{mark}{end}")[: 1 + bool(start)]:
                    listed.setdefault(known, []).append(x)
            self._beside[folder] = listed
        return self._beside[folder]  # type: ignore[no-any-return]

    def whole_object(self, remedy: str = AS_WRITTEN) -> Object:
        """Parse the file as one JSON object of results; the remedy is what an error advises.

        Raises
        ------
        InputError
            If it cannot be read, or is no JSON object.
        """
        try:
            with self._text() as text:
                results = json.load(text)
        except (UnicodeDecodeError, TooLargeError) as error:
            raise self.unreadable(error) from error
        except Exception as error:  # of the file, of its JSON, or of fsspec
            raise self.error(f"is no JSON of results, {self._why(error)}", remedy=remedy) from error
        if not isinstance(results, dict):
            raise self.error("is no JSON object of results", remedy=remedy)
        return results

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Raise InputError if what is done here fails to read the file."""
        try:
            yield
        except Exception as error:
            # ValueError: null bytes in the path, or no UTF-8; fsspec's errors are of any class
            if isinstance(error, (OSError, ValueError)) or isinstance(self.source, RemotePath):
                raise self.unreadable(error) from error
            raise

    def _text(self, encoding: str = "utf-8-sig", **how: Any) -> io.TextIOWrapper:
        """Open the file as text, decompressed."""
        return io.TextIOWrapper(open_plain(self.source, self.max_bytes), encoding, **how)

    def checked_name(self, name: Any, lacks: str, remedy: str = AS_WRITTEN) -> str:
        """Return the name of an example; raise InputError that says so if it is none."""
        if isinstance(name, str) and name:
            return name
        raise self.error(lacks, remedy=remedy)

    def files(self) -> list[AnyPath]:
        """Return all files in the folder and its subfolders, but links that lead out of it.

        Raises
        ------
        InputError
            If the folder cannot be listed.
        """
        folder = self.source
        with self._readable():
            if isinstance(folder, Path):
                os.listdir(folder)  # `rglob` passes over a folder that others may not list
            files = (path for path in folder.rglob("*") if path.is_file())
            return sorted(path for path in files if not leads_out(path, folder))

    def is_folder(self) -> bool:
        """Tell whether the path is that of a folder; raise InputError if nothing is there."""
        with self._readable():
            if isinstance(self.source, Path):
                check_regular(self.source)
            return self.source.is_dir()

    @cached_property
    def start(self) -> str:
        """The first characters of a file of any kind, which show its kind."""
        with self._readable(), self._text("utf-8", errors="replace") as text:
            return text.read(_HEAD)

    def check(self) -> int:
        """Return the size of the file in bytes.

        Raises
        ------
        InputError
            If the file cannot be opened, is no regular file, or is empty.
        """
        with self._readable():
            size = size_of(self.source)
        if size == 0:
            raise self._empty()
        return size or 0

    def _empty(self) -> InputError:
        return self.error("is empty", remedy="at least one example is needed")

    @contextmanager
    def parquet(self) -> Iterator[Any]:
        """Open the file as a `pyarrow.parquet.ParquetFile`.

        Raises
        ------
        InputError
            If it cannot be read, also by what is done here.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.check()
        try:
            with pq.ParquetFile(self.file) as opened:
                yield opened
        except InputError:
            raise
        except (pa.ArrowException, OSError, ValueError) as error:  # a ValueError: no UTF-8
            remedy = "Give a whole Parquet file."
            raise self.error("cannot be read: ", self.in_words(error), remedy=remedy) from error
