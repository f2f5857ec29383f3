"""The answer on pasted columns: answers or scores of two systems, one per line."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from answer import SEED, Answer, Asked, of_examples
from limits import MAX_PASTED, MAX_ROWS
from visitor import in_words_of_the_page
from words import Check, direction_check

from pairedperm import InputError
from pairedperm.errors import Name, counted, shown
from pairedperm.readers.log import IS_NUMBER, written_as_number
from pairedperm.readers.metrics import Direction, Examples
from pairedperm.scoring.metric import METRICS, read_metric
from pairedperm.scoring.metrics.given import MeanScore

_BOXES = ("Box A", "Box B", "Right answers")
_IS_QUOTED = re.compile(r'"[^"]*(?:""[^"]*)+"')  # a spreadsheet's cell: inner quotes doubled
_SHOWN = 200  # lines that the code lists; more are read from files


def of_columns(a: str, b: str, references: str, asked: Asked) -> Answer:
    """Return the answer on pasted columns; two or three columns in the first box are split.

    Raises
    ------
    InputError, BudgetError
        If the columns cannot be read or compared; the message uses the words of the page.
    """
    columns = [*map(_lines, (a, b, references))]
    if columns[0] and not columns[1] and not columns[2]:
        columns = _taken_apart(columns[0])
    one, _, right = columns
    for box, lines in zip(_BOXES[: 3 if right else 2], columns, strict=False):
        _check(box, lines)
        if len(lines) != len(one):
            raise InputError(
                f"Box A has {len(one):,} lines, and “{box}” has {len(lines):,}",
                remedy="Give one line for each example, in the same order.",
            )
    name1, name2 = asked.name1 or "system A", asked.name2 or "system B"
    systems = name1, name2
    if name1 == name2:
        what = f"Both systems are called {shown(name1)}"
        raise InputError(what, remedy="Give each a name of its own.")
    with in_words_of_the_page():
        examples = (
            _of_labels(systems, columns, asked) if right else _of_scores(systems, columns, asked)
        )
    checks = [
        Check(
            True, f"Paired by line: {counted(len(one), 'line')} in each box, one for each example."
        ),
        Check(None, "Lines have no ids, so an example that occurs twice is not noticed."),
        *_header_check(columns[: 3 if right else 2]),
        Check(None, "No groups are given: examples count as independent of each other."),
        direction_check(examples.direction.lower_is_better, examples.direction.source),
    ]
    return of_examples(examples, asked, checks, _code(columns, examples))


def _lines(text: str) -> list[str]:
    """Split a text into lines, without empty lines at its end."""
    if len(text) > MAX_PASTED:
        raise InputError(
            f"A box holds {len(text):,} characters; at most {MAX_PASTED:,} are read",
            remedy="Upload files.",
        )
    lines = re.split("\r\n|\r|\n", text.removeprefix("\ufeff").rstrip())
    return [line.strip() for line in lines] if text.strip() else []


def _taken_apart(lines: Sequence[str]) -> list[list[str]]:
    """Split columns that a spreadsheet has copied, with tabs, into one box; a line is a row."""
    rows = [[_unquoted(x.strip()) for x in line.split("\t")] for line in lines]
    width = len(rows[0])
    if width not in (2, 3):
        raise InputError(
            "Box B is empty",
            remedy="Paste the answers of system B there, one line for each example. Or paste two "
            "or three columns of a spreadsheet, with tabs between them, into box A.",
        )
    other = next((k for k, row in enumerate(rows) if len(row) != width), None)
    if other is not None:
        raise InputError(
            f"“Box A”: line {other + 1} has {counted(len(rows[other]), 'column')}, and line 1 has "
            f"{width}",
            remedy="Each line is an example. If cells hold tabs or line ends, upload a CSV file.",
        )
    columns = [[*column] for column in zip(*rows, strict=True)]
    return columns if width == 3 else [*columns, []]


def _unquoted(cell: str) -> str:
    """Undo a spreadsheet's quotes, which double those inside; others are characters."""
    return cell[1:-1].replace('""', '"') if _IS_QUOTED.fullmatch(cell) else cell


