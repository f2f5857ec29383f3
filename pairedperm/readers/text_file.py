"""A file of text: its lines, its JSON and what is nested there, and errors that name the line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Generator, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cached_property
from itertools import chain, repeat
from operator import contains
from typing import Any, NamedTuple

from pairedperm.errors import InputError, describe, printable, shown
from pairedperm.inputs.columns import Id
from pairedperm.options import NoBar, progress_bar
from pairedperm.readers.files import AS_WRITTEN, PARQUET, NamedFile
from pairedperm.readers.files import Object as Object

JSON = "json"  # the ending of one JSON text; a list of objects is read as if each were a line
LINES = ("jsonl", "ndjson")  # the endings of files with one JSON object a line
_LIST = re.compile(r"\ufeff?\s*\[\s*")
_PAGE = 2**15  # tuned: characters that are parsed at once; more wake the garbage collector
_MARK = 81462523709163854  # tuned: a number that no log should hold
_BETWEEN = f",{_MARK},"
_KINDS: dict[type, str] = {dict: "objects", str: "texts"}
_LARGE = 2**25  # tuned: bytes that take a second or more to read


class TextFile(NamedFile):
    """A file that is read line by line. A JSON list has entries in place of lines."""

    @property
    def part(self) -> str:
        """What an error names by its number: a line or an entry."""
        return "entry" if self.is_list else "line"

    @cached_property
    def is_list(self) -> bool:
        """Tell whether the file is one JSON list, as its first character says.

        Raises
        ------
        InputError
            If the file cannot be read.
        """
        return self.ending in (JSON, *LINES) and _LIST.match(self.start) is not None

    @cached_property
    def _starts(self) -> tuple[str, str]:
        """The first characters: as they are, and without blanks."""
        text = self.start.removeprefix("\ufeff").lstrip()
        return text, "".join(text.split())

    def begins(self, pattern: str) -> bool:
        """Tell whether the text begins with a pattern, which may leave out all blanks of JSON."""
        return any(re.match(pattern, x) for x in self._starts)

    def lines(self, newline: str | None = None) -> Iterator[str]:
        """Yield the lines one by one; `newline` is that of `open`.

        Raises
        ------
        InputError
            If the file cannot be read, or all its lines are blank.
        """
        return chain.from_iterable(lines for _, lines in self._pages(newline))

    def batches(
        self, once: Collection[str] = ()
    ) -> Generator[tuple[Sequence[int], list[Object]], None, None]:
        """Yield the numbers and the JSON objects of many lines, or of all entries, at a time.

        No object may have the keys twice that are there `once`.

        Raises
        ------
        InputError
            If a line or an entry is no JSON object.
        """
        if self.is_list:
            yield self._entries(once)
            return
        for start, lines in self._pages():
            numbers: Sequence[int] = range(start, start + len(lines))
            if any(map(str.isspace, lines)):
                numbers = [n for n, x in zip(numbers, lines, strict=True) if not x.isspace()]
                lines = [x for x in lines if not x.isspace()]
            if lines:
                yield numbers, _parsed(lines, once) or [*map(self._object, numbers, lines)]

    def rows(
        self, key: str, keys: Sequence[AbstractSet[str]], lacks: str
    ) -> Iterator[tuple[Id, Object]]:
        """Yield the id that each line of a log holds under a key, and the line's JSON object.

        Raises
        ------
        InputError
            If a line `lacks` the keys of its format; if its id is neither an integer nor a text, or
            is empty.
        """
        for numbers, lines in self.batches():
            for number, line in zip(numbers, lines, strict=True):
                for some in keys:
                    if some <= line.keys():
                        break
                else:
                    apart = "Give each format a file of its own."
                    remedy = "Is the file of another format, or of several?", apart
                    raise self.error(f"lacks the keys of {lacks}", line=number, remedy=remedy)
            examples = [line[key] for line in lines]
            for number, x in zip(numbers, examples, strict=True):
                if type(x) is not int and not (type(x) is str and x):
                    kinds = "give an integer or a text"
                    raise self.error(f"has the {key} ", describe(x), line=number, remedy=kinds)
            yield from zip(examples, lines, strict=True)

    def _pages(self, newline: str | None = None) -> Generator[tuple[int, list[str]], None, None]:
        """Yield many lines at a time, with the number of the first of them."""
        size, start, is_blank = self.check(), 1, True
        with (
            self._readable(),
            self._text(newline=newline) as text,
            reading(self.path, size) as bar,
        ):
            while lines := text.readlines(_PAGE):
                is_blank = is_blank and all(map(str.isspace, lines))
                yield start, lines
                start += len(lines)
                bar.update(sum(map(len, lines)))
        if is_blank:
            raise self._empty()

    def _entries(self, once: Collection[str]) -> tuple[Sequence[int], list[Object]]:
        """Return the numbers and the objects of all entries."""
        with reading(self.path, self.check()), self._readable(), self._text() as whole:
            text = whole.read()
        try:
            entries = json.loads(text)
            are_objects = type(entries) is list and {*map(type, entries)} == {dict}
            if are_objects and _may_repeat(text, entries, once):
                entries = json.loads(text, object_pairs_hook=_each_once)
        except _TwiceError as error:
            raise self.error(f"has {error}", remedy="Name each value once.") from error
        except (ValueError, RecursionError) as error:
            hint = "" if text.rstrip().endswith("]") else "Is the file cut off?"
            what, remedy = f"is no JSON, {printable(str(error))}", "Give one list of objects."
            raise self.error(what, remedy=(hint, remedy)) from error
        if not entries:
            raise self._empty()
        numbers = range(1, len(entries) + 1)
        return numbers, [*map(self._checked, numbers, entries)]

    @cached_property
    def column_names(self) -> AbstractSet[str]:
        """The names of the columns of a Parquet file; none if it is another or cannot be read."""
        if self.ending == PARQUET:
            with suppress(InputError), self.parquet() as opened:  # the reader of tables raises it
                return {*opened.schema_arrow.names}
        return frozenset()

    @cached_property
    def first_object(self) -> Object:
        """The JSON object of the first line that is not blank, or of the first entry of a list.

        It is empty if the file holds neither.

        Raises
        ------
        InputError
            If a file of JSON Lines has only blank lines, or the first of the others is no object.
        """
        if self.ending in LINES:
            return self._first()
        with suppress(InputError):  # other JSON need not be a list, nor have an object a line
            return self._first() if self.ending == JSON else {}
        return {}

    def _first(self) -> Object:
        """Return the first entry, or the object of the first line that is not blank."""
        if self.is_list:
            return self._first_entry()
        with self._readable(), self._text() as text:
            lines = ((number, x) for number, x in enumerate(text, 1) if not x.isspace())
            first = next(lines, None)
        if first is None:
            raise self._empty()
        return self._object(*first)

    def _first_entry(self) -> Object:
        """Return the first entry of the list if it is an object; read no more than it takes."""
        text = ""
        with self._readable(), self._text() as whole:
            while more := whole.read(max(_PAGE, len(text))):
                text += more
                with suppress(ValueError, RecursionError):  # it goes on
                    start = _LIST.match(text)
                    entry, _ = json.JSONDecoder().raw_decode(text, start.end() if start else 0)
                    return entry if type(entry) is dict else {}
        return {}

    def _object(self, number: int, line: str) -> Object:
        """Parse the JSON object of one line."""
        try:
            parsed = json.loads(line, object_pairs_hook=_each_once)
        except _TwiceError as error:
            raise self.error(f"has {error}", line=number, remedy="Name each value once.") from error
        except (ValueError, RecursionError) as error:
            hint = "" if line.endswith("\n") else "Is the file cut off?"
            what, remedy = f"is no JSON, {printable(str(error))}", "Give one JSON object per line."
            raise self.error(what, line=number, remedy=(hint, remedy)) from error
        return self._checked(number, parsed)

    def _checked(self, number: int, parsed: Any) -> Object:
        """Return what a line or an entry holds, if it is an object."""
        if type(parsed) is not dict:
            is_other = "is no JSON object, but ", describe(parsed)
            raise self.error(*is_other, line=number, remedy=f"Give one object per {self.part}.")
        return parsed


class _TwiceError(ValueError):
    """An object has a key twice."""


def _each_once(pairs: list[tuple[str, Any]]) -> Object:
    """Return the object of these pairs."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise _TwiceError(f"the key {shown(twice)} twice")
    return found


