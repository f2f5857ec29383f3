"""A call as Python source, of which at most two arguments are hostile; what it may raise."""

import ast
import re
import shutil
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from hypothesis import reject
from hypothesis import strategies as st

import pairedperm
from campaigns.inputs.grammar import sources
from campaigns.inputs.names import NAMES
from campaigns.inputs.wrong import WRONG
from strategies.hostile import anything, changed
from strategies.odd_objects import HostileError

_PACKAGE, _CAMPAIGN = Path(pairedperm.__file__).parent, Path(__file__).parent
_SCRIPTS = ("paired_perm.py", "paired_bootstrap.py")  # evaluate copies them
_LONGEST = 2000
_OF_OPTIONS = re.compile(
    r"unexpected (keyword argument|option )|missing \d required|required (positional|keyword-only) "
    "argument|takes no keyword arguments|multiple values for argument|positional arguments? but"
)
_CRASH = re.compile(
    r"(recursive|deep).*(pa\.|Dataset|torch)|(pa\.|Dataset|torch).*(recursive|deep)"
)
_NO_FUNCTION = re.compile(r"\)\.(map|filter)\((?!raises|lambda)")
_N_HOSTILE = (0,) * 7 + (1,) * 9 + (2,) * 4


class Call(NamedTuple):
    """A function's source, and its arguments': (name, source), with the name "" by position."""

    function: str
    arguments: list

    @classmethod
    def of(cls, source):
        """The call that is written so."""
        tree, text = ast.parse(source, mode="eval").body, source.encode()
        given = [("", x) for x in tree.args] + [(x.arg, x.value) for x in tree.keywords]
        spelled = [(name, text[x.col_offset : x.end_col_offset].decode()) for name, x in given]
        return cls(text[: tree.func.end_col_offset].decode(), spelled)

    def __repr__(self):
        return f"{self.function}({', '.join(f'{x}={y}' if x else y for x, y in self.arguments)})"

    def _repr_pretty_(self, printer, _):
        printer.text(repr(self))

    def given(self):
        """The function, and fresh values of its arguments; rejected if there are none."""
        for path in [*Path.cwd().glob("file*"), *Path.cwd().glob("card*")]:  # of earlier calls
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                assert not _CRASH.search(repr(self)), "pyarrow ends the process"
                assert not _NO_FUNCTION.search(repr(self)), "the data set fails by itself"
                function = eval(self.function, NAMES)
                values = [(name, eval(source, NAMES)) for name, source in self.arguments]
            except Exception:  # a set of lists
                reject()
        return function, [y for x, y in values if not x], {x: y for x, y in values if x}


@st.composite
def calls(draw, templates):
    """A call of one of these, of which no, one or two arguments are hostile."""
    call = Call.of(draw(sources(templates)))
    n_hostile, arguments = draw(st.sampled_from(_N_HOSTILE)), call.arguments
    for _ in range(n_hostile):
        at = draw(st.integers(0, len(arguments) - 1))
        name, source = arguments[at]
        arguments[at] = name, draw(changed(source, name, WRONG))
    if n_hostile and "rng" in dict(arguments) and draw(st.integers(0, 29)) == 29:
        named = [x for x in arguments if x[0]]  # one is missing, or there is an unknown one
        arguments.remove(named[0])
        arguments += [("alternatve", draw(anything))] * (len(named) % 2)
    return call


def called(call):
    """The answer, or the exception if the contract has it; and the arguments that were given."""
    function, arguments, options = call.given()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            try:
                outcome = function(*arguments, **options)
            except SystemExit as error:
                raise AssertionError("the call ends the process") from error
            except Exception as error:
                if not _may_be_raised(error):
                    raise
                outcome = error
    for x in caught:  # the package's own name the line that calls it
        is_own = x.category is UserWarning and Path(x.filename).is_relative_to(_CAMPAIGN)
        is_own |= x.filename == "<string>" or issubclass(x.category, ResourceWarning)
        assert is_own, f"the package leaks a {x.category.__name__}: {x}"
    return outcome, arguments, options


def _may_be_raised(error):
    if isinstance(error, pairedperm.InputError | pairedperm.BudgetError):
        message = str(error)
        assert message.strip(), "an empty message"
        assert len(message) <= _LONGEST, "a message of more than 2,000 characters"
        assert message.replace("\n", "").isprintable(), "a message that cannot be printed"
        return True
    if isinstance(error, TypeError) and _OF_OPTIONS.search(str(error)):
        last = traceback.extract_tb(error.__traceback__)[-1]
        path = Path(last.filename)
        is_ours = path.is_relative_to(_PACKAGE) or path.name in _SCRIPTS
        raises = r"\braise\b|super\(\).__init__|return function\(\*given"  # of `reads_options`
        is_raised = is_ours and re.search(raises, last.line or "")
        return bool(is_raised or path.is_relative_to(_CAMPAIGN))
    is_missing = isinstance(error, ImportError) and "pip install" in str(error)
    return is_missing or isinstance(error, HostileError)