def _header_check(columns: Sequence[Sequence[str]]) -> list[Check]:
    """Point out a line 1 that looks like column names: its entries occur only there."""
    firsts = [column[0] for column in columns]
    others = [x for column in columns for x in column[1:]]
    if len({*others}) > len(others) // 2 or any(x in others for x in firsts):
        return []
    listed = ", ".join(map(shown, firsts))
    return [Check(False, f"Line 1 holds {listed}: if these are names of columns, remove them.")]


def _check(box: str, lines: Sequence[str]) -> None:
    """Raise InputError if there are no lines, too many, or an empty one."""
    if not lines:
        raise InputError(f"“{box}” is empty", remedy="Paste a line for each example.")
    if len(lines) > MAX_ROWS:
        raise InputError(f"“{box}” has {len(lines):,} lines; at most {MAX_ROWS:,} are read.")
    if "" in lines:
        raise InputError(
            f"“{box}”: line {lines.index('') + 1} is empty",
            remedy="Each line is an example: fill it, or remove it from all boxes.",
        )


def _of_labels(systems: tuple[str, str], columns: Sequence[list[str]], asked: Asked) -> Examples:
    """Return examples of labels, under accuracy or the chosen metric."""
    one, two, right = columns
    if asked.better:
        raise InputError(
            *(Name("lower_is_better"), " is only for scores: with right answers the metric tells"),
            remedy="Choose “as the files or the metric say”.",
        )
    metric = read_metric(asked.metric or "accuracy", **asked.options(right))
    entries = dict(zip(systems, (one, two), strict=True))
    if not metric.has_references:
        raise InputError(
            f"Metric {shown(metric.name)} takes no right answers",
            remedy="Empty that box, or choose another metric.",
        )
    found = Direction(metric.lower_is_better, "name")
    return Examples(metric.name, [], entries, right, None, metric, found, [])


def _of_scores(systems: tuple[str, str], columns: Sequence[list[str]], asked: Asked) -> Examples:
    """Return examples of scores, whose means are compared."""
    if asked.metric not in ("", MeanScore.name):
        if asked.metric in METRICS and not METRICS[asked.metric].has_references:
            raise InputError(
                f"Metric {shown(asked.metric)} needs a list for each example",
                remedy="upload files",
            )
        raise InputError(
            f"Metric {shown(asked.metric)} needs right answers",
            remedy="Paste them too, or choose no metric to compare the means of scores.",
        )
    entries = {}
    for name, box, lines in zip(systems, _BOXES, columns, strict=False):
        others = [k for k, x in enumerate(lines) if not _is_score(x)]
        if others:
            written = (written_as_number(lines[k]) for k in others)
            remedy = next(filter(None, written), "Paste the right answers too.")
            if others == [0] and len(lines) > 1:
                remedy = "If it is the name of a column, remove it from all boxes."
            raise InputError(
                f"“{box}”: line {others[0] + 1} is {shown(lines[others[0]])}, but without right "
                "answers a line must be a score, a number such as 0.75",
                remedy=remedy,
            )
        entries[name] = [*map(float, lines)]
    lower = asked.better == "lower"
    found = Direction(lower, "caller" if asked.better else "assumed")
    metric = MeanScore(lower_is_better=lower)
    return Examples("score", [], entries, None, None, metric, found, [])


def _is_score(text: str) -> bool:
    return bool(IS_NUMBER.fullmatch(text)) and math.isfinite(float(text))


def _code(columns: Sequence[Sequence[str]], examples: Examples) -> str:
    """Return the Python code that repeats the comparison."""
    is_scored = examples.references is None
    lines = ["from pairedperm import compare", ""]
    if max(map(len, columns)) > _SHOWN:
        lines.insert(0, "from pathlib import Path\n")
    for name, column in zip("ab" if is_scored else ("a", "b", "right"), columns, strict=False):
        if len(column) <= _SHOWN:
            entries: list[object] = [*map(float, column)] if is_scored else [*column]
            lines.append(f"{name} = {entries!r}")
        else:
            read = f'Path("{name}.txt").read_text("utf-8").splitlines()'
            lines.append(f"{name} = {f'[*map(float, {read})]' if is_scored else read}")
    metric, right = examples.metric, "None" if is_scored else "right"
    options = "".join(f", {name}={x!r}" for name, x in (metric.options or {}).items())
    lines.append(f'print(compare(a, b, {right}, "{metric.name}"{options}, rng={SEED}))')
    return "\n".join(lines)