def _parsed(lines: Sequence[str], once: Collection[str] = ()) -> list[Object] | None:
    """Parse many lines as one JSON list, which is faster; return None if a line is no object.

    A number that no line holds separates the lines, so that no object can span two of them. None is
    returned also if an object has a key twice, and one of those that may be there `once`.
    """
    text = _BETWEEN.join(lines)
    if text.count(str(_MARK)) != len(lines) - 1:
        return None
    try:
        parsed = json.loads(f"[{text}]")
    except (ValueError, RecursionError):
        return None
    objects: list[Object] = parsed[::2]
    between = parsed[1::2]
    is_sound = len(parsed) == 2 * len(lines) - 1 and between == [_MARK] * len(between)
    if not (is_sound and {*map(type, objects)} == {dict}):
        return None
    if not _may_repeat(text, objects, once):
        return objects
    try:
        json.loads(f"[{text}]", object_pairs_hook=_each_once)
    except _TwiceError:
        return None
    return objects


def _may_repeat(text: str, objects: list[Any], once: Collection[str]) -> bool:
    """Tell whether some keys that may be there once are written more often than they are read.

    To look at each key while it is parsed takes half as long again.
    """
    n_keys = sum(map(len, objects)) if once else 0
    if not once or text.count('":') in (n_keys, n_keys + text.count('\\":')):  # flat, as most are
        return False
    written = ((key, text.count(f'"{key}":') + text.count(f'"{key}" :')) for key in once)
    return any(n and n != sum(map(contains, objects, repeat(key))) for key, n in written)


