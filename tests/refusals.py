"""Tables of refusals: a call, the argument that its message names, and what else it must name.

    test_refusals = refuses(
        refusal(lambda: compare([1, 0], [1], [1, 0]), "predictions2", "has 1", "same length"),
    )

Each room has one table, in which every refusal stands once, at the door where people meet it.
Wrong values of declared options are not in it: they follow from the declarations.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from pairedperm import InputError


class Refusal(NamedTuple):
    """A call that is refused."""

    call: Callable[[], Any]
    """It may write files into the current directory, which is new."""
    argument: str
    """The argument that the message has in backticks; "" if there is none."""
    named: tuple[str, ...]
    """What else the message says, in this order: what arrived, what is accepted, the remedy."""
    kind: type[Exception]

    def check(self) -> None:
        with pytest.raises(self.kind) as caught:
            self.call()
        assert type(caught.value) is self.kind
        message, at = str(caught.value), 0
        del caught  # its frames hold bars of progress
        assert message.replace("\n", "").isprintable()
        assert len(message) <= 2000
        assert not self.argument or f"`{self.argument}`" in message, message
        for piece in self.named:
            found = message.find(piece, at)
            assert found >= 0, f"{piece!r} is not in the rest of {message!r}"
            at = found + len(piece)


def refusal(call: Callable[[], Any], argument: str, *named: str, kind: Any = InputError) -> Refusal:
    return Refusal(call, argument, named, kind)


def refuses(*rows: Refusal) -> Any:
    """The test of a room's table."""
    lines = [f"line {x.call.__code__.co_firstlineno}" for x in rows]

    @pytest.mark.parametrize("row", rows, ids=lines)
    def test(row: Refusal, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        row.check()

    return test
