"""A file or folder that an argument names, the options of reading it, and a file of text.

A text has lines, JSON and what is nested there, and errors name the line.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pairedperm.errors import InputError, describe, printable, shown, shown_path
from pairedperm.inputs.files import (
    COMPRESSED,
    DASH,
    MAX_BYTES,
    STANDARD_INPUT,
    Copies,
    TooLargeError,
    check_regular,
    is_elsewhere,
    leads_out,
    pyarrow_for,
    url_without_keys,
    why,
    without_compression,
    without_keys,
)
from pairedperm.options import (
    COLUMN,
    Text,
    Whole,
    read_fields,
    unknown_option,
)

if TYPE_CHECKING:
    from typing_extensions import Self


FormatName = Literal[
    "jsonl", "csv", "tsv", "parquet", "lm_eval", "every_eval_ever", "inspect",
    "lighteval", "lerobot", "promptfoo", "deepeval", "swe_bench", "harbor", "skills",
    "trec_eval",
]  # fmt: skip
FORMATS: tuple[str, ...] = get_args(FormatName)
JSONL, CSV, TSV, PARQUET, DATASET = "jsonl", "csv", "tsv", "parquet", "dataset"
TABLES = (JSONL, CSV, TSV, PARQUET, DATASET)  # the formats of tables, which are no logs
OnMissing = Literal["error", "drop"]
DROP = "on_missing='drop'"
MEASURES = ["measure", "metric", "metric_name", "scorer"]  # tuned: columns that may name measures
SameDocuments = Literal["content", "id"]


@dataclass(frozen=True)
class _Texts(Text):
    """A text, or a list of some."""

    def kept(self, value: Any) -> Any:
        """Return a plain string, or a tuple of some."""
        if not (isinstance(value, (list, tuple)) and value):
            return super().kept(value)
        kept = tuple(map(super().kept, value))
        return self.refused if self.refused in kept else kept


_SCORES = _Texts(words="a column's name, or a list of names")


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """What to read, and how; see `read_runs`."""

    task: Annotated[
        str | Sequence[str] | None, _Texts(words="a name, as text", may_be_blank=True)
    ] = None
    system: Annotated[str | Sequence[str] | None, _Texts(words="a name, as text")] = None
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
        _SCORES.read("score", self.score)
        for name in ("task", "system", "score"):
            given = getattr(self, name) or ()  # none for all
            object.__setattr__(self, name, (given,) if isinstance(given, str) else given)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> ReadOptions:
        """Return the checked options; raise TypeError for one that is unknown."""
        names = [x.name for x in fields(cls)]
        for name in given:
            if name not in names:
                raise unknown_option(name, names, "the readers")
        return cls(**given)

    @property
    def named(self) -> list[tuple[str, str]]:
        """The columns of a run that the caller named: each with its option."""
        scores = [("score", x) for x in self.score]
        every = [("prediction", self.prediction), ("group", self.group), *scores]
        return [(x, y) for x, y in every if x != y]  # by default a column is called as its option

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns of a table, each once, that of the ids first."""
        some = [self.id, self.prediction, self.reference, *self.score, self.group]
        some += MEASURES * self.repeats
        return tuple(dict.fromkeys(some))

    def of_references(self) -> ReadOptions:
        """Return the same for a table of references, which stand in the place of predictions."""
        of_table = copy(self)
        object.__setattr__(of_table, "prediction", self.reference)
        object.__setattr__(of_table, "score", ())
        return of_table


Object = dict[str, Any]
AS_WRITTEN = "Give the file as the tool wrote it."  # the remedy of a log that lacks something
_LIMIT = "max_bytes=…"
_HEAD = 2**10  # tuned: characters
_NO_RESULTS = (".", "samples_")  # the starts of other names


def is_path(given: Any) -> bool:
    """Tell whether an argument is a path, as text."""
    return isinstance(given, (str, os.PathLike)) and isinstance(os.fspath(given), str)