class NoLog(NamedTuple):
    """A file that lies beside logs or stands for them: its start, what it is, and the remedy."""

    start: str
    what: str
    remedy: str


class Signs(NamedTuple):
    """What a file of a format has, and no other; any of these is enough.

    Attributes
    ----------
    ending : str
        The ending of its name.
    start : str
        A pattern of its first characters, see `TextFile.begins`.
    json : str
        The same of a file called JSON, behind the brace of its object.
    keys : sequence of set
        Keys of its first line or entry: all those of a set.
    columns : sequence of set
        The same of the columns of Parquet.
    unread : sequence of NoLog
        Other files that the tool writes, or reads.
    """

    ending: str | None = None
    start: str | None = None
    json: str | None = None
    keys: Sequence[AbstractSet[str]] = ()
    columns: Sequence[AbstractSet[str]] = ()
    unread: Sequence[NoLog] = ()

    def fit(self, file: TextFile) -> bool:
        """Tell whether a file has one of them."""
        return (
            file.ending == self.ending
            or (self.start is not None and file.begins(self.start))
            or (self.json is not None and is_object(file, self.json))
            or any(x <= file.first_object.keys() for x in self.keys)
            or any(x <= file.column_names for x in self.columns)
        )


def value_at(value: Any, *keys: str) -> Any:
    """Follow the keys into nested objects; return None if one of them is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def is_object(file: TextFile, start: str) -> bool:
    """Tell whether a file is called JSON, and is an object of which this pattern is the start."""
    return file.ending == JSON and file.begins(rf"\{{({start})")


def list_at(file: TextFile, whole: Object, *keys: str, of: type = dict) -> list[Any]:
    """Return the list of objects, or of others, under nested keys of a file's object.

    Raises
    ------
    InputError
        If there is no such list.
    """
    found = value_at(whole, *keys)
    if isinstance(found, list) and {*map(type, found)} <= {of}:
        return found
    what = f"has no list of {_KINDS[of]} under {'.'.join(keys)}, but ", describe(found)
    raise file.error(*what, remedy=AS_WRITTEN)


def list_in(value: Any, *keys: str) -> list[Any]:
    """Return the list under nested keys; an empty one if there is none."""
    found = value_at(value, *keys)
    return found if isinstance(found, list) else []


def items_in(value: Any, *keys: str) -> list[tuple[str, Any]]:
    """Return the entries of the object under nested keys; none if there is no object."""
    found = value_at(value, *keys)
    return [*found.items()] if isinstance(found, dict) else []


def reading(path: str, n_bytes: int) -> Any:
    """Return a progress bar for a file, hidden if it is small."""
    if n_bytes < _LARGE:
        return NoBar()
    return progress_bar(n_bytes, f"Reading {path[-30:]}", unit="B", unit_scale=True)
