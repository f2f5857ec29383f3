"""Tables of refusals: calls that are refused, and what the message of each says.

    @refuses
    def test_refusals():
        compare([1, 0], [1], [1, 0])
        # -> `predictions2` … has 1 … same length
        compare(alternatve="less")
        # -> TypeError: alternatve

Each room has such tables, in which every refusal stands once, at the door where people meet it. The
message must have the pieces between `…`, in this order: the argument, what arrived, what is
accepted, the remedy. Wrong values of declared options are not here: they follow from the
declarations (`test_declared.py`).
"""

import ast
import builtins
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from pairedperm import InputError, errors

_MARK, _MORE = "# -> ", "#    "


class Refusal(NamedTuple):
    """A call that is refused."""

    call: Callable[[], Any]
    """It may write files into the current directory, which is new."""
    named: tuple[str, ...]
    """What the message says, in this order."""
    kind: Any
    line: int
    argument: str = ""
    """What it has in backticks, anywhere."""

    def check(self) -> None:
        with pytest.raises(self.kind) as caught:
            self.call()
        assert type(caught.value) is self.kind
        message = str(caught.value)
        del caught  # its frames hold bars of progress
        assert message.replace("\n", "").isprintable()
        assert len(message) <= 2000
        message, at = " ".join(message.split()), 0
        assert not self.argument or f"`{self.argument}`" in message, message
        for piece in self.named:
            found = message.find(piece, at)
            assert found >= 0, f"{piece!r} is not in the rest of {message!r}"
            at = found + len(piece)


def refusal(call: Callable[[], Any], argument: str, *named: str, kind: Any = InputError) -> Refusal:
    """A row that is made: of several alike, or of a message that is computed."""
    pieces = tuple(" ".join(x.split()) for x in named)
    return Refusal(call, pieces, kind, call.__code__.co_firstlineno, argument)


def asks(*rows: Refusal) -> Any:
    """The test of rows that are made."""

    @pytest.mark.parametrize("row", rows, ids=[f"line {x.line}" for x in rows])
    def test(row: Refusal, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        row.check()

    return test


def asks_alike(door: Callable[[Any], Any], argument: str, *rows: tuple[Any, ...]) -> Any:
    """The test of one door: what it is given, and what the message says of it."""
    return asks(*(refusal(lambda x=x: door(x), argument, *named) for x, *named in rows))  # type: ignore[misc]


def refuses(table: Any) -> Any:
    """The test of the calls in the body of a function; below each stands what it says."""
    return asks(*_rows(table))


def _rows(table: Any) -> Iterator[Refusal]:
    lines, first = inspect.getsourcelines(table)
    lines = textwrap.dedent("".join(lines)).splitlines()
    (function,) = ast.parse("\n".join(lines)).body
    assert isinstance(function, ast.FunctionDef)
    starts = [x.lineno - 1 for x in function.body[1:]] + [len(lines)]
    for statement, start in zip(function.body, starts, strict=True):
        assert statement.end_lineno is not None
        below = [x.strip() for x in lines[statement.end_lineno : start]]
        said = [x.removeprefix(_MARK).removeprefix(_MORE) for x in below if _is_said(x)]
        assert sum(x.startswith(_MARK) for x in below) == 1, f"no message: {ast.unparse(statement)}"
        kind = re.match(r"(\w+Error): ", said[0])
        text = " ".join(said)[kind.end() if kind else 0 :]
        line = first + statement.lineno - 1
        ast.increment_lineno(statement, first - 1)
        code = compile(ast.Module([statement], []), table.__code__.co_filename, "exec")
        yield Refusal(
            lambda code=code: exec(code, table.__globals__),  # type: ignore[misc]
            tuple(" ".join(x.split()) for x in text.split("…") if x.strip()),
            _kind(kind[1]) if kind else InputError,
            line,
        )


def _kind(name: str) -> Any:
    """The kind of errors of this name: Python's, or one of ours."""
    own: list[Any] = [errors.BudgetError, InputError, *InputError.__subclasses__()]
    return {x.__name__: x for x in own}.get(name) or getattr(builtins, name)


def _is_said(line: str) -> bool:
    return line.startswith((_MARK, _MORE))
