"""What an open finding is: a fault of the package that is known, and how it is recognised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from campaigns.inputs.fuzz_call import Call


@dataclass(frozen=True)
class Finding:
    """A fault: its name, what is wrong, and how a failure is known to be it.

    Attributes
    ----------
    name, what : str
        In some words, and in a line.
    reproducer : Call
        ``print(reproducer)`` is Python, with the names of fuzz_names.
    kind, place, message, function, source : str
        Patterns: of the exception's type or the broken invariant, of the innermost frame inside
        the package, of the beginning of the exception's message, of the function that is called,
        of something in the call's source.
    seconds : float
        Time limit of the reproducer.
    """

    name: str
    what: str
    reproducer: Call
    kind: str
    place: str
    message: str = ""
    function: str = ".*"
    source: str = ""
    seconds: float = 20.0

    def is_shown_by(self, failure: Any) -> bool:
        """Whether a failure is this one."""
        return bool(
            re.fullmatch(self.function, failure.call.function)
            and re.fullmatch(self.kind, failure.kind)
            and re.fullmatch(self.place, failure.place)
            and re.match(self.message, failure.message)
            and re.search(self.source, str(failure.call))
        )