class TextFile:
    """A file or a folder, and the argument that named it.

    `source` is where it is, and `path` the same as messages show it; `file_name` and `ending` are
    those of the file inside a compression. No more than `max_bytes` are read of it. `folder` is
    the one that was given, if this is a file in it. `copies` hold what was elsewhere.
    """

    def __init__(
        self,
        name: str,
        source: Path,
        max_bytes: int = MAX_BYTES,
        folder: TextFile | None = None,
        copies: Copies | None = None,
    ) -> None:
        self.name, self.source, self.max_bytes = name, source, max_bytes
        self.path = printable(copies.shown_as(source) if copies else str(source))
        self.file_name = without_compression(source.name)
        self.ending = PurePath(self.file_name).suffix.lower().removeprefix(".")
        self._folder, self._copies = folder, copies
        self._unpacked: Copies | None = None
        self._beside: dict[tuple[Path, str], Object] = {}  # results by folder and name

    @property
    def part(self) -> str:
        """What an error names by its number: a line, or an entry of a JSON list."""
        return "entry" if self.is_list else "line"

    @property
    def stem(self) -> str:
        """The name of the file without its ending."""
        return PurePath(self.file_name).stem

    @classmethod
    def at(cls, name: str, path: str | os.PathLike[str], max_bytes: int = MAX_BYTES) -> Self:
        """Return the file at a path or a URL, or a copy for as long as this object.

        Raises
        ------
        InputError
            If it is elsewhere, and cannot be copied.
        """
        given = os.fspath(path)
        if not is_elsewhere(given):
            return cls(name, Path(path), max_bytes)
        copies = Copies(STANDARD_INPUT if given == DASH else url_without_keys(given))
        try:
            copies.fetch(given, max_bytes)
        except Exception as error:  # fsspec's errors are of any class
            file, reason = cls(name, Path(), max_bytes, copies=copies), why(error)
            if isinstance(error, TooLargeError):
                raise file.too_large() from error
            what = f"cannot be read: {printable(without_keys(reason, [given]))}"
            raise file.error(what, remedy="Save it on this machine, and name that.") from error
        return cls(name, copies.source, max_bytes, copies=copies)

    def _opened(self) -> io.BufferedReader:
        """Open the file, or a decompressed copy of it for as long as this object.

        Raises
        ------
        OSError, ValueError
            If the file cannot be opened, is no regular file, or what is compressed is cut off or
            altered; a TooLargeError if that is larger than the limit.
        """
        if self._unpacked is None:
            check_regular(self.source)
            opened = self.source.open("rb")
            start = COMPRESSED.match(opened.peek(10))
            if start is None:
                return opened
            with opened:
                pa, copies = pyarrow_for("a compressed file"), Copies()
                unpacked = pa.input_stream(opened, compression=start.lastgroup)
                copies.source = copies.add(unpacked, self.file_name, self.max_bytes)
            self._unpacked = copies
        return self._unpacked.source.open("rb")

    @cached_property
    def file(self) -> Path:
        """The path of the file, or of a decompressed copy of it for as long as this object.

        Raises
        ------
        InputError
            If the file cannot be read.
        """
        with self._readable(), self._opened() as opened:
            return Path(opened.name)

    def within(self, file: Path) -> TextFile:
        """Return a file of this folder; the files of a folder read each results file once."""
        return TextFile(self.name, file, self.max_bytes, self, self._copies)

    def error(
        self, what: str, line: int | None = None, remedy: str | Sequence[str] = ()
    ) -> InputError:
        """Return an error that says what is wrong with the file or one of its lines."""
        of_line = f", {self.part} {line}: " if line else " "
        text = f"`{self.name}`: {shown_path(self.path)}{of_line}{what}"
        return InputError(text, remedy=remedy)

    def in_words(self, error: Exception) -> str:
        """Return what a library says of the file, whose path it may name, without a full stop."""
        text = " ".join(str(error).split()).rstrip(".") or "?"
        read = str(vars(self).get("file", self.source))
        return shown_path(self.path).join(map(printable, text.split(read)))

    def unreadable(self, error: Exception) -> InputError:
        """Return the error of a file that cannot be opened, is too large, or is no text."""
        if isinstance(error, TooLargeError):
            return self.too_large()
        if isinstance(error, UnicodeDecodeError):
            return self.error(f"is no UTF-8 text, {why(error)}", remedy="Save it as UTF-8.")
        what = f"cannot be read: {printable(why(error))}"
        return self.error(what, remedy="Give the path of a log.")

    def too_large(self) -> InputError:
        """Return the error of a file that holds more than may be read of it."""
        what = f"would take more than {self.max_bytes:,} bytes, and no more are read"
        return self.error(what, remedy=f"If you trust it, raise the limit, {_LIMIT}")

    def beside(self, name: str, ending: str = "") -> Object:
        """Return the JSON object in the results file beside this one.

        It has this name, or else this ending, which begins with "_", and is no log. It may be
        compressed, and is the first if there are several; without any it is empty.

        Raises
        ------
        InputError
            If that file cannot be read, or is no JSON object.
        """
        holder, parent = self._folder or self, self.source.parent
        if (parent, name) not in holder._beside:
            with self._readable():
                there = self._folder._by_folder.get(parent) if self._folder else None
                files = there or sorted(parent.iterdir())
                named = [(x, without_compression(x.name)) for x in files if not x.is_dir()]
                found = [x for x, y in named if y == name]
                if ending and not found:
                    some = (x for x in named if not x[1].startswith((ending, *_NO_RESULTS)))
                    found = [x for x, y in some if y.endswith(ending)]
            results: Object = {}
            if found:
                file = self.within(found[0])
                folder = self._folder.source if self._folder else parent
                if leads_out(file.source, folder):
                    what = f"is a link that leads out of {shown(str(folder))}"
                    raise file.error(what, remedy="Copy the file there.")
                results = file.whole_object("Write it again, or remove it.")
            holder._beside[parent, name] = results
        return holder._beside[parent, name]

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
        except (OSError, ValueError, RecursionError) as error:
            what = f"is no JSON of results, {printable(why(error))}"
            raise self.error(what, remedy=remedy) from error
        if not isinstance(results, dict):
            raise self.error("is no JSON object of results", remedy=remedy)
        return results

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Raise InputError if what is done here fails to read the file."""
        try:
            yield
        except (OSError, ValueError) as error:  # null bytes in the path, or no UTF-8
            raise self.unreadable(error) from error

    def _text(self, newline: str | None = None) -> io.TextIOWrapper:
        """Open the file as text, if it is no larger than the limit."""
        opened = self._opened()
        if os.fstat(opened.fileno()).st_size > self.max_bytes:
            opened.close()
            raise TooLargeError("it is larger than the limit")
        return io.TextIOWrapper(opened, "utf-8-sig", newline=newline)

    @cached_property
    def files(self) -> list[Path]:
        """All files in the folder and its subfolders, but links that lead out of it.

        Raises
        ------
        InputError
            If the folder cannot be listed.
        """
        with self._readable():
            return [x for x in self._walked if x.is_file() and x not in self.links]

    @cached_property
    def links(self) -> dict[Path, None]:
        """The links in the folder that lead out of it, in order."""
        return {x: None for x in self._walked if leads_out(x, self.source)}

    @cached_property
    def _walked(self) -> list[Path]:
        """All that is in the folder and its subfolders, sorted; the folder is walked once."""
        folder = self.source

        def stop(error: OSError) -> None:  # others may not list some folder in it
            if error.filename == os.fspath(folder):
                raise error

        with self._readable():
            walked = os.walk(folder, onerror=stop)
            return sorted(Path(at, x) for at, folders, files in walked for x in (*folders, *files))

    @cached_property
    def _by_folder(self) -> dict[Path, list[Path]]:
        """The same by the folder that it is in."""
        by_folder: dict[Path, list[Path]] = {}
        for x in self._walked:
            by_folder.setdefault(x.parent, []).append(x)
        return by_folder

    def is_folder(self) -> bool:
        """Tell whether the path is that of a folder; raise InputError if nothing is there."""
        with self._readable():
            check_regular(self.source)
            return self.source.is_dir()

    def check(self) -> None:
        """Raise InputError if the file cannot be opened, is no regular file, or is empty."""
        with self._readable():
            check_regular(self.source)
            is_empty = self.source.stat().st_size == 0
        if is_empty:
            raise self._empty()

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
        pa = pyarrow_for("Parquet")
        import pyarrow.parquet as pq

        self.check()
        try:
            with pq.ParquetFile(self.file) as opened:
                yield opened
        except InputError:
            raise
        except (pa.ArrowException, OSError, ValueError) as error:  # a ValueError: no UTF-8
            remedy = "Give a whole Parquet file."
            raise self.error(f"cannot be read: {self.in_words(error)}", remedy=remedy) from error

    @cached_property
    def column_names(self) -> AbstractSet[str]:
        """The names of the columns of a Parquet file; none if it is another or cannot be read."""
        if self.ending == PARQUET:
            with suppress(InputError), self.parquet() as opened:  # the reader of tables raises it
                return {*opened.schema_arrow.names}
        return frozenset()

    @cached_property
    def _first(self) -> tuple[str, Object]:
        """The first characters, and of JSON the first object; the file is read no further."""
        with (
            self._readable(),
            io.TextIOWrapper(self._opened(), "utf-8", errors="replace") as text,
        ):
            start = text.read(_HEAD)
            rest = start.removeprefix("\ufeff").lstrip()
            if self.ending not in (JSON, *LINES):
                return start, {}
            if rest[:1] != "[":
                while "\n" not in rest and (more := text.readline()):
                    rest = f"{rest}{more}".lstrip()
                return start, _first_in(rest.partition("\n")[0])
            rest = rest[1:]
            while not (first := _first_in(rest)) and (more := text.read(max(_PAGE, len(rest)))):
                rest += more
            return start, first

    @property
    def start(self) -> str:
        """The first characters of a file of any kind, which show its kind."""
        return self._first[0]

    @property
    def first_object(self) -> Object:
        """The JSON object of the first line that is not blank, or of the first entry of a list."""
        return self._first[1]

    @property
    def is_list(self) -> bool:
        """Tell whether the file is one JSON list, as its first character says."""
        return self.ending in (JSON, *LINES) and self._starts[0][:1] == "["

    @cached_property
    def _starts(self) -> tuple[str, str]:
        """The first characters: as they are, and without blanks."""
        text = self.start.removeprefix("\ufeff").lstrip()
        return text, "".join(text.split())

    def begins(self, pattern: str) -> bool:
        """Tell whether the text begins with a pattern, which may leave out all blanks of JSON."""
        return any(re.match(pattern, x) for x in self._starts)

    def is_object(self, start: str) -> bool:
        """Tell whether the file is called JSON, and is an object of which this is the start."""
        return self.ending == JSON and self.begins(rf"\{{({start})")

    def lines(self, newline: str | None = None) -> Iterator[str]:
        """Yield the lines one by one; `newline` is that of `open`.

        Raises
        ------
        InputError
            If the file cannot be read, or all its lines are blank.
        """
        self.check()
        is_blank = True
        with self._readable(), self._text(newline=newline) as text:
            for line in text:
                is_blank = is_blank and line.isspace()
                yield line
        if is_blank:
            raise self._empty()

    def objects(self, *, once: bool = False) -> Iterator[tuple[int, Object]]:
        """Yield the number and the JSON object of each line that is not blank, or of each entry.

        Raises
        ------
        InputError
            If a line or an entry is no JSON object, or has a key twice and shall have it `once`.
        """
        read = json.JSONDecoder(object_pairs_hook=_each_once if once else None).decode
        for number, parsed in (self._entries if self.is_list else self._parsed_lines)(read):
            if type(parsed) is not dict:
                is_other = f"is no JSON object, but {describe(parsed)}"
                remedy = f"Give one object per {self.part}."
                raise self.error(is_other, line=number, remedy=remedy)
            yield number, parsed

    def _entries(self, read: Callable[[str], Any]) -> Iterator[tuple[int, Any]]:
        """Return the number and the JSON of each entry of the list in the file."""
        text = "".join(self.lines()).rstrip()
        try:
            entries = read(text)
        except (ValueError, RecursionError) as error:
            raise self._no_json(error, None, text[-1] == "]") from error
        if not entries:
            raise self._empty()
        return enumerate(entries, 1)

    def _parsed_lines(self, read: Callable[[str], Any]) -> Iterator[tuple[int, Any]]:
        """Yield the number and the JSON of each line that is not blank."""
        number, line = 0, ""
        try:
            for number, line in enumerate(self.lines(), 1):
                if not line.isspace():
                    yield number, read(line)
        except InputError:
            raise
        except (ValueError, RecursionError) as error:
            raise self._no_json(error, number, line[-1] == "\n") from error

    def _no_json(self, error: Exception, line: int | None, is_whole: bool) -> InputError:
        """Return the error of what is no JSON, or has a key twice."""
        if isinstance(error, _TwiceError):
            return self.error(f"has {error}", line=line, remedy="Name each value once.")
        hint = "" if is_whole else "Is the file cut off?"
        remedy = "Give one JSON object per line." if line else "Give one list of objects."
        what = f"is no JSON, {printable(str(error))}"
        return self.error(what, line=line, remedy=(hint, remedy))


JSON = "json"  # the ending of one JSON text; a list of objects is read as if each were a line
LINES = ("jsonl", "ndjson")  # the endings of files with one JSON object a line
_PAGE = 2**15  # tuned: characters of a list that are read at once to find its first entry


def _first_in(text: str) -> Object:
    """Return the JSON object at the start of a text; an empty one if there is none."""
    with suppress(ValueError, RecursionError):
        first, _ = json.JSONDecoder().raw_decode(text.lstrip())
        return first if isinstance(first, dict) else {}
    return {}


class _TwiceError(ValueError):
    """An object has a key twice."""


def _each_once(pairs: list[tuple[str, Any]]) -> Object:
    """Return the object of these pairs."""
    record = dict(pairs)
    if len(record) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise _TwiceError(f"the key {shown(twice)} twice")
    return record


def value_at(value: Any, *keys: str) -> Any:
    """Follow the keys into nested objects; return None if one of them is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def list_in(value: Any, *keys: str) -> list[Any]:
    """Return the list under nested keys; an empty one if there is none."""
    items = value_at(value, *keys)
    return items if isinstance(items, list) else []


def items_in(value: Any, *keys: str) -> list[tuple[str, Any]]:
    """Return the entries of the object under nested keys; none if there is no object."""
    items = value_at(value, *keys)
    return [*items.items()] if isinstance(items, dict) else []
