"""The words of the page for arguments and options, in errors and warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from words import Check

from pairedperm import BudgetError, InputError
from pairedperm.errors import Python, Reader, Words, heard_by, printable, shown, worded
from pairedperm.scoring.metric import metric_options

COLUMNS = ("id", "prediction", "reference", "score", "group")
_BOXES = {  # by option
    "metric": "“Metric”",
    "task": "“Task”",
    "average": "“Average”",
    "pos_label": "“Label that counts”",
    "lower_is_better": "“Better scores are”",
    "on_missing": "“Leave out what does not match”",
    "groups": "the column of groups",
    **{x: f"the name of column “{x}”" for x in COLUMNS},
}
_OTHERS = {
    "references": "the right answers",
    "name1": "the name of system A",
    "name2": "the name of system B",
}
_BETTER = {"True": "lower", "False": "higher"}
_UNSAID = ("…", "...")  # a value that the reader has to choose


class Visitor(Reader):
    """Who reads the page: a visitor, who has boxes for some options and no Python.

    `folder` holds the files of the visitor, and is not shown.
    """

    def __init__(self, folder: str = "") -> None:
        self.folder = folder

    def name(self, argument: str) -> str:
        is_elsewhere = argument in metric_options()
        other = f"{argument} (an option of the command only)" if is_elsewhere else argument
        return _BOXES.get(argument) or _OTHERS.get(argument, other)

    def entry(self, words: str, at: Sequence[int | str]) -> str:
        """Return which example it is, and not where in it."""
        first = at[0]
        which = f"example {first + 1:,}" if isinstance(first, int) else shown(first)
        return f"{which} of {words}"

    def has(self, option: str) -> bool:
        return option in _BOXES or option == "max_bytes"

    def setting(self, option: str, value: str) -> str:
        if option == "max_bytes":
            return "with the command on a machine of your own"
        if option == "on_missing":
            return f"by {_BOXES[option]}"
        if value in _UNSAID:
            return "under “More options”"
        if option == "lower_is_better":
            value = _BETTER.get(value, value)
        return f"{_BOXES[option]} {value}".rstrip()

    def python(self, part: Python) -> Words:
        return part.elsewhere

    def file(self, path: str) -> str:
        return printable(path.removeprefix(self.folder))


VISITOR = Visitor()


def in_words(message: Words, visitor: Visitor = VISITOR) -> str:
    """Return a message in the words of the page, with a capital letter."""
    text = worded(message, visitor)
    return text if text.startswith("p ") else text[:1].upper() + text[1:]


@contextmanager
def in_words_of_the_page(visitor: Visitor = VISITOR) -> Iterator[list[Check]]:
    """Collect warnings, and raise errors anew, in the words of the page."""
    said: list[Check] = []
    try:
        with heard_by(lambda message: said.append(Check(False, in_words(message, visitor)))):
            yield said
    except (InputError, BudgetError) as error:
        kind = BudgetError if isinstance(error, BudgetError) else InputError
        raise kind(in_words(error.message, visitor)) from error
