"""A log that is read line by line, and what is wrong with one."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from pairedperm.errors import InputError, describe, printable
from pairedperm.inputs.files import check_regular, why
from pairedperm.inputs.ids import Id
from pairedperm.readers.progress import reading

Object = dict[str, Any]
_PAGE = 2**18  # tuned: characters of lines that are parsed at once
_MARK = 81462523709163854  # tuned: a number that no log holds
_BETWEEN = f",{_MARK},"


class LogFile:
    """A file that is read line by line, and the argument that named it.

    `path` is as messages show it.
    """

    def __init__(self, name: str, file: Path) -> None:
        self.name, self.file, self.path = name, file, printable(str(file))

    def error(self, what: str, line: int | None = None) -> InputError:
        """What is wrong with the file, or with one of its lines."""
        return InputError(f"`{self.name}`: {self.path}{f', line {line}:' * bool(line)} {what}")

    def unreadable(self, error: Exception) -> InputError:
        """That it cannot be opened, or is no text."""
        if isinstance(error, UnicodeDecodeError):
            return self.error(f"is no UTF-8 text, {why(error)}. Save it as UTF-8.")
        return self.error(f"cannot be read: {why(error)}. Give the path of a log.")

    def other(self, format_name: str, keys: str, line: int) -> InputError:
        """That a line is not of the format that its file should have."""
        what = f"has not the keys of {format_name}, {keys}. Is the file of another format, or of "
        return self.error(f"{what}several? Keep those in files of their own.", line)

    def id(self, value: Any, key: str, line: int) -> Id:
        """The id that a line holds under this key.

        Raises
        ------
        InputError
            If it is no integer or text.
        """
        if type(value) is int or (type(value) is str and value):
            return value
        raise self.error(f"has the {key} {describe(value)}: give an integer or a text.", line)

    def beside(self, path: Path) -> Object:
        """The JSON object in a file beside this one, which says more of it.

        Raises
        ------
        InputError
            If there is none in it.
        """
        other = LogFile(self.name, path)
        try:
            check_regular(path)
            found = json.loads(path.read_text("utf-8"))
        except UnicodeDecodeError as error:
            raise other.unreadable(error) from error
        except (OSError, ValueError, RecursionError) as error:
            what = f"is no JSON of results, {printable(why(error))}."
            raise other.error(f"{what} Write it again, or remove it.") from error
        if not isinstance(found, dict):
            raise other.error("is no JSON object of results. Write it again, or remove it.")
        return found

    def check(self) -> int:
        """The size in bytes of a file that can be opened.

        Raises
        ------
        InputError
            If it cannot be, is no regular file, or is empty.
        """
        try:
            check_regular(self.file)
            size = self.file.stat().st_size
        except (OSError, ValueError) as error:  # a ValueError: null bytes in the path
            raise self.unreadable(error) from error
        if size == 0:
            raise self.error("is empty: at least one example is needed.")
        return size

    def lines(self, newline: str | None = None) -> Generator[str, None, None]:
        """The lines, one by one; `newline` is as `open` has it.

        Raises
        ------
        InputError
            If the file cannot be read, or has none but blank ones.
        """
        for _, some in self._pages(newline):
            yield from some

    def objects(self) -> Generator[tuple[int, Object], None, None]:
        """The JSON objects of the lines, with the numbers of these.

        Raises
        ------
        InputError
            If a line is none.
        """
        for numbers, found in self.batches():
            yield from zip(numbers, found, strict=True)

    def batches(self) -> Generator[tuple[Sequence[int], list[Object]], None, None]:
        """The same, many lines at a time.

        Raises
        ------
        InputError
            If a line is no JSON object.
        """
        for start, lines in self._pages():
            numbers: Sequence[int] = range(start, start + len(lines))
            if any(map(str.isspace, lines)):
                numbers = [n for n, x in zip(numbers, lines, strict=True) if not x.isspace()]
                lines = [x for x in lines if not x.isspace()]
            if lines:
                yield numbers, _parsed(lines) or [*map(self._object, numbers, lines)]

    def _pages(self, newline: str | None = None) -> Generator[tuple[int, list[str]], None, None]:
        """Some thousand lines at a time, and the number of the first."""
        size, start, is_blank = self.check(), 1, True
        try:
            with (
                self.file.open(encoding="utf-8-sig", newline=newline) as opened,
                reading(self.path, size) as bar,
            ):
                while lines := opened.readlines(_PAGE):
                    is_blank = is_blank and all(map(str.isspace, lines))
                    yield start, lines
                    start += len(lines)
                    bar.update(sum(map(len, lines)))
        except (OSError, UnicodeDecodeError) as error:
            raise self.unreadable(error) from error
        if is_blank:
            raise self.error("is empty: at least one example is needed.")

    def first_object(self) -> Object:
        """The object of the first line, which tells the format.

        Raises
        ------
        InputError
            If there is none.
        """
        self.check()
        try:
            with self.file.open(encoding="utf-8-sig") as opened:
                for number, line in enumerate(opened, 1):
                    if not line.isspace():
                        return self._object(number, line)
        except (OSError, UnicodeDecodeError) as error:
            raise self.unreadable(error) from error
        raise self.error("is empty: at least one example is needed.")

    def _object(self, number: int, line: str) -> Object:
        """The JSON object of one line."""
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            hint = "" if line.endswith("\n") else " Is the file cut off?"
            what = f"is no JSON, {printable(str(error))}.{hint} Give a JSON object a line."
            raise self.error(what, number) from error
        if type(found) is not dict:
            what = f"is no JSON object, but {describe(found)}. Give an object a line."
            raise self.error(what, number)
        return found


def _parsed(lines: Sequence[str]) -> list[Object] | None:
    """The objects of many lines, parsed as one list, which is faster; None if one line is none.

    A number that no line holds stands between each two, so that no object goes over a line's end.
    """
    text = _BETWEEN.join(lines)
    if text.count(str(_MARK)) != len(lines) - 1:
        return None
    try:
        found = json.loads(f"[{text}]")
    except (ValueError, RecursionError):
        return None
    objects, between = found[::2], found[1::2]
    is_sound = len(found) == 2 * len(lines) - 1 and between == [_MARK] * len(between)
    return objects if is_sound and {*map(type, objects)} == {dict} else None


def nested(found: Any, *keys: str) -> Any:
    """What an object of objects holds under these keys; None where there is nothing."""
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found
